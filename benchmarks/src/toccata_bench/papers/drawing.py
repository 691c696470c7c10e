"""Pictures of bodies, drawn by the rasterizer of the reports: no display, no GPU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.report._draw import INK, SPARK, disc, draw_contact
from toccata.report._picture import Picture, Shape, render, to_image
from toccata.report._png import Image
from toccata.report._projection import Projection, fit_camera, view_direction
from toccata.report._shade import to_linear
from toccata.scenes.primitives import plate
from toccata.scenes.surface import MeshArrays

Floats = NDArray[np.float64]
Placed = list[tuple[Shape, Floats]]
View = tuple[float, float]
"""Azimuth and elevation of the eye, in degrees."""

SIZE = (460, 360)
GRAY = np.array([0.66, 0.68, 0.72])
PALE = np.array([0.86, 0.84, 0.80])
STEEL = np.array([0.55, 0.62, 0.72])
RED = np.array([0.82, 0.30, 0.25])
BLUE = np.array([0.25, 0.51, 0.74])
GREEN = np.array([0.36, 0.62, 0.32])
YELLOW = np.array([0.93, 0.77, 0.28])
ORANGE = np.array([0.93, 0.46, 0.25])
_GOLDEN = 0.618034
_GUTTER = 6
_FEW = 4


def hue(number: int) -> Floats:
    """Return a distinct color for each number."""
    angle = 6 * ((number * _GOLDEN) % 1.0)
    wave = np.clip(np.abs((angle + np.array([0.0, 4.0, 2.0])) % 6 - 3) - 1, 0, 1)
    return np.asarray(0.25 + 0.62 * wave)


def hues(numbers: NDArray[np.int64]) -> Floats:
    """Return a color for each number; numbers below 0 are gray."""
    table = np.array([hue(k) for k in range(int(numbers.max(initial=0)) + 1)])
    return np.where(numbers[:, None] >= 0, table[np.maximum(numbers, 0)], GRAY)


def arrays(mesh: tc.Mesh | MeshArrays) -> MeshArrays:
    """Return vertices and faces."""
    return (mesh.vertices, mesh.faces) if isinstance(mesh, tc.Mesh) else mesh


def put(mesh: tc.Mesh | MeshArrays, color: Floats, pose: Floats | None = None) -> Placed:
    """Return a mesh at a pose; `color` may have a row for each face."""
    body = Shape.of(arrays(mesh), GRAY)
    where = np.eye(4) if pose is None else pose
    return [(replace(body, color=to_linear(np.asarray(color))), where)]


def put_robot(
    robot: tc.Robot, q: Floats, color: Floats | dict[str, Floats], still: Floats | None = None
) -> Placed:
    """Return the links of a robot in one color, or in colors by name.

    Links that have the same pose at `still` are left out, because they are drawn there already.
    """
    poses, parts = robot.forward_kinematics(q), []
    others = robot.forward_kinematics(still) if still is not None else {}
    for name in robot.link_names:
        if name in others and np.allclose(others[name], poses[name], atol=1e-9):
            continue
        own = color.get(name, GRAY) if isinstance(color, dict) else color
        mesh = robot.links[name].mesh
        if mesh is not None:
            parts += put(mesh, own, poses[name])
    return parts


def put_scene(scene: tc.Scene, color: Floats = GRAY) -> Placed:
    """Return the bodies of a scene at time 0."""
    bodies = ((scene[name].mesh, scene[name].motion.pose(0.0)) for name in scene.names)
    return [part for mesh, pose in bodies for part in put(mesh, color, pose)]


def cut_away(placed: Placed, shown: Placed, view: View, margin: float) -> Placed:
    """Return bodies without faces that hide others from the eye.

    Faces are kept up to `margin` nearer than the middle of `shown`.
    """
    towards = view_direction(*view)
    points = points_of(shown)
    limit = float(((points.min(axis=0) + points.max(axis=0)) / 2) @ towards) + margin
    kept = []
    for body, pose in placed:
        near = (body.at(pose) @ towards)[body.faces].max(axis=1) > limit
        if not near.all():
            color = body.color if body.color.ndim == 1 else body.color[~near]
            kept.append((replace(body, faces=body.faces[~near], color=color), pose))
    return kept


def points_of(placed: Iterable[tuple[Shape, Floats]]) -> Floats:
    """Return all drawn vertices in world coordinates."""
    return np.concatenate([body.at(pose)[np.unique(body.faces)] for body, pose in placed])


def picture(
    placed: Placed, view: View, size: tuple[int, int] = SIZE, around: Placed | None = None
) -> Image:
    """Return a picture of bodies; the camera frames `around`, by default all of them."""
    return to_image(_drawn(placed, *_camera(around or placed, view, size)).colors)


def marked(
    placed: Placed, view: View, contacts: Sequence[tuple[Floats, Floats]], around: Placed
) -> Image:
    """Return a picture with marks at contacts: points and normals, or dots if there are many."""
    camera, reach = _camera(around, view, SIZE)
    drawn = _drawn(placed, camera, reach)
    for point, normal in contacts:
        if len(contacts) <= _FEW:
            draw_contact(drawn.colors, camera, point, np.nan_to_num(normal))
        else:
            where = camera.project(point[None])[0, :2]
            disc(drawn.colors, where, 3.4, INK)
            disc(drawn.colors, where, 2.3, SPARK)
    return to_image(drawn.colors)


def _camera(seen: Placed, view: View, size: tuple[int, int]) -> tuple[Projection, float]:
    points = points_of(seen)
    reach = 0.02 * float(np.linalg.norm(np.ptp(points, axis=0)))
    return fit_camera(points, view_direction(*view), size), reach


def _drawn(placed: Placed, camera: Projection, reach: float) -> Picture:
    return render(placed, camera, reach)


def below_of(placed: Placed, height: float) -> Placed:
    """Return a floor under bodies, a little larger than their shadow."""
    points = points_of(placed)
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    size = 1.5 * (high - low)
    floor = plate(float(size[0]), float(size[1]), 0.01 * float(size.max()))
    x, y = (low + high) / 2
    return put(floor, PALE, tc.pose((x, y, height)))


def stacked(*images: Image) -> Image:
    """Return images of equal width one above the other."""
    gutter = np.full((_GUTTER, images[0].shape[1], 3), 255, dtype=np.uint8)
    parts = [part for image in images for part in (image, gutter)][:-1]
    return np.concatenate(parts)


def side_by_side(*images: Image) -> Image:
    """Return images in a row."""
    gutter = np.full((len(images[0]), _GUTTER, 3), 255, dtype=np.uint8)
    parts = [part for image in images for part in (image, gutter)][:-1]
    return np.concatenate(parts, axis=1)
