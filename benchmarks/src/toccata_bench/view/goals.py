"""What was asked of live views, what was measured, and whether it was reached."""

from __future__ import annotations

from typing import Any

from toccata_bench.goal import Goal

Record = dict[str, Any]


def goals(record: Record) -> list[Goal]:
    """Return all figures of a run."""
    poses = Goal("car door: poses sent per second", 30.0, True)
    tail = Goal("car door: 95th percentile of the latency", 100.0, False, " ms")
    for name, one in record["drag"].items():
        poses.add(name, one["poses_per_second"])
        tail.add(name, one["p95_ms"])
    return [poses, tail]
