"""What is near: the distance of two bodies, and all their features within a distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata import _result
from toccata._arrays import Floats, as_threads, as_unchecked
from toccata._mesh import as_mesh
from toccata._motion import STILL, Motion
from toccata._native import core

FEATURES = (
    "vertex-face",
    "face-vertex",
    "edge-edge",
    "vertex-edge",
    "edge-vertex",
    "vertex-vertex",
    "surface",
)
"""Names of the codes in `Proximities.kind`: of a, then of b; "surface" for triangles that pass
through each other."""


@dataclass(frozen=True, slots=True, eq=False)
class Distance:
    """The least distance of two bodies, which lies between `lower` and `upper`.

    Both are 0 for bodies that intersect by more than rounding, flush faces included, or one of
    which is inside a solid of the other. Then there is no normal, and inside there are no points
    and no triangles either. For bodies that only touch, `upper` is within rounding of 0.
    """

    lower: float
    upper: float
    distance: float
    """Measured between the points below; rounding separates it from both bounds."""
    point_a: Floats
    point_b: Floats
    """In world coordinates."""
    normal: Floats
    """Of length 1, from b to a; NaN if the distance is not above rounding."""
    triangle_a: int
    triangle_b: int
    feature: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """Distances at many poses, one row each; fields as in Distance."""

    lower: Floats
    upper: Floats
    distance: Floats
    point_a: Floats
    point_b: Floats
    normal: Floats
    triangle_a: NDArray[np.int32]
    triangle_b: NDArray[np.int32]
    feature: NDArray[np.uint8]
    """Codes; `toccata._result.FEATURES` names them."""

    def __len__(self) -> int:
        return len(self.lower)


@dataclass(frozen=True, slots=True, eq=False)
class SceneDistances(Distances):
    """Distances of pairs of bodies of a scene, one row each, in the order of the bodies."""

    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Rows of `names`; `body_a` was added first."""
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Proximities:
    """Pairs of features that are near each other, one row each, by distance, then by vertices."""

    kind: NDArray[np.uint8]
    """(k,) codes; `toccata.FEATURES` names them."""
    vertices_a: NDArray[np.int32]
    vertices_b: NDArray[np.int32]
    """(k, 3) vertices of the features, -1 where there are fewer; of vertices with equal
    coordinates, the first."""
    point_a: Floats
    point_b: Floats
    """(k, 3), in world coordinates."""
    normal: Floats
    """(k, 3), of length 1, from b to a; NaN where the distance is not above rounding."""
    distance: Floats
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """(k,) which bodies: of a scene, indices into its names; of a robot, into its `link_names`,
    with the bodies of the world after them; of two bodies, zero."""

    def __len__(self) -> int:
        return len(self.kind)


def distance(a: Any, b: Any, pose_a: ArrayLike, pose_b: ArrayLike | None = None) -> Distance:
    """Return the least distance of two bodies, with certified bounds.

    Args:
        a: toccata.Mesh or trimesh.Trimesh.
        b: the other body.
        pose_a: (4, 4) pose of a.
        pose_b: the same for b; by default b is where its coordinates are.

    """
    *plain, feature = core.distance(*_placed(a, b, pose_a, pose_b))
    return Distance(*(*plain, _result.FEATURES[feature]))


def distance_batch(
    a: Any,
    b: Any,
    poses_a: ArrayLike,
    poses_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> Distances:
    """Answer `distance` for many poses of the same two bodies.

    Args:
        a: toccata.Mesh or trimesh.Trimesh.
        b: the other body.
        poses_a: (n, 4, 4) poses of a.
        poses_b: the same for b; by default b is where its coordinates are.
        threads: number of threads; by default one per core. The answers do not depend on it.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    rows_a = as_unchecked("poses_a", poses_a, -1, 4, 4)
    rows_b = np.empty((0, 4, 4))
    if poses_b is not None:
        rows_b = as_unchecked("poses_b", poses_b, -1, 4, 4)
        if len(rows_b) != len(rows_a):
            wanted = f"{len(rows_a)} poses like poses_a"
            raise ValueError(f"poses_b: expected {wanted}, got {len(rows_b)}")
    return Distances(*core.distance_batch(mesh_a, mesh_b, rows_a, rows_b, as_threads(threads)))


def proximities(
    a: Any, b: Any, pose_a: ArrayLike, pose_b: ArrayLike | None = None, *, distance: float
) -> Proximities:
    """Return all pairs of features within `distance` that are nearest to each other locally.

    docs/proximities.md says what is listed.

    Args:
        a: toccata.Mesh or trimesh.Trimesh.
        b: the other body.
        pose_a: (4, 4) pose of a.
        pose_b: the same for b; by default b is where its coordinates are.
        distance: how near counts.

    """
    return Proximities(*core.proximities(*_placed(a, b, pose_a, pose_b), distance))


def _placed(
    a: Any, b: Any, pose_a: ArrayLike, pose_b: ArrayLike | None
) -> tuple[core.Mesh, core.Motion, core.Mesh, core.Motion]:
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    at_b = STILL if pose_b is None else _at("pose_b", pose_b)
    return mesh_a, _at("pose_a", pose_a)._core, mesh_b, at_b._core


def _at(name: str, pose: ArrayLike) -> Motion:
    try:
        return Motion.fixed(as_unchecked(name, pose, 4, 4))
    except ValueError as error:
        raise ValueError(str(error).replace("pose:", f"{name}:", 1)) from error
