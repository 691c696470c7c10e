"""Certified first time of contact of moving triangle models."""

from importlib.metadata import version as _version

from toccata import surfaces
from toccata.mesh import Mesh
from toccata.motion import Motion, pose
from toccata.query import ContactSequence, first_contact, first_contact_batch
from toccata.result import Batch, Contact, Stats, Status
from toccata.robot import Joint, Link, Mimic, Robot, RobotBatch, RobotContact
from toccata.scene import Scene
from toccata.surfaces import Surface

__version__ = _version("toccata")

__all__ = [
    "Batch",
    "Contact",
    "ContactSequence",
    "Joint",
    "Link",
    "Mesh",
    "Mimic",
    "Motion",
    "Robot",
    "RobotBatch",
    "RobotContact",
    "Scene",
    "Stats",
    "Status",
    "Surface",
    "first_contact",
    "first_contact_batch",
    "pose",
    "surfaces",
]
