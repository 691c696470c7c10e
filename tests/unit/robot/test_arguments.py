"""Wrong arguments of robots are refused by name: types by TypeError, values by ValueError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.robots import planar_arm

ARM: Any = planar_arm()
Q = np.zeros(2)
TRIANGLE = tc.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
LINK: Any = tc.Link
JOINT: Any = tc.Joint
ROBOT: Any = tc.Robot
STRETCHED = np.diag([2.0, 2.0, 2.0, 1.0])

TYPES: dict[str, tuple[Callable[[], Any], str]] = {
    "links": (lambda: ROBOT(3, []), "links: expected a list, got int"),
    "a name as links": (lambda: ROBOT("base", []), "links: expected a list, got str"),
    "names of links": (lambda: ROBOT(["base"], []), "links: expected toccata.Link objects"),
    "joints": (lambda: ROBOT([tc.Link("a")], None), "joints: expected a list, got NoneType"),
    "names of joints": (
        lambda: ROBOT([tc.Link("a")], ["j"]),
        "joints: expected toccata.Joint objects",
    ),
    "link name": (lambda: LINK(3), "link: expected a string, got 3"),
    "joint name": (lambda: JOINT(3, "fixed", "a", "b"), "joint: expected a string, got 3"),
    "parent": (lambda: JOINT("j", "fixed", 3, "b"), "joint 'j', parent: expected a string, got 3"),
    "child": (lambda: JOINT("j", "fixed", "a", 3), "joint 'j', child: expected a string, got 3"),
    "mimic": (
        lambda: JOINT("j", "revolute", "a", "b", mimic="k"),
        "joint 'j', mimic: expected a toccata.Mimic, got str",
    ),
    "path": (lambda: ROBOT.from_urdf(3), "path: expected the path of a file, got int"),
    "holding link": (lambda: ARM.attached(3, "a", TRIANGLE), "link: expected a string, got 3"),
    "self_contact": (
        lambda: ARM.first_contact(Q, Q, self_contact="no"),
        "self_contact: expected True or False, got 'no'",
    ),
    "self_contact of clearance": (
        lambda: ARM.clearance(Q, Q, self_contact=None),
        "self_contact: expected True or False, got None",
    ),
    "unknown option": (
        lambda: ARM.motion_is_free(Q, Q, stages=("exact",)),
        "unexpected option 'stages': expected some of budget, method",
    ),
    "method of intervals": (
        lambda: ARM.contact_intervals(Q, Q, method="hca"),
        "unexpected option 'method': expected some of budget, self_contact",
    ),
    "tested link": (lambda: ARM.tests(3, "a"), "link: expected a string, got 3"),
    "ignored link": (lambda: ARM.ignore("link1", 3), "other: expected a string, got 3"),
    "reason": (lambda: ARM.ignore("link1", "floor", 3), "reason: expected a string, got 3"),
    "moving link": (lambda: ARM.link_motion(["link1"], Q, Q), "link: expected a string, got ."),
    "count": (lambda: ARM.random_configurations(1.5), "count: expected an integer, got 1.5"),
    "seed": (lambda: ARM.random_configurations(1, "x"), "seed: expected an integer, got 'x'"),
    "robot of a sequence": (lambda: tc.RobotSequence(Q), "robot: expected a toccata.Robot"),  # type: ignore[arg-type]
}
VALUES: dict[str, tuple[Callable[[], Any], str]] = {
    "kind": (lambda: JOINT("j", "hinge", "a", "b"), "joint 'j': expected one of revolute, .* 'hi"),
    "origin": (
        lambda: JOINT("j", "fixed", "a", "b", STRETCHED),
        "joint 'j', origin: expected a rigid pose, got",
    ),
    "pose of a held body": (
        lambda: ARM.attached("link1", "a", TRIANGLE, STRETCHED),
        "pose: expected a rigid pose, got",
    ),
    "base": (lambda: ARM.placed(STRETCHED), "pose: expected a rigid pose, got"),
    "holding link": (
        lambda: ARM.attached("wrist", "a", TRIANGLE),
        "link: expected a link of the robot, got 'wrist'",
    ),
    "name of a held body": (
        lambda: ARM.attached("link1", "link2", TRIANGLE),
        "name: 'link2' is already a link of the robot",
    ),
    "count": (lambda: ARM.random_configurations(-1), "count: expected at least 0, got -1"),
    "configurations": (
        lambda: ARM.interpolate(Q, np.zeros(3), 0.5),
        r"q1: expected shape \(2,\) or \(n, 2\), got \(3,\)",
    ),
    "frames": (lambda: ARM.forward_kinematics(np.zeros((4, 3))), r"q: expected shape \(n, 2\)"),
    "share": (lambda: ARM.infer_ignored_pairs(share=2), "share: expected at most 1, got 2"),
}


@pytest.mark.parametrize("name", TYPES)
def test_wrong_types_raise_type_errors_that_name_the_argument(name: str) -> None:
    call, message = TYPES[name]
    with pytest.raises(TypeError, match=f"^{message}"):
        call()


@pytest.mark.parametrize("name", VALUES)
def test_wrong_values_raise_value_errors_that_name_the_argument(name: str) -> None:
    call, message = VALUES[name]
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_many_configurations_have_the_poses_of_each() -> None:
    rows = ARM.random_configurations(5, 1)
    together = ARM.forward_kinematics(rows)
    for row, q in enumerate(rows):
        for link, pose in ARM.forward_kinematics(q).items():
            assert pose.shape == (4, 4)
            np.testing.assert_allclose(together[link][row], pose, rtol=0, atol=1e-15)


def test_links_and_joints_are_written_on_one_line() -> None:
    link, joint = tc.Link("hand", TRIANGLE), tc.Joint("wrist", "planar", "arm", "hand")
    assert str(link) == "link hand: 1 triangle"
    assert repr(link) == f"Link('hand', {TRIANGLE!r})"
    assert str(joint) == "planar joint wrist from arm to hand"
    assert repr(joint).startswith("Joint('wrist', 'planar', 'arm', 'hand', origin=[[1.0, 0.0, ")
    assert "\n" not in repr(joint)


def test_misspelled_options_are_suggested_if_the_query_has_them() -> None:
    with pytest.raises(TypeError, match=r"^unexpected option 'time': did you mean 'times'\?"):
        ARM.first_contact_path([Q, Q], time=[0, 1])
    with pytest.raises(TypeError, match=r"^unexpected option 'time': expected some of "):
        ARM.first_contact(Q, Q, time=[0, 1])
    with pytest.raises(TypeError, match=r"^unexpected option 'limits': did you mean 'limit'\?"):
        ARM.clearance_path([Q, Q], limits=1.0)
