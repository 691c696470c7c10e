"""What the joints of robots carry, against Pinocchio, MuJoCo and closed forms."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.robot_files import robot_file
from oracles.urdf_text import read, urdf

import toccata as tc
from toccata._robot.internal import tree_of
from toccata.dynamics import frame_inertias, inertias_from_mjcf
from toccata.dynamics._mass import MASSLESS
from toccata.scenes import models

INERTIAL = (
    '<inertial><origin xyz="0.5 0 0" rpy="{rpy}"/><mass value="{mass}"/>'
    '<inertia ixx="{xx}" ixy="{xy}" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>'
)
GOOD = {"rpy": "0 0 0", "mass": "2", "xx": "1", "xy": "0", "yy": "2", "zz": "2.5"}


def inertial(**change: str) -> str:
    return urdf(INERTIAL.format(**{**GOOD, **change}))


def box(size: Any = (1.0, 1.0, 1.0)) -> tc.Mesh:
    return tc.Mesh(*models.box(size), solid=True)


def arm(**inertias: tc.MassProperties) -> tc.Robot:
    """Return base - turn - (held, fixed at 2 0 0, turned a quarter about z) - slide."""
    links = [
        tc.Link("base", box()),
        tc.Link("turn", box((1.0, 2.0, 3.0)), inertias.get("turn")),
        tc.Link("held", box((2.0, 1.0, 1.0)), inertias.get("held")),
        tc.Link("slide", None, inertias.get("slide")),
    ]
    joints = [
        tc.Joint("a", "revolute", "base", "turn", axis=(0, 1, 0)),
        tc.Joint("f", "fixed", "turn", "held", tc.pose((2, 0, 0), rotvec=(0, 0, np.pi / 2))),
        tc.Joint("b", "prismatic", "held", "slide", lower=0, upper=1),
    ]
    return tc.Robot(links, joints)


def weight(mass: float = 1.0, center: Any = (0, 0, 0)) -> tc.MassProperties:
    return tc.MassProperties(mass, center, np.diag([1.0, 1.0, 1.5]))


@pytest.mark.parametrize("name", ["ur5", "panda", "talos", "talos_full", "simple_humanoid"])
def test_inertias_of_a_urdf_are_those_of_pinocchio(name: str) -> None:
    pin = pytest.importorskip("pinocchio")
    try:
        path, folder = robot_file(name)
    except (ModuleNotFoundError, FileNotFoundError) as missing:
        pytest.skip(str(missing))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = tc.Robot.from_urdf(path, package_dirs=[folder], primitive_error=1e-2)
    # Pinocchio takes nothing from geometry.
    bare = {link.name: MASSLESS for link in robot.links.values() if link.inertia is None}
    model = pin.buildModelFromUrdf(str(path))
    for joint, got in zip(tree_of(robot).moving, frame_inertias(robot, inertias=bare), strict=True):
        expected = model.inertias[model.getJointId(joint.name)]
        assert got.mass == pytest.approx(expected.mass, rel=1e-12)
        np.testing.assert_allclose(got.center, expected.lever, rtol=0, atol=1e-12)
        size = np.abs(expected.inertia).max()
        np.testing.assert_allclose(got.inertia, expected.inertia, rtol=0, atol=1e-12 * size)


def test_models_of_pinocchio_bring_their_inertias() -> None:
    pin, coal = pytest.importorskip("pinocchio"), pytest.importorskip("coal")
    model = pin.Model()
    first = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "first")
    second = model.addJoint(first, pin.JointModelSphericalZYX(), pin.SE3.Random(), "second")
    geometry = pin.GeometryModel()
    for joint in (first, second):
        model.appendBodyToJoint(joint, pin.Inertia.FromBox(2.0, 0.1, 0.2, 0.3), pin.SE3.Random())
        shape = pin.GeometryObject(f"ball {joint}", joint, pin.SE3.Identity(), coal.Sphere(0.1))
        geometry.addGeometryObject(shape)
    geometry.addAllCollisionPairs()
    got = frame_inertias(tc.Robot.from_pinocchio(model, geometry))
    assert [part.mass > 0 for part in got] == [True, False, False, True]
    for part, joint in ((got[0], first), (got[3], second)):
        assert part.mass == model.inertias[joint].mass
        np.testing.assert_allclose(part.center, model.inertias[joint].lever, atol=1e-15)
        np.testing.assert_allclose(part.inertia, model.inertias[joint].inertia, atol=1e-15)


def test_fixed_links_add_up_in_the_frame_of_their_joint() -> None:
    slide = weight(3.0, (0, 0, 1))
    first, second = frame_inertias(arm(slide=slide), density=2.0)
    # The box 2 x 1 x 1 is 1 x 2 x 1 after its quarter turn.
    assert first.mass == pytest.approx(2.0 * 6 + 2.0 * 2)
    np.testing.assert_allclose(first.center, (2 * 4 / 16, 0, 0), atol=1e-14)
    own = 12 / 12 * np.diag([4 + 9, 1 + 9, 1 + 4]) + 4 / 12 * np.diag([4 + 1, 1 + 1, 1 + 4])
    apart = (12 * 0.5**2 + 4 * 1.5**2) * np.diag([0.0, 1.0, 1.0])
    np.testing.assert_allclose(first.inertia, own + apart, atol=1e-12)
    assert second == slide


def test_given_inertias_replace_those_of_links() -> None:
    robot = arm(turn=weight(7.0), held=weight(1.0), slide=weight())
    light = {"turn": weight(5.0), "held": weight(2.0)}
    assert frame_inertias(robot)[0].mass == 8.0
    assert frame_inertias(robot, inertias=light)[0].mass == 7.0


def test_a_frame_without_mass_may_carry_others() -> None:
    links = [tc.Link("base"), tc.Link("between"), tc.Link("end", box())]
    joints = [
        tc.Joint("a", "revolute", "base", "between"),
        tc.Joint("b", "revolute", "between", "end", axis=(1, 0, 0)),
    ]
    got = frame_inertias(tc.Robot(links, joints))
    assert got[0] == MASSLESS and got[1] == tc.MassProperties.of(box())


def test_a_urdf_may_turn_its_inertia(tmp_path: Path) -> None:
    (got,) = frame_inertias(read(tmp_path, inertial(rpy="0 0 1.5707963267948966", yy="3")))
    assert got.mass == 2.0
    np.testing.assert_allclose(got.center, (0.5, 0, 0))
    np.testing.assert_allclose(got.inertia, np.diag([3.0, 1.0, 2.5]), atol=1e-15)
    assert read(tmp_path, urdf()).links["arm"].inertia is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": "-1"}, "link 'arm', mass: expected a number of at least 0, got -1.0"),
        ({"mass": "0"}, "link 'arm', inertia: expected zeros for a mass of 0"),
        ({"xx": "-1"}, "link 'arm', inertia: expected no negative principal moment, got princ"),
        ({"xy": "2"}, "link 'arm', inertia: expected no negative principal moment"),
        ({"zz": "3.1"}, "expected no principal moment above the others' sum, got .* 1, 2 and 3.1"),
        ({"xx": "0", "yy": "0", "zz": "0"}, "joint 'j', links arm: inertia: expected a positive"),
        ({"mass": "0", "xx": "0", "yy": "0", "zz": "0"}, "joint 'j', link 'arm': expected links"),
    ],
)
def test_bad_inertias_of_files_are_named_when_they_are_needed(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    robot = read(tmp_path, inertial(**change))  # good enough for contacts
    with pytest.raises(ValueError, match=message):
        frame_inertias(robot)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (INERTIAL.format(**{**GOOD, "mass": "heavy"}), "<mass> value: expected 1 number, got 'hea"),
        (INERTIAL.format(**{**GOOD, "xx": ""}), "<inertia>: expected ixx, got none"),
        ("<inertial/><inertial/>", "<link>: expected one <inertial>, got 2"),
    ],
)
def test_broken_inertias_of_files_are_refused(tmp_path: Path, inside: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"r\.urdf: link 'arm': " + message):
        read(tmp_path, urdf(inside))


def test_links_and_arguments_are_checked() -> None:
    with pytest.raises(TypeError, match=r"link 'a', inertia: expected toccata.Mass.*, got float"):
        tc.Link("a", inertia=1.0)  # type: ignore[arg-type]
    robot = arm(slide=weight())
    with pytest.raises(ValueError, match="inertias: expected links of the robot, got 'x'"):
        frame_inertias(robot, inertias={"x": weight()})
    with pytest.raises(TypeError, match=r"inertias, 'turn': expected toccata.Mass.*, got float"):
        frame_inertias(robot, inertias={"turn": 1.0})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="density"):
        frame_inertias(robot, density=0.0)
    with pytest.raises(ValueError, match="joint 'b', link 'slide': expected links with"):
        frame_inertias(arm())


def test_copies_and_combinations_keep_inertias() -> None:
    robot = arm(turn=weight(7.0), slide=weight()).attached(
        "slide", "tool", box(), inertia=weight(2.0)
    )
    expected = frame_inertias(robot)
    assert expected[1].mass == 3.0
    for same in (pickle.loads(pickle.dumps(robot)), robot.placed(np.eye(4)), robot.padded({})):
        assert frame_inertias(same) == expected
    both = tc.combine({"left": robot, "right": robot.placed(tc.pose((9, 0, 0)))})
    weights = {name: frame_inertias(both)[i] for i, name in enumerate(_moving(both))}
    assert [weights[f"left/{name}"] for name in "ab"] == expected
    assert [weights[f"right/{name}"] for name in "ab"] == expected


def _moving(robot: tc.Robot) -> list[str]:
    return [joint.name for joint in tree_of(robot).moving]


def test_mjcf(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    file = tmp_path / "model.xml"
    file.write_text(
        "<mujoco><worldbody><body name='turn'><joint type='hinge'/>"
        "<geom type='box' size='0.5 1 1.5' pos='1 0 0' euler='0 0 90' density='2'/>"
        "<body name='slide'><joint type='slide'/>"
        "<inertial mass='3' pos='0 0 1' fullinertia='1 1.2 1.5 0.1 0 0'/></body>"
        "</body></worldbody></mujoco>"
    )
    got = inertias_from_mjcf(file)
    assert list(got) == ["turn", "slide"]
    assert got["turn"].mass == pytest.approx(12)
    np.testing.assert_allclose(got["turn"].center, (1, 0, 0))
    np.testing.assert_allclose(got["turn"].inertia, np.diag([10.0, 13.0, 5.0]), atol=1e-12)
    full = [[1, 0.1, 0], [0.1, 1.2, 0], [0, 0, 1.5]]
    np.testing.assert_allclose(got["slide"].inertia, full, atol=1e-12)
    first, second = frame_inertias(arm(held=weight(1.0)), inertias=got)
    assert (first.mass, second.mass) == (pytest.approx(13), 3)
    with pytest.raises(FileNotFoundError, match="no such file"):
        inertias_from_mjcf(tmp_path / "missing.xml")
    file.write_text("<mujoco><worldbody><body><nothing/></body></worldbody></mujoco>")
    with pytest.raises(ValueError, match=r"model\.xml: expected an MJCF file, got "):
        inertias_from_mjcf(file)
