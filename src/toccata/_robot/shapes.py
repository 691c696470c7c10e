"""Meshes that contain primitive shapes.

The sides of a polygon touch its circle from outside, and the faces of a polyhedron do not cut its
sphere. Meshes protrude by at most the given error, rounding included. To contain the shape in spite
of rounding, a mesh is built for a radius that is larger by a margin. Therefore the margin is
subtracted from the error twice: once for the larger radius, and once for corners that are rounded
outward.

A mesh with error e around a shape of radius r takes about 9 sqrt(r / e) triangles for a cylinder or
cone, 5.4 r / e for a sphere or ellipsoid (with its largest radius), and 10 r / e for a capsule.
"""

from __future__ import annotations

from math import asin, ceil, cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, as_shape
from toccata.scenes.primitives import box as box_arrays
from toccata.scenes.primitives import icosahedron
from toccata.scenes.surface import MeshArrays

MOST_TRIANGLES = 1_000_000
"""Largest number of triangles of one shape."""
MARGIN = 2.0**-44
"""Margin relative to the largest coordinate, equal to hundreds of rounding errors."""


def _positive(name: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name}: expected a positive number, got {value}")
    return float(value)


def _grown(radius: float, size: float, error: float) -> tuple[float, float]:
    """Return the radius plus the margin, and the remaining error."""
    margin = MARGIN * size
    if not 4 * margin < error:
        why = f"the rounding error at coordinates of {size:g}"
        raise ValueError(
            f"primitive_error: expected more than {4 * margin:.3g} ({why}), got {error:g}"
        )
    return radius + margin, error - 2 * margin


def _check_count(triangles: int, radius: float) -> None:
    if triangles > MOST_TRIANGLES:
        wanted = f"a larger error: a radius of {radius:g} would take {triangles:.3g} triangles"
        raise ValueError(f"primitive_error: expected {wanted}, more than {MOST_TRIANGLES}")


def _half_step(radius: float, error: float) -> float:
    """Return the angle between the middle of a side and a corner of a polygon around a circle.

    The cosine of the angle is radius / (radius + error). For small errors, the angle is computed
    more precisely from the sine of its half.
    """
    return 2 * asin(sqrt(error / (2 * (radius + error))))


def box(size: Floats) -> MeshArrays:
    return box_arrays([_positive("size", side) for side in as_shape("size", size, 3)])


def cylinder(radius: float, length: float, error: float) -> MeshArrays:
    """Return a prism around a cylinder along z."""
    radius, half = _positive("radius", radius), _positive("length", length) / 2
    radius, error = _grown(radius, radius, error)
    return _revolved([(radius, -half), (radius, half)], error)


def cone(radius: float, length: float, error: float) -> MeshArrays:
    """Return a pyramid around a cone along z with its tip at the upper end."""
    radius, half = _positive("radius", radius), _positive("length", length) / 2
    radius, error = _grown(radius, radius, error)
    return _revolved([(radius, -half), (0.0, half)], error)


def capsule(radius: float, length: float, error: float) -> MeshArrays:
    """Return a polyhedron around all points within `radius` of a segment of `length` along z."""
    radius = _positive("radius", radius)
    if length == 0.0:
        return sphere(radius, error)
    half = _positive("length", length) / 2
    radius, error = _grown(radius, radius + half, error)
    # Tangents at the angles 0, d, 2 d, ... up to the pole meet halfway, outside of the circle.
    steps = max(2, ceil(pi / 4 / _half_step(radius, error / 2)))
    _check_count(4 * steps * steps, radius)  # a lower bound, checked before the mesh is built
    middle = (np.arange(steps) + 0.5) * pi / 2 / steps
    outer = radius / cos(pi / 4 / steps)
    upper = [(float(outer * cos(a)), float(half + outer * sin(a))) for a in middle]
    return _revolved([(r, -z) for r, z in reversed(upper)] + upper, error / 2)


def _revolved(profile: list[tuple[float, float]], error: float) -> MeshArrays:
    """Return a polyhedron around the solid that a convex profile (radius, z) sweeps about z.

    At the corners of the profile, and therefore at all heights, the sides of the cross section
    touch the circle of the solid. A last radius of zero makes a tip.
    """
    radius = max(r for r, _ in profile)
    sides = max(8, ceil(pi / _half_step(radius, error)))
    _check_count(2 * len(profile) * sides, radius)
    angle = 2 * pi * np.arange(sides) / sides
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(sides)]) / cos(pi / sides)
    rings = [r * circle + (0.0, 0.0, z) for r, z in profile if r > 0]
    ends = [[[0.0, 0.0, z]] for z in (profile[0][1], profile[-1][1])]
    vertices = np.concatenate([*rings, *ends])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    low, high = (np.full(sides, len(vertices) - back) for back in (2, 1))
    top = (len(rings) - 1) * sides
    faces = [np.column_stack([low, j, i]), np.column_stack([high, top + i, top + j])]
    for start in range(0, top, sides):
        a, b, c, d = start + i, start + j, start + sides + i, start + sides + j
        faces += [np.column_stack([a, b, d]), np.column_stack([a, d, c])]
    return vertices, np.concatenate(faces).astype(np.int32)


def sphere(radius: float, error: float) -> MeshArrays:
    """Return a geodesic polyhedron around a sphere."""
    radius = _positive("radius", radius)
    grown, rest = _grown(radius, radius, error)
    # With n * n triangles in each of 20 faces, the relative error is about 5.33 / (20 n * n).
    parts = max(2, ceil(sqrt(5.33 / 20 * grown / rest)))
    while True:
        _check_count(20 * parts * parts, radius)
        vertices, faces = _geodesic(parts)
        corners = vertices[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        # The face closest to the center determines how far all corners move outward.
        inner = float((normals * corners[:, 0]).sum(axis=1).min())
        if grown * (1 / inner - 1) <= rest:
            return vertices * (grown / inner), faces
        parts += 1


def _geodesic(parts: int) -> MeshArrays:
    """Return an icosahedron projected to the unit sphere, with parts * parts triangles per face.

    Its edges become arcs, which are divided into equal parts.
    """
    corners, faces = icosahedron()
    i, j = (grid.ravel() for grid in np.mgrid[: parts + 1, : parts + 1])
    i, j = i[i + j <= parts], j[i + j <= parts]
    weights = np.column_stack([i, j, parts - i - j])
    # Faces share the points on their edges. Sums of weighted marks identify the points; the
    # assertion checks that different points have different sums.
    marks = np.uint64(0x9E3779B97F4A7C15) ** np.arange(1, 13, dtype=np.uint64)
    keys = (marks[faces][:, None, :] * weights.astype(np.uint64)).sum(axis=2)
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    assert len(first) == 10 * parts**2 + 2
    spread = np.sin(weights / parts * np.arccos(1 / sqrt(5)))
    points = (spread @ corners[faces]).reshape(-1, 3)[first]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    local = _triangle_grid(i, j, parts)
    return points, number.reshape(20, -1)[:, local].reshape(-1, 3).astype(np.int32)


def _triangle_grid(i: NDArray[np.intp], j: NDArray[np.intp], parts: int) -> NDArray[np.intp]:
    """Return the small triangles of a face, for the grid coordinates i and j of its points."""
    at = np.zeros((parts + 2, parts + 2), dtype=np.intp)
    at[i, j] = np.arange(len(i))
    a, b = i[i + j < parts], j[i + j < parts]
    upright = np.column_stack([at[a, b], at[a + 1, b], at[a, b + 1]])
    a, b = i[i + j < parts - 1], j[i + j < parts - 1]
    inverted = np.column_stack([at[a + 1, b], at[a + 1, b + 1], at[a, b + 1]])
    return np.concatenate([upright, inverted])


def ellipsoid(radii: Floats, error: float) -> MeshArrays:
    """Return a polyhedron around an ellipsoid: a sphere's polyhedron, scaled along the axes."""
    stretch = as_shape("radii", radii, 3)
    longest = max(_positive("radii", radius) for radius in stretch)
    vertices, faces = sphere(longest, error)
    return vertices * (stretch / longest), faces  # factors up to 1 do not increase the error
