"""Datasets of motions of two rigid bodies, from pose to pose or by twists, one in each row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from toccata.scale._columns import Mask, check_numbers, codes_of, in_source, numbers
from toccata.scale._files import arrow
from toccata.scale._question import (
    Found,
    MotionQuestion,
    Named,
    clearance_columns,
    contact_columns,
)

POSES = ("start_a", "end_a", "start_b", "end_b")
TWISTS = ("linear_a", "angular_a", "linear_b", "angular_b")
BODIES = ("body_a", "body_b")
ARGUMENTS = (*POSES, *TWISTS, *BODIES)


@dataclass(frozen=True, slots=True, eq=False)
class RigidPairs(MotionQuestion):
    """A query about motions of two bodies, which each row may name among several bodies."""

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

    @property
    def _used(self) -> Collection[str]:
        """Columns of poses and twists. Names of bodies are copied to the target."""
        return [self.columns[argument] for argument in self._arguments]

    @property
    def _arguments(self) -> list[str]:
        return [argument for argument in self.columns if argument not in BODIES]

    def check(self, schema: Any) -> list[str]:
        """Check columns, and check options by a query without rows."""
        notes = []
        for argument, column in self.columns.items():
            if argument in BODIES:
                _check_names(schema, column)
            else:
                widths = (16, 7) if argument in POSES else (3,)
                notes.append(check_numbers(schema, column, widths))
        shapes = [(0, 4, 4) if argument in POSES else (0, 3) for argument in self._arguments]
        codes = np.empty((2, 0), dtype=np.int32)
        self.check_copied(schema, self._ask(*map(np.empty, shapes), *codes))
        return [note for note in notes if note]

    def _arrays(self, table: Any) -> tuple[list[NDArray[Any]], Mask]:
        """Return the poses and twists, then the indices of both bodies."""
        arrays, valid = [], np.ones(len(table), dtype=np.bool_)
        for argument in self._arguments:
            column = table[self.columns[argument]]
            rows, fits = _poses(column) if argument in POSES else numbers(column, 3)
            valid &= fits & np.isfinite(rows).reshape(len(table), -1).all(axis=1)
            arrays.append(rows)
        pairs = self._pairs(table)
        return [*arrays, *pairs], valid & (pairs >= 0).all(axis=0)

    def _pairs(self, table: Any) -> NDArray[np.int32]:
        """Return (2, n) indices of the bodies of each row, -1 for an unknown name."""
        if not set(BODIES) & set(self.columns):
            return np.repeat(np.array([[0], [1]], dtype=np.int32), len(table), axis=1)
        names = list(self.bodies)
        return np.array([codes_of(table[self.columns[name]], names) for name in BODIES])

    def _check_motion(self, *arrays: Any) -> None:
        """Raise ValueError unless a row has two motions, for example if a matrix is not rigid."""
        self._motions(dict(zip(self._arguments, arrays, strict=False)), 0)

    def _ask(self, *arrays: Any) -> Found:
        """Return the answers to the motions of both bodies."""
        rows, pairs = dict(zip(self._arguments, arrays, strict=False)), arrays[-2:]
        bodies: list[Any] = list(self.bodies.values())
        if self.ask == "clearance":
            options: Any = dict(self.options)
            body_clearance_options(cast(BodyClearanceOptions, options))  # also without rows
            answers = [
                clearance(bodies[a], bodies[b], *self._motions(rows, i), **options)
                for i, (a, b) in enumerate(zip(*pairs, strict=True))
            ]
            return clearance_columns(answers) | self.clearance_extras(answers)
        given: Any = {**rows, **self.options}
        batch = first_contact_pairs(bodies, *pairs, **given, motion=self.motion, threads=1)
        found = contact_columns(batch)
        if self.ask == "free":
            return found
        codes = np.where(batch.feature == NO_FEATURE, -1, batch.feature.astype(np.int32))
        found |= {"triangle_a": batch.triangle_a, "triangle_b": batch.triangle_b}
        return found | {"feature": Named(codes, FEATURES)} | self.contact_extras(batch)

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
    """Raise ValueError for columns that do not define motions."""
    if "start_a" not in columns:
        raise ValueError(f"columns: start_a is required, got {', '.join(columns)}")
    if len(set(BODIES) & set(columns)) == 1:
        raise ValueError("columns: expected both body_a and body_b, or neither of them")
    for suffix in "ab":
        moves = {f"end_{suffix}", f"linear_{suffix}", f"angular_{suffix}"} & set(columns)
        if moves and f"start_{suffix}" not in columns:
            wanted = f"{min(moves)} needs start_{suffix}"
            raise ValueError(f"columns: {wanted}, got {', '.join(columns)}")
        if f"end_{suffix}" in moves and len(moves) > 1:
            raise ValueError(f"columns: end_{suffix} cannot be combined with a twist")


def _check_names(schema: Any, column: str) -> None:
    types, kind = arrow().types, in_source(schema, column)
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
