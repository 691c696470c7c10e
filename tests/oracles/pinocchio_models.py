"""Small models of Pinocchio with a cube on every joint."""

from __future__ import annotations

from typing import Any

import pytest

import toccata as tc

pin: Any = pytest.importorskip("pinocchio", reason="models of Pinocchio need pin")
coal: Any = pytest.importorskip("coal")


def cubes(model: Any) -> Any:
    geometry = pin.GeometryModel()
    for i in range(model.njoints):
        cube = pin.GeometryObject(f"cube{i}", i, pin.SE3.Random(), coal.Box(0.1, 0.2, 0.3))
        geometry.addGeometryObject(cube)
    geometry.addAllCollisionPairs()
    return geometry


def turner() -> tuple[tc.Robot, Any, Any]:
    model = pin.Model()
    model.addJoint(0, pin.JointModelRUBZ(), pin.SE3.Identity(), "turn")
    geometry = cubes(model)
    return tc.Robot.from_pinocchio(model, geometry), model, geometry
