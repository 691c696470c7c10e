"""Sequences keep the contract whatever changes between queries, judged by Pinocchio and coal.

What a sequence remembers of earlier queries must not make an answer late, early or free.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from oracles import size
from oracles.crowd import Crowd, Pair
from oracles.pinocchio_robot import load
from oracles.rules import assert_follows

import toccata as tc
from toccata.scenes.robots import chain, random_tree

from .asking import HitRate, bits, naming, rows_by_pair
from .stories import Move, Options, Story, budget_of, some_robot

METHODS: Any = ("adaptive", "auto", "hca")
SINGLE: Any = ("auto", "adaptive", "hca", "interval")


def named(contact: Any, rules: Any) -> Pair | None:
    pair = contact.link_a, contact.link_b
    return pair if pair in rules else pair[::-1]


def ask(asked: Any, move: Move, *world: tc.Scene, **options: Any) -> Any:
    """Ask a sequence, or a robot in a world."""
    if move.is_path:
        return asked.first_contact_path(*move.arguments, *world, **move.options, **options)
    return asked.first_contact(*move.arguments, *world, **options)


@pytest.mark.filterwarnings("ignore:Q. row:UserWarning")
def test_sequences_of_robots_keep_the_contract() -> None:
    rate, seen = HitRate(), Counter[str]()
    for k in range(size.cases(4)):
        seed = (31, size.SEED, k)
        rng = np.random.default_rng(seed)
        tell(Story.of(rng, some_robot(rng)), 18, rate, seen, f"seed {seed}")
    rate.check(0.15)
    for method in METHODS:
        for status in tc.Status:
            assert seen[f"{method} {status.name}"] > 0, seen


def test_fronts_follow_small_steps() -> None:
    """The same joints of a long chain move far in small steps, until something touches."""
    rate = HitRate()
    for k in range(size.cases(2)):
        seed = (35, size.SEED, k)
        rng = np.random.default_rng(seed)
        story = Story.of(rng, chain(36))
        story.q, story.options = 0.3 * story.q, Options({}, 0.0, 1e-4, "report")
        for name in list(story.bodies):
            story.remove(name)
        sequence = tc.RobotSequence(story.robot, story.scene, method="adaptive")
        for step in range(25):
            if step % 8 == 0:
                story.active = np.isin(np.arange(story.robot.dof), rng.integers(0, 20, 2))
                for _ in range(3):
                    story.add_body(moves=0.0)
                speed = np.where(story.active, rng.choice([-0.12, 0.12], story.robot.dof), 0.0)
            start, end = story.q, story.q + speed * rng.uniform(0.5, 1.0)
            move = Move(lambda t, a=start, b=end: a + t * (b - a), end, (start, end))
            rules, crowd = story.rules(), story.crowd(move)
            with naming(f"seed {seed}, query {step}"):
                found = ask(sequence, move, tolerance=1e-4)
                names = named(found, rules)
                rate.add(assert_follows(found, crowd, rules, names, whole=True))
            if found.toc == 0:
                story.part(names)
            elif found:
                speed = -speed
            story.q = move.at(0.9 * found.toc) if found else end
    rate.check(0.02)


@pytest.mark.filterwarnings("ignore:Q. row:UserWarning")
@pytest.mark.parametrize("method", ["auto", "adaptive"])
def test_paths_with_runs_of_few_joints_keep_the_contract(method: str) -> None:
    """Coherence serves successive pieces that move the same joints, and ends with them."""
    rate = HitRate()
    for k in range(size.cases(3)):
        seed = (37, size.SEED, k)
        rng = np.random.default_rng(seed)
        story = Story.of(rng, chain(20) if rng.random() < 0.5 else random_tree(20, k))
        story.q = 0.4 * story.q
        for step in range(6):
            story.choose_options()
            rows = [story.q]
            for pieces, moving in ((10, 1), (9, 4), (3, story.robot.dof), (8, 2)):
                chosen = rng.permutation(story.robot.dof)[:moving]
                story.active = np.isin(np.arange(story.robot.dof), chosen)
                rows += [story.turned(row, 0.08) for row in [rows[-1]] * pieces]
            Q, times = np.array(rows), np.linspace(0.0, 1.0, len(rows))
            move = Move(story.on_pieces(Q, times), Q[-1], (Q,), {"times": times})
            rules, told = story.rules(), {**story.options.given(), **budget_of(rng)}
            crowd = story.crowd(move)
            with naming(f"seed {seed}, query {step}, {told}"):
                asked = (story.scene,) if story.bodies else ()
                found = ask(story.robot, move, *asked, method=method, **told)
                names, whole = named(found, rules), "budget" not in told
                rate.add(assert_follows(found, crowd, rules, names, whole=whole))
                again = ask(story.robot, move, *asked, method=method, **told)
                assert bits(found) == bits(again), "answers depend on the path alone"
            if found.toc == 0:
                story.part(names)
            else:
                story.q = move.at(0.9 * found.toc) if found else move.end
    rate.check(0.15)


@pytest.mark.filterwarnings("ignore:Q. row:UserWarning", "ignore:.*no collision geometry")
@pytest.mark.parametrize("name", ["panda", "human"])
def test_sequences_of_real_robots_keep_the_contract(name: str) -> None:
    """Coal gets the triangles of our reader, because its own merges the parts of a file wrongly."""
    rate, seen = HitRate(), Counter[str]()
    for k in range(size.cases(1)):
        seed = (34, size.SEED, k)
        rng = np.random.default_rng(seed)
        tell(Story.of(rng, load(name)), 8, rate, seen, f"{name}, seed {seed}")
    assert 0 < rate.hits < rate.total, seen


def tell(story: Story, queries: int, rate: HitRate, seen: Counter[str], label: str) -> None:
    """Judge the answers of sequences of all methods while a story goes on."""
    rng = story.rng
    # Two sequences with the same queries have the same bits.
    sequences = {
        name: tc.RobotSequence(story.robot, story.scene, method=name.split()[0])
        for name in (*METHODS, "adaptive again")
    }
    free = [story.q]
    for step in range(queries):
        while rng.random() < 0.15:
            seen[story.edit()] += 1
        if rng.random() < 0.15:
            story.choose_active()
        if rng.random() < 0.3:
            story.choose_options()
        move, budget = story.move(), budget_of(rng)
        enclosures = str(rng.choice(["chains", "tree", "intervals"]))
        rules, told = story.rules(), {**story.options.given(), **budget}
        crowd, found = story.crowd(move), {}
        for name, sequence in sequences.items():
            method = name.split()[0]
            if method == "hca" and move.options.get("spline"):
                continue
            own = {"enclosures": enclosures} if method == "adaptive" else {}
            with naming(f"{label}, query {step}, {name}, {told}"):
                found[name] = ask(sequence, move, **told, **own)
                names = named(found[name], rules)
                hit = assert_follows(found[name], crowd, rules, names, whole=not budget)
            seen[f"{method} {found[name].status.name}"] += 1
        with naming(f"{label}, query {step}, no sequence, {told}"):
            judge_single(story, move, crowd, told)
        assert bits(found["adaptive"]) == bits(found["adaptive again"])
        rate.add(hit)
        story.q = follow(story, move, found["adaptive"], free)
        if found["adaptive"].status is tc.Status.INITIAL_OVERLAP and rng.random() < 0.5:
            story.part(named(found["adaptive"], rules))


def judge_single(story: Story, move: Move, crowd: Crowd, told: dict[str, Any]) -> None:
    """Judge an answer without coherence, or the answers of all pairs."""
    robot, world, rules, whole = story.robot, story.scene, story.rules(), "budget" not in told
    kind = int(story.rng.integers(8))
    if kind < 2:
        rows = robot.contacts_path if move.is_path else robot.contacts
        found: Any = rows(*move.arguments, world, **move.options, **told)
        for pair, answer in rows_by_pair(found, rules, "link_a", "link_b").items():
            assert_follows(answer, crowd, {pair: rules[pair]}, pair, whole=whole)
    elif kind < 6:
        method = SINGLE[kind - 2]
        if method == "hca" and move.options.get("spline"):
            return
        answer = ask(robot, move, world, method=method, **told)
        assert_follows(answer, crowd, rules, named(answer, rules), whole=whole)


def follow(story: Story, move: Move, contact: Any, free: list[Any]) -> Any:
    """Return the start of the next motion: the end, short of the contact, or a known free one."""
    if not contact:
        free.append(move.end)
        return move.end if story.rng.random() < 0.9 else free[int(story.rng.integers(len(free)))]
    if contact.toc > 0 and story.rng.random() < 0.8:
        return move.at(float(contact.toc * story.rng.choice([0.0, 0.5, 0.99, 1.0])))
    if contact.toc == 0 and story.rng.random() < 0.5:  # the answer must be the same again
        return story.q
    return free[int(story.rng.integers(len(free)))]
