"""Walk through the frames of a sequence, with one row of verdicts for each step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toccata._arrays import Floats, as_rows
from toccata._deforming import DeformingMesh, StepContacts
from toccata._native import core
from toccata._result import FEATURES, Status
from toccata._topology import Indices
from toccata.scale._frames import FrameRow, Topology

_UNKNOWN = np.full(3, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The values of a row of verdicts."""

    status: Status
    toc: float
    safe_until: float
    feature: int = -1
    corners: tuple[int, ...] = (-1, -1, -1, -1)
    """Vertices of the earliest contact: those of a vertex and a face, or of two edges."""
    starts_overlapping: bool = False
    contacts: int = 0
    points: tuple[Floats, ...] = (_UNKNOWN, _UNKNOWN, _UNKNOWN)

    @classmethod
    def of(cls, found: StepContacts, faces: Indices) -> Step:
        """Return the values for an answer."""
        return cls(
            found.status,
            found.toc,
            found.safe_until,
            -1 if found.feature is None else FEATURES.index(found.feature),
            _corners(found, faces),
            found.starts_overlapping,
            len(found.vertex_face) + len(found.edge_edge) + len(found.initial_edge_face),
            (found.point_a, found.point_b, found.normal),
        )


NOT_CHECKED = Step(Status.UNDECIDED, 0.0, 0.0)
"""A step between meshes with an unknown correspondence of vertices: nothing is proven."""


def _corners(found: StepContacts, faces: Indices) -> tuple[int, ...]:
    if found.pair is None:
        return NOT_CHECKED.corners
    a, b = found.pair
    if found.feature == "edge-edge":
        return (*found.edges[a].tolist(), *found.edges[b].tolist())
    return (a, *faces[b].tolist())


class FrameWalk:
    """The mesh at the last frame, if the last row is a valid frame."""

    def __init__(
        self,
        options: core.StepOptions,
        ignored_groups: list[tuple[int, int]],
        topology: Topology | None,
    ) -> None:
        """Start with the topology of the frame before the first step."""
        self._options, self._ignored = options, ignored_groups
        self._topology = topology
        self._mesh: DeformingMesh | None = None

    def begin(self, row: FrameRow) -> None:
        """Start at a frame, without a step that leads to it."""
        self._mesh = None
        known = self._topology
        if known is None or row.vertices is None:
            return
        try:
            mesh = DeformingMesh(
                row.vertices,
                known.faces,
                edges=known.edges,
                points=known.points,
                groups=known.groups,
                threads=1,
            )
        except ValueError:  # not a mesh: faces without vertices, for example
            return
        lineage = known.lineage
        if lineage is None or len(lineage) != len(row.vertices):
            lineage = np.arange(len(row.vertices), dtype=np.int32)
        mesh._resume(lineage, self._ignored)
        self._mesh = mesh

    def to(self, row: FrameRow) -> Step | None:
        """Take the step to a frame; None unless this row and the one before are valid frames."""
        if row.broken:
            self._topology = self._mesh = None
            return None
        if self._topology is None:
            self._topology = None if row.faces is None else Topology.of(row)
            self.begin(row)
            return None
        self._topology, change = self._topology.after(row)
        before, count = self._mesh, 0 if self._mesh is None else len(self._mesh.vertices)
        if before is None or row.vertices is None:
            self.begin(row)
            return None
        if change == "unknown" or (change == "none" and len(row.vertices) != count):
            self.begin(row)
            return None if self._mesh is None else NOT_CHECKED
        return self._step(before, row, changed=change == "mapped")

    def _step(self, mesh: DeformingMesh, row: FrameRow, *, changed: bool) -> Step | None:
        assert row.vertices is not None
        try:
            if changed and not self._change(mesh, row):
                self.begin(row)
                return None if self._mesh is None else NOT_CHECKED
            return Step.of(mesh._advance(row.vertices, self._options), mesh.faces)
        except ValueError:  # an origin out of range, for example
            self.begin(row)
            return None

    def _change(self, mesh: DeformingMesh, row: FrameRow) -> bool:
        """Give the mesh its new topology at the frame before; False if its vertices are unknown."""
        own = self._topology
        assert own is not None
        assert row.origin is not None
        assert row.vertices is not None
        as_rows("origin", row.origin, len(row.vertices), least=-1, most=len(mesh.vertices) - 1)
        start = row.start
        if start is None:
            if (row.origin < 0).any():
                return False
            start = mesh.vertices[row.origin]
        mesh.retopologize(
            start, own.faces, row.origin, edges=own.edges, points=own.points, groups=own.groups
        )
        return True
