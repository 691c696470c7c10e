"""Kinematics of a robot by Pinocchio. Fixed joints and mimics are resolved here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

import toccata as tc

pin: Any = pytest.importorskip("pinocchio", reason="this oracle needs pin")

Floats = NDArray[np.float64]


class PinocchioTree:
    """A model of Pinocchio with a frame for each link, for configurations of a robot."""

    def __init__(self, robot: tc.Robot) -> None:
        self.joints = {joint.name: joint for joint in robot.joints}
        self.start: dict[str, int] = {}
        count = 0
        for joint in robot.joints:
            self.start[joint.name] = count
            count += joint.width
        self.model = pin.Model()
        self.carriers: dict[str, tuple[int, Any]] = {}  # by link: joint and placement in its frame
        self.ids: dict[str, int] = {}  # by joint that moves
        children = {joint.child for joint in robot.joints}
        roots = [link for link in robot.links if link not in children]
        self.carriers.update((root, (0, pin.SE3.Identity())) for root in roots)
        waiting = list(robot.joints)
        while waiting:
            ready = [joint for joint in waiting if joint.parent in self.carriers]
            for joint in ready:
                self._add(joint)
            waiting = [joint for joint in waiting if joint not in ready]
        self.data = self.model.createData()

    def _add(self, joint: tc.Joint) -> None:
        carrier, at = self.carriers[joint.parent]
        origin = np.asarray(joint.origin)
        placement = at * pin.SE3(origin[:3, :3].copy(), origin[:3, 3].copy())
        if joint.kind == "fixed":
            self.carriers[joint.child] = carrier, placement
            return
        made = _joint_model(joint)
        self.ids[joint.name] = self.model.addJoint(carrier, made, placement, joint.name)
        self.carriers[joint.child] = self.ids[joint.name], pin.SE3.Identity()

    def numbers(self, name: str, q: Floats) -> Floats:
        """Return the numbers of a joint; a mimic follows its leader."""
        joint = self.joints[name]
        if joint.mimic is not None:
            leader = self.numbers(joint.mimic.joint, q)
            return np.asarray(joint.mimic.multiplier * leader + joint.mimic.offset)
        return q[self.start[name] : self.start[name] + joint.width]

    def poses(self, q: Floats) -> dict[str, Floats]:
        """Return the poses of all links at a configuration of the robot."""
        own = pin.neutral(self.model)
        for name, i in self.ids.items():
            at = self.model.idx_qs[i]
            own[at : at + self.model.nqs[i]] = self.numbers(name, q)
        pin.forwardKinematics(self.model, self.data, own)
        return {
            link: np.array((self.data.oMi[i] * at).homogeneous)
            for link, (i, at) in self.carriers.items()
        }

    def between(self, q0: Floats, q1: Floats, t: float) -> Floats:
        """Return the configuration at time t of a straight motion; floating joints turn evenly."""
        q = np.asarray(q0 + t * (q1 - q0))
        for name, joint in self.joints.items():
            if joint.kind == "floating" and joint.mimic is None:
                part = slice(self.start[name] + 3, self.start[name] + 7)
                ends = Rotation.from_quat(np.array([q0[part], q1[part]]))
                q[part] = Slerp([0.0, 1.0], ends)(t).as_quat()
        return q


def _joint_model(joint: tc.Joint) -> Any:
    axis = np.array(joint.axis, dtype=float)
    if joint.kind == "prismatic":
        return pin.JointModelPrismaticUnaligned(axis)
    if joint.kind == "floating":
        return pin.JointModelFreeFlyer()
    if joint.kind == "planar":
        assert tuple(axis) == (0.0, 0.0, 1.0), "planar joints of this oracle turn about z"
        made = pin.JointModelComposite(pin.JointModelPX())
        made.addJoint(pin.JointModelPY())
        made.addJoint(pin.JointModelRZ())
        return made
    return pin.JointModelRevoluteUnaligned(axis)
