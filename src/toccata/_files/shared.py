"""Meshes that the parts of a file share."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._files.part import Part, Triangles, as_floats, placed
from toccata._mesh import Mesh

_RIGID = 1e-6
"""Largest deviation of a rigid matrix from a rotation, as for all poses."""
_GRID = 2.0**-20
"""Relative spacing of the grid to which stretches are rounded; files have about seven digits."""


class SharedMeshes:
    """A cache with one mesh for all parts with the same triangles and the same stretch."""

    def __init__(self, solid: Any) -> None:
        """Start without meshes; `solid` is the option of all meshes."""
        self._solid = solid
        self._digests: dict[int, tuple[Triangles, bytes]] = {}
        """Triangles and their digests by id. Triangles are kept alive so that ids stay unique."""
        self._known: dict[tuple[bytes, bytes], Mesh] = {}
        """Meshes by digest of triangles and stretch."""

    def place(self, part: Part) -> tuple[Mesh, Floats | None]:
        """Return the mesh of a part and its rigid pose, or None for the identity."""
        rotation, stretch = _split(part.pose)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation, part.pose[:3, 3]
        key = self._digest(part.triangles), _rounded(stretch).tobytes()
        if key not in self._known:
            self._known[key] = self._made(part.triangles, stretch)
        return self._known[key], None if np.array_equal(pose, np.eye(4)) else pose

    def _digest(self, triangles: Triangles) -> bytes:
        """Return a digest of triangles, because files may repeat equal triangles."""
        if id(triangles) not in self._digests:
            digest = blake2b(as_floats(triangles.vertices).tobytes())
            digest.update(np.asarray(triangles.faces, dtype=np.int64).tobytes())
            self._digests[id(triangles)] = triangles, digest.digest()
        return self._digests[id(triangles)][1]

    def _made(self, triangles: Triangles, stretch: Floats) -> Mesh:
        affine = np.eye(4)
        affine[:3, :3] = stretch
        stretched = placed(Part("", triangles, affine))
        return Mesh(stretched.vertices, stretched.faces, self._solid)


def _rounded(stretch: Floats) -> Floats:
    """Return the nearest matrix on a grid that contains the identity, without negative zeros."""
    largest = float(np.abs(stretch).max())
    unit = _GRID * 2.0 ** np.frexp(largest)[1]
    return np.asarray(np.round(stretch / unit) * unit + 0.0)


def _split(pose: Floats) -> tuple[Floats, Floats]:
    """Return a rotation R and a symmetric matrix S: R S is the linear part of a matrix."""
    if not np.all(np.isfinite(pose)) or np.abs(pose[3] - (0, 0, 0, 1)).max() > _RIGID:
        raise ValueError(f"pose: expected a finite affine matrix, got {pose.tolist()}")
    linear = pose[:3, :3]
    determinant = float(np.linalg.det(linear))
    if determinant > 0 and np.abs(linear.T @ linear - np.eye(3)).max() <= _RIGID:
        return linear, np.eye(3)
    left, sizes, right = np.linalg.svd(linear)
    side = 1.0 if np.linalg.det(left @ right) > 0 else -1.0
    return side * left @ right, side * (right.T * sizes) @ right
