"""A robot and its world in pinocchio and coal: the same links, joints and meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata._robot.internal import meshes_of
from toccata._robot.parts import Joint
from toccata_bench.peers import coal_mesh, optional

Floats = NDArray[np.float64]
WORLD = "surroundings"
"""Name of the world as a link; robots have links called world."""


class PinModel:
    """Kinematics and geometry in pinocchio.

    Joints have our placements. `order` has the index in our configuration of each coordinate of
    pinocchio. The world is one mesh, or one mesh for each body. The robot chooses the tested pairs.
    """

    def __init__(self, robot: tc.Robot, world: tc.Scene | None, merged: bool = True) -> None:
        pin = optional("pinocchio")
        self._collides = pin.computeCollisions
        self.robot, self.model = robot, pin.Model()
        self.geometry = pin.GeometryModel()
        self._frames: dict[str, tuple[int, Floats]] = {}
        self.order: list[int] = []
        self._add_joints(pin)
        self._add_geometry(pin, world, merged)
        self._add_pairs(pin)
        self.data, self.geometry_data = self.model.createData(), self.geometry.createData()
        self.pool, self._checked = self._pool(pin, merged)

    def _pool(self, pin: Any, merged: bool) -> tuple[Any, tuple[Any, ...]]:
        """Return the model for batches, and the first arguments of a test of one configuration."""
        if merged:
            pool = pin.GeometryPool(self.model, self.geometry, 1)
            return pool, (self.model, self.data, self.geometry, self.geometry_data)
        name = "DynamicAABBTreeCollisionManager"
        manager = getattr(pin, f"TreeBroadPhaseManager_{name}")
        pool = getattr(pin, f"TreeBroadPhaseManagerPool_{name}")(self.model, self.geometry, 1)
        single = manager(self.model, self.geometry, self.geometry_data)
        return pool, (self.model, self.data, single)

    def collides(self, row: Floats) -> bool:
        """Return whether any pair collides at a configuration in pinocchio's order."""
        return bool(self._collides(*self._checked, row, True))

    def _add_joints(self, pin: Any) -> None:
        children: dict[str, list[Joint]] = {}
        for joint in self.robot.joints:
            children.setdefault(joint.parent, []).append(joint)
        moved = {joint.child for joint in self.robot.joints}
        stack = [(link, 0, np.eye(4)) for link in self.robot.links if link not in moved]
        while stack:
            link, number, offset = stack.pop()
            self._frames[link] = number, offset
            for joint in children.get(link, []):
                origin = offset @ np.asarray(joint.origin)
                if joint.kind == "fixed":
                    stack.append((joint.child, number, origin))
                    continue
                kind = joint_model(pin, joint)
                child = self.model.addJoint(number, kind, pin.SE3(origin), joint.name)
                self.order += self._numbers(joint)
                stack.append((joint.child, child, np.eye(4)))

    def _numbers(self, joint: Joint) -> list[int]:
        """Return the indices in our configuration of the coordinates of a joint."""
        names = self.robot.coordinate_names
        return [i for i, name in enumerate(names) if name.split("/")[0] == joint.name]

    def _add_geometry(self, pin: Any, world: tc.Scene | None, merged: bool) -> None:
        def add(name: str, joint: int, pose: Floats, mesh: Any) -> None:
            self.geometry.addGeometryObject(
                pin.GeometryObject(name, joint, pin.SE3(pose), coal_mesh(*mesh))
            )

        for name, mesh in meshes_of(self.robot).items():
            add(name, *self._frames[name], (mesh.vertices, mesh.faces))
        if world is not None and merged:
            add(WORLD, 0, np.eye(4), world_soup(world))
        elif world is not None:
            for name, (mesh, motion) in world._bodies.items():
                add(name, 0, motion.pose(0.0), (mesh.vertices, mesh.faces))

    def _add_pairs(self, pin: Any) -> None:
        names = self.robot.link_names
        for i, a in enumerate(names):
            for j in range(i + 1, len(names)):
                if self.robot.tests(a, names[j]):
                    self.geometry.addCollisionPair(pin.CollisionPair(i, j))
            if self._frames[a][0] == 0:
                continue  # neither the link nor the world moves
            for j in range(len(names), len(self.geometry.geometryObjects)):
                self.geometry.addCollisionPair(pin.CollisionPair(i, j))

    def configurations(self, Q: Floats) -> Floats:
        """Return (n, dof) configurations in pinocchio's order of joints."""
        return np.ascontiguousarray(Q[..., self.order])

    def place(self, q: Floats) -> None:
        """Place all links at a configuration."""
        pin = optional("pinocchio")
        pin.forwardKinematics(self.model, self.data, self.configurations(q))
        pin.updateGeometryPlacements(self.model, self.data, self.geometry, self.geometry_data)

    def distance(self, q: Floats, link_a: str, other: str) -> float:
        """Return the distance of a link from another link or from the world, zero in contact.

        The model has to be merged.
        """
        coal = optional("coal")
        self.place(q)
        numbers = [
            self.geometry.getGeometryId(name if name in self.robot.link_names else WORLD)
            for name in (link_a, other)
        ]
        sides: list[Any] = []
        for k in numbers:
            pose = self.geometry_data.oMg[k]
            sides += [
                self.geometry.geometryObjects[k].geometry,
                coal.Transform3s(pose.rotation, pose.translation),
            ]
        found = coal.distance(*sides, coal.DistanceRequest(), coal.DistanceResult())
        return max(0.0, float(found))

    def least_distance(self, q: Floats) -> float:
        """Return the least distance of all pairs."""
        pin = optional("pinocchio")
        row = self.configurations(q)
        k = pin.computeDistances(self.model, self.data, self.geometry, self.geometry_data, row)
        return max(0.0, float(self.geometry_data.distanceResults[k].min_distance))


def joint_model(pin: Any, joint: Joint) -> Any:
    """Return the cheapest equivalent joint of pinocchio."""
    if joint.mimic is not None or joint.kind == "planar":
        raise ValueError(f"joint {joint.name!r}: expected a joint that the peers support")
    if joint.kind == "floating":
        return pin.JointModelFreeFlyer()
    axis = np.asarray(joint.axis)
    letter = "R" if joint.kind in ("revolute", "continuous") else "P"
    for i, name in enumerate("XYZ"):
        if axis[i] == 1.0:
            return getattr(pin, f"JointModel{letter}{name}")()
    kinds = {"R": pin.JointModelRevoluteUnaligned, "P": pin.JointModelPrismaticUnaligned}
    return kinds[letter](axis)


def world_soup(world: tc.Scene) -> tuple[Floats, NDArray[np.int32]]:
    """Return all bodies of a resting scene as one mesh."""
    vertices, faces, count = [], [], 0
    for mesh, motion in world._bodies.values():
        pose = motion.pose(0.0)
        vertices.append(mesh.vertices @ pose[:3, :3].T + pose[:3, 3])
        faces.append(mesh.faces + count)
        count += len(mesh.vertices)
    return np.concatenate(vertices), np.concatenate(faces)
