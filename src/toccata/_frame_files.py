"""Frames of a deforming mesh from files, with loose edges and points; vertices keep their order.

A mesh file has one frame. The properties origin, start_x, start_y and start_z of the vertices of a
PLY file are `Frame.origin` and `Frame.start`. An .npz file has the arrays of one frame, with the
names of `Frame`, or those of several frames, such as vertices_0, faces_0 and vertices_1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from glob import glob, has_magic
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import MOST_INDEX, as_indices, as_rows, as_shape
from toccata._frame_arrays import FrameArrays, loaded
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

    names: list[str]
    """The file of each frame, with the number of the frame if the file has several."""

    def __init__(self, paths: Sequence[str], loose_points: bool = False) -> None:
        self.loose_points = loose_points
        self._frames: list[tuple[str, int | None]] = []
        for path in paths:
            numbers = FrameArrays(path).numbers if is_arrays(path) else [None]
            self._frames += [(path, number) for number in numbers]
        self.names = [path if n is None else f"{path}[{n}]" for path, n in self._frames]

    def __len__(self) -> int:
        return len(self._frames)

    def __iter__(self) -> Iterator[Frame]:
        for path, several in groupby(self._frames, key=itemgetter(0)):
            arrays = FrameArrays(path) if is_arrays(path) else None
            for _, number in several:
                yield read(path, self.loose_points, arrays, number)


def is_arrays(path: str) -> bool:
    """Return whether a file has arrays in place of a mesh."""
    return path.lower().endswith(".npz")


def read(
    path: str,
    loose_points: bool = False,
    arrays: FrameArrays | None = None,
    number: int | None = None,
) -> Frame:
    """Read a frame; with `loose_points`, vertices without a face or edge become points.

    In a file without faces, edges and points, all vertices become points. For a file with several
    frames, `arrays` is the open file, and `number` selects the frame.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file")
    if path.lower().endswith(SOUPS):
        raise ValueError(f"{path}: stl files cannot share vertices; use ply, obj or off")
    if is_arrays(path):
        frame = (arrays or FrameArrays(path)).frame(number)
    else:
        frame = _of_mesh(_load(path))
    try:
        return _checked(path if number is None else f"{path}[{number}]", frame, loose_points)
    except TypeError as error:  # an array of a file has a wrong type, which is a wrong value here
        raise ValueError(str(error)) from error


def _checked(name: str, frame: Any, loose_points: bool) -> Frame:
    """Return a frame with checked arrays and with its loose points."""
    vertices = as_shape(name, frame.vertices, -1, 3)
    count = len(vertices)
    faces = as_indices(f"{name}: faces", frame.faces, 3, most=count - 1)
    edges = as_indices(f"{name}: edges", frame.edges, 2, most=count - 1)
    points = as_rows(f"{name}: points", frame.points, -1, least=0, most=count - 1)
    used = np.concatenate([faces.ravel(), edges.ravel(), points])
    if loose_points or not len(used):
        points = np.append(points, np.setdiff1d(np.arange(count, dtype=np.int32), used))
    origin = None if frame.origin is None else _whole(f"{name}: origin", frame.origin, count)
    start = None if frame.start is None else as_shape(f"{name}: start", frame.start, count, 3)
    return Frame(vertices, faces, origin, start, edges, points)


def read_origin(path: str, count: int) -> NDArray[np.int64]:
    """Read the origins of `count` vertices.

    The file is a text of numbers, an .npy file, or an .npz file with the array origin.
    """
    if is_arrays(path):
        found: Any = FrameArrays(path).array("origin")
    elif path.lower().endswith(".npy"):
        found = loaded(path)
    else:
        found = _numbers(path)
    try:
        return _whole(f"{path}: origin", found, count)
    except TypeError as error:
        raise ValueError(str(error)) from error


def _numbers(path: str) -> list[float]:
    """Return the numbers in a text, separated by spaces, commas or line breaks."""
    with open(path, encoding="utf-8") as file:
        words = file.read().replace(",", " ").split()
    try:
        return [float(word) for word in words]
    except ValueError as error:
        raise ValueError(f"{path}: expected numbers ({error})") from error


def _whole(name: str, values: ArrayLike, count: int) -> NDArray[np.int64]:
    """Return whole numbers as integers, because some programs write all properties as floats."""
    numbers = as_shape(name, values, count)
    broken = np.flatnonzero((numbers != np.rint(numbers)) | (np.abs(numbers) > MOST_INDEX))
    if len(broken):
        row = broken[0]
        raise ValueError(f"{name}: row {row} is {numbers[row]:g}, expected an index or -1")
    return numbers.astype(np.int64)


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


def _of_mesh(loaded: Any) -> Frame:
    """Return the arrays of a mesh file."""
    edges = _raw(loaded, "edge", ("vertex1", "vertex2"))
    origin = _raw(loaded, "vertex", ("origin",))
    return Frame(
        _vertices(loaded),
        np.asarray(getattr(loaded, "faces", ()), dtype=np.int64).reshape(-1, 3),
        None if origin is None else origin[:, 0],
        _raw(loaded, "vertex", ("start_x", "start_y", "start_z")),
        np.empty((0, 2), dtype=np.int64) if edges is None else edges.astype(np.int64),
        np.empty(0, dtype=np.int64),
    )


def _vertices(loaded: Any) -> NDArray[np.float64]:
    raw = None if hasattr(loaded, "faces") else _raw(loaded, "vertex", "xyz")
    if raw is not None:  # without faces, trimesh makes paths of edges and sorts their vertices
        return raw.astype(np.float64)
    return np.asarray(loaded.vertices, dtype=np.float64).reshape(-1, 3)


def _raw(loaded: Any, element: str, names: Sequence[str]) -> NDArray[Any] | None:
    """Return columns of an element of a PLY file, or None if the file does not have them.

    trimesh keeps elements of text files as dictionaries and elements of binary files as records.
    """
    found = getattr(loaded, "metadata", {}).get("_ply_raw", {}).get(element, {})
    if not found.get("length") or not set(names) <= set(found["properties"]):
        return None
    return np.stack([np.ravel(found["data"][name]) for name in names], axis=1)
