"""SRDF files: which pairs are tested, after the rules of MoveIt, and groups of joints."""

from __future__ import annotations

import copy
import pickle
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.robot_files import robot_file, srdf_file
from oracles.size import cases

import toccata as tc
from toccata.dynamics import ArticulatedBody
from toccata.dynamics import World as Simulation
from toccata.scenes import models

LINKS = ("base", "a", "b", "c", "tool", "left", "right")
PARENTS = {"a": "base", "b": "a", "c": "b", "tool": "c", "left": "tool", "right": "tool"}
KINDS = {"tool": "fixed", "left": "prismatic", "right": "prismatic"}
WALL = tc.Mesh(*models.box((0.1, 20.0, 20.0)), solid=True)


def write_urdf(folder: Path) -> Path:
    """Write an arm of three joints, a tool that is fixed to it, and two fingers."""
    links = "".join(
        f'<link name="{name}"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
        "</link>"
        for name in LINKS
    )
    joints = "".join(
        f'<joint name="j_{child}" type="{KINDS.get(child, "revolute")}"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="1 {int(child == "left")} 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-3" upper="3" effort="1" velocity="1"/>'
        + ('<mimic joint="j_left"/>' if child == "right" else "")
        + "</joint>"
        for child, parent in PARENTS.items()
    )
    path = folder / "arm.urdf"
    path.write_text(f'<robot name="arm">{links}{joints}</robot>')
    return path


def read(folder: Path, *inside: str) -> tc.Robot:
    srdf = folder / "arm.srdf"
    srdf.write_text(f'<robot name="arm">{"".join(inside)}</robot>')
    return tc.Robot.from_urdf(write_urdf(folder), srdf=srdf)


def off(link: str) -> str:
    return f'<disable_default_collisions link="{link}"/>'


def pair(kind: str, a: str, b: str) -> str:
    return f'<{kind}_collisions link1="{a}" link2="{b}" reason="Never"/>'


def test_a_urdf_is_no_srdf(tmp_path: Path) -> None:
    path = write_urdf(tmp_path)
    with pytest.raises(ValueError, match=r"arm\.urdf: expected an SRDF, got a URDF with <link>"):
        tc.Robot.from_urdf(path, srdf=path)


def matrix(defaults: set[str], entries: list[tuple[str, str, str]]) -> dict[frozenset[str], bool]:
    """Return what MoveIt allows: entries first, those that disable last; then the defaults."""
    allowed: dict[frozenset[str], bool] = {}
    for kind in ("enable", "disable"):
        for own, a, b in entries:
            if own == kind:
                allowed[frozenset((a, b))] = kind == "disable"
    pairs = map(frozenset, combinations(LINKS, 2))
    return {pair: allowed.get(pair, bool(pair & defaults)) for pair in pairs}


def test_pairs_have_the_meaning_of_moveit(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    adjacent = {frozenset(item) for item in PARENTS.items()}
    together = {frozenset(("c", "tool"))}
    seen = set()
    for _ in range(cases(60)):
        defaults = {str(name) for name in rng.choice(LINKS, rng.integers(0, 3), replace=False)}
        entries: list[tuple[str, str, str]] = []
        for _ in range(rng.integers(0, 8)):
            a, b = (str(name) for name in rng.choice(LINKS, 2, replace=False))
            if frozenset((a, b)) not in together:
                entries.append((str(rng.choice(["enable", "disable"])), a, b))
        text = [*map(off, defaults), *(pair(*entry) for entry in entries)]
        rng.shuffle(text)  # the order in the file is of no importance
        robot = read(tmp_path, *text)
        enabled = {frozenset(entry[1:]) for entry in entries if entry[0] == "enable"}
        for names, allowed in matrix(defaults, entries).items():
            # Links that a joint connects are tested only on request, unlike in MoveIt.
            tested = not allowed and (names not in adjacent or names in enabled)
            assert robot.tests(*names) == (tested and names not in together), (text, names)
            seen.add((allowed, names in adjacent, names in enabled))
        for link in LINKS:
            assert robot.tests(link, "some body") == (link not in defaults)
    assert len(seen) == 8


def answers(robot: tc.Robot, world: Any) -> dict[str, bool]:
    """Return by kind of query whether the robot touches the world where all joints are zero."""
    q = np.zeros(robot.dof)
    names = set(world.names)
    return {
        "first": bool(robot.first_contact(q, q, world)),
        "free": not robot.motion_is_free(q, q, world),
        "batch": bool(robot.first_contact_batch(q[None], q[None], world).status[0]),
        "path": bool(robot.first_contact_path([q, q], world)),
        "adaptive": bool(robot.first_contact(q, q, world, method="adaptive")),
        "clearance": robot.clearance(q, q, world).upper < 0.1,
        "distances": any(names & set(pair) for pair in robot.distances(q[None], world).pairs),
        "near": len(robot.proximities(q, world, distance=0.1)) > 0,
        "intervals": len(robot.contact_intervals(q, q, world)) > 0,
        "padded": bool(robot.padded({"c": 0.01}).first_contact(q, q, world)),
        "separation": bool(robot.first_contact(q, q, world, separation={"default": 0.01})),
    }


def test_a_link_without_default_collisions_touches_no_body(tmp_path: Path) -> None:
    rest = [off(link) for link in LINKS if link not in ("c", "tool")]
    world = tc.Scene()
    world.add("wall", WALL, tc.pose((3.0, 0.0, 0.0)))  # link c is inside of it, and tool near it
    world.add("*", WALL, tc.pose((30.0, 0.0, 0.0)))
    tested = read(tmp_path, *rest)
    robot = read(tmp_path, *rest, off("c"), off("tool"))
    assert all(answers(tested, world).values())
    assert not any(answers(robot, world).values())
    assert robot.ignored_pairs["c", "*"] == "SRDF: disable_default_collisions of c"
    assert "7 links tested against no body" in repr(robot)
    for same in (
        pickle.loads(pickle.dumps(robot)),
        copy.deepcopy(robot),
        robot.placed(np.eye(4)),
        robot.padded({"a": 0.1}),
        robot.attached("c", "held", tc.Mesh([(9, 9, 9), (9, 9, 9.1), (9, 9.1, 9)], [(0, 1, 2)])),
    ):
        assert not same.tests("c", "wall") and not same.first_contact(
            np.zeros(same.dof), np.zeros(same.dof), world
        )
    both = tc.combine({"one": robot, "two": tested.placed(tc.pose((0, 50.0, 0)))})
    assert not both.tests("one/c", "wall") and both.tests("two/c", "wall")
    assert both.tests("one/c", "two/c")
    robot.unignore("c", "wall")
    assert robot.tests("c", "wall") and not robot.tests("c", "*")
    assert all(answers(robot, world).values())
    assert pickle.loads(pickle.dumps(robot)).tests("c", "wall")
    with pytest.raises(ValueError, match=r"the pair \('c', 'wall'\) is not ignored"):
        robot.unignore("c", "wall")
    robot.ignore("c", "wall")
    assert not any(answers(robot, world).values())
    robot.ignore("c", "*")  # a name like any other
    robot.unignore("c", "wall")
    assert all(answers(robot, world).values())


def test_pairs_that_are_not_tested_have_no_separation(tmp_path: Path) -> None:
    robot = read(tmp_path, off("c"))
    world = tc.Scene()
    world.add("wall", WALL)
    with pytest.raises(ValueError, match="separation: expected a pair that is tested, got"):
        robot.first_contact(np.zeros(4), np.zeros(4), world, separation={("c", "wall"): 0.1})


def test_links_without_bodies_are_not_simulated(tmp_path: Path) -> None:
    body = ArticulatedBody(read(tmp_path, off("c")))
    with pytest.raises(ValueError, match=r"body: expected links that are tested .*, got c"):
        Simulation().add_articulated("arm", body)


def test_links_that_are_fixed_to_each_other_stay_untested(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"arm\.srdf: enable_.* has no effect .*: c and tool"):
        robot = read(tmp_path, pair("enable", "c", "tool"))
    assert not robot.tests("c", "tool")


@pytest.mark.parametrize("kind", ["enable", "disable"])
def test_a_pair_of_a_link_with_itself_is_skipped(tmp_path: Path, kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = read(tmp_path, pair(kind, "a", "a"))
    assert robot.ignored_pairs == tc.Robot.from_urdf(write_urdf(tmp_path)).ignored_pairs


@pytest.mark.parametrize("kind", ["enable", "disable"])
def test_unknown_links_are_reported(tmp_path: Path, kind: str) -> None:
    with pytest.warns(
        UserWarning, match=r"arm\.srdf: pairs of unknown links are skipped: leg, toe$"
    ):
        robot = read(tmp_path, pair(kind, "leg", "a"), off("toe"))
    assert robot.tests("a", "c")
    for broken in (f'<{kind}_collisions link1="a"/>', "<disable_default_collisions/>"):
        with pytest.raises(ValueError, match=r"arm\.srdf: <.*_collisions>: expected link2?, got n"):
            read(tmp_path, broken)


GROUPS = (
    '<virtual_joint name="world_joint" type="fixed" parent_frame="world" child_link="base"/>'
    '<group name="all"><group name="arm"/><group name=" hand "/></group>'
    '<group name="arm"><chain base_link="base" tip_link="tool"/><joint name="world_joint"/></group>'
    '<group name="hand"><joint name="j_left"/><link name="right"/></group>'
    '<group name="fingers"><chain base_link="left" tip_link="right"/></group>'
    '<group name="stand"><link name="base"/></group>'
)
STATES = (
    '<group_state name="home" group="arm"><joint name="j_a" value="0.5"/>'
    '<joint name="j_c" value=" -1e-1 "/><joint name="world_joint" value="0 0 0"/>'
    '<joint name="root_joint" value="0"/></group_state>'
    '<group_state name="open" group="hand"><joint name="j_left" value="1"/>'
    '<joint name="j_right" value="1"/></group_state>'
)


def test_groups_and_states_are_read(tmp_path: Path) -> None:
    robot = read(tmp_path, GROUPS, STATES)
    groups = robot.groups
    assert list(groups) == ["all", "arm", "hand", "fingers", "stand"]
    assert groups["arm"] == tc.JointGroup(
        "arm", ("j_a", "j_b", "j_c", "j_tool"), ("a", "b", "c", "tool"), (("base", "tool"),)
    )
    assert groups["hand"].joints == ("j_left", "j_right")
    assert groups["hand"].links == ("left", "right")
    assert groups["all"].joints == (*groups["arm"].joints, "j_left", "j_right")
    assert groups["all"].subgroups == ("arm", "hand")
    assert groups["fingers"].joints == ("j_left", "j_right"), "a chain may go up and down again"
    assert groups["stand"].links == ("base",) and groups["stand"].joints == ()
    states = robot.group_states
    assert states["arm"] == {"home": {"j_a": 0.5, "j_c": -0.1}}
    assert states["hand"] == {"open": {"j_left": 1.0}}, "a joint that mimics has no number"
    assert states["all"] == {}
    assert states["arm"]["home"].keys() <= set(robot.coordinate_names)
    plain = tc.Robot.from_urdf(write_urdf(tmp_path))
    assert plain.groups == {} and plain.group_states == {}


def test_groups_stay_with_a_robot(tmp_path: Path) -> None:
    robot = read(tmp_path, GROUPS, STATES)
    held = robot.attached("c", "held", WALL)
    for same in (pickle.loads(pickle.dumps(robot)), robot.placed(tc.pose((1, 0, 0))), held):
        assert (same.groups, same.group_states) == (robot.groups, robot.group_states)
    both = tc.combine({"left": robot, "right": robot})
    assert both.groups["right/arm"].joints == (
        "right/j_a",
        "right/j_b",
        "right/j_c",
        "right/j_tool",
    )
    assert both.groups["left/all"].subgroups == ("left/arm", "left/hand")
    assert both.groups["left/arm"].chains == (("left/base", "left/tool"),)
    assert both.group_states["left/arm"]["home"] == {"left/j_a": 0.5, "left/j_c": -0.1}


@pytest.mark.parametrize("name", ["panda", "talos"])
def test_states_of_real_robots_are_those_that_pinocchio_reads(name: str) -> None:
    pin = pytest.importorskip("pinocchio")
    path, folder = robot_file(name)
    srdf = srdf_file(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = tc.Robot.from_urdf(
            path, package_dirs=[folder], srdf=srdf, primitive_error=1e-2, missing="warn"
        )
    model = pin.buildModelFromUrdf(str(path))
    pin.loadReferenceConfigurations(model, str(srdf), False)
    states = {state: own for group in robot.group_states.values() for state, own in group.items()}
    assert states.keys() == {entry.key() for entry in model.referenceConfigurations}
    for state, numbers in states.items():
        q = model.referenceConfigurations[state]
        assert len(numbers) > 5
        for joint, number in numbers.items():
            assert q[model.joints[model.getJointId(joint)].idx_q] == number


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<group name="x"><joint name="knee"/><joint name="j_a"/></group>', "are skipped: knee"),
        (
            '<group name="x"><joint name="j_a"/><chain base_link="base" tip_link="toe"/></group>',
            "toe",
        ),
        (
            '<group name="y"><group name="none"/></group>',
            "group 'y': .*the subgroup 'none' is not a group",
        ),
        ('<group name="y"><group name="y"/></group>', "the subgroups y, y form a cycle"),
        (
            '<group name="x"><joint name="j_a"/></group><group name="x"/>',
            "two groups have the name 'x'",
        ),
        ("<group/>", "group: <group>: expected name, got none"),
        ('<group_state name="s" group="x"><joint name="j_a" value="far"/></group_state>', "1 numb"),
        ('<group_state name="s" group="x"><joint name="j_a" value="1 2"/></group_state>', "1 numb"),
        ('<group_state name="s"><joint name="j_a" value="1"/></group_state>', "expected group, g"),
    ],
)
def test_invalid_groups_are_skipped(tmp_path: Path, inside: str, message: str) -> None:
    with pytest.warns(UserWarning, match=rf"arm\.srdf: .*{message}"):
        robot = read(tmp_path, inside, pair("disable", "a", "c"))
    assert not robot.tests("a", "c")
    assert {name: group.joints for name, group in robot.groups.items()} in ({}, {"x": ("j_a",)})
    assert not any(robot.group_states.get("x", {}).values())


def test_many_groups_inside_each_other_are_read(tmp_path: Path) -> None:
    inside = [f'<group name="{i}"><group name="{i + 1}"/></group>' for i in range(3000)]
    robot = read(tmp_path, *inside, '<group name="3000"><joint name="j_a"/></group>')
    assert robot.groups["0"].joints == ("j_a",)
