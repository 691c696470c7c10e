"""Sequences of scenes and of two bodies keep the contract whatever changes, judged by coal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracles import size
from oracles.cases import Path, fixed, linear, random_path
from oracles.crowd import Crowd, Member, Pair
from oracles.rules import Rule, assert_follows
from oracles.shapes import Shape, pose, random_rotation

import toccata as tc

from .asking import HitRate, mesh, motion, naming, rows_by_pair
from .stories import Options, budget_of, crowd_under, some_options, some_shape

Floats = NDArray[np.float64]


def crowd_of(bodies: dict[str, tuple[Shape, Path]], rules: dict[Pair, Rule]) -> Crowd:
    members = {name: Member(shape, path.pose()) for name, (shape, path) in bodies.items()}
    return crowd_under(rules, members)


class Bodies:
    """A scene of shapes that move in small steps or jump, and the options of its queries."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.scene, self.made = rng, tc.Scene(), 0
        self.bodies: dict[str, tuple[Shape, Path]] = {}
        self.ignored: set[Pair] = set()
        for _ in range(int(rng.integers(3, 7))):
            self.add()
        self.options = some_options(rng, self.pairs(), robot=False)

    def add(self) -> None:
        name, self.made = f"body {self.made}", self.made + 1
        shape = some_shape(self.rng, float(self.rng.uniform(0.4, 1.0)))
        self.bodies[name] = shape, self.path(pose(self.rng.uniform(-1, 1, 3)))
        self.scene.add(name, mesh(shape), motion(self.bodies[name][1]))

    def path(self, start: Floats) -> Path:
        """Draw a motion that starts at a pose or elsewhere, rather inward, or a body at rest."""
        rng = self.rng
        if rng.random() < 0.15:
            start = pose(rng.uniform(-1, 1, 3), random_rotation(rng))
        if rng.random() < 0.3:
            return fixed(start)
        step = float(rng.choice([0.02, 0.2, 1.0]))
        turn = tc.pose(rotvec=rng.normal(size=3) * step)[:3, :3]
        drift = rng.normal(size=3) - start[:3, 3]
        end = pose(start[:3, 3] + step * drift, turn @ start[:3, :3])
        return linear(start, end) if rng.random() < 0.7 else random_path(rng, start, end)

    def pairs(self) -> list[Pair]:
        return [pair for pair in combinations(self.bodies, 2) if pair not in self.ignored]

    def rules(self) -> dict[Pair, Rule]:
        return {pair: self.options.rule(pair) for pair in self.pairs()}

    def advance(self, toc: float) -> None:
        """Move all bodies on, from their poses at a time."""
        for name, (shape, path) in self.bodies.items():
            self.bodies[name] = shape, self.path(path.pose()(toc))
            self.scene.move(name, motion(self.bodies[name][1]))

    def edit(self) -> None:
        """Change the bodies, the ignored pairs or the options."""
        rng, kind = self.rng, int(self.rng.integers(6))
        names, pairs = list(self.bodies), self.pairs()
        if kind == 0 and len(names) < 7:
            self.add()
        elif kind == 1 and len(names) > 2:
            name = str(rng.choice(names))
            self.scene.remove(name)
            del self.bodies[name]
            self.ignored = {pair for pair in self.ignored if name not in pair}
            self.drop(lambda pair: name in pair)
        elif kind == 2 and pairs:
            pair = pairs[int(rng.integers(len(pairs)))]
            self.scene.ignore(*pair)
            self.ignored.add(pair)
            self.drop(lambda own: set(own) == set(pair))
        elif kind == 3 and self.ignored:
            pair = sorted(self.ignored)[0]
            self.scene.unignore(*pair)
            self.ignored.remove(pair)
        elif kind > 3:
            self.options = some_options(rng, self.pairs(), robot=False)

    def drop(self, unwanted: Any) -> None:
        own = self.options.separation
        self.options.separation = {pair: own[pair] for pair in own if not unwanted(pair)}


def test_sequences_of_scenes_keep_the_contract() -> None:
    rate, seen = HitRate(), Counter[str]()
    for k in range(size.cases(8)):
        seed = (32, size.SEED, k)
        rng = np.random.default_rng(seed)
        story = Bodies(rng)
        sequence = tc.SceneSequence(story.scene)
        for step in range(16):
            while rng.random() < 0.4:
                story.edit()
            budget, rules = budget_of(rng), story.rules()
            crowd, told = crowd_of(story.bodies, rules), {**story.options.given(), **budget}
            answers = [ask.first_contact(**told) for ask in (sequence, story.scene)]
            for answer in answers:  # the times of each answer are samples for the other one
                crowd.gaps(min(float(answer.toc), 1.0))
            for name, answer in zip(("sequence", "scene"), answers, strict=True):
                with naming(f"seed {seed}, query {step}, {name}, {told}"):
                    names = answer.body_a, answer.body_b
                    hit = assert_follows(answer, crowd, rules, names, whole=not budget)
                seen[f"{story.options.initial} {answer.status.name}"] += 1
            if step % 3 == 0:
                with naming(f"seed {seed}, query {step}, all pairs, {told}"):
                    rows = rows_by_pair(story.scene.contacts(**told), rules, "body_a", "body_b")
                    for pair, answer in rows.items():
                        assert_follows(answer, crowd, {pair: rules[pair]}, pair, whole=not budget)
            rate.add(hit)
            found = answers[0]
            story.advance(float(min(found.toc, 1.0) * rng.choice([0.5, 0.99, 1.0])))
            if found.toc == 0 and found.body_a and rng.random() < 0.6:
                pair = found.body_a, found.body_b
                story.scene.ignore(*pair)
                story.ignored.add(pair)
                story.drop(lambda own, pair=pair: set(own) == set(pair))
    rate.check(0.15)
    assert_all_occur(seen)


def assert_all_occur(seen: Counter[str]) -> None:
    for initial in ("report", "resting", "ignore_separating"):
        for status in ("FREE", "CONTACT"):
            assert seen[f"{initial} {status}"] > 0, seen
    for status in ("INITIAL_OVERLAP", "UNDECIDED"):
        assert seen[f"report {status}"] > 0, seen


def test_sequences_of_two_bodies_keep_the_contract() -> None:
    rate, seen = HitRate(), Counter[str]()
    pair = ("a", "b")
    for k in range(size.cases(12)):
        seed = (33, size.SEED, k)
        rng = np.random.default_rng(seed)
        story = Bodies(rng)
        shapes = [some_shape(rng, 1.0) for _ in pair]
        sequence = tc.ContactSequence(*map(mesh, shapes))
        paths = [story.path(pose(rng.uniform(-0.6, 0.6, 3))) for _ in pair]
        options = Options({}, 0.0, 1e-4, "report")
        for step in range(20):
            if rng.random() < 0.2:
                options = some_options(rng, [], robot=False)
            budget = budget_of(rng)
            bodies = dict(zip(pair, zip(shapes, paths, strict=True), strict=True))
            told = {**options.given(), **budget}
            rules, crowd = {pair: options.rule(pair)}, crowd_of(bodies, {pair: options.rule(pair)})
            asked = [motion(path) for path in paths]
            fresh = tc.ContactSequence(*map(mesh, shapes))
            answers = [ask.first_contact(*asked, **told) for ask in (sequence, fresh)]
            for answer in answers:
                crowd.gaps(min(float(answer.toc), 1.0))
            for name, answer in zip(("sequence", "alone"), answers, strict=True):
                with naming(f"seed {seed}, query {step}, {name}, {told}"):
                    hit = assert_follows(answer, crowd, rules, pair, whole=not budget)
                seen[f"{options.initial} {answer.status.name}"] += 1
            rate.add(hit)
            t = float(min(answers[0].toc, 1.0) * rng.choice([0.5, 0.99, 1.0]))
            if answers[0].toc == 0 and rng.random() < 0.7:  # elsewhere
                paths = [story.path(pose(rng.uniform(-0.6, 0.6, 3))) for _ in pair]
            else:
                paths = [story.path(path.pose()(t)) for path in paths]
    rate.check(0.15)
    assert_all_occur(seen)
