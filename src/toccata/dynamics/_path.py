"""Paths of certified motions, with their proven separations."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._mesh import as_mesh
from toccata._motion import Motion
from toccata._options import RigidOptions
from toccata._query import first_contact
from toccata._result import Contact
from toccata._scene import as_world
from toccata._text import counted, listed
from toccata.typing import BodyLike, WorldLike

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
        start: poses at which motions start, (k, 4, 4).
        end: poses at which they end, (k, 4, 4).
        pivot: body points that move straight, (k, 3): motion i is
            `Motion.linear(start[i], end[i], pivot[i])`.
        separation: lower bounds of the distance to the scene during each motion, more than 0, (k,).
        time: times of the scene at the start and end of each motion, from 0 to 1, (k, 2). Bodies of
            the scene with a motion follow it between these times. Default: 0.

    """

    __slots__ = tuple(_ARRAYS)
    start: Floats
    end: Floats
    pivot: Floats
    separation: Floats
    time: Floats

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        pivot: ArrayLike,
        separation: ArrayLike,
        time: ArrayLike | None = None,
    ) -> None:
        """Check shapes and copy the arrays."""
        kept = as_shape("separation", separation, -1)
        times = np.zeros((len(kept), 2)) if time is None else time
        given = (start, end, pivot, kept, times)
        for (name, shape), values in zip(_ARRAYS.items(), given, strict=True):
            array = as_shape(name, values, *shape).copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        counts = {name: len(getattr(self, name)) for name in _ARRAYS}
        if len(set(counts.values())) > 1:
            raise ValueError(f"start: expected the same number of rows in all arrays, got {counts}")
        if not (self.separation > 0).all():
            least = self.separation.min()
            raise ValueError(f"separation: expected numbers of more than 0, got {least:g}")
        if not ((self.time >= 0) & (self.time <= 1)).all():
            odd = self.time[(self.time < 0) | (self.time > 1)][0]
            raise ValueError(f"time: expected numbers from 0 to 1, got {odd:g}")

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
        """Return one motion, or a slice as a path."""
        if isinstance(index, slice):
            return MotionPath(*(getattr(self, name)[index] for name in _ARRAYS))
        return Motion.linear(self.start[index], self.end[index], self.pivot[index])

    def __iter__(self) -> Iterator[Motion]:
        return (self[i] for i in range(len(self)))

    def __reversed__(self) -> Iterator[Motion]:
        return iter(self.back())

    def back(self) -> MotionPath:
        """Return the reverse path: the same motions from last to first, each from end to start.

        Times of the scene also run backward. The separations are halved, which covers the rounding
        errors of the reversed motions by far.
        """
        backward = slice(None, None, -1)
        return MotionPath(
            self.end[backward],
            self.start[backward],
            self.pivot[backward],
            self.separation[backward] / 2,
            self.time[backward, ::-1],
        )

    def check(
        self, body: BodyLike, scene: WorldLike, **options: Unpack[RigidOptions]
    ) -> Contact | None:
        """Certify all motions again by `first_contact`; return the first contact, if there is one.

        By default, `separation` is half and `tolerance` a quarter of the separation stored for each
        motion.

        Args:
            body: a Mesh or a trimesh.Trimesh.
            scene: a Scene, or any other world that robots accept.
            options: options of `toccata.first_contact`.

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
                    # Far from the origin, this tolerance may be below rounding; the default is not.
                    how = {"separation": kept / 2, **options}
                    found = first_contact(moving, mesh, motion, other, **cast(RigidOptions, how))
                if found:
                    return found
        return None

    def _forward(self, i: int) -> tuple[Motion, tuple[float, float]]:
        """Return a motion and its times, both of them reversed if the times run backward."""
        start, end = map(float, self.time[i])
        if start <= end:
            return self[i], (start, end)
        return Motion.linear(self.end[i], self.start[i], self.pivot[i]), (end, start)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a file, .npz or .json, that `load` reads back bit by bit."""
        path = _known("file", file)
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        if path.suffix.lower() == ".npz":
            np.savez(path, **arrays)
            return
        rows = {name: array.tolist() for name, array in arrays.items()}
        path.write_text(json.dumps(rows), encoding="utf-8")

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> MotionPath:
        """Read a file written by `save`."""
        path = _known("file", file)
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
        try:
            return cls(**_read(path))
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"{path}: expected a file of MotionPath.save ({error})") from error

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
        return f"MotionPath({counted(len(self), 'motion')}{least})"


def _known(name: str, file: str | os.PathLike[str]) -> Path:
    path = Path(os.fspath(file))
    if path.suffix.lower() not in (".npz", ".json"):
        raise ValueError(f"{name}: expected a name that ends in .npz or .json, got {path}")
    return path


def _read(path: Path) -> dict[str, Any]:
    if path.suffix.lower() == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return _complete(arrays)
    return _complete(json.loads(path.read_text(encoding="utf-8")))


def _complete(arrays: Mapping[str, Any]) -> dict[str, Any]:
    missing = [name for name in _ARRAYS if name not in arrays and name not in _OPTIONAL]
    if missing:
        raise ValueError(f"missing arrays: {listed(missing)}")
    empty = {name: np.empty((0, *shape[1:])) for name, shape in _ARRAYS.items()}
    present = [name for name in _ARRAYS if name in arrays]
    return {name: arrays[name] if len(arrays[name]) else empty[name] for name in present}
