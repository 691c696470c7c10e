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
from toccata._sequence import Frame, started
from toccata.view._camera import framed
from toccata.view._colors import AMBER, DARK, PALETTE, RED, YELLOW
from toccata.view._connected import crossings, cut_edges, matched, pieces
from toccata.view._items import Arrows, Body, Item, Mark, Outcome, Plot, Points, View
from toccata.view._parts import Facts, Touch, touches

_BYTES = 24e6
"""Largest size of all positions of vertices, in bytes. Long sequences have fewer rows per step."""
_MOST_SHARES = 13
_MOST_POINTS = 4000
_MOST_MARKS = 12
_LAST = 1 - 1e-6
"""Time of the last row of a step before another step, which may have other faces."""
_PALE = tuple(tuple(round(0.7 * c + 76) for c in color) for color in PALETTE)
"""Colors of components. They are pale, so that contacts and cuts stand out."""
Indices = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class DeformingStep:
    """A straight motion of all vertices from `v0` to `v1`, with the answer about it."""

    v0: Floats
    v1: Floats
    faces: Indices
    origin: Indices | None = None
    """Origin of each vertex in the previous step if the mesh has changed, (n,); -1 if new."""
    contacts: StepContacts | None = None
    """The answer, or None if the step was not checked."""
    groups: Any = None
    """Group of each vertex, (n,). By default, groups are connected components."""
    edges: Any = None
    """Loose edges, (k, 2)."""
    points: Any = None
    """Loose vertices, (k,)."""
    cuts: Any = None
    """Edges that were cut before this step, (k, 2). By default, computed from both meshes."""

    @classmethod
    def of(
        cls, v0: ArrayLike, v1: ArrayLike, faces: ArrayLike, contacts: Any = None, **more: Any
    ) -> DeformingStep:
        """Return a step from arrays, after a check of their shapes."""
        start = as_shape("v0", v0, -1, 3)
        end = as_shape("v1", v1, len(start), 3)
        return cls(start, end, as_faces("faces", faces), contacts=contacts, **more)

    def changes(self, other: DeformingStep) -> bool:
        """Return whether the mesh is another one than in an earlier step."""
        same = len(self.v0) == len(other.v0) and np.array_equal(self.faces, other.faces)
        return self.origin is not None or not same

    def at(self, share: float) -> Floats:
        """Return the vertices at a time from 0 to 1."""
        return np.asarray(self.v0 + share * (self.v1 - self.v0))


def steps_of_frames(
    frames: Sequence[Frame], contacts: Iterable[StepContacts | None] = ()
) -> list[DeformingStep]:
    """Return the steps between frames. Nothing moves before a new topology without origins."""
    answers = [*contacts]
    answers += [None] * (len(frames) - 1 - len(answers))
    steps = [_step(*pair, answer) for pair, answer in zip(pairwise(frames), answers, strict=True)]
    if len(frames) > 1 and not _continues(*frames[-2:]):
        last = frames[-1]._replace(origin=None, start=None)
        steps.append(_step(last, last, None))
    return steps


def _continues(before: Frame, after: Frame) -> bool:
    """Return whether the motion between two frames is known."""
    return after.origin is not None or before.same_topology(after)


def _step(before: Frame, after: Frame, answer: StepContacts | None) -> DeformingStep:
    start, mesh, origin = before.vertices, before, None
    end = after.vertices if _continues(before, after) else start
    if after.origin is not None:
        origin, start = started(after, np.asarray(before.vertices))
        mesh = after
        if before.same_topology(after) and (origin == np.arange(len(origin))).all():
            origin = None
    more: Any = {"origin": origin, "edges": mesh.edges, "points": mesh.points}
    return DeformingStep.of(start, end, mesh.faces, answer, **more)


def of_steps(steps: Sequence[DeformingStep], title: str = "Deforming mesh") -> View:
    """Return a view of steps. Step i takes place from time i to time i + 1."""
    if not steps:
        raise ValueError("steps: expected at least one step, got none")
    shares = [_shares(step, steps) for step in steps]
    times = np.concatenate([i + row for i, row in enumerate(shares)])
    size = float(np.linalg.norm(np.ptp(steps[0].v0, axis=0))) or 1.0
    items: list[Item] = []
    for first, last in _runs(steps):
        items += _run(steps, shares, (first, last), size)
    marks: list[Mark] = []
    many, touched = len(steps) > 1, Touch()
    for i, (step, row) in enumerate(zip(steps, shares, strict=True)):
        if not (found := step.contacts):
            continue
        items += _contacts(step, found, i, row, size)
        undecided = found.status is Status.UNDECIDED
        name = "Undecided" if undecided else "Contact" if many else "First contact"
        close = None
        if len(marks) < _MOST_MARKS and not undecided:
            now = Body("mesh", DARK, step.at(float(found.toc)), step.faces)
            close = Touch.of(found).camera([now], 0, 0.3 * size)
        time, color = i + float(min(found.toc, row[-1])), AMBER if undecided else RED
        marks.append(Mark(f"{name} in step {i}" if many else name, time, color, close))
        if np.isnan(touched.time):
            touched = Touch.of(found)._replace(time=i + float(found.toc))
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
    return framed(view, touched.focus())


def _outcome(steps: Sequence[DeformingStep]) -> Outcome | None:
    """Return a summary with the first contact. Steps that were not checked do not count as free."""
    answers = [step.contacts for step in steps]
    if all(found is None for found in answers):
        return None
    names = ["UNDECIDED" if found is None else found.status.name for found in answers]
    until = [0.0 if found is None else min(float(found.safe_until), 1.0) for found in answers]
    safe = tuple((float(i), i + end) for i, end in enumerate(until))
    milliseconds = 1e3 * sum(found.stats.seconds for found in answers if found is not None)
    for i, found in enumerate(answers):
        if found is not None and touches(found):
            feature = (found.feature,) if found.feature else ()
            return Outcome(names[i], i + float(found.toc), feature, safe, milliseconds)
    status = "UNDECIDED" if "UNDECIDED" in names else "FREE"
    return Outcome(status, safe=safe, milliseconds=milliseconds)


def _shares(step: DeformingStep, steps: Sequence[DeformingStep]) -> Floats:
    """Return the times of a step that are shown, from 0 to 1, or to just below 1."""
    each = _BYTES / (12 * len(step.v0) * len(steps))
    toc = [] if step.contacts is None or not step.contacts else [float(step.contacts.toc)]
    found = np.append(np.linspace(0.0, 1.0, int(np.clip(each, 2, _MOST_SHARES))), toc)
    return np.unique(np.minimum(found, 1.0 if step is steps[-1] else _LAST))


def _runs(steps: Sequence[DeformingStep]) -> Iterator[tuple[int, int]]:
    """Return the first and the last step of each run of steps with the same mesh."""
    first = 0
    for i in range(1, len(steps) + 1):
        if i == len(steps) or steps[i].changes(steps[first]):
            yield first, i - 1
            first = i


def _run(
    steps: Sequence[DeformingStep], shares: list[Floats], run: tuple[int, int], size: float
) -> Iterator[Item]:
    """Yield the mesh over a run of steps, as one body per color, and its new cuts."""
    first, last = run
    step = steps[first]
    span = (float(first), last + float(shares[last][-1]))
    rows = np.stack([steps[i].at(float(s)) for i in range(first, last + 1) for s in shares[i]])
    group = pieces(step.faces, len(step.v0)) if step.groups is None else step.groups
    colors = np.unique(group, return_inverse=True)[1][step.faces[:, 0]] % len(PALETTE)
    for k in np.unique(colors):
        used, corners = np.unique(step.faces[colors == k], return_inverse=True)
        name = f"mesh/{first} {k}" if first else f"mesh/{k}"
        yield Body(name, _PALE[k], rows[:, used], corners.reshape(-1, 3), span=span)
    cuts = step.cuts
    if cuts is None and first:
        last_step = steps[first - 1]
        origin = matched(last_step.v1, step.v0) if step.origin is None else np.asarray(step.origin)
        cuts = cut_edges(last_step.faces, step.faces, origin)
    more: Any = {"heads": False, "span": span}
    for name, color, edges, legend in (
        ("edges", PALETTE[1], step.edges, ""),
        ("cut", RED, cuts, "new cut"),
    ):
        if edges is not None and len(edges):
            a, b = np.asarray(edges).T
            ends = rows[:, a], rows[:, b]
            yield Arrows(f"{name}/{first}", color, *ends, 0.003 * size, legend=legend, **more)
    if step.points is not None and len(step.points):
        yield Points(f"points/{first}", PALETTE[1], rows[:, step.points], 0.008 * size, span=span)


def _contacts(
    step: DeformingStep, found: StepContacts, i: int, shares: Floats, size: float
) -> Iterator[Item]:
    """Yield the contact points and the normal. Until its contact, a point is at the first point."""
    begin = float(min(found.toc, shares[-1]))
    span = (i + begin, i + float(shares[-1]))
    toc, points = _contact_points(step, found)
    if len(points):
        every = 1 + len(points) // _MOST_POINTS
        since = shares[shares >= begin]
        late = toc[None, ::every] > np.append(since[:-1], 1.0)[:, None]
        rows = np.where(late[..., None], points[0], points[None, ::every])
        a, b = (step.v0[step.faces[:, k]] for k in (0, 1))
        edge = float(np.median(np.linalg.norm(a - b, axis=1))) if len(a) else np.inf
        dot, words = min(0.008 * size, 0.5 * edge), "contact point"
        yield Points(f"contact/points {i}", YELLOW, rows, dot, span=span, legend=words)
    if np.isfinite(found.normal).all() and np.isfinite(found.point_b).all():
        start = found.point_b[None]
        end = start + 0.06 * size * found.normal
        more: Any = {"span": span, "legend": "contact normal"}
        yield Arrows(f"contact/normal {i}", DARK, start, end, 0.003 * size, **more)


def _contact_points(step: DeformingStep, found: StepContacts) -> tuple[Floats, Floats]:
    """Return the times (k,) and the points (k, 3) of all contacts, sorted by time."""
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


def _plot(steps: Sequence[DeformingStep], shares: list[Floats]) -> Iterator[Plot]:
    """Yield a plot of the number of pairs that have touched since the start of the step."""
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


def _facts(steps: Sequence[DeformingStep]) -> Facts:
    first = steps[0]
    yield "Mesh", f"{len(first.v0):,} vertices, {len(first.faces):,} triangles"
    answers = [step.contacts for step in steps if step.contacts is not None]
    if len(steps) > 1 and answers:
        yield "Steps", f"{len(steps)}, {sum(map(bool, answers))} with contact"
    vertex_face = sum(len(found.vertex_face) for found in answers)
    edge_edge = sum(len(found.edge_edge) for found in answers)
    if vertex_face or edge_edge:
        yield "Contacts", f"{vertex_face:,} vertex-face, {edge_edge:,} edge-edge"
