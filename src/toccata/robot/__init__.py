"""Robots and other articulated models."""

from toccata.robot.contact import RobotBatch, RobotContact
from toccata.robot.parts import Joint, Link, Mimic
from toccata.robot.pinocchio_order import PinocchioOrder
from toccata.robot.robot import Robot

__all__ = ["Joint", "Link", "Mimic", "PinocchioOrder", "Robot", "RobotBatch", "RobotContact"]
