"""Frames of a deforming mesh in an .npz file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._sequence import Frame
from toccata._text import listed

_NUMBERED = re.compile(r"vertices_(0|[1-9][0-9]{0,17})")
_TOPOLOGY = ("faces", "edges", "points")


class FrameArrays:
    """The frames of a file, which stays open.

    A file of one frame has the arrays vertices and faces, and optionally edges, points, origin and
    start. In a file of several frames, the names end with the number of the frame: vertices_0,
    faces_0, vertices_1. A frame without faces, edges and points has the topology of the previous
    frame. Faces, edges and points without a number belong to the first frames.
    """

    numbers: Sequence[int | None]
    """Numbers of the frames in order; None for the only frame of a file without numbers."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = loaded(path)
        if isinstance(self._file, np.ndarray):
            raise broken(path, "a single array")
        self._names = frozenset(self._file.files)
        numbered = [match[1] for name in self._names if (match := _NUMBERED.fullmatch(name))]
        self.numbers = sorted(int(name) for name in numbered) or [None]

    def array(self, name: str) -> NDArray[Any]:
        """Return an array of a file of one frame."""
        if name not in self._names:
            found = listed(sorted(self._names)) or "no arrays"
            raise ValueError(f"{self._path}: expected an array {name}, got {found}")
        return self._read((name,), None)[name]

    def frame(self, number: int | None = None) -> Frame:
        """Read a frame; without a number, the only frame of the file."""
        if number is None and len(self.numbers) != 1:
            wanted = f"{self._path}: expected one frame, got {len(self.numbers)}"
            raise ValueError(f"{wanted} (check-sequence reads all of them)")
        number = self.numbers[0] if number is None else number
        if number is None:
            self.array("vertices")
        none = np.empty(0, dtype=np.int64)
        empty = {"faces": none.reshape(0, 3), "edges": none.reshape(0, 2), "points": none}
        own = self._read(("vertices", "origin", "start"), number)
        return Frame(**{**empty, **self._topology(number), **own})

    def _topology(self, number: int | None) -> dict[str, NDArray[Any]]:
        """Return faces, edges and points of the last frame that has one of them."""
        earlier = [n for n in self.numbers if n is not None and number is not None and n <= number]
        found = (self._read(_TOPOLOGY, last) for last in [*reversed(earlier), None])
        return next((parts for parts in found if parts), {})

    def _read(self, names: Iterable[str], number: int | None) -> dict[str, NDArray[Any]]:
        """Return the arrays of a frame that exist, by their names without the number."""
        keys = {name: name if number is None else f"{name}_{number}" for name in names}
        try:
            return {name: self._file[key] for name, key in keys.items() if key in self._names}
        except Exception as error:
            raise broken(self._path, error) from error


def loaded(path: str) -> Any:
    """Return the array of an .npy file, or the open .npz file."""
    try:
        return np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file") from None
    except Exception as error:  # numpy, zipfile and zlib raise their own types
        raise broken(path, error) from error


def broken(path: str, why: object) -> ValueError:
    """Return the error for a file that does not have the arrays of its kind."""
    suffix = os.path.splitext(path)[1]
    return ValueError(f"{path}: expected a {suffix} file with arrays of numbers ({why})")
