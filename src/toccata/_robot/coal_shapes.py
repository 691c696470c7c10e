"""Meshes of coal geometries: exact for flat shapes, containing for round ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._robot import shapes
from toccata.scenes.surface import MeshArrays


def coal_mesh(geometry: Any, error: float) -> Mesh:
    """Return the mesh of a geometry; it protrudes from a round shape by at most `error`."""
    kind = type(geometry).__name__
    inflated = getattr(geometry, "getSweptSphereRadius", lambda: 0.0)()
    if inflated != 0:
        raise ValueError(f"expected a {kind} without swept sphere, got radius {inflated}")
    if kind.startswith("BVHModel"):
        return Mesh(*_triangles(geometry))
    if kind not in _SOLIDS:
        known = ", ".join(_SOLIDS)
        raise ValueError(f"expected a mesh of triangles or one of {known}, got {kind}")
    # A single triangle bounds no solid.
    return Mesh(*_SOLIDS[kind](geometry, error), solid=kind != "TriangleP")


def _triangles(geometry: Any) -> MeshArrays:
    if not geometry.num_tris:
        raise ValueError(f"expected triangles, got {geometry.num_vertices} points")
    triangles = (geometry.tri_indices(i) for i in range(geometry.num_tris))
    faces = [(int(t[0]), int(t[1]), int(t[2])) for t in triangles]
    return np.array(geometry.vertices(), dtype=np.float64), np.array(faces, dtype=np.int32)


def _convex(geometry: Any, _: float) -> MeshArrays:
    polygons = (geometry.polygons(i) for i in range(geometry.num_polygons))
    faces = [(int(t[0]), int(t[1]), int(t[2])) for t in polygons]
    if not faces:
        raise ValueError("expected a Convex with faces, got points only")
    return np.array(geometry.points(), dtype=np.float64), np.array(faces, dtype=np.int32)


def _triangle(geometry: Any, _: float) -> MeshArrays:
    corners: Floats = np.array([geometry.a, geometry.b, geometry.c], dtype=np.float64)
    return corners.reshape(3, 3), np.array([[0, 1, 2]], dtype=np.int32)


_SOLIDS = {
    "Box": lambda g, _: shapes.box(2 * np.asarray(g.halfSide).ravel()),
    "Sphere": lambda g, error: shapes.sphere(g.radius, error),
    "Ellipsoid": lambda g, error: shapes.ellipsoid(np.asarray(g.radii).ravel(), error),
    "Cylinder": lambda g, error: shapes.cylinder(g.radius, 2 * g.halfLength, error),
    "Capsule": lambda g, error: shapes.capsule(g.radius, 2 * g.halfLength, error),
    "Cone": lambda g, error: shapes.cone(g.radius, 2 * g.halfLength, error),
    "Convex": _convex,
    "TriangleP": _triangle,
}
