"""What stands around: how much of it the camera has to see, and what of it is in the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera
from toccata.report.entry import Placed
from toccata.report.picture import Body
from toccata.report.raster import rasterize

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

_AROUND = 1.5  # what stays is seen as a whole up to this many sizes of what moves
_NEAR = 0.12  # else as far as this from what moves, in sizes of it
_SHOWN = 0.4  # and drawn as far as this
_PIECE = 0.25  # in pieces no larger than this
_IN_THE_WAY = 1 / 3  # of what moves: more must not be hidden by a body that stays
_COARSE = 0.25  # pixels of the picture in which that is counted


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What the camera has to see."""

    points: Array
    """Their hull is about that of all that matters, at all times."""
    moving: Array
    """The same of what moves."""
    staying: tuple[int, ...]
    around: tuple[int, ...]
    """Those that stay and are much larger than all that moves."""


def find_scope(over: Sequence[Sequence[Placed]], kept: Collection[int]) -> Scope:
    """Return what matters of bodies that are given at several times, those to be `kept` for sure.

    What moves matters; of what stays, what is near. If that is not large, it is seen as a whole.
    """
    moving, staying = [], {}
    for i in range(len(over[0])):
        ways = [now[i] for now in over]
        if all(body is ways[0][0] and (pose == ways[0][1]).all() for body, pose in ways):
            staying[i] = ways[0][0].at(ways[0][1])
        else:
            moving.append(_outline(ways))
    if not moving:
        points = np.concatenate([_outermost(points) for points in staying.values()])
        return Scope(points, points, (), ())
    points = np.concatenate(moving)
    size = diagonal(points)
    around = tuple(i for i, still in staying.items() if diagonal(still) > _AROUND * size)
    shown = []
    for i, still in staying.items():
        near = still[_within(still, points, _NEAR if i in around else _SHOWN)]
        whole = i not in around and (len(near) or i in kept)
        shown.append(_outermost(still) if whole else near)
    return Scope(np.concatenate([points, *shown]), points, tuple(staying), around)


def _within(points: Array, moving: Array, share: float) -> NDArray[np.bool_]:
    """Tell which points are near what moves, by a share of its size."""
    slack = share * diagonal(moving)
    low, high = moving.min(axis=0) - slack, moving.max(axis=0) + slack
    return np.asarray(((points >= low) & (points <= high)).all(axis=1))


def open_up(
    over: Sequence[Sequence[Placed]], scope: Scope, camera: Camera, kept: Collection[int]
) -> dict[int, Body]:
    """Return those that stay and are shown in part: what is near, and not before all that moves.

    One that hides much of what moves is not shown at all, unless it is to be kept.
    """
    first = over[0]
    found = {i: _near(*first[i], scope.moving, -camera.axes[2]) for i in scope.around}
    moves = [i for i in range(len(first)) if i not in scope.staying]
    if not moves or len(first) < 3:
        return found
    coarse = camera.scaled(_COARSE)
    rows = (0, len(over) // 2, len(over) - 1)
    seen = np.stack([_depths([over[row][i] for i in moves], coarse) for row in rows])
    for i in scope.staying:
        before = _depths([(found.get(i, first[i][0]), first[i][1])], coarse) > seen
        if i not in kept and (before & (seen > 0)).sum() > _IN_THE_WAY * (seen > 0).sum():
            body = first[i][0]
            found[i] = replace(body, faces=body.faces[:0], color=body.color[:3])
    return found


def _depths(placed: Sequence[Placed], camera: Camera) -> Array:
    corners = [camera.project(body.at(pose))[body.faces] for body, pose in placed]
    return rasterize(np.concatenate(corners), camera.width, camera.height).inverse_depth


def _near(body: Body, pose: Array, moving: Array, towards_eye: Array) -> Body:
    """Return the part of a large body that is near what moves, in small pieces.

    The eye may be above a floor of few triangles; those that reach behind it are not drawn.
    """
    size, limit = diagonal(moving), float((moving @ towards_eye).max())
    low, high = moving.min(axis=0) - _SHOWN * size, moving.max(axis=0) + _SHOWN * size
    corners = body.at(pose)[body.faces]
    owner = np.arange(len(corners))
    while True:
        inside = ((corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)).all(axis=1)
        inside &= (corners @ towards_eye).min(axis=1) <= limit
        corners, owner = corners[inside], owner[inside]
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
        large = sides.max(axis=1) > _PIECE * size
        if not large.any():
            break
        corners = np.concatenate([corners[~large], _quartered(corners[large])])
        owner = np.concatenate([owner[~large], np.repeat(owner[large], 4)])
    own = (corners.reshape(-1, 3) - pose[:3, 3]) @ pose[:3, :3]
    color = body.color if body.color.ndim == 1 else body.color[owner]
    return Body(own, np.arange(len(own)).reshape(-1, 3), color)


def _quartered(corners: Array) -> Array:
    """Cut each triangle at the middles of its sides."""
    a, b, c = corners.transpose(1, 0, 2)
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.stack([np.stack(part, axis=1) for part in parts], axis=1).reshape(-1, 3, 3)


def diagonal(points: Array) -> float:
    """Return that of the box around points."""
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _outline(ways: Sequence[Placed]) -> Array:
    """Return points about as far out as a body is anywhere on its way."""
    if any(body is not ways[0][0] for body, _ in ways):  # it deforms
        return np.concatenate([_thinned(body.at(pose)) for body, pose in ways])
    points = _outermost(ways[0][0].vertices)
    poses = np.stack([pose for _, pose in ways])
    placed = np.einsum("kij,nj->kni", poses[:, :3, :3], points) + poses[:, None, :3, 3]
    return np.asarray(placed.reshape(-1, 3))


def _thinned(points: Array) -> Array:
    """Return some of many points, those farthest along the axes among them."""
    ends = np.r_[points.argmin(axis=0), points.argmax(axis=0)]
    return np.concatenate([points[ends], points[:: 1 + len(points) // 300]])


def _outermost(vertices: Array) -> Array:
    """Return the vertices that are farthest in some of many directions, evenly spread."""
    if len(vertices) <= 200:
        return vertices
    i = np.arange(200) + 0.5
    height, turn = 1.0 - 2.0 * i / 200, np.pi * (1.0 + 5.0**0.5) * i
    ring = np.sqrt(1.0 - height**2)
    directions = np.stack([ring * np.cos(turn), ring * np.sin(turn), height])
    return np.asarray(vertices[np.unique(np.argmax(vertices @ directions, axis=0))])
