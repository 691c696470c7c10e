"""Queries about deforming steps, with assertions that check their answers pair by pair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any

import numpy as np
from oracles.brute_force import Contacts, Ids, Step, candidates, contacts, earliest
from oracles.brute_force import piercing as pierced_pairs
from oracles.deforming_meshes import deforming_mesh
from oracles.linear_contract import Question, assert_answer
from oracles.linear_distance import distance_within, first_within
from oracles.linear_features import KINDS, Kind
from oracles.polynomials import Root
from oracles.topology_edits import CUTS, after_opening, meeting_of, pierced_after_opening

import toccata as tc
from toccata._deforming import StepMethod

METHODS: tuple[StepMethod, ...] = ("clusters", "bvh", "auto")
CONTACT, INITIAL_OVERLAP = int(tc.Status.CONTACT), int(tc.Status.INITIAL_OVERLAP)


@dataclass(frozen=True)
class Truth:
    """The contacts of a step by brute force."""

    step: Step
    contacts: Contacts
    pierced: set[tuple[int, int]]
    identity: Ids | None = None
    """An id per vertex; vertices with equal ids start as one."""

    @property
    def first(self) -> Root | None:
        """Return the exact time of the earliest contact of a pair."""
        return earliest(t for times in self.contacts.values() for t in times.values())

    @property
    def count(self) -> int:
        """Return the number of pairs that touch."""
        return sum(map(len, self.contacts.values()))


@cache
def truth_of(name: str, seed: int, fine: int = 1) -> Truth:
    """Draw a mesh by the name of its maker and find all its contacts."""
    return solved(deforming_mesh(name, seed, fine))


def solved(step: Step, identity: Ids | None = None) -> Truth:
    """Find all contacts of a step by brute force; vertices of one identity start as one."""
    found, pierced = contacts(step), pierced_pairs(step)
    if identity is not None:
        found = after_opening(step, found, identity)
        pierced = pierced_after_opening(step, pierced, identity)
    return Truth(step, found, pierced, identity)


def ask(step: Step, **options: Any) -> Any:
    """Return the contacts of a step."""
    if step.groups is not None:
        options |= {"groups": step.groups, "ignored_groups": step.ignored}
    options |= {"edges": step.loose, "points": step.points}
    return tc.deforming_contacts(step.v0, step.v1, step.faces, **options)


def listed(answer: Any, kind: Kind) -> tuple[Ids, Any]:
    """Return the pairs of one kind and their times."""
    if kind == "vertex-face":
        return answer.vertex_face, answer.vertex_face_toc
    return answer.edge_edge, answer.edge_edge_toc


def assert_all_contacts(answer: Any, truth: Truth, separation: float = 0.0) -> None:
    """Assert that exactly the contacts are listed, up to the tolerance, with certified times."""
    step = truth.step
    assert np.array_equal(answer.edges, step.edges), "other edges took part"
    for kind in KINDS:
        pairs, times = listed(answer, kind)
        assert_sorted(pairs, kind)
        found = {(int(a), int(b)) for a, b in pairs}
        missed = truth.contacts[kind].keys() - found
        assert not missed, f"missed {kind} {sorted(missed)[:5]}"
        rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        start, end = step.query(kind, rows)
        for row, s, e, toc in zip(
            rows.tolist(), start.tolist(), end.tolist(), times.tolist(), strict=True
        ):
            if opens(truth, kind, row):
                assert_touch_later(truth, kind, row, toc)
                continue
            question = Question(kind, s, e, separation, answer.tolerance)
            assert_answer(question, INITIAL_OVERLAP if toc == 0 else CONTACT, toc)
    assert_summary(answer, truth)
    first = min([inf, *answer.vertex_face_toc.tolist(), *answer.edge_edge_toc.tolist()])
    assert answer.toc == first or (answer.toc == 0 and len(answer.initial_edge_face))


def opens(truth: Truth, kind: Kind, row: list[int]) -> bool:
    """Return whether a crack opens between two features."""
    if truth.identity is None:
        return False
    corners = truth.step.corners(kind, np.array([row]))[0]
    return meeting_of(truth.step, corners, CUTS[kind], truth.identity) == "opens"


def assert_touch_later(truth: Truth, kind: Kind, row: list[int], toc: float) -> None:
    """Assert the rules for features that touch at the start, where a crack opens.

    The time 0 only means that no proof of their separation was found.
    """
    exact = truth.contacts[kind].get((row[0], row[1]))
    assert toc == 0 or exact is not None, f"{kind} {row} does not touch after the start"
    if exact is not None:
        assert Root.dyadic(toc).compare(exact) <= 0, f"later than {exact.bounds()}"


def assert_first_contact(answer: Any, truth: Truth, everything: Any) -> None:
    """Assert that the first contact equals the earliest of all contacts."""
    assert len(answer.vertex_face) + len(answer.edge_edge) <= 1
    assert answer.status == everything.status
    assert_summary(answer, truth)
    if answer.pair is not None:
        for kind in KINDS:
            for pair in map(tuple, listed(answer, kind)[0].tolist()):
                assert (kind, pair) == (answer.feature, tuple(answer.pair))
        known = {tuple(pair) for pair in listed(everything, answer.feature)[0].tolist()}
        assert tuple(answer.pair) in known, "the earliest contact is not one of all contacts"


def assert_summary(answer: Any, truth: Truth) -> None:
    """Assert the rules that first and all contacts share."""
    first = truth.first
    assert bool(answer) == (answer.status is not tc.Status.FREE)
    assert (answer.toc == inf) == (not answer)
    if not answer:
        assert first is None and not truth.pierced, "missed"
        assert answer.feature is None and answer.pair is None and answer.safe_until >= 1
        return
    assert answer.safe_until == answer.toc
    if first is not None:
        assert Root.dyadic(float(answer.toc)).compare(first) <= 0, f"later than {first.bounds()}"
    assert_piercing(answer, truth)
    assert (answer.status is tc.Status.INITIAL_OVERLAP) == (answer.toc == 0)
    assert answer.status in (tc.Status.CONTACT, tc.Status.INITIAL_OVERLAP)
    assert_witness(answer, truth.step)


def assert_piercing(answer: Any, truth: Truth) -> None:
    """Assert that all edges that pierce faces are listed, and only edges within the tolerance."""
    pairs = {(int(e), int(f)) for e, f in answer.initial_edge_face}
    assert len(pairs) == len(answer.initial_edge_face)
    for e, f in truth.pierced - pairs:
        # An edge that passes a face within the tolerance of its rim touches it at 0, too.
        edge, face = truth.step.edges[e], truth.step.faces[f]
        rim = answer.toc == 0 and edge_face_within(truth.step, edge, face, answer.tolerance)
        assert rim, f"edge {e} pierces face {f} at the start and is not listed"
    for e, f in pairs - truth.pierced:
        edge, face = truth.step.edges[e], truth.step.faces[f]
        assert not set(edge.tolist()) & set(face.tolist()), "they share a vertex"
        assert edge_face_within(truth.step, edge, face, answer.tolerance), "apart at the start"


def edge_face_within(step: Step, edge: Ids, face: Ids, level: float) -> bool:
    """Return whether an edge that misses a face at the start is within a level of its rim."""
    queries = [("vertex-face", [v, *face]) for v in edge]
    queries += [("edge-edge", [*edge, face[k], face[(k + 1) % 3]]) for k in range(3)]
    for kind, ids in queries:
        at_rest = step.v0[ids].tolist()
        if distance_within(kind, at_rest, at_rest, 0.0, Fraction(level)):  # type: ignore[arg-type]
            return True
    return False


def assert_witness(answer: Any, step: Step) -> None:
    """Assert that the points lie on their features at the time of the pair.

    That is toc, or later if edges pierce faces at the start.
    """
    if answer.pair is None:
        assert len(answer.initial_edge_face), "a contact without a pair"
        return
    a, b = step.features(answer.feature)
    pairs, times = listed(answer, answer.feature)
    (toc,) = times[(pairs == answer.pair).all(axis=1)].tolist()
    assert toc == answer.toc or len(answer.initial_edge_face)
    sides = [step.v0[ids] + toc * (step.v1[ids] - step.v0[ids]) for ids in _ids(answer, a, b)]
    size = float(np.abs([step.v0, step.v1]).max())
    for point, corners in zip((answer.point_a, answer.point_b), sides, strict=True):
        corners = np.concatenate([corners, corners, corners])[:3]
        at_rest = [np.asarray(point).tolist(), *corners.tolist()]
        level = Fraction(size) / 2**40
        assert distance_within("vertex-face", at_rest, at_rest, 0.0, level), "off its feature"


def _ids(answer: Any, a: Ids, b: Ids) -> tuple[Ids, Ids]:
    return a[answer.pair[0]], b[answer.pair[1]]


def assert_sorted(pairs: Any, kind: Kind) -> None:
    """Assert the promised order: lexicographic, once each, lower edge first."""
    rows = [tuple(row) for row in np.asarray(pairs).tolist()]
    assert rows == sorted(set(rows)), "not in lexicographic order, or twice"
    assert kind == "vertex-face" or all(a < b for a, b in rows)


def assert_none_missed_within(answer: Any, step: Step, separation: float) -> int:
    """Assert that all pairs that come within a separation are listed; return their number."""
    count = 0
    for kind in KINDS:
        found = {(int(a), int(b)) for a, b in listed(answer, kind)[0]}
        pairs = candidates(step, kind, separation)
        start, end = step.query(kind, pairs)
        for pair, s, e in zip(pairs.tolist(), start.tolist(), end.tolist(), strict=True):
            if tuple(pair) in found:
                count += 1
                continue
            near = first_within(kind, s, e, Fraction(separation), bits=24)
            question = Question(kind, s, e, separation, answer.tolerance)
            assert near.hi is None, f"missed {kind} {pair} at {float(near.hi)}: {question}"
    return count


def bits(answer: Any) -> tuple[bytes, ...]:
    """Return all fields of an answer except statistics, bit by bit."""
    names = "vertex_face vertex_face_toc edge_edge edge_edge_toc initial_edge_face edges"
    names += " point_a point_b normal"
    parts = (getattr(answer, name) for name in names.split())
    arrays = (np.asarray(part, dtype=np.float64).tobytes() for part in parts)
    rest = (answer.status.name, float(answer.toc).hex(), answer.feature, answer.pair)
    return (*arrays, repr(rest).encode())


def shuffled(truth: Truth, rng: np.random.Generator) -> Truth:
    """Return the same step with vertices, faces, corners and loose features in another order."""
    step = truth.step
    order = rng.permutation(len(step.v0))
    name = np.argsort(order)
    faces_order = rng.permutation(len(step.faces))
    faces = name[step.faces][faces_order]
    rolls = rng.integers(0, 3, size=len(faces))
    rolled = [np.roll(f, r) for f, r in zip(faces, rolls, strict=True)]
    faces = np.array(rolled, dtype=np.int64).reshape(-1, 3)
    new = replace(
        step,
        v0=step.v0[order],
        v1=step.v1[order],
        faces=faces,
        loose=name[step.loose][rng.permutation(len(step.loose))][:, ::-1],
        points=name[step.points][::-1],
        groups=None if step.groups is None else step.groups[order],
    )
    edge_ids = {tuple(row): k for k, row in enumerate(new.edges.tolist())}
    edge = [edge_ids[tuple(sorted(row))] for row in name[step.edges].tolist()]
    face = np.argsort(faces_order)
    moved: Contacts = {
        "vertex-face": {
            (int(name[v]), int(face[f])): t for (v, f), t in truth.contacts["vertex-face"].items()
        },
        "edge-edge": {
            (min(edge[a], edge[b]), max(edge[a], edge[b])): t
            for (a, b), t in truth.contacts["edge-edge"].items()
        },
    }
    return Truth(new, moved, {(edge[e], int(face[f])) for e, f in truth.pierced})
