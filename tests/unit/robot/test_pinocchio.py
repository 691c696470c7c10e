"""Robots from Pinocchio, held against Pinocchio and coal themselves."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from oracles.pinocchio_models import cubes, pin, turner
from oracles.robot_files import robot_file

import toccata as tc
from toccata.scenes.primitives import box
from toccata_bench.scenes.installed import INSTALLED


def models(name: str, root: Any = None) -> tuple[Any, Any]:
    path, folder = robot_file(name)
    roots = () if root is None else (root,)
    model = pin.buildModelFromUrdf(str(path), *roots, mimic=True)
    kind = pin.GeometryType.COLLISION
    geometry = pin.buildGeomFromUrdf(model, str(path), kind, package_dirs=[str(folder)])
    geometry.addAllCollisionPairs()
    return model, geometry


def errors_of_kinematics(
    robot: tc.Robot, model: Any, geometry: Any, rows: np.ndarray
) -> tuple[float, int]:
    """Return the largest difference of a pose, and how many poses were compared."""
    order = tc.PinocchioOrder(robot, model)
    data, placed = model.createData(), geometry.createData()
    worst, count = 0.0, 0
    for q in rows:
        theirs = order.to_pinocchio(q)
        np.testing.assert_allclose(order.from_pinocchio(theirs, near=q), q, atol=1e-12)
        pin.framesForwardKinematics(model, data, theirs)
        pin.updateGeometryPlacements(model, data, geometry, placed)
        ours = robot.forward_kinematics(q)
        pairs = [
            (frame.name, data.oMf[i])
            for i, frame in enumerate(model.frames)
            if frame.type.name == "BODY" and frame.name in ours
        ] + [
            (shape.name, placed.oMg[i])
            for i, shape in enumerate(geometry.geometryObjects)
            if shape.name in ours
        ]
        count += len(pairs)
        worst = max(worst, *(np.abs(ours[a] - b.homogeneous).max() for a, b in pairs))
    return worst, count


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", ["ur5", "panda", "talos", "allegro"])
def test_kinematics_are_those_of_pinocchio(name: str, floating: bool) -> None:
    model, geometry = models(name, pin.JointModelFreeFlyer() if floating else None)
    robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.dof == model.nq and len(robot.link_names) == geometry.ngeoms
    worst, count = errors_of_kinematics(robot, model, geometry, robot.random_configurations(20, 1))
    assert worst < 1e-12 and count >= 20 * (model.nbodies + geometry.ngeoms - 1)


@pytest.mark.filterwarnings("ignore:.*no collision geometry are not tested")
@pytest.mark.parametrize("name", ["ur5", "panda", "talos", "talos_full", "allegro", "puma560"])
def test_a_urdf_has_the_meaning_that_pinocchio_gives_it(name: str) -> None:
    path, folder = robot_file(name)
    geometry: Any = INSTALLED[name].geometry if name in INSTALLED else "collision"
    robot = tc.Robot.from_urdf(path, package_dirs=[folder], geometry=geometry)
    model = pin.buildModelFromUrdf(str(path))  # mimics have numbers of their own here
    worst, count = errors_of_kinematics(
        robot, model, pin.GeometryModel(), robot.random_configurations(20, 2)
    )
    assert worst < 1e-12 and count >= 20 * (len(robot.links) - 1)


@pytest.mark.parametrize("name", ["ur5", "panda", "allegro"])
def test_limits_are_the_same_from_both_sources(name: str) -> None:
    path, folder = robot_file(name)
    ours = tc.Robot.from_urdf(path, package_dirs=[folder])
    theirs = tc.Robot.from_pinocchio(*models(name))
    places = [theirs.coordinate_names.index(joint) for joint in ours.coordinate_names]
    assert len(places) == theirs.dof and np.isfinite(ours.lower).all()
    np.testing.assert_array_equal(ours.lower, theirs.lower[places])
    np.testing.assert_array_equal(ours.upper, theirs.upper[places])
    assert ours.within_limits(ours.upper) and not ours.within_limits(ours.upper + 1e-9)


@pytest.mark.parametrize("name", ["ur5", "panda", "talos", "allegro"])
def test_contacts_are_those_of_coal(name: str) -> None:
    model, geometry = models(name)
    data, placed = model.createData(), geometry.createData()
    names = [shape.name for shape in geometry.geometryObjects]
    # What is always or mostly in touch would decide every pose; the rest is what is compared.
    rows = tc.Robot.from_pinocchio(model, geometry).random_configurations(60, 7)
    touching = [_touching(model, data, geometry, placed, q) for q in rows]
    often = set.union(*touching[:20])
    for i, j in [(pair.first, pair.second) for pair in geometry.collisionPairs]:
        if frozenset((names[i], names[j])) in often:
            geometry.removeCollisionPair(pin.CollisionPair(i, j))
    robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot._pairs.core.pair_count == len(geometry.collisionPairs) > 0
    told = 0
    for q, found in zip(rows, touching, strict=True):
        contact = robot.first_contact(q, q)
        left = found - often
        assert bool(contact) == bool(left), (q, left, contact)
        if contact:
            told += 1
            assert frozenset((contact.link_a, contact.link_b)) in left
    assert 0 < told < len(rows)


def _touching(model: Any, data: Any, geometry: Any, placed: Any, q: Any) -> set[frozenset[str]]:
    pin.computeCollisions(model, data, geometry, placed, q, False)
    names = [shape.name for shape in geometry.geometryObjects]
    return {
        frozenset((names[pair.first], names[pair.second]))
        for pair, result in zip(geometry.collisionPairs, placed.collisionResults, strict=True)
        if result.isCollision()
    }


def by_code() -> Any:
    """Return a model with joints that no URDF has."""
    model = pin.Model()
    place = pin.SE3(pin.utils.rpyToMatrix(0.3, -0.2, 0.5), np.array([0.1, 0.2, 0.3]))
    composite = pin.JointModelComposite()
    composite.addJoint(pin.JointModelRZ(), place)
    composite.addJoint(pin.JointModelTranslation(), place)
    composite.addJoint(pin.JointModelRUBX(), place)
    joints = [
        ("planar", pin.JointModelPlanar()),
        ("composite", composite),
        ("euler", pin.JointModelSphericalZYX()),
        ("slanted", pin.JointModelRevoluteUnaligned(np.array([1.0, 2.0, 2.0]) / 3)),
        ("slide", pin.JointModelPrismaticUnaligned(np.array([2.0, -1.0, 2.0]) / 3)),
        ("free", pin.JointModelRUBY()),
        ("flyer", pin.JointModelFreeFlyer()),
    ]
    parent = 0
    for name, joint in joints:
        parent = model.addJoint(parent, joint, place, name)
        model.addBodyFrame(f"{name}_body", parent, place, 0)
    return model


def test_joints_that_no_urdf_has() -> None:
    model = by_code()
    geometry = cubes(model)
    robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.coordinate_names[:6] == (
        "planar/x",
        "planar/y",
        "planar/angle",
        "composite/0",
        "composite/1/x",
        "composite/1/y",
    )
    worst, _ = errors_of_kinematics(robot, model, geometry, robot.random_configurations(30, 1))
    assert worst < 1e-12
    assert np.isinf(robot.lower[:3]).all() and np.isinf(robot.upper[:3]).all()
    model.lowerPositionLimit[:2], model.upperPositionLimit[:2] = [-1, -2], [3, 4]
    flyer = model.joints[model.getJointId("flyer")].idx_q
    model.upperPositionLimit[flyer : flyer + 3] = [5, 6, 7]
    robot = tc.Robot.from_pinocchio(model, geometry)
    np.testing.assert_array_equal(robot.lower[:3], [-1, -2, -np.inf])
    np.testing.assert_array_equal(robot.upper[:3], [3, 4, np.inf])
    np.testing.assert_array_equal(robot.upper[-7:], [5, 6, 7, *(np.inf,) * 4])
    for joint in (pin.JointModelSpherical(), pin.JointModelHX(1.0)):
        odd = pin.Model()
        odd.addJoint(0, joint, pin.SE3.Identity(), "odd")
        with pytest.raises(ValueError, match="joint 'odd': expected one of revolute, prismatic"):
            tc.Robot.from_pinocchio(odd, cubes(odd))


MIMIC = """<robot name="gripper">
  <link name="base"/><link name="left"/><link name="right"/><link name="tip"/>
  <joint name="open" type="revolute"><parent link="base"/><child link="left"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="same" type="revolute"><parent link="base"/><child link="right"/>
    <origin xyz="-0.1 0 0" rpy="0.1 0.2 0.3"/><axis xyz="0 1 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="open" multiplier="-2" offset="0.25"/></joint>
  <joint name="push" type="prismatic"><parent link="right"/><child link="tip"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="open" multiplier="0.5" offset="0.1"/></joint>
</robot>"""


def test_mimics_follow_as_in_pinocchio() -> None:
    model = pin.buildModelFromXML(MIMIC, mimic=True)
    geometry = cubes(model)
    robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.dof == 1 and robot.joint_names == ("open",)
    worst, _ = errors_of_kinematics(robot, model, geometry, robot.random_configurations(20, 1))
    assert worst < 1e-12
    free = pin.buildModelFromXML(MIMIC)  # where mimics have numbers of their own
    order = tc.PinocchioOrder(robot, free)
    names = [free.names[i] for i in range(1, 4)]
    found = dict(zip(names, order.to_pinocchio([0.3]), strict=True))
    assert found == pytest.approx({"open": 0.3, "same": -0.35, "push": 0.25})
    bad = order.to_pinocchio([0.3])
    bad[names.index("same")] += 0.01
    with pytest.raises(ValueError, match="for the mimic joint 'same'"):
        order.from_pinocchio(bad)


WHEEL = """<robot name="jack">
  <link name="base"/><link name="wheel"/><link name="rod"/>
  <joint name="spin" type="continuous"><parent link="base"/><child link="wheel"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="push" type="prismatic"><parent link="base"/><child link="rod"/>
    <axis xyz="1 0 0"/><limit lower="-99" upper="99" effort="1" velocity="1"/></joint>
</robot>"""
TURNED = """<robot name="clock">
  <link name="base"/><link name="arm"/><link name="hand"/>
  <joint name="lead" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
  <joint name="follow" type="continuous"><parent link="base"/><child link="hand"/>
    <axis xyz="0 0 1"/></joint>
</robot>"""


def test_angles_follow_the_turns_of_mimic_joints() -> None:
    """A follower may be elsewhere after a full turn of the joint that it mimics."""
    links = [tc.Link("base"), tc.Link("wheel"), tc.Link("rod", tc.Mesh(*box()))]
    spin = tc.Joint("spin", "continuous", "base", "wheel")
    mimic = tc.Mimic("spin", 0.5, 0.1)
    push = tc.Joint("push", "prismatic", "base", "rod", axis=(1, 0, 0), mimic=mimic)
    order = tc.PinocchioOrder(tc.Robot(links, [spin, push]), pin.buildModelFromXML(WHEEL))
    for q in (7.0, -20.0, 0.3):
        theirs = order.to_pinocchio([q])
        np.testing.assert_allclose(order.from_pinocchio(theirs, near=[q]), [q], atol=1e-12)
    with pytest.raises(ValueError, match="for the mimic joint 'push'"):
        order.from_pinocchio(order.to_pinocchio([0.3]), near=[7.0])


def test_joints_with_limits_do_not_turn_with_their_mimics() -> None:
    links = [tc.Link("base"), tc.Link("arm", tc.Mesh(*box())), tc.Link("hand")]
    lead = tc.Joint("lead", "revolute", "base", "arm", lower=-9, upper=9)
    follow = tc.Joint("follow", "continuous", "base", "hand", mimic=tc.Mimic("lead", 2.0))
    order = tc.PinocchioOrder(tc.Robot(links, [lead, follow]), pin.buildModelFromXML(TURNED))
    theirs = order.to_pinocchio([0.3])
    np.testing.assert_allclose(order.from_pinocchio(theirs, near=[6.0]), [0.3], atol=1e-12)


def test_angles_without_limits_are_cosines_and_sines() -> None:
    robot, model, _ = turner()
    order = tc.PinocchioOrder(robot, model)
    np.testing.assert_allclose(order.to_pinocchio([pi / 3]), [0.5, np.sqrt(0.75)])
    rows = order.from_pinocchio([[0.0, 1.0], [-1.0, 0.0]])
    np.testing.assert_allclose(rows, [[pi / 2], [pi]])
    # From 3 to -3 the shorter way leads across pi.
    q0 = order.from_pinocchio([np.cos(3.0), np.sin(3.0)])
    q1 = order.from_pinocchio([np.cos(-3.0), np.sin(-3.0)], near=q0)
    np.testing.assert_allclose(np.concatenate([q0, q1]), [3.0, 2 * pi - 3.0])
    for q, message in (
        ([0.3], r"q: expected shape \(2,\)"),
        ([3.0, 1.0], "q: expected a cosine and a sine for joint 'turn'"),
        ([np.nan, 1.0], "finite"),
    ):
        with pytest.raises(ValueError, match=message):
            order.from_pinocchio(q)


@pytest.mark.parametrize("axis", [(0, 0, 2), (1, 0, 0), (0, 0, -1), (1e-9, 0, 1)])
def test_planar_joints_lie_across_z_for_pinocchio(axis: tuple[float, float, float]) -> None:
    model = pin.Model()
    model.addJoint(0, pin.JointModelPlanar(), pin.SE3.Identity(), "slide")
    joint = tc.Joint("slide", "planar", "a", "b", axis=axis)
    robot = tc.Robot([tc.Link("a"), tc.Link("b", tc.Mesh(*box()))], [joint])
    if axis == (0, 0, 2):
        order = tc.PinocchioOrder(robot, model)
        np.testing.assert_allclose(order.to_pinocchio([1.0, 2.0, 0.0]), [1, 2, 1, 0])
        return
    with pytest.raises(
        ValueError, match="joint 'slide' of the robot: expected the axis z, because"
    ):
        tc.PinocchioOrder(robot, model)


def test_orders_of_another_robot_are_refused() -> None:
    _, model, _ = turner()
    joint = tc.Joint("turn", "prismatic", "a", "b")
    cube = tc.Mesh(*box())
    slide = tc.Robot([tc.Link("a"), tc.Link("b", cube)], [joint])
    with pytest.raises(
        ValueError, match=r"'turn' of the model: .* continuous joint .*, got prismatic"
    ):
        tc.PinocchioOrder(slide, model)
    more = tc.Robot(
        [tc.Link("a"), tc.Link("b", cube), tc.Link("c")],
        [tc.Joint("turn", "continuous", "a", "b"), tc.Joint("rest", "continuous", "b", "c")],
    )
    with pytest.raises(ValueError, match="'rest' of the robot: the model has no such joint"):
        tc.PinocchioOrder(more, model)
    with pytest.raises(TypeError, match=r"model: expected a pinocchio\.Model, got str"):
        tc.PinocchioOrder(slide, "model")
