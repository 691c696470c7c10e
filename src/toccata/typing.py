"""Types of arguments, for annotations in programs that use Toccata.

Functions that pass options on to a query annotate them by the class of these options:
`def check(start, end, **options: Unpack[RigidOptions])`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

from toccata._options import (
    BodyClearanceOptions,
    ClearanceOptions,
    ClearancePathOptions,
    IntervalOptions,
    PairOptions,
    PathOptions,
    RigidOptions,
    RobotFreeOptions,
    RobotIntervalOptions,
    RobotIntervalPathOptions,
    RobotOptions,
    RobotPathOptions,
    RobotSequenceOptions,
    SceneOptions,
    SequenceOptions,
    StepOptions,
)

if TYPE_CHECKING:
    from toccata._mesh import Mesh
    from toccata._motion import Motion
    from toccata._scene import Scene

__all__ = [
    "BodyClearanceOptions",
    "BodyLike",
    "ClearanceOptions",
    "ClearancePathOptions",
    "IntervalOptions",
    "MotionLike",
    "PairOptions",
    "PathOptions",
    "PoseLike",
    "RigidOptions",
    "RobotFreeOptions",
    "RobotIntervalOptions",
    "RobotIntervalPathOptions",
    "RobotOptions",
    "RobotPathOptions",
    "RobotSequenceOptions",
    "SceneLike",
    "SceneOptions",
    "SequenceOptions",
    "StepOptions",
    "TriangleMesh",
    "WaypointsLike",
    "WorldLike",
]


class TriangleMesh(Protocol):
    """An object with triangles, such as a `trimesh.Trimesh`."""

    @property
    def vertices(self) -> Any:
        """Coordinates, (n, 3)."""

    @property
    def faces(self) -> Any:
        """Vertex indices, (m, 3)."""


class SceneLike(Protocol):
    """A `trimesh.Scene`."""

    @property
    def graph(self) -> Any:
        """Poses of the nodes."""

    @property
    def geometry(self) -> Any:
        """Meshes by name."""


PoseLike: TypeAlias = ArrayLike
"""A (4, 4) rigid pose, column vectors."""
BodyLike: TypeAlias = "Mesh | TriangleMesh"
"""A `toccata.Mesh`, a `toccata.Surface` or a `trimesh.Trimesh`."""
MotionLike: TypeAlias = "Motion | PoseLike"
"""A `toccata.Motion`, or a (4, 4) pose for a body that does not move."""
WorldLike: TypeAlias = "Scene | SceneLike | BodyLike | None"
"""The bodies around a robot: a scene, one body, or None for an empty world."""
WaypointsLike: TypeAlias = ArrayLike | Mapping[str, tuple[ArrayLike, ArrayLike]]
"""Configurations, (n, dof), or {name: (times, configurations)} for combined robots."""
