"""A scene set up for drawing: prepared bodies, their paths, and a camera that sees it all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera, fit_camera
from toccata.report.entry import Entry
from toccata.report.moments import Focus, find_focus
from toccata.report.picture import Body
from toccata.report.sample import surface_points
from toccata.report.viewpoint import best_direction

Array = NDArray[np.float64]

COLOUR_A = np.array([0.93, 0.46, 0.25])
COLOUR_B = np.array([0.25, 0.51, 0.74])
_PATH_TIMES = np.linspace(0.0, 1.0, 241)
_FITTED_TIMES = np.linspace(0.0, 1.0, 61)


@dataclass(frozen=True, slots=True)
class Stage:
    """Bodies with the (n, 3) paths to show, what to look at, and one camera for all pictures."""

    entry: Entry
    bodies: tuple[Body, Body]
    paths: tuple[Array, Array]
    focus: Focus
    camera: Camera
    scale: float  # the size of the smaller body

    def placed(self, t: float) -> list[tuple[Body, Array]]:
        """Return the bodies with their poses at time `t`."""
        return list(zip(self.bodies, self.entry.poses(t), strict=True))


def set_up(entry: Entry, size: tuple[int, int]) -> Stage:
    """Prepare a scene for pictures of `size` (width, height)."""
    bodies = Body.of(entry.a, COLOUR_A), Body.of(entry.b, COLOUR_B)
    paths = _paths(entry, bodies)
    focus = find_focus(entry)
    placed = list(zip(bodies, entry.poses(focus.time), strict=True))
    direction = best_direction(placed, focus.point, focus.normal, paths[0][-1] - paths[0][0])
    camera = fit_camera(_extent(entry, bodies), direction, size)
    sizes = [float(np.linalg.norm(np.ptp(body.vertices, axis=0))) for body in bodies]
    scale = min((size for size in sizes if size > 0), default=1.0)
    return Stage(entry, bodies, paths, focus, camera, scale)


def _paths(entry: Entry, bodies: tuple[Body, Body]) -> tuple[Array, Array]:
    """Return for both bodies the path of a telling point: the centre, or the tip if it turns."""
    poses_a, poses_b = zip(*(entry.poses(float(t)) for t in _PATH_TIMES), strict=True)
    return _path(bodies[0], np.stack(poses_a)), _path(bodies[1], np.stack(poses_b))


def _path(body: Body, poses: Array) -> Array:
    centre = surface_points(body.vertices, body.faces, 500).mean(axis=0)
    tip = body.vertices[np.argmax(((body.vertices - centre) ** 2).sum(axis=1))]
    of_centre, of_tip = (np.asarray(poses[:, :3, :3] @ p + poses[:, :3, 3]) for p in (centre, tip))
    return of_centre if _length(of_centre) > 0.25 * _length(of_tip) else of_tip


def _length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _extent(entry: Entry, bodies: tuple[Body, Body]) -> Array:
    """Return points whose hull is about that of both bodies over the whole motion."""
    outer = [_outermost(body.vertices) for body in bodies]
    return np.concatenate(
        [
            points @ pose[:3, :3].T + pose[:3, 3]
            for t in _FITTED_TIMES
            for points, pose in zip(outer, entry.poses(float(t)), strict=True)
        ]
    )


def _outermost(vertices: Array) -> Array:
    """Return the vertices that are farthest in some of many directions, evenly spread."""
    i = np.arange(200) + 0.5
    height, turn = 1.0 - 2.0 * i / 200, np.pi * (1.0 + 5.0**0.5) * i
    ring = np.sqrt(1.0 - height**2)
    directions = np.stack([ring * np.cos(turn), ring * np.sin(turn), height])
    return np.asarray(vertices[np.unique(np.argmax(vertices @ directions, axis=0))])
