"""From where to look: all bodies in sight, or close to a contact and along its surfaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.report.camera import FIELD_OF_VIEW, fit_camera, view_direction
from toccata.report.picture import Body as PlacedMesh
from toccata.report.viewpoint import close_direction, is_hidden
from toccata.view.items import Body, Camera, Item, View

__all__ = ["FIELD_OF_VIEW", "Sight", "close_up", "overview", "sight_of"]

Placed = tuple[Floats, NDArray[np.integer[Any]], Floats]
"""Vertices, faces and pose of a body."""

_NO_COLOR = np.zeros(3)
_UP = np.array([0.0, 0.0, 1.0])
_SIDEWAYS = np.array([0.0, 1.0, 0.0])
_NEARER = (1.0, 0.5, 0.25, 0.12)
"""Shares of the wished breadth: a point that is hidden from afar may be seen from nearby."""
_MOST_POINTS = 20_000
_TIMES = 9
"""Of a motion, at which bodies have to be in sight."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A camera, and how near and far what it sees may be."""

    camera: Camera
    near: float
    far: float


def sight_of(view: View, direction: Floats | None = None) -> Sight:
    """Return the camera of a view, or one that has all its bodies in sight."""
    rows = np.unique(np.linspace(0, len(view.times) - 1, _TIMES).astype(int))
    points = np.concatenate([_points(view.at(int(row))) for row in rows])
    return _sight(points, view.camera, direction)


def overview(items: Iterable[Item], direction: Floats | None = None) -> Sight:
    """Return a camera that has all bodies in sight, as they are now."""
    return _sight(_points(items), None, direction)


def _sight(points: Floats, camera: Camera | None, direction: Floats | None) -> Sight:
    if not len(points):
        points = np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    size = float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
    if camera is None:
        towards = view_direction(-55.0, 24.0) if direction is None else direction
        eye = fit_camera(points, towards, (4, 3)).eye
        middle = (points.max(axis=0) + points.min(axis=0)) / 2
        depth = float((eye - middle) @ towards)
        camera = Camera(eye, eye - depth * towards, _up(towards))
    return Sight(camera, 1e-4 * size, 100 * size)


def close_up(placed: Sequence[Placed], point: Floats, normal: Floats, breadth: float) -> Camera:
    """Return a camera that looks at a contact along the touching surfaces.

    `breadth` is how much the picture spans. No body hides the point, if that can be had.
    """
    bodies = [
        (PlacedMesh(np.asarray(vertices), np.asarray(faces, dtype=np.int64), _NO_COLOR), pose)
        for vertices, faces, pose in placed
        if len(faces)
    ]
    like = view_direction(-55.0, 24.0)
    for share in _NEARER:
        span = share * breadth
        distance = span / (2 * np.tan(FIELD_OF_VIEW / 2))
        towards = close_direction(bodies, (point, normal), like, span)
        if not is_hidden(bodies, point, towards, (0.03 * span, distance)):
            break
    return Camera(point + distance * towards, point, _up(towards))


def _up(towards: Floats) -> Floats:
    return _UP if abs(towards[2]) < 0.99 else _SIDEWAYS


def _points(items: Iterable[Item]) -> Floats:
    """Return points of bodies; of large ones, some."""
    found = [np.empty((0, 3))]
    for item in items:
        if isinstance(item, Body):
            used = np.unique(item.faces)
            some = np.asarray(item.vertices)[used[:: 1 + len(used) // _MOST_POINTS]]
            found.append(some @ item.pose[:3, :3].T + item.pose[:3, 3])
    return np.concatenate(found)
