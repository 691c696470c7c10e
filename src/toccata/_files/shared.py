"""Meshes that the parts of a file share."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from toccata._arrays import Floats, moved
from toccata._files.part import Part, Triangles, as_floats
from toccata._mesh import Mesh

_RIGID = 1e-6
"""Matrices within this of a rotation are rigid, as for all poses."""
_GRID = 2.0**-20
"""Stretches that agree to this share a mesh: matrices of files have about seven digits."""


class SharedMeshes:
    """Makes the meshes of parts: one for all parts that repeat triangles at rigid poses.

    A part that is scaled or mirrored has its own mesh; parts with the same stretch share it.
    """

    def __init__(self, solid: Any) -> None:
        """Set `solid` for all meshes."""
        self._solid = solid
        self._digests: dict[int, tuple[Triangles, bytes]] = {}
        """By the id of triangles: those, which keep the id their own, and their digest."""
        self._known: dict[tuple[bytes, bytes], Mesh] = {}
        """By digest of triangles and stretch."""

    def place(self, part: Part) -> tuple[Mesh, Floats | None]:
        """Return a mesh, and the rigid pose at which it is the part; None for the identity."""
        rotation, stretch = _split(part.pose)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation, part.pose[:3, 3]
        key = self._digest(part.triangles), _rounded(stretch).tobytes()
        if key not in self._known:
            self._known[key] = self._made(part.triangles, stretch)
        return self._known[key], None if np.array_equal(pose, np.eye(4)) else pose

    def _digest(self, triangles: Triangles) -> bytes:
        """Return bytes that are the same for equal triangles: files may hold them several times."""
        if id(triangles) not in self._digests:
            digest = blake2b(as_floats(triangles.vertices).tobytes())
            digest.update(np.asarray(triangles.faces, dtype=np.int64).tobytes())
            self._digests[id(triangles)] = triangles, digest.digest()
        return self._digests[id(triangles)][1]

    def _made(self, triangles: Triangles, stretch: Floats) -> Mesh:
        if np.array_equal(stretch, np.eye(3)):
            return Mesh(triangles.vertices, triangles.faces, self._solid)
        affine = np.eye(4)
        affine[:3, :3] = stretch
        faces = np.asarray(triangles.faces)
        if np.linalg.det(stretch) < 0:
            faces = faces[:, ::-1]  # mirrors turn faces over
        return Mesh(moved(as_floats(triangles.vertices), affine), faces, self._solid)


def _rounded(stretch: Floats) -> Floats:
    """Return the nearest matrix on a grid; the scale 1 is on it, and zeros have no sign."""
    largest = float(np.abs(stretch).max())
    unit = _GRID * 2.0 ** np.frexp(largest)[1]
    return np.asarray(np.round(stretch / unit) * unit + 0.0)


def _split(pose: Floats) -> tuple[Floats, Floats]:
    """Return a rotation and a symmetric matrix whose product is the linear part of a matrix."""
    if not np.all(np.isfinite(pose)) or np.abs(pose[3] - (0, 0, 0, 1)).max() > _RIGID:
        raise ValueError("expected an affine matrix of finite numbers as its pose")
    linear = pose[:3, :3]
    determinant = float(np.linalg.det(linear))
    if determinant > 0 and np.abs(linear.T @ linear - np.eye(3)).max() <= _RIGID:
        return linear, np.eye(3)
    left, sizes, right = np.linalg.svd(linear)
    side = 1.0 if np.linalg.det(left @ right) > 0 else -1.0
    return side * left @ right, side * (right.T * sizes) @ right
