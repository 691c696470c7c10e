"""Poses, and rigid motions as functions of time."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_choice, as_floats, as_many, as_shape, as_unchecked
from toccata._native import core
from toccata._text import numbers
from toccata.typing import MotionLike, PoseLike

PoseSpline = Literal["smooth", "linear"]


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
        position = as_unchecked("translation", translation, 3)
        if rotation is not None:
            width = 3 if kind == core.RotationKind.rotvec else 4
            rotation = as_unchecked(kind.name, rotation, width)
        core.fill_pose(matrix, position, kind, rotation)
    return matrix


_NONE, _ROTVEC = core.RotationKind.none, core.RotationKind.rotvec
_XYZW, _WXYZ = core.RotationKind.quat_xyzw, core.RotationKind.quat_wxyz


def _rotation(
    rotvec: ArrayLike | None, quat_xyzw: ArrayLike | None, quat_wxyz: ArrayLike | None
) -> tuple[core.RotationKind, ArrayLike | None]:
    """Return the kind and the numbers of the given rotation."""
    if quat_xyzw is None and quat_wxyz is None:
        return (_NONE, None) if rotvec is None else (_ROTVEC, rotvec)
    if rotvec is not None or (quat_xyzw is not None and quat_wxyz is not None):
        raise ValueError("rotvec, quat_xyzw, quat_wxyz: expected at most one, got several")
    return (_WXYZ, quat_wxyz) if quat_xyzw is None else (_XYZW, quat_xyzw)


class Motion:
    """A rigid motion over t in [0, 1], made by the class methods below; immutable."""

    __slots__ = ("_core", "_made")
    _core: core.Motion
    _made: tuple[Any, tuple[Any, ...]] | None
    """Function and arguments that rebuild the motion, if the core cannot pickle it."""

    def __init__(self) -> None:
        """Raise TypeError: class methods make motions."""
        raise TypeError("Motion: call Motion.fixed, linear, screw, twist or spline")

    @classmethod
    def _wrap(cls, native: core.Motion | None, made: Any = None) -> Motion:
        assert native is not None
        motion = object.__new__(cls)
        motion._core, motion._made = native, made
        return motion

    def __repr__(self) -> str:
        """Return the origins at both ends of the motion."""
        ends = (self.pose(0.0), self.pose(1.0))
        start, end = (numbers(pose[:3, 3]) for pose in ends)
        if self._core.is_fixed:
            return f"Motion(fixed at {start})"
        return f"Motion(from {start} to {end})"

    def __copy__(self) -> Motion:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Motion:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the numbers that define the motion."""
        if self._made is not None:
            return self._made
        assert isinstance(self._core, core.MadeMotion)
        return _remade, (self._core.kind.name, self._core.numbers)

    def _part(self, start: float, end: float) -> Motion:
        """Return the motion between two times as a motion over [0, 1]."""
        return Motion._wrap(self._core.part(start, end), (Motion._part, (self, start, end)))

    @classmethod
    def fixed(cls, pose: PoseLike) -> Motion:
        """Return a motion that stays at one (4, 4) pose."""
        made = core.MadeMotion.fixed(pose)
        if made is None:
            made = core.MadeMotion.fixed(as_unchecked("pose", pose, 4, 4))
        return cls._wrap(made)

    @classmethod
    def linear(cls, start: PoseLike, end: PoseLike, pivot: ArrayLike | None = None) -> Motion:
        """Move a body point on a straight line while the body turns at a constant rate.

        The body turns by the shorter of the two rotations, at most half a turn. For longer
        rotations use `twist`.

        Args:
            start: pose at t = 0, (4, 4).
            end: pose at t = 1, (4, 4).
            pivot: body point that moves on a straight line, (3,); default: the body's origin.

        """
        center = (0.0, 0.0, 0.0) if pivot is None else pivot
        made = core.MadeMotion.linear(start, end, center)
        if made is None:
            first, last = as_unchecked("start", start, 4, 4), as_unchecked("end", end, 4, 4)
            made = core.MadeMotion.linear(first, last, as_unchecked("pivot", center, 3))
        return cls._wrap(made)

    @classmethod
    def screw(cls, start: PoseLike, end: PoseLike) -> Motion:
        """Move about one screw axis at constant rates, by the shorter of the two rotations.

        Args:
            start: pose at t = 0, (4, 4).
            end: pose at t = 1, (4, 4).

        """
        made = core.MadeMotion.screw(start, end)
        if made is None:
            first, last = as_unchecked("start", start, 4, 4), as_unchecked("end", end, 4, 4)
            made = core.MadeMotion.screw(first, last)
        return cls._wrap(made)

    @classmethod
    def twist(cls, start: PoseLike, linear: ArrayLike, angular: ArrayLike) -> Motion:
        """Move with constant linear and angular velocity, by any number of turns.

        Args:
            start: pose at t = 0, (4, 4).
            linear: displacement of the origin from t = 0 to t = 1, world axes, (3,).
            angular: rotation vector from t = 0 to t = 1, in radians, world axes, (3,).

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
    def spline(cls, times: ArrayLike, poses: ArrayLike, *, kind: PoseSpline = "smooth") -> Motion:
        """Pass through poses at given times without overshoot.

        Between two poses, each coordinate of the origin stays between its values at these poses,
        and the body turns about one axis by no more than the angle between the poses.

        Args:
            times: strictly increasing times from 0 to 1, (n,).
            poses: poses at these times, at least two, (n, 4, 4).
            kind: "smooth" has continuous velocities, and stops turning where the axis changes;
                "linear" moves and turns at constant rates from each pose to the next.

        """
        name = as_choice("kind", kind, get_args(PoseSpline))
        when, where = as_unchecked("times", times, -1), as_unchecked("poses", poses, -1, 4, 4)
        if len(when) != len(where):
            counts = f"{len(when)} and {len(where)}"
            raise ValueError(f"times: expected as many times as poses, got {counts}")
        return cls._wrap(core.MadeMotion.spline(when, where, core.SplineKind[name]))

    def pose(self, t: ArrayLike) -> Floats:
        """Return the pose at time t, (4, 4), or the poses at an array of times, (..., 4, 4)."""
        times = as_floats("t", t)
        flat = as_shape("t", times.reshape(-1), -1)
        outside = np.flatnonzero((flat < 0) | (flat > 1))
        if len(outside):
            raise ValueError(f"t: expected times in 0..1, got {flat[outside[0]]}")
        return self._core.poses(flat).reshape(*times.shape, 4, 4)


class MotionRows(NamedTuple):
    """Motions in arrays, one row for each body: from pose to pose, by twists, or at a fixed pose.

    Arrays that were not given are empty.
    """

    start: Floats
    end: Floats
    linear: Floats
    angular: Floats

    @classmethod
    def none(cls) -> MotionRows:
        """Return arrays without rows."""
        return cls(np.empty((0, 4, 4)), np.empty((0, 4, 4)), np.empty((0, 3)), np.empty((0, 3)))

    @classmethod
    def of(
        cls,
        start: ArrayLike,
        end: ArrayLike | None,
        linear: ArrayLike | None,
        angular: ArrayLike | None,
        *,
        count: int,
        suffix: str = "",
    ) -> MotionRows:
        """Check the shapes of `count` rows. Names of arguments in errors end with `suffix`."""
        if end is not None and (linear is not None or angular is not None):
            others = f"linear{suffix} or angular{suffix}"
            raise ValueError(f"end{suffix}: cannot be combined with {others}")
        return cls(
            as_many(f"start{suffix}", start, count, 4, 4),
            _given(f"end{suffix}", end, count, 4, 4),
            _given(f"linear{suffix}", linear, count, 3),
            _given(f"angular{suffix}", angular, count, 3),
        )

    def copied(self) -> MotionRows:
        """Return a copy, because callers may edit their arrays."""
        return MotionRows(*(array.copy() for array in self))

    def motion(self, row: int) -> Motion:
        """Return the motion of a row, with the same bits as in the core."""
        if len(self.end):
            return Motion.linear(self.start[row], self.end[row])
        if not len(self.linear) and not len(self.angular):
            return Motion.fixed(self.start[row])
        linear, angular = (
            rows[row] if len(rows) else np.zeros(3) for rows in (self.linear, self.angular)
        )
        return Motion.twist(self.start[row], linear, angular)


def _given(name: str, values: ArrayLike | None, count: int, *row: int) -> Floats:
    """Return `count` rows of numbers; None gives no rows."""
    return np.empty((0, *row)) if values is None else as_many(name, values, count, *row)


STILL = Motion.fixed(np.eye(4))
"""The motion of a fixed body with its vertices in world coordinates."""


def _remade(kind: str, numbers: Floats) -> Motion:
    """Make a motion from the contents of a pickle."""
    return Motion._wrap(core.MadeMotion(core.MotionKind[kind], as_floats("numbers", numbers)))


def as_motion(name: str, value: MotionLike) -> Motion:
    """Return `value` if it is a Motion, or the fixed motion at a (4, 4) pose."""
    if isinstance(value, Motion):
        return value
    try:
        return Motion.fixed(as_shape(name, value, 4, 4))
    except (TypeError, ValueError) as error:
        reason = str(error).split(": ", 1)[-1]
        wanted = "expected a Motion or a (4, 4) pose"
        raise type(error)(f"{name}: {wanted} ({reason})") from error
