"""Frames of deforming meshes as rows: vertices, and the topology if it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import MOST_INDEX, Floats, as_shape
from toccata._topology import Indices, inherited_origins
from toccata.scale._columns import ragged
from toccata.scale._source import Source

TOPOLOGY = ("faces", "edges", "points", "groups", "origin")
COLUMNS = ("vertices", *TOPOLOGY, "start")
Change = Literal["none", "mapped", "unknown"]


@dataclass(frozen=True, slots=True, eq=False)
class FrameRow:
    """The values of a row; None for a null."""

    vertices: Floats | None = None
    faces: Indices | None = None
    edges: Indices | None = None
    points: Indices | None = None
    groups: Indices | None = None
    origin: Indices | None = None
    """Origin of each vertex in the previous frame, (n,); -1 for a new vertex."""
    start: Floats | None = None
    """Positions of the vertices at the previous frame, with the new topology, (n, 3)."""
    broken: bool = False
    """True if the topology is malformed. The mesh is then unknown from this row on."""


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """A mesh without positions: the topology of the last row with faces, and its lineage.

    A row with faces defines the whole topology. A null stands for no edges, points or groups.
    """

    faces: Indices
    edges: Indices | None = None
    points: Indices | None = None
    groups: Indices | None = None
    lineage: Indices | None = None
    """Ancestor of each vertex, (n,); None if all ancestors are different."""

    @classmethod
    def of(cls, row: FrameRow) -> Topology:
        """Return the topology of a row with faces."""
        assert row.faces is not None
        return cls(row.faces, row.edges, row.points, row.groups)

    def after(self, row: FrameRow) -> tuple[Topology, Change]:
        """Return the topology of the next row, and the kind of change."""
        if row.faces is None:
            return self, "none"
        own = Topology.of(row)
        if row.origin is None:
            same = all(
                np.array_equal(_ids(getattr(self, name)), _ids(getattr(row, name)))
                for name in ("faces", "edges", "points")
            )
            return (self, "none") if same else (own, "unknown")
        groups = own.groups if own.groups is not None else self._inherited(row.origin)
        return replace(own, lineage=self._lineage(row.origin), groups=groups), "mapped"

    def _lineage(self, origin: Indices) -> Indices | None:
        """Compose origins. If an origin is out of range, all vertices are new."""
        before = self.lineage
        if before is None:
            before = np.arange(origin.max(initial=-1) + 1, dtype=np.int32)
        if origin.max(initial=-1) >= len(before) or origin.min(initial=0) < -1:
            return None
        return inherited_origins(before, origin)[0]

    def _inherited(self, origin: Indices) -> Indices | None:
        """Return the groups of the origins. New vertices are in group 0."""
        if self.groups is None or origin.max(initial=-1) >= len(self.groups):
            return None
        return np.where(origin >= 0, self.groups[origin], 0).astype(np.int32)


def _ids(values: Indices | None) -> NDArray[Any]:
    return np.empty(0) if values is None else np.ravel(values)


@dataclass(frozen=True, slots=True)
class FrameReader:
    """Reads the frames of a source."""

    source: Source
    columns: Mapping[str, str]
    """Columns of the source by names in `COLUMNS`."""

    def rows(self, start: int, stop: int, only: tuple[str, ...] = COLUMNS) -> Iterator[FrameRow]:
        """Yield frames one by one, with the columns in `only`."""
        wanted = {name: column for name, column in self.columns.items() if name in only}
        for table in self.source.each(start, stop, list(wanted.values())):
            yield _frame_row({name: table[at] for name, at in wanted.items()})

    def topology(self, begin: int, row: int, faces: Indices | None) -> Topology | None:
        """Return the topology at a row of the sequence that starts at `begin`; None if unknown.

        `faces` are the faces of all frames, if the source has no column of faces.
        """
        if faces is not None:
            return Topology(faces)
        first = begin if self._has_origins(begin, row) else self._last_faces(begin, row)
        known: Topology | None = None
        for frame in self.rows(first, row + 1, TOPOLOGY):
            if frame.broken:
                known = None
            elif known is not None:
                known, _ = known.after(frame)
            elif frame.faces is not None:
                known = Topology.of(frame)
        return known

    def _has_origins(self, begin: int, row: int) -> bool:
        if "origin" not in self.columns:
            return False
        found = self.source.read(begin, row + 1, [self.columns["origin"]])[0]
        return bool(found.null_count < len(found))

    def _last_faces(self, begin: int, row: int) -> int:
        """Return the last row with faces, or `begin` if no row has faces."""
        for group in reversed(self.source.row_groups_of(begin, row + 1)):
            low = max(self.source.starts[group], begin)
            high = min(self.source.starts[group + 1], row + 1)
            valid = self.source.read(low, high, [self.columns["faces"]])[0].is_valid().to_numpy()
            if valid.any():
                return low + int(np.flatnonzero(valid)[-1])
        return begin


def _frame_row(columns: dict[str, Any]) -> FrameRow:
    """Return a frame without malformed positions, or a broken one if its topology is malformed."""
    values: dict[str, Any] = {}
    malformed: dict[str, Any] = {}
    for name, column in columns.items():
        try:
            values[name] = _value(name, column)
        except ValueError:
            if name in TOPOLOGY:
                return FrameRow(broken=True)
            malformed["vertices"] = None
    return FrameRow(**(values | malformed))


def _value(name: str, column: Any) -> Any:
    """Return a column as an array for a mesh, None for a null. Raise if it is malformed."""
    flat = ragged(column)[0]
    if flat is None:
        return None
    width = {"vertices": 3, "start": 3, "faces": 3, "edges": 2}.get(name, 1)
    if len(flat) % width:
        raise ValueError(f"{name}: expected rows of {width} numbers, got {len(flat)}")
    if name in ("vertices", "start"):
        return as_shape(name, flat.astype(np.float64).reshape(-1, 3), -1, 3)
    if not np.issubdtype(flat.dtype, np.integer):
        raise ValueError(f"{name}: expected integers, got nulls among them")
    if flat.size and not -MOST_INDEX <= int(flat.min()) <= int(flat.max()) <= MOST_INDEX:
        raise ValueError(f"{name}: expected numbers up to {MOST_INDEX}, got {flat.max()}")
    ids = flat.astype(np.int32)
    return ids if width == 1 else ids.reshape(-1, width)
