"""Files that lack something: robots load as far as they can, and say what is missing."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.dynamics import ArticulatedBody

trimesh = pytest.importorskip("trimesh")

NAMES = ("base", "upper", "fore", "hand")
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    "</inertial>"
)


def arm(folder: Path, more: str = "", **shapes: str) -> Path:
    """Write an arm of links of length 1 along x that turn about z, each with its shape inside."""
    links = "".join(f'<link name="{name}">{shapes.get(name, "")}{more}</link>' for name in NAMES)
    joints = "".join(
        f'<joint name="{parent}-{child}" type="revolute"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-3.2" upper="3.2" effort="1" velocity="1"/></joint>'
        for parent, child in pairwise(NAMES)
    )
    path = folder / "arm.urdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<robot name="arm">{links}{joints}</robot>')
    return path


def shape(text: str, kind: str = "collision") -> str:
    return f'<{kind}><origin xyz="0.5 0 0"/><geometry>{text}</geometry></{kind}>'


def mesh(name: str) -> str:
    return shape(f'<mesh filename="{name}"/>')


BOX = shape('<box size="0.8 0.1 0.1"/>')


def write_mesh(path: Path, size: float = 0.5) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    trimesh.creation.box((size, size, size)).export(path)
    return path


def width(robot: tc.Robot) -> float:
    return float(np.ptp(robot.links["hand"].mesh.vertices[:, 1]))


@pytest.mark.parametrize(
    ("urdf", "meshes"),
    [
        ("ws/some_robot/urdf", "ws/some_robot/m/cube.stl"),
        ("ws/some_robot/robots/deep/urdf", "ws/some_robot/m/cube.stl"),
        ("ws/other/urdf", "ws/some_robot/m/cube.stl"),
        ("ws/other", "ws/other/some_robot/m/cube.stl"),
    ],
    ids=["inside", "deep inside", "beside a folder above", "beside the file"],
)
def test_packages_around_a_urdf_are_found(tmp_path: Path, urdf: str, meshes: str) -> None:
    write_mesh(tmp_path / meshes)
    path = arm(tmp_path / urdf, hand=mesh("package://some_robot/m/cube.stl"))
    assert width(tc.Robot.from_urdf(path)) == pytest.approx(0.5)


def test_the_nearest_package_is_taken_and_given_folders_come_first(tmp_path: Path) -> None:
    write_mesh(tmp_path / "some_robot/m/cube.stl", 1.0)
    write_mesh(tmp_path / "ws/some_robot/m/cube.stl", 2.0)
    write_mesh(tmp_path / "given/some_robot/m/cube.stl", 3.0)
    path = arm(tmp_path / "ws/x/urdf", hand=mesh("package://some_robot/m/cube.stl"))
    assert width(tc.Robot.from_urdf(path)) == pytest.approx(2.0)
    for given in (
        [tmp_path / "given"],
        [tmp_path / "given/some_robot"],
        {"some_robot": tmp_path / "given/some_robot"},
    ):
        assert width(tc.Robot.from_urdf(path, package_dirs=given)) == pytest.approx(3.0)


def test_meshes_beside_a_link_to_a_urdf_are_found(tmp_path: Path) -> None:
    store = arm(
        tmp_path / "store", hand=mesh("package://some_robot/m/cube.stl"), fore=mesh("f.stl")
    )
    write_mesh(tmp_path / "ws/some_robot/m/cube.stl")
    write_mesh(tmp_path / "ws/some_robot/urdf/f.stl")
    linked = tmp_path / "ws/some_robot/urdf/arm.urdf"
    linked.symlink_to(store)
    assert width(tc.Robot.from_urdf(linked)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("urdf", "meshes", "given"),
    [
        ("robot-main/urdf", "robot-main/m/cube.stl", {"some_robot": "robot-main"}),
        ("robots", "packages/some_robot/m/cube.stl", ["packages"]),
        ("robots/urdf", "robots/meshes/some_robot/m/cube.stl", ["robots/meshes"]),
    ],
    ids=["a folder with another name", "packages beside", "packages inside"],
)
def test_the_message_names_the_folder_to_pass(
    tmp_path: Path, urdf: str, meshes: str, given: Any
) -> None:
    write_mesh(tmp_path / meshes)
    path = arm(tmp_path / urdf, hand=mesh("package://some_robot/m/cube.stl"))
    if isinstance(given, dict):
        given = {name: str(tmp_path / folder) for name, folder in given.items()}
    else:
        given = [str(tmp_path / folder) for folder in given]
    with pytest.raises(FileNotFoundError) as caught:
        tc.Robot.from_urdf(path, package_dirs=[tmp_path / "nowhere"])
    message = str(caught.value)
    assert message.startswith(f"{path}: link 'hand': expected the mesh package://some_robot/m/cube")
    assert f"none of {tmp_path}/nowhere/some_robot/m/cube.stl, some_robot/m/cube.stl in" in message
    assert f"{tmp_path / urdf} or a folder above it" in message
    assert message.endswith(f"; package_dirs={given} would find {tmp_path / meshes}")
    assert width(tc.Robot.from_urdf(path, package_dirs=given)) == pytest.approx(0.5)


@pytest.fixture
def half(tmp_path: Path) -> tc.Robot:
    """An arm without two meshes of its forearm and one of two meshes of its hand."""
    write_mesh(tmp_path / "good.stl", 0.1)
    lost = mesh("gone.stl") + mesh("package://x/gone.stl")
    shapes = {"base": BOX, "upper": BOX, "fore": lost, "hand": mesh("no.stl") + mesh("good.stl")}
    path = arm(tmp_path, **shapes)
    with pytest.raises(FileNotFoundError, match=r"link 'fore': expected the mesh gone\.stl"):
        tc.Robot.from_urdf(path)
    told = r"arm\.urdf: .*: fore \(gone\.stl, package://x/gone\.stl\), hand \(no\.stl\)$"
    with pytest.warns(UserWarning, match=told):
        return tc.Robot.from_urdf(path, missing="warn")


def test_names_of_missing_meshes_are_printable(tmp_path: Path) -> None:
    path = arm(tmp_path, base=BOX, hand=mesh("\u202elts.stl"))
    with pytest.warns(UserWarning, match=r"hand \(\\u202elts\.stl\)$"):
        robot = tc.Robot.from_urdf(path, missing="warn")
    assert robot.missing == {"hand": ("\u202elts.stl",)}
    (tmp_path / "arm.srdf").write_text(
        '<robot name="arm"><group name="g"><joint name="\u202ex"/></group></robot>'
    )
    with pytest.warns(UserWarning, match=r"skipped: \\u202ex$"):
        tc.Robot.from_urdf(arm(tmp_path, base=BOX), srdf=tmp_path / "arm.srdf")


def test_missing_meshes_are_listed(half: tc.Robot) -> None:
    lost = {"fore": ("gone.stl", "package://x/gone.stl"), "hand": ("no.stl",)}
    assert half.missing == lost
    assert half.link_names == ("base", "upper", "hand")
    assert "missing geometry: fore, hand" in repr(half)
    for same in (
        pickle.loads(pickle.dumps(half)),
        half.placed(tc.pose((1, 0, 0))),
        half.padded({"hand": 0.1}),
    ):
        assert same.missing == lost
    both = tc.combine({"one": half, "two": half})
    assert both.missing["two/hand"] == ("no.stl",)


def test_a_missing_mesh_hides_no_other_contact(half: tc.Robot) -> None:
    # Between upper arm and hand there is a link, although it has no mesh now.
    assert half.tests("upper", "hand") and half.tests("base", "hand")
    assert ("base", "upper") in half.ignored_pairs
    folded = np.array([0.0, np.pi / 2, np.pi / 2])  # hand and upper arm face each other
    assert half.distances(folded[None]).pairs == (("base", "hand"), ("upper", "hand"))
    contact = half.first_contact(folded, [0.0, 2.8, 2.8])
    assert (contact.link_a, contact.link_b) == ("upper", "hand")


def test_a_robot_with_missing_meshes_has_no_mass(half: tc.Robot) -> None:
    with pytest.raises(ValueError, match=r"link 'fore', mesh: .*gone\.stl"):
        ArticulatedBody(half)


def test_only_missing_files_are_forgiven(tmp_path: Path) -> None:
    (tmp_path / "bad.stl").write_text("no mesh")
    path = arm(tmp_path, base=BOX, hand=mesh("bad.stl"))
    with pytest.raises(ValueError, match=r"bad\.stl: expected a file that trimesh"):
        tc.Robot.from_urdf(path, missing="warn")
    with pytest.raises(ValueError, match="missing: expected 'error' or 'warn', got 'ignore'"):
        tc.Robot.from_urdf(path, missing="ignore")  # type: ignore[arg-type]
    complete = tc.Robot.from_urdf(arm(tmp_path, base=BOX), missing="warn")
    assert complete.missing == {}


QUERIES: dict[str, Callable[[tc.Robot, Any], Any]] = {
    "first_contact": lambda robot, q: robot.first_contact(q, q),
    "first_contact_batch": lambda robot, q: robot.first_contact_batch([q], [q]),
    "motion_is_free": lambda robot, q: robot.motion_is_free(q, q),
    "first_contact_path": lambda robot, q: robot.first_contact_path([q, q]),
    "contact_intervals": lambda robot, q: robot.contact_intervals(q, q),
    "clearance": lambda robot, q: robot.clearance(q, q),
    "clearance_path": lambda robot, q: robot.clearance_path([q, q]),
    "distances": lambda robot, q: robot.distances([q]),
    "proximities": lambda robot, q: robot.proximities(q, distance=1.0),
    "sequence": lambda robot, q: tc.RobotSequence(robot).first_contact(q, q),
    "view": lambda robot, q: tc.view.view_of(robot, path=q),
}


@pytest.mark.parametrize("how", ["no geometry", "missing", "seen"])
def test_a_robot_without_geometry_has_kinematics_only(tmp_path: Path, how: str) -> None:
    seen = shape('<box size="1 1 1"/>', "visual")
    inside = {"no geometry": "", "missing": mesh("gone.stl"), "seen": seen}[how]
    hint = "; geometry='visual' uses the visual geometry" if how == "seen" else ""
    told = "gone.stl" if how == "missing" else f"no link has collision geometry, .* refused{hint}$"
    with pytest.warns(UserWarning, match=rf"arm\.urdf: .*{told}"):
        robot = tc.Robot.from_urdf(arm(tmp_path, hand=inside), missing="warn")
    place = robot.forward_kinematics([0.5, 0.25, -0.5])["hand"]
    steps = np.cumsum([0.0, 0.5, 0.25])
    np.testing.assert_allclose(place[:3, 3], [np.cos(steps).sum(), np.sin(steps).sum(), 0])
    assert not place[:2, :2] @ [1, 0] @ [-np.sin(0.25), np.cos(0.25)] > 1e-12
    for ask in QUERIES.values():
        with pytest.raises(ValueError, match="robot: expected a link with geometry, got none"):
            ask(robot, np.zeros(3))


def test_an_inertial_without_mass_is_refused_when_it_is_needed(tmp_path: Path) -> None:
    for inside, name in (
        ('<inertial><mass value="1"/></inertial>', "inertia"),
        (INERTIAL.replace('<mass value="1"/>', ""), "mass"),
        ("<inertial/>", "mass"),
    ):
        with pytest.warns(
            UserWarning, match=r"<inertial> but without <mass> or <inertia> .*: base, up"
        ):
            robot = tc.Robot.from_urdf(arm(tmp_path, inside, base=BOX, hand=BOX))
        assert robot.first_contact([0, 0, 0], [0, 0, 0.2], robot.links["base"].mesh)
        with pytest.raises(
            ValueError, match=rf"link 'upper', {name}: expected a value in the file"
        ):
            ArticulatedBody(robot)
        weight = tc.MassProperties(1.0, (0, 0, 0), np.eye(3))
        body = ArticulatedBody(robot, inertias=dict.fromkeys(robot.links, weight))
        assert np.isfinite(body.acceleration(np.zeros(3), np.zeros(3), np.zeros(3))).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tc.Robot.from_urdf(arm(tmp_path, INERTIAL, base=BOX))


@pytest.mark.parametrize("error", [1e-2, 1e-4])
def test_a_capsule_is_read(tmp_path: Path, error: float) -> None:
    """Its length is that of its axis, along z: a ball and a wall touch it where it is round."""
    path = arm(tmp_path, hand=shape('<capsule radius="0.25" length="0.5"/>'))
    robot = tc.Robot.from_urdf(path, primitive_error=error)
    hand = robot.links["hand"].mesh
    assert hand.solid
    np.testing.assert_allclose(hand.vertices.max(axis=0), [0.75, 0.25, 0.5], atol=error)
    np.testing.assert_allclose(hand.vertices.min(axis=0), [0.25, -0.25, -0.5], atol=error)
    # Every point of the capsule is inside of all planes of the mesh, which is convex.
    corners = np.asarray(hand.vertices)[np.asarray(hand.faces)] - (0.5, 0, 0)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    support = 0.25 * np.abs(normals[:, 2]) + 0.25  # how far the capsule reaches along a normal
    offset = (normals * corners[:, 0]).sum(axis=1)
    assert (offset >= support).all() and (offset <= support + error).all()
    # A point that is at a distance of 0.1 from the upper cap, in the direction (1, 0, 1).
    place = np.array([3.5, 0, 0.25]) + 0.35 * np.sqrt(0.5) * np.array([1, 0, 1])
    point = tc.Mesh(place + 1e-9 * np.eye(3), [(0, 1, 2)])
    distance = robot.distances(np.zeros((1, 3)), point)
    assert 0.1 - error - 1e-8 <= distance.lower[0, 0] <= 0.1 + 1e-8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<capsule radius="1"/>', "<capsule>: expected length, got none"),
        ('<capsule radius="0" length="1"/>', "radius: expected a positive number, got 0"),
        ('<capsule radius="1" length="-1"/>', "length: expected a positive number, got -1"),
        ('<capsule radius="1e9" length="1"/>', "primitive_error: expected"),
    ],
)
def test_bad_capsules_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=rf"arm\.urdf: link 'hand': {message}"):
        tc.Robot.from_urdf(arm(tmp_path, hand=shape(text)))
