"""Use of the machine by other processes while work is timed."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from toccata_bench.record import cores

_STAT = Path("/proc/stat")


@dataclass(frozen=True, slots=True)
class Took:
    """Times of some work."""

    seconds: float
    processor: float
    """Processor time of this process and of its children that have ended."""
    busy: float | None
    """Processor time of all processes, None if the system does not report it."""

    def others(self, own: float | None = None) -> float | None:
        """Return the share of the machine that other processes used."""
        if self.busy is None:
            return None
        used = self.processor if own is None else own
        return max(0.0, self.busy - used) / (self.seconds * cores())


@contextmanager
def stopwatch() -> Iterator[Callable[[], Took]]:
    """Yield a function that returns the times of the work inside, once it has ended."""
    began, worked, busy = perf_counter(), _processor(), _busy()
    took: list[Took] = []
    yield lambda: took[0]
    end = _busy()
    during = None if busy is None or end is None else end - busy
    took.append(Took(perf_counter() - began, _processor() - worked, during))


def _processor() -> float:
    """Return processor time of this process and of all children that have ended."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))


def _busy() -> float | None:
    """Return processor time of all processes."""
    if not _STAT.exists():
        return None
    user, nice, system, _, _, irq, softirq, steal, *_ = map(
        int, _STAT.read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
