"""All contacts of random scenes: by pair, with a separation per pair, and at one time.

Single pairs of bodies are the brute force; distances of another library judge them too.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from oracles import size
from oracles.crowd import TIMES
from oracles.triangles import closest, point_triangle_distance

import toccata as tc

from .asking import METHODS, HitRate, bits, motion, naming
from .crowds import DrawnScene
from .test_fuzz_scenes import any_question, drawn


def alone(world: DrawnScene, pair: tuple[str, str], **question: Any) -> Any:
    a, b = (world.bodies[name] for name in pair)
    return tc.first_contact(a.mesh(), b.mesh(), motion(a.path), motion(b.path), **question)


FIELDS = ("status", "toc", "safe_until", "tolerance", "distance", "point_a", "point_b", "normal")


def row_bits(found: Any, k: int | None = None) -> list[bytes]:
    """Return the bits of a single answer, or of a row."""
    values = [getattr(found, name) for name in (*FIELDS, "triangle_a", "triangle_b")]
    own = values if k is None else [value[k] for value in values]
    return [np.asarray(value, dtype=np.float64).tobytes() for value in own]


def pairs_of(world: DrawnScene) -> list[tuple[str, str]]:
    return [pair for pair in combinations(world.bodies, 2) if pair not in world.ignored]


def test_all_pairs_within_reach_are_listed_with_the_bits_of_single_queries() -> None:
    rate = HitRate()
    for label, world, rng in drawn(11)[: size.cases(20)]:
        scene, names, question = world.scene(), list(world.bodies), any_question(rng)
        question["method"] = str(rng.choice(METHODS))
        truth = {pair: alone(world, pair, **question) for pair in pairs_of(world)}
        touching = {pair: c for pair, c in truth.items() if c}
        listed = [scene.contacts(**question, threads=threads) for threads in (1, 2, 8)]
        found = listed[0]
        with naming(f"{label}, {question}"):
            pairs = [(names[a], names[b]) for a, b in zip(found.body_a, found.body_b, strict=True)]
            assert set(pairs) == set(touching) and len(pairs) == len(touching)
            order = list(zip(found.toc, found.body_a, found.body_b, strict=True))
            assert order == sorted(order)
            for k, pair in enumerate(pairs):
                assert row_bits(found, k) == row_bits(touching[pair])
            for other in listed[1:]:
                for name in ("toc", "point_a", "normal", "body_a", "body_b", "status"):
                    assert getattr(other, name).tobytes() == getattr(found, name).tobytes()
            times = dict(zip(pairs, found.toc, strict=True))
            crowd = world.crowd()
            for t in TIMES[::4]:
                for pair, gap in crowd.gaps(float(t)).items():
                    assert gap > question["separation"] or times[pair] <= t
        rate.add(bool(touching))
    rate.check()


def test_separations_by_pair_agree_with_single_queries() -> None:
    rate, other = HitRate(), 0
    for label, world, rng in drawn(12):
        scene, crowd, pairs = world.scene(), world.crowd(), pairs_of(world)
        chosen = [pairs[k] for k in rng.permutation(len(pairs))[: len(pairs) // 2 + 1]]
        separations: dict[Any, float] = {pair: float(rng.uniform(0, 0.2)) for pair in chosen}
        of = {pair: separations.get(pair, 0.0) for pair in pairs}
        given = {frozenset(p) if rng.integers(2) else p[::-1]: s for p, s in separations.items()}
        if rng.integers(2):
            given["default"] = 0.1
            of = {pair: separations.get(pair, 0.1) for pair in pairs}
        truth = {pair: alone(world, pair, separation=of[pair], tolerance=1e-4) for pair in pairs}
        least = min((c.toc for c in truth.values()), default=np.inf)
        for method in METHODS:
            with naming(f"{label}, {method}, {given}"):
                question: Any = {"separation": given, "tolerance": 1e-4, "method": method}
                c = scene.first_contact(**question)
                assert bits(c) == bits(scene.first_contact(**question))
                assert bool(c) == bool(least < np.inf)
                if c.status is not tc.Status.CONTACT:
                    continue
                gaps = crowd.gaps(c.toc)
                assert gaps[c.body_a, c.body_b] <= of[c.body_a, c.body_b] + 1e-4 + 1e-9
                for t in TIMES[c.toc > TIMES][::4]:
                    gaps = crowd.gaps(float(t))
                    assert all(gap > of[pair] - 1e-9 for pair, gap in gaps.items())
        found = scene.contacts(separation=given, tolerance=1e-4)
        assert len(found) == sum(map(bool, truth.values())), label
        other += least != scene.first_contact(tolerance=1e-4).toc
        rate.add(bool(least < np.inf))
    rate.check(0.1)
    assert other > 0, "separations make no difference"


def placed(world: DrawnScene, name: str, t: float) -> Any:
    body = world.bodies[name]
    pose = motion(body.path).pose(t)
    vertices = np.asarray(body.shape[0], float) @ pose[:3, :3].T + pose[:3, 3]
    return vertices[np.asarray(body.shape[1])]


def test_all_contacts_at_the_first_time_are_listed_once() -> None:
    several = 0
    for label, world, _ in drawn(13)[: size.cases(30)]:
        if sum(len(body.shape[1]) for body in world.bodies.values()) > 100:
            continue
        scene, tolerance = world.scene(), 0.05
        first = scene.first_contact(tolerance=tolerance, contacts="all")
        assert bits(first) == bits(scene.first_contact(tolerance=tolerance))
        if not first or first.triangle_a < 0:
            continue
        with naming(label):
            several += len(first.contacts) > 1
            assert_all_contacts(world, first, tolerance)
    assert several > 0


def assert_all_contacts(world: DrawnScene, first: Any, tolerance: float) -> None:
    for a, b in pairs_of(world):
        faces_a, faces_b = placed(world, a, first.toc), placed(world, b, first.toc)
        listed = [c for c in first.contacts if (c.body_a, c.body_b) == (a, b)]
        known = {(c.triangle_a, c.triangle_b): c for c in listed}
        for i, x in enumerate(faces_a):
            for j, y in enumerate(faces_b):
                distance = float(closest(x, y).distance)
                if (i, j) in known:
                    assert distance <= tolerance + 1e-9
                    assert_normal(known[i, j], distance)
                elif distance <= tolerance - 1e-9:
                    assert any(has_points(c, x, y, distance) for c in listed), (a, b, i, j)
        points = np.array([(*c.point_a, *c.point_b) for c in listed]).reshape(-1, 6)
        for k, six in enumerate(points):
            assert (np.abs(points[:k] - six).max(axis=1, initial=0) > 1e-14).all(), "twice"


def assert_normal(contact: Any, distance: float) -> None:
    if distance > 1e-9:
        line = contact.point_a - contact.point_b
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-9
        assert contact.normal @ line > 0.99 * np.linalg.norm(line)
    elif distance == 0:
        assert np.isnan(contact.normal).all()


def has_points(contact: Any, x: Any, y: Any, distance: float) -> bool:
    """Return whether the points of a contact are closest points of other triangles, too."""
    return (
        float(point_triangle_distance(contact.point_a, x)) < 1e-9
        and float(point_triangle_distance(contact.point_b, y)) < 1e-9
        and abs(contact.distance - distance) < 1e-9
    )


def test_clearances_hold_at_all_samples() -> None:
    rate = HitRate()
    for label, world, rng in drawn(14)[: size.cases(20)]:
        scene, crowd = world.scene(), world.crowd()
        tolerance = float(rng.choice([0.1, 1e-2, 1e-3]))
        limit = float(rng.choice([np.inf, 0.3]))
        c = scene.clearance(tolerance=tolerance, limit=limit)
        rate.add(c.lower == 0)
        with naming(f"{label}, {tolerance}, {limit}"):
            assert c.upper - c.lower <= tolerance or c.lower >= limit
            assert all(crowd.gap(float(t)) >= c.lower - 1e-9 for t in TIMES) or crowd.insiders
            assert not crowd.insiders or c.lower == 0
            if c.body_a is None or c.body_b is None:
                assert c.lower >= limit
            elif not np.isnan(c.point_a).any():
                gap = crowd.gaps(c.time)[c.body_a, c.body_b]
                assert gap - 1e-9 <= c.distance <= c.upper
                assert c.distance == 0 or gap >= c.distance - tolerance
    rate.check(0.1)
