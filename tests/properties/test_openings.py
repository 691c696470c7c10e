"""Cracks that open are no contact, but features that pass through each other are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from oracles.brute_force import Step
from oracles.linear_features import KINDS
from oracles.size import cases
from oracles.topology_edits import Mesh

import toccata as tc
from toccata._deforming import StepMethod

from .asking import naming
from .stepping import METHODS, Truth, assert_all_contacts, bits, listed, opens, solved

# Two triangles that were joined along a side and now have four vertices there.
FACES = np.array([[0, 1, 2], [4, 3, 5]])
ROOTS = np.array([0, 1, 2, 0, 1, 3])
KINDS_OF_MOTION = ("apart", "through", "any", "in the plane", "on a grid", "small")


def torn(rng: np.random.Generator, motion: str) -> Step:
    """Draw two such triangles that move, in general or close to a special case."""
    v0 = np.array([[0, 0, 0], [1, 0, 0], [0.4, 1, 0], [0, 0, 0], [1, 0, 0], [0.6, -1, 0]])
    v0[[2, 5], 2] += rng.normal(size=2) * rng.choice([0.0, 0.5, 2.0])
    move = rng.normal(size=(6, 3)) * 0.4
    if motion == "small":
        move *= 10.0 ** -rng.integers(3, 12)
    if motion == "apart":
        move = rng.normal(size=(6, 3)) * 0.1
        move[:3, 1] += 0.5
    if motion == "through":
        move = rng.normal(size=(6, 3)) * 0.05
        move[:3, 1] -= rng.uniform(0.1, 0.4)
        move[:2, 2] += (0.1, -0.1)
    if motion == "in the plane":
        v0[:, 2] = move[:, 2] = 0
    if motion == "on a grid":
        v0, move = np.round(2 * v0) / 2, rng.integers(-1, 2, size=(6, 3)).astype(float)
        for k in (0, 1):
            v0[3 + k] = v0[k]
    if rng.random() < 0.2:
        move[3 + int(rng.integers(2))] = move[int(rng.integers(2))]
    return Step(v0, v0 + move, FACES)


@cache
def truths() -> list[tuple[str, Truth]]:
    rng = np.random.default_rng(11)
    found = []
    for k in range(cases(240)):
        step = torn(rng, KINDS_OF_MOTION[k % len(KINDS_OF_MOTION)])
        identity = Mesh(step.v0, step.faces, ROOTS).identity
        found.append((KINDS_OF_MOTION[k % len(KINDS_OF_MOTION)], solved(step, identity)))
    return found


def answer_to(step: Step, method: StepMethod, separation: float = 0.0) -> tc.StepContacts:
    whole = tc.DeformingMesh(step.v0[[0, 1, 2, 5]], [[0, 1, 2], [1, 0, 3]])
    whole.retopologize(step.v0, step.faces, ROOTS)
    return whole.step(step.v1, method=method, separation=separation, contacts="all")


def test_samples_contain_contacts_and_free_steps() -> None:
    for motion in KINDS_OF_MOTION:
        touching = [t.count > 0 or len(t.pierced) > 0 for name, t in truths() if name == motion]
        assert motion in ("apart", "through") or 0.1 < np.mean(touching) < 0.9, motion
    assert sum(len(t.pierced) > 0 and t.count == 0 for _, t in truths()) > 0, "none through at once"


@pytest.mark.parametrize("method", METHODS)
def test_no_feature_passes_through_the_other_side_of_a_crack(method: StepMethod) -> None:
    for k, (motion, truth) in enumerate(truths()):
        with naming(f"{motion}, {k}"):
            assert_all_contacts(answer_to(truth.step, method), truth)


@pytest.mark.parametrize("separation", [1e-12, 0.01])
def test_a_separation_hides_no_contact(separation: float) -> None:
    """Features that pass through each other are found with a separation, too, by all methods."""
    for k, (motion, truth) in enumerate(truths()):
        answers = [answer_to(truth.step, method, separation) for method in METHODS]
        for answer in answers:
            assert bits(answer) == bits(answers[0]), f"{motion}, {k}"
            for kind in KINDS:
                found = {tuple(row) for row in listed(answer, kind)[0].tolist()}
                assert truth.contacts[kind].keys() <= found, f"{motion}, {k}"


def test_few_free_pairs_are_reported() -> None:
    """Contact at 0 is reported without a proof of separation, mostly for vertices on a grid."""
    wrong, right = 0, 0
    for motion, truth in truths():
        found = list(_listed_truly(truth)) if motion != "on a grid" else []
        wrong, right = wrong + found.count(False), right + found.count(True)
    assert right > 100 and wrong < 0.05 * right, (wrong, right)


def _listed_truly(truth: Truth) -> Iterator[bool]:
    """Return for each listed pair at an opening crack whether it touches after the start."""
    answer = answer_to(truth.step, "bvh")
    for kind in KINDS:
        for row in listed(answer, kind)[0].tolist():
            if opens(truth, kind, row):
                yield tuple(row) in truth.contacts[kind]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("separation", [0.0, 1e-12, 0.05])
def test_sides_that_separate_do_not_touch(method: StepMethod, separation: float) -> None:
    """This holds for any separation: between such sides only touching counts."""
    start = torn(np.random.default_rng(1), "apart").v0
    end = start.copy()
    end[:3] += (0.1, 0.6, 0.2)
    model = tc.DeformingMesh(start[[0, 1, 2, 5]], [[0, 1, 2], [1, 0, 3]])
    model.retopologize(start, FACES, ROOTS)
    assert model.step(end, method=method, separation=separation).status is tc.Status.FREE
    assert model.step(start, method=method).status is tc.Status.CONTACT


@pytest.mark.parametrize("method", METHODS)
def test_an_edge_that_pierces_at_once_is_a_contact(method: StepMethod) -> None:
    """One end of the side moves up, the other down, and both into the other triangle."""
    start = np.array([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0, 0, 0], [1, 0, 0], [0.5, -1, 0.0]])
    end = start + [[0, -0.2, 0.3], [0, -0.2, -0.3], [0, -0.2, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    model = tc.DeformingMesh(start[[0, 1, 2, 5]], [[0, 1, 2], [1, 0, 3]])
    model.retopologize(start, FACES, ROOTS)
    answer = model.step(end, method=method, contacts="all")
    assert answer.status is tc.Status.INITIAL_OVERLAP and answer.toc == 0
    assert len(answer.initial_edge_face) or len(answer.edge_edge)
    assert model.step(end, method=method).status is tc.Status.INITIAL_OVERLAP
