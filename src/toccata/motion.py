"""Poses, and motions as functions of time."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_shape
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
    given = [x is not None for x in (rotvec, quat_xyzw, quat_wxyz)]
    if sum(given) > 1:
        raise ValueError("rotvec, quat_xyzw, quat_wxyz: expected at most one, got several")
    matrix = np.eye(4)
    matrix[:3, 3] = as_shape("translation", translation, 3)
    if rotvec is not None:
        matrix[:3, :3] = _quat_matrix(_quat_of(as_shape("rotvec", rotvec, 3)))
    elif quat_xyzw is not None:
        matrix[:3, :3] = _quat_matrix(
            _unit("quat_xyzw", as_shape("quat_xyzw", quat_xyzw, 4))[[3, 0, 1, 2]]
        )
    elif quat_wxyz is not None:
        matrix[:3, :3] = _quat_matrix(_unit("quat_wxyz", as_shape("quat_wxyz", quat_wxyz, 4)))
    return matrix


def _quat_of(rotvec: Floats) -> Floats:
    angle = float(np.linalg.norm(rotvec))
    # np.sinc(x) is sin(pi x) / (pi x), and 1 at 0.
    return np.concatenate(([np.cos(angle / 2)], rotvec * (0.5 * np.sinc(angle / (2 * np.pi)))))


def _unit(name: str, quat: Floats) -> Floats:
    largest = float(np.abs(quat).max())
    if not largest > 0:
        raise ValueError(f"{name}: expected a quaternion of length above 0, got zeros")
    scaled = quat / largest  # squares of the numbers as they came may overflow or vanish
    return scaled / float(np.linalg.norm(scaled))


def _quat_matrix(quat: Floats) -> Floats:
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Motion:
    """A rigid motion over t in [0, 1]; made by one of the class methods below."""

    __slots__ = ("_core",)
    _core: core.Motion

    def __init__(self) -> None:
        """Refuse: a motion has a kind."""
        raise TypeError("Motion: expected Motion.fixed, linear, screw, twist or spline")

    @classmethod
    def _wrap(cls, native: core.Motion) -> Motion:
        motion = object.__new__(cls)
        motion._core = native
        return motion

    @classmethod
    def fixed(cls, pose: ArrayLike) -> Motion:
        """Stay at a pose."""
        return cls._wrap(core.Motion.fixed(as_shape("pose", pose, 4, 4)))

    @classmethod
    def linear(cls, start: ArrayLike, end: ArrayLike, pivot: ArrayLike | None = None) -> Motion:
        """Move a body point straight while the body turns at a constant rate, half a turn at most.

        Args:
            start: pose at t = 0.
            end: pose at t = 1.
            pivot: the body point that moves straight; the body's origin by default.

        """
        return cls._wrap(
            core.Motion.linear(
                as_shape("start", start, 4, 4),
                as_shape("end", end, 4, 4),
                as_shape("pivot", (0.0, 0.0, 0.0) if pivot is None else pivot, 3),
            )
        )

    @classmethod
    def screw(cls, start: ArrayLike, end: ArrayLike) -> Motion:
        """Move about one screw axis at constant rates, half a turn at most."""
        return cls._wrap(
            core.Motion.screw(as_shape("start", start, 4, 4), as_shape("end", end, 4, 4))
        )

    @classmethod
    def twist(cls, start: ArrayLike, linear: ArrayLike, angular: ArrayLike) -> Motion:
        """Move the body's origin by `linear` and turn by `angular`, any number of turns.

        Args:
            start: pose at t = 0.
            linear: displacement of the origin from t = 0 to t = 1, world axes.
            angular: rotation vector from t = 0 to t = 1, in radians, world axes.

        """
        return cls._wrap(
            core.Motion.twist(
                as_shape("start", start, 4, 4),
                as_shape("linear", linear, 3),
                as_shape("angular", angular, 3),
            )
        )

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
        return cls._wrap(
            core.Motion.spline(
                as_shape("times", times, -1),
                as_shape("poses", poses, -1, 4, 4),
                core.SplineKind[kind],
            )
        )

    def pose(self, t: ArrayLike) -> Floats:
        """Return the pose at time t: (4, 4), or (..., 4, 4) for an array of times."""
        times = as_floats("t", t)
        flat = as_shape("t", times.reshape(-1), -1)
        if ((flat < 0) | (flat > 1)).any():
            raise ValueError(f"t: expected times in 0..1, got {times}")
        return self._core.poses(flat).reshape(*times.shape, 4, 4)


def as_motion(name: str, value: Any) -> Motion:
    """Return `value` itself if it is a Motion, or a fixed one for a (4, 4) pose."""
    if isinstance(value, Motion):
        return value
    try:
        return Motion._wrap(core.Motion.fixed(as_shape(name, value, 4, 4)))
    except ValueError as error:
        raise ValueError(f"{name}: expected a Motion or a (4, 4) pose: {error}") from error
