"""Links that no joint moves, against bodies that stay: tested once, unless they are ignored."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box

Ask = Callable[[tc.Robot, tc.Scene], bool]


def cube(size: float = 1.0, solid: bool = False) -> tc.Mesh:
    return tc.Mesh(*box((size, size, size)), solid=solid)


def arm() -> tc.Robot:
    """Return a unit cube around the origin as a base, a shelf on it, and an arm far above."""
    high = tc.pose((0.0, 0.0, 5.0))
    return tc.Robot(
        [tc.Link("base", cube()), tc.Link("shelf", cube(0.5)), tc.Link("arm", cube())],
        [
            tc.Joint("bolt", "fixed", "base", "shelf", tc.pose((2.0, 0.0, 0.0))),
            tc.Joint("turn", "continuous", "base", "arm", high),
        ],
    )


def floor(height: float = -0.4) -> tc.Scene:
    """Return a slab whose top is at a height: the base reaches down to -0.5."""
    scene = tc.Scene()
    scene.add("floor", tc.Mesh(*box((10.0, 10.0, 1.0))), tc.pose((0.0, 0.0, height - 0.5)))
    return scene


Q0, Q1 = np.array([0.0]), np.array([1.0])
ROWS = np.array([[0.0], [0.5], [1.0]])
WAYS: dict[str, Ask] = {
    "auto": lambda robot, world: bool(robot.first_contact(Q0, Q1, world)),
    "hca": lambda robot, world: bool(robot.first_contact(Q0, Q1, world, method="hca")),
    "interval": lambda robot, world: bool(robot.first_contact(Q0, Q1, world, method="interval")),
    "exact": lambda robot, world: bool(
        robot.first_contact(Q0, Q1, world, method="interval", stages=("exact",))
    ),
    "at rest": lambda robot, world: bool(robot.first_contact(Q0, Q0, world)),
    "is free": lambda robot, world: not robot.motion_is_free(Q0, Q1, world),
    "batch": lambda robot, world: bool(
        robot.first_contact_batch(ROWS, ROWS[::-1], world, threads=2).status.all()
    ),
    "path": lambda robot, world: bool(robot.first_contact_path(ROWS, world)),
    "spline": lambda robot, world: bool(robot.first_contact_path(ROWS, world, spline="cubic")),
    "sequence": lambda robot, world: bool(tc.RobotSequence(robot, world).first_contact(Q0, Q1)),
    "clearance": lambda robot, world: robot.clearance(Q0, Q1, world).lower == 0,
    "clearance of a path": lambda robot, world: robot.clearance_path(ROWS, world).lower == 0,
    "clearance of a spline": lambda robot, world: (
        robot.clearance_path(ROWS, world, spline="quintic").lower == 0
    ),
}


@pytest.mark.parametrize("way", list(WAYS))
def test_a_base_in_the_floor_is_in_contact_until_it_is_ignored(way: str) -> None:
    ask, robot = WAYS[way], arm()
    assert not ask(robot, floor(-0.6)) and not ask(robot, tc.Scene())
    for _ in range(2):
        assert ask(robot, floor())
    robot.ignore("base", "floor")
    assert not ask(robot, floor())
    assert ask(robot, floor(0.0)), "the shelf, too"
    robot.ignore("shelf", "floor")
    assert not ask(robot, floor(0.0))
    assert ask(robot, floor(4.6)), "the arm"
    robot.unignore("base", "floor")
    assert ask(robot, floor())


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_a_base_in_the_floor_is_an_initial_overlap_of_both(method: str) -> None:
    found = arm().first_contact(Q0, Q1, floor(), method=method)
    assert found.status == tc.Status.INITIAL_OVERLAP and found.toc == 0 == found.safe_until
    assert (found.link_a, found.link_b) == ("base", "floor")
    assert np.isnan(found.normal).all()
    batch = arm().first_contact_batch(ROWS, ROWS, floor(), method=method)
    assert (batch.status == tc.Status.INITIAL_OVERLAP).all()
    assert (batch.link_a == 0).all() and all(batch.names[k] == "floor" for k in batch.link_b)


def test_the_separation_counts() -> None:
    robot, world = arm(), floor(-0.6)  # 0.1 below the base
    assert robot.motion_is_free(Q0, Q1, world, separation=0.09)
    assert not robot.motion_is_free(Q0, Q1, world, separation=0.1)
    assert robot.motion_is_free(Q0, Q1, world, separation={("base", "floor"): 0.09, "default": 0.3})
    assert not robot.motion_is_free(Q0, Q1, world, separation={("base", "floor"): 0.11})
    assert robot.clearance(Q0, Q1, world).distance == pytest.approx(0.1)
    robot.ignore("base", "floor")
    assert robot.motion_is_free(Q0, Q1, world, separation=0.3)
    with pytest.raises(ValueError, match="separation: expected a pair that is tested"):
        robot.motion_is_free(Q0, Q1, world, separation={("base", "floor"): 0.1})
    assert robot.clearance(Q0, Q1, world).link_a == "shelf"


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_a_base_inside_a_solid_is_in_contact(method: str) -> None:
    scene = tc.Scene()
    scene.add("hall", cube(4.0, solid=True), tc.pose((0.5, 0.0, 0.0)))
    found = arm().first_contact(Q0, Q1, scene, method=method)
    assert found.status == tc.Status.INITIAL_OVERLAP and found.link_b == "hall"
    shell = tc.Scene()
    shell.add("hall", cube(4.0), tc.pose((0.5, 0.0, 0.0)))
    assert not arm().first_contact(Q0, Q1, shell, method=method)


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_pairs_at_rest_are_proven_apart_once(method: str) -> None:
    robot, ignoring, world = arm(), arm(), floor(-0.501)
    for link in ("base", "shelf"):
        ignoring.ignore(link, "floor")
    for _ in range(2):
        one, other = (r.first_contact(Q0, Q1, world, method=method) for r in (robot, ignoring))
        assert not one and one.stats.bv_tests == other.stats.bv_tests
        assert one.stats.broad_phase_pairs == other.stats.broad_phase_pairs


def test_a_world_that_grows_is_tested_again() -> None:
    robot, world = arm(), tc.Scene()
    sequence = tc.RobotSequence(robot, world)
    assert robot.motion_is_free(Q0, Q1, world) and not sequence.first_contact(Q0, Q1)
    world.add("stone", cube(0.2), tc.pose((0.5, 0.0, 0.0)))
    assert not robot.motion_is_free(Q0, Q1, world) and sequence.first_contact(Q0, Q1)
    robot.ignore("base", "stone")
    assert robot.motion_is_free(Q0, Q1, world) and not sequence.first_contact(Q0, Q1)


def test_moving_bodies_are_tested_as_they_were() -> None:
    world = tc.Scene()
    world.add("ball", cube(), tc.Motion.linear(tc.pose((-4.0, 0, 0)), tc.pose((0.0, 0, 0))))
    robot = arm()
    found = robot.first_contact(Q0, Q1, world)
    assert found.status == tc.Status.CONTACT and found.toc == pytest.approx(0.75, abs=1e-5)
    robot.ignore("base", "ball")
    assert robot.motion_is_free(Q0, Q1, world)


def test_a_body_that_has_the_name_of_a_link_stays_in_the_tests() -> None:
    robot, world = arm(), tc.Scene()
    world.add("arm", cube(), tc.pose((0.2, 0.0, 0.0)))
    robot.ignore("base", "arm")
    assert robot.first_contact(Q0, Q1, world).status == tc.Status.INITIAL_OVERLAP


def test_robots_with_held_bodies_keep_ignored_pairs() -> None:
    robot = arm()
    robot.ignore("base", "floor")
    holding = robot.attached("arm", "tool", cube(0.1), tc.pose((0.0, 0.0, 0.6)))
    assert holding.motion_is_free(Q0, Q1, floor())
    assert holding.ignored_pairs["base", "floor"] == "by hand"


def test_invalid_pairs_are_refused() -> None:
    robot = arm()
    with pytest.raises(ValueError, match="link: expected a link with geometry, got 'floor'"):
        robot.ignore("floor", "base")
    with pytest.raises(ValueError, match="other: expected a link other than"):
        robot.ignore("base", "base")
    with pytest.raises(ValueError, match=r"other: the pair .* is not ignored"):
        robot.unignore("base", "floor")
    with pytest.raises(ValueError, match="other: expected a link that moves relative to 'base'"):
        robot.unignore("base", "shelf")
    bare = tc.Robot([tc.Link("a", cube()), tc.Link("b")], [tc.Joint("j", "fixed", "a", "b")])
    for ask in (bare.ignore, bare.unignore):
        with pytest.raises(ValueError, match="other: expected a link with geometry or the name"):
            ask("a", "b")


def test_pairs_can_be_tested_again_whatever_the_reason() -> None:
    robot = arm()
    assert not robot.tests("arm", "base")
    robot.unignore("arm", "base")
    assert robot.tests("base", "arm") and ("base", "arm") not in robot.ignored_pairs
    robot.ignore("arm", "base", "again")
    assert robot.ignored_pairs["arm", "base"] == "again" and not robot.tests("base", "arm")
    assert robot.tests("arm", "floor")
    robot.ignore("arm", "floor")
    assert not robot.tests("arm", "floor") and not robot.tests("floor", "arm")


def test_all_pairs_that_are_not_tested_are_named() -> None:
    robot = arm()
    robot = robot.attached("shelf", "tool", cube(0.1), tc.pose((0.0, 0.0, 0.4)))
    robot.ignore("arm", "floor", "it may lean on it")
    assert robot.ignored_pairs == {
        ("base", "shelf"): "adjacent: joined by bolt",
        ("base", "arm"): "adjacent: joined by turn",
        ("shelf", "tool"): "adjacent: joined by tool",
        ("base", "tool"): "fixed to each other",
        ("arm", "floor"): "it may lean on it",
    }
    names = robot.link_names
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            ignored = (a, b) in robot.ignored_pairs or (b, a) in robot.ignored_pairs
            assert robot.tests(a, b) != ignored


def test_ignore_and_unignore_build_no_hierarchy() -> None:
    robot = arm()
    before, meshes = robot._pairs.core, list(robot._pairs.meshes)
    robot.ignore("arm", "floor")
    assert robot._pairs.core is before and not robot.tests("arm", "floor")
    robot.unignore("arm", "floor")
    assert robot._pairs.core is before and robot.tests("arm", "floor")
    robot.ignore("arm", "shelf")
    robot.unignore("arm", "shelf")
    assert all(a is b for a, b in zip(robot._pairs.meshes, meshes, strict=True))
    held = robot.attached("arm", "cup", cube(0.1))
    assert all(a is b for a, b in zip(held._pairs.meshes, meshes, strict=False)), "shared"
