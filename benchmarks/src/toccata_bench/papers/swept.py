"""Line-swept spheres and the volumes that they sweep: Redon et al. 2004, section 4.2.

For pictures only: the core fits its own, and tessellates the solid instead of the surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

import toccata as tc
from toccata.scenes.primitives import icosphere
from toccata.scenes.surface import MeshArrays, as_mesh, patch_faces, union

Floats = NDArray[np.float64]

_SIDES = 20
_CREEPS = 24


@dataclass(frozen=True, slots=True)
class LineSwept:
    """All points within `radius` of the segment from `start` to `end`."""

    start: Floats
    end: Floats
    radius: float

    @property
    def volume(self) -> float:
        """Volume of a cylinder with half balls at both ends."""
        length = float(np.linalg.norm(self.end - self.start))
        return float(np.pi * self.radius**2 * (length + 4 / 3 * self.radius))

    def distances(self, points: Floats) -> Floats:
        """Return the distances of points from the segment."""
        line = self.end - self.start
        length2 = float(line @ line) or 1.0
        share = np.clip((points - self.start) @ line / length2, 0.0, 1.0)
        return np.asarray(np.linalg.norm(points - self.start - share[:, None] * line, axis=1))

    def placed(self, pose: Floats) -> LineSwept:
        """Return the volume at a pose."""
        turn, shift = pose[:3, :3], pose[:3, 3]
        return LineSwept(turn @ self.start + shift, turn @ self.end + shift, self.radius)

    def mesh(self) -> MeshArrays:
        """Return its surface."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2
        length = float(np.linalg.norm(half))
        axes = _axes_with(half / length if length > 0 else np.array([0.0, 0.0, 1.0]))
        points, faces = swept_ball((0.0, 0.0, length), self.radius)
        return as_mesh(points @ axes + middle, faces)


def swept_ball(half: ArrayLike, radius: float) -> MeshArrays:
    """Return the surface of a ball swept over a box: a point, line or rectangle if it is flat."""
    points, faces = icosphere(1.0, 4)
    sides = np.where(points >= 0, 1.0, -1.0)  # a vertex on the seam belongs to one side
    return as_mesh(radius * points + sides * np.asarray(half, dtype=np.float64), faces)


def line_swept(points: Floats) -> LineSwept:
    """Return the smallest volume along a principal axis of the points."""
    center = (points.min(axis=0) + points.max(axis=0)) / 2
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]
    found = [_fitted(points, axis, center) for axis in (*axes, *np.eye(3))]
    return min(found, key=lambda one: one.volume)


def _fitted(points: Floats, axis: Floats, middle: Floats) -> LineSwept:
    """Fit a cylinder about an axis, then the shortest segment whose caps contain all points."""
    for step in range(2, _CREEPS + 2):
        arms = _across(points - middle, axis)
        middle = middle + arms[np.argmax((arms**2).sum(axis=1))] / step
    arms2 = (_across(points - middle, axis) ** 2).sum(axis=1)
    caps = np.sqrt(np.maximum(arms2.max() - arms2, 0.0))
    along = (points - middle) @ axis
    low, high = float((along + caps).min()), float((along - caps).max())
    if low > high:
        low = high = (low + high) / 2
    ends = LineSwept(middle + low * axis, middle + high * axis, 0.0)
    return LineSwept(ends.start, ends.end, float(ends.distances(points).max()) * (1 + 1e-12))


def _across(vectors: Floats, axis: Floats) -> Floats:
    return np.asarray(vectors - (vectors @ axis)[:, None] * axis)


def _axes_with(third: Floats) -> Floats:
    """Return three rows, the last of them given."""
    first = np.cross(third, np.eye(3)[np.argmin(np.abs(third))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(third, first), third])


@dataclass(frozen=True, slots=True)
class Sweep:
    """Parts of the volume that a line-swept sphere sweeps, as in figure 4 of the paper.

    `ends` are the volumes at both ends, `ruled` is the surface of the segment, `sheets` are its two
    offsets, and `pipes` are swept by the caps.
    """

    ends: MeshArrays
    ruled: MeshArrays
    sheets: MeshArrays
    pipes: MeshArrays

    @property
    def whole(self) -> MeshArrays:
        """Boundary with some parts inside, as in the paper."""
        return union(self.ends, self.sheets, self.pipes)


def sweep(volumes: list[LineSwept]) -> Sweep:
    """Tessellate the volume that a line-swept sphere sweeps, given at times (eq. 8 to 10)."""
    radius = volumes[0].radius
    starts, ends = (np.array([getattr(v, end) for v in volumes]) for end in ("start", "end"))
    share = np.linspace(0.0, 1.0, 5)[None, :, None]
    surface = starts[:, None] * (1 - share) + ends[:, None] * share
    normals = _normals(surface)
    grids = [_grid(surface + side * radius * normals) for side in (-1.0, 1.0)]
    first, last = volumes[0].mesh(), volumes[-1].mesh()
    pipes = union(_pipe(starts, radius), _pipe(ends, radius))
    return Sweep(union(first, last), _grid(surface), union(*grids), pipes)


def _grid(points: Floats) -> MeshArrays:
    rows, columns = points.shape[:2]
    return as_mesh(points.reshape(-1, 3), patch_faces(np.arange(rows * columns).reshape(rows, -1)))


def _normals(surface: Floats) -> Floats:
    """Return unit normals of a grid; points at rest take the normals of their neighbors."""
    across = np.cross(np.gradient(surface, axis=0), np.gradient(surface, axis=1))
    length = np.linalg.norm(across, axis=2, keepdims=True)
    still = (length < 1e-9 * length.max())[:, :, 0]
    across = np.where(still[:, :, None], across.mean(axis=1, keepdims=True), across)
    length = np.maximum(np.linalg.norm(across, axis=2, keepdims=True), 1e-300)
    return np.asarray(across / length)


def _pipe(curve: Floats, radius: float) -> MeshArrays:
    """Return the pipe about a curve.

    Its rings do not twist: the paper's frames (eq. 10) are not defined where a curve is straight.
    """
    apart = np.linalg.norm(np.diff(curve, axis=0, prepend=curve[:1] + 1.0), axis=1)
    line = curve[apart > 1e-9]
    if len(line) < 2:
        return as_mesh(curve[:1], np.empty((0, 3)))
    tangents = np.gradient(line, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    angle = 2 * np.pi * np.arange(_SIDES + 1) / _SIDES
    rings, u = [], _axes_with(tangents[0])[0]
    for point, tangent in zip(line, tangents, strict=True):
        u = u - (u @ tangent) * tangent
        u = u / np.linalg.norm(u)
        v = np.cross(tangent, u)
        rings.append(point + radius * (np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * v))
    return _grid(np.array(rings))


def link_volumes(
    robot: tc.Robot, link: str, ends: tuple[Floats, Floats], count: int = 33
) -> list[LineSwept]:
    """Return the line-swept sphere of a link at several times of a motion."""
    mesh = robot.links[link].mesh
    assert mesh is not None, "the caller names links with geometry"
    own = line_swept(mesh.vertices)
    rows = robot.interpolate(*ends, np.linspace(0.0, 1.0, count))
    return [own.placed(robot.forward_kinematics(row)[link]) for row in rows]
