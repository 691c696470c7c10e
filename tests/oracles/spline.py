"""Reference poses of splines, from their definition, in 80 digits.

Each coordinate of the origin is the monotone cubic of Fritsch and Butland, chords at both ends. The
body turns about one axis from pose to pose; the angle is such a cubic too, with the rate of the
coordinates' rule where the axis stays the same, and with the rate 0 where it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .motion import exponential, logarithm, split
from .vectors import Real, cross, dot, matmul, mp, mul, norm, rounded, transpose


class Spline:
    """A spline of a kind, "smooth" or "linear"."""

    def __init__(self, times: Sequence[float], poses: ArrayLike, kind: str) -> None:
        """Take poses at times."""
        self.times = [mp.mpf(float(t)) for t in times]
        self.poses = [split(pose) for pose in np.asarray(poses)]
        self.turns = [
            logarithm(matmul(b[0], transpose(a[0])))
            for a, b in zip(self.poses, self.poses[1:], strict=False)
        ]
        self.kind = kind

    def pose(self, t: float) -> NDArray[np.float64]:
        """Return the (4, 4) pose at t."""
        i = max(k for k, start in enumerate(self.times[:-1]) if start <= t)
        result = np.eye(4)
        result[:3, 3] = [
            float(self._follow([pose[1][k] for pose in self.poses], i, t)) for k in range(3)
        ]
        share = self._share(i, t)
        turned = matmul(exponential(mul(share, self.turns[i])), self.poses[i][0])
        result[:3, :3] = rounded(turned)
        return result

    def _follow(self, values: Sequence[Real], i: int, t: float) -> Real:
        """Return the value at t, in piece i, of the spline through numbers."""
        h = [b - a for a, b in zip(self.times, self.times[1:], strict=False)]
        slopes = [(b - a) / x for a, b, x in zip(values, values[1:], h, strict=False)]
        ends = (slopes[i], slopes[i]) if self.kind == "linear" else self._ends(slopes, h, i)
        return _hermite((values[i], values[i + 1]), ends, h[i], (t - self.times[i]) / h[i])

    def _ends(self, slopes: Sequence[Real], h: Sequence[Real], i: int) -> tuple[Real, Real]:
        last = i + 1 == len(slopes)
        return (
            slopes[0] if i == 0 else _mean(slopes[i - 1 : i + 1], h[i - 1 : i + 1]),
            slopes[i] if last else _mean(slopes[i : i + 2], h[i : i + 2]),
        )

    def _share(self, i: int, t: float) -> Real:
        """Return the completed share of the turn of piece i at t."""
        angles = [norm(turn) for turn in self.turns]
        if angles[i] == 0:
            return mp.mpf(0)
        # Along the axis of this piece; a neighbor with another axis counts as a turn back.
        along = [angles[i] if k == i else self._along(k, i) for k in range(len(angles))]
        values: list[Real] = [mp.mpf(0)]
        for angle in along:
            values.append(values[-1] + angle)
        return (self._follow(values, i, t) - values[i]) / angles[i]

    def _along(self, k: int, i: int) -> Real:
        a, b = self.turns[k], self.turns[i]
        apart = norm(cross(a, b))
        if dot(a, b) > 0 and apart <= mp.mpf(10) ** -13 * (norm(a) + norm(b)):
            return norm(a)
        return mp.mpf(-1)


def _mean(slopes: Sequence[Any], h: Sequence[Any]) -> Real:
    before, after = slopes
    if before * after <= 0:
        return mp.mpf(0)
    w, v = 2 * h[1] + h[0], h[1] + 2 * h[0]
    return (w + v) / (w / before + v / after)


def _hermite(values: tuple[Real, Real], slopes: tuple[Real, Real], h: Real, u: Real) -> Real:
    return (
        values[0] * (1 + 2 * u) * (1 - u) ** 2
        + h * slopes[0] * u * (1 - u) ** 2
        + values[1] * u**2 * (3 - 2 * u)
        - h * slopes[1] * u**2 * (1 - u)
    )
