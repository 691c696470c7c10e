"""A scene set up for drawing: the paths to show, and a camera that sees it all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera, fit_camera
from toccata.report.entry import Entry, Placed
from toccata.report.palette import BLUE, ORANGE
from toccata.report.picture import Body
from toccata.report.sample import surface_points
from toccata.report.surroundings import Scope, diagonal, find_scope, open_up
from toccata.report.viewpoint import best_direction

Array = NDArray[np.float64]

_PATH_TIMES, _FITTED_TIMES = 241, 61


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The (n, 3) path of a body at equal time steps."""

    path: Array
    color: Array


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What all pictures of an entry share."""

    entry: Entry
    trails: tuple[Trail, ...]
    camera: Camera
    scale: float  # the size of the smaller body of those that touch
    reach: float  # of shadows
    shown: dict[int, Body]
    """Bodies that stand around, as far as they are shown."""

    def placed(self, t: float) -> list[Placed]:
        """Return the bodies at a time, as far as they are shown."""
        bodies = self.entry.placed(t)
        return [(self.shown.get(i, body), pose) for i, (body, pose) in enumerate(bodies)]


def set_up(entry: Entry, size: tuple[int, int]) -> Stage:
    """Prepare an entry for pictures of `size` (width, height)."""
    over = [entry.placed(float(t)) for t in entry.times(_FITTED_TIMES)]
    scope = find_scope(over, set(entry.focus.bodies))
    trails = _trails(entry)
    heading = trails[0].path[-1] - trails[0].path[0] if trails else np.zeros(3)
    now = entry.placed(entry.focus.time)
    direction = best_direction(now, entry.focus.point, entry.focus.normal, heading)
    camera = fit_camera(scope.points, direction, size)
    shown = open_up(over, scope, camera, set(entry.focus.bodies))
    scale = _scale(entry, scope)
    reach = max(0.08 * scale, 0.012 * diagonal(scope.moving))
    return Stage(entry, trails, camera, scale, reach, shown)


def _scale(entry: Entry, scope: Scope) -> float:
    """Return the size of the smaller body of those that touch, or of a tenth of the scene."""
    now = entry.placed(entry.focus.time)
    bodies = [now[i][0] for i in entry.focus.bodies if i >= 0]
    sizes = [diagonal(body.vertices) for body in bodies]
    whole = diagonal(scope.points)
    if len(set(entry.focus.bodies)) < 2:  # one mesh that touches itself
        return 0.3 * whole
    return min((size for size in sizes if size > 0), default=whole or 1.0)


def _trails(entry: Entry) -> tuple[Trail, ...]:
    """Return the ways of the two bodies that touch, if they are rigid."""
    a, b = entry.focus.bodies
    if a < 0 or b < 0 or a == b or entry.kind in ("simulation", "log"):
        return ()
    over = [entry.placed(float(t)) for t in entry.times(_PATH_TIMES)]
    return tuple(
        Trail(_path(over[0][i][0], np.stack([now[i][1] for now in over])), 0.55 * color)
        for i, color in ((a, ORANGE), (b, BLUE))
    )


def _path(body: Body, poses: Array) -> Array:
    """Return the path of a telling point: the center, or the tip if it turns."""
    center = surface_points(body.vertices, body.faces, 500).mean(axis=0)
    tip = body.vertices[np.argmax(((body.vertices - center) ** 2).sum(axis=1))]
    of_center, of_tip = (np.asarray(poses[:, :3, :3] @ p + poses[:, :3, 3]) for p in (center, tip))
    return of_center if _length(of_center) > 0.25 * _length(of_tip) else of_tip


def _length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
