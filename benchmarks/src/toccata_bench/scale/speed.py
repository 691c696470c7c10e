"""Workers compared with batches of the same rows, and comparison of executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from toccata.scale._executors.processes import Processes
from toccata.scale._run import plan_of
from toccata_bench.peers import missing_peer, optional
from toccata_bench.progress import progress
from toccata_bench.record import Record
from toccata_bench.scale.batches import time_batches
from toccata_bench.scale.machine import stopwatch
from toccata_bench.scale.runs import Experiment, Run
from toccata_bench.scale.stages import job_of

WORKERS = 2
ROUNDS, QUICK_ROUNDS = 3, 1


def beside_batches(experiment: Experiment, workers: int, rounds: int) -> Record:
    """Time workers and as many one-thread batches in turn, in alternating order."""
    batches: list[Record] = []
    runs: list[Run] = []
    _ = experiment.target  # verify answers before anything is timed
    for i in range(rounds):
        progress(f"workers and batches, {workers} of each, round {i + 1} of {rounds}")
        turns: list[Callable[[], None]] = [
            lambda: batches.append(_batches(experiment, workers)),
            lambda: runs.append(experiment.run(workers)),
        ]
        for turn in turns[:: 1 if i % 2 == 0 else -1]:
            turn()
    return {
        "rows": len(experiment.motions),
        "start_s": start_seconds(experiment, workers),
        "batches": batches,
        "runs": [
            {
                "seconds": run.took.seconds,
                "processor": run.took.processor,
                "others": run.took.others(),
            }
            for run in runs
        ],
        "memory_mb": _memory(runs, workers),
    }


def _batches(experiment: Experiment, count: int) -> Record:
    """Time independent batches; their rates are added."""
    rows = len(experiment.motions)
    cuts = [rows * i // count for i in range(count + 1)]
    timed, took = time_batches(experiment.folder, cuts)
    for first, one in zip(cuts, timed, strict=False):
        experiment.verify_batch(first, first + one.rows, one.digest)
    processor = sum(one.processor for one in timed)
    return {
        "seconds": rows / sum(one.rows / one.seconds for one in timed),
        "processor": processor,
        "others": took.others(processor),
    }


def _memory(runs: list[Run], workers: int) -> Record | None:
    """Return the peak memory of a worker in MB after the first part of each, and at the end."""
    series = [one for run in runs for one in run.memory.values() if len(one) > workers]
    if not series:
        return None
    return {
        "first": max(one[workers - 1] for one in series),
        "last": max(one[-1] for one in series),
    }


def start_seconds(experiment: Experiment, workers: int, tries: int = 3) -> float:
    """Return the seconds in which processes start and build their models.

    All parts already exist. The shortest of some tries counts, because it is subtracted from the
    shortest run.
    """
    job = job_of(experiment, experiment.target)
    parts = plan_of(job.question, job.source, experiment.rows_per_part).parts[:workers]
    every = []
    for _ in range(tries):
        with stopwatch() as took:
            list(Processes(workers).run(job.pack(), parts))
        every.append(took().seconds)
    return min(every)


# Clusters


def beside_clusters(experiment: Experiment, rounds: int) -> tuple[Record, list[str]]:
    """Return the time of a run by each executor in turn; clusters run before the clock starts."""
    found: Record = {"processes": [], "start_s": start_seconds(experiment, WORKERS)}
    notes: list[str] = []
    _ = experiment.target
    with opened(notes) as clusters:
        for i in range(rounds):
            names = [*clusters]
            for name in names[:: 1 if i % 2 == 0 else -1]:
                progress(f"{name}, round {i + 1} of {rounds}")
                run = experiment.run(WORKERS, clusters[name])
                found.setdefault(name, []).append(run.took.seconds)
    return found, notes


@contextmanager
def opened(notes: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the executors by name, and add a note for each missing package."""
    found: dict[str, Any] = {"processes": "processes"}
    with _unless_missing("distributed", _dask, notes) as client:
        if client is not None:
            found["dask"] = client
        with _unless_missing("ray", _ray, notes) as ray:
            if ray is not None:
                found["ray"] = "ray"
            yield found


@contextmanager
def _unless_missing(
    name: str, make: Callable[[Any], AbstractContextManager[Any]], notes: list[str]
) -> Iterator[Any]:
    package = optional(name)
    if package is None:
        notes.append(missing_peer(name))
        yield None
        return
    with make(package) as cluster:
        yield cluster


@contextmanager
def _dask(distributed: Any) -> Iterator[Any]:
    local = distributed.LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with local as cluster, distributed.Client(cluster) as client:
        yield client


@contextmanager
def _ray(ray: Any) -> Iterator[Any]:
    own = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init(address="local", num_cpus=WORKERS, _node_ip_address="127.0.0.1", **own)
    try:
        yield ray
    finally:
        ray.shutdown()
