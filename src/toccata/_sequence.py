"""Contacts in the steps of a sequence of frames, across changes of topology."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_array, as_rows, as_shape, as_unchecked, came, with_rows
from toccata._deforming import DeformingMesh, StepContacts
from toccata._native import core
from toccata._options import StepOptions, step_options, takes
from toccata._text import counted
from toccata._topology import Indices, origins_at

Progress = Callable[[int, int | None], object]
"""Function of the number of finished steps, and the number of all steps or None if unknown."""


class Frame(NamedTuple):
    """A mesh at one time, with the features that take part in contacts.

    `origin` continues a sequence across a change of topology. The mesh changes at the previous
    frame, in no time, and the step then moves the new mesh from `start` to `vertices`. Vertices
    with the same origin and start count as one vertex while they stay together, so an opening crack
    is no contact. The step certifies everything about the new mesh. Two things have no time in
    which they could be checked: a body that lies between the old and the new surface changes sides,
    and a new vertex without `start` appears where it then stands still.
    """

    vertices: ArrayLike
    """Positions, (n, 3)."""
    faces: ArrayLike
    """Vertex indices of the triangles, (m, 3)."""
    origin: ArrayLike | None = None
    """Vertex of the previous frame from which each vertex comes, or -1 for a new vertex, (n,). Not
    used in the first frame."""
    start: ArrayLike | None = None
    """Positions at the time of the previous frame, (n, 3); requires `origin`. Default: a vertex
    starts at the position of its origin, and a new vertex stands still during the step. For a new
    vertex of an old surface, such as the middle of a split edge, pass the point of the surface."""
    edges: ArrayLike | None = None
    """Vertex indices of loose edges, (k, 2)."""
    points: ArrayLike | None = None
    """Indices of loose vertices, (k,)."""

    def same_topology(self, other: Frame) -> bool:
        """Return whether both frames have equal faces, edges, points and numbers of vertices."""
        counts = (len(as_array("vertices", frame.vertices)) for frame in (self, other))
        return len(set(counts)) == 1 and all(
            np.array_equal(_ids(getattr(self, name)), _ids(getattr(other, name)))
            for name in ("faces", "edges", "points")
        )


def _ids(values: ArrayLike | None) -> NDArray[Any]:
    return np.empty(0) if values is None else np.ravel(as_array("frame", values))


@dataclass(frozen=True, slots=True, eq=False)
class TopologyChange:
    """A change of topology from one frame of a sequence to the next frame."""

    frame: int
    """Index of the frame with the new topology."""
    known_by: Literal["origin", "positions"] | None
    """Source of the origins: `Frame.origin`, or equal positions. None if some origins are unknown;
    then the step to the frame is not checked."""
    origin: Indices
    """Origin of each vertex in the previous frame, or -1, (n,)."""
    start: Floats
    """Positions of the vertices at the start of the step, (n, 3)."""
    lost: int = 0
    """Number of vertices with an unknown origin."""

    @property
    def new(self) -> int:
        """Number of vertices without an origin."""
        return int(np.count_nonzero(self.origin < 0))


Given = Frame | tuple[ArrayLike, ...]
Changes = Callable[[TopologyChange], object]


@takes(StepOptions)
def sequence_contacts(
    frames: Iterable[Given],
    *,
    find_origins: bool = False,
    changes: Changes | None = None,
    progress: Progress | None = None,
    **options: Unpack[StepOptions],
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the index of each frame after the first, and the contacts of the step to this frame.

    Options are checked at the call. Frames are checked when they are reached, and only two of them
    are in memory at a time. If the topology changes, `Frame.origin` tells how the sequence
    continues. Without origins, the step is None, and the sequence starts again from its frame.

    Args:
        frames: an iterable of `Frame`, such as a generator that reads files. Other tuples have
            vertices, faces, and optionally loose edges and points.
        find_origins: True to look for vertices at equal positions if the topology changes without
            origins. The step is None unless each new vertex is at the position of an old vertex.
            If several old vertices are there that do not stem from one vertex, the vertex counts as
            new.
        changes: called at each change of topology, before its step is yielded.
        progress: called after each step, before it is yielded, with the number of finished steps
            and of all steps, which is None if `frames` has no length.

    """
    if isinstance(frames, str) or not isinstance(frames, Iterable):
        raise TypeError(f"frames: expected an iterable of frames, got {came(frames)}")
    return _steps(frames, _Walk(step_options(options), find_origins), changes, progress)


def _steps(
    frames: Iterable[Given], walk: _Walk, changes: Changes | None, progress: Progress | None
) -> Iterator[tuple[int, StepContacts | None]]:
    """Yield the steps. This is a separate generator, so that its caller checks options at once."""
    total = max(0, len(frames) - 1) if isinstance(frames, Sized) else None
    for index, given in enumerate(frames):
        try:
            frame = as_frame(given)
            step, change = walk.to(index, frame)
        except (TypeError, ValueError) as error:
            raise type(error)(_in_frame(index, str(error))) from error
        if not index:
            continue
        if change and changes:
            changes(change)
        if progress:
            progress(index, total)
        yield index, step


class _Walk:
    """A walk from frame to frame, with the mesh at the last frame."""

    def __init__(self, options: core.StepOptions, find_origins: bool) -> None:
        self._options, self._find_origins = options, find_origins
        self._mesh: DeformingMesh | None = None

    def to(self, index: int, frame: Frame) -> tuple[StepContacts | None, TopologyChange | None]:
        """Take the step to a frame, and return its contacts and the change of topology before."""
        vertices = as_unchecked("vertices", with_rows("vertices", frame.vertices, 3), -1, 3)
        frame, mesh = frame._replace(vertices=vertices), self._mesh
        if mesh is None:
            self._begin(frame)
            return None, None
        change = self._change(index, mesh, frame)
        if change is None:
            return mesh._advance(vertices, self._options), None
        if change.known_by is None:
            self._begin(frame)
            return None, change
        parts: Any = {"edges": frame.edges, "points": frame.points}
        mesh.retopologize(change.start, frame.faces, change.origin, **parts)
        try:
            step = mesh._advance(vertices, self._options)
        except ValueError as error:
            raise ValueError(re.sub("^v0:", "start:", str(error))) from error
        self._keep(mesh, frame)
        return step, change

    def _begin(self, frame: Frame) -> None:
        """Start at a frame, without a step that leads to it."""
        parts: Any = {"edges": frame.edges, "points": frame.points}
        self._mesh = DeformingMesh(frame.vertices, frame.faces, **parts)
        self._keep(self._mesh, frame)

    def _keep(self, mesh: DeformingMesh, frame: Frame) -> None:
        """Keep a copy of the topology, because callers may edit their arrays."""
        edges, points = (np.array(_ids(part)) for part in (frame.edges, frame.points))
        self._topology = Frame(mesh.vertices, mesh.faces, edges=edges, points=points)

    def _change(self, index: int, mesh: DeformingMesh, frame: Frame) -> TopologyChange | None:
        """Return the change of topology before a frame, or None if nothing changes."""
        same = frame.same_topology(self._topology)
        if frame.start is not None and frame.origin is None:
            raise ValueError("start: requires origin")
        if frame.origin is not None:
            origin, start = started(frame, mesh.vertices)
            if same and frame.start is None and (origin == np.arange(len(origin))).all():
                return None
            return TopologyChange(index, "origin", origin, start)
        if same:
            return None
        end = np.asarray(frame.vertices)
        if not self._find_origins:
            none = np.full(len(end), -1, dtype=np.int32)
            return TopologyChange(index, None, none, end, len(end))
        origin, found = origins_at(mesh.vertices, end, mesh._origin)
        lost = int(np.count_nonzero(~found))
        return TopologyChange(index, None if lost else "positions", origin, end, lost)


def started(frame: Frame, before: Floats) -> tuple[Indices, Floats]:
    """Return the origins of a frame's vertices, and their positions at the previous frame.

    The vertices of the previous frame are `before`.
    """
    end = np.asarray(frame.vertices, dtype=np.float64)
    assert frame.origin is not None
    origin = as_rows("origin", frame.origin, len(end), least=-1, most=len(before) - 1)
    if frame.start is not None:
        return origin, as_shape("start", frame.start, len(end), 3)
    start = end.copy()
    start[origin >= 0] = before[origin[origin >= 0]]
    return origin, start


def as_frame(given: Any) -> Frame:
    """Return a frame. Tuples of other types have vertices, faces, loose edges and points."""
    if isinstance(given, Frame):
        return given
    wanted = "expected vertices, faces, and optionally edges and points"
    if not isinstance(given, tuple | list):
        raise TypeError(f"{wanted}, got {came(given)}")
    if not 2 <= len(given) <= 4:
        raise ValueError(f"{wanted}, got {counted(len(given), 'array')}")
    vertices, faces, edges, points = (*given, None, None)[:4]
    return Frame(vertices, faces, edges=edges, points=points)


def _in_frame(index: int, message: str) -> str:
    """Return a message that starts with its frame; v0 of a step is the previous frame."""
    at = index - 1 if message.startswith("v0:") else index
    return f"frame {at}: {re.sub('^v[01]:', 'vertices:', message)}"
