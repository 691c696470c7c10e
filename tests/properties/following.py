"""Leads one model through a sequence of steps and compares its answers with fresh models."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np
from oracles.brute_force import Ids, Step, crosses
from oracles.deforming_sequences import Sequence
from oracles.linear_contract import Question, assert_answer
from oracles.linear_distance import first_within
from oracles.linear_features import KINDS, Kind, first_contact
from oracles.polynomials import Root
from oracles.topology_edits import CUTS, Mesh, meeting_of

import toccata as tc

from .stepping import CONTACT, INITIAL_OVERLAP, edge_face_within, listed

Pair = tuple[int, int]


def model_of(step: Step) -> tc.DeformingMesh:
    """Return a model at the start of a step."""
    groups: dict[str, Any] = {}
    if step.groups is not None:
        groups = {"groups": step.groups, "ignored_groups": step.ignored}
    return tc.DeformingMesh(step.v0, step.faces, edges=step.loose, points=step.points, **groups)


def followed(sequence: Sequence, **options: Any) -> Iterator[Any]:
    """Yield the answers of one model, step by step."""
    model = model_of(sequence.steps[0])
    for frame in sequence.frames[1:]:
        yield model.step(frame, **{"method": "auto", **options})


def fresh_answer(step: Step, roots: Ids | None = None, **options: Any) -> Any:
    """Return the answer of a model without earlier steps that knows which vertices were one."""
    if roots is None:
        return model_of(step).step(step.v1, **options)
    before = np.zeros((int(roots.max()) + 1, 3))
    model = tc.DeformingMesh(before, np.empty((0, 3), dtype=np.int32))
    model.retopologize(step.v0, step.faces, roots)
    return model.step(step.v1, **options)


def times_of(answer: Any, kind: Kind) -> dict[Pair, float]:
    """Return the pairs of one kind, each with its time."""
    pairs, times = listed(answer, kind)
    rows = ((int(a), int(b)) for a, b in pairs.tolist())
    return dict(zip(rows, times.tolist(), strict=True))


def questions(
    step: Step, kind: Kind, pairs: list[Pair], answer: Any, separation: float
) -> list[Question]:
    """Return the elementary queries of pairs."""
    start, end = step.query(kind, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    rows = zip(start.tolist(), end.tolist(), strict=True)
    return [Question(kind, s, e, separation, answer.tolerance) for s, e in rows]


def assert_certified(
    answer: Any,
    step: Step,
    separation: float = 0.0,
    *,
    most: int = 12,
    identity: Ids | None = None,
) -> None:
    """Assert that listed pairs, or a sample of them, are within the tolerance at a safe time.

    Pairs of features between which a crack opens are left out, because they touch at the start.
    """
    for kind in KINDS:
        times = times_of(answer, kind)
        some = [*times][:: 1 + len(times) // most]
        if identity is not None:
            corners = step.corners(kind, np.array(some, dtype=np.int64).reshape(-1, 2))
            rows = zip(some, corners, strict=True)
            some = [
                pair for pair, c in rows if meeting_of(step, c, CUTS[kind], identity) == "apart"
            ]
        asked = questions(step, kind, some, answer, separation)
        for pair, question in zip(some, asked, strict=True):
            assert_time(question, times[pair])


def assert_time(question: Question, toc: float) -> None:
    """Assert that a pair is within the tolerance at its time, and farther apart before."""
    assert_answer(question, INITIAL_OVERLAP if toc == 0 else CONTACT, toc)


def assert_same_contacts(answer: Any, fresh: Any, step: Step, separation: float = 0.0) -> None:
    """Assert that two lists of all contacts differ at most in pairs that need not be listed."""
    same = True
    for kind in KINDS:
        mine, theirs = times_of(answer, kind), times_of(fresh, kind)
        for pair in mine.keys() & theirs.keys():
            assert mine[pair] == theirs[pair], f"{kind} {pair}: another time than a fresh model's"
        only = sorted(mine.keys() ^ theirs.keys())
        same = same and not only
        for pair, question in zip(
            only, questions(step, kind, only, answer, separation), strict=True
        ):
            who = "the sequence" if pair in theirs else "a fresh model"
            assert not nears(question, inf), f"{who} missed {kind} {pair}: {question}"
            assert_time(question, mine[pair] if pair in mine else theirs[pair])
    if assert_same_piercing(answer, fresh, step) and same:
        assert (answer.status, answer.toc) == (fresh.status, fresh.toc)


def nears(question: Question, end: float) -> bool:
    """Return whether a pair certainly comes within its separation before a time."""
    if question.separation == 0:
        exact = first_contact(question.kind, question.start, question.end)
        return exact is not None and (end == inf or exact.compare(Root.dyadic(end)) < 0)
    level = Fraction(question.separation)
    found = first_within(question.kind, question.start, question.end, level, bits=24)
    return found.hi is not None and found.hi < end


def assert_same_piercing(answer: Any, fresh: Any, step: Step) -> bool:
    """Assert that lists of piercing edges differ only at rims; return whether they agree."""
    mine, theirs = ({(int(e), int(f)) for e, f in x.initial_edge_face} for x in (answer, fresh))
    for e, f in mine ^ theirs:
        edge, face = step.edges[e], step.faces[f]
        inside = crosses(step.v0[edge], step.v0[face])
        rim = edge_face_within(step, edge, face, answer.tolerance)
        assert rim or not inside, f"edge {e} pierces face {f}, and only one of two says so"
    return mine == theirs


def assert_same_first(answer: Any, fresh: Any, step: Step, separation: float = 0.0) -> None:
    """Assert that first contacts agree, or that the earlier pair approaches without touching."""
    pairs = [first_pair(one) for one in (answer, fresh)]
    if pairs[0] == pairs[1]:
        if assert_same_piercing(answer, fresh, step):
            assert (answer.status, answer.toc) == (fresh.status, fresh.toc)
        return
    early, late = sorted(pairs, key=lambda one: one.time)
    assert early.kind is not None
    (question,) = questions(step, early.kind, [early.pair], answer, separation)
    assert not nears(question, late.time), f"one says {early}, the other {late}: {question}"


def assert_like_fresh(step: Step, first: Any, every: Any, roots: Ids | None = None) -> None:
    """Assert that first and all contacts are certified, and equal to those of fresh models."""
    for method in ("auto", "bvh"):
        assert_same_first(first, fresh_answer(step, roots, method=method), step)
        fresh = fresh_answer(step, roots, method=method, contacts="all")
        assert_same_contacts(every, fresh, step)
    identity = None if roots is None else Mesh(step.v0, step.faces, roots).identity
    for answer in (first, every):
        assert_certified(answer, step, identity=identity)


class First(NamedTuple):
    """The earliest listed pair; the time is infinite if no pair is listed."""

    time: float
    kind: Kind | None = None
    pair: Pair = (-1, -1)


def first_pair(answer: Any) -> First:
    """Return the earliest pair of an answer that lists at most one."""
    found = [First(t, kind, pair) for kind in KINDS for pair, t in times_of(answer, kind).items()]
    assert len(found) <= 1, "the first contact is one pair"
    return found[0] if found else First(inf)
