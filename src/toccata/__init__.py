"""Certified continuous collision detection for rigid bodies, robots and deforming meshes."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from toccata import elementary, surfaces
from toccata._audit import Audit, audit
from toccata._bodies import SceneBody
from toccata._deforming import (
    DeformingMesh,
    StepClusters,
    StepContacts,
    StepStats,
    deforming_contacts,
)
from toccata._mesh import Mesh
from toccata._motion import Motion, pose
from toccata._proximity import (
    ClearanceBatch,
    Distance,
    Distances,
    Proximities,
    SceneDistances,
    distance,
    distance_batch,
    proximities,
)
from toccata._query import (
    ContactSequence,
    clearance,
    clearance_batch,
    contact_intervals,
    first_contact,
    first_contact_batch,
    first_contact_pairs,
)
from toccata._result import (
    FEATURES,
    Answer,
    Batch,
    Clearance,
    Contact,
    SceneContacts,
    Stats,
    Status,
)
from toccata._robot import (
    Joint,
    JointGroup,
    Link,
    Mimic,
    PinocchioOrder,
    Robot,
    RobotBatch,
    RobotClearance,
    RobotContact,
    RobotDistances,
    RobotSequence,
    combine,
)
from toccata._scene import Scene
from toccata._scene_sequence import SceneSequence
from toccata._sequence import Frame, TopologyChange, sequence_contacts
from toccata.dynamics import MassProperties
from toccata.surfaces import Surface

if TYPE_CHECKING:
    from toccata import view

    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == "view":  # most programs draw nothing
            return _import_module("toccata.view")
        if name == "__version__":  # reading it takes a sixth of the import time
            return _import_module("importlib.metadata").version("toccata")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FEATURES",
    "Answer",
    "Audit",
    "Batch",
    "Clearance",
    "ClearanceBatch",
    "Contact",
    "ContactSequence",
    "DeformingMesh",
    "Distance",
    "Distances",
    "Frame",
    "Joint",
    "JointGroup",
    "Link",
    "MassProperties",
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
    "SceneBody",
    "SceneContacts",
    "SceneDistances",
    "SceneSequence",
    "Stats",
    "Status",
    "StepClusters",
    "StepContacts",
    "StepStats",
    "Surface",
    "TopologyChange",
    "audit",
    "clearance",
    "clearance_batch",
    "combine",
    "contact_intervals",
    "deforming_contacts",
    "distance",
    "distance_batch",
    "elementary",
    "first_contact",
    "first_contact_batch",
    "first_contact_pairs",
    "pose",
    "proximities",
    "sequence_contacts",
    "surfaces",
    "view",
]
