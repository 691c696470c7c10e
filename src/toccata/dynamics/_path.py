"""Paths of certified motions: the way of a body, with what was proven of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, cast, overload

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata._mesh import as_mesh
from toccata._motion import Motion
from toccata._options import RigidOptions
from toccata._query import first_contact
from toccata._result import Contact
from toccata._scene import as_world
from toccata._text import listed

_ARRAYS = {
    "start": (-1, 4, 4),
    "end": (-1, 4, 4),
    "pivot": (-1, 3),
    "separation": (-1,),
    "time": (-1, 2),
}
_OPTIONAL = ("time",)


class MotionPath(Sequence[Motion]):
    """Motions one after the other, each certified free of contact; immutable.

    Args:
        start: (k, 4, 4) poses at which motions start.
        end: (k, 4, 4) poses at which they end.
        pivot: (k, 3) body points that move straight: motion i is
            `Motion.linear(start[i], end[i], pivot[i])`.
        separation: (k,) distances that were kept at least, more than 0.
        time: (k, 2) times of the scene at the start and at the end of each motion: bodies of the
            scene that have a motion of their own play that part of it meanwhile. By default 0.

    """

    __slots__ = tuple(_ARRAYS)
    start: Floats
    end: Floats
    pivot: Floats
    separation: Floats
    time: Floats

    def __init__(self, start: Any, end: Any, pivot: Any, separation: Any, time: Any = None) -> None:
        """Check shapes and copy the arrays."""
        times = np.zeros((len(separation), 2)) if time is None else time
        given = (start, end, pivot, separation, times)
        for (name, shape), values in zip(_ARRAYS.items(), given, strict=True):
            array = as_shape(name, values, *shape).copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        counts = {name: len(getattr(self, name)) for name in _ARRAYS}
        if len(set(counts.values())) > 1:
            raise ValueError(f"start: expected as many rows in all arrays, got {counts}")
        if not (self.separation > 0).all():
            raise ValueError("separation: expected numbers of more than 0")
        if not ((self.time >= 0) & (self.time <= 1)).all():
            raise ValueError("time: expected numbers from 0 to 1")

    @classmethod
    def _of_numbers(cls, numbers: Floats, separation: Floats, time: Floats) -> MotionPath:
        start, end = (numbers[:, k : k + 16].reshape(-1, 4, 4) for k in (0, 16))
        return cls(start, end, numbers[:, 32:], separation, time)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"MotionPath: {name} cannot be changed")

    def __len__(self) -> int:
        return len(self.separation)

    @overload
    def __getitem__(self, index: int) -> Motion: ...
    @overload
    def __getitem__(self, index: slice) -> MotionPath: ...
    def __getitem__(self, index: int | slice) -> Motion | MotionPath:
        """Return one motion, or a part of the path."""
        if isinstance(index, slice):
            return MotionPath(*(getattr(self, name)[index] for name in _ARRAYS))
        return Motion.linear(self.start[index], self.end[index], self.pivot[index])

    def __iter__(self) -> Iterator[Motion]:
        return (self[i] for i in range(len(self)))

    def __reversed__(self) -> Iterator[Motion]:
        return iter(self.back())

    def back(self) -> MotionPath:
        """Return the way back: the same motions from last to first, each from its end.

        Times of the scene run back, too. Rounding is far below the distances that were kept, so
        that half of these hold.
        """
        backward = slice(None, None, -1)
        return MotionPath(
            self.end[backward],
            self.start[backward],
            self.pivot[backward],
            self.separation[backward] / 2,
            self.time[backward, ::-1],
        )

    def check(self, body: Any, scene: Any, **options: Unpack[RigidOptions]) -> Contact | None:
        """Ask `first_contact` about all motions again; return the first that is not free, if any.

        What is asked for is half of what was kept, or the options that are given.
        """
        moving, world = as_mesh("body", body), as_world(scene)
        for i, kept in enumerate(self.separation):
            motion, (start, end) = self._forward(i)
            for mesh, whole in world.bodies.values():
                other = Motion.fixed(whole.pose(start)) if start == end else whole._part(start, end)
                how = {"separation": kept / 2, "tolerance": kept / 4, **options}
                try:
                    found = first_contact(moving, mesh, motion, other, **cast(RigidOptions, how))
                except ValueError:
                    # Far away rounding admits no such tolerance: the one that is chosen it does.
                    how = {"separation": kept / 2, **options}
                    found = first_contact(moving, mesh, motion, other, **cast(RigidOptions, how))
                if found:
                    return found
        return None

    def _forward(self, i: int) -> tuple[Motion, tuple[float, float]]:
        """Return a motion and its times, which run forward: the way back takes the same poses."""
        start, end = map(float, self.time[i])
        if start <= end:
            return self[i], (start, end)
        return Motion.linear(self.end[i], self.start[i], self.pivot[i]), (end, start)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a file, .npz or .json, that `load` reads to the last bit."""
        path = _known("file", file)
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        if path.suffix.lower() == ".npz":
            np.savez(path, **arrays)
            return
        rows = {name: array.tolist() for name, array in arrays.items()}
        path.write_text(json.dumps(rows), encoding="utf-8")

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> MotionPath:
        """Read what `save` wrote."""
        path = _known("file", file)
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
        try:
            return cls(**_read(path))
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"{path}: expected a path of motions ({error})") from error

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MotionPath):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name).tobytes() for name in _ARRAYS))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return MotionPath, tuple(np.array(getattr(self, name)) for name in _ARRAYS)

    def __repr__(self) -> str:
        least = f", separation at least {self.separation.min():.3g}" if len(self) else ""
        return f"MotionPath({len(self)} motions{least})"


def _known(name: str, file: str | os.PathLike[str]) -> Path:
    path = Path(os.fspath(file))
    if path.suffix.lower() not in (".npz", ".json"):
        raise ValueError(f"{name}: expected a file .npz or .json, got {path}")
    return path


def _read(path: Path) -> dict[str, Any]:
    if path.suffix.lower() == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return _complete(arrays)
    return _complete(json.loads(path.read_text(encoding="utf-8")))


def _complete(arrays: Mapping[str, Any]) -> dict[str, Any]:
    missing = [name for name in _ARRAYS if name not in arrays and name not in _OPTIONAL]
    if missing:
        raise ValueError(f"no {listed(missing)}")
    empty = {name: np.empty((0, *shape[1:])) for name, shape in _ARRAYS.items()}
    present = [name for name in _ARRAYS if name in arrays]
    return {name: arrays[name] if len(arrays[name]) else empty[name] for name in present}
