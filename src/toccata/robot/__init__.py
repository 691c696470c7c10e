"""Robots and other articulated models."""

from toccata.robot.clearance import RobotClearance
from toccata.robot.contact import RobotBatch, RobotContact
from toccata.robot.parts import Joint, Link, Mimic
from toccata.robot.robot import Robot

__all__ = ["Joint", "Link", "Mimic", "Robot", "RobotBatch", "RobotClearance", "RobotContact"]
