"""Certified first time of contact of moving triangle models."""

from importlib.metadata import version as _version

from toccata import elementary, surfaces
from toccata.deforming import DeformingMesh, StepContacts, StepStats, deforming_contacts
from toccata.dynamics import MassProperties
from toccata.mesh import Mesh
from toccata.motion import Motion, pose
from toccata.query import (
    ContactSequence,
    contact_intervals,
    first_contact,
    first_contact_batch,
)
from toccata.result import Answer, Batch, Contact, Stats, Status
from toccata.robot import (
    Joint,
    Link,
    Mimic,
    PinocchioOrder,
    Robot,
    RobotBatch,
    RobotClearance,
    RobotContact,
    RobotSequence,
)
from toccata.scene import Scene
from toccata.sequence import Frame, sequence_contacts
from toccata.surfaces import Surface

__version__ = _version("toccata")

__all__ = [
    "Answer",
    "Batch",
    "Contact",
    "ContactSequence",
    "DeformingMesh",
    "Frame",
    "Joint",
    "Link",
    "MassProperties",
    "Mesh",
    "Mimic",
    "Motion",
    "PinocchioOrder",
    "Robot",
    "RobotBatch",
    "RobotClearance",
    "RobotContact",
    "RobotSequence",
    "Scene",
    "Stats",
    "Status",
    "StepContacts",
    "StepStats",
    "Surface",
    "contact_intervals",
    "deforming_contacts",
    "elementary",
    "first_contact",
    "first_contact_batch",
    "pose",
    "sequence_contacts",
    "surfaces",
]
