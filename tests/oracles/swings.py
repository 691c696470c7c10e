"""Rates at which the direction between closest features of two triangles turns.

Along a fixed direction, the ends of two turning edges approach although the edges do not. A
direction that turns with the features keeps their gap to first order. Any swing is a valid choice;
a faster one weakens the bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# The features of `directions`: 9 of a vertex of a and an edge of b, 3 of a vertex of a and the face
# of b, the same 12 with a and b exchanged, and 9 of two edges.
EDGE_B, FACE_B, EDGE_A, FACE_A, EDGES = (
    range(9),
    range(9, 12),
    range(12, 21),
    range(21, 24),
    range(24, 33),
)


@dataclass(frozen=True)
class Turning:
    """Pairs of triangles (n, 3, 3), their vertices' velocities, and both angular velocities."""

    a: Array
    b: Array
    velocity_a: Array
    velocity_b: Array
    angular_a: Array
    angular_b: Array


def swings(n: Array, feature: NDArray[np.intp], pairs: Turning) -> list[Array]:
    """Return choices of the derivative of the unit vectors n, each normal to them."""
    choices = [
        np.zeros_like(n),
        np.cross(pairs.angular_a, n),
        np.cross(pairs.angular_b, n),
        _edges_swing(n, feature, pairs),
        _vertex_swing(n, feature, pairs),
    ]
    finite = (np.nan_to_num(w, posinf=0.0, neginf=0.0) for w in choices)
    return [w - _along(w, n) * n for w in finite]


def _edges_swing(n: Array, feature: NDArray[np.intp], pairs: Turning) -> Array:
    """Return the swing of the common perpendicular of two edges, which turns with them."""
    k = np.clip(feature - EDGES.start, 0, 8)
    u, v = _edge(pairs.a, k // 3), _edge(pairs.b, k % 3)
    normal = np.cross(u, v)
    turned = np.cross(np.cross(pairs.angular_a, u), v) + np.cross(u, np.cross(pairs.angular_b, v))
    # Unit vectors are compared: the sign of n says on which side a is.
    with np.errstate(divide="ignore", invalid="ignore"):
        swing = turned / _along(normal, n)
    return np.where((feature >= EDGES.start)[:, None], swing, 0.0)


def _vertex_swing(n: Array, feature: NDArray[np.intp], pairs: Turning) -> Array:
    """Return the swing of the vector from an edge or its end to a vertex that passes."""
    over_b, rows = feature < EDGE_A.start, np.arange(len(n))
    k = np.clip(np.where(over_b, feature, feature - EDGE_A.start), 0, 8)
    pick = over_b[:, None, None]
    corners = np.where(pick, pairs.a, pairs.b), np.where(pick, pairs.b, pairs.a)
    rates = (
        np.where(pick, pairs.velocity_a, pairs.velocity_b),
        np.where(pick, pairs.velocity_b, pairs.velocity_a),
    )
    point, passing = corners[0][rows, k // 3], rates[0][rows, k // 3]
    foot, along, inside = _foot(point, corners[1][rows, k % 3], _edge(corners[1], k % 3))
    edge_rate = rates[1][rows, (k % 3 + 1) % 3] - rates[1][rows, k % 3]
    passing = passing - rates[1][rows, k % 3] - foot * edge_rate
    # Inside an edge the vector stays normal to the edge, so motion along the edge has no effect.
    turning = np.where(inside, _along(n, edge_rate), 0.0) * along
    across = passing - np.where(inside, _along(passing, along), 0.0) * along
    gap = point - corners[1][rows, k % 3] - foot * _edge(corners[1], k % 3)
    with np.errstate(divide="ignore", invalid="ignore"):
        swing: Array = across / _along(gap, n)
        swing = swing - turning / np.linalg.norm(_edge(corners[1], k % 3), axis=1, keepdims=True)
    return swing


def _foot(point: Array, start: Array, edge: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return the parameter of the closest point of an edge, the edge's unit vector, if inside."""
    square = _along(edge, edge)
    safe = np.where(square > 0, square, 1.0)
    k = np.clip(_along(point - start, edge) / safe, 0.0, 1.0)
    return k, edge / np.sqrt(safe), (k > 0) & (k < 1) & (square > 0)


def _edge(triangles: Array, k: NDArray[np.intp]) -> Array:
    rows = np.arange(len(triangles))
    result: Array = triangles[rows, (k + 1) % 3] - triangles[rows, k]
    return result


def _along(w: Array, n: Array) -> Array:
    result: Array = np.sum(w * n, axis=-1, keepdims=True)
    return result
