"""Tubes along bent lines, surfaces of revolution, limbs and rounded boxes."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, inf, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .primitives import circle
from .surface import MeshArrays, Points, skin

Floats = NDArray[np.float64]


def tube(
    corners: ArrayLike,
    radius: float,
    bend: float,
    sides: int = 16,
    steps: int = 8,
    longest: float = inf,
) -> MeshArrays:
    """Return a closed tube along corners, (n, 3), with bends of radius `bend`.

    A bend has `steps` strips of triangles. On straight pieces, no strip is longer than `longest`.
    Straight pieces have to be long enough for the bends at their ends.
    """
    line = divided(rounded(np.asarray(corners, dtype=np.float64), bend, steps), longest)
    rings = [
        center + radius * (circle(1.0, sides)[:, :1] * u + circle(1.0, sides)[:, 1:2] * v)
        for center, u, v in zip(line, *_frames(line), strict=True)
    ]
    return skin([line[:1], *rings, line[-1:]])


def rounded(corners: Points, bend: float, steps: int) -> Points:
    """Return the points of a line after replacing its corners by arcs of radius `bend`."""
    points = [corners[:1]]
    for before, here, after in zip(corners, corners[1:], corners[2:], strict=False):
        points.append(_arc(before, here, after, bend, steps))
    return np.concatenate([*points, corners[-1:]])


def divided(line: Points, longest: float) -> Points:
    """Return a line with additional points, so that no piece is longer than `longest`."""
    points = [line[:1]]
    for a, b in pairwise(line):
        pieces = max(1, ceil(float(np.linalg.norm(b - a)) / longest))
        points.append(a + np.linspace(0.0, 1.0, pieces + 1)[1:, None] * (b - a))
    return np.concatenate(points)


def _arc(before: Floats, here: Floats, after: Floats, bend: float, steps: int) -> Points:
    """Return the points of the arc that touches both pieces of a corner."""
    arrive, leave = _unit(here - before), _unit(after - here)
    angle = float(np.arccos(np.clip(arrive @ leave, -1.0, 1.0)))
    inward = _unit(leave - (leave @ arrive) * arrive)
    start = here - bend * np.tan(angle / 2) * arrive
    turn = np.linspace(0.0, angle, steps + 1)[:, None]
    return np.asarray(start + bend * (np.sin(turn) * arrive + (1 - np.cos(turn)) * inward))


def _frames(line: Points) -> tuple[Points, Points]:
    """Return two directions across the line at each point, without twist about the line."""
    directions = np.array([_unit(b - a) for a, b in pairwise(line)])
    tangents = [_unit(a + b) for a, b in pairwise([directions[0], *directions, directions[-1]])]
    across = [_unit(np.cross(tangents[0], np.eye(3)[np.argmin(np.abs(tangents[0]))]))]
    for tangent in tangents[1:]:
        across.append(_unit(across[-1] - (across[-1] @ tangent) * tangent))
    return np.array(across), np.cross(tangents, across)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


def turned_part(profile: ArrayLike, segments: int) -> MeshArrays:
    """Return the surface of revolution about z of a profile (radius, height), from bottom to top.

    The profile starts and ends on the axis.
    """
    outline = np.asarray(profile, dtype=np.float64)
    rings = [circle(r, segments, z) for r, z in outline[1:-1]]
    poles = [np.array([[0.0, 0.0, z]]) for z in outline[[0, -1], 1]]
    return skin([poles[0], *rings, poles[1]])


def smooth(profile: Sequence[tuple[float, float]], rows: int) -> Floats:
    """Return `rows` + 1 evenly spaced points along a profile."""
    outline = np.asarray(profile, dtype=np.float64)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(outline, axis=0), axis=1))])
    at = np.linspace(0.0, lengths[-1], rows + 1)
    return np.stack([np.interp(at, lengths, column) for column in outline.T], axis=1)


def limb(length: float, start: float, end: float, segments: int = 24, rows: int = 20) -> MeshArrays:
    """Return a tapered capsule along z: balls of radius `start` at 0 and `end` at `length`.

    Its side is the cone that touches both balls, so the surface is smooth. It has
    2 * segments * (rows - 1) triangles.
    """
    tilt = np.arcsin((start - end) / length)
    caps = max(3, rows // 4)
    low = np.linspace(-pi / 2, tilt, caps + 1)
    high = np.linspace(tilt, pi / 2, caps + 1)
    share = np.linspace(0.0, 1.0, rows - 2 * caps + 1)[1:-1, None]
    below = start * np.stack([np.cos(low), np.sin(low)], axis=1)
    above = end * np.stack([np.cos(high), np.sin(high)], axis=1) + (0.0, length)
    side = below[-1] + share * (above[0] - below[-1])
    profile = np.concatenate([below, side, above])
    profile[[0, -1], 0] = 0.0
    return turned_part(profile, segments)


def pillow(half: ArrayLike, power: float = 2.0, segments: int = 24, rows: int = 20) -> MeshArrays:
    """Return the superellipsoid |x/a|^p + |y/b|^p + |z/c|^p = 1.

    (a, b, c) is `half` and p is `power`. The surface is an ellipsoid at p = 2 and nearly a box at
    p = 8. It has 2 * segments * (rows - 1) triangles.
    """
    polar = np.linspace(-pi / 2, pi / 2, rows + 1)
    profile = np.stack([np.cos(polar), np.sin(polar)], axis=1)
    profile[[0, -1], 0] = 0.0
    vertices, faces = turned_part(profile, segments)
    reach = (np.abs(vertices) ** power).sum(axis=1, keepdims=True) ** (-1 / power)
    return vertices * reach * np.asarray(half, dtype=np.float64), faces
