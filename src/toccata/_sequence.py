"""Contacts of the steps between the frames of a sequence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import as_array, as_unchecked, came, with_rows
from toccata._deforming import DeformingMesh, StepContacts
from toccata._native import core
from toccata._options import StepOptions, step_options, takes

Progress = Callable[[int, int | None], object]
"""Receives the number of finished steps and their total, None if that is unknown."""


class Frame(NamedTuple):
    """A mesh at one time: vertices, and the features that take part."""

    vertices: ArrayLike
    faces: ArrayLike
    edges: ArrayLike | None = None
    points: ArrayLike | None = None

    def same_topology(self, other: Frame) -> bool:
        """Return whether both frames have equal faces, edges, points and numbers of vertices."""
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
    if isinstance(frames, str) or not isinstance(frames, Iterable):
        raise TypeError(f"frames: expected an iterable of frames, got {came(frames)}")
    return _steps(frames, step_options(options), progress)


def _steps(
    frames: Iterable[Given], options: core.StepOptions, progress: Progress | None
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the steps. A separate generator, so that the caller checks options at once."""
    total = max(0, len(frames) - 1) if isinstance(frames, Sized) else None
    walk = _Walk(options)
    for index, given in enumerate(frames):
        step = walk.to(index, _as_frame(index, given))
        if index:
            if progress:
                progress(index, total)
            yield index, step


class _Walk:
    """A model that advances from frame to frame; a new topology starts a new model."""

    def __init__(self, options: core.StepOptions) -> None:
        self._options = options
        self._model: DeformingMesh | None = None
        self._last: Frame

    def to(self, index: int, frame: Frame) -> StepContacts | None:
        """Advance to a frame and return the step; None after a change of topology."""
        try:
            vertices = as_unchecked("vertices", with_rows("vertices", frame.vertices, 3), -1, 3)
            if self._model is not None and frame.same_topology(self._last):
                return self._model._advance(vertices, self._options)
            self._model = DeformingMesh(
                vertices, frame.faces, edges=frame.edges, points=frame.points
            )
        except (TypeError, ValueError) as error:
            raise type(error)(_in_frame(index, str(error))) from error
        # Copied, since a caller may edit the same arrays for the next frame.
        loose = [np.array(_ids(part)) for part in (frame.edges, frame.points)]
        self._last = Frame(self._model.vertices, self._model.faces, *loose)
        return None


def _as_frame(index: int, given: Given) -> Frame:
    wanted = f"frame {index}: expected vertices and faces, then edges and points if there are any"
    if not isinstance(given, tuple | list):
        raise TypeError(f"{wanted}, got {came(given)}")
    if not 2 <= len(given) <= 4:
        raise ValueError(f"{wanted}, got {len(given)} of them")
    return Frame(*given)


def _in_frame(index: int, message: str) -> str:
    """Prefix a message with its frame; in messages of a step, v0 is the previous frame."""
    at = index - 1 if message.startswith("v0:") else index
    return f"frame {at}: {re.sub('^v[01]:', 'vertices:', message)}"
