"""Simulation of rigid and articulated bodies without penetration, and a body moved by hand."""

from ._articulated import ArticulatedBody, step_bodies
from ._assembly import Assembly, AssemblyStatus, assemble
from ._inertias import frame_inertias, inertias_from_mjcf
from ._log import WorldLog
from ._manipulator import Contacts, Manipulator, Move, MoveStatus
from ._mass import MassProperties
from ._path import MotionPath
from ._report import Impacts, StepReport, WorldContacts
from ._world import World
from ._world_state import WorldState

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
