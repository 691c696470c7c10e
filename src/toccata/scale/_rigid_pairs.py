"""Datasets of motions of two rigid bodies, from pose to pose or by twists, one in each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._motion import STILL, Motion, MotionRows
from toccata._native import core
from toccata._options import BodyClearanceOptions, body_clearance_options
from toccata._query import clearance, first_contact_pairs
from toccata._result import FEATURES, NO_FEATURE
from toccata.scale._columns import Mask, check_numbers, numbers
from toccata.scale._files import arrow
from toccata.scale._plan import Part
from toccata.scale._question import (
    Found,
    Named,
    Question,
    answer_valid,
    check_ids,
    clearance_columns,
    contact_columns,
    rows_of,
    verdicts,
)
from toccata.scale._source import Source

POSES = ("start_a", "end_a", "start_b", "end_b")
TWISTS = ("linear_a", "angular_a", "linear_b", "angular_b")
BODIES = ("body_a", "body_b")
ARGUMENTS = (*POSES, *TWISTS, *BODIES)


@dataclass(frozen=True, slots=True, eq=False)
class RigidPairs(Question):
    """Motions of two bodies, or of two of many that each row names."""

    bodies: Mapping[str, Mesh]
    motion: Literal["linear", "screw"]

    @property
    def model(self) -> Any:
        """The bodies, and the kind of motion."""
        return self.bodies, self.motion

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The kinds of features in contact."""
        return {"feature": FEATURES} if self.ask == "first_contact" else {}

    def check(self, schema: Any) -> list[str]:
        """Query no rows, which checks the options and gives the columns of verdicts."""
        notes = []
        for argument, column in self.columns.items():
            if argument in BODIES:
                _check_names(schema, column)
            else:
                widths = (16, 7) if argument in POSES else (3,)
                notes.append(check_numbers(schema, column, widths))
        none = {name: np.empty((0, *_shape(name))) for name in self._arguments}
        own = self._ask(none, np.empty((2, 0), dtype=np.int32))
        check_ids(schema, list(self.columns.values()), list(own))
        return [note for note in notes if note]

    def answer(self, source: Source, part: Part) -> Any:
        """Return the verdicts of a part; rows that are not valid motions are INVALID."""
        table = source.read(part.start, part.stop)
        rows, valid = {}, np.ones(len(table), dtype=np.bool_)
        for argument in self._arguments:
            column = table[self.columns[argument]]
            rows[argument], fits = _poses(column) if argument in POSES else numbers(column, 3)
            valid &= fits & np.isfinite(rows[argument]).reshape(len(table), -1).all(axis=1)
        pairs = self._pairs(table)
        valid &= (pairs >= 0).all(axis=0)
        found, valid = answer_valid(
            valid,
            lambda some: self._ask({name: row[some] for name, row in rows.items()}, pairs[:, some]),
            lambda row: self._is_valid({name: every[[row]] for name, every in rows.items()}),
        )
        used = [self.columns[argument] for argument in self._arguments]
        kept = [name for name in table.column_names if name not in used]
        return verdicts(table.select(kept), valid, found)

    @property
    def _arguments(self) -> list[str]:
        """The arguments that are numbers: poses and twists."""
        return [argument for argument in self.columns if argument not in BODIES]

    def _pairs(self, table: Any) -> NDArray[np.int32]:
        """Return (2, n) indices of the bodies of each row, -1 for an unknown name."""
        if not set(BODIES) & set(self.columns):
            return np.repeat(np.array([[0], [1]], dtype=np.int32), len(table), axis=1)
        names = arrow().array(list(self.bodies), arrow().string())
        columns = [table[self.columns[name]].cast(arrow().string()) for name in BODIES]
        codes = [arrow("pyarrow.compute").index_in(column, names) for column in columns]
        return np.array([code.fill_null(-1).to_numpy() for code in codes], dtype=np.int32)

    def _is_valid(self, row: dict[str, Floats]) -> bool:
        """Return whether a row has two motions: a matrix may not be a rigid pose, for example."""
        try:
            self._motions(row, 0)
        except ValueError:
            return False
        return True

    def _ask(self, rows: dict[str, Floats], pairs: NDArray[np.int32]) -> Found:
        if self.ask == "clearance":
            return self._clearances(rows, pairs)
        given: Any = {**rows, **self.options}
        batch = first_contact_pairs(
            list(self.bodies.values()), *pairs, **given, motion=self.motion, threads=1
        )
        found = contact_columns(batch)
        if self.ask == "free":
            return found
        found |= {"triangle_a": batch.triangle_a, "triangle_b": batch.triangle_b}
        codes = batch.feature.astype(np.int32)
        codes[codes == NO_FEATURE] = -1
        found["feature"] = Named(codes, FEATURES)
        extras = ("point_a", "point_b", "normal", "distance")
        return found | self.extra_columns({name: getattr(batch, name) for name in extras})

    def _clearances(self, rows: dict[str, Floats], pairs: NDArray[np.int32]) -> Found:
        bodies, options = list(self.bodies.values()), dict(self.options)
        body_clearance_options(cast(BodyClearanceOptions, options))  # checked for no rows, too
        answers = [
            clearance(bodies[a], bodies[b], *self._motions(rows, i), **options)
            for i, (a, b) in enumerate(pairs.T.tolist())
        ]
        points = {name: rows_of(answers, name, 3) for name in ("point_a", "point_b")}
        extras = self.extra_columns({**points, "distance": rows_of(answers, "distance")})
        return clearance_columns(answers) | extras

    def _motions(self, rows: dict[str, Floats], row: int) -> tuple[Motion, Motion]:
        """Return the motions of both bodies of a row."""
        return self._motion(rows, row, "_a"), self._motion(rows, row, "_b")

    def _motion(self, rows: dict[str, Floats], row: int, suffix: str) -> Motion:
        if f"start{suffix}" not in rows:
            return STILL
        start = rows[f"start{suffix}"]
        given = (rows.get(f"{name}{suffix}") for name in ("end", "linear", "angular"))
        own = MotionRows.of(start, *given, count=len(start), suffix=suffix)
        if self.motion == "screw" and len(own.end):
            return Motion.screw(own.start[row], own.end[row])
        return own.motion(row)


def check_arguments(columns: Sequence[str]) -> None:
    """Raise for columns that do not define motions."""
    if "start_a" not in columns:
        raise ValueError(f"columns: expected start_a among them, got {', '.join(columns)}")
    if len(set(BODIES) & set(columns)) == 1:
        raise ValueError("columns: expected both body_a and body_b or neither, got one")
    for suffix in "ab":
        moves = {f"end_{suffix}", f"linear_{suffix}", f"angular_{suffix}"} & set(columns)
        if moves and f"start_{suffix}" not in columns:
            wanted = f"{min(moves)} needs start_{suffix}"
            raise ValueError(f"columns: {wanted}, got {', '.join(columns)}")
        if f"end_{suffix}" in moves and len(moves) > 1:
            raise ValueError(f"columns: expected end_{suffix} or a twist, got both")


def _shape(argument: str) -> tuple[int, ...]:
    return (4, 4) if argument in POSES else (3,)


def _check_names(schema: Any, column: str) -> None:
    types = arrow().types
    if column not in schema.names:
        raise ValueError(
            f"columns: expected {column!r} in the source, got {', '.join(schema.names)}"
        )
    kind = schema.field(column).type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    if not (types.is_string(kind) or types.is_large_string(kind)):
        raise ValueError(f"column {column!r}: expected names of bodies, got {kind}")


def _poses(column: Any) -> tuple[Floats, Mask]:
    """Return poses from rows of 16 numbers (a matrix by rows) or 7 (position, quaternion xyzw)."""
    matrices, fits = numbers(column, 16)
    poses = matrices.reshape(-1, 4, 4)
    if fits.all():
        return poses, fits
    short, fits_short = numbers(column, 7)
    xyzw = core.RotationKind.quat_xyzw
    for row in np.flatnonzero(fits_short & np.isfinite(short).all(axis=1)):
        try:
            core.fill_pose(poses[row], short[row, :3], xyzw, short[row, 3:])
        except ValueError:  # not a rotation
            fits_short[row] = False
    return poses, fits | fits_short
