"""Primitives of a URDF as meshes that contain the exact shape.

The corners of a regular polygon lie outside the circle that its sides touch; rings of a sphere are
moved outward likewise. What sticks out is at most the error that is asked for.
"""

from __future__ import annotations

from math import acos, ceil, cos, pi

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata.scenes.primitives import box as box_arrays
from toccata.scenes.primitives import icosphere
from toccata.scenes.surface import MeshArrays

OUTWARD = 1 + 2.0**-44
"""Covers the rounding of corners."""


def _positive(name: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name}: expected a positive number, got {value}")
    return float(value)


def box(size: Floats) -> MeshArrays:
    """Return a box; exact."""
    sides = as_shape("size", size, 3)
    for side in sides:
        _positive("size", side)
    return box_arrays(sides)


def cylinder(radius: float, length: float, error: float) -> MeshArrays:
    """Return a prism around a cylinder along z."""
    radius, length = _positive("radius", radius), _positive("length", length)
    sides = max(8, ceil(pi / acos(radius / (radius + error))))
    angle = 2 * pi * np.arange(sides) / sides
    outer = radius / cos(pi / sides) * OUTWARD
    ring = np.column_stack([outer * np.cos(angle), outer * np.sin(angle)])
    half = length / 2 * OUTWARD
    rows = [np.column_stack([ring, np.full(sides, z)]) for z in (-half, half)]
    vertices = np.concatenate([*rows, [[0.0, 0.0, -half], [0.0, 0.0, half]]])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    low, high = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    faces = np.concatenate(
        [
            np.column_stack(columns)
            for columns in (
                (i, j, sides + j),
                (i, sides + j, sides + i),
                (low, j, i),
                (high, sides + i, sides + j),
            )
        ]
    )
    return vertices, faces.astype(np.int32)


def sphere(radius: float, error: float) -> MeshArrays:
    """Return a geodesic polyhedron around a sphere."""
    radius = _positive("radius", radius)
    for subdivisions in range(1, 7):
        vertices, faces = icosphere(1.0, subdivisions)
        corners = vertices[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        # The face that comes closest to the middle decides how far all corners move outward.
        inner = float((normals * corners[:, 0]).sum(axis=1).min())
        if radius * (1 / inner - 1) <= error:
            break
    return vertices * (radius / inner * OUTWARD), faces
