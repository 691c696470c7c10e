"""Frames of a deforming mesh from files, with loose edges and points; vertices keep their order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from glob import glob, has_magic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import as_indices, as_shape
from toccata._sequence import Frame

# Formats in which each triangle has its own corners: neighbors would be in contact at the start.
SOUPS = (".stl", ".stl_ascii")


def find(patterns: Sequence[str]) -> list[str]:
    """Return the files that names and patterns match; files of a pattern are sorted by number."""
    found: list[str] = []
    for pattern in patterns:
        matches = sorted(glob(pattern), key=by_number) if has_magic(pattern) else [pattern]
        if not matches:
            raise FileNotFoundError(f"{pattern}: no files match")
        found += matches
    return found


def by_number(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that puts frame10 after frame9."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


class FrameFiles:
    """Frames in files, which are read one by one."""

    def __init__(self, paths: Sequence[str], loose_points: bool = False) -> None:
        self.paths, self.loose_points = list(paths), loose_points

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[Frame]:
        return (read(path, self.loose_points) for path in self.paths)


def read(path: str, loose_points: bool = False) -> Frame:
    """Read a file; with `loose_points`, vertices without a face or edge become points.

    In a file without faces and edges, all vertices become points.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file")
    if path.lower().endswith(SOUPS):
        raise ValueError(f"{path}: stl files cannot share vertices; use ply, obj or off")
    loaded = _load(path)
    vertices = as_shape(path, _vertices(loaded), -1, 3)
    faces = as_indices(f"{path}: faces", _faces(loaded), 3, most=len(vertices) - 1)
    edges = as_indices(f"{path}: edges", _loose_edges(loaded), 2, most=len(vertices) - 1)
    unused = np.setdiff1d(np.arange(len(vertices)), np.concatenate([faces.ravel(), edges.ravel()]))
    only_points = not len(faces) and not len(edges)
    points = unused if loose_points or only_points else unused[:0]
    return Frame(vertices, faces, edges, points)


def _load(path: str) -> Any:
    """Read a file with trimesh without changing the order of its vertices."""
    try:
        import trimesh
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("mesh files need trimesh: pip install 'toccata[io]'") from error
    keep: dict[str, Any] = {"process": False, "maintain_order": True}
    if path.lower().endswith(".ply"):
        keep["fix_texture"] = False  # True would split vertices
    try:
        loaded = trimesh.load(path, **keep)
        return loaded.to_mesh() if isinstance(loaded, trimesh.Scene) else loaded
    except Exception as error:  # each reader of trimesh raises its own types
        raise ValueError(f"{path}: expected a file that trimesh reads ({error})") from error


def _raw(loaded: Any, element: str, names: Sequence[str]) -> NDArray[Any] | None:
    """Return columns of an element of a PLY file, or None if the file has no such element.

    trimesh keeps elements of text files as dictionaries and elements of binary files as records.
    """
    found = getattr(loaded, "metadata", {}).get("_ply_raw", {}).get(element, {})
    if not found.get("length"):
        return None
    return np.stack([np.ravel(found["data"][name]) for name in names], axis=1)


def _vertices(loaded: Any) -> NDArray[np.float64]:
    raw = None if hasattr(loaded, "faces") else _raw(loaded, "vertex", "xyz")
    if raw is not None:  # without faces, trimesh makes paths of edges and sorts their vertices
        return raw.astype(np.float64)
    return np.asarray(loaded.vertices, dtype=np.float64).reshape(-1, 3)


def _faces(loaded: Any) -> NDArray[np.int64]:
    return np.asarray(getattr(loaded, "faces", ()), dtype=np.int64).reshape(-1, 3)


def _loose_edges(loaded: Any) -> NDArray[np.int64]:
    raw = _raw(loaded, "edge", ("vertex1", "vertex2"))
    return np.empty((0, 2), dtype=np.int64) if raw is None else raw.astype(np.int64)
