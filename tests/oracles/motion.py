"""Reference poses of the rigid motions, from their definitions.

Every motion here is one formula: a body point, the pivot, runs straight at constant velocity while
the body turns about it at constant angular velocity,

    x(t) = center + t velocity + exp(t [angular]x) rotation (x - pivot).

`linear` has the pivot the caller names, `twist` the body origin, `screw` a point of the screw axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .vectors import (
    ZERO,
    Mat,
    Real,
    Vec,
    add,
    apply,
    cross,
    dot,
    mat,
    matmul,
    mp,
    mul,
    norm,
    rounded,
    sub,
    transpose,
    vec,
)

IDENTITY: Mat = mat(np.eye(3))


@dataclass(frozen=True)
class Motion:
    """A pivot on a straight line and a constant angular velocity, in 80 digits."""

    rotation: Mat
    pivot: Vec
    center: Vec
    velocity: Vec
    angular: Vec

    def at(self, t: Real) -> tuple[Mat, Vec]:
        """Return the rotation and the translation at time t."""
        turned = matmul(exponential(mul(mp.mpf(t), self.angular)), self.rotation)
        return turned, sub(self.center_at(t), apply(turned, self.pivot))

    def center_at(self, t: Real) -> Vec:
        """Return where the pivot is at time t."""
        return add(self.center, mul(mp.mpf(t), self.velocity))

    def place(self, points: Sequence[Vec], t: Real) -> list[Vec]:
        """Return where body points are at time t."""
        rotation, translation = self.at(t)
        return [add(apply(rotation, point), translation) for point in points]

    def pose(self, t: Real) -> NDArray[np.float64]:
        """Return the (4, 4) pose at t, each entry correctly rounded but for the last digit."""
        rotation, translation = self.at(t)
        return _as_pose(rounded(rotation), rounded([translation])[0])

    def quick_pose(self, t: float) -> NDArray[np.float64]:
        """Return the pose at t in double arithmetic, for dense sampling."""
        if self._is_delicate:
            return self.pose(t)
        rotation, pivot, center, velocity, angular = self._doubles
        turned = _exponential(t * angular) @ rotation
        return _as_pose(turned, center + t * velocity - turned @ pivot)

    def radius(self, points: NDArray[np.float64]) -> float:
        """Return the distance from the pivot of the farthest of some body points."""
        pivot = rounded([self.pivot])[0]
        return float(np.linalg.norm(points - pivot, axis=1).max()) * (1 + 1e-12)

    def speed_bound(self, points: NDArray[np.float64]) -> float:
        """Return a speed that no point of the hull of `points` exceeds at any time.

        A point moves with velocity + angular x (x - center), so the sum of the norms bounds it.
        """
        turning = float(norm(self.angular)) * self.radius(points)
        return (float(norm(self.velocity)) + turning) * (1 + 1e-12)

    @cached_property
    def _doubles(self) -> list[NDArray[np.float64]]:
        vectors = (self.pivot, self.center, self.velocity, self.angular)
        return [rounded(self.rotation), *rounded(vectors)]

    @cached_property
    def _is_delicate(self) -> bool:
        # The axis of a screw that hardly turns is so far away that doubles would cancel.
        reach = max(norm(self.at(t)[1]) for t in (0, mp.mpf(1) / 2, 1))
        return bool(norm(self.center) > 1e3 * reach)


def fixed(pose: ArrayLike) -> Motion:
    """A body at rest."""
    rotation, translation = split(pose)
    return Motion(rotation, ZERO, translation, ZERO, ZERO)


def linear(start: ArrayLike, end: ArrayLike, pivot: ArrayLike = (0, 0, 0)) -> Motion:
    """Return a motion with a straight pivot and a constant spin about the shorter arc."""
    (r0, p0), (r1, p1) = split(start), split(end)
    body_point = vec(np.asarray(pivot, dtype=float))
    c0, c1 = add(apply(r0, body_point), p0), add(apply(r1, body_point), p1)
    return Motion(r0, body_point, c0, sub(c1, c0), logarithm(matmul(r1, transpose(r0))))


def twist(start: ArrayLike, velocity: ArrayLike, angular: ArrayLike) -> Motion:
    """The body origin moves straight, the body turns about world axes, any number of turns."""
    rotation, translation = split(start)
    v, w = vec(np.asarray(velocity, dtype=float)), vec(np.asarray(angular, dtype=float))
    return Motion(rotation, ZERO, translation, v, w)


def screw(start: ArrayLike, end: ArrayLike) -> Motion:
    """Turns about one fixed axis and slides along it, both at constant rates."""
    (r0, p0), (r1, p1) = split(start), split(end)
    turn = matmul(r1, transpose(r0))
    angular = logarithm(turn)
    square = dot(angular, angular)
    if square == 0:
        return Motion(r0, ZERO, p0, sub(p1, p0), ZERO)
    # World map x -> turn x + shift. Its axis holds the points with (I - turn) c = shift - slide;
    # for a shift normal to the axis, c = (shift + cot(angle / 2) axis x shift) / 2.
    shift = sub(p1, apply(turn, p0))
    angle = mp.sqrt(square)
    axis = mul(1 / angle, angular)
    slide = mul(dot(shift, axis), axis)
    across = sub(shift, slide)
    half = mp.mpf(1) / 2
    center = add(mul(half, across), mul(half * mp.cot(angle / 2), cross(axis, across)))
    # The point of the axis beside the body keeps the arms short.
    center = add(center, mul(dot(p0, axis), axis))
    pivot = apply(transpose(r0), sub(center, p0))
    return Motion(r0, pivot, center, slide, angular)


def split(pose: ArrayLike) -> tuple[Mat, Vec]:
    """Return the rotation nearest to the pose's and its translation."""
    matrix = np.asarray(pose, dtype=np.float64)
    return orthonormal(mat(matrix[:3, :3])), vec(matrix[:3, 3])


def orthonormal(m: Mat) -> Mat:
    """Return the rotation nearest to a matrix that is a rotation up to rounding."""
    # Newton's iteration for the polar factor doubles the digits each time: 16, 32, 64.
    for _ in range(3):
        cofactors = (cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]))
        scale = 1 / dot(m[0], cofactors[0])
        rows = [
            mul(mp.mpf(1) / 2, add(r, mul(scale, c))) for r, c in zip(m, cofactors, strict=True)
        ]
        m = (rows[0], rows[1], rows[2])
    return m


def exponential(w: Vec) -> Mat:
    """Return the rotation by |w| about w (Rodrigues)."""
    angle = norm(w)
    if angle == 0:
        return IDENTITY
    axis = mul(1 / angle, w)
    c, s = mp.cos(angle), mp.sin(angle)
    columns = [
        add(add(mul(c, unit), mul(s, cross(axis, unit))), mul((1 - c) * dot(axis, unit), axis))
        for unit in IDENTITY
    ]
    return transpose((columns[0], columns[1], columns[2]))


def logarithm(r: Mat) -> Vec:
    """Return the rotation vector of r, of length below pi; a half turn has two and is refused."""
    twice_sine_axis = (r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1])
    twice_sine = norm(twice_sine_axis)
    twice_cosine = r[0][0] + r[1][1] + r[2][2] - 1
    if twice_sine < mp.mpf(10) ** -30:
        if twice_cosine < 0:
            raise ValueError("a half turn has no preferred direction")
        return ZERO
    return mul(mp.atan2(twice_sine, twice_cosine) / twice_sine, twice_sine_axis)


def _exponential(w: NDArray[np.float64]) -> NDArray[np.float64]:
    angle = float(np.sqrt(w @ w))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = w / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result: NDArray[np.float64] = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return result


def _as_pose(rotation: Any, translation: Any) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, translation
    return pose
