"""Whatever ends a run, another one takes it up, and all bits are those of an undisturbed run."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import psutil
import pytest
from oracles import datasets
from oracles.datasets import Inline, Runs, bits, check, coordinator

from toccata import scale
from toccata.scale._executors import WorkerDied, executor_of


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs.within(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    yield from datasets.faults_in(tmp_path / "faults", monkeypatch)


def processes(workers: int = 2) -> Any:
    return executor_of("processes", workers, None)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_that_die_are_replaced(
    workers: int, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-once-0", "kill-writing-40", "kill-once-70", "kill-writing-110")
    summary = check(runs.source, tmp_path / "out", processes(workers))
    assert summary.parts_computed == runs.parts and not list(folder.iterdir())
    runs.assert_complete(tmp_path / "out")
    assert not active_children()


def test_workers_that_are_killed_are_replaced(runs: Runs, tmp_path: Path) -> None:
    killed = []

    def kill(_: scale.Progress) -> None:
        if len(killed) < 2:
            workers = [child for child in active_children() if child.name == "toccata-worker"]
            killed.append(len(workers))
            for worker in workers:
                os.kill(worker.pid, signal.SIGKILL)

    check(runs.source, tmp_path / "out", progress=kill)
    assert killed[0] == 2
    runs.assert_complete(tmp_path / "out")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_part_that_takes_all_workers_down_is_given_up_alone(
    workers: int, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-40")
    with pytest.raises(WorkerDied, match=r"rows 40 to 59: part-.* has killed 3 workers"):
        check(runs.source, tmp_path / "out", processes(workers))
    assert not active_children()
    runs.assert_incomplete(tmp_path / "out")
    assert len(bits(tmp_path / "out")) == runs.parts - 1
    part = scale.load(tmp_path / "out", partial=True)
    assert part["id"].tolist() == [i for i in range(datasets.ROWS) if not 40 <= i < 60]
    (folder / "kill-40").unlink()
    summary = check(runs.source, tmp_path / "out", Inline())
    assert summary.parts_computed == 1
    runs.assert_complete(tmp_path / "out")


@pytest.mark.parametrize("workers", [1, 3])
def test_a_coordinator_that_is_killed_leaves_no_worker_and_what_is_done(
    workers: int, runs: Runs, faults: Any, tmp_path: Path
) -> None:
    folder = faults("hold")
    with coordinator(runs.source, tmp_path / "out", str(workers)) as process:
        children = [psutil.Process(pid) for pid in datasets.children_told(process)]
        assert len(children) == workers
        process.kill()
        process.wait()
    (folder / "hold").unlink()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    runs.assert_incomplete(tmp_path / "out")
    before = scale.status(tmp_path / "out")
    summary = check(runs.source, tmp_path / "out", processes(workers))
    assert 0 < before.parts_there == runs.parts - summary.parts_computed < runs.parts
    runs.assert_complete(tmp_path / "out")


def test_ctrl_c_leaves_what_is_done(runs: Runs, faults: Any, tmp_path: Path) -> None:
    folder = faults("hold")
    with coordinator(runs.source, tmp_path / "out") as process:
        children = [psutil.Process(pid) for pid in datasets.children_told(process)]
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, told = process.communicate(timeout=100)
    assert process.returncode == -signal.SIGINT or process.returncode == 130
    assert told.rstrip().endswith("KeyboardInterrupt") and told.count("Traceback") == 1
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    (folder / "hold").unlink()
    runs.assert_incomplete(tmp_path / "out")
    summary = check(runs.source, tmp_path / "out")
    assert 0 < summary.parts_computed < runs.parts
    runs.assert_complete(tmp_path / "out")


def test_an_error_of_the_caller_ends_all_workers(runs: Runs, tmp_path: Path) -> None:
    def fail(_: scale.Progress) -> None:
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        check(runs.source, tmp_path / "out", progress=fail)
    assert not active_children()
    runs.assert_incomplete(tmp_path / "out")
    check(runs.source, tmp_path / "out", Inline())
    runs.assert_complete(tmp_path / "out")


def test_a_full_disk_is_told_and_no_end(runs: Runs, faults: Any, tmp_path: Path) -> None:
    faults("full-60")
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        check(runs.source, tmp_path / "out")
    assert not active_children()
    runs.assert_incomplete(tmp_path / "out")
    check(runs.source, tmp_path / "out", Inline())
    runs.assert_complete(tmp_path / "out")


@pytest.mark.parametrize("fits", ["nothing", "plan"])
def test_files_that_may_not_grow_are_told_and_no_end(fits: str, runs: Runs, tmp_path: Path) -> None:
    plan = (runs.undisturbed / "_plan.json").stat().st_size
    part = min(map(len, bits(runs.undisturbed).values()))
    most = 100 if fits == "nothing" else (plan + part) // 2
    assert plan < (plan + part) // 2 < part
    with coordinator(runs.source, tmp_path / "out", "2", str(most)) as process:
        _, told = process.communicate(timeout=100)
    assert process.returncode == 1
    assert told.rstrip().splitlines()[-1].startswith("OSError: [Errno 27] File too large")
    assert not bits(tmp_path / "out")
    check(runs.source, tmp_path / "out", Inline())
    runs.assert_complete(tmp_path / "out")


@pytest.mark.parametrize("workers", [1, 2])
def test_two_coordinators_at_once_write_the_same(workers: int, runs: Runs, tmp_path: Path) -> None:
    words = runs.source, tmp_path / "out", str(workers)
    with coordinator(*words) as one, coordinator(*words) as other:
        for process in (one, other):
            _, told = process.communicate(timeout=100)
            assert process.returncode == 0, told
    runs.assert_complete(tmp_path / "out")


SCRIPT = """
from toccata import scale, surfaces
from toccata.scenes import models, robots
import toccata as tc

def plane(lo, hi):
    return lo[2] + 5.0 - 1e-12, hi[2] + 5.0 + 1e-12

def slope(lo, hi):
    return (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)

arm, world = robots.planar_arm(), {world}
print(scale.check_motions({source!r}, {target!r}, robot=arm, world=world, workers=2))
"""
FLOOR = "surfaces.ImplicitSurface(plane, ((-9, -9, -9), (9, 9, 9)), gradient=slope)"


def run_script(text: str, script: Path | None) -> subprocess.CompletedProcess[str]:
    """Run a script from a file, or from standard input."""
    if script is not None:
        script.write_text(text)
    return subprocess.run(
        [sys.executable, "-" if script is None else str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        input=text if script is None else None,
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize("level", [0, 5])  # models below and above what a pipe holds at once
@pytest.mark.parametrize("name", ["script.py", None])
def test_a_script_needs_no_guard(level: int, name: str | None, runs: Runs, tmp_path: Path) -> None:
    world = f"tc.Mesh(*models.icosphere(1.0, {level}))"
    text = SCRIPT.format(world=world, source=str(runs.source), target=str(tmp_path / "out"))
    done = run_script(text, name and tmp_path / name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("complete") == 1


@pytest.mark.parametrize("name", ["script.py", None])
def test_models_made_by_a_script_need_one(name: str | None, runs: Runs, tmp_path: Path) -> None:
    text = SCRIPT.format(world=FLOOR, source=str(runs.source), target=str(tmp_path / "out"))
    done = run_script(text, name and tmp_path / name)
    assert done.returncode == 1
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("RuntimeError: a worker exited during startup")
    assert last.endswith("if __name__ == '__main__':")
    if name is None:
        return
    guarded = text.replace("print(", "if __name__ == '__main__':\n    print(")
    done = run_script(guarded, tmp_path / name)
    assert done.returncode == 0, done.stderr
