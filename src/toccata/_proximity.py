"""Distances between two bodies, and the pairs of their features within a distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_many, as_threads, as_unchecked
from toccata._mesh import as_mesh
from toccata._motion import STILL, Motion
from toccata._native import core
from toccata._printed import Printed, counted, details
from toccata._result import FEATURES, Bracket, ClosestRows, NamedRows, PairRows, feature_name
from toccata.typing import BodyLike, PoseLike


@dataclass(frozen=True, eq=False)
class Distance(Bracket):
    """The least distance between two bodies, with certified bounds.

    Both bounds are 0 if the bodies intersect by more than rounding or have flush faces, or if one
    body is inside a solid of the other. Then the normal is NaN; inside a solid, points and
    triangles are also unknown. If the bodies only touch, `upper` is within rounding of 0.
    """

    normal: Floats
    """Unit vector from b to a; NaN if the distance is 0 up to rounding."""
    triangle_a: int
    """Nearest triangle of a, a row of its faces; -1 if unknown."""
    triangle_b: int
    feature: str | None
    """Nearest features, one of `toccata.FEATURES`; None if unknown."""

    def __str__(self) -> str:
        """Return one line: the distance, its bounds, and the nearest features."""
        nearest = ", ".join(details(self.feature, self.triangle_a, self.triangle_b))
        bounds = f"distance {self.distance:.6g}, between {self.lower:.6g} and {self.upper:.6g}"
        return bounds + (f": {nearest}" if nearest else "")


@dataclass(frozen=True, eq=False)
class BracketRows(Printed):
    """Certified bounds of distances, with one row for each distance."""

    lower: Floats
    upper: Floats

    def __len__(self) -> int:
        return len(self.lower)

    def __str__(self) -> str:
        """Return one line: the number of distances, and their range."""
        if not self.lower.size:
            return f"{self.lower.size} distances"
        least, most = self.lower.min(), self.upper.max()
        return f"{self.lower.size} distances from {least:.4g} to {most:.4g}"


@dataclass(frozen=True, eq=False)
class Distances(ClosestRows, BracketRows):
    """Distances at many poses, with one row for each pose and the fields of `Distance`."""


@dataclass(frozen=True, eq=False)
class ClearanceBatch(PairRows, BracketRows):
    """Least distances during many motions, with one row each and the fields of `Clearance`."""

    distance: Floats
    tolerance: Floats
    time: Floats
    """Times of the points, (n,), from 0 to 1; NaN if unknown."""
    point_a: Floats
    point_b: Floats
    """Closest points in world coordinates, (n, 3)."""
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Nearest bodies, indices into `names`, (n,); -1 if no bodies come nearer than the limit. For
    robots, `body_a` is a link."""
    names: tuple[str, ...]
    """Names of the bodies of a scene; for robots, of links with geometry, then of bodies."""


@dataclass(frozen=True, eq=False)
class SceneDistances(NamedRows, Distances):
    """Distances between bodies of a scene, one row for each pair, sorted by bodies."""


@dataclass(frozen=True, slots=True, eq=False)
class Proximities(Printed):
    """Nearby pairs of features, one row each, sorted by distance, then by vertices."""

    kind: NDArray[np.uint8]
    """Kinds of the pairs, indices into `toccata.FEATURES`, (k,)."""
    vertices_a: NDArray[np.int32]
    vertices_b: NDArray[np.int32]
    """Vertices of the features, (k, 3), filled up with -1. If several vertices have equal
    coordinates, the first of them is listed."""
    point_a: Floats
    point_b: Floats
    """Closest points of the features in world coordinates, (k, 3)."""
    normal: Floats
    """Unit vectors from b to a, (k, 3); NaN if the distance is 0 up to rounding."""
    distance: Floats
    """Distances of the features, (k,)."""
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Indices into `names`, (k,); -1 if there are no names."""
    names: tuple[str, ...] = ()
    """Names of the bodies of a scene; for robots, of all links, then of the bodies."""

    def __len__(self) -> int:
        return len(self.kind)

    def __str__(self) -> str:
        """Return one line: the number of pairs of each kind, and the least distance."""
        if not len(self):
            return "0 pairs of features"
        kinds = counted(FEATURES[code] for code in self.kind.tolist())
        return f"{len(self)} pairs of features: {kinds}; least distance {self.distance[0]:.4g}"


def distance(
    a: BodyLike, b: BodyLike, pose_a: PoseLike, pose_b: PoseLike | None = None
) -> Distance:
    """Return the least distance between two bodies, with certified bounds.

    Args:
        a: the first body: a toccata.Mesh or trimesh.Trimesh.
        b: the second body.
        pose_a: pose of a, (4, 4).
        pose_b: pose of b, (4, 4); by default the vertices of b are world coordinates.

    """
    *plain, feature = core.distance(*_placed(a, b, pose_a, pose_b))
    return Distance(*(*plain, feature_name(feature)))


def distance_batch(
    a: BodyLike,
    b: BodyLike,
    poses_a: ArrayLike,
    poses_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> Distances:
    """Return the distances between two bodies at many poses, as `distance` measures them.

    Args:
        a: the first body: a toccata.Mesh or trimesh.Trimesh.
        b: the second body.
        poses_a: poses of a, (n, 4, 4).
        poses_b: poses of b, (n, 4, 4); by default the vertices of b are world coordinates.
        threads: number of threads; default: one per core. Answers do not depend on it.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    rows_a = as_unchecked("poses_a", poses_a, -1, 4, 4)
    rows_b = np.empty((0, 4, 4))
    if poses_b is not None:
        rows_b = as_many("poses_b", poses_b, len(rows_a), 4, 4, like="poses_a")
    return Distances(*core.distance_batch(mesh_a, mesh_b, rows_a, rows_b, as_threads(threads)))


def proximities(
    a: BodyLike,
    b: BodyLike,
    pose_a: PoseLike,
    pose_b: PoseLike | None = None,
    *,
    distance: float,
) -> Proximities:
    """Return the pairs of features within a distance that are local minima of the distance.

    docs/proximities.md defines these pairs.

    Args:
        a: the first body: a toccata.Mesh or trimesh.Trimesh.
        b: the second body.
        pose_a: pose of a, (4, 4).
        pose_b: pose of b, (4, 4); by default the vertices of b are world coordinates.
        distance: largest distance between the features of a pair.

    """
    *columns, _, _ = core.proximities(*_placed(a, b, pose_a, pose_b), distance)
    nobody = np.full(len(columns[0]), -1, dtype=np.int32)
    return Proximities(*(*columns, nobody, nobody))


def _placed(
    a: BodyLike, b: BodyLike, pose_a: PoseLike, pose_b: PoseLike | None
) -> tuple[core.Mesh, core.Motion, core.Mesh, core.Motion]:
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    at_b = STILL if pose_b is None else _at("pose_b", pose_b)
    return mesh_a, _at("pose_a", pose_a)._core, mesh_b, at_b._core


def _at(name: str, pose: PoseLike) -> Motion:
    try:
        return Motion.fixed(as_unchecked(name, pose, 4, 4))
    except ValueError as error:
        raise ValueError(str(error).replace("pose:", f"{name}:", 1)) from error
