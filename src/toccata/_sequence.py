"""Contacts in the steps of a sequence of frames."""

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
from toccata._text import counted

Progress = Callable[[int, int | None], object]
"""Function of the number of finished steps, and the number of all steps or None if unknown."""


class Frame(NamedTuple):
    """A mesh at one time, with the features that take part in contacts."""

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
    """Yield the index of each frame after the first, and the contacts of the step to this frame.

    Options are checked at the call. Frames are checked when they are reached, and only two of them
    are in memory at a time. If the topology of a frame differs from the previous frame, its step is
    None, and the sequence starts again from this frame. If the origin of each vertex is known,
    `DeformingMesh.retopologize` continues across such a change.

    Args:
        frames: an iterable, such as a generator that reads files. Each frame has vertices, faces,
            and optionally loose edges and points.
        progress: called after each step, before it is yielded, with the number of finished steps
            and of all steps, which is None if `frames` has no length.

    """
    if isinstance(frames, str) or not isinstance(frames, Iterable):
        raise TypeError(f"frames: expected an iterable of frames, got {came(frames)}")
    return _steps(frames, step_options(options), progress)


def _steps(
    frames: Iterable[Given], options: core.StepOptions, progress: Progress | None
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the steps. This is a separate generator, so that its caller checks options at once."""
    total = max(0, len(frames) - 1) if isinstance(frames, Sized) else None
    model: tuple[DeformingMesh, Frame] | None = None
    for index, given in enumerate(frames):
        frame = _as_frame(index, given)
        step: StepContacts | None = None
        try:
            vertices = as_unchecked("vertices", with_rows("vertices", frame.vertices, 3), -1, 3)
            if model is not None and frame.same_topology(model[1]):
                step = model[0]._advance(vertices, options)
            else:
                model = _started(frame._replace(vertices=vertices))
        except (TypeError, ValueError) as error:
            raise type(error)(_in_frame(index, str(error))) from error
        if index:
            if progress:
                progress(index, total)
            yield index, step


def _started(frame: Frame) -> tuple[DeformingMesh, Frame]:
    """Return a model at a frame, and a copy of the frame, because callers may edit its arrays."""
    mesh = DeformingMesh(frame.vertices, frame.faces, edges=frame.edges, points=frame.points)
    loose = (np.array(_ids(part)) for part in (frame.edges, frame.points))
    return mesh, Frame(mesh.vertices, mesh.faces, *loose)


def _as_frame(index: int, given: Given) -> Frame:
    wanted = f"frame {index}: expected vertices, faces, and optionally edges and points"
    if not isinstance(given, tuple | list):
        raise TypeError(f"{wanted}, got {came(given)}")
    if not 2 <= len(given) <= 4:
        raise ValueError(f"{wanted}, got {counted(len(given), 'array')}")
    return Frame(*given)


def _in_frame(index: int, message: str) -> str:
    """Return a message that starts with its frame; v0 of a step is the previous frame."""
    at = index - 1 if message.startswith("v0:") else index
    return f"frame {at}: {re.sub('^v[01]:', 'vertices:', message)}"
