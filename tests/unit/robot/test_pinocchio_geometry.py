"""Geometry models of Pinocchio: pairs, names, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.pinocchio_models import coal, cubes, pin, turner

import toccata as tc
from toccata.scenes.primitives import box


def test_exactly_the_collision_pairs_are_tested() -> None:
    model = pin.Model()
    for i in range(3):
        shift = pin.SE3(np.eye(3), np.array([0.4, 0.0, 0.0]))
        model.addJoint(i, pin.JointModelRZ(), shift, f"joint{i}")
    geometry = cubes(model)
    geometry.removeAllCollisionPairs()
    geometry.addCollisionPair(pin.CollisionPair(0, 1))  # neighbours
    geometry.addCollisionPair(pin.CollisionPair(1, 3))
    robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.tests("cube1", "cube0") and robot.tests("cube1", "cube3")
    assert not robot.tests("cube0", "cube3")
    assert robot.ignored_pairs["cube0", "cube3"] == "no collision pair of the geometry model"
    holding = robot.attached("cube3", "tool", tc.Mesh(*box((0.01, 0.01, 0.01))))
    assert holding.tests("cube0", "cube1"), "a held body changes nothing for other links"
    assert holding.tests("cube0", "tool") and not holding.tests("cube3", "tool")
    geometry.removeAllCollisionPairs()
    with pytest.warns(UserWarning, match="no collision pairs"):
        assert tc.Robot.from_pinocchio(model, geometry)._pairs.core.pair_count == 0


def test_switched_off_shapes_are_named() -> None:
    _, model, geometry = turner()
    geometry.geometryObjects[1].disableCollision = True
    with pytest.warns(UserWarning, match="disableCollision are not tested: cube1"):
        robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.link_names == ("cube0",)


def test_names_may_be_shared() -> None:
    model = pin.Model()
    model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "arm")
    model.addBodyFrame("arm", 1, pin.SE3.Identity(), 0)
    geometry = pin.GeometryModel()
    geometry.addGeometryObject(pin.GeometryObject("arm", 1, pin.SE3.Identity(), coal.Sphere(1.0)))
    with pytest.warns(UserWarning, match="no collision pairs"):
        robot = tc.Robot.from_pinocchio(model, geometry)
    assert robot.link_names == ("arm",)
    assert list(robot.links) == ["universe", "arm (joint)", "arm (body)", "arm"]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (lambda: coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0), "got Halfspace"),
        (lambda: coal.BVHModelOBBRSS(), "expected triangles, got 0 points"),
        (lambda: inflated(), "expected a Box with swept-sphere radius 0, got 0.5"),
    ],
)
def test_unsupported_shapes_are_refused(shape: Any, message: str) -> None:
    model = pin.Model()
    model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "arm")
    geometry = pin.GeometryModel()
    geometry.addGeometryObject(pin.GeometryObject("odd", 1, pin.SE3.Identity(), shape()))
    with pytest.raises(ValueError, match=f"geometry object 'odd': .*{message}"):
        tc.Robot.from_pinocchio(model, geometry)


def inflated() -> Any:
    cube = coal.Box(1.0, 1.0, 1.0)
    cube.setSweptSphereRadius(0.5)
    return cube


def test_other_objects_than_models_are_refused() -> None:
    _, model, _ = turner()
    with pytest.raises(TypeError, match=r"geometry_model: expected a pinocchio\.GeometryModel"):
        tc.Robot.from_pinocchio(model, None)
    with pytest.raises(TypeError, match=r"model: expected a pinocchio\.Model, got NoneType"):
        tc.Robot.from_pinocchio(None, None)
    with pytest.raises(ValueError, match="expected geometry objects, got none"):
        tc.Robot.from_pinocchio(model, pin.GeometryModel())
    with pytest.raises(ValueError, match="primitive_error: expected a finite number"):
        tc.Robot.from_pinocchio(model, cubes(model), primitive_error=np.nan)
