"""Method "hca" of robots: known answers, culling that culls, and memory that changes no answer."""

from __future__ import annotations

from itertools import pairwise
from math import asin, atan2, pi, sqrt

import numpy as np
import pytest

import toccata as tc
from toccata._native import core
from toccata._robot.options import robot_options
from toccata._scene import as_world
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted


def one_body(mesh: tuple[np.ndarray, np.ndarray]) -> tc.Scene:
    scene = tc.Scene()
    scene.add("post", tc.Mesh(*mesh))
    return scene


def test_a_bar_swings_against_a_post() -> None:
    post = one_body(shifted(box((0.2, 0.2, 1.0)), (0.1, 0.6, 0.0)))
    contact = planar_arm((1.0,), 0.1).first_contact(
        [0.0], [pi / 2], post, method="hca", tolerance=1e-7
    )
    exact = (atan2(0.5, 0.2) - asin(0.05 / sqrt(0.2**2 + 0.5**2))) / (pi / 2)
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12
    assert (contact.link_a, contact.link_b) == ("link1", "post")


@pytest.mark.parametrize("turns", [1.0, 5.0, -3.0, 40.0])
def test_full_turns_sweep_the_whole_circle(turns: float) -> None:
    behind = one_body(shifted(box((0.1, 0.1, 0.1)), (-0.8, 0.0, 0.0)))
    robot = planar_arm((1.0,), 0.1)
    contact = robot.first_contact([0.0], [2 * pi * turns], behind, method="hca")
    assert contact.status == tc.Status.CONTACT
    assert 0.4 < contact.toc * abs(turns) < 0.5
    high = one_body(shifted(box((0.1, 0.1, 0.1)), (-0.8, 0.0, 0.2)))
    assert robot.motion_is_free([0.0], [2 * pi * turns], high, method="hca")


def test_zero_motion_is_a_test_of_one_pose() -> None:
    robot, q = planar_arm((1.0, 1.0), 0.1), [0.0, 0.0]
    far = one_body(shifted(box(), (9.0, 0.0, 0.0)))
    hit = one_body(shifted(box(), (1.5, 0.5, 0.0)))
    assert robot.first_contact(q, q, far, method="hca").status == tc.Status.FREE
    overlap = robot.first_contact(q, q, hit, method="hca")
    assert overlap.status == tc.Status.INITIAL_OVERLAP and overlap.toc == 0
    assert np.isnan(overlap.normal).all()


def test_a_fast_link_does_not_jump_over_a_wire() -> None:
    robot = puma()
    q0, q1 = np.zeros(6), np.array([pi, 0.0, 0.0, 0.0, 0.0, 0.0])
    reach = robot.forward_kinematics(q0 + 0.37 * (q1 - q0))["forearm"][:3, 3]
    wire = one_body(shifted(box((0.002, 0.002, 4.0)), reach))
    contact = robot.first_contact(q0, q1, wire, method="hca")
    assert contact.status == tc.Status.CONTACT and 0.2 < contact.toc < 0.37
    assert contact.toc == pytest.approx(robot.first_contact(q0, q1, wire).toc, abs=1e-5)
    assert not robot.motion_is_free(q0, q1, wire, method="hca")


def test_links_that_start_in_contact_may_move_apart() -> None:
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0))
    robot = tc.Robot([tc.Link("base"), tc.Link("cart", tc.Mesh(*box()))], [rail])
    wall = one_body(shifted(box((1.0, 5.0, 5.0)), (1.0, 0.0, 0.0)))
    how = {"method": "hca", "initial": "ignore_separating"}
    assert robot.first_contact([0.0], [-2.0], wall, method="hca").toc == 0
    assert not robot.first_contact([0.0], [-2.0], wall, **how)
    assert robot.first_contact([0.0], [2.0], wall, **how)


def test_a_chain_of_a_hundred_links_rolls_up() -> None:
    robot = planar_arm((0.1,) * 100, 0.02)
    q0, q1 = np.zeros(100), np.full(100, 2 * pi / 90)
    contact = robot.first_contact(q0, q1, method="hca")
    # 90 links make a regular polygon at most: the first link meets one near the end of the chain.
    assert contact.status == tc.Status.CONTACT and contact.link_a == "link1"
    assert contact.toc == pytest.approx(robot.first_contact(q0, q1).toc, abs=1e-4)
    half = robot.first_contact(q0, q1 / 2, method="hca")
    assert half.status == tc.Status.FREE


def test_an_exhausted_budget_is_undecided_and_safe() -> None:
    robot, scene = puma(), wires(12)
    starts = robot.random_configurations(12, 3)
    seen = set()
    for q0 in starts:
        q1 = q0 + 1.0
        whole = robot.first_contact(q0, q1, scene, method="hca")
        for budget in (1, 7, 30, 100, 400):
            part = robot.first_contact(q0, q1, scene, method="hca", budget=budget)
            seen.add(part.status)
            if part.status == tc.Status.UNDECIDED:
                assert part.toc == part.safe_until <= whole.toc
                assert part.link_a is None
            else:
                assert part.toc == whole.toc
    assert seen >= {tc.Status.UNDECIDED, tc.Status.CONTACT}


def stages(robot: tc.Robot, scene: tc.Scene, q0: np.ndarray, q1: np.ndarray, temporal: bool):
    """Ask with or without temporal culling."""
    shared = robot_options({"method": "hca"})
    options = core.RobotOptions()
    options.options, options.temporal = shared.options, temporal
    found = core.robot_first_contact(robot._pairs.core, as_world(scene).native, q0, q1, options)
    return found, found.stages


def test_temporal_culling_culls_and_changes_no_answer() -> None:
    robot, scene = puma(12), wires(60, seed=2)
    rng = np.random.default_rng(1)
    culled = saved = touched = 0
    for q0 in robot.random_configurations(40, 6):
        q1 = q0 + rng.uniform(-1, 1, 6)
        found, counts = stages(robot, scene, q0, q1, True)
        alone, other = stages(robot, scene, q0, q1, False)
        assert found.status == alone.status
        assert min(found.toc, 2.0) == pytest.approx(min(alone.toc, 2.0), abs=1e-4)
        assert counts.pairs_after_hierarchy == other.pairs_after_hierarchy
        assert other.pairs_after_culling == other.pairs_after_hierarchy
        if found.status == core.Status.CONTACT:
            touched += 1
            culled += counts.pairs_after_hierarchy - counts.pairs_after_culling
            saved += alone.stats.elementary_tests - found.stats.elementary_tests
    assert touched >= 8, "sample too one-sided to prove anything"
    assert culled > 2 * touched
    assert saved > 0


def frames(robot: tc.Robot, count: int) -> np.ndarray:
    """Return a slow wave of the arm, in and out of contact."""
    t = np.linspace(0, 1, count)[:, None]
    start, end = robot.random_configurations(2, 17)
    return start + (end - start) * t + 0.3 * np.sin(2 * pi * 5 * t)


def test_a_sequence_answers_as_if_each_motion_were_the_only_one() -> None:
    robot, scene = puma(12), wires(60, seed=2)
    sequence, again = (
        tc.RobotSequence(robot, scene, method="hca"),
        tc.RobotSequence(robot, scene, method="hca"),
    )
    touched = 0
    for q0, q1 in pairwise(frames(robot, 60)):
        alone = robot.first_contact(q0, q1, scene, method="hca", tolerance=1e-5)
        c = sequence.first_contact(q0, q1, tolerance=1e-5)
        assert c.status is alone.status
        assert min(c.toc, 2.0) == pytest.approx(min(alone.toc, 2.0), abs=1e-2)
        touched += bool(c)
        if c.status == tc.Status.CONTACT:
            assert c.distance <= c.tolerance == 1e-5
        # The same motions in the same order give the same bits.
        repeated = again.first_contact(q0, q1, tolerance=1e-5)
        assert repeated.toc == c.toc and repeated.triangle_a == c.triangle_a
    assert 6 < touched < 54, "too one-sided to prove anything"


def test_memory_of_triangles_that_touch_saves_work() -> None:
    robot, scene = puma(), wires(30, seed=2)
    first = second = 0
    for q0 in robot.random_configurations(30, 6):
        q1 = q0 + np.array([1.0, -0.8, 0.7, 0.5, 0.5, 0.5])
        sequence = tc.RobotSequence(robot, scene, method="hca")
        fresh = sequence.first_contact(q0, q1)
        if fresh.status == tc.Status.CONTACT:
            reminded = sequence.first_contact(q0, q1)
            assert reminded.toc == pytest.approx(fresh.toc, abs=1e-5)
            first += fresh.stats.bv_tests
            second += reminded.stats.bv_tests
    assert 0 < second < 0.9 * first


def test_robot_and_world_may_change_between_motions() -> None:
    robot, scene = planar_arm((1.0, 1.0), 0.1), tc.Scene()
    scene.add("big", tc.Mesh(*shifted(box((0.2, 0.2, 0.2)), (0.0, 1.5, 0.0))))
    sequence = tc.RobotSequence(robot, scene, method="hca")
    q0, q1 = [0.0, 0.0], [pi, 0.0]
    assert sequence.first_contact(q0, q1).link_b == "big"
    scene.add("early", tc.Mesh(*shifted(box((0.2, 0.2, 0.2)), (1.1, 1.1, 0.0))))
    assert sequence.first_contact(q0, q1).link_b == "early"
    assert sequence.first_contact(q0, [-pi / 2, 0.0]).status == tc.Status.FREE
    with pytest.raises(TypeError, match=r"robot: expected a toccata\.Robot"):
        tc.RobotSequence(scene)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="world: expected"):
        tc.RobotSequence(robot, "pipes")
