"""Parts of model files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Triangles in their own frame; parts with the same triangles share this object."""

    vertices: Any
    """Coordinates, (n, 3)."""
    faces: Any
    """Vertex indices, (m, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A node, an object or a group of a file: named triangles at a pose."""

    name: str
    triangles: Triangles
    pose: Floats
    """Affine matrix from the frame of the triangles to the frame of the file, (4, 4)."""


def joined(triangles: Sequence[Triangles]) -> Triangles:
    """Return all triangles as one set."""
    if len(triangles) == 1:
        return triangles[0]
    starts = np.cumsum([0, *(len(each.vertices) for each in triangles)])
    vertices = np.concatenate([as_floats(each.vertices) for each in triangles])
    faces = [np.asarray(each.faces) + at for each, at in zip(triangles, starts, strict=False)]
    return Triangles(vertices, np.concatenate(faces))


def placed(part: Part) -> Triangles:
    """Return the triangles of a part in the frame of the file."""
    if np.array_equal(part.pose, np.eye(4)):
        return part.triangles
    points = moved(as_floats(part.triangles.vertices), part.pose)
    faces = np.asarray(part.triangles.faces)
    mirrors = np.linalg.det(part.pose[:3, :3]) < 0  # a mirror flips faces
    return Triangles(points, faces[:, ::-1] if mirrors else faces)


def as_floats(values: Any) -> Floats:
    """Return coordinates in double precision."""
    return np.asarray(values, dtype=np.float64)


def fans(corners: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles of polygons, each divided into a fan about its first corner.

    The fan of a concave polygon covers the polygon and may extend beyond it in its plane.
    """
    starts = np.cumsum(counts) - counts
    each = counts - 2
    first = np.repeat(starts, each)
    number = np.arange(len(first)) - np.repeat(np.cumsum(each) - each, each)
    rows = np.stack((first, first + number + 1, first + number + 2), axis=1)
    return np.asarray(corners[rows])


def named_apart(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with unique names: repeated names get a free suffix `_1`, `_2` ..."""
    taken = {part.name for part in parts}
    seen: set[str] = set()
    count: dict[str, int] = {}
    result = []
    for part in parts:
        name = part.name
        if name in seen:
            while name in taken:
                count[part.name] = count.get(part.name, 0) + 1
                name = f"{part.name}_{count[part.name]}"
            taken.add(name)
        seen.add(part.name)
        result.append(Part(name, part.triangles, part.pose))
    return result
