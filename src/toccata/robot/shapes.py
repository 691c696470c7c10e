"""Primitive shapes as meshes that contain the exact shape.

The corners of a regular polygon lie outside the circle that its sides touch; rings of a sphere are
moved outward likewise. What sticks out is at most the error that is asked for.
"""

from __future__ import annotations

from math import acos, ceil, cos, pi, sin

import numpy as np
from numpy.typing import NDArray

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
    return _revolved([(radius, -length / 2), (radius, length / 2)], error)


def cone(radius: float, length: float, error: float) -> MeshArrays:
    """Return a pyramid around a cone along z, its tip at the upper end."""
    radius, length = _positive("radius", radius), _positive("length", length)
    return _revolved([(radius, -length / 2), (0.0, length / 2)], error)


def capsule(radius: float, length: float, error: float) -> MeshArrays:
    """Return a polyhedron around all points within `radius` of a segment of `length` along z."""
    radius = _positive("radius", radius)
    if length == 0.0:
        return sphere(radius, error)
    # The tangents at 0, d, 2 d ... up to the pole meet halfway between, outside of the circle.
    steps = max(2, ceil(pi / 4 / acos(radius / (radius + error / 2))))
    middle = (np.arange(steps) + 0.5) * pi / 2 / steps
    outer = radius / cos(pi / 4 / steps)
    half = _positive("length", length) / 2
    upper = [(float(outer * cos(a)), float(half + outer * sin(a))) for a in middle]
    return _revolved([(r, -z) for r, z in reversed(upper)] + upper, error / 2)


def _revolved(profile: list[tuple[float, float]], error: float) -> MeshArrays:
    """Return a polyhedron around the solid that a convex profile (radius, z) sweeps about z.

    A cut across the axis is a polygon whose sides touch the circle there, since they do so at all
    corners of the profile. A radius of zero is a tip.
    """
    radius = max(r for r, _ in profile)
    sides = max(8, ceil(pi / acos(radius / (radius + error))))
    angle = 2 * pi * np.arange(sides) / sides
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(sides)]) / cos(pi / sides)
    rings = [r * circle + (0.0, 0.0, z) for r, z in profile]
    ends = [[[0.0, 0.0, z]] for z in (profile[0][1], profile[-1][1])]
    vertices = np.concatenate([*rings, *ends]) * OUTWARD
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    low, high = (np.full(sides, len(vertices) - back) for back in (2, 1))
    top = (len(profile) - 1) * sides
    faces = [np.column_stack([low, j, i]), np.column_stack([high, top + i, top + j])]
    for start in range(0, top, sides):
        a, b, c, d = start + i, start + j, start + sides + i, start + sides + j
        faces += [np.column_stack([a, b, d]), np.column_stack([a, d, c])]
    return _without_slivers(vertices, np.concatenate(faces))


def _without_slivers(vertices: Floats, faces: NDArray[np.intp]) -> MeshArrays:
    """Merge equal vertices, as at a tip, and drop triangles that vanish by that."""
    kept, number = np.unique(vertices, axis=0, return_inverse=True)
    merged = number.reshape(-1)[faces]
    whole = [len(set(row)) == 3 for row in merged.tolist()]
    return kept, merged[whole].astype(np.int32)


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


def ellipsoid(radii: Floats, error: float) -> MeshArrays:
    """Return a polyhedron around an ellipsoid: one around a ball, stretched."""
    stretch = as_shape("radii", radii, 3)
    longest = max(_positive("radii", radius) for radius in stretch)
    vertices, faces = sphere(1.0, error / longest)
    return vertices * stretch, faces
