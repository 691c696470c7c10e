"""Contacts of a whole sequence of frames, step after step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import as_array, as_unchecked, with_rows
from toccata._deforming import DeformingMesh, StepContacts
from toccata._native import core
from toccata._options import StepOptions, step_options, takes

Progress = Callable[[int, int | None], object]
"""Called with the steps that are done and their number, None when nobody knows it."""


class Frame(NamedTuple):
    """A mesh at one moment: vertices, and the features that take part."""

    vertices: ArrayLike
    faces: ArrayLike
    edges: ArrayLike | None = None
    points: ArrayLike | None = None

    def same_topology(self, other: Frame) -> bool:
        """Whether the vertices of both can be told to be the same, and so have paths."""
        counts = (len(as_array("vertices", frame.vertices)) for frame in (self, other))
        return len(set(counts)) == 1 and all(
            np.array_equal(_ids(getattr(self, name)), _ids(getattr(other, name)))
            for name in ("faces", "edges", "points")
        )


def _ids(values: ArrayLike | None) -> NDArray[Any]:
    return np.empty(0) if values is None else np.ravel(as_array("frame", values))


Given = Frame | tuple[ArrayLike, ...]


@takes(StepOptions)
def sequence_contacts(
    frames: Iterable[Given],
    *,
    progress: Progress | None = None,
    **options: Unpack[StepOptions],
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the index of each frame after the first, and the step that leads to it.

    Frames are read one by one, so that a long sequence needs memory for two of them only. Options
    are checked at the call, frames when they are reached.

    A step exists only between frames of equal topology. Where the topology changes, the step is
    None, and the sequence starts anew from that frame. `DeformingMesh.retopologize` continues
    across a change if it is known which vertex became which.

    Args:
        frames: vertices and faces of each frame, then loose edges and points if there are any; any
            iterable, such as a generator that reads files.
        progress: called after each step, before it is yielded, with the number of steps done and
            their total; the total is None if `frames` has no length, like a generator.

    """
    return _steps(frames, step_options(options), progress)


def _steps(
    frames: Iterable[Given], options: core.StepOptions, progress: Progress | None
) -> Iterator[tuple[int, StepContacts | None]]:
    """Take the steps and tell of each; apart, so that options are checked before the first one."""
    total = max(0, len(frames) - 1) if isinstance(frames, Sized) else None
    walk = _Walk(options)
    for index, given in enumerate(frames):
        step = walk.to(index, _as_frame(index, given))
        if index:
            if progress:
                progress(index, total)
            yield index, step


class _Walk:
    """Steps from frame to frame; a new topology gets a new model."""

    def __init__(self, options: core.StepOptions) -> None:
        self._options = options
        self._model: DeformingMesh | None = None
        self._last: Frame

    def to(self, index: int, frame: Frame) -> StepContacts | None:
        """Go on to a frame and return the step, None if there is none."""
        try:
            vertices = as_unchecked("vertices", with_rows("vertices", frame.vertices, 3), -1, 3)
            if self._model is not None and frame.same_topology(self._last):
                return self._model._advance(vertices, self._options)
            self._model = DeformingMesh(
                vertices, frame.faces, edges=frame.edges, points=frame.points
            )
        except ValueError as error:
            raise ValueError(_in_frame(index, str(error))) from error
        # A copy, since a caller may edit the same arrays for the next frame.
        loose = [np.array(_ids(part)) for part in (frame.edges, frame.points)]
        self._last = Frame(self._model.vertices, self._model.faces, *loose)
        return None


def _as_frame(index: int, given: Given) -> Frame:
    try:
        return Frame(*given)
    except TypeError as error:
        wanted = "expected vertices and faces, then edges and points if there are any"
        got = f"{len(given)} of them" if isinstance(given, tuple | list) else type(given).__name__
        raise ValueError(f"frame {index}: {wanted}, got {got}") from error


def _in_frame(index: int, message: str) -> str:
    """Say which frame is wrong; a step calls the one that it starts from v0."""
    at = index - 1 if message.startswith("v0:") else index
    return f"frame {at}: {re.sub('^v[01]:', 'vertices:', message)}"
