"""Entries of deforming meshes: one step, or a sequence of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata.deforming import StepContacts
from toccata.report import numbers
from toccata.report.closest import middle
from toccata.report.entry import Entry, Mark, Moment, Placed, finite_vector, status_name
from toccata.report.palette import MANY
from toccata.report.patches import patches
from toccata.report.picture import Body

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
_MOST_MARKS = 300
_PALE = 0.7 * np.array(MANY) + 0.3  # so that cuts and contacts stand out


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Vertices that go straight from `v0` to `v1`, and what was found; None: it was not checked.

    `seams` are edges where the mesh was cut before the step.
    """

    v0: ArrayLike
    v1: ArrayLike
    faces: ArrayLike
    contacts: StepContacts | None
    seams: Ids = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))


def of_steps(steps: Sequence[Step], *, name: str, description: str = "") -> Entry:
    """Tell the contacts of one step, in times from 0 to 1, or of a sequence, by its frames."""
    if not steps or not all(np.size(step.faces) for step in steps):
        raise ValueError("steps: expected meshes with faces to draw, got none")
    many = len(steps) > 1
    marks = tuple(mark for i, step in enumerate(steps) for mark in _marks(i, step))
    first = next((s.contacts for s in steps if s.contacts), None)
    placed = _places(steps)
    nothing = replace(middle(placed, 0.5 * len(steps)), bodies=(0, 0))
    end = float(len(steps))
    touches = first is not None and status_name(first) in ("CONTACT", "INITIAL_OVERLAP")
    return Entry(
        kind="sequence" if many else "step",
        name=name,
        description=description,
        status=_status(steps),
        toc=min((mark.time for mark in marks), default=nan) if touches else nan,
        touching=tuple(str(first.feature).split("-")) if touches and first is not None else (),
        names=("mesh",),
        placed=placed,
        focus=marks[0] if marks else nothing,
        moments=_moments(steps, marks),
        marks=marks,
        safe=tuple(_safe(i, step) for i, step in enumerate(steps)),
        facts=_facts(steps),
        milliseconds=1e3 * sum(s.contacts.stats.seconds for s in steps if s.contacts is not None),
        span=(0.0, end),
        clock="frame {:.2f}" if many else "t = {:.4f}",
    )


def cut_edges(faces: ArrayLike, before: ArrayLike, origin: ArrayLike) -> Ids:
    """Return the (k, 2) edges of `faces` that had a face on both sides before a cut.

    `origin` has for each vertex the one of the mesh `before` that it was, or -1.
    """
    old, ids = np.asarray(before, dtype=np.int64), np.asarray(origin, dtype=np.int64)
    edges, counts = _edges(np.asarray(faces, dtype=np.int64))
    border = edges[counts == 1]
    was = np.sort(ids[border], axis=1)
    shared = _edges(old)
    inner = {tuple(edge) for edge in shared[0][shared[1] > 1].tolist()}
    return np.asarray(border[[tuple(edge) in inner for edge in was.tolist()]])


def _edges(faces: Ids) -> tuple[Ids, Ids]:
    """Return the edges of faces, lower vertex first, and how many faces each one has."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, counts = np.unique(sides, axis=0, return_counts=True)
    return edges, counts


def _places(steps: Sequence[Step]) -> Callable[[float], list[Placed]]:
    """Return the mesh as a function of time; its patches have colors of their own."""
    colors: dict[int, Array] = {}

    @lru_cache(maxsize=4)
    def body(t: float) -> Body:
        i = min(int(t), len(steps) - 1)
        step, share = steps[i], t - i
        v0, v1 = (np.asarray(v, dtype=np.float64) for v in (step.v0, step.v1))
        faces = np.asarray(step.faces, dtype=np.int64)
        if i not in colors:
            colors[i] = _PALE[patches(faces, len(v0)) % len(_PALE)]
        return Body.of((v0 + share * (v1 - v0), faces), colors[i], step.seams)

    return lambda t: [(body(t), np.eye(4))]


def _marks(index: int, step: Step) -> list[Mark]:
    """Return the contacts of a step, the earliest first, where they are at their times."""
    found = step.contacts
    point = None if found is None else finite_vector(found.point_a)
    if found is None or point is None or found.pair is None:
        return []
    normal = finite_vector(found.normal)
    known = np.zeros(3) if normal is None else normal
    first = Mark(index + float(found.toc), point, known, (0, 0), _triangles(step, found))
    v0, v1 = (np.asarray(v, dtype=np.float64) for v in (step.v0, step.v1))
    edges = np.asarray(found.edges)[np.asarray(found.edge_edge)]
    listed = [
        *zip(found.vertex_face_toc, np.asarray(found.vertex_face)[:, :1], strict=True),
        *zip(found.edge_edge_toc, edges.reshape(-1, 4), strict=True),
    ]
    listed.sort(key=lambda row: float(row[0]))
    rest = [
        Mark(index + float(t), (v0[ids] + t * (v1[ids] - v0[ids])).mean(axis=0), bodies=(0, 0))
        for t, ids in listed[1:_MOST_MARKS]
    ]
    return [first, *rest]


def _triangles(step: Step, found: StepContacts) -> tuple[int, int]:
    """Return a face of each feature of the first contact."""
    assert found.pair is not None
    faces = np.asarray(step.faces)
    if found.feature == "vertex-face":
        return _face_with(faces, [found.pair[0]]), int(found.pair[1])
    a, b = (np.asarray(found.edges)[row] for row in found.pair)
    return _face_with(faces, a), _face_with(faces, b)


def _face_with(faces: NDArray[Any], vertices: Sequence[int] | NDArray[Any]) -> int:
    has = np.all([(faces == vertex).any(axis=1) for vertex in vertices], axis=0)
    return int(np.argmax(has)) if has.any() else -1


def _status(steps: Sequence[Step]) -> str:
    """Return that of the first contact; what was not checked must not pass as free."""
    names = ["UNDECIDED" if s.contacts is None else status_name(s.contacts) for s in steps]
    order = ("CONTACT", "INITIAL_OVERLAP", "UNDECIDED")
    touching = [name for name in names if name in order[:2]]
    return touching[0] if touching else "UNDECIDED" if "UNDECIDED" in names else "FREE"


def _safe(index: int, step: Step) -> tuple[float, float]:
    return index, index + (0.0 if step.contacts is None else float(step.contacts.safe_until))


def _moments(steps: Sequence[Step], marks: tuple[Mark, ...]) -> tuple[Moment, ...]:
    end, many = float(len(steps)), len(steps) > 1
    first = Moment(0.0, "Start", "frame 0" if many else "t = 0")
    if not marks:
        middle = Moment(end / 2, "Halfway", _told(many, end / 2))
        return first, middle, Moment(end, "End", _told(many, end))
    at = Moment(marks[0].time, "First contact", _told(many, marks[0].time), marks[:1])
    if len(marks) == 1:
        return first, at, Moment(end, "End", "where the step would have led")
    what = "sequence" if many else "step"
    note = f"discs: contacts of the {what}"
    nothing = Mark(end, np.full(3, np.nan))  # what comes first is enlarged
    return first, at, Moment(end, "End", note, (nothing, *marks))


def _told(many: bool, time: float) -> str:
    at = numbers.rounded_down(time, 2 if many else 4)
    return f"frame {at}" if many else f"t = {at}"


def _facts(steps: Sequence[Step]) -> tuple[tuple[str, str], ...]:
    counts = [len(np.asarray(step.faces)) for step in steps]
    facts = [("Triangles", numbers.count(counts[0]))]
    listed = [s.contacts for s in steps if s.contacts is not None]
    vertex_face = sum(len(found.vertex_face) for found in listed)
    edge_edge = sum(len(found.edge_edge) for found in listed)
    if vertex_face or edge_edge:
        words = f"{vertex_face} of a vertex and a face, {edge_edge} of two edges"
        facts.append(("Contacts", words))
    cut = sum(len(step.seams) for step in steps)
    if cut:
        facts.append(("Cut open", f"{numbers.count(cut)} edges, red lines in the pictures"))
    if len(steps) > 1:
        touched = sum(bool(found) for found in listed)
        facts.append(("Steps", f"{len(steps)}, {touched} with contact"))
    return tuple(facts)
