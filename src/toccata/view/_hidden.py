"""Tests whether bodies hide a point or a motion from the eye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved
from toccata.view._items import Body, Camera

Placed = tuple[Floats, NDArray[np.integer[Any]]]
"""Vertices in the world, and faces."""
_COVERED = 0.15
"""Fraction of the motion that a fixed body may hide before it is drawn transparent."""
_MOST_POINTS = 3000
_SIZE = (128, 96)
"""Size of the picture for these tests, in pixels."""


def hiding_bodies(fixed: Iterable[Body], moving: Floats, camera: Camera) -> set[str]:
    """Return the names of fixed bodies that hide many of the `moving` points from a camera."""
    from toccata.report._projection import (
        Projection,
    )  # here, because `toccata.report` imports views
    from toccata.report._raster import rasterize

    picture = Projection.of(camera, _SIZE)
    x, y, inverse = picture.project(moving[:: 1 + len(moving) // _MOST_POINTS]).T
    column, row = (np.clip(a, 0, n - 1).astype(int) for a, n in zip((x, y), _SIZE, strict=True))
    found = set()
    for body in fixed:
        corners = picture.project(moved(np.asarray(body.vertices), body.pose))[body.faces]
        before = rasterize(corners, *_SIZE).inverse_depth[row, column] > 1.01 * inverse
        if len(before) and before.mean() > _COVERED:
            found.add(body.name)
    return found


def is_hidden(
    placed: Sequence[Placed], point: Floats, direction: Floats, limits: tuple[float, float]
) -> bool:
    """Return whether a body hides `point` between two distances along a direction."""
    return any(_hides(at - point, faces, direction, limits) for at, faces in placed if len(faces))


def _hides(
    vertices: Floats, faces: NDArray[Any], direction: Floats, limits: tuple[float, float]
) -> bool:
    """Return whether a triangle lies between two distances from the origin along `direction`.

    Also return True if the first triangle beyond the lower distance faces away from the origin,
    because the eye would then look out of a body.
    """
    across = np.linalg.svd(direction[None])[2][1:]
    x, y = (vertices @ across.T).T
    depth = vertices @ direction
    fx, fy = x[faces], y[faces]
    around = (fx.min(1) <= 0) & (fx.max(1) >= 0) & (fy.min(1) <= 0) & (fy.max(1) >= 0)
    fx, fy, fd = fx[around], fy[around], depth[faces[around]]
    pairs = ((1, 2), (2, 0), (0, 1))
    turn = np.stack([fx[:, i] * fy[:, j] - fx[:, j] * fy[:, i] for i, j in pairs])
    inside = (turn >= 0).all(axis=0) | (turn <= 0).all(axis=0)
    area = turn.sum(axis=0)
    solid = inside & (area != 0)
    ahead = (turn.T * fd).sum(axis=1)[solid] / area[solid]
    beyond = ahead > limits[0]
    if not beyond.any():
        return False
    first = faces[around][solid][np.argmin(np.where(beyond, ahead, np.inf))]
    a, b, c = vertices[first]
    leaves = float(np.cross(b - a, c - a) @ direction) > 0.0
    return leaves or bool((beyond & (ahead < limits[1])).any())
