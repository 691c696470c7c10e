"""Goals of the benchmark of datasets."""

from __future__ import annotations

from statistics import median

from toccata_bench.goal import Goal, at_least, at_most
from toccata_bench.record import Record


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    return [
        *_beside_batches(record["speed"], record["overhead"]),
        _restart(record["restart"]),
        _clusters(record["clusters"]),
        _memory(record["speed"]),
    ]


def least(rounds: list[Record], key: str) -> float:
    """Return the least value of all rounds, because other processes only add time."""
    return float(min(one[key] for one in rounds))


def shares(found: Record) -> Record:
    """Return the rate of the run divided by the rate of the batches, from the fastest rounds."""
    batch, run = (least(found[name], "seconds") for name in ("batches", "runs"))
    processor = [least(found[name], "processor") for name in ("batches", "runs")]
    return {
        "whole run": batch / run,
        "models built": batch / (run - found["start_s"]),
        "processor time": processor[0] / processor[1],
    }


def _beside_batches(two: Record, one: Record) -> list[Goal]:
    rate = at_least("two workers / two one-thread batches, rows per second", 0.92, "x")
    cost = at_most("overhead of one worker over a one-thread batch", 10.0, "%")
    for case, ratio in shares(two).items() if two else ():
        rate.add(case, ratio)
    for case, ratio in shares(one).items() if one else ():
        cost.add(case, 100 * (1 / ratio - 1))
    return [rate, cost]


def _restart(found: Record) -> Goal:
    goal = at_most("run whose parts all exist, per million rows", 1.0, " s")
    if found:
        goal.add("median", median(found["seconds"]) * 1e6 / found["rows"])
    return goal


def _clusters(found: Record) -> Goal:
    goal = at_most("running cluster / processes", 1.25, "x")
    for name in ("dask", "ray"):
        if found.get(name):
            own, pool = min(found[name]), min(found["processes"])
            goal.add(f"{name}, whole run", own / pool)
            goal.add(f"{name}, processes without their start", own / (pool - found["start_s"]))
    return goal


def _memory(two: Record) -> Goal:
    goal = at_most("peak memory of a worker, last part / first part", 1.1, "x")
    if two and two["memory_mb"]:
        goal.add("two workers", two["memory_mb"]["last"] / two["memory_mb"]["first"])
    return goal
