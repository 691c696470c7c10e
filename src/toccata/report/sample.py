"""Points spread evenly over a surface, the same ones every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Steps of an additive sequence that fills the unit square evenly: powers of the real root of
# x^3 = x + 1.
_STEPS = np.array([0.7548776662466927, 0.5698402909980532])


def surface_points(vertices: Array, faces: NDArray[np.integer], count: int) -> Array:
    """Return (count, 3) points on the triangles, as many on each as its area asks for."""
    corners = np.asarray(vertices, dtype=np.float64)[faces]
    edge_1, edge_2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    reached = np.cumsum(np.linalg.norm(np.cross(edge_1, edge_2), axis=1))
    wanted = (np.arange(count) + 0.5) / count * reached[-1]
    # A surface without area still has corners: the last triangle then stands for all.
    triangle = np.minimum(np.searchsorted(reached, wanted), len(faces) - 1)
    u, v = (np.arange(1, count + 1)[:, None] * _STEPS % 1.0).T[:, :, None]
    u, v = np.where(u + v > 1.0, (1.0 - u, 1.0 - v), (u, v))
    return np.asarray(corners[triangle, 0] + u * edge_1[triangle] + v * edge_2[triangle])
