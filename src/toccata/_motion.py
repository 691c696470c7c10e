"""Poses, and motions as functions of time."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_shape, as_unchecked
from toccata._native import core

SplineKind = Literal["smooth", "linear"]


def pose(
    translation: ArrayLike = (0.0, 0.0, 0.0),
    *,
    rotvec: ArrayLike | None = None,
    quat_xyzw: ArrayLike | None = None,
    quat_wxyz: ArrayLike | None = None,
) -> Floats:
    """Return the (4, 4) pose with a translation and at most one rotation.

    Args:
        translation: position of the body's origin.
        rotvec: rotation axis times angle in radians.
        quat_xyzw: quaternion with the real part last, of any length but zero.
        quat_wxyz: quaternion with the real part first, of any length but zero.

    """
    matrix = np.empty((4, 4))
    kind, rotation = _rotation(rotvec, quat_xyzw, quat_wxyz)
    if not core.fill_pose(matrix, translation, kind, rotation):
        place = as_unchecked("translation", translation, 3)
        if rotation is not None:
            width = 3 if kind == core.RotationKind.rotvec else 4
            rotation = as_unchecked(kind.name, rotation, width)
        core.fill_pose(matrix, place, kind, rotation)
    return matrix


_NONE, _ROTVEC = core.RotationKind.none, core.RotationKind.rotvec
_XYZW, _WXYZ = core.RotationKind.quat_xyzw, core.RotationKind.quat_wxyz


def _rotation(
    rotvec: ArrayLike | None, quat_xyzw: ArrayLike | None, quat_wxyz: ArrayLike | None
) -> tuple[core.RotationKind, ArrayLike | None]:
    """Return which rotation is given, and its numbers."""
    if quat_xyzw is None and quat_wxyz is None:
        return (_NONE, None) if rotvec is None else (_ROTVEC, rotvec)
    if rotvec is not None or (quat_xyzw is not None and quat_wxyz is not None):
        raise ValueError("rotvec, quat_xyzw, quat_wxyz: expected at most one, got several")
    return (_WXYZ, quat_wxyz) if quat_xyzw is None else (_XYZW, quat_xyzw)


class Motion:
    """A rigid motion over t in [0, 1]; made by one of the class methods below; immutable."""

    __slots__ = ("_core", "_made")
    _core: core.Motion
    _made: tuple[Any, tuple[Any, ...]] | None
    """A function and its arguments that make it again, if the core does not know them."""

    def __init__(self) -> None:
        """Refuse: a motion has a kind."""
        raise TypeError("Motion: expected Motion.fixed, linear, screw, twist or spline")

    @classmethod
    def _wrap(cls, native: core.Motion | None, made: Any = None) -> Motion:
        assert native is not None
        motion = object.__new__(cls)
        motion._core, motion._made = native, made
        return motion

    def __copy__(self) -> Motion:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Motion:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the numbers that made it."""
        if self._made is not None:
            return self._made
        assert isinstance(self._core, core.MadeMotion)
        return _remade, (self._core.kind.name, self._core.numbers)

    def _part(self, start: float, end: float) -> Motion:
        """Return what happens from one time to a later one, as a motion over [0, 1]."""
        return Motion._wrap(self._core.part(start, end), (Motion._part, (self, start, end)))

    @classmethod
    def fixed(cls, pose: ArrayLike) -> Motion:
        """Stay at a pose."""
        made = core.MadeMotion.fixed(pose)
        if made is None:
            made = core.MadeMotion.fixed(as_unchecked("pose", pose, 4, 4))
        return cls._wrap(made)

    @classmethod
    def linear(cls, start: ArrayLike, end: ArrayLike, pivot: ArrayLike | None = None) -> Motion:
        """Move a body point straight while the body turns at a constant rate, half a turn at most.

        Args:
            start: pose at t = 0.
            end: pose at t = 1.
            pivot: the body point that moves straight; the body's origin by default.

        """
        center = (0.0, 0.0, 0.0) if pivot is None else pivot
        made = core.MadeMotion.linear(start, end, center)
        if made is None:
            first, last = as_unchecked("start", start, 4, 4), as_unchecked("end", end, 4, 4)
            made = core.MadeMotion.linear(first, last, as_unchecked("pivot", center, 3))
        return cls._wrap(made)

    @classmethod
    def screw(cls, start: ArrayLike, end: ArrayLike) -> Motion:
        """Move about one screw axis at constant rates, half a turn at most."""
        made = core.MadeMotion.screw(start, end)
        if made is None:
            first, last = as_unchecked("start", start, 4, 4), as_unchecked("end", end, 4, 4)
            made = core.MadeMotion.screw(first, last)
        return cls._wrap(made)

    @classmethod
    def twist(cls, start: ArrayLike, linear: ArrayLike, angular: ArrayLike) -> Motion:
        """Move the body's origin by `linear` and turn by `angular`, any number of turns.

        Args:
            start: pose at t = 0.
            linear: displacement of the origin from t = 0 to t = 1, world axes.
            angular: rotation vector from t = 0 to t = 1, in radians, world axes.

        """
        made = core.MadeMotion.twist(start, linear, angular)
        if made is None:
            made = core.MadeMotion.twist(
                as_unchecked("start", start, 4, 4),
                as_unchecked("linear", linear, 3),
                as_unchecked("angular", angular, 3),
            )
        return cls._wrap(made)

    @classmethod
    def spline(cls, times: ArrayLike, poses: ArrayLike, *, kind: SplineKind = "smooth") -> Motion:
        """Pass through poses at given times, and never beyond them.

        Between two poses no coordinate of the origin leaves the range of its two ends, and the body
        turns about one axis, by the angle between the two and no more.

        Args:
            times: (n,) strictly rising, from 0 to 1.
            poses: (n, 4, 4), at least two.
            kind: "smooth" has no jump of velocity, and stops turning where the axis changes;
                "linear" moves and turns at constant rates from each pose to the next.

        """
        if kind not in get_args(SplineKind):
            raise ValueError(
                f"kind: expected one of {', '.join(get_args(SplineKind))}, got {kind!r}"
            )
        when, where = as_unchecked("times", times, -1), as_unchecked("poses", poses, -1, 4, 4)
        if len(when) != len(where):
            counts = f"{len(when)} and {len(where)}"
            raise ValueError(f"times: expected as many times as poses, got {counts}")
        return cls._wrap(core.MadeMotion.spline(when, where, core.SplineKind[kind]))

    def pose(self, t: ArrayLike) -> Floats:
        """Return the pose at time t: (4, 4), or (..., 4, 4) for an array of times."""
        times = as_floats("t", t)
        flat = as_shape("t", times.reshape(-1), -1)
        if ((flat < 0) | (flat > 1)).any():
            raise ValueError(f"t: expected times in 0..1, got {times}")
        return self._core.poses(flat).reshape(*times.shape, 4, 4)


class MotionRows(NamedTuple):
    """Motions in arrays, a row each: from poses to poses, by twists, or none; the rest is empty."""

    start: Floats
    end: Floats
    linear: Floats
    angular: Floats

    @classmethod
    def of(
        cls,
        start: ArrayLike | None,
        end: ArrayLike | None,
        linear: ArrayLike | None,
        angular: ArrayLike | None,
        *,
        count: int,
        suffix: str = "",
    ) -> MotionRows:
        """Check the shapes of `count` rows; `suffix` is what names of arguments end in."""
        if end is not None and (linear is not None or angular is not None):
            raise ValueError(f"end{suffix}: expected None beside linear{suffix} or angular{suffix}")
        return cls(
            _as_rows(f"start{suffix}", start, count, 4, 4),
            _as_rows(f"end{suffix}", end, count, 4, 4),
            _as_rows(f"linear{suffix}", linear, count, 3),
            _as_rows(f"angular{suffix}", angular, count, 3),
        )

    def copied(self) -> MotionRows:
        """Return copies of arrays, which callers may change."""
        return MotionRows(*(array.copy() for array in self))

    def motion(self, row: int) -> Motion:
        """Return the motion of a row, as queries see it."""
        if len(self.end):
            return Motion.linear(self.start[row], self.end[row])
        if not len(self.linear) and not len(self.angular):
            return Motion.fixed(self.start[row])
        linear, angular = (
            rows[row] if len(rows) else np.zeros(3) for rows in (self.linear, self.angular)
        )
        return Motion.twist(self.start[row], linear, angular)


def _as_rows(name: str, values: ArrayLike | None, count: int, *row: int) -> Floats:
    """Return rows of numbers, or none of them."""
    if values is None:
        return np.empty((0, *row))
    rows = as_unchecked(name, values, -1, *row)
    if len(rows) != count:
        raise ValueError(f"{name}: expected {count} rows, got {len(rows)}")
    return rows


STILL = Motion.fixed(np.eye(4))
"""Of a body that stays where its coordinates are."""


def _remade(kind: str, numbers: Floats) -> Motion:
    """Make a motion from what a pickle holds."""
    return Motion._wrap(core.MadeMotion(core.MotionKind[kind], as_floats("numbers", numbers)))


def as_motion(name: str, value: Any) -> Motion:
    """Return `value` itself if it is a Motion, or a fixed one for a (4, 4) pose."""
    if isinstance(value, Motion):
        return value
    try:
        return Motion.fixed(as_shape(name, value, 4, 4))
    except ValueError as error:
        raise ValueError(f"{name}: expected a Motion or a (4, 4) pose: {error}") from error
