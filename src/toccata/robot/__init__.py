"""Robots and other articulated models."""

from toccata.robot.bases import combine
from toccata.robot.clearance import RobotClearance
from toccata.robot.contact import RobotBatch, RobotContact
from toccata.robot.distances import RobotDistances
from toccata.robot.groups import JointGroup
from toccata.robot.parts import Joint, Link, Mimic
from toccata.robot.pinocchio_order import PinocchioOrder
from toccata.robot.robot import Robot
from toccata.robot.sequence import RobotSequence

__all__ = [
    "Joint",
    "JointGroup",
    "Link",
    "Mimic",
    "PinocchioOrder",
    "Robot",
    "RobotBatch",
    "RobotClearance",
    "RobotContact",
    "RobotDistances",
    "RobotSequence",
    "combine",
]
