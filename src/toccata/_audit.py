"""Is a recorded motion free of contact, also between its rows?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._options import RigidOptions
from toccata._pose_log import PoseLog
from toccata._query import first_contact
from toccata._result import Answer, SceneContacts, Status
from toccata._scene import Scene

KINDS = ("overlap", "penetration", "tunnelling", "undecided")
"""Codes of `Audit.kind`: in contact in the first row; in contact in a later row, and not in the one
before; in contact between two rows only, where whoever wrote the log did not look; not known."""
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Audit(Answer):
    """What is wrong with a log, by the log's own clock.

    It has a row for the first contact of each pair, by rising time; and one for the first step in
    which a pair is undecided, if that comes before. `toc`, `safe_until` and `status` are those of
    the first row: before `safe_until` no pair is in contact, between rows of the log either.
    """

    names: tuple[str, ...]
    steps: int
    """Of the log: one less than its rows."""
    body_a: Indices
    """(k,) rows of `names`."""
    body_b: Indices
    kind: Indices
    """(k,) codes; `Audit.KINDS` names them."""
    step: Indices
    """(k,) from which row of the log it starts."""
    time: Floats
    """(k,) when; nothing before it is in contact."""
    point_a: Floats
    """(k, 3) where, NaN if that is not known."""
    point_b: Floats
    KINDS: ClassVar[tuple[str, ...]] = KINDS
    """Names of the codes in `kind`."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.time)


class _Row(NamedTuple):
    time: float
    body_a: int
    body_b: int
    kind: int
    step: int
    point_a: Floats
    point_b: Floats


def audit(
    log: Any,
    meshes: Mapping[str, Any] | None = None,
    *,
    ignore: Iterable[tuple[str, str]] = (),
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[RigidOptions],
) -> Audit:
    """Certify a log of poses free of contact, or tell the first contact of each pair.

    Between two rows of the log each body moves as `Motion.linear` does, and links of its robots as
    joints do that keep their rates. A pair that has been in contact is not looked at again.

    Args:
        log: a file (.npz, .csv, .parquet) or a mapping of arrays, as docs/scenes.md says; or a
            `PoseLog`.
        meshes: bodies by name, for those whose triangles are not in the log.
        ignore: pairs of names that may touch.
        progress: is called with the number of steps done and that of all.
        tolerance, separation, initial, method, w: as for `first_contact`; a log may have a
            tolerance of its own.
        budget: units of work of one pair in one step.

    """
    record = log if isinstance(log, PoseLog) else PoseLog.read(log, meshes)
    if options.get("tolerance") is None and record.tolerance is not None:
        options["tolerance"] = record.tolerance
    scene = Scene()
    for name, mesh in zip(record.names, record.meshes, strict=True):
        scene.add(name, mesh)
    for a, b in (*ignore, *((record.names[i], record.names[j]) for i, j in record.ignored)):
        scene.ignore(a, b)
    rows: list[_Row] = []
    doubted: set[tuple[int, int]] = set()
    steps = len(record.times) - 1
    chosen = options.get("tolerance") is None
    tolerance = options.get("tolerance") or scene._default_tolerance()
    for step in range(steps):
        try:
            scene.move_all(record.poses[step], record.poses[step + 1])
        except ValueError as error:
            raise ValueError(f"poses, step {step}: {error}") from error
        for robot in record.robots:
            for body, motion in robot.motions(step).items():
                scene.move(record.names[body], motion)
        found = scene.contacts(**options)
        if chosen:
            tolerance = max(tolerance, scene._default_tolerance())
        for i, status in enumerate(found.status):
            pair = int(found.body_a[i]), int(found.body_b[i])
            if status != Status.UNDECIDED:
                scene.ignore(*(record.names[k] for k in pair))
            elif pair in doubted:
                continue
            else:
                doubted.add(pair)
            rows.append(_row_of(record, step, found, i, options))
        if progress is not None:
            progress(step + 1, steps)
    rows.sort(key=lambda row: row[:3])
    return _answer(record, rows, tolerance)


def _row_of(
    record: PoseLog, step: int, found: SceneContacts, i: int, options: RigidOptions
) -> _Row:
    a, b = int(found.body_a[i]), int(found.body_b[i])
    kind = KINDS.index(_kind_of(record, step, found.status[i], (a, b), options))
    time = _time_of(record, step, found.toc[i])
    return _Row(time, a, b, kind, step, found.point_a[i], found.point_b[i])


def _kind_of(
    record: PoseLog, step: int, status: int, bodies: tuple[int, int], options: RigidOptions
) -> str:
    if status == Status.UNDECIDED:
        return "undecided"
    if status == Status.INITIAL_OVERLAP:
        return "overlap" if step == 0 else "penetration"
    mesh_a, mesh_b = (record.meshes[k] for k in bodies)
    end_a, end_b = record.poses[step + 1, list(bodies)]
    touches = first_contact(mesh_a, mesh_b, end_a, end_b, **options)
    return "penetration" if touches else "tunnelling"


def _time_of(record: PoseLog, step: int, toc: float) -> float:
    """Return a time of a step by the log's clock, rounded down."""
    start, end = record.times[step : step + 2]
    value = start + toc * (end - start)
    # Three roundings, of numbers no larger than these.
    return float(max(start, value - 2 * np.spacing(max(abs(start), abs(end)))))


def _answer(record: PoseLog, rows: list[_Row], tolerance: float) -> Audit:
    status, toc, safe_until = Status.FREE, np.inf, float(record.times[-1])
    if rows:
        toc = safe_until = rows[0].time
        kind = KINDS[rows[0].kind]
        status = {"overlap": Status.INITIAL_OVERLAP, "undecided": Status.UNDECIDED}.get(
            kind, Status.CONTACT
        )
    return Audit(
        status=status,
        toc=toc,
        safe_until=safe_until,
        tolerance=tolerance,
        names=record.names,
        steps=len(record.times) - 1,
        body_a=np.array([row.body_a for row in rows], dtype=np.int64),
        body_b=np.array([row.body_b for row in rows], dtype=np.int64),
        kind=np.array([row.kind for row in rows], dtype=np.int64),
        step=np.array([row.step for row in rows], dtype=np.int64),
        time=np.array([row.time for row in rows]),
        point_a=np.array([row.point_a for row in rows]).reshape(-1, 3),
        point_b=np.array([row.point_b for row in rows]).reshape(-1, 3),
    )
