"""Times at which triangles meet that move straight without turning, in closed form.

Two triangles meet at the times t at which t v is among the differences of their points: a convex
set with nine corners. Its intersection with the line of t v is an interval.
"""

from __future__ import annotations

from itertools import combinations
from math import inf

import numpy as np

from .shapes import Points, Shape


def meeting(a: Points, b: Points, velocity: Points) -> tuple[float, float]:
    """Return the first and the last time at which a + t velocity meets b; (inf, -inf) if none."""
    corners = (b[:, None] - a[None]).reshape(9, 3)
    triples = corners[np.array(list(combinations(range(9), 3)))]
    # Solves o + x u + y w = t velocity for all triangles of corners, which contain the border.
    o, u, w = triples[:, 0], triples[:, 1] - triples[:, 0], triples[:, 2] - triples[:, 0]
    normal = np.cross(u, w)
    speed = normal @ velocity
    size = np.linalg.norm(normal, axis=1) * np.linalg.norm(velocity)
    sound = np.abs(speed) > 1e-12 * size
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.einsum("ij,ij->i", normal, o) / speed
        at = times[:, None] * velocity - o
        x = np.einsum("ij,ij->i", np.cross(at, w), normal)
        y = np.einsum("ij,ij->i", np.cross(u, at), normal)
        area = np.einsum("ij,ij->i", normal, normal)
        slack = 1e-9 * area
        inside = sound & (x >= -slack) & (y >= -slack) & (x + y <= area + slack)
    found = times[inside]
    return (float(found.min()), float(found.max())) if found.size else (inf, -inf)


def meetings(a: Shape, b: Shape, velocity: Points) -> Points:
    """Return the times of all pairs of triangles, (n, 2)."""
    return np.array([meeting(a[0][f], b[0][g], velocity) for f in a[1] for g in b[1]])
