"""Robots from files."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.robot_files import robot_file

import toccata as tc

trimesh = pytest.importorskip("trimesh")

ARM = """<robot name="arm">
  <link name="world"/>
  <link name="base"><collision><geometry><box size="0.2 0.4 0.1"/></geometry></collision></link>
  <link name="arm">
    <visual><geometry><sphere radius="1"/></geometry></visual>
    <collision><origin xyz="0.5 0 0" rpy="0 1.5707963267948966 0"/>
      <geometry><cylinder radius="0.05" length="0.6"/></geometry></collision>
    <collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="hand"><collision>
    <geometry><mesh filename="{mesh}" scale="0.1 0.1 0.2"/></geometry></collision></link>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base"/></joint>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 0 2"/>
    <limit lower="{lower}" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="wrist" type="{kind}"><parent link="{parent}"/><child link="hand"/>
    <origin xyz="1.3 0 0"/><axis xyz="1 0 0"/><mimic joint="shoulder" multiplier="2" offset="0.1"/>
  </joint>
</robot>"""

SRDF = (
    """<robot name="arm"><disable_collisions link1="base" link2="{link}" reason="Never"/></robot>"""
)


def write(folder: Path, text: str = ARM, **change: str) -> Path:
    words = {"mesh": "meshes/cube.stl", "lower": "-1", "kind": "continuous", "parent": "arm"}
    (folder / "meshes").mkdir(exist_ok=True)
    trimesh.creation.box((1.0, 1.0, 1.0)).export(folder / "meshes" / "cube.stl")
    path = folder / "arm.urdf"
    path.write_text(text.format(**{**words, **change}))
    return path


def test_a_urdf_becomes_a_robot(tmp_path: Path) -> None:
    robot = tc.Robot.from_urdf(write(tmp_path))
    assert robot.joint_names == ("shoulder",) and (robot.lower, robot.upper) == (-1, 2)
    assert robot.link_names == ("base", "arm", "hand")
    assert np.ptp(robot.links["hand"].mesh.vertices, axis=0) == pytest.approx([0.1, 0.1, 0.2])
    hand = robot.forward_kinematics([0.5])["hand"]
    np.testing.assert_allclose(hand[:3, 3], [1.3 * np.cos(0.5), 1.3 * np.sin(0.5), 0.3])
    np.testing.assert_allclose(
        hand[:3, :3], (tc.pose(rotvec=(0, 0, 0.5)) @ tc.pose(rotvec=(1.1, 0, 0)))[:3, :3]
    )
    arm = robot.links["arm"].mesh
    assert arm.solid and robot.links["hand"].mesh.solid and robot.open_links == ()
    assert tc.Robot.from_urdf(write(tmp_path), solid=False).open_links == ("hand",)
    np.testing.assert_allclose(arm.vertices.min(axis=0), [0.2, -0.1, -0.1], atol=1e-4)
    np.testing.assert_allclose(arm.vertices.max(axis=0), [1.1, 0.1, 0.1], atol=2e-4)
    visual = tc.Robot.from_urdf(write(tmp_path), geometry="visual")
    assert visual.link_names == ("arm",)


def test_packages_are_searched(tmp_path: Path) -> None:
    path = write(tmp_path, mesh="package://some_robot/meshes/cube.stl")
    with pytest.raises(
        FileNotFoundError, match="link 'hand': expected the mesh package://some_robot"
    ):
        tc.Robot.from_urdf(path)
    (tmp_path / "some_robot").symlink_to(tmp_path)
    assert tc.Robot.from_urdf(path, package_dirs=[tmp_path]).dof == 1
    assert tc.Robot.from_urdf(path, package_dirs=[tmp_path / "some_robot"]).dof == 1
    nameless = write(tmp_path, mesh="package:///some_robot/meshes/cube.stl")
    assert tc.Robot.from_urdf(nameless, package_dirs=[tmp_path]).dof == 1
    inside = write(tmp_path, mesh=f"package://{tmp_path.name}/meshes/cube.stl")
    assert tc.Robot.from_urdf(inside).dof == 1


def test_an_srdf_switches_pairs_off(tmp_path: Path) -> None:
    srdf = tmp_path / "arm.srdf"
    srdf.write_text(SRDF.format(link="hand"))
    robot = tc.Robot.from_urdf(write(tmp_path), srdf=srdf)
    assert robot.ignored_pairs["base", "hand"] == "SRDF: Never"
    assert not robot.tests("hand", "base")
    assert tc.Robot.from_urdf(write(tmp_path)).tests("hand", "base")
    srdf.write_text(SRDF.format(link="foot"))
    with pytest.warns(UserWarning, match="pairs of unknown links are skipped: foot"):
        robot = tc.Robot.from_urdf(write(tmp_path), srdf=srdf)
    assert robot.tests("hand", "base"), "what is not understood is tested"
    with pytest.raises(FileNotFoundError, match=r"none\.srdf"):
        tc.Robot.from_urdf(write(tmp_path), srdf=tmp_path / "none.srdf")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mesh": "gone.stl"}, "link 'hand': expected the mesh gone.stl"),
        ({"parent": "hand"}, "expected a tree, got a cycle through hand"),
        ({"parent": "leg"}, "joint 'wrist': parent 'leg' is not a link of this robot"),
        ({"lower": "nan"}, "joint 'shoulder': <limit> lower: expected 1 number, got 'nan'"),
        ({"lower": "5"}, "joint 'shoulder': expected lower <= upper"),
        ({"lower": "low"}, "joint 'shoulder': <limit> lower: expected 1 number, got 'low'"),
        ({"kind": "ball"}, "joint 'wrist': expected a joint type of URDF .*, got 'ball'"),
    ],
)
def test_broken_robots_are_refused(tmp_path: Path, change: dict[str, str], message: str) -> None:
    with pytest.raises((ValueError, FileNotFoundError), match=rf"arm\.urdf: .*{message}"):
        tc.Robot.from_urdf(write(tmp_path, **change))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</robot>", "", "expected a URDF, got broken XML"),
        ('joint="shoulder"', 'joint="knee"', "the mimicked joint 'knee' is not a joint"),
        ('<parent link="world"/>', "", "joint 'stand': expected a parent link, got none"),
        ('<box size="0.2 0.4 0.1"/>', '<cone radius="1" length="1"/>', "cone"),
        (
            '<box size="0.2 0.4 0.1"/>',
            '<box size="0.2 0 0.1"/>',
            "link 'base': size: expected a pos",
        ),
        ('radius="0.05"', 'radius="-1"', "link 'arm': radius: expected a positive number"),
        ("<robot ", "<model ", "broken XML"),
        ('<robot name="arm">', "<robot>", "<robot>: expected name, got none"),
        ('<link name="world"/>', "<link/>", "<link>: expected name, got none"),
        ('<link name="hand">', '<link name="arm">', "expected different names, got 'arm' twice"),
        ('name="wrist"', 'name="shoulder"', "expected different names, got 'shoulder' twice"),
        ('<axis xyz="0 0 2"/>', '<axis xyz="0 0 0"/>', "joint 'shoulder': expected an axis of"),
        ('<axis xyz="0 0 2"/>', '<axis xyz="0 0 nan"/>', "joint 'shoulder': <axis> xyz: expec"),
        (
            '<origin xyz="0 0 0.3"/>',
            '<origin xyz="0 0 inf"/>',
            "joint 'shoulder': <origin> xyz: ex",
        ),
        ('multiplier="2"', 'multiplier="nan"', "joint 'wrist': <mimic> multiplier: ex"),
        (
            '<child link="base"/>',
            '<child link="arm"/>',
            "link 'arm': expected one parent joint, got",
        ),
        (
            '<joint name="stand" type="fixed"><parent link="world"/><child link="base"/></joint>',
            "",
            "expected one link without a parent, got world, base",
        ),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in ARM
    with pytest.raises(ValueError, match=rf"arm\.urdf: .*{message}"):
        tc.Robot.from_urdf(write(tmp_path, ARM.replace(old, new)))


def test_a_file_without_links_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"arm\.urdf: expected links, got none"):
        tc.Robot.from_urdf(write(tmp_path, '<robot name="arm"></robot>'))


def test_collision_checking_of_pinocchio_causes_a_warning(tmp_path: Path) -> None:
    text = ARM.replace(
        '<link name="base">',
        '<link name="base"><collision_checking><capsule name="x"/></collision_checking>',
    )
    with pytest.warns(UserWarning, match=r"arm\.urdf: <collision_checking> is ignored, .*: base"):
        tc.Robot.from_urdf(write(tmp_path, text))


def test_a_mesh_that_is_no_mesh_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "meshes" / "cube.stl").write_text("no mesh")
    with pytest.raises(ValueError, match=r"link 'hand': .*cube\.stl: expected a file that trimesh"):
        tc.Robot.from_urdf(path)


def test_missing_files_and_unknown_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no\.urdf: no such file"):
        tc.Robot.from_urdf(tmp_path / "no.urdf")
    with pytest.raises(ValueError, match="geometry: expected"):
        tc.Robot.from_urdf(write(tmp_path), geometry="both")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="package_dirs: expected a list of folders, got '/x'"):
        tc.Robot.from_urdf(write(tmp_path), package_dirs="/x")
    for error in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="primitive_error: expected a finite number"):
            tc.Robot.from_urdf(write(tmp_path), primitive_error=error)


def test_links_with_visual_geometry_only_cause_a_warning(tmp_path: Path) -> None:
    text = ARM.replace("<collision><geometry><box", "<visual><geometry><box", 1).replace(
        "</geometry></collision></link>", "</geometry></visual></link>", 1
    )
    with pytest.warns(UserWarning, match="no collision geometry are not tested: base"):
        tc.Robot.from_urdf(write(tmp_path, text))


def test_a_mesh_file_without_triangles_is_named_with_its_link(tmp_path: Path) -> None:
    (tmp_path / "text.obj").write_text("hello")
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(
        '<robot name="r"><link name="arm"><collision><geometry>'
        '<mesh filename="text.obj"/></geometry></collision></link></robot>'
    )
    with pytest.raises(ValueError, match=r"link 'arm': .*text\.obj: expected a file"):
        tc.Robot.from_urdf(urdf)


def test_meshes_in_millimeters_warn(tmp_path: Path) -> None:
    message = r"arm\.urdf: the meshes of hand are much larger than the robot; .* use scale="
    with pytest.warns(UserWarning, match=message):
        tc.Robot.from_urdf(write(tmp_path, ARM.replace('scale="0.1 0.1 0.2"', 'scale="500"')))
    # Without steps from joint to joint, the other shapes tell.
    here = tmp_path / "arm.urdf"
    here.write_text(here.read_text().replace("1.3 0 0", "0 0 0").replace("0 0 0.3", "0 0 0"))
    with pytest.warns(UserWarning, match=message):
        tc.Robot.from_urdf(here)


@pytest.mark.parametrize("scale", ["1", "0.001", "20"])
def test_meshes_of_a_robots_size_do_not_warn(tmp_path: Path, scale: str) -> None:
    text = ARM.replace(' scale="0.1 0.1 0.2"', f' scale="{scale}"')
    ground = '<collision><geometry><box size="500 500 1"/></geometry></collision></link>'
    text = text.replace('<link name="world"/>', f'<link name="world">{ground}')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tc.Robot.from_urdf(write(tmp_path, text))


def test_planar_joints_take_three_limits(tmp_path: Path) -> None:
    text = ARM.replace('type="revolute"', 'type="planar"').replace('upper="2"', 'upper="2 3 4"')
    text = text.replace('<mimic joint="shoulder" multiplier="2" offset="0.1"/>', "")
    robot = tc.Robot.from_urdf(write(tmp_path, text, lower="-1 -2 -inf"))
    np.testing.assert_array_equal(robot.lower[:3], [-1, -2, -np.inf])
    np.testing.assert_array_equal(robot.upper[:3], [2, 3, 4])


PEA = tc.Mesh([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [(0, 1, 2)])


def one_link(folder: Path, *parts: str, **how: Any) -> tc.Robot:
    """Return a slide of several shapes, and write meshes beside it: an open and a closed one."""
    (folder / "open.obj").write_text("v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n")
    trimesh.creation.box((2.0, 2.0, 2.0)).export(folder / "closed.stl")
    (folder / "r.urdf").write_text(
        '<robot name="r"><link name="base"/><link name="foot"/>'
        f'<link name="slide">{"".join(parts)}</link>'
        '<joint name="j" type="prismatic"><parent link="base"/><child link="foot"/></joint>'
        '<joint name="f" type="fixed"><parent link="foot"/><child link="slide"/>'
        '<origin xyz="0 0 0.25"/></joint></robot>'
    )
    return tc.Robot.from_urdf(folder / "r.urdf", **how)


def shape_at(x: float, text: str) -> str:
    return f'<collision><origin xyz="{x} 0 0"/><geometry>{text}</geometry></collision>'


BOX = '<box size="2 2 2"/>'
OPEN, CLOSED = (f'<mesh filename="{name}"/>' for name in ("open.obj", "closed.stl"))


@pytest.mark.parametrize(
    ("parts", "solid", "solids", "inside"),
    [
        ([(0, BOX)], False, [1] * 12, True),
        ([(0, BOX), (0, OPEN)], False, [1] * 12 + [0], True),
        ([(0, OPEN), (0, BOX)], False, [0] + [1] * 12, True),
        ([(9, BOX), (0, OPEN), (0, BOX)], False, [1] * 12 + [0] + [2] * 12, True),
        ([(0.4, BOX), (-0.4, BOX)], False, [1] * 12 + [2] * 12, True),
        ([(9, BOX), (0, OPEN)], False, [1] * 12 + [0], False),
        ([(0, CLOSED)], False, [0] * 12, False),
        ([(0, CLOSED)], True, [1] * 12, True),
        ([(9, BOX), (0, CLOSED)], True, [1] * 12 + [2] * 12, True),
        ([(0, CLOSED)], "auto", [1] * 12, True),
        ([(0, OPEN), (0, CLOSED)], "auto", [0] + [2] * 12, True),
        ([(0, CLOSED), (9, BOX), (0, OPEN)], "auto", [1] * 12 + [2] * 12 + [0], True),
        ([(0, OPEN)], "auto", [0], False),
        ([(0, OPEN), (9, CLOSED)], "auto", [0] + [2] * 12, False),
    ],
)
def test_parts_are_solid_one_by_one(
    tmp_path: Path, parts: list[Any], solid: Any, solids: list[int], inside: bool
) -> None:
    robot = one_link(tmp_path, *(shape_at(*part) for part in parts), solid=solid)
    assert robot.open_links == (() if all(solids) else ("slide",))
    np.testing.assert_array_equal(robot.links["slide"].mesh.solid_faces, solids)
    contact = robot.first_contact([0.0], [0.01], PEA)
    assert contact.status is (tc.Status.INITIAL_OVERLAP if inside else tc.Status.FREE)
    assert robot.motion_is_free([0.0], [0.01], PEA) != inside


def test_open_meshes_are_surfaces(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"r\.urdf: link 'slide': .*open\.obj: .*closed"):
        one_link(tmp_path, shape_at(9, BOX), shape_at(0, CLOSED), shape_at(0, OPEN), solid=True)
    with pytest.raises(ValueError, match=r"solid: expected True, False or 'auto', got 'yes'"):
        one_link(tmp_path, shape_at(9, BOX), solid="yes")


def test_open_links_follow_the_robot(tmp_path: Path) -> None:
    robot = one_link(tmp_path, shape_at(0, CLOSED), shape_at(0, OPEN))
    held = robot.attached("slide", "sheet", PEA)
    assert held.open_links == ("slide", "sheet")
    assert pickle.loads(pickle.dumps(held)).open_links == held.open_links
    pair = tc.combine({"a": robot, "b": robot.placed(tc.pose((0, 0, 9)))})
    assert pair.open_links == ("a/slide", "b/slide")


def test_a_point_deep_inside_a_link_is_a_contact() -> None:
    """A link of a real robot, by the distances of another library."""
    path, packages = robot_file("panda")
    robot = tc.Robot.from_urdf(path, package_dirs=[packages])
    assert robot.open_links == ()
    q = (robot.lower + robot.upper) / 2
    frame, mesh = robot.forward_kinematics(q)["panda_link4"], robot.links["panda_link4"].mesh
    model = trimesh.Trimesh(mesh.vertices, mesh.faces)
    box = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    tried = np.random.default_rng(4).uniform(*box, (500, 3))
    depth = trimesh.proximity.signed_distance(model, tried)
    place = tc.pose(frame[:3, :3] @ tried[np.argmax(depth)] + frame[:3, 3])
    assert depth.max() > 0.05
    dot = tc.Mesh(np.zeros((1, 3)), [(0, 0, 0)])
    world = tc.Scene()
    world.add("dot", dot, place)
    found = robot.first_contact(q, q, world, self_contact=False)
    assert (found.status, found.link_a) == (tc.Status.INITIAL_OVERLAP, "panda_link4")
    assert not robot.motion_is_free(q, q, world, self_contact=False)
    surfaces = tc.Robot.from_urdf(path, package_dirs=[packages], solid=False)
    assert surfaces.motion_is_free(q, q, world, self_contact=False)
    assert "panda_link4" in surfaces.open_links
