"""Robots at poses of their own, and several as one."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires

LEFT = tc.pose((-0.3, 0.05, 0.0), rotvec=(0.0, 0.0, 0.3))
RIGHT = tc.pose((0.3, 0.0, 0.1), rotvec=(0.1, -0.2, 2.5))


def cube(size: float = 1.0) -> tc.Mesh:
    return tc.Mesh(*box((size, size, size)))


def cart(reach: float = 10.0) -> tc.Robot:
    """Return a small block above a cart that shifts along x, and a wheel that mimics it."""
    return tc.Robot(
        [tc.Link("rail"), tc.Link("cart", cube()), tc.Link("wheel", cube(0.2))],
        [
            tc.Joint("slide", "prismatic", "rail", "cart", axis=(1, 0, 0), lower=0, upper=reach),
            tc.Joint(
                "roll",
                "continuous",
                "cart",
                "wheel",
                tc.pose((0.0, 0.0, 2.0)),
                mimic=tc.Mimic("slide", 2.0, 0.1),
            ),
        ],
    )


def two_carts() -> tc.Robot:
    """Return two carts, 10 apart, that drive towards each other."""
    turned = tc.pose((10.0, 0.0, 0.0), rotvec=(0.0, 0.0, np.pi))
    return tc.combine({"left": cart(), "right": cart().placed(turned)})


def two_arms() -> tuple[tc.Robot, tc.Robot, tc.Robot]:
    arm = puma(8)
    arm.ignore("wrist_1", "hand")
    left, right = arm.placed(LEFT), arm.placed(RIGHT)
    return left, right, tc.combine({"left": left, "right": right})


def test_names_numbers_and_limits_are_side_by_side() -> None:
    both = tc.combine({"right": cart(3.0), "left": puma(6)})
    assert both.joint_names[:2] == ("right/slide", "left/" + puma(6).joint_names[0])
    assert both.dof == 1 + puma(6).dof and both.members == {
        "right": slice(0, 1),
        "left": slice(1, both.dof),
    }
    assert both.link_names[:2] == ("right/cart", "right/wheel")
    assert both.lower[0] == 0 and both.upper[0] == 3
    assert np.array_equal(both.lower[1:], puma(6).lower)
    mimic = next(joint for joint in both.joints if joint.name == "right/roll").mimic
    assert mimic == tc.Mimic("right/slide", 2.0, 0.1)
    assert both.coordinate_names[0] == "right/slide"
    assert both.zero_configuration().shape == (both.dof,)


def test_kinematics_are_those_of_each_robot() -> None:
    left, right, both = two_arms()
    q = both.random_configurations(1, seed=4)[0]
    poses = both.forward_kinematics(q)
    plain = puma(8).forward_kinematics(q[:6])
    for name, robot, at in (("left", left, LEFT), ("right", right, RIGHT)):
        for link, pose in robot.forward_kinematics(q[both.members[name]]).items():
            np.testing.assert_allclose(poses[f"{name}/{link}"], pose, atol=1e-15)
        np.testing.assert_allclose(robot.base, at, atol=1e-15)
    for link, pose in left.forward_kinematics(q[:6]).items():
        np.testing.assert_allclose(pose, LEFT @ plain[link], atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("separation", [0.0, 0.25])
def test_carts_meet_in_the_middle(method: Any, separation: float) -> None:
    both = two_carts()
    # The gap of 9 closes at the speeds of both: 4 and 8.
    c = both.first_contact([0, 0], [4, 8], method=method, separation=separation)
    assert c.status == tc.Status.CONTACT
    assert abs(c.toc - (9 - separation) / 12) < 1e-5
    assert (c.link_a, c.link_b) == ("left/cart", "right/cart")
    assert both.first_contact([0, 0], [4, 4.9], method=method).status == tc.Status.FREE


@pytest.mark.parametrize("method", METHODS)
def test_arms_agree_with_samples_and_with_bodies_on_their_motions(method: Any) -> None:
    arm, at = planar_arm((0.5, 0.4, 0.3)), tc.pose((0.7, 0.1, 0.02), rotvec=(0.0, 0.1, 3.0))
    arm.ignore("link1", "link3")
    right = arm.placed(at)
    both, world = tc.combine({"left": arm, "right": right}), tc.Scene()
    corners, faces = box((0.1, 0.1, 1.0))
    world.add("post", tc.Mesh(np.asarray(corners) + (0.4, -0.5, 0.0), faces))
    bodies = {name: (mesh.vertices, mesh.faces) for name, (mesh, _) in world._bodies.items()}
    oracle = RobotOracle(both, bodies, {"right/base": at})
    rng = np.random.default_rng(5)
    met = 0
    for q0 in both.random_configurations(120, seed=2):
        if both.first_contact(q0, q0, world):
            continue
        q1 = q0 + rng.uniform(-1.5, 1.5, q0.shape)
        c = both.first_contact(q0, q1, world, method=method)
        assert c.status != tc.Status.UNDECIDED
        gap, when = oracle.closest_until(q0, q1, min(c.toc, 1.0))
        assert gap > 0, f"missed a contact at {when}, got {c}"
        s = as_bodies({"left": arm, "right": right}, both, world, (q0, q1)).first_contact()
        assert bool(s) == bool(c)
        if c:
            q = oracle.at(q0, q1, c.toc)
            near = oracle.distance(c.link_a, c.link_b, c.link_b in bodies, q)
            assert near <= c.tolerance + 1e-9
            np.testing.assert_allclose(c.q, q, atol=1e-12)
            assert abs(s.toc - c.toc) < 1e-4 and {s.body_a, s.body_b} == {c.link_a, c.link_b}
            met += c.link_b.startswith("right/") and c.link_a.startswith("left/")
    assert met > 3, "sample too one-sided to prove anything"


def as_bodies(robots: dict[str, tc.Robot], both: tc.Robot, world: tc.Scene, ends: Any) -> tc.Scene:
    """Return the links of all as bodies on motions, with the same pairs."""
    scene = tc.Scene()
    for name, robot in robots.items():
        q0, q1 = (q[both.members[name]] for q in ends)
        for link in robot.link_names:
            motion = robot.link_motion(link, q0, q1)
            scene.add(f"{name}/{link}", robot.links[link].mesh, motion)
        for a, b in robot.ignored_pairs:
            scene.ignore(f"{name}/{a}", f"{name}/{b}")
    for body, (mesh, motion) in world._bodies.items():
        scene.add(body, mesh, motion)
    return scene


@pytest.mark.parametrize("method", METHODS)
def test_bases_of_two_robots_are_tested_and_those_of_one_are_not(method: Any) -> None:
    def stand() -> tc.Robot:
        links = [tc.Link("base", cube()), tc.Link("shelf", cube()), tc.Link("arm", cube())]
        return tc.Robot(
            links,
            [
                tc.Joint("bolt", "fixed", "base", "shelf", tc.pose((0.0, 0.5, 0.0))),
                tc.Joint("turn", "continuous", "base", "arm", tc.pose((0.0, 0.0, 5.0))),
            ],
        )

    def asked(shift: float, **how: Any) -> tc.RobotContact:
        both = tc.combine({"a": stand(), "b": stand().placed(tc.pose((shift, 0.0, 0.0)))})
        assert both.tests("a/base", "b/base") and not both.tests("a/base", "a/shelf")
        assert ("a/base", "a/shelf") in both.ignored_pairs
        return both.first_contact([0, 0], [0, 0], method=method, **how)

    assert asked(0.9).status == tc.Status.INITIAL_OVERLAP
    assert asked(1.5).status == tc.Status.FREE
    c = asked(1.5, separation=0.6)
    assert c.status == tc.Status.INITIAL_OVERLAP and c.link_a.startswith("a/")
    both = tc.combine({"a": stand(), "b": stand().placed(tc.pose((0.9, 0.0, 0.0)))})
    for a in ("base", "shelf", "arm"):
        for b in ("base", "shelf", "arm"):
            both.ignore(f"a/{a}", f"b/{b}")
    assert not both.first_contact([0, 0], [1, 0], method=method)
    both.unignore("a/base", "b/base")
    assert both.first_contact([0, 0], [1, 0], method=method)
    with pytest.raises(ValueError, match="expected a link that moves relative to"):
        both.unignore("a/base", "a/shelf")


def test_combined_robots_keep_their_ignored_pairs() -> None:
    arm = puma(6)
    arm.ignore("hand", "table")
    arm.ignore("upper_arm", "hand")
    both = tc.combine({"left": arm, "right": puma(6).placed(RIGHT)})
    assert both.ignored_pairs["left/hand", "table"] == "by hand"
    assert not both.tests("left/upper_arm", "left/hand")
    assert both.tests("right/upper_arm", "right/hand") and both.tests("right/hand", "table")
    own = [pair for pair in both.ignored_pairs if pair[0].startswith("right/")]
    assert len(own) == len(puma(6).ignored_pairs)


def test_meshes_and_hierarchies_are_shared() -> None:
    arm = puma(6)
    placed = arm.placed(RIGHT)
    both = tc.combine({"a": arm, "b": placed, "c": placed})
    carried = [i for i, carrier in enumerate(arm._pairs.carriers) if carrier >= 0]
    count = len(arm.link_names)
    assert len(carried) > 4
    for i in carried:
        assert placed._pairs.meshes[i] is arm._pairs.meshes[i]
        assert all(both._pairs.meshes[k * count + i] is arm._pairs.meshes[i] for k in range(3))
    # What no joint moves has coordinates of its own; robots at the same pose share those too.
    base = arm.link_names.index("base")
    assert both._pairs.meshes[count + base] is both._pairs.meshes[2 * count + base]
    assert all(placed.links[name].mesh is arm.links[name].mesh for name in arm.links)


def test_a_pose_is_that_of_the_base_however_often_it_is_placed() -> None:
    arm = puma(6)
    twice = arm.placed(LEFT).placed(RIGHT)
    assert np.array_equal(twice.base, arm.placed(RIGHT).base)
    q = np.full(6, 0.3)
    for link, pose in arm.placed(RIGHT).forward_kinematics(q).items():
        assert np.array_equal(twice.forward_kinematics(q)[link], pose)
    both = tc.combine({"a": arm.placed(LEFT)}).placed(RIGHT)
    pose = both.forward_kinematics(q)["a/base"]
    np.testing.assert_allclose(pose, RIGHT @ LEFT, atol=1e-15)
    back = arm.placed(RIGHT).placed(np.eye(4))
    assert all(a is b for a, b in zip(back._pairs.meshes, arm._pairs.meshes, strict=True))


def test_a_held_body_and_a_combination_of_combinations() -> None:
    held = cart().attached("cart", "tool", cube(0.5), tc.pose((0.6, 0.0, 0.0)))
    pair = tc.combine({"a": held, "b": cart().placed(tc.pose((0.0, 5.0, 0.0)))})
    turned = tc.pose((10.0, 0.0, 0.0), rotvec=(0.0, 0.0, np.pi))
    all_three = tc.combine({"pair": pair, "c": cart().placed(turned)})
    assert "pair/a/tool" in all_three.links and all_three.members["pair"] == slice(0, 2)
    c = all_three.first_contact([0, 0, 0], [10, 0, 0])
    assert (c.link_a, c.link_b) == ("pair/a/tool", "c/cart")
    assert abs(c.toc - 0.865) < 1e-5
    more = all_three.attached("c/cart", "c/flag", cube(0.1), tc.pose((0.8, 0.0, 0.0)))
    assert abs(more.first_contact([0, 0, 0], [10, 0, 0]).toc - 0.83) < 0.01


def bits(robot: tc.Robot, world: tc.Scene) -> list[bytes]:
    found = []
    rng = np.random.default_rng(1)
    for q0 in robot.random_configurations(6, seed=3):
        c = robot.first_contact(q0, q0 + rng.uniform(-1, 1, q0.shape), world)
        found += [np.array([c.toc, c.tolerance]).tobytes(), c.q.tobytes(), c.point_a.tobytes()]
    return found


def test_pickles_and_copies_give_the_same_bits() -> None:
    left, _, both = two_arms()
    both.ignore("left/hand", "right/hand")
    world = wires(5, seed=3)
    for robot in (left, both, both.padded({"left/forearm": 0.02}), both.placed(RIGHT)):
        for again in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
            assert bits(again, world) == bits(robot, world)
            assert again.ignored_pairs == robot.ignored_pairs
            assert again.padding == robot.padding and again.members == robot.members
            assert np.array_equal(again.base, robot.base)


def test_bad_input_is_named() -> None:
    arm = cart()
    with pytest.raises(
        TypeError, match=r"robots: expected a mapping from names to robots, got list"
    ):
        tc.combine([arm])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"robots: expected at least one robot, got none"):
        tc.combine({})
    with pytest.raises(TypeError, match=r"robots, 'b': expected a toccata.Robot, got int"):
        tc.combine({"a": arm, "b": 3})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match=r"robots: expected names that are not empty, got ''"):
        tc.combine({"": arm})
    with pytest.raises(TypeError, match=r"robots: expected strings as names, got 3"):
        tc.combine({3: arm})  # type: ignore[dict-item]
    slashed = tc.Robot([tc.Link("b/c", cube())], [])
    with pytest.raises(ValueError, match=r"links: expected different names, got 'a/b/c' twice"):
        tc.combine({"a": slashed, "a/b": tc.Robot([tc.Link("c", cube())], [])})
    with pytest.raises(ValueError, match=r"pose: expected"):
        arm.placed(2 * np.eye(4))
    with pytest.raises(ValueError, match=r"pose: expected"):
        arm.placed(np.full((4, 4), np.nan))
