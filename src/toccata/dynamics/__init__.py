"""Rigid bodies that move by forces and contacts: what they weigh, and one that is moved by hand."""

from .assembly import Assembly, AssemblyStatus, assemble
from .manipulator import Contacts, Manipulator, Move, MoveStatus
from .mass import MassProperties
from .path import MotionPath

__all__ = [
    "Assembly",
    "AssemblyStatus",
    "Contacts",
    "Manipulator",
    "MassProperties",
    "MotionPath",
    "Move",
    "MoveStatus",
    "assemble",
]
