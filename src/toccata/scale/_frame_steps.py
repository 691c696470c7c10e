"""Datasets of deforming meshes: steps from frame to frame, in windows that overlap by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._native import core
from toccata._options import step_options
from toccata._result import FEATURES
from toccata._topology import Indices
from toccata.scale._columns import check_numbers
from toccata.scale._files import arrow
from toccata.scale._frame_walk import FrameWalk, Step
from toccata.scale._frames import FrameReader
from toccata.scale._plan import Part, RowRange
from toccata.scale._question import Found, Named, Question, check_ids, verdicts
from toccata.scale._source import Source


@dataclass(frozen=True, slots=True, eq=False)
class FrameSteps(Question):
    """The step that leads to each frame but the first of a sequence."""

    faces: Indices | None
    """Faces of all frames, if the source has no column for them."""
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
            if name not in ("vertices", "start"):
                _check_whole(schema, column)
        if self.sequence is not None and self.sequence not in schema.names:
            names = ", ".join(schema.names)
            raise ValueError(f"sequence: expected one of {names}, got {self.sequence!r}")
        check_ids(schema, list(self.columns.values()), list(self._found([])))
        return [note for note in notes if note]

    def ranges(self, source: Source, most: int) -> list[RowRange]:
        """Return windows: at most `most` steps of one sequence each."""
        borders = [0, *self._changes(source), len(source)]
        return [
            RowRange(first, min(first + most, end), begin)
            for begin, end in pairwise(borders)
            for first in range(begin + 1, end, most)
        ]

    def _changes(self, source: Source) -> list[int]:
        """Return the first row of each sequence but the first."""
        if self.sequence is None:
            return []
        column = source.read(0, len(source), [self.sequence])[0].to_pylist()
        return [row for row, (one, other) in enumerate(pairwise(column), 1) if one != other]

    def answer(self, source: Source, part: Part) -> Any:
        """Return the verdicts of a window; its first step starts at the frame before it."""
        reader = FrameReader(source, self.columns)
        known = reader.topology(part.begin, part.start - 1, self.faces)
        walk = FrameWalk(self._step_options(), self.ignored_groups, known)
        rows = reader.rows(part.start - 1, part.stop)
        walk.begin(next(rows))
        found = self._found([walk.to(row) for row in rows])
        ids = [name for name in source.schema.names if name not in self.columns.values()]
        return verdicts(source.read(part.start, part.stop, ids), found.pop("valid"), found)

    def _step_options(self) -> core.StepOptions:
        given: Any = {**self.options, "threads": 1}
        return step_options(given)

    def _found(self, steps: list[Step | None]) -> Found:
        """Return the columns of the known steps; `valid` is the mask of their rows."""
        known = [step for step in steps if step is not None]

        def column(name: str, kind: Any, *row: int) -> NDArray[Any]:
            values = np.array([getattr(step, name) for step in known], dtype=kind)
            return values.reshape(-1, *row) if row else values

        found: Found = {
            "valid": np.array([step is not None for step in steps], dtype=np.bool_),
            "status": column("status", np.int8),
            "toc": column("toc", np.float64),
            "safe_until": column("safe_until", np.float64),
            "feature": Named(column("feature", np.int32), FEATURES),
            "corners": column("corners", np.int32, 4),
            "starts_overlapping": column("starts_overlapping", np.int8),
        }
        if self.options.get("contacts") == "all":
            found["contacts"] = column("contacts", np.int64)
        if "points" in self.extras:
            points = column("points", np.float64, 3, 3)
            found |= {"point_a": points[:, 0], "point_b": points[:, 1], "normal": points[:, 2]}
        return found


def _check_whole(schema: Any, column: str) -> None:
    kind = schema.field(column).type
    while arrow().types.is_nested(kind):
        kind = kind.value_type
    if not arrow().types.is_integer(kind):
        raise ValueError(f"column {column!r}: expected integers, got {kind}")
