"""Datasets of deforming meshes: steps from frame to frame, in windows that overlap by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from toccata._arrays import as_rows
from toccata._deforming import DeformingMesh, StepContacts
from toccata._native import core
from toccata._options import step_options
from toccata._result import FEATURES, Status
from toccata._topology import Indices
from toccata.scale._columns import check_numbers
from toccata.scale._files import arrow
from toccata.scale._frames import FrameReader, FrameRow, Topology
from toccata.scale._plan import Part, RowRange
from toccata.scale._question import Found, Named, Question, verdicts
from toccata.scale._source import Source

Step = dict[str, Any]
"""The values of a row of verdicts by column."""
_UNKNOWN = np.full(3, np.nan)
_COLUMNS: dict[str, tuple[Any, Any, tuple[int, ...]]] = {
    "status": (Status.UNDECIDED, np.int8, ()),
    "toc": (0.0, np.float64, ()),
    "safe_until": (0.0, np.float64, ()),
    "feature": (-1, np.int32, ()),
    "corners": ((-1, -1, -1, -1), np.int32, (4,)),
    "starts_overlapping": (False, np.int8, ()),
    "contacts": (0, np.int64, ()),
    "point_a": (_UNKNOWN, np.float64, (3,)),
    "point_b": (_UNKNOWN, np.float64, (3,)),
    "normal": (_UNKNOWN, np.float64, (3,)),
}
"""Value if nothing is proven, type and shape of each column. `corners` are the vertices of the
earliest contact: a vertex and the corners of a face, or the ends of two edges."""
NOT_CHECKED: Step = {name: value for name, (value, *_) in _COLUMNS.items()}
"""A step between meshes with an unknown correspondence of vertices."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameSteps(Question):
    """A query about the step to each frame, except the first frame of a sequence."""

    faces: Indices | None
    """Faces of all frames, if the source has no column of faces."""
    sequence: str | None
    """Column that is constant within each sequence."""
    ignored_groups: list[tuple[int, int]]

    @property
    def model(self) -> Any:
        """The arguments that are not in the source."""
        return self.faces, self.sequence, self.ignored_groups

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The kinds of features in contact."""
        return {"feature": FEATURES}

    def check(self, schema: Any) -> list[str]:
        """Check columns and options."""
        self._step_options()
        notes = [check_numbers(schema, column) for column in self.columns.values()]
        for name, column in self.columns.items():
            kind = schema.field(column).type
            while arrow().types.is_nested(kind):
                kind = kind.value_type
            if name not in ("vertices", "start") and not arrow().types.is_integer(kind):
                raise ValueError(f"column {column!r}: expected integers, got {kind}")
        if self.sequence is not None and self.sequence not in schema.names:
            names = ", ".join(schema.names)
            raise ValueError(f"sequence: expected one of {names}, got {self.sequence!r}")
        self.check_copied(schema, self._found([]))
        return [note for note in notes if note]

    def ranges(self, source: Source, most: int) -> list[RowRange]:
        """Return windows of at most `most` steps, each in one sequence."""
        borders = [0, *self._changes(source), len(source)]
        return [
            RowRange(first, min(first + most, end), begin)
            for begin, end in pairwise(borders)
            for first in range(begin + 1, end, most)
        ]

    def _changes(self, source: Source) -> list[int]:
        """Return the first row of each sequence, except the first sequence."""
        if self.sequence is None:
            return []
        column = source.read(0, len(source), [self.sequence])[0].to_pylist()
        return [row for row, (one, other) in enumerate(pairwise(column), 1) if one != other]

    def answer(self, source: Source, part: Part) -> Any:
        """Return the verdicts of a window. Its first step starts at the frame before the window."""
        reader = FrameReader(source, self.columns)
        known = reader.topology(part.begin, part.start - 1, self.faces)
        walk = FrameWalk(self._step_options(), self.ignored_groups, known)
        rows = reader.rows(part.start - 1, part.stop)
        walk.begin(next(rows))
        steps = [walk.to(row) for row in rows]
        valid = np.array([step is not None for step in steps], dtype=np.bool_)
        ids = [name for name in source.schema.names if name not in self.columns.values()]
        found = self._found([step for step in steps if step is not None])
        return verdicts(source.read(part.start, part.stop, ids), valid, found)

    def _step_options(self) -> core.StepOptions:
        given: Any = {**self.options, "threads": 1}
        return step_options(given)

    def _found(self, steps: list[Step]) -> Found:
        """Return the columns of steps."""
        left_out = set() if self.options.get("contacts") == "all" else {"contacts"}
        if "points" not in self.extras:
            left_out |= {"point_a", "point_b", "normal"}
        found: Found = {
            name: np.array([step[name] for step in steps], dtype=kind).reshape(-1, *shape)
            for name, (_, kind, shape) in _COLUMNS.items()
            if name not in left_out
        }
        return found | {"feature": Named(found["feature"], FEATURES)}


def _step_of(found: StepContacts, faces: Indices) -> Step:
    """Return the verdict of an answer."""
    corners = NOT_CHECKED["corners"]
    if found.pair is not None:
        a, b = found.pair
        is_edges = found.feature == "edge-edge"
        corners = (*found.edges[a], *found.edges[b]) if is_edges else (a, *faces[b])
    return {
        "status": found.status,
        "toc": found.toc,
        "safe_until": found.safe_until,
        "feature": -1 if found.feature is None else FEATURES.index(found.feature),
        "corners": corners,
        "starts_overlapping": found.starts_overlapping,
        "contacts": sum(map(len, (found.vertex_face, found.edge_edge, found.initial_edge_face))),
        "point_a": found.point_a,
        "point_b": found.point_b,
        "normal": found.normal,
    }


class FrameWalk:
    """A walk from frame to frame, with the mesh at the last frame if the last row is valid."""

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
        parts: Any = {"edges": known.edges, "points": known.points, "groups": known.groups}
        try:
            mesh = DeformingMesh(row.vertices, known.faces, **parts, threads=1)
        except ValueError:  # not a mesh: faces without vertices, for example
            return
        lineage = known.lineage
        if lineage is None or len(lineage) != len(row.vertices):
            lineage = np.arange(len(row.vertices), dtype=np.int32)
        mesh._resume(lineage, self._ignored)
        self._mesh = mesh

    def to(self, row: FrameRow) -> Step | None:
        """Take the step to a frame. Return None unless this row and the last row are valid."""
        if row.broken:
            self._topology = self._mesh = None
            return None
        if self._topology is None:
            self._topology = None if row.faces is None else Topology.of(row)
            self.begin(row)
            return None
        self._topology, change = self._topology.after(row)
        mesh, vertices = self._mesh, row.vertices
        if mesh is None or vertices is None:
            self.begin(row)
            return None
        same = change == "none" and len(vertices) == len(mesh.vertices)
        try:
            if same or (change == "mapped" and self._change(mesh, row, self._topology)):
                return _step_of(mesh._advance(vertices, self._options), mesh.faces)
        except ValueError:  # an origin out of range, for example
            self.begin(row)
            return None
        self.begin(row)
        return None if self._mesh is None else NOT_CHECKED

    def _change(self, mesh: DeformingMesh, row: FrameRow, new: Topology) -> bool:
        """Give the mesh a new topology. Return False if positions of new vertices are unknown."""
        assert row.origin is not None
        assert row.vertices is not None
        as_rows("origin", row.origin, len(row.vertices), least=-1, most=len(mesh.vertices) - 1)
        start = row.start
        if start is None:
            if (row.origin < 0).any():
                return False
            start = mesh.vertices[row.origin]
        parts: Any = {"edges": new.edges, "points": new.points, "groups": new.groups}
        mesh.retopologize(start, new.faces, row.origin, **parts)
        return True
