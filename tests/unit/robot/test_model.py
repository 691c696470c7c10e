"""Robots by hand: trees, configurations, ignored pairs."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma


def cube(size: float = 1.0) -> tc.Mesh:
    return tc.Mesh(*box((size, size, size)))


def joint(parent: str, child: str, kind: str = "revolute", **more: object) -> tc.Joint:
    return tc.Joint(f"{parent}-{child}", kind, parent, child, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("links", "joints", "message"),
    [
        ("", [], "links: expected at least one"),
        ("aa", [], "links: expected different names, got 'a' twice"),
        ("ab", [("a", "b"), ("a", "b")], "joints: expected different names"),
        ("ab", [("a", "x")], "joint 'a-x': child 'x' is not a link of this robot"),
        ("ab", [("x", "b")], "joint 'x-b': parent 'x' is not a link of this robot"),
        ("ab", [("a", "b"), ("b", "a")], "expected a tree, got a cycle through"),
        ("abcd", [("a", "b"), ("c", "d"), ("d", "c")], "expected a tree, got a cycle through"),
        ("ab", [], "expected one link without a parent, got a, b"),
        ("abc", [("a", "c"), ("b", "c")], "link 'c': expected one parent"),
    ],
)
def test_links_and_joints_that_form_no_tree_are_refused(
    links: str, joints: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        tc.Robot([tc.Link(name) for name in links], [joint(*ends) for ends in joints])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "ball"}, "expected one of revolute, continuous"),
        ({"lower": np.nan}, "expected a limit, got nan"),
        ({"lower": 1.0, "upper": 0.0}, "expected lower <= upper"),
        ({"axis": (0, 0, 0)}, "expected an axis of nonzero length"),
        ({"axis": (0, np.nan, 0)}, "axis: expected finite"),
        ({"origin": np.eye(3)}, r"origin: expected shape \(4, 4\)"),
        ({"kind": "planar", "mimic": tc.Mimic("x")}, "a planar joint cannot mimic"),
        ({"mimic": tc.Mimic("x", np.inf)}, "expected finite numbers"),
    ],
)
def test_invalid_joints_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        joint("a", "b", **change)


def test_a_sheared_origin_is_refused() -> None:
    with pytest.raises(ValueError, match="joint 'a-b', origin: expected a rigid pose"):
        tc.Robot([tc.Link("a"), tc.Link("b")], [joint("a", "b", origin=np.diag([1.0, 2, 1, 1]))])


@pytest.mark.parametrize(
    ("mimics", "message"),
    [
        (["x", None], "the mimicked joint 'x' is not a joint"),
        (["b-c", "a-b"], "the joints that it mimics form a cycle"),
        (["a-b", None], "the joints that it mimics form a cycle"),
    ],
)
def test_bad_mimics_are_refused(mimics: list[str | None], message: str) -> None:
    targets = [None if name is None else tc.Mimic(name) for name in mimics]
    joints = [joint("a", "b", mimic=targets[0]), joint("b", "c", mimic=targets[1])]
    with pytest.raises(ValueError, match=message):
        tc.Robot([tc.Link(name) for name in "abc"], joints)


def test_a_mimic_of_a_mimic_follows_the_first() -> None:
    joints = [
        joint("a", "b"),
        joint("b", "c", mimic=tc.Mimic("a-b", 2.0, 0.1)),
        joint("c", "d", mimic=tc.Mimic("b-c", -1.0, 0.3)),
    ]
    robot = tc.Robot([tc.Link(name) for name in "abcd"], joints)
    assert robot.dof == 1 and robot.joint_names == ("a-b",)
    angle = 0.2 + (0.4 + 0.1) + (0.3 - 0.5)
    turned = robot.forward_kinematics([0.2])["d"]
    np.testing.assert_allclose(turned, tc.pose(rotvec=(0, 0, angle)), atol=1e-15)


def test_joints_without_numbers_have_no_limits() -> None:
    robot = tc.Robot([tc.Link("a"), tc.Link("b")], [joint("a", "b", lower=-1, upper=2)])
    assert robot.within_limits(np.array([1.0]))
    with pytest.raises(ValueError, match="q: expected finite numbers"):
        robot.within_limits(np.array([np.nan]))


def test_configurations_have_names_and_limits() -> None:
    joints = [
        joint("a", "b", lower=-1, upper=2),
        joint("b", "c", "planar"),
        joint("c", "d", "floating"),
        joint("d", "e", "fixed"),
        joint("e", "f", "prismatic", lower=0),
    ]
    robot = tc.Robot([tc.Link(name) for name in "abcdef"], joints)
    assert robot.dof == 12
    assert robot.coordinate_names[1:4] == ("b-c/x", "b-c/y", "b-c/angle")
    assert robot.zero_configuration().sum() == 1.0
    assert robot.within_limits(robot.zero_configuration())
    assert not robot.within_limits(robot.zero_configuration() - 0.5)
    rows = robot.random_configurations(50, 1)
    assert all(robot.within_limits(row) for row in rows)
    np.testing.assert_allclose(np.linalg.norm(rows[:, 7:11], axis=1), 1)


def test_every_number_of_a_joint_may_have_limits() -> None:
    plane = tc.Joint("p", "planar", "a", "b", lower=(-1, -2, -3), upper=(1, 2, np.inf))
    floating = tc.Joint("f", "floating", "b", "c", lower=(-1, 0, -np.inf, *(-np.inf,) * 4))
    robot = tc.Robot([tc.Link(name) for name in "abc"], [plane, floating])
    np.testing.assert_array_equal(robot.lower, [-1, -2, -3, -1, 0, *(-np.inf,) * 5])
    np.testing.assert_array_equal(robot.upper, [1, 2, *(np.inf,) * 8])
    rows = robot.random_configurations(50, 2)
    assert all(robot.within_limits(row) for row in rows) and np.ptp(rows[:, 1]) > 2
    rows[0, 1] = -2.5
    assert not robot.within_limits(rows[0])


@pytest.mark.parametrize(
    ("kind", "limit", "message"),
    [
        ("planar", -1.0, "joint 'j', lower: expected 3 limits or none of a planar joint, got -1"),
        ("planar", (-1.0, -1.0), "expected 3 limits or none of a planar joint"),
        ("planar", (-1.0, -1.0, np.nan), "expected a limit, got"),
        ("planar", (-1.0, 9.0, -1.0), "expected lower <= upper"),
        ("floating", -1.0, "expected 7 limits or none of a floating joint"),
        ("continuous", -1.0, "expected no limit of a continuous joint, got -1"),
        ("revolute", (-1.0, -1.0), "expected 1 limit or none of a revolute joint"),
    ],
)
def test_limits_without_effect_are_refused(kind: Any, limit: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.Joint("j", kind, "a", "b", lower=limit, upper=(5.0,) * 3 if kind == "planar" else np.inf)


def test_limits_are_numbers() -> None:
    with pytest.raises(TypeError, match=r"^joint 'j', lower: expected numbers, got 'low'"):
        tc.Joint("j", "revolute", "a", "b", lower="low")


def test_a_quaternion_of_zeros_is_refused() -> None:
    robot = tc.Robot([tc.Link("a"), tc.Link("b", cube())], [joint("a", "b", "floating")])
    with pytest.raises(ValueError, match="q1: expected a quaternion"):
        robot.first_contact(robot.zero_configuration(), np.zeros(7))


def test_fixed_joints_are_merged() -> None:
    shift = tc.pose((3.0, 0.0, 0.0), rotvec=(0.0, 0.0, 0.5))
    links = [tc.Link("a", cube()), tc.Link("b", cube()), tc.Link("c", cube())]
    joints = [joint("a", "b", origin=tc.pose((2.0, 0, 0))), joint("b", "c", "fixed", origin=shift)]
    robot = tc.Robot(links, joints)
    assert not robot.tests("b", "c") and not robot.tests("a", "b") and robot.tests("a", "c")
    np.testing.assert_allclose(robot.forward_kinematics([0.0])["c"], tc.pose((2, 0, 0)) @ shift)
    scene = tc.Scene()
    scene.add("post", cube(0.2), tc.pose((2.0, 3.0, 0.0)))
    assert robot.first_contact([0.0], [pi / 2], scene).link_a == "c"


def test_neighbours_across_a_bare_link_are_adjacent() -> None:
    links = [tc.Link("a", cube()), tc.Link("b"), tc.Link("c", cube()), tc.Link("d", cube())]
    robot = tc.Robot(links, [joint("a", "b"), joint("b", "c"), joint("c", "d")])
    assert robot.ignored_pairs == {
        ("a", "c"): "adjacent: joined by b-c, a-b",
        ("c", "d"): "adjacent: joined by c-d",
    }
    assert robot.tests("a", "d")
    found = robot.infer_ignored_pairs(20)
    assert found["a", "d"] == "in contact at all of 20 sampled configurations"
    assert not robot.tests("d", "a")


def test_pairs_that_can_move_apart_stay_tested() -> None:
    robot = planar_arm((1.0, 1.0, 1.0))
    assert len(robot.infer_ignored_pairs()) == 2
    assert robot.tests("link1", "link3")
    robot.ignore("link3", "link1", "tried by hand")
    assert not robot.tests("link1", "link3")
    assert robot.ignored_pairs["link3", "link1"] == "tried by hand"
    for names in (("link1", "base"), ("link1", "link1")):
        with pytest.raises(ValueError, match="expected"):
            robot.ignore(*names)


def sliding(upper: float = 1.0) -> tc.Robot:
    """Return a base, and a cart a link away that leaves it for good beyond x = 0.9."""
    links = [tc.Link("base", cube()), tc.Link("mast", cube(0.1)), tc.Link("cart", cube(0.8))]
    joints = [
        joint("base", "mast", "prismatic", axis=(1, 0, 0), lower=0.0, upper=upper),
        joint("mast", "cart"),
    ]
    return tc.Robot(links, joints)


def test_pairs_in_contact_at_a_share_of_poses_are_inferred() -> None:
    assert sliding().tests("base", "cart")
    for share, ignored in ((1.0, False), (0.97, False), (0.95, True), (1e-9, True)):
        robot = sliding()
        reason = robot.infer_ignored_pairs(200, share=share).get(("base", "cart"))
        assert (reason is not None) == ignored == (not robot.tests("base", "cart"))
        if reason is not None:
            count, total = (int(word) for word in reason.split() if word.isdigit())
            assert total == 200 and 150 < count < 200
            assert reason == f"in contact at {count} of 200 sampled configurations"
    for share in (0.0, -1.0, 1.1, np.nan):
        with pytest.raises(ValueError, match="share: expected"):
            sliding().infer_ignored_pairs(share=share)


def test_pairs_in_contact_at_given_poses_are_inferred() -> None:
    robot = sliding()
    assert ("base", "cart") not in robot.infer_ignored_pairs(at=[0.95, 0.0])
    both = np.array([[0.95, 0.0], [0.1, 0.0]])
    assert ("base", "cart") not in robot.infer_ignored_pairs(at=both)
    found = robot.infer_ignored_pairs(at=[0.1, 0.0])
    assert found["base", "cart"] == "in contact at all of 1 given configurations"
    robot = sliding()
    found = robot.infer_ignored_pairs(at=both, share=0.5)
    assert found["base", "cart"] == "in contact at 1 of 2 given configurations"
    with pytest.raises(ValueError, match=r"at: expected shape \(n, 2\)"):
        robot.infer_ignored_pairs(at=[0.1])
    with pytest.raises(ValueError, match="at: expected at least one"):
        robot.infer_ignored_pairs(at=np.zeros((0, 2)))
    with pytest.raises(ValueError, match="samples: expected at least one"):
        robot.infer_ignored_pairs(0)


@pytest.mark.parametrize("limit", [1e15, 1e16, 1e300, np.inf])
def test_limits_that_no_configuration_reaches_are_none(limit: float) -> None:
    robot = sliding(limit)
    rows = robot.random_configurations(100)
    assert (np.abs(rows) <= np.pi).all() and rows[:, 0].min() >= 0
    assert robot.infer_ignored_pairs(20) == sliding().infer_ignored_pairs(20)


def test_curved_surfaces_are_refused_as_links() -> None:
    with pytest.raises(TypeError, match="expected a mesh of triangles"):
        tc.Link("ball", tc.surfaces.sphere(1.0))


def test_puma_is_free_of_contact_when_it_rests() -> None:
    robot = puma()
    assert robot.dof == 6 and len(robot.link_names) == 7
    assert robot.motion_is_free(np.zeros(6), np.zeros(6))
