"""What was asked of datasets, what was measured, and whether it was reached."""

from __future__ import annotations

from statistics import median
from typing import Any

from toccata_bench.goal import Goal

Record = dict[str, Any]


def goals(record: Record) -> list[Goal]:
    """Return all figures of a run."""
    return [
        *_beside_batches(record["speed"], record["overhead"]),
        _restart(record["restart"]),
        _clusters(record["clusters"]),
        _memory(record["speed"]),
    ]


def _beside_batches(two: Record, one: Record) -> list[Goal]:
    """Compare in pairs of the same round; the median of the rounds counts."""
    rate = Goal("two workers / two one-thread batches, rows per second", 0.92, True, "x")
    cost = Goal("one worker beyond a one-thread batch", 10.0, False, "%")
    if two:
        rate.add("whole run", median(two["ratio"]))
        rate.add("from when the models are built", median(two["ratio_started"]))
    if one:
        cost.add("from when the models are built", 100 * (1 / median(one["ratio_started"]) - 1))
        cost.add("whole run", 100 * (1 / median(one["ratio"]) - 1))
    return [rate, cost]


def _restart(found: Record) -> Goal:
    goal = Goal("everything there, per million rows", 1.0, False, " s")
    if found:
        goal.add("median", median(found["seconds"]) * 1e6 / found["rows"])
    return goal


def _clusters(found: Record) -> Goal:
    goal = Goal("cluster that is up / processes", 1.25, False, "x")
    for name in ("dask", "ray"):
        if found.get(name):
            pairs = list(zip(found[name], found["processes"], strict=True))
            goal.add(f"{name}, whole run", median(own / pool for own, pool in pairs))
            started = (own / (pool - found["start_s"]) for own, pool in pairs)
            goal.add(f"{name}, processes without their start", median(started))
    return goal


def _memory(two: Record) -> Goal:
    goal = Goal("most memory of a worker, last part / first part", 1.1, False, "x")
    if two and two["memory_mb"]:
        goal.add("two workers", two["memory_mb"]["last"] / two["memory_mb"]["first"])
    return goal
