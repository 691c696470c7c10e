"""Two bodies at one time, with bounds of the gaps of all triangle pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .body import Body
from .directions import separating_directions
from .swings import Turning, swings
from .triangles import Closest, as_triangles, closest
from .vectors import Real, Vec, add, cross, dot, mul, rounded, sub, vec

Array = NDArray[np.float64]
Bodies = tuple[Body, Body]


class Frame:
    """Triangles (n, 3, 3) of both bodies, the velocities of their vertices, and rounding errors.

    `reach` bounds the rounding error of a gap at the start or the end of a step. Pair k joins the
    triangles k // len(b) and k % len(b).
    """

    def __init__(
        self, bodies: Bodies, corners_at: list[Array], rates: list[Array], reach: float
    ) -> None:
        count_a, count_b = (len(body.faces) for body in bodies)
        i, j = np.repeat(np.arange(count_a), count_b), np.tile(np.arange(count_b), count_a)
        corners = [points[body.faces] for points, body in zip(corners_at, bodies, strict=True)]
        moving = [rate[body.faces] for rate, body in zip(rates, bodies, strict=True)]
        angular = rounded([body.motion.angular for body in bodies])
        pairs = Turning(corners[0][i], corners[1][j], moving[0][i], moving[1][j], *angular)
        self.speed, self.reach = sum(body.speed for body in bodies), reach
        self.directions, feature = separating_directions(pairs.a, pairs.b)
        self.swings = swings(self.directions, feature, pairs)
        self.differences = pairs.a[:, :, None] - pairs.b[:, None]
        self.rates = pairs.velocity_a[:, :, None] - pairs.velocity_b[:, None]
        self.spans: Array = np.linalg.norm(self.differences, axis=-1).max(axis=(1, 2))
        self.heights: Array = np.einsum("nvwi,ni->nvw", self.differences, self.directions)
        self.gaps: Array = self.heights.min(axis=(1, 2))

    def steps(self, level: float, bend: float) -> Array:
        """Return for each pair how long its gap stays above the level; NaN if it is below now."""
        spare = self.heights - level - self.reach
        steps = [self._steps(spare, swing, bend) for swing in self.swings]
        best: Array = np.max(steps, axis=0) * (1 - 1e-9)
        return best

    def _steps(self, spare: Array, swing: Array, bend: float) -> Array:
        # Along a unit vector m(h) that turns at the rate w, the height of a vector r(h) between two
        # vertices has |(m . r)''| <= |r''| + 2 w |r'| + w^2 |r|, and |r| <= 2 span while
        # h <= span / speed.
        rate = np.einsum("nvwi,ni->nvw", self.rates, self.directions)
        rate += np.einsum("nvwi,ni->nvw", self.differences, swing)
        turn = np.linalg.norm(swing, axis=1)
        curve = bend + 2 * turn * self.speed + 2 * turn**2 * self.spans
        steps = _first_roots(spare, rate, curve[:, None, None] * (1 + 1e-9)).min(axis=(1, 2))
        longest = np.where(turn > 0, self.spans / max(self.speed, 1e-300), np.inf)
        least: Array = np.minimum(steps, longest)
        return least


class QuickFrame(Frame):
    """Everything in doubles, with a generous margin: for bodies that are well apart."""

    def __init__(self, a: Body, b: Body, t: float) -> None:
        placed = [_quick_points(body, t) for body in (a, b)]
        extent = max(float(np.abs(points).max()) for points, _ in placed)
        # 2^-36 is some 2^16 roundings of a coordinate: far more than happen.
        reach = (extent + a.speed + b.speed) * 2.0**-36
        super().__init__((a, b), [p for p, _ in placed], [v for _, v in placed], reach)


class ExactFrame(Frame):
    """Vertices in 80 digits; doubles are rounded only after a point nearby is subtracted."""

    def __init__(self, a: Body, b: Body, t: Real) -> None:
        bodies = (a, b)
        points = [body.place(t) for body in bodies]
        middle = points[1][0]
        corners_at = [rounded([sub(p, middle) for p in side]) for side in points]
        rates = [
            rounded([velocity(body, p, t) for p in side])
            for body, side in zip(bodies, points, strict=True)
        ]
        self.triangles = [
            as_triangles(side, body.faces) for side, body in zip(points, bodies, strict=True)
        ]
        self.extent = max(float(np.abs(points).max()) for points in corners_at)
        super().__init__(bodies, corners_at, rates, (self.extent + a.speed + b.speed) * 2.0**-42)

    def swing(self, n: Vec, pair: tuple[int, int], choice: int) -> Vec:
        """Return one choice of the derivative of n for a pair, made exactly normal to n."""
        swing = vec(self.swings[choice][pair[0] * len(self.triangles[1]) + pair[1]])
        return sub(swing, mul(dot(swing, n), n))

    def order(self) -> list[tuple[int, int]]:
        """Return the pairs of triangles, the smallest gap first."""
        return [divmod(int(pair), len(self.triangles[1])) for pair in np.argsort(self.gaps)]

    def gap(self, i: int, j: int) -> float:
        """Return a lower bound of the distance of a pair."""
        return float(self.gaps[i * len(self.triangles[1]) + j]) - self.reach

    def closest(self, i: int, j: int) -> Closest:
        """Return the closest points of a pair."""
        return closest(self.triangles[0][i], self.triangles[1][j])

    def gap_along(self, n: Vec, i: int, j: int) -> Real:
        """Return the gap of a pair along a unit vector: at most its distance."""
        low = min(dot(n, x) for x in self.triangles[0][i])
        return low - max(dot(n, x) for x in self.triangles[1][j])


def velocity(body: Body, x: Vec, t: Real) -> Vec:
    """Return the velocity of the body's point that is at x at time t."""
    arm = sub(x, body.motion.center_at(t))
    return add(body.motion.velocity, cross(body.motion.angular, arm))


def _quick_points(body: Body, t: float) -> tuple[Array, Array]:
    pose = body.motion.quick_pose(t)
    points = body.vertices @ pose[:3, :3].T + pose[:3, 3]
    center, speed, angular = rounded(
        [body.motion.center_at(t), body.motion.velocity, body.motion.angular]
    )
    return points, speed + np.cross(angular, points - center)


def _first_roots(spare: Array, rate: Array, bend: Array) -> Array:
    """Return where spare + rate h - bend h^2 / 2 first reaches zero; NaN for negative spare."""
    spare = np.where(spare > 0, spare, np.nan)
    root = np.sqrt(rate * rate + 2 * bend * spare)
    with np.errstate(divide="ignore", invalid="ignore"):
        closing = 2 * spare / (root - rate)
        parting = np.where(bend > 0, (rate + root) / bend, np.where(spare > 0, np.inf, np.nan))
    return np.where(rate < 0, closing, parting)
