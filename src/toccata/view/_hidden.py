"""Tests of whether bodies hide a point, or a motion, from an eye."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved
from toccata.view._items import Body

Placed = tuple[Floats, NDArray[np.integer[Any]]]
"""World coordinates of vertices, and faces."""
_COVERED = 0.15
"""Fraction of the motion that a fixed body may hide before it is made see-through."""
_MOST_POINTS = 3000


def hiding_bodies(
    fixed: Iterable[Body],
    moving: Floats,
    project: Callable[[Floats], Floats],
    size: tuple[int, int],
) -> set[str]:
    """Return the names of fixed bodies that hide much of some points.

    `project` maps points to x, y and inverse depth in a picture of `size`.
    """
    from toccata.report._raster import rasterize  # here: `toccata.report` imports views

    width, height = size
    x, y, inverse = project(moving[:: 1 + len(moving) // _MOST_POINTS]).T
    column, row = (np.clip(a, 0, n - 1).astype(int) for a, n in ((x, width), (y, height)))
    found = set()
    for body in fixed:
        corners = project(moved(np.asarray(body.vertices), body.pose))[body.faces]
        before = rasterize(corners, width, height).inverse_depth[row, column] > 1.01 * inverse
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

    Also true if the first one beyond the lower distance is seen from its back: then the eye would
    look out of a body.
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
