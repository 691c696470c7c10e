"""Real robots by Pinocchio and coal alone: their own parsers, kinematics and collision tests.

A motion is sampled at even times. A sample counts as a contact only if coal's distance is within
the separation beyond its accuracy: its collision test also reports pairs within a millionth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.scenes.installed import INSTALLED

from .robot_files import robot_file, srdf_file

pin: Any = pytest.importorskip("pinocchio", reason="the reference for real robots needs pin")
coal: Any = pytest.importorskip("coal", reason="the reference for real robots needs coal")

Floats = NDArray[np.float64]
Arrays = tuple[Floats, NDArray[np.int32]]
ROUND = ("Sphere", "Cylinder", "Capsule", "Cone", "Ellipsoid")
PRIMITIVE_ERROR = 1e-4
MESH_ACCURACY = 1e-9  # error of coal's distances, generously
SHAPE_ACCURACY = 2e-6  # error of its iterations for boxes and round shapes


def load(name: str) -> tc.Robot:
    """Read a robot with our own reader; pairs that always touch are ignored."""
    path, folder = robot_file(name)
    robot = tc.Robot.from_urdf(
        path,
        srdf=srdf_file(name),
        package_dirs=[folder],
        geometry=INSTALLED[name].geometry,
        primitive_error=PRIMITIVE_ERROR,
        solid=False,  # the meshes of coal are surfaces
    )
    robot.infer_ignored_pairs(30)
    return robot


def bvh(mesh: Arrays) -> Any:
    """Return a mesh in the format of coal."""
    vertices, faces = mesh
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    for triangle in vertices[faces]:
        model.addTriangle(*triangle)
    model.endModel()
    return model


class PinocchioRobot:
    """A robot read by Pinocchio, among bodies that stay; tests the pairs that `robot` tests."""

    def __init__(
        self, name: str, robot: tc.Robot, world: dict[str, Arrays], separation: float = 0.0
    ) -> None:
        path, folder = robot_file(name)
        self.model = pin.buildModelFromUrdf(str(path))
        kind = getattr(pin.GeometryType, INSTALLED[name].geometry.upper())
        self.geometry = pin.buildGeomFromUrdf(
            self.model, str(path), kind, package_dirs=[str(folder)]
        )
        shapes = self.geometry.geometryObjects  # adding more moves these in memory: read them now
        self.links = [self.model.frames[shape.parentFrame].name for shape in shapes]
        carriers = [int(shape.parentJoint) for shape in shapes]
        self.bodies = list(world)
        for body, mesh in world.items():
            shape = pin.GeometryObject(f"world {body}", 0, pin.SE3.Identity(), bvh(mesh))
            self.geometry.addGeometryObject(shape)
        self._add_pairs(robot, carriers)
        self.order = tc.PinocchioOrder(robot, self.model)
        self.data = self.model.createData()
        self.placed = self.geometry.createData()
        self.separation = separation
        for request in self.placed.collisionRequests:
            request.security_margin = separation

    def _add_pairs(self, robot: tc.Robot, carriers: list[int]) -> None:
        self.geometry.removeAllCollisionPairs()
        count = len(self.links)
        for i in range(count):
            for j in range(i + 1, count):
                if carriers[i] != carriers[j] and robot.tests(self.links[i], self.links[j]):
                    self.geometry.addCollisionPair(pin.CollisionPair(i, j))
            for k, body in enumerate(self.bodies):
                if robot.tests(self.links[i], body):
                    self.geometry.addCollisionPair(pin.CollisionPair(i, count + k))

    def names(self, pair: Any) -> frozenset[str]:
        """Return the link names, or link and body names, of a pair."""
        names = [*self.links, *self.bodies]
        return frozenset((names[pair.first], names[pair.second]))

    def touches(self, q: Floats) -> bool:
        """Return whether a pair is within the separation by coal; `q` is in Pinocchio's order."""
        collide = pin.computeCollisions
        return bool(collide(self.model, self.data, self.geometry, self.placed, q, True))

    def gap(self, q: Floats, names: frozenset[str]) -> float:
        """Return the least distance of coal between shapes of two names."""
        pin.updateGeometryPlacements(self.model, self.data, self.geometry, self.placed, q)
        pairs = self.geometry.collisionPairs
        return min(self._distance(pair) for pair in pairs if self.names(pair) == names)

    def _distance(self, pair: Any) -> float:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        sides: list[Any] = []
        for i in (pair.first, pair.second):
            frame = self.placed.oMg[i]
            sides += [self._shape(i), coal.Transform3s(frame.rotation, frame.translation)]
        return float(coal.distance(*sides, request, result))

    def _shape(self, i: int) -> Any:
        return self.geometry.geometryObjects[i].geometry

    def _kinds(self, pair: Any) -> list[str]:
        return [type(self._shape(i)).__name__ for i in (pair.first, pair.second)]

    def surely_touches(self, q: Floats) -> bool:
        """Return whether a distance of coal is within the separation; `q` as for Pinocchio."""
        pin.updateGeometryPlacements(self.model, self.data, self.geometry, self.placed, q)
        return any(map(self._surely_touch, self.geometry.collisionPairs))

    def _surely_touch(self, pair: Any) -> bool:
        meshes = all(kind.startswith("BVHModel") for kind in self._kinds(pair))
        accuracy = MESH_ACCURACY if meshes else SHAPE_ACCURACY
        if meshes and self.separation == 0:  # then the distance of what intersects is not positive
            accuracy = 0.0
        return self._distance(pair) <= self.separation - accuracy

    def is_round(self, names: frozenset[str]) -> bool:
        """Return whether one of two bodies is a shape that our mesh contains but does not equal."""
        shapes = self.geometry.geometryObjects
        return any(
            link in names and type(shapes[i].geometry).__name__ in ROUND
            for i, link in enumerate(self.links)
        )

    def first_touch(self, Q: Floats) -> int:
        """Return the first row, in the robot's order, within the separation; their number if none.

        A collision that coal reports at a distance is checked by its distance query.
        """
        for i, q in enumerate(self.order.to_pinocchio(Q)):
            if self.touches(q) and self.surely_touches(q):
                return i
        return len(Q)
