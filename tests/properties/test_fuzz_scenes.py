"""Random scenes keep the contract: all methods, changing options, and single pairs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from oracles import size
from oracles.crowd import TIMES, Crowd, Pair, assert_certified, assert_of_crowd

import toccata as tc

from .asking import METHODS, HitRate, bits, motion, naming
from .crowds import DrawnScene, any_body, any_scene

COUNT = 40


def any_question(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "separation": float(rng.choice([0.0, 0.0, 0.01, 0.1])),
        "tolerance": [None, 1e-2, 1e-4, 1e-6][int(rng.integers(4))],
    }


def named(contact: Any) -> Pair | None:
    return (contact.body_a, contact.body_b) if contact else None


def ask_all(scene: tc.Scene, crowd: Crowd, question: dict[str, Any]) -> None:
    """Query by every method, twice: data kept from the first query changes no bit."""
    for method in METHODS:
        with naming(f"{method}, {question}"):
            contact = scene.first_contact(method=method, **question)
            assert_of_crowd(contact, crowd, question["separation"], named(contact))
            assert bits(scene.first_contact(method=method, **question)) == bits(contact)


def drawn(seed: int) -> list[tuple[str, DrawnScene, np.random.Generator]]:
    """Return labels, scenes and random generators."""
    seeds = [(seed, size.SEED, k) for k in range(size.cases(COUNT))]
    rngs = [np.random.default_rng(s) for s in seeds]
    return [(f"seed {s}", any_scene(r), r) for s, r in zip(seeds, rngs, strict=True)]


def test_scenes_keep_the_contract() -> None:
    rate = HitRate()
    for label, world, rng in drawn(1):
        scene, crowd, question = world.scene(), world.crowd(), any_question(rng)
        with naming(label):
            ask_all(scene, crowd, question)
        rate.add(crowd.touches(question["separation"]))
    rate.check()


def test_kept_data_of_a_scene_change_no_answer() -> None:
    """Options, ignored pairs and bodies change; a new scene gives the same bits."""
    changed = 0
    for label, world, rng in drawn(2):
        scene, before = world.scene(), b""
        for k in range(6):
            if k == 2:
                pair = next(iter(world.crowd().pairs))
                world = world.without(pair)
                scene.ignore(*pair[::-1])
            if k == 4:
                late = any_body(rng, rng.uniform(-2, 2, 3), moves=0.3)
                world = world.with_body("late", late)
                scene.add("late", late.mesh(), motion(late.path))
            question = any_question(rng) | {"method": str(rng.choice(METHODS))}
            with naming(f"{label}, {k}, {question}"):
                said = bits(scene.first_contact(**question))
                assert said == bits(world.scene().first_contact(**question))
            changed, before = changed + (said != before), said
        with naming(label):
            ask_all(scene, world.crowd(), any_question(rng))
    assert changed > 2 * size.cases(COUNT), "all questions have the same answer"


def test_pairs_keep_the_contract() -> None:
    """Two of the bodies are tested as a pair, in both orders."""
    rate = HitRate()
    for label, world, rng in drawn(3):
        question = any_question(rng)
        crowd = world.crowd()
        (a, b) = min(crowd.pairs, key=lambda pair: min(crowd.gaps(t)[pair] for t in (0.25, 0.5)))
        for names in ((a, b), (b, a)):
            two = DrawnScene({name: world.bodies[name] for name in names})
            pair = two.crowd()
            one, other = (two.bodies[name] for name in names)
            for method in METHODS:
                with naming(f"{label}, {names}, {method}, {question}"):
                    contact = tc.first_contact(
                        one.mesh(), other.mesh(), motion(one.path), motion(other.path),
                        method=method, **question,
                    )  # fmt: skip
                    assert_of_crowd(contact, pair, question["separation"], names)
        rate.add(pair.touches(question["separation"]))
    rate.check()


def test_a_budget_never_makes_an_answer_wrong() -> None:
    rate = HitRate()
    for label, world, rng in drawn(4):
        scene, crowd, question = world.scene(), world.crowd(), any_question(rng)
        for method in METHODS:
            budget = int(2.0 ** rng.uniform(0, 9))
            with naming(f"{label}, {method}, {budget}, {question}"):
                contact = scene.first_contact(method=method, budget=budget, **question)
                rate.add(contact.status is tc.Status.UNDECIDED)
                if contact.status is tc.Status.UNDECIDED:
                    assert contact.toc == contact.safe_until <= 1
                    assert_certified(contact, crowd, question["separation"])
                else:
                    assert_of_crowd(contact, crowd, question["separation"], named(contact))
    rate.check(0.1)


def test_an_ignored_pair_that_crosses_later_is_a_contact() -> None:
    """A pair that is apart at some time and crosses later is in contact before it crosses."""
    rate = HitRate()
    for label, world, rng in drawn(5):
        scene, crowd = world.scene(), world.crowd()
        question = any_question(rng) | {"tolerance": 1e-4}
        reach = question["separation"] + 1e-4
        let_go = [pair for pair, gap in crowd.gaps(0.0).items() if gap <= reach + 1e-9]
        rate.add(bool(let_go))
        for method in METHODS:
            contact = scene.first_contact(method=method, initial="ignore_separating", **question)
            with naming(f"{label}, {method}, {question}"):
                if not let_go:
                    assert_of_crowd(contact, crowd, question["separation"], named(contact))
                for pair in crowd.pairs:
                    gaps = np.array([crowd.gaps(float(t))[pair] for t in TIMES])
                    away = np.maximum.accumulate(gaps) > 4 * reach
                    assert contact.toc <= np.min(TIMES[away & (gaps == 0)], initial=np.inf)
    assert 0 < rate.hits < rate.total


def test_threads_that_share_a_scene_get_the_same_bits() -> None:
    """Threads use different options for bodies at rest; the scene keeps answers to one set only."""
    for label, world, rng in drawn(6)[: size.cases(8)]:
        scene = world.scene()
        questions = [any_question(rng) for _ in range(8)] * 4
        alone = [bits(world.scene().first_contact(**question)) for question in questions]
        for threads in (2, 8):
            with ThreadPoolExecutor(threads) as pool:
                together = list(
                    pool.map(lambda how, s=scene: bits(s.first_contact(**how)), questions)
                )
            assert together == alone, label
