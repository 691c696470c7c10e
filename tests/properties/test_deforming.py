"""Steps of deforming meshes against brute force over all pairs of features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles import shared_data
from oracles.brute_force import Step, candidates, crosses
from oracles.deforming_meshes import FINE, MAKERS, deforming_mesh, sheet
from oracles.linear_contract import Question, assert_answer
from oracles.linear_features import KINDS, touching
from oracles.shapes import random_rotation
from oracles.size import cases

import toccata as tc
from toccata._deforming import StepMethod

from .asking import naming
from .stepping import (
    CONTACT,
    INITIAL_OVERLAP,
    METHODS,
    ask,
    assert_all_contacts,
    assert_first_contact,
    assert_none_missed_within,
    assert_piercing,
    bits,
    edge_face_within,
    listed,
    shuffled,
    solved,
    truth_of,
)

SEEDS = range(cases(14))


@pytest.mark.parametrize("name", MAKERS)
def test_samples_have_few_and_many_contacts(name: str) -> None:
    truths = [truth_of(name, seed) for seed in SEEDS]
    touch = sum(truth.count for truth in truths)
    every = sum(len(candidates(truth.step, kind)) for truth in truths for kind in KINDS)
    assert 0 < touch < every, f"{touch} of {every} candidates touch"
    assert any(truth.count > 0 for truth in truths)


def test_samples_contain_free_and_pierced_steps() -> None:
    truths = [truth_of(name, seed) for name in MAKERS for seed in SEEDS]
    assert 0.15 < np.mean([truth.count == 0 for truth in truths]) < 0.6
    assert 0.05 < np.mean([len(truth.pierced) > 0 for truth in truths]) < 0.6


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MAKERS)
def test_all_contacts_agree_with_brute_force(name: str, method: StepMethod) -> None:
    for seed in SEEDS:
        truth = truth_of(name, seed)
        with naming(f"{name} {seed}"):
            answer = ask(truth.step, method=method, contacts="all", threads=1)
            assert_all_contacts(answer, truth)
            first = ask(truth.step, method=method, threads=1)
            assert_first_contact(first, truth, answer)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FINE)
def test_clusters_miss_no_contact_of_larger_meshes(name: str, method: StepMethod) -> None:
    """Some hundred faces form clusters of many triangles; only proven pairs are skipped."""
    for seed in range(cases(2)):
        truth = truth_of(name, seed, 3)
        with naming(f"{name} {seed}"):
            answer = ask(truth.step, method=method, contacts="all", threads=1)
            assert_all_contacts(answer, truth)
            assert_first_contact(ask(truth.step, method=method, threads=1), truth, answer)


@pytest.mark.parametrize("name", MAKERS)
def test_methods_find_the_same_pairs(name: str) -> None:
    for seed in SEEDS:
        step = truth_of(name, seed).step
        answers = [ask(step, method=method, contacts="all") for method in METHODS]
        for other in answers[1:]:
            for kind in KINDS:
                with naming(f"{name} {seed}"):
                    assert np.array_equal(listed(answers[0], kind)[0], listed(other, kind)[0])
                    assert np.array_equal(listed(answers[0], kind)[1], listed(other, kind)[1])


@pytest.mark.parametrize("name", FINE)
def test_methods_agree_on_larger_meshes(name: str) -> None:
    """These meshes are too large for brute force, which decides about small meshes."""
    contacts = 0
    for seed in range(cases(9)):
        step = deforming_mesh(name, seed, (3, 5, 8)[seed % 3])
        answers = [ask(step, method=method, contacts="all") for method in METHODS]
        for kind in KINDS:
            pairs, times = listed(answers[0], kind)
            contacts += len(pairs)
            for other in answers[1:]:
                with naming(f"{name} {seed}"):
                    assert np.array_equal(pairs, listed(other, kind)[0])
                    assert np.array_equal(times, listed(other, kind)[1])
    assert contacts > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MAKERS)
def test_answers_do_not_depend_on_threads(name: str, method: StepMethod) -> None:
    for seed in SEEDS[:4]:
        step = truth_of(name, seed).step
        for every in ("first", "all"):
            one, four, again = (
                bits(ask(step, method=method, contacts=every, threads=n)) for n in (1, 4, 4)
            )
            assert one == four == again


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MAKERS)
def test_answers_do_not_depend_on_the_order_of_vertices_and_faces(
    name: str, method: StepMethod
) -> None:
    rng = np.random.default_rng(3)
    for seed in SEEDS[:4]:
        truth = shuffled(truth_of(name, seed), rng)
        with naming(f"{name} {seed}"):
            answer = ask(truth.step, method=method, contacts="all")
            assert_all_contacts(answer, truth)
            assert_first_contact(ask(truth.step, method=method), truth, answer)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["soup", "explosion", "strands", "grid_strands", "spiral"])
def test_contacts_within_a_separation_are_all_found(name: str, method: StepMethod) -> None:
    counts = []
    for seed in SEEDS[:2]:
        step = deforming_mesh(name, seed)
        for separation in (0.02, 0.125):
            options: dict[str, Any] = {"method": method, "separation": separation}
            answer = ask(step, contacts="all", tolerance=1e-5, **options)
            with naming(f"{name} {seed}"):
                counts.append(assert_none_missed_within(answer, step, separation))
                for kind in KINDS:
                    pairs, times = listed(answer, kind)
                    start, end = step.query(kind, np.asarray(pairs, dtype=np.int64))
                    rows = zip(start.tolist(), end.tolist(), times.tolist(), strict=True)
                    for s, e, toc in list(rows)[:: 1 + len(times) // 20]:
                        question = Question(kind, s, e, separation, 1e-5)
                        assert_answer(question, INITIAL_OVERLAP if toc == 0 else CONTACT, toc)
    assert max(counts) > min(counts)


@pytest.mark.parametrize("method", METHODS)
def test_a_set_tolerance_is_kept(method: StepMethod) -> None:
    for name in ("folded", "two_balls", "lattice"):
        for tolerance in (1e-2, 1e-9):
            truth = truth_of(name, 1)
            answer = ask(truth.step, method=method, contacts="all", tolerance=tolerance)
            assert answer.tolerance == tolerance
            assert_all_contacts(answer, truth)


# --- degenerate meshes - ------------------------------------------------------------

EMPTY: dict[str, Step] = {
    "nothing": Step(np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)),
    "lost vertices": Step(np.zeros((3, 3)), np.ones((3, 3)), np.empty((0, 3), dtype=np.int64)),
    "one face": Step(np.eye(3), -np.eye(3), np.array([[0, 1, 2]])),
    "one point": Step(
        np.zeros((1, 3)), np.ones((1, 3)), np.empty((0, 3), dtype=np.int64), points=np.array([0])
    ),
    "one face twice": Step(np.eye(3), -np.eye(3), np.array([[0, 1, 2], [2, 1, 0]])),
    "a face of one vertex": Step(np.eye(3), -np.eye(3), np.array([[0, 0, 0], [1, 1, 2]])),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", EMPTY)
def test_meshes_without_area_are_legal(name: str, method: StepMethod) -> None:
    truth = solved(EMPTY[name])
    assert_all_contacts(ask(truth.step, method=method, contacts="all"), truth)


@pytest.mark.parametrize("method", METHODS)
def test_vertices_that_coincide_are_legal(method: StepMethod) -> None:
    step = Step(np.zeros((9, 3)), np.zeros((9, 3)), np.arange(9).reshape(3, 3))
    truth = solved(step)
    assert truth.count == 9 * 2 + 27
    assert_all_contacts(ask(step, method=method, contacts="all", tolerance=1e-6), truth)


@pytest.mark.parametrize("method", METHODS)
def test_meshes_at_rest_or_far_away_agree_with_brute_force(method: StepMethod) -> None:
    for name in ("soup", "piercing", "lattice"):
        step = deforming_mesh(name, 2)
        for moved in (
            step.moved(step.v0, step.v0),
            step.moved(step.v0 + 2.0**20, step.v1 + 2.0**20),
        ):
            truth = solved(moved)
            assert_all_contacts(ask(moved, method=method, contacts="all"), truth)


@pytest.mark.parametrize("method", METHODS)
def test_a_sheet_that_bends_smoothly_is_free_of_itself(method: StepMethod) -> None:
    x, y = np.meshgrid(np.linspace(-1, 1, 12), np.linspace(-1, 1, 12))
    flat = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    bent = flat + np.stack([0 * flat[:, 0], 0 * flat[:, 0], flat[:, 0] ** 2], axis=1)
    answer = tc.deforming_contacts(flat, bent, sheet(12, 12), method=method)
    assert answer.status is tc.Status.FREE and not answer


@pytest.mark.parametrize("method", METHODS)
def test_crossing_at_the_start_is_listed_and_the_rest_is_answered(method: StepMethod) -> None:
    """Pairs that cross at 0 are listed; without other contacts the status is initial overlap."""
    crossing = 0
    for seed in SEEDS:
        truth = truth_of("piercing", seed)
        for every in ("first", "all"):
            answer = ask(truth.step, method=method, contacts=every)
            assert_piercing(answer, truth)
            if truth.pierced:
                crossing += 1
                assert answer
                if answer.pair is None:
                    assert answer.status is tc.Status.INITIAL_OVERLAP
                    assert answer.toc == answer.safe_until == 0
    assert crossing > 0


def test_an_edge_in_the_plane_of_a_face_does_not_pierce_it() -> None:
    """Volumes of five points in one plane are pure rounding, and so are their signs."""
    rng, apart = np.random.default_rng(4), 0
    for _ in range(cases(500)):
        points = (rng.normal(size=(5, 3)) * [1, 1, 0]) @ random_rotation(rng).T
        step = Step(points, points, np.array([[0, 1, 2]]), loose=np.array([[3, 4]]))
        edge = step.edges.tolist().index([3, 4])
        if edge_face_within(step, step.edges[edge], step.faces[0], 1e-9):
            continue
        apart += 1
        for method in METHODS:
            answer = ask(step, method=method, tolerance=1e-9)
            hexadecimal = [[x.hex() for x in row] for row in points.tolist()]
            assert answer.status is tc.Status.FREE, f"{method}: face and edge {hexadecimal}"
    assert apart > 0.3 * cases(500)


# --- real steps -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", shared_data.parameters("frames"))
def test_all_contacts_of_real_steps_are_found(name: str) -> None:
    frames = shared_data.frames(name)
    step = Step(frames.v0, frames.v1, frames.faces.astype(np.int64))
    answer = ask(step, method="auto", contacts="all")
    total = sum(frames.contacts.values())
    for kind, exact in frames.contacts.items():
        pairs, times = listed(answer, kind)
        assert len(pairs) >= exact, "fewer than touch exactly"
        assert times.min() <= frames.first[kind] * (1 + 2.0**-52)
        # If as many of the pairs listed touch as there are, none is missing. The largest step has
        # 100,000 pairs, which is for longer runs.
        every = total < 10_000 * cases(3)
        kept = np.asarray(pairs)[:: 1 if every else 50]
        start, end = step.query(kind, kept)
        touch = int(touching(kind, start, end).sum())
        assert touch == exact if every else touch <= exact
        assert touch >= 0.95 * len(kept), "most of those listed touch"


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", shared_data.parameters("frames"))
def test_the_first_contact_of_real_steps_is_found(name: str, method: StepMethod) -> None:
    frames = shared_data.frames(name)
    answer = tc.deforming_contacts(frames.v0, frames.v1, frames.faces, method=method)
    pierced = answer.initial_edge_face
    # In some of these simulations the surfaces cross at the start. The query still returns the
    # earliest pair.
    times = [*answer.vertex_face_toc.tolist(), *answer.edge_edge_toc.tolist()]
    assert len(times) == 1 and (answer.toc == times[0] or (answer.toc == 0 and len(pierced)))
    first = min(frames.first.values())
    assert first - 1e-4 <= times[0] <= first * (1 + 2.0**-52)
    for edge, face in pierced[:: 1 + len(pierced) // 300]:
        assert crosses(frames.v0[answer.edges[edge]], frames.v0[frames.faces[face]])


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in shared_data.names("frames") if "ball" not in n])
def test_methods_agree_on_real_steps(name: str) -> None:
    frames = shared_data.frames(name)
    mesh = (frames.v0, frames.v1, frames.faces)
    answers = [tc.deforming_contacts(*mesh, method=m, contacts="all") for m in METHODS]
    for other in answers[1:]:
        for kind in KINDS:
            for part in (0, 1):
                assert np.array_equal(listed(answers[0], kind)[part], listed(other, kind)[part])
