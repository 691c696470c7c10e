"""The protocol of Tang, Manocha and Kim 2013, section 6.1: cases, methods and clocks.

A model moves from one random pose to another; the other model rests. Both have unit bounding
radius, the tolerance is 1e-3, and a case has 200 trials. Everything runs on one core.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench import clock
from toccata_bench.sweep import Array, Sweep

TOLERANCE = 1e-3
REPEATS = 3

METHODS: dict[str, dict[str, Any]] = {
    "c2a-uncontrolled": {"method": "c2a", "w": 1.0},
    "c2a": {"method": "c2a"},
    "hca": {"method": "hca"},
    "interval": {"method": "interval"},
    "auto": {"method": "auto"},
}
"""Timed methods with their arguments; w = 1 turns the control of the front off."""


@dataclass(frozen=True, slots=True)
class Case:
    """Two models and the motions of the first model; the second model rests at the origin."""

    name: str
    a: tc.Mesh
    b: tc.Mesh
    start: Array
    end: Array

    @property
    def triangles(self) -> tuple[int, int]:
        """Number of triangles of the moving and of the resting model."""
        return len(self.a.faces), len(self.b.faces)

    def sweeps(self) -> list[Sweep]:
        """Return the motions of all trials for loops on coal."""
        return [Sweep(start, end) for start, end in zip(self.start, self.end, strict=True)]

    def subset(self, keep: NDArray[np.bool_]) -> "Case":
        """Return the case with some of its trials."""
        return Case(self.name, self.a, self.b, self.start[keep], self.end[keep])


@dataclass(frozen=True, slots=True)
class Timing:
    """Statistics of times of single queries, in microseconds."""

    mean: float
    median: float
    p99: float
    max: float

    @classmethod
    def of(cls, seconds: Sequence[float] | Array) -> "Timing":
        """Return the statistics of times in seconds."""
        us = 1e6 * np.asarray(seconds, dtype=np.float64)
        high = float(np.percentile(us, 99, method="higher"))
        return cls(float(us.mean()), float(np.median(us)), high, float(us.max()))

    def record(self) -> dict[str, float]:
        """Return the statistics under names with their unit."""
        return {f"{name}_us": value for name, value in asdict(self).items()}


def run_batch(case: Case, method: str, threads: int = 1) -> Any:
    """Return the answers to all trials of a case by one call."""
    options = {"tolerance": TOLERANCE, "threads": threads, **METHODS[method]}
    return tc.first_contact_batch(case.a, case.b, case.start, case.end, **options)


def run_single(case: Case, motion: tc.Motion, method: str) -> tc.Contact:
    """Return the answer to one trial by a single call."""
    return tc.first_contact(case.a, case.b, motion, tolerance=TOLERANCE, **METHODS[method])


def motions(case: Case) -> list[tc.Motion]:
    """Return the motions of all trials, which are made before the clock starts."""
    return [tc.Motion.linear(s, e) for s, e in zip(case.start, case.end, strict=True)]


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the shortest elapsed time of a few rounds in seconds."""
    return clock.best(work, repeats, perf_counter)


def time_batch(case: Case, method: str) -> float | None:
    """Return microseconds per query of a batch on one thread, None without trials."""
    count = len(case.start)
    return 1e6 * best(lambda: run_batch(case, method)) / count if count else None


def time_each(calls: Sequence[Callable[[], object]]) -> Timing:
    """Time each call as the shortest of a few rounds, and return the statistics."""
    return Timing.of([best(call) for call in calls])


def time_in_core(case: Case, method: str) -> Timing:
    """Time each trial by the clock of the core, which excludes the call from Python."""

    def seconds(motion: tc.Motion) -> float:
        stats = run_single(case, motion, method).stats
        stages = stats.seconds_setup, stats.seconds_walk, stats.seconds_elementary
        return sum(stages) + stats.seconds_inside

    return Timing.of([min(seconds(m) for _ in range(REPEATS)) for m in motions(case)])


def time_single(case: Case, method: str) -> Timing:
    """Time each trial as a single call, which includes the cost of a Python call."""
    return time_each([partial(run_single, case, motion, method) for motion in motions(case)])
