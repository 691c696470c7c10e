"""Contacts of a whole sequence of frames, step after step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata.deforming import DeformingMesh, StepContacts, StepMethod

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
        return len(np.asarray(self.vertices)) == len(np.asarray(other.vertices)) and all(
            np.array_equal(_ids(getattr(self, name)), _ids(getattr(other, name)))
            for name in ("faces", "edges", "points")
        )


def _ids(values: ArrayLike | None) -> NDArray[Any]:
    return np.empty(0) if values is None else np.ravel(np.asarray(values))


def sequence_contacts(
    frames: Iterable[Frame | tuple[ArrayLike, ...]],
    *,
    method: StepMethod = "auto",
    separation: float = 0.0,
    tolerance: float | None = None,
    all_contacts: bool = False,
    threads: int | None = None,
    budget: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the number of each frame after the first, and the step that leads to it.

    Frames are taken one by one, so a long sequence needs memory for two of them only. A step is
    defined between frames of equal topology; where a frame has another one, None is yielded in its
    place, and the sequence starts anew from that frame. When it is known which vertex became
    which, `DeformingMesh.retopologize` takes the change as part of a sequence.

    Args:
        frames: vertices and faces of each frame, then loose edges and points if there are any; any
            iterable, also one that reads files on the way.
        method: as of `deforming_contacts`, like the options that follow.
        separation: distance that counts as contact.
        tolerance: a length; by default a millionth of each step's size.
        all_contacts: list all contacts of each step instead of the first.
        threads: number of threads; by default one per core. The answers do not depend on it.
        budget: work per elementary test before its answer is UNDECIDED.
        progress: called after each step with the steps done and their total.

    """
    total = max(0, len(frames) - 1) if isinstance(frames, Sized) else None
    options: dict[str, Any] = {
        "method": method,
        "separation": separation,
        "tolerance": tolerance,
        "all_contacts": all_contacts,
        "threads": threads,
        "budget": budget,
    }
    for index, step in _walk(frames, options):
        yield index, step
        if progress:
            progress(index, total)


def _walk(
    frames: Iterable[Frame | tuple[ArrayLike, ...]], options: dict[str, Any]
) -> Iterator[tuple[int, StepContacts | None]]:
    """Step from frame to frame; a new topology gets a new model."""
    last: Frame | None = None
    model: DeformingMesh | None = None
    for index, given in enumerate(frames):
        frame, step = Frame(*given), None
        if model is not None and last is not None and frame.same_topology(last):
            step = model.step(frame.vertices, **options)
        else:
            arrays = frame.vertices, frame.faces
            model = DeformingMesh(*arrays, edges=frame.edges, points=frame.points)
        last = frame
        if index:
            yield index, step
