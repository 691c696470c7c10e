"""Certified first time of contact of moving triangle models."""

from importlib.metadata import version as _version

from toccata import elementary, surfaces
from toccata.deforming import DeformingMesh, StepContacts, StepStats, deforming_contacts
from toccata.mesh import Mesh
from toccata.motion import Motion, pose
from toccata.near import (
    FEATURES,
    Distance,
    Distances,
    Proximities,
    distance,
    distance_batch,
    proximities,
)
from toccata.query import ContactSequence, first_contact, first_contact_batch
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
    RobotDistances,
    RobotSequence,
)
from toccata.scene import Scene
from toccata.sequence import Frame, sequence_contacts
from toccata.surfaces import Surface

__version__ = _version("toccata")

__all__ = [
    "FEATURES",
    "Answer",
    "Batch",
    "Contact",
    "ContactSequence",
    "DeformingMesh",
    "Distance",
    "Distances",
    "Frame",
    "Joint",
    "Link",
    "Mesh",
    "Mimic",
    "Motion",
    "PinocchioOrder",
    "Proximities",
    "Robot",
    "RobotBatch",
    "RobotClearance",
    "RobotContact",
    "RobotDistances",
    "RobotSequence",
    "Scene",
    "Stats",
    "Status",
    "StepContacts",
    "StepStats",
    "Surface",
    "deforming_contacts",
    "distance",
    "distance_batch",
    "elementary",
    "first_contact",
    "first_contact_batch",
    "pose",
    "proximities",
    "sequence_contacts",
    "surfaces",
]
