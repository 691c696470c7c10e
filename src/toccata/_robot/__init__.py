"""Robots and other articulated models."""

from toccata._robot.answers import RobotBatch, RobotClearance, RobotContact, RobotDistances
from toccata._robot.bases import combine
from toccata._robot.parts import Joint, JointGroup, Link, Mimic
from toccata._robot.pinocchio_order import PinocchioOrder
from toccata._robot.robot import Robot
from toccata._robot.sequence import RobotSequence

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
