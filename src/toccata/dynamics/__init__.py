"""Rigid bodies that move by forces and contacts: a world of them, or one that is moved by hand."""

from .articulated import ArticulatedBody, step_bodies
from .assembly import Assembly, AssemblyStatus, assemble
from .inertias import frame_inertias, inertias_from_mjcf
from .log import WorldLog
from .manipulator import Contacts, Manipulator, Move, MoveStatus
from .mass import MassProperties
from .path import MotionPath
from .report import Impacts, StepReport, WorldContacts
from .world import World
from .world_state import WorldState

__all__ = [
    "ArticulatedBody",
    "Assembly",
    "AssemblyStatus",
    "Contacts",
    "Impacts",
    "Manipulator",
    "MassProperties",
    "MotionPath",
    "Move",
    "MoveStatus",
    "StepReport",
    "World",
    "WorldContacts",
    "WorldLog",
    "WorldState",
    "assemble",
    "frame_inertias",
    "inertias_from_mjcf",
    "step_bodies",
]
