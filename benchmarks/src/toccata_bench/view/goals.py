"""Goals of the benchmark of live views."""

from __future__ import annotations

from toccata_bench.goal import Goal, at_least, at_most
from toccata_bench.record import Record


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    poses = at_least("car door: poses sent per second", 30.0)
    tail = at_most("car door: 95th percentile of the latency", 100.0, " ms")
    for name, one in record["drag"].items():
        poses.add(name, one["poses_per_second"])
        tail.add(name, one["p95_ms"])
    return [poses, tail]
