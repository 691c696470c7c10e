"""A scene set up for drawing: the paths to show, and a camera that sees it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera, fit_camera
from toccata.report.entry import Entry, Placed
from toccata.report.palette import BLUE, ORANGE
from toccata.report.picture import Body
from toccata.report.sample import surface_points
from toccata.report.viewpoint import best_direction

Array = NDArray[np.float64]

_PATH_TIMES, _FITTED_TIMES = 241, 61
_AROUND = 1.5  # what stays is seen as a whole up to this many sizes of what moves
_MARGIN = 0.12  # else as far as this from what moves, in sizes of it


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The (n, 3) path of a body at equal time steps."""

    path: Array
    colour: Array


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What all pictures of an entry share."""

    entry: Entry
    trails: tuple[Trail, ...]
    camera: Camera
    scale: float  # the size of the smaller body of those that touch
    opened: dict[int, Body]
    """Bodies that stand around, without what is before all that moves."""

    def placed(self, t: float) -> list[Placed]:
        """Return the bodies at a time, as far as they are shown."""
        bodies = self.entry.placed(t)
        return [(self.opened.get(i, body), pose) for i, (body, pose) in enumerate(bodies)]


def set_up(entry: Entry, size: tuple[int, int]) -> Stage:
    """Prepare an entry for pictures of `size` (width, height)."""
    over = [entry.placed(float(t)) for t in entry.times(_FITTED_TIMES)]
    scope = _scope(over)
    trails = _trails(entry)
    heading = trails[0].path[-1] - trails[0].path[0] if trails else np.zeros(3)
    now = entry.placed(entry.focus.time)
    direction = best_direction(now, entry.focus.point, entry.focus.normal, heading)
    opened = {i: _opened(*over[0][i], direction, scope.moving) for i in scope.around}
    camera = fit_camera(scope.points, direction, size)
    return Stage(entry, trails, camera, _scale(entry, scope.points), opened)


def _scale(entry: Entry, points: Array) -> float:
    """Return the size of the smaller body of those that touch, or of a tenth of the scene."""
    now = entry.placed(entry.focus.time)
    bodies = [now[i][0] for i in entry.focus.bodies if i >= 0]
    sizes = [_diagonal(body.vertices) for body in bodies]
    whole = _diagonal(points)
    if len(set(entry.focus.bodies)) < 2:  # one mesh that touches itself
        return 0.3 * whole
    return min((size for size in sizes if size > 0), default=whole or 1.0)


def _trails(entry: Entry) -> tuple[Trail, ...]:
    """Return the ways of the two bodies that touch, if they are rigid."""
    a, b = entry.focus.bodies
    if a < 0 or b < 0 or a == b:
        return ()
    over = [entry.placed(float(t)) for t in entry.times(_PATH_TIMES)]
    return tuple(
        Trail(_path(over[0][i][0], np.stack([now[i][1] for now in over])), 0.55 * colour)
        for i, colour in ((a, ORANGE), (b, BLUE))
    )


def _path(body: Body, poses: Array) -> Array:
    """Return the path of a telling point: the centre, or the tip if it turns."""
    centre = surface_points(body.vertices, body.faces, 500).mean(axis=0)
    tip = body.vertices[np.argmax(((body.vertices - centre) ** 2).sum(axis=1))]
    of_centre, of_tip = (np.asarray(poses[:, :3, :3] @ p + poses[:, :3, 3]) for p in (centre, tip))
    return of_centre if _length(of_centre) > 0.25 * _length(of_tip) else of_tip


def _length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _diagonal(points: Array) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """What the camera has to see."""

    points: Array
    """Their hull is about that of all that matters, at all times."""
    moving: Array
    """The same of what moves."""
    around: tuple[int, ...]
    """Bodies that stay and are much larger: only what is near counts."""


def _scope(over: Sequence[Sequence[Placed]]) -> _Scope:
    moving, staying = [], {}
    for i in range(len(over[0])):
        ways = [now[i] for now in over]
        if all(body is ways[0][0] and (pose == ways[0][1]).all() for body, pose in ways):
            staying[i] = ways[0][0].at(ways[0][1])
        else:
            moving += [_outermost(body.vertices) @ p[:3, :3].T + p[:3, 3] for body, p in ways]
    if not moving:
        points = np.concatenate([_outermost(points) for points in staying.values()])
        return _Scope(points, points, ())
    points = np.concatenate(moving)
    size, slack = _diagonal(points), _MARGIN * _diagonal(points)
    low, high = points.min(axis=0) - slack, points.max(axis=0) + slack
    around = tuple(i for i, still in staying.items() if _diagonal(still) > _AROUND * size)
    shown = [
        still[((still >= low) & (still <= high)).all(axis=1)] if i in around else _outermost(still)
        for i, still in staying.items()
    ]
    return _Scope(np.concatenate([points, *shown]), points, around)


def _opened(body: Body, pose: Array, towards_eye: Array, moving: Array) -> Body:
    """Return a body without its triangles that are before all that moves."""
    limit = float((moving @ towards_eye).max())
    before = (body.at(pose) @ towards_eye)[body.faces].min(axis=1) > limit
    colour = body.colour if body.colour.ndim == 1 else body.colour[~before]
    return replace(body, faces=body.faces[~before], colour=colour)


def _outermost(vertices: Array) -> Array:
    """Return the vertices that are farthest in some of many directions, evenly spread."""
    if len(vertices) <= 200:
        return vertices
    i = np.arange(200) + 0.5
    height, turn = 1.0 - 2.0 * i / 200, np.pi * (1.0 + 5.0**0.5) * i
    ring = np.sqrt(1.0 - height**2)
    directions = np.stack([ring * np.cos(turn), ring * np.sin(turn), height])
    return np.asarray(vertices[np.unique(np.argmax(vertices @ directions, axis=0))])
