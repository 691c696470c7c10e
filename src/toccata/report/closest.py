"""Where bodies come closest, as far as points on their surfaces tell: for pictures, no proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from toccata.report.entry import Mark, Placed
from toccata.report.sample import surface_points

Array = NDArray[np.float64]
_SAMPLES = 700


def closest(
    placed: Callable[[float], Sequence[Placed]], pair: tuple[int, int], times: Sequence[float]
) -> Mark:
    """Return where two rigid bodies are nearest to each other at the best of some times."""
    bodies = [placed(times[0])[i][0] for i in pair]
    samples = [surface_points(body.vertices, body.faces, _SAMPLES) for body in bodies]
    found = []
    for t in times:
        now = placed(t)
        a, b = (_moved(points, now[i][1]) for points, i in zip(samples, pair, strict=True))
        found.append(_nearest(a, b, t, pair))
    return min(found, key=lambda candidate: candidate[0])[1]


def middle(placed: Callable[[float], Sequence[Placed]], time: float) -> Mark:
    """Return the middle of everything, for want of anything better to look at."""
    points = np.concatenate([body.at(pose) for body, pose in placed(time)])
    return Mark(time, (points.min(axis=0) + points.max(axis=0)) / 2)


def _moved(points: Array, pose: Array) -> Array:
    return np.asarray(points @ pose[:3, :3].T + pose[:3, 3])


def _nearest(a: Array, b: Array, t: float, pair: tuple[int, int]) -> tuple[float, Mark]:
    square = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * a @ b.T
    i, j = np.unravel_index(int(np.argmin(square)), square.shape)
    gap = a[i] - b[j]
    distance = float(np.linalg.norm(gap))
    return distance, Mark(t, (a[i] + b[j]) / 2, gap / (distance or 1.0), pair)
