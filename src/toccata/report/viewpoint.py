"""From where to look: a three-quarter view in which the contact is in sight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import CLOSE_UP_DEPTH, view_direction
from toccata.report.normals import unit
from toccata.report.picture import Body

Array = NDArray[np.float64]

# Away from the axes, along which models like to be built: faces seen edge-on look flat.
_AZIMUTHS = tuple(quarter + turn for quarter in (-90, 0, 90, 180) for turn in (28, 45, 62))
_ELEVATIONS = (24.0, 38.0, 52.0)
_GLANCE = 0.25  # sine of the wished angle between the view and the touching surfaces


def best_direction(
    placed: Sequence[tuple[Body, Array]], point: Array, normal: Array, path: Array
) -> Array:
    """Return the unit vector to the eye that shows `point` best.

    The eye should see the point, look along the touching surfaces rather than through one of
    them (so almost across `normal`), and across the `path` of the motion, so that it can be
    followed.
    """
    length = float(np.linalg.norm(path))
    heading = path / length if length > 0 else path
    size = max(float(np.ptp(body.vertices, axis=0).max()) for body, _ in placed)

    def aligned(direction: Array) -> float:
        return abs(abs(float(direction @ normal)) - _GLANCE) + 0.6 * abs(float(direction @ heading))

    candidates = [view_direction(turn, lift) for lift in _ELEVATIONS for turn in _AZIMUTHS]
    candidates.sort(key=aligned)
    return _first_in_sight(placed, point, candidates, (0.01 * size, np.inf))


def close_direction(
    placed: Sequence[tuple[Body, Array]], focus: tuple[Array, Array], like: Array, breadth: float
) -> Array:
    """Return the unit vector to an eye near a contact: along the surfaces, turned like `like`.

    `focus` is the contact's point and unit normal. Sharp features can be seen at a slant; where
    two round bodies touch, only a view along the tangent plane sees the place at all.
    """
    point, normal = focus
    if not normal.any():
        return like
    first, second = np.linalg.svd(normal[None])[2][1:]
    turns = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    around = [np.cos(turn) * first + np.sin(turn) * second for turn in turns]
    around.sort(key=lambda direction: -float(direction @ like))
    slants = [slant * normal for slant in (0.3, -0.3, 0.12, -0.12, 0.0)]
    candidates = [unit(direction + slant) for slant in slants for direction in around[:6]]
    candidates += around
    limits = (0.03 * breadth, CLOSE_UP_DEPTH * breadth)
    return _first_in_sight(placed, point, candidates, limits)


def _first_in_sight(
    placed: Sequence[tuple[Body, Array]],
    point: Array,
    directions: Sequence[Array],
    limits: tuple[float, float],
) -> Array:
    """Return the first direction with nothing before `point` between the two distances.

    Nor may the eye look out of a body: what is crossed first must not be left there. If the point
    is hidden in all directions, the first is as good as any.
    """
    world = [(body.at(pose) - point, body.faces) for body, pose in placed]
    for direction in directions:
        if not any(_hides(vertices, faces, direction, limits) for vertices, faces in world):
            return direction
    return directions[0]


def is_hidden(
    placed: Sequence[tuple[Body, Array]],
    point: Array,
    direction: Array,
    limits: tuple[float, float],
) -> bool:
    """Tell whether a body is before `point` between two distances, seen from a direction."""
    return any(
        _hides(body.at(pose) - point, body.faces, direction, limits) for body, pose in placed
    )


def _hides(
    vertices: Array, faces: NDArray[np.int64], direction: Array, limits: tuple[float, float]
) -> bool:
    """Tell whether a triangle lies between two distances from the origin along `direction`.

    It also does if the first one behind the lower distance is seen from its back.
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
