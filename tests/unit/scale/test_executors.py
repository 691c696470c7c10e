"""Dask and Ray: the bits of a process pool, and no process left behind.

Workers of both are killed only where TOCCATA_FUZZ asks for more, as `make test-long` does.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pytest
from oracles import datasets
from oracles.datasets import TESTS, Runs, check, write
from oracles.size import FACTOR

from toccata import scale
from toccata.scale._executors import WorkerDied, executor_of
from toccata.scenes.robots import planar_arm

CLUSTERS = ("dask", "ray")
LONG = pytest.mark.skipif(FACTOR <= 1, reason="for TOCCATA_FUZZ above 1")
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs.within(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    yield from datasets.faults_in(tmp_path / "faults", monkeypatch)


@pytest.fixture(params=CLUSTERS)
def cluster(request: pytest.FixtureRequest) -> str:
    pytest.importorskip({"dask": "distributed", "ray": "ray"}[request.param])
    return str(request.param)


def assert_gone(faults: Path) -> None:
    """Check that all processes that a run has started end."""
    _, alive = psutil.wait_procs(datasets.processes_of(faults), timeout=60)
    assert not alive


def test_a_cluster_of_this_machine_is_started_and_stopped(
    cluster: str, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder, seen = faults(), []

    def look(_: scale.Progress) -> None:
        seen.extend(datasets.processes_of(folder))

    summary = check(runs.source, tmp_path / "out", executor_of(cluster, 2, None), progress=look)
    assert summary.parts_computed == runs.parts and len(set(seen)) >= 2
    runs.assert_complete(tmp_path / "out")
    assert_gone(folder)


@pytest.mark.parametrize("how", ["client", "address"])
def test_a_dask_cluster_that_is_there_is_used_and_stays(
    how: str, runs: Runs, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    own = {"processes": False, "n_workers": 1, "threads_per_worker": 2}
    own |= {"host": "127.0.0.1", "protocol": "tcp://", "dashboard_address": None}
    with distributed.LocalCluster(**own) as local, distributed.Client(local) as client:
        given = (client, None, None) if how == "client" else ("dask", None, local.scheduler_address)
        check(runs.source, tmp_path / "out", executor_of(*given))
        runs.assert_complete(tmp_path / "out")
        assert not any("toccata" in name for name in local.workers[0].plugins)
        broken = datasets.write(tmp_path / "bad.parquet", pa.table({"q0": [[1.0]], "q1": [[1.0]]}))
        with pytest.raises(ValueError, match="row 0 is not a valid motion"):
            check(broken, tmp_path / "strict", executor_of(*given), strict=True)
        assert client.submit(sum, [1, 2]).result() == 3


def test_a_ray_cluster_that_is_there_is_used_and_stays(
    runs: Runs, faults: Any, tmp_path: Path
) -> None:
    ray = pytest.importorskip("ray")
    folder = faults()
    own = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init("local", num_cpus=1, _node_ip_address="127.0.0.1", **own)
    try:  # with fewer cores than workers
        check(runs.source, tmp_path / "out", executor_of("ray", 2, None))
        runs.assert_complete(tmp_path / "out")
        assert ray.is_initialized()
    finally:
        ray.shutdown()
    assert_gone(folder)


@LONG
def test_workers_of_clusters_that_die_are_replaced(
    cluster: str, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-once-0", "kill-writing-40", "kill-once-110")
    check(runs.source, tmp_path / "out", executor_of(cluster, 2, None))
    assert not list(folder.iterdir())
    runs.assert_complete(tmp_path / "out")
    assert_gone(folder)


@LONG
@pytest.mark.parametrize("workers", [1, 2])
def test_a_part_that_takes_all_workers_of_a_cluster_down_is_given_up_alone(
    workers: int, cluster: str, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-40")
    with pytest.raises(WorkerDied, match="rows 40 to 59"):
        check(runs.source, tmp_path / "out", executor_of(cluster, workers, None))
    runs.assert_incomplete(tmp_path / "out")
    assert len(datasets.bits(tmp_path / "out")) == runs.parts - 1
    assert_gone(folder)
    (folder / "kill-40").unlink()
    check(runs.source, tmp_path / "out", executor_of(cluster, workers, None))
    runs.assert_complete(tmp_path / "out")


@LONG
def test_an_error_in_a_cluster_is_told_and_no_end(
    cluster: str, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("full-60")
    with pytest.raises(OSError, match="No space left"):
        check(runs.source, tmp_path / "out", executor_of(cluster, 2, None))
    runs.assert_incomplete(tmp_path / "out")
    assert_gone(folder)
    check(runs.source, tmp_path / "out", executor_of(cluster, 2, None))
    runs.assert_complete(tmp_path / "out")


@LONG
def test_a_coordinator_of_a_cluster_that_is_killed_leaves_nobody(
    cluster: str, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("hold")
    words = runs.source, tmp_path / "out", "2", "0", cluster
    with datasets.coordinator(*words) as process:
        datasets.children_told(process)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (folder / "hold").unlink()
    assert_gone(folder)
    runs.assert_incomplete(tmp_path / "out")
    check(runs.source, tmp_path / "out", executor_of(cluster, 2, None))
    runs.assert_complete(tmp_path / "out")


@LONG
def test_a_dask_cluster_that_has_lost_its_workers_is_replaced(
    runs: Runs, faults: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("toccata.scale._executors.dask.PATIENCE", 2.0)
    folder, told = faults("hold"), []

    def lose(progress: scale.Progress) -> None:
        told.append(progress)
        if len(told) == 1:
            distributed.default_client().cluster.scale(0)
            (folder / "hold").unlink()

    check(runs.source, tmp_path / "out", executor_of("dask", 2, None), progress=lose)
    runs.assert_complete(tmp_path / "out")
    assert_gone(folder)


@pytest.mark.parametrize("rows", [50_000, pytest.param(1_000_000, marks=LONG)])
def test_memory_of_workers_stays_flat(rows: int, tmp_path: Path) -> None:
    robot, part = planar_arm(), rows // 100
    q = np.random.default_rng(1).uniform(-3, 3, (2, rows, 2))
    lists = [pa.FixedSizeListArray.from_arrays(pa.array(end.reshape(-1)), 2) for end in q]
    rows_of = pa.table({"id": np.arange(rows), "q0": lists[0], "q1": lists[1]})
    source = write(tmp_path / "motions.parquet", rows_of, group=part)
    used: list[int] = []

    def look(_: scale.Progress) -> None:
        workers = [psutil.Process(child.pid) for child in active_children()]
        used.append(max(worker.memory_info().rss for worker in workers))

    how = {"rows_per_part": part, "workers": 2, "progress": look}
    scale.check_motions(source, tmp_path / "out", robot=robot, **how)
    assert len(used) == 100
    assert max(used[90:]) - max(used[10:20]) < 16 * MEGABYTE
    assert (scale.load(tmp_path / "out", ["id"])["id"] == np.arange(rows)).all()
