"""Models with curved, finely tessellated surfaces: a knotted tube and a studded club."""

from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from ._refine import refined
from .surface import MeshArrays, Points, as_mesh, grid_faces, skin

Floats = NDArray[np.float64]

# Opposite strands are two minor radii apart and the curve bends no tighter than 0.75, so a tube of
# less than the minor radius neither meets nor folds into itself.
_KNOT_MAJOR, _KNOT_MINOR, _KNOT_TUBE = 1.0, 0.42, 0.24


def torus_knot(count: int = 34_600) -> MeshArrays:
    """Return a (2, 3) torus knot, a tube of about `count` triangles (within 1 % from 4,000 on).

    Two strands wind around each other, so that near each contact they almost touch elsewhere.
    """
    length = _knot_length()
    around = max(8, round(sqrt(count * pi * _KNOT_TUBE / length)))
    sections = round(count / (2 * around))
    center, normal, binormal = _knot_frame(2 * pi * np.arange(sections) / sections)
    angle = (2 * pi * np.arange(around) / around)[None, :, None]
    offset = np.cos(angle) * normal[:, None] + np.sin(angle) * binormal[:, None]
    points = center[:, None] + _KNOT_TUBE * offset
    return as_mesh(points.reshape(-1, 3), grid_faces(sections, around))


def _knot_curve(phi: Floats) -> Points:
    ring = _KNOT_MAJOR + _KNOT_MINOR * np.cos(3 * phi)
    height = _KNOT_MINOR * np.sin(3 * phi)
    return np.stack([ring * np.cos(2 * phi), ring * np.sin(2 * phi), height], axis=-1)


def _knot_length() -> float:
    points = _knot_curve(np.linspace(0.0, 2 * pi, 2001))
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _knot_frame(phi: Floats) -> tuple[Points, Points, Points]:
    """Return points of the curve, each with a frame that follows the torus and never flips."""
    core = _KNOT_MAJOR * np.stack([np.cos(2 * phi), np.sin(2 * phi), 0 * phi], axis=-1)
    ring, slope = _KNOT_MAJOR + _KNOT_MINOR * np.cos(3 * phi), -3 * _KNOT_MINOR * np.sin(3 * phi)
    tangent = np.stack([
        slope * np.cos(2 * phi) - 2 * ring * np.sin(2 * phi),
        slope * np.sin(2 * phi) + 2 * ring * np.cos(2 * phi),
        3 * _KNOT_MINOR * np.cos(3 * phi),
    ], axis=-1)  # fmt: skip
    center = _knot_curve(phi)
    binormal = np.cross(tangent, center - core)
    binormal /= np.linalg.norm(binormal, axis=1, keepdims=True)
    normal = np.cross(binormal, tangent)
    return center, normal / np.linalg.norm(normal, axis=1, keepdims=True), binormal


# Outline of the club (radius, height): pommel, grip, guard, shaft, collar, head, tip.
_CLUB_OUTLINE = np.array([
    (0.000, 0.000), (0.030, 0.004), (0.052, 0.020), (0.060, 0.045), (0.052, 0.070), (0.036, 0.090),
    (0.034, 0.110), (0.038, 0.280), (0.034, 0.450), (0.036, 0.470), (0.056, 0.478), (0.056, 0.496),
    (0.032, 0.505), (0.028, 0.620), (0.027, 0.900), (0.030, 1.220), (0.034, 1.300), (0.062, 1.310),
    (0.066, 1.325), (0.062, 1.340), (0.045, 1.350), (0.090, 1.375), (0.140, 1.420), (0.172, 1.480),
    (0.186, 1.550), (0.182, 1.620), (0.160, 1.690), (0.122, 1.745), (0.075, 1.780), (0.045, 1.795),
    (0.030, 1.830), (0.012, 1.900), (0.000, 1.915),
])  # fmt: skip
_GRIP, _HEAD = (0.10, 0.46), (1.36, 1.80)


def club(count: int = 104_800) -> MeshArrays:
    """Return a club of exactly `count` triangles (even) with a slender shaft and a studded head."""
    low, high = 1e-3, 0.2
    for _ in range(40):  # the count falls as the spacing grows, nearly monotonically
        middle = sqrt(low * high)
        low, high = (low, middle) if _club_count(middle) <= count else (middle, high)
    return refined(skin(_club_rings(high)), count)


def _club_stations(spacing: float) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return evenly spaced points of the outline, their normals, and the sizes of their rings."""
    steps = np.linalg.norm(np.diff(_CLUB_OUTLINE, axis=0), axis=1)
    lengths = np.concatenate([[0.0], np.cumsum(steps)])
    rows = max(8, round(lengths[-1] / (spacing * sqrt(3) / 2)))
    at = np.linspace(0.0, lengths[-1], rows + 1)
    profile = np.stack([np.interp(at, lengths, column) for column in _CLUB_OUTLINE.T], axis=1)
    slope = np.gradient(profile, axis=0)
    normal = np.stack([slope[:, 1], -slope[:, 0]], axis=1)
    sizes = np.maximum(6, np.round(2 * pi * profile[:, 0] / spacing)).astype(np.int64)
    sizes[[0, -1]] = 1
    return profile, normal / np.linalg.norm(normal, axis=1, keepdims=True), sizes


def _club_count(spacing: float) -> int:
    sizes = _club_stations(spacing)[2]
    return int(2 * sizes[1:-1].sum())


def _club_rings(spacing: float) -> list[Points]:
    profile, normals, sizes = _club_stations(spacing)
    row = np.repeat(np.arange(len(sizes)), sizes)
    first = np.cumsum(sizes) - sizes
    angle = 2 * pi * (np.arange(len(row)) - first[row]) / sizes[row]
    out = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.column_stack([profile[row, :1] * out, profile[row, 1]])
    normal = np.column_stack([normals[row, :1] * out, normals[row, 1]])
    relief = _wrap(points[:, 2], angle) + _studs(points)
    return np.split(points + relief[:, None] * normal, first[1:])


def _wrap(height: Floats, angle: Floats) -> Floats:
    """Return the relief of a strap with nine turns around the grip, which fades at both ends."""
    share = np.clip((height - _GRIP[0]) / (_GRIP[1] - _GRIP[0]), 0.0, 1.0)
    return 0.004 * np.sin(pi * share) * np.abs(np.sin(9 * pi * share - angle / 2))


def _studs(points: Points) -> Floats:
    """Return the relief of four rows of round studs on the head."""
    relief = np.zeros(len(points))
    head = np.flatnonzero((points[:, 2] > _HEAD[0]) & (points[:, 2] < _HEAD[1]))
    for k, height in enumerate((1.440, 1.525, 1.610, 1.690)):
        radius = np.interp(height, _CLUB_OUTLINE[:, 1], _CLUB_OUTLINE[:, 0])
        for angle in 2 * pi * (np.arange(10) + k / 2) / 10:
            stud = (radius * np.cos(angle), radius * np.sin(angle), height)
            near = np.linalg.norm(points[head] - stud, axis=1) / 0.032
            relief[head] += 0.026 * np.maximum(0.0, 1 - near**2) ** 1.5
    return relief
