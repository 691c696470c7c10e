"""Forward dynamics by Pinocchio, in the velocities of articulated bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import toccata as tc

from .articulated import GRAVITY, RATES, Floats

pin: Any = pytest.importorskip("pinocchio", reason="the judge of accelerations needs pin")


class PinocchioBody:
    """A robot without mimics as a model of Pinocchio.

    A planar joint is two shifts and a turn. Pinocchio's velocities of a free flyer are in its own
    axes; our velocities are in the axes of the joint's origin.
    """

    def __init__(self, robot: tc.Robot, masses: dict[str, tc.MassProperties]) -> None:
        self.joints, self.model = robot.joints, pin.Model()
        self.model.gravity.linear = GRAVITY
        ids = {"ground": 0}
        for joint in robot.joints:
            origin = np.asarray(joint.origin)
            offset = pin.SE3(origin[:3, :3], origin[:3, 3])
            number = self.model.addJoint(ids[joint.parent], _joint(joint), offset, joint.name)
            body = masses[joint.child]
            inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
            self.model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
            ids[joint.child] = number
        self.data = self.model.createData()

    def acceleration(self, q: Floats, v: Floats, tau: Floats) -> Floats:
        """Return the accelerations of `pinocchio.aba`, in our velocities."""
        rates, forces, turns = v.copy(), tau.copy(), []
        at = rate = 0
        for joint in self.joints:
            if joint.kind == "floating":
                turn = Rotation.from_quat(q[at + 3 : at + 7]).as_matrix()
                for part in (slice(rate, rate + 3), slice(rate + 3, rate + 6)):
                    rates[part], forces[part] = turn.T @ v[part], turn.T @ tau[part]
                turns.append((slice(rate, rate + 3), slice(rate + 3, rate + 6), turn))
            at, rate = at + joint.width, rate + RATES[joint.kind]
        a = pin.aba(self.model, self.data, q, rates, forces).copy()
        for linear, angular, turn in turns:
            carried = np.cross(rates[angular], rates[linear])
            a[linear], a[angular] = turn @ (a[linear] + carried), turn @ a[angular]
        return a


def _joint(joint: tc.Joint) -> Any:
    axis = np.asarray(joint.axis)
    if joint.kind == "prismatic":
        return pin.JointModelPrismaticUnaligned(axis)
    if joint.kind == "floating":
        return pin.JointModelFreeFlyer()
    if joint.kind == "planar":
        both = pin.JointModelComposite(3)
        for direction in joint.axes()[:2]:
            both.addJoint(pin.JointModelPrismaticUnaligned(direction), pin.SE3.Identity())
        both.addJoint(pin.JointModelRevoluteUnaligned(axis), pin.SE3.Identity())
        return both
    return pin.JointModelRevoluteUnaligned(axis)
