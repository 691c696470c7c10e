"""Steps of a deforming mesh: frames, contacts, cut edges, and groups in colors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_faces, as_shape
from toccata._deforming import StepContacts
from toccata._result import Status
from toccata._sequence import Frame
from toccata.view import _numbers
from toccata.view._camera import framed
from toccata.view._colors import AMBER, DARK, PALETTE, RED, YELLOW
from toccata.view._connected import crossings, cut_edges, matched, pieces
from toccata.view._items import Arrows, Body, Item, Mark, Outcome, Plot, Points, Span, View
from toccata.view._parts import contact_camera, focus_of, touch_of

_BYTES = 24e6
"""Bound on all vertices that are shown: long sequences get fewer rows per step."""
_MOST_SHARES = 13
_MOST_POINTS = 4000
_MOST_MARKS = 12
_LAST = 1 - 1e-6
"""Time of a step at which its end is shown: the next one may start with another mesh."""
_PALE = tuple(tuple(round(0.7 * c + 76) for c in color) for color in PALETTE)
"""Colors of pieces: contacts and cuts stand out against them."""
Indices = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class DeformingStep:
    """Vertices that move straight from `v0` to `v1`, and the answer; None: it was not checked."""

    v0: Floats
    v1: Floats
    faces: Indices
    origin: Indices | None = None
    """(n,) vertices of the step before, where the mesh is another one; -1: none."""
    contacts: StepContacts | None = None
    groups: Any = None
    """(n,) group of each vertex; None: connected pieces."""
    edges: Any = None
    """(k, 2) loose edges."""
    points: Any = None
    """(k,) loose vertices."""
    cuts: Any = None
    """(k, 2) edges that were cut just before; None: found by comparing with the step before."""

    @classmethod
    def of(
        cls, v0: ArrayLike, v1: ArrayLike, faces: ArrayLike, contacts: Any = None, **more: Any
    ) -> DeformingStep:
        """Check the shapes."""
        start = as_shape("v0", v0, -1, 3)
        end = as_shape("v1", v1, len(start), 3)
        return cls(start, end, as_faces("faces", faces), contacts=contacts, **more)

    def at(self, share: float) -> Floats:
        """Return the vertices at a time from 0 to 1."""
        return np.asarray(self.v0 + share * (self.v1 - self.v0))


def steps_of_frames(
    frames: Sequence[Frame], contacts: Iterable[StepContacts | None] = ()
) -> list[DeformingStep]:
    """Return the steps between frames; a frame with other faces than the next one just stays."""
    found, answers = [], [*contacts]
    answers += [None] * (len(frames) - 1 - len(answers))
    for (before, after), answer in zip(pairwise(frames), answers, strict=True):
        same = before.same_topology(after)
        end = after.vertices if same else before.vertices
        loose = {"edges": before.edges, "points": before.points}
        found.append(DeformingStep.of(before.vertices, end, before.faces, answer, **loose))
    if len(frames) > 1 and not frames[-2].same_topology(frames[-1]):
        last = frames[-1]
        loose = {"edges": last.edges, "points": last.points}
        found.append(DeformingStep.of(last.vertices, last.vertices, last.faces, **loose))
    return found


def of_steps(steps: Sequence[DeformingStep], title: str = "Deforming mesh") -> View:
    """Return a view of steps; step i takes place from time i to i + 1."""
    if not steps:
        raise ValueError("steps: expected at least one, got none")
    shares = [_shares(step, steps) for step in steps]
    times = np.concatenate([i + row for i, row in enumerate(shares)])
    size = float(np.linalg.norm(np.ptp(steps[0].v0, axis=0))) or 1.0
    items: list[Item] = []
    for first, last in _runs(steps):
        items += _run(steps, shares, (first, last), size)
    marks: list[Mark] = []
    many = len(steps) > 1
    for i, step in enumerate(steps):
        items += _contacts(step, i, shares[i], size)
        end = float(shares[i][-1])
        marks += _mark(step, i, (size, end), many, camera=len(marks) < _MOST_MARKS)
    touched = next(((i, s.contacts) for i, s in enumerate(steps) if s.contacts), None)
    focus = (
        None
        if touched is None
        else focus_of(touched[0] + float(touched[1].toc), touch_of(touched[1]))
    )
    view = View(
        title,
        tuple(items),
        times,
        _outcome(steps),
        tuple(marks),
        tuple(_plot(steps, shares)),
        tuple(_facts(steps)),
        kind="Deforming sequence" if many else "Deforming step",
        seconds=float(np.clip(1.5 * len(steps), 3.0, 20.0)),
        unit="frame" if many else "",
    )
    return framed(view, focus)


def _outcome(steps: Sequence[DeformingStep]) -> Outcome | None:
    """Return the first contact in short; a step that was not checked does not pass as free."""
    answers = [step.contacts for step in steps]
    if all(found is None for found in answers):
        return None
    names = ["UNDECIDED" if found is None else found.status.name for found in answers]
    safe = tuple((float(i), i + (0.0 if found is None else min(float(found.safe_until), 1.0)))
                 for i, found in enumerate(answers))  # fmt: skip
    milliseconds = 1e3 * sum(found.stats.seconds for found in answers if found is not None)
    for i, found in enumerate(answers):
        if found is not None and found.status in (Status.CONTACT, Status.INITIAL_OVERLAP):
            feature = (found.feature,) if found.feature else ()
            return Outcome(names[i], i + float(found.toc), feature, safe, milliseconds)
    status = "UNDECIDED" if "UNDECIDED" in names else "FREE"
    return Outcome(status, safe=safe, milliseconds=milliseconds)


def _shares(step: DeformingStep, steps: Sequence[DeformingStep]) -> Floats:
    """Return the times of a step that are shown, from 0 to about 1."""
    each = _BYTES / (12 * len(step.v0) * len(steps))
    toc = [] if step.contacts is None or not step.contacts else [float(step.contacts.toc)]
    found = np.append(np.linspace(0.0, 1.0, int(np.clip(each, 2, _MOST_SHARES))), toc)
    return np.unique(np.minimum(found, 1.0 if step is steps[-1] else _LAST))


def _runs(steps: Sequence[DeformingStep]) -> Iterator[tuple[int, int]]:
    """Return first and last of steps with the same faces."""
    first = 0
    for i in range(1, len(steps) + 1):
        if i == len(steps) or not np.array_equal(steps[i].faces, steps[first].faces):
            yield first, i - 1
            first = i


def _run(
    steps: Sequence[DeformingStep], shares: list[Floats], run: tuple[int, int], size: float
) -> Iterator[Item]:
    """Return the mesh over steps with the same faces, a body for each color; and its new cuts."""
    first, last = run
    step = steps[first]
    span = (float(first), last + float(shares[last][-1]))
    rows = np.stack([steps[i].at(float(s)) for i in range(first, last + 1) for s in shares[i]])
    group = pieces(step.faces, len(step.v0)) if step.groups is None else step.groups
    color = np.unique(group, return_inverse=True)[1][step.faces[:, 0]] % len(PALETTE)
    for k in np.unique(color):
        used, corners = np.unique(step.faces[color == k], return_inverse=True)
        name = f"mesh/{first} {k}" if first else f"mesh/{k}"
        yield Body(name, _PALE[k], rows[:, used], corners.reshape(-1, 3), span=span)
    yield from _loose(step, rows, (first, span), size)
    edges = step.cuts if step.cuts is not None or not first else _cut(steps[first - 1], step)
    if edges is not None and len(edges):
        ends = rows[:, edges[:, 0]], rows[:, edges[:, 1]]
        more: Any = {"heads": False, "span": span, "legend": "new cut"}
        yield Arrows(f"cut/{first}", RED, *ends, 0.003 * size, **more)


def _loose(step: DeformingStep, rows: Floats, run: tuple[int, Span], size: float) -> Iterator[Item]:
    """Return edges and vertices that belong to no face, over a run of steps."""
    first, span = run
    if step.edges is not None and len(step.edges):
        a, b = np.asarray(step.edges).T
        ends = rows[:, a], rows[:, b]
        yield Arrows(f"edges/{first}", PALETTE[1], *ends, 0.003 * size, heads=False, span=span)
    if step.points is not None and len(step.points):
        yield Points(f"points/{first}", PALETTE[1], rows[:, step.points], 0.008 * size, span=span)


def _cut(before: DeformingStep, after: DeformingStep) -> Indices:
    origin = matched(before.v1, after.v0) if after.origin is None else np.asarray(after.origin)
    return cut_edges(before.faces, after.faces, origin)


def _contacts(step: DeformingStep, i: int, shares: Floats, size: float) -> Iterator[Item]:
    """Return the points in contact; those that touch later wait where the first one is."""
    found = step.contacts
    if found is None or not found:
        return
    begin = float(min(found.toc, shares[-1]))
    span = (i + begin, i + float(shares[-1]))
    toc, points = contact_points(step)
    if len(points):
        every = 1 + len(points) // _MOST_POINTS
        since = shares[shares >= begin]
        late = toc[None, ::every] > np.append(since[:-1], 1.0)[:, None]
        rows = np.where(late[..., None], points[0], points[None, ::every])
        dot = min(0.008 * size, 0.5 * _edge_length(step))
        words = "contact point"
        yield Points(f"contact/points {i}", YELLOW, rows, dot, span=span, legend=words)
    if np.isfinite(found.normal).all() and np.isfinite(found.point_b).all():
        start = found.point_b[None]
        end = start + 0.06 * size * found.normal
        more: Any = {"span": span, "legend": "contact normal"}
        yield Arrows(f"contact/normal {i}", DARK, start, end, 0.003 * size, **more)


def _edge_length(step: DeformingStep) -> float:
    a, b = (step.v0[step.faces[:, k]] for k in (0, 1))
    return float(np.median(np.linalg.norm(a - b, axis=1))) if len(a) else np.inf


def contact_points(step: DeformingStep) -> tuple[Floats, Floats]:
    """Return when and where pairs of features touch, (k,) and (k, 3), in the order of time."""
    found = step.contacts
    assert found is not None
    pairs = [
        (found.vertex_face[:, :1], found.vertex_face_toc),
        (found.edges[found.edge_edge].reshape(-1, 4), found.edge_edge_toc),
    ]
    times, points = [], []
    for corners, toc in pairs:
        t = np.clip(toc, 0.0, 1.0)
        at = step.v0[corners] + t[:, None, None] * (step.v1[corners] - step.v0[corners])
        times.append(t)
        points.append(at[:, 0] if corners.shape[1] == 1 else crossings(at))
    order = np.argsort(np.concatenate(times), kind="stable")
    return np.concatenate(times)[order], np.concatenate(points)[order]


def _mark(
    step: DeformingStep, i: int, sizes: tuple[float, float], many: bool, camera: bool
) -> Iterator[Mark]:
    size, end = sizes
    found = step.contacts
    if found is None or not found:
        return
    undecided = found.status is Status.UNDECIDED
    name = "Undecided" if undecided else "Contact" if many else "First contact"
    close = None
    if camera and not undecided:
        now = Body("mesh", DARK, step.at(float(found.toc)), step.faces)
        close = contact_camera(touch_of(found), [now], 0, 0.3 * size)
    time, color = i + float(min(found.toc, end)), AMBER if undecided else RED
    yield Mark(f"{name} in step {i}" if many else name, time, color, close)


def _plot(steps: Sequence[DeformingStep], shares: list[Floats]) -> Iterator[Plot]:
    """Return the number of pairs that have touched since the step began."""
    if all(step.contacts is None for step in steps):
        return
    counts = []
    for step, row in zip(steps, shares, strict=True):
        found = step.contacts
        tocs = np.empty(0)
        if found is not None:
            tocs = np.sort(np.concatenate([found.vertex_face_toc, found.edge_edge_toc]))
        counts.append(np.searchsorted(tocs, np.append(row[:-1], 1.0), "right").astype(np.float64))
    yield Plot("Pairs in contact", {"pairs": np.concatenate(counts)})


def _facts(steps: Sequence[DeformingStep]) -> Iterator[tuple[str, str]]:
    first = steps[0]
    sizes = _numbers.count(len(first.v0)), _numbers.count(len(first.faces))
    yield "Mesh", f"{sizes[0]} vertices, {sizes[1]} triangles"
    answers = [step.contacts for step in steps if step.contacts is not None]
    if len(steps) > 1 and answers:
        yield "Steps", f"{len(steps)}, {sum(map(bool, answers))} with contact"
    vertex_face = sum(len(found.vertex_face) for found in answers)
    edge_edge = sum(len(found.edge_edge) for found in answers)
    if vertex_face or edge_edge:
        counts = _numbers.count(vertex_face), _numbers.count(edge_edge)
        yield "Contacts", f"{counts[0]} vertex-face, {counts[1]} edge-edge"
