"""Steps of one model against brute force and fresh models: earlier steps must not matter.

A model may reuse proofs of the previous step. Its answers may therefore differ from the answers of
a fresh model, but only in pairs that come within the tolerance without touching.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracles.brute_force import Step
from oracles.deforming_meshes import FINE, MAKERS
from oracles.deforming_sequences import MOTIONS, SELF_TOUCHING, Sequence, deforming_sequence
from oracles.size import cases

from .asking import naming
from .following import (
    assert_certified,
    assert_like_fresh,
    assert_same_contacts,
    assert_same_first,
    followed,
    fresh_answer,
    model_of,
)
from .stepping import METHODS, Truth, assert_all_contacts, assert_summary, bits, solved

# Every maker meets a quarter of the motions, every motion a quarter of the makers, in each round.
ROUNDS = range(cases(1))


def plans(name: str) -> list[tuple[str, int]]:
    """Return the motions of the meshes of a maker, each with a seed."""
    i = [*MAKERS].index(name)
    numbered = enumerate(MOTIONS)
    return [(m, i + 100 * k) for j, m in numbered for k in ROUNDS if (i + j + k) % 4 == 0]


@cache
def small(name: str) -> list[tuple[Sequence, list[Truth]]]:
    """Draw the sequences of a maker, or the one that touches itself, and solve all steps."""
    if name in MAKERS:
        found = [deforming_sequence(name, motion, seed) for motion, seed in plans(name)]
    else:
        found = [make() for make in SELF_TOUCHING if make.__name__ == name]
    return [(one, [solved(step) for step in one.steps]) for one in found]


NAMES = (*MAKERS, *(make.__name__ for make in SELF_TOUCHING))


def test_samples_keep_patches_break_patches_and_touch() -> None:
    every = [pair for name in NAMES for pair in small(name)]
    touch = [truth.count > 0 for _, truths in every for truth in truths]
    assert 0.3 < np.mean(touch) < 0.7
    assert np.mean([len(truth.pierced) > 0 for _, truths in every for truth in truths]) > 0.05
    gentle = [g for one, _ in every for g in one.gentle]
    assert 0.2 < np.mean(gentle) < 0.7, "steps that leave patches as they are, and others"
    reuse = [held for one, _ in every for held in likely_reuse(one)]
    assert np.mean(reuse) > 0.08, "hardly ever a patch to use again"
    turned = [(a.count > 0) != (b.count > 0) for _, truths in every for a, b in pairwise(truths)]
    assert np.mean(turned) > 0.2, "free steps follow steps with contact, and the other way round"


def likely_reuse(sequence: Sequence) -> list[bool]:
    """Return for each step after the first whether earlier patches should stay valid."""
    sizes = [answer.stats.triangles_per_cluster for answer in followed(sequence)]
    return [g and size > 3 for g, size in zip(sequence.gentle[1:], sizes[:-1], strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_all_contacts_of_every_step_are_found(name: str) -> None:
    for sequence, truths in small(name):
        answers = followed(sequence, contacts="all")
        for k, (answer, truth) in enumerate(zip(answers, truths, strict=True)):
            with naming(f"{sequence.name}, step {k}"):
                assert_all_contacts(answer, truth)
                for method in METHODS:
                    fresh = fresh_answer(truth.step, method=method, contacts="all")
                    assert_same_contacts(answer, fresh, truth.step)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_contact_of_every_step_is_found(name: str) -> None:
    for sequence, truths in small(name):
        for k, (answer, truth) in enumerate(zip(followed(sequence), truths, strict=True)):
            with naming(f"{sequence.name}, step {k}"):
                assert len(answer.vertex_face) + len(answer.edge_edge) <= 1
                assert_summary(answer, truth)
                assert_certified(answer, truth.step)
                assert_same_first(answer, fresh_answer(truth.step, method="auto"), truth.step)


@pytest.mark.parametrize("name", NAMES)
def test_options_may_change_from_step_to_step(name: str) -> None:
    """A proof for one separation, tolerance or method does not hold for another."""
    rng = np.random.default_rng(7)
    for sequence, truths in small(name):
        model = model_of(sequence.steps[0])
        for k, truth in enumerate(truths):
            options = drawn_options(rng, truth.step)
            answer = model.step(truth.step.v1, **options, threads=int(rng.integers(1, 5)))
            fresh = fresh_answer(truth.step, **{**options, "method": "bvh"})
            with naming(f"{sequence.name}, step {k}, {options}"):
                assert_right(answer, fresh, truth, options)


def drawn_options(rng: np.random.Generator, step: Step) -> dict[str, Any]:
    """Draw options; lengths are relative to the mesh."""
    size = float(np.abs(step.v1 - step.v1.mean(axis=0)).max(initial=1e-9))
    return {
        "method": str(rng.choice(["auto", "auto", "auto", "clusters", "bvh"])),
        "contacts": "all" if rng.integers(2) else "first",
        "separation": size * float(rng.choice([0, 0, 0, 0.01, 0.04])),
        "tolerance": size * float(rng.choice([1e-6, 1e-6, 1e-3, 1e-9])),
        "budget": 1 if rng.random() < 0.15 else None,
    }


def assert_right(answer: Any, fresh: Any, truth: Truth, options: dict[str, Any]) -> None:
    """Assert the rules that apply to these options."""
    separation = options["separation"]
    if options["budget"]:
        assert answer or not (truth.count or truth.pierced)
        return
    assert answer.tolerance == options["tolerance"]
    assert_certified(answer, truth.step, separation, most=4)
    if options["contacts"] == "all":
        assert_same_contacts(answer, fresh, truth.step, separation)
        return
    assert_same_first(answer, fresh, truth.step, separation)
    if separation == 0:
        assert_summary(answer, truth)


@pytest.mark.parametrize("name", NAMES)
def test_answers_in_a_sequence_do_not_depend_on_threads(name: str) -> None:
    for sequence, _ in small(name):
        for every in ("first", "all"):
            alone = followed(sequence, contacts=every, threads=1)
            model = model_of(sequence.steps[0])
            for k, (answer, frame) in enumerate(zip(alone, sequence.frames[1:], strict=True)):
                threads = (3, 1, 4, 2)[k % 4]
                other = model.step(frame, method="auto", contacts=every, threads=threads)
                assert bits(answer) == bits(other), f"{sequence.name}, step {k}"


BAD: tuple[dict[str, Any], ...] = (
    {"v1": "short"},
    {"v1": "nan"},
    {"v1": "flat"},
    {"method": "fast"},
    {"separation": -1.0},
    {"tolerance": 0.0},
    {"threads": 0},
)


@pytest.mark.parametrize("name", NAMES)
def test_a_step_that_raises_changes_no_later_answer(name: str) -> None:
    for sequence, _ in small(name):
        model = model_of(sequence.steps[0])
        answers = followed(sequence, contacts="all")
        for k, (answer, frame) in enumerate(zip(answers, sequence.frames[1:], strict=True)):
            for bad in BAD[k % 2 :: 2]:
                with pytest.raises(ValueError, match=next(iter(bad))):
                    model.step(**{"method": "auto", **bad, "v1": spoiled(frame, bad.get("v1"))})
            with pytest.raises(ValueError, match="faces"):
                model.retopologize(frame, [[0, 1, len(frame)]], np.arange(len(frame)))
            assert np.array_equal(model.vertices, sequence.frames[k])
            again = model.step(frame, method="auto", contacts="all")
            assert bits(answer) == bits(again), f"{sequence.name}, step {k}"


def spoiled(frame: Any, how: str | None) -> Any:
    """Return a frame that models refuse, or the frame itself."""
    if how == "short":
        return frame[:-1]
    if how == "flat":
        return frame[:, :2]
    return np.where(np.arange(len(frame))[:, None] == 1, np.nan, frame) if how else frame


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_is_set_back_answers_like_a_fresh_one(name: str) -> None:
    """After a refused proposal the model returns to its frame and takes a shorter step."""
    for sequence, truths in small(name):
        model = model_of(sequence.steps[0])
        for k, truth in enumerate(truths):
            step = truth.step
            model.step(step.v1 + 0.3 * (step.v1 - step.v0), method="auto")
            same = np.arange(len(step.v0))
            model.retopologize(step.v0, step.faces, same, edges=step.loose, points=step.points)
            answer = model.step(step.v1, method="auto", contacts="all")
            fresh = fresh_answer(step, method="bvh", contacts="all")
            with naming(f"{sequence.name}, step {k}"):
                assert_same_contacts(answer, fresh, step)


# --- larger meshes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", FINE)
def test_larger_meshes_answer_like_fresh_ones(name: str) -> None:
    """Patches have a hundred triangles; `bvh` is the judge, which brute force checks elsewhere."""
    hits, reuse = [], []
    for seed, motion in list(enumerate(MOTIONS))[FINE.index(name) % 2 :: 2]:
        sequence = deforming_sequence(name, motion, seed, 2 if motion == "bursting" else 3)
        reuse += likely_reuse(sequence)
        for step, *answers in walked(sequence):
            with naming(sequence.name):
                hits.append(bool(answers[0]))
                assert_like_fresh(step, *answers)
    assert 0.1 < np.mean(hits) < 0.9
    assert name == "explosion" or np.mean(reuse) > 0.1


@pytest.mark.parametrize("make", SELF_TOUCHING)
def test_a_patch_that_begins_to_touch_itself_is_found(make: Any) -> None:
    for fine in (2, 5):
        sequence = make(fine)
        answers = list(walked(sequence))
        assert not answers[0][1] and any(first for _, first, _ in answers)
        assert answers[0][1].stats.triangles_per_cluster > 10, "no patches to begin with"
        for step, *both in answers:
            with naming(f"{sequence.name} {fine}"):
                assert_like_fresh(step, *both)


def walked(sequence: Sequence) -> Any:
    """Return each step with the answers of two models: the first contact, and all of them."""
    both = (followed(sequence, contacts=every) for every in ("first", "all"))
    return zip(sequence.steps, *both, strict=True)
