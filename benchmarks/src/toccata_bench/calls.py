"""Overhead of a single call from Python, in addition to the query itself."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

import toccata as tc
from toccata.scenes.models import box, icosphere
from toccata_bench.verify import WrongAnswer, is_contact

SLICES = 1_000
"""Number of timed slices. A slice is too short to be disturbed often; the shortest time counts."""
ROWS = (4, 16)
CALLS = 8
"""Calls in a slice."""


def single_calls(slices: int = SLICES) -> dict[str, float]:
    """Return the overhead of a call and the time to make a motion, in microseconds.

    The time of the query is the time per row of a batch: the difference of the times of two
    batches, divided by the difference of their rows.
    """
    a, b = tc.Mesh(*icosphere(1.0, 2)), tc.Mesh(*box((1.0, 0.5, 0.7)))
    start, end = tc.pose((4.0, 0.1, 0.2)), tc.pose((-4.0, 0.3, 0.1), rotvec=(0.3, 0.2, 0.1))
    motion = tc.Motion.linear(start, end)

    def call() -> None:
        for _ in range(CALLS):
            c = tc.first_contact(a, b, motion)
            c.status, c.toc, c.safe_until, c.tolerance, c.distance  # noqa: B018
            c.point_a, c.point_b, c.normal, c.triangle_a, c.triangle_b, c.feature  # noqa: B018

    def make() -> None:
        for _ in range(CALLS):
            tc.Motion.twist(tc.pose((0.0, 0.0, 1.0), rotvec=(1.0, 2.0, 3.0)), (0, 0, 1), (0, 0, 2))

    if not is_contact(tc.first_contact_batch(a, b, [start], [end])).all():
        raise WrongAnswer("single call: bodies that fly into each other are reported as free")
    batches = [_batch(a, b, np.tile(start, (n, 1, 1)), np.tile(end, (n, 1, 1))) for n in ROWS]
    few, many, calls, makes = _least([*batches, call, make], slices)
    query = (many - few) / (ROWS[1] - ROWS[0])
    return {"beyond_query_us": calls / CALLS - query, "make_us": makes / CALLS}


def _batch(a: tc.Mesh, b: tc.Mesh, start: np.ndarray, end: np.ndarray) -> Callable[[], object]:
    return lambda: tc.first_contact_batch(a, b, start, end, threads=1)


def _least(works: list[Callable[[], object]], slices: int) -> list[float]:
    """Return the shortest time of each work in microseconds; the works take turns."""
    least = [float("inf")] * len(works)
    for _ in range(slices):
        for i, work in enumerate(works):
            begin = perf_counter()
            work()
            least[i] = min(least[i], perf_counter() - begin)
    return [1e6 * seconds for seconds in least]
