"""Audits of logs: proofs that recorded motions are free of contact, also between their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._options import RigidOptions, takes
from toccata._pose_log import LogLike, PoseLog
from toccata._query import first_contact
from toccata._result import Answer, SceneContacts, Status
from toccata._scene import Scene
from toccata._text import counted, indented
from toccata.typing import BodyLike

KINDS = ("overlap", "penetration", "tunnelling", "undecided")
"""Names of the codes in `Audit.kind`.

"overlap": contact in the first row of the log. "penetration": contact in a later row, but not in
the row before it. "tunnelling": contact only between two rows, which a check of the rows misses.
"undecided": the budget ran out.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Audit(Answer):
    """First contacts of all pairs in a log, sorted by time on the log's clock.

    A pair also has a row for the first step in which it is undecided, if this step is before its
    first contact. `status`, `toc` and `safe_until` are taken from the first row: no pair is in
    contact at any time before `safe_until`.
    """

    names: tuple[str, ...]
    """Names of the bodies of the log."""
    steps: int
    """Number of steps from one row of the log to the next."""
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """Indices into `names`, (k,)."""
    kind: NDArray[np.int32]
    """Codes of the kinds of contact, indices into `Audit.KINDS`, (k,)."""
    step: NDArray[np.int32]
    """Steps of the log, counted from 0, (k,)."""
    time: Floats
    """Times of contact, (k,); in undecided rows, the times up to which the pair is proven free."""
    point_a: Floats
    point_b: Floats
    """Points of contact in world coordinates, (k, 3); NaN where unknown."""
    KINDS: ClassVar[tuple[str, ...]] = KINDS
    """Names of the codes in `kind`."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.time)

    def __str__(self) -> str:
        found = f"{counted(self.steps, 'step')} of {len(self.names)} bodies"
        if not len(self):
            return f"FREE: {found}"
        return f"{self.status.name} at {self.toc:.9g}: {counted(len(self), 'row')} in {found}"

    def __repr__(self) -> str:
        columns = zip(self.time, self.kind, self.body_a, self.body_b, self.step, strict=True)
        rows = [
            f"{time:.9g}: {KINDS[kind]}, {self.names[a]!r} and {self.names[b]!r}, step {step}"
            for time, kind, a, b, step in columns
        ]
        return indented(f"Audit: {self}", rows)


class _Row(NamedTuple):
    time: float
    body_a: int
    body_b: int
    kind: int
    step: int
    point_a: Floats
    point_b: Floats


@takes(RigidOptions)
def audit(
    log: LogLike,
    meshes: Mapping[str, BodyLike] | None = None,
    *,
    ignore: Iterable[tuple[str, str]] = (),
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[RigidOptions],
) -> Audit:
    """Certify that a log of poses is free of contact, or report the first contact of each pair.

    Between two rows of the log each body moves as in `Motion.linear`, and links of logged robots
    move straight in joint space. A pair is not tested again after its first contact. The budget
    applies to each pair in each step. The default tolerance is taken from the log, if it has one.

    Args:
        log: a file (.npz, .csv, .parquet) or a mapping of arrays; docs/scenes.md describes both.
        meshes: bodies by name, for bodies without triangles in the log.
        ignore: pairs of names of bodies that may touch.
        progress: called after each step with the number of finished steps and of all steps.

    """
    record = log if isinstance(log, PoseLog) else PoseLog.read(log, meshes)
    if options.get("tolerance") is None and record.tolerance is not None:
        options["tolerance"] = record.tolerance
    scene = _scene_of(record, ignore)
    rows: list[_Row] = []
    undecided: set[tuple[int, int]] = set()
    steps = len(record.times) - 1
    given = options.get("tolerance")
    tolerance = given or scene._default_tolerance()
    for step in range(steps):
        _move(scene, record, step)
        found = scene.contacts(**options)
        if given is None:
            tolerance = max(tolerance, scene._default_tolerance())
        for i, status in enumerate(found.status):
            pair = int(found.body_a[i]), int(found.body_b[i])
            if status != Status.UNDECIDED:
                scene.ignore(*(record.names[k] for k in pair))
            elif pair in undecided:
                continue
            else:
                undecided.add(pair)
            rows.append(_row_of(record, step, found, i, options))
        if progress is not None:
            progress(step + 1, steps)
    rows.sort(key=lambda row: row[:3])
    return _answer(record, rows, tolerance)


def _scene_of(record: PoseLog, ignore: Iterable[tuple[str, str]]) -> Scene:
    scene = Scene()
    for name, mesh in zip(record.names, record.meshes, strict=True):
        scene.add(name, mesh)
    for pair in (*ignore, *((record.names[i], record.names[j]) for i, j in record.ignored)):
        if isinstance(pair, str) or len(pair) != 2:
            wanted = "pairs of names, as in [('a', 'b')]"
            raise TypeError(f"ignore: expected {wanted}, got {pair!r}")
        scene.ignore(*pair)
    return scene


def _move(scene: Scene, record: PoseLog, step: int) -> None:
    """Give the bodies their motions during a step."""
    try:
        scene.move_all(record.poses[step], record.poses[step + 1])
    except ValueError as error:
        raise ValueError(f"poses, step {step}: {error}") from error
    for robot in record.robots:
        for body, motion in robot.motions(step).items():
            scene.move(record.names[body], motion)


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
    (mesh_a, mesh_b), poses = [record.meshes[k] for k in bodies], record.poses[step + 1]
    at_the_end = first_contact(mesh_a, mesh_b, *poses[list(bodies)], **options)
    return "penetration" if at_the_end else "tunnelling"


def _time_of(record: PoseLog, step: int, toc: float) -> float:
    """Convert a fraction of a step to a time on the log's clock, rounded down."""
    start, end = record.times[step : step + 2]
    value = start + toc * (end - start)
    # Three operations round, each by at most half the spacing of floats at the larger end.
    return float(max(start, value - 2 * np.spacing(max(abs(start), abs(end)))))


def _answer(record: PoseLog, rows: list[_Row], tolerance: float) -> Audit:
    status, toc, safe_until = Status.FREE, np.inf, float(record.times[-1])
    if rows:
        toc = safe_until = rows[0].time
        kind = KINDS[rows[0].kind]
        status = {"overlap": Status.INITIAL_OVERLAP, "undecided": Status.UNDECIDED}.get(
            kind, Status.CONTACT
        )
    codes = {
        name: np.array([getattr(row, name) for row in rows], dtype=np.int32)
        for name in ("body_a", "body_b", "kind", "step")
    }
    return Audit(
        status=status,
        toc=toc,
        safe_until=safe_until,
        tolerance=tolerance,
        names=record.names,
        steps=len(record.times) - 1,
        time=np.array([row.time for row in rows]),
        point_a=np.array([row.point_a for row in rows]).reshape(-1, 3),
        point_b=np.array([row.point_b for row in rows]).reshape(-1, 3),
        **codes,
    )
