"""Verification of answers to whole steps, before anything is timed."""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.deforming.distance import Array, Kind, distance
from toccata_bench.deforming.reference import at, size, touch_times
from toccata_bench.deforming.sources import Step
from toccata_bench.verify import WrongAnswer

# Rounding error of a distance by the reference, relative to the size of the pair.
SLACK = 1e-9
# Largest difference of times of contact. Methods may stop at other times within the tolerance.
SAME_TIME = 1e-6
FIELDS: dict[Kind, str] = {"vertex-face": "vertex_face", "edge-edge": "edge_edge"}


def corner_ids(kind: Kind, pairs: NDArray[Any], step: Step, edges: NDArray[Any]) -> NDArray[Any]:
    """Return the four vertices of each pair of features."""
    if kind == "vertex-face":
        return np.concatenate([pairs[:, :1], step.faces[pairs[:, 1]]], axis=1)
    return np.concatenate([edges[pairs[:, 0]], edges[pairs[:, 1]]], axis=1)


def check_step(label: str, step: Step, answer: Any) -> None:
    """Raise WrongAnswer unless the status and the time of first contact keep the contract."""
    if answer.status == tc.Status.UNDECIDED:
        raise WrongAnswer(f"{label}: undecided without a budget")
    free = answer.status == tc.Status.FREE
    if free != (answer.toc == inf) or not (free or 0.0 <= answer.toc <= 1.0):
        raise WrongAnswer(f"{label}: {answer.status.name} at {answer.toc}")
    first = first_pair(answer)
    if step.first is not None and first > step.first * (1.0 + 1e-15):
        raise WrongAnswer(f"{label}: {first}, but the exact first contact is at {step.first}")
    if not len(answer.initial_edge_face) and not same_time(first, answer.toc):
        raise WrongAnswer(f"{label}: contact at {answer.toc}, but no listed pair touches then")
    for kind in FIELDS:
        check_pairs(label, kind, step, answer)


def first_pair(answer: Any) -> float:
    """Return the earliest time of a listed pair, inf for none.

    It is the time of contact, unless edges pierce faces at the start, as in some frames of real
    simulations. The exact times of these frames ignore piercing edges, too.
    """
    times = answer.vertex_face_toc, answer.edge_edge_toc
    return min(float(one.min(initial=inf)) for one in times)


def same_time(one: float, other: float) -> bool:
    """Return whether two times of contact agree; inf agrees with inf."""
    return one == other or abs(one - other) <= SAME_TIME


def check_pairs(label: str, kind: Kind, step: Step, answer: Any) -> None:
    """Raise WrongAnswer for a listed pair that is not within the tolerance at its time."""
    pairs, times = getattr(answer, FIELDS[kind]), getattr(answer, f"{FIELDS[kind]}_toc")
    if not len(pairs):
        return
    ids = corner_ids(kind, np.asarray(pairs), step, np.asarray(answer.edges))
    start, end = step.v0[ids], step.v1[ids]
    gaps = distance(kind, at(start, end, times))
    wrong = gaps > answer.tolerance + SLACK * size(start, end)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        raise WrongAnswer(
            f"{label}: {kind} {tuple(map(int, pairs[k]))} at {times[k]}, {gaps[k]} apart"
        )


def check_all(label: str, step: Step, answer: Any) -> None:
    """Raise WrongAnswer if fewer pairs are listed than touch exactly."""
    check_step(label, step, answer)
    for kind, exact in step.contacts.items():
        if len(getattr(answer, FIELDS[kind])) < exact:
            found = len(getattr(answer, FIELDS[kind]))
            raise WrongAnswer(f"{label}: {found} pairs of {kind}, but {exact} touch exactly")


def check_same(label: str, answer: Any, reference: Any) -> None:
    """Raise WrongAnswer unless two methods list the same pairs at the same times."""
    if answer.status != reference.status:
        raise WrongAnswer(f"{label}: {answer.status.name}, but bvh reports {reference.status.name}")
    for field in FIELDS.values():
        mine, other = getattr(answer, field), getattr(reference, field)
        if not np.array_equal(mine, other):
            counts = f"{len(mine)} pairs of {field}, {len(other)} by bvh"
            raise WrongAnswer(f"{label}: the pairs differ: {counts}")
        times = getattr(answer, f"{field}_toc"), getattr(reference, f"{field}_toc")
        if not np.allclose(*times, rtol=0.0, atol=SAME_TIME):
            raise WrongAnswer(f"{label}: the times of {field} differ from bvh's")


def shared(kind: Kind, ids: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of pairs that share a vertex, which always touch and are not queried."""
    cut = 1 if kind == "vertex-face" else 2
    found: NDArray[np.bool_] = (ids[:, :cut, None] == ids[:, None, cut:]).any(axis=(1, 2))
    return found


def check_clear(label: str, step: Step, end: float, pairs: dict[str, NDArray[Any]]) -> None:
    """Raise WrongAnswer if a pair of the peer's broad phase touches before `end`."""
    cut, identity = step.cut(end), step.identity(step.v0)
    for kind in FIELDS:
        ids = pairs[kind][~shared(kind, identity[pairs[kind]])]
        times: Array = touch_times(kind, cut.v0[ids], cut.v1[ids])
        early = times < (1.0 - 1e-6 if end < 1.0 else inf)
        if early.any():
            k = int(np.flatnonzero(early)[0])
            raise WrongAnswer(
                f"{label}: free before {end}, but {kind} of the vertices"
                f" {ids[k].tolist()} touch at {end * times[k]}"
            )
