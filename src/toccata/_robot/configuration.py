"""Configurations of a robot: coordinates, limits and interpolation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_shape
from toccata._robot.parts import Joint

MOST = 1e15
"""Upper bound of the magnitudes of coordinates."""

_PARTS = {"planar": ("x", "y", "angle"), "floating": ("x", "y", "z", "qx", "qy", "qz", "qw")}


class Configurations:
    """Configuration space: the meaning and the limits of each coordinate."""

    def __init__(self, joints: Sequence[Joint], coordinate: dict[str, int]) -> None:
        self.moving = [(joint, coordinate[joint.name]) for joint in joints if joint.width]
        """Joints with coordinates of their own, and the index of the first coordinate."""
        self.dof = sum(joint.width for joint, _ in self.moving)
        self.joint_names = tuple(joint.name for joint, _ in self.moving)
        names = (name for joint, _ in self.moving for name in number_names(joint))
        self.coordinate_names = tuple(names)
        self.lower, self.upper = np.full(self.dof, -np.inf), np.full(self.dof, np.inf)
        for joint, at in self.moving:
            part = slice(at, at + joint.width)
            self.lower[part], self.upper[part] = joint.lower, joint.upper

    def part(self, numbers: slice) -> Configurations:
        """Return the space of a range of coordinates, which must not split a joint."""
        own = [(j, at) for j, at in self.moving if numbers.start <= at < numbers.stop]
        starts = {joint.name: at - numbers.start for joint, at in own}
        return Configurations([joint for joint, _ in own], starts)

    def quaternions(self) -> Iterator[slice]:
        """Yield the indices of the quaternions of floating joints."""
        for joint, at in self.moving:
            if joint.kind == "floating":
                yield slice(at + 3, at + 7)

    def zero(self) -> Floats:
        q = np.zeros(self.dof)
        for part in self.quaternions():
            q[part] = (0.0, 0.0, 0.0, 1.0)
        return q

    def home(self) -> Floats:
        """Return the configuration within the limits that is nearest to zero."""
        zero = self.zero()
        q = np.clip(zero, self.lower, self.upper)
        for part in self.quaternions():
            q[part] = zero[part]  # clipping would change the quaternion's length
        return np.asarray(q)

    def unknown(self) -> Floats:
        return np.full(self.dof, np.nan)

    def within_limits(self, q: ArrayLike) -> bool:
        row = as_shape("q", q, self.dof)
        return bool(((self.lower <= row) & (row <= self.upper)).all())

    def random(self, count: int, seed: int = 0) -> Floats:
        """Return random configurations, (count, dof). Limits beyond `MOST` count as no limits."""
        rng = np.random.default_rng(_as_count("seed", seed))
        wide = np.full(self.dof, 1.0)
        angle = {"revolute": 0, "continuous": 0, "planar": 2}
        wide[[at + angle[joint.kind] for joint, at in self.moving if joint.kind in angle]] = np.pi
        low = np.where(self.lower > -MOST, self.lower, np.minimum(-wide, self.upper))
        high = np.where(self.upper < MOST, self.upper, np.maximum(wide, self.lower))
        rows = rng.uniform(low, high, (_as_count("count", count), self.dof))
        for part in self.quaternions():
            rows[:, part] = rng.normal(size=(len(rows), 4))
            rows[:, part] /= np.linalg.norm(rows[:, part], axis=1, keepdims=True)
        return rows

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, t: ArrayLike) -> Floats:
        """Return configurations of straight motions at the times t, row by row."""
        start, end = as_floats("q0", q0), as_floats("q1", q1)
        times = as_floats("t", t)[..., None]
        times = np.where(np.isfinite(times), times, np.nan)
        q = start + times * (end - start)
        for part in self.quaternions():
            q[..., part] = _slerp(start[..., part], end[..., part], times)
        return np.asarray(q)


def number_names(joint: Joint) -> list[str]:
    parts = _PARTS.get(joint.kind)
    return [joint.name] if parts is None else [f"{joint.name}/{part}" for part in parts]


def _as_count(name: str, value: Any) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an integer, got {value!r}")
    if value < 0:
        raise ValueError(f"{name}: expected at least 0, got {value}")
    return int(value)


def _slerp(start: Floats, end: Floats, times: Floats) -> Floats:
    a = start / np.linalg.norm(start, axis=-1, keepdims=True)
    b = end / np.linalg.norm(end, axis=-1, keepdims=True)
    cosine = (a * b).sum(axis=-1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    # The arc tangent keeps full precision for small angles.
    chord, bisector = (np.linalg.norm(x, axis=-1, keepdims=True) for x in (a - b, a + b))
    angle = 2 * np.arctan2(chord, bisector)
    # np.sinc(x) is sin(pi x) / (pi x): the ratio of sines without a division by zero.
    ratio = [np.sinc(s * angle / np.pi) * s / np.sinc(angle / np.pi) for s in (1 - times, times)]
    return np.asarray(ratio[0] * a + ratio[1] * b)
