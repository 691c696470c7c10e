"""A certified bracket of the time at which two small moving meshes first come within a level.

Conservative advancement with a second-order bound. At time t every pair of triangles has a unit
direction n and a gap along it; the gap can only close as fast as the vertices allow,

    n . x(t + h) >= n . x(t) + h n . x'(t) - h^2 / 2 |w|^2 |x - pivot|,

so the earliest root over all pairs and vertices is a safe step. Steps converge quadratically at a
plain contact and like a square root past a grazing one. Pairs too close for doubles are done in 50
digits; the others are judged in doubles with the margins stated in `frames`.
"""

from __future__ import annotations

import numpy as np

from .body import Body
from .bracket import Bracket
from .frames import ExactFrame, QuickFrame, velocity
from .triangles import Closest
from .vectors import ZERO, Real, Vec, dot, mp, mul, norm, sub

MAX_STEPS = 3000


def first_time_within(
    a: Body, b: Body, level: Real, *, resolution: float = 1e-20, start: Real = 0
) -> Bracket:
    """Bracket the first time after `start` at which the distance is at most `level`.

    The search stops where the gap is within `resolution` of the level (a length relative to the
    size of the bodies). The distance is taken to exceed the level before `start`.
    """
    search = _Search(a, b, mp.mpf(level), mp.mpf(resolution) * size(a, b))
    t = mp.mpf(start)
    for _ in range(MAX_STEPS):
        step = search.step(t)
        if step is None:
            return Bracket(t, search.contact_after(t), False)
        t += step
        if t > 1:
            return Bracket(mp.mpf(1), None, True)
    raise RuntimeError(f"no bracket after {MAX_STEPS} steps: stuck at t = {mp.nstr(t, 20)}")


def distance_at(a: Body, b: Body, t: Real) -> Real:
    """Return the distance of two bodies at time t, right to about 70 digits."""
    return nearest_at(a, b, t)[0].distance


def nearest_at(a: Body, b: Body, t: Real) -> tuple[Closest, int, int]:
    """Return the closest points at time t and the triangles they lie on."""
    frame = ExactFrame(a, b, mp.mpf(t))
    order = frame.order()
    best = (frame.closest(*order[0]), *order[0])
    for i, j in order[1:]:
        least = best[0].distance
        if least == 0 or frame.gap(i, j) > least:
            break
        # Neighbors of the closest pair share its closest points; its direction excludes them.
        if frame.gap_along(_direction(best[0]), i, j) >= least * (1 - mp.mpf(10) ** -45):
            continue
        found = frame.closest(i, j)
        if found.distance < least:
            best = (found, i, j)
    return best


class _Search:
    """The steps towards one level."""

    def __init__(self, a: Body, b: Body, level: Real, resolution: Real) -> None:
        self.a, self.b, self.level, self.resolution = a, b, level, resolution
        self.bend = _bend(a) + _bend(b)

    def step(self, t: Real) -> Real | None:
        """Return how far the time may safely advance, or None when the level is reached."""
        level, bend = float(self.level), float(self.bend)
        quick = QuickFrame(self.a, self.b, float(t))
        if quick.gaps.min() - level > 16 * quick.reach:
            return mp.mpf(float(quick.steps(level, bend).min()))
        frame = ExactFrame(self.a, self.b, t)
        far = frame.gaps - level > 16 * (frame.reach + level * 2.0**-42)
        step = mp.mpf(float(np.min(frame.steps(level, bend)[far], initial=np.inf)))
        near = [(i, j) for i, j in frame.order() if not far[i * len(self.b.faces) + j]]
        exact = self._exact_steps(frame, t, near)
        return None if exact is None else min(step, exact)

    def _exact_steps(self, frame: ExactFrame, t: Real, near: list[tuple[int, int]]) -> Real | None:
        """Return the least step over some pairs in 80 digits, or None if one reaches the level."""
        step, spare, direction = mp.inf, mp.inf, ZERO
        for i, j in near:
            # A direction that separates one pair usually separates its neighbors as well.
            if frame.gap_along(direction, i, j) - self.level < spare / 2:
                found = frame.closest(i, j)
                spare, direction = found.distance - self.level, _direction(found)
                if spare <= self.resolution:
                    return None
            step = min(step, self._exact_step(frame, t, direction, (i, j)))
        return step

    def _exact_step(self, frame: ExactFrame, t: Real, n: Vec, pair: tuple[int, int]) -> Real:
        """Return the longest step that a choice of swing proves, as `Frame.steps` does."""
        sides = [side[k] for side, k in zip(frame.triangles, pair, strict=True)]
        differences = [sub(x, y) for x in sides[0] for y in sides[1]]
        moving = [
            [velocity(body, x, t) for x in side]
            for body, side in zip((self.a, self.b), sides, strict=True)
        ]
        rates = [sub(v, w) for v in moving[0] for w in moving[1]]
        slack = self.level + frame.extent * mp.mpf(10) ** -40
        spares = [dot(n, difference) - slack for difference in differences]
        span = max(norm(difference) for difference in differences)
        steps = []
        for choice in range(len(frame.swings)):
            swing = frame.swing(n, pair, choice)
            turn = norm(swing)
            bend = self.bend + 2 * turn * frame.speed + 2 * turn * turn * span
            closing = [dot(n, v) + dot(swing, r) for v, r in zip(rates, differences, strict=True)]
            root = min(_first_root(c, v, bend) for c, v in zip(spares, closing, strict=True))
            steps.append(min(root, span / frame.speed) if turn > 0 else root)
        return max(steps)

    def contact_after(self, t: Real) -> Real | None:
        """Return a time soon after t at which the distance is at most the level, or None."""
        if distance_at(self.a, self.b, t) <= self.level:
            return t
        speed = self.a.speed + self.b.speed
        ahead = self.resolution / speed if speed > 0 else mp.inf
        while t + ahead <= 1:
            if distance_at(self.a, self.b, t + ahead) <= self.level:
                return t + ahead
            ahead *= 4
        return None


def _first_root(spare: Real, rate: Real, bend: Real) -> Real:
    """Return where spare + rate h - bend h^2 / 2 first reaches zero, for positive spare."""
    root = mp.sqrt(rate * rate + 2 * bend * spare)
    if rate < 0:
        return 2 * spare / (root - rate)
    return (rate + root) / bend if bend > 0 else mp.inf


def _direction(found: Closest) -> Vec:
    gap = sub(found.point_a, found.point_b)
    return gap if found.distance == 0 else mul(1 / found.distance, gap)


def _bend(body: Body) -> Real:
    """Bound the acceleration of every point: |angular|^2 times the distance from the pivot."""
    return dot(body.motion.angular, body.motion.angular) * mp.mpf(body.motion.radius(body.vertices))


def size(a: Body, b: Body) -> Real:
    """Return the longest side of the bounding boxes of the bodies."""
    return mp.mpf(float(max(np.ptp(a.vertices, axis=0).max(), np.ptp(b.vertices, axis=0).max())))
