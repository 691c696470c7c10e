"""Certified first time of contact of moving triangle models."""

from importlib.metadata import version as _version

from toccata import elementary, surfaces
from toccata.auditing import Audit, audit
from toccata.deforming import DeformingMesh, StepContacts, StepStats, deforming_contacts
from toccata.mesh import Mesh
from toccata.motion import Motion, pose
from toccata.query import (
    ContactSequence,
    clearance,
    contact_intervals,
    first_contact,
    first_contact_batch,
    first_contact_pairs,
)
from toccata.result import Answer, Batch, Clearance, Contact, SceneContacts, Stats, Status
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
    combine,
)
from toccata.scene import Scene
from toccata.sequence import Frame, sequence_contacts
from toccata.surfaces import Surface

__version__ = _version("toccata")

__all__ = [
    "Answer",
    "Audit",
    "Batch",
    "Clearance",
    "Contact",
    "ContactSequence",
    "DeformingMesh",
    "Frame",
    "Joint",
    "Link",
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
    "SceneContacts",
    "Stats",
    "Status",
    "StepContacts",
    "StepStats",
    "Surface",
    "audit",
    "clearance",
    "combine",
    "contact_intervals",
    "deforming_contacts",
    "elementary",
    "first_contact",
    "first_contact_batch",
    "first_contact_pairs",
    "pose",
    "sequence_contacts",
    "surfaces",
]
