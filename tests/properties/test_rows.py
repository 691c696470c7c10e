"""Queries that answer for each pair, each motion or each time of a path, and sequences of them.

Other libraries measure the distances at samples (`Crowd`); single queries are the brute force.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import pytest
from oracles import size
from oracles.crowd import ACCURACY, TIMES, Crowd

import toccata as tc

from .asking import HitRate, bits, motion, naming
from .test_fuzz_robots import RobotCase, bent, drawn
from .test_fuzz_scenes import drawn as drawn_scenes


def robot_rows(found: tc.RobotBatch) -> dict[tuple[str, str], int]:
    """Return the row of each pair of names."""
    pairs = zip(found.link_a, found.link_b, strict=True)
    return {(found.names[a], found.names[b]): k for k, (a, b) in enumerate(pairs)}


def assert_rows_of_crowd(found: tc.RobotBatch, crowd: Crowd, separation: float) -> None:
    """Assert that rows are contacts, that none comes late, and that other pairs stay apart."""
    rows = robot_rows(found)
    assert len(rows) == len(found) and set(rows) <= set(crowd.pairs)
    assert list(found.toc) == sorted(found.toc)
    for t in TIMES:
        for pair, gap in crowd.gaps(float(t)).items():
            free_until = found.toc[rows[pair]] if pair in rows else inf
            assert t >= free_until or gap > separation - ACCURACY, f"missed {pair} at {t}"
    for pair, k in rows.items():
        if pair not in crowd.insiders:
            reach = separation + found.tolerance[k] + ACCURACY
            assert crowd.gaps(float(found.toc[k]))[pair] <= reach
    assert crowd.insiders <= set(rows)


def test_every_pair_of_a_robot_in_contact_has_a_row() -> None:
    rate = HitRate()
    for label, case, rng in drawn(21):
        crowd, world, robot = case.crowd(), case.world.scene(), case.robot
        separation = float(rng.choice([0.0, 0.03]))
        how: dict[str, Any] = {"separation": separation, "self_contact": case.self_contact}
        with naming(f"{label}, {how}"):
            found = robot.contacts(case.q0, case.q1, world, tolerance=1e-5, **how)
            assert_rows_of_crowd(found, crowd, separation)
            first = robot.first_contact(case.q0, case.q1, world, tolerance=1e-5, **how)
            assert bool(first) == bool(len(found))
            if first:
                assert abs(first.toc - found.toc[0]) <= 1e-3
            other = robot.contacts(case.q0, case.q1, world, tolerance=1e-5, threads=1, **how)
            assert other.toc.tobytes() == found.toc.tobytes()
            assert other.point_a.tobytes() == found.point_a.tobytes()
        rate.add(len(found) > 1)
    rate.check(0.1)


def on_spline(case: RobotCase, rng: np.random.Generator) -> tuple[RobotCase, Any]:
    rows, curve = bent(case, rng)
    return RobotCase(case.robot, case.world, case.q0, case.q1, case.self_contact, curve), rows


@pytest.mark.filterwarnings("ignore:Q. row:UserWarning")
def test_pairs_and_distances_on_paths_agree_with_samples() -> None:
    rate = HitRate()
    for label, straight, rng in drawn(22):
        if any(joint.kind == "floating" for joint in straight.robot.joints):
            continue
        case, rows = on_spline(straight, rng)
        crowd, world = case.crowd(), case.world.scene()
        how: dict[str, Any] = {"spline": "cubic", "self_contact": case.self_contact}
        with naming(label):
            found = case.robot.contacts_path(rows, world, tolerance=1e-5, **how)
            assert_rows_of_crowd(found, crowd, 0.0)
            for k, t in enumerate(found.toc):
                assert np.allclose(found.q[k], case.path(t), atol=1e-9)
            at = rng.uniform(0, 1, 3)
            near = case.robot.distances_path(rows, world, at=at, spline="cubic")
            for k, t in enumerate(at):
                for pair, gap in crowd.gaps(float(t)).items():
                    column = near.pairs.index(pair)
                    assert near.lower[k, column] <= gap + ACCURACY
                    assert near.upper[k, column] >= gap - ACCURACY
        rate.add(bool(len(found)))
    rate.check(0.1)


def test_clearances_come_in_rows_with_the_bits_of_single_queries() -> None:
    for label, case, rng in drawn(23)[: size.cases(8)]:
        world, limit = case.world.scene(), float(rng.choice([inf, 0.3]))
        ends = [case.robot.interpolate(case.q0, case.q1, t) for t in (0.0, 0.4, 1.0)]
        with naming(f"{label}, {limit}"):
            found = case.robot.clearance_batch(ends[:-1], ends[1:], world, limit=limit)
            for k, motion_ends in enumerate(pairwise(ends)):
                one = case.robot.clearance(*motion_ends, world, limit=limit)
                assert (one.lower, one.upper) == (found.lower[k], found.upper[k])
                names = (one.link_a, one.link_b)
                pair = found.body_a[k], found.body_b[k]
                assert names == (tuple(found.names[i] for i in pair) if pair[0] >= 0 else names)


def test_every_pair_of_a_scene_has_its_clearance() -> None:
    rate = HitRate()
    for label, world, rng in drawn_scenes(24)[: size.cases(10)]:
        scene, limit = world.scene(), float(rng.choice([inf, 0.5]))
        bodies = world.bodies
        with naming(f"{label}, {limit}"):
            found = scene.clearances(limit=limit)
            rows = {pair: k for k, pair in enumerate(zip(found.body_a, found.body_b, strict=True))}
            names = list(bodies)
            for i in range(len(names)):
                for j in range(i + 1, len(names)):
                    pair = names[i], names[j]
                    one = tc.clearance(
                        *(bodies[name].mesh() for name in pair),
                        *(motion(bodies[name].path) for name in pair),
                        limit=limit,
                    )
                    is_listed = (i, j) in rows
                    if pair in world.ignored:
                        assert not is_listed
                    elif is_listed:
                        k = rows[i, j]
                        assert (one.lower, one.upper) == (found.lower[k], found.upper[k])
                    else:
                        assert one.lower >= limit
                    rate.add(is_listed and one.lower == 0)
            all_times = scene.contact_intervals()
            first = scene.first_contact()
            if first.toc < 1 and first.triangle_a >= 0:
                # The reported contact may be by the tolerance too early.
                assert any(lo - 1e-4 <= first.toc <= hi for lo, hi in all_times)
    rate.check(0.02)


def test_batches_of_clearances_have_the_bits_of_single_queries() -> None:
    rng = np.random.default_rng((25, size.SEED))
    a, b = tc.Mesh(*tc_box(0.5)), tc.Mesh(*tc_box(0.3))
    poses = [
        np.array([tc.pose(rng.uniform(-1.5, 1.5, 3), rotvec=rng.normal(size=3)) for _ in range(12)])
        for _ in range(4)
    ]
    for kind, make in (("linear", tc.Motion.linear), ("screw", tc.Motion.screw)):
        found = tc.clearance_batch(a, b, *poses, motion=kind)
        ones = [
            tc.clearance(a, b, make(p[0], p[1]), make(p[2], p[3])) for p in zip(*poses, strict=True)
        ]
        assert [one.lower for one in ones] == found.lower.tolist()
        assert [one.upper for one in ones] == found.upper.tolist()
        assert [one.time for one in ones] == found.time.tolist()
        assert 0 < (found.lower == 0).sum() < 12


def tc_box(half: float) -> Any:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for q in quads for f in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
    return corners, np.array(faces)


def test_sequences_of_scenes_keep_the_contract() -> None:
    """Bodies step along their motions and back; answers agree with those of a fresh scene."""
    rate = HitRate()
    for label, world, rng in drawn_scenes(26)[: size.cases(12)]:
        scene = world.scene()
        sequence = tc.SceneSequence(scene)
        paths = {name: motion(body.path) for name, body in world.bodies.items()}
        separation = float(rng.choice([0.0, 0.05]))
        for k in range(12):
            start, end = sorted(rng.uniform(0, 1, 2))
            for name, path in paths.items():
                scene.move(name, tc.Motion.linear(path.pose(start), path.pose(end)))
            how: Any = {"separation": separation, "tolerance": 1e-5}
            with naming(f"{label}, step {k}"):
                found = sequence.first_contact(**how)
                fresh = scene.first_contact(**how)
                later = scene.first_contact(separation=max(separation - 1e-5, 0), tolerance=1e-9)
                assert bool(found) == bool(fresh)
                assert found.toc <= later.toc + 1e-12
                assert (found.toc == 0) == (fresh.toc == 0)
                again = sequence.first_contact(**how)
                assert again.status == found.status
                if found and found.triangle_a >= 0:
                    gap = np.linalg.norm(found.point_a - found.point_b)
                    assert gap <= separation + found.tolerance + 1e-12
                budget = sequence.first_contact(budget=int(rng.integers(1, 30)), **how)
                assert budget.safe_until <= later.toc + 1e-12
                assert bool(budget) or not bool(later)
            rate.add(found.status is tc.Status.CONTACT)
    rate.check(0.05)


@pytest.mark.filterwarnings("ignore:Q. row:UserWarning")
def test_sequences_of_paths_agree_with_single_paths() -> None:
    rate = HitRate()
    for label, case, rng in drawn(27)[: size.cases(12)]:
        world = case.world.scene()
        for method in ("auto", "adaptive"):
            sequence = tc.RobotSequence(case.robot, world, method=method)
            for k in range(4):
                rows = [case.robot.interpolate(case.q0, case.q1, t) for t in (0.0, 0.5, 1.0)]
                rows = np.array(rows) + rng.normal(size=case.q0.shape) * 0.02 * k
                with naming(f"{label}, {method}, {k}"):
                    ask: Any = {"self_contact": case.self_contact, "tolerance": 1e-5}
                    found = sequence.first_contact_path(rows, **ask)
                    single = case.robot.first_contact_path(rows, world, **ask)
                    later = case.robot.first_contact_path(
                        rows, world, self_contact=case.self_contact, tolerance=1e-9
                    )
                    assert found.status == single.status
                    assert found.toc <= later.toc + 1e-12
                    if not found:
                        assert bits(found) == bits(single)
                rate.add(bool(found))
    rate.check(0.1)
