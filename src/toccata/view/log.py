"""A log of poses: of a simulation, or of any simulator or tracker; with an audit of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.auditing import KINDS, Audit
from toccata.dynamics.log import WorldLog
from toccata.motion import Motion
from toccata.pose_log import PoseLog
from toccata.view.items import GRAY, RED, Body, Camera, Item, Mark, Plot, Points, View
from toccata.view.parts import PALETTE, UNDECIDED, contact_camera, moving, placed_at, reddened

RATE = 60.0
"""Pictures of a second of the log."""
MOST_ROWS = 900
"""Pictures of a log."""
Series = Mapping[str, tuple[Any, Any]]
"""Times and numbers by name."""


def of_log(
    log: Any,
    meshes: Mapping[str, Any] | None = None,
    audit: Audit | None = None,
    series: Series | None = None,
) -> View:
    """Return a view of a log.

    Args:
        log: a file or a mapping as `toccata.audit` takes it, a `PoseLog`, or a `WorldLog`.
        meshes: bodies by name, for those whose triangles are not in the log.
        audit: what `toccata.audit` found: contacts are marked.
        series: times and numbers to plot beside it, by name.

    """
    record, groups = _read(log, meshes)
    found = [] if audit is None else [float(time) for time in audit.time]
    times = _times(record.times, found)
    since = _touching(audit)
    bodies = _bodies(record, groups, times, since)
    items: list[Item] = [*bodies]
    marks: list[Mark] = []
    if audit is not None:
        marks = [*_marks(audit, record, bodies, times)]
        items += _points(audit, record)
    length = float(times[-1] - times[0])
    return View(
        "Log",
        tuple(items),
        times,
        tuple(marks),
        tuple(_plots(series or {}, times)),
        seconds=length if 0.5 <= length <= 60 else 8.0,
        unit="s",
        notes=tuple(_notes(record, audit)),
    )


def _read(log: Any, meshes: Mapping[str, Any] | None) -> tuple[PoseLog, NDArray[Any] | None]:
    """Return the log, and the rigid group of each body in each row if it tells them."""
    if isinstance(log, PoseLog):
        return log, None
    arrays: Any = log.arrays() if isinstance(log, WorldLog) else log
    if isinstance(arrays, str | os.PathLike) and Path(arrays).suffix.lower() == ".npz":
        record = PoseLog.read(arrays, meshes)
        with np.load(arrays, allow_pickle=False) as file:
            return record, np.array(file["groups"]) if "groups" in file else None
    groups = arrays.get("groups") if isinstance(arrays, Mapping) else None
    return PoseLog.read(arrays, meshes), groups


def _times(rows: Floats, wanted: list[float]) -> Floats:
    """Return the times to show: evenly spread, and those that are wanted."""
    length = float(rows[-1] - rows[0])
    count = int(np.clip(RATE * length, 60, MOST_ROWS)) + 1
    return np.unique(np.concatenate([np.linspace(rows[0], rows[-1], count), wanted]))


def poses_at(record: PoseLog, times: Floats) -> Floats:
    """Return (k, n, 4, 4) poses at times between the rows of a log, as an audit takes them."""
    last = len(record.times) - 2
    step = np.clip(np.searchsorted(record.times, times, "right") - 1, 0, last)
    start, end = record.times[step], record.times[step + 1]
    share = np.clip((times - start) / (end - start), 0.0, 1.0)
    poses = np.array(record.poses[step])
    for row in np.flatnonzero(share > 0):
        _fill(record, int(step[row]), float(share[row]), poses[row])
    return poses


def _fill(record: PoseLog, step: int, share: float, poses: Floats) -> None:
    before, after = record.poses[step], record.poses[step + 1]
    for i in np.flatnonzero((before != after).any(axis=(1, 2))):
        poses[i] = Motion.linear(before[i], after[i]).pose(share)
    for robot in record.robots:
        for body, motion in robot.motions(step).items():
            poses[body] = motion.pose(share)


def _bodies(
    record: PoseLog, groups: NDArray[Any] | None, times: Floats, since: dict[int, float]
) -> list[Body]:
    poses = poses_at(record, times)
    rows = np.clip(np.searchsorted(record.times, times, "right") - 1, 0, len(record.times) - 1)
    found = []
    for i, (name, mesh) in enumerate(zip(record.names, record.meshes, strict=True)):
        stays = bool((poses[:, i] == poses[0, i]).all())
        color: Any = GRAY if stays else PALETTE[i % len(PALETTE)]
        if groups is not None and groups[0, i] >= 0:
            color = np.array(PALETTE, dtype=np.uint8)[groups[rows, i] % len(PALETTE)]
        if i in since:
            color = reddened(GRAY if stays else PALETTE[i % len(PALETTE)], times, since[i])
        found.append(moving(name, color, mesh, poses[0, i] if stays else poses[:, i]))
    return found


def _touching(audit: Audit | None) -> dict[int, float]:
    """Return which bodies touch, and since when; not those that are undecided only."""
    found: dict[int, float] = {}
    if audit is not None:
        for a, b, kind, time in zip(
            audit.body_a, audit.body_b, audit.kind, audit.time, strict=True
        ):
            if KINDS[kind] != "undecided":
                found.setdefault(int(a), float(time))
                found.setdefault(int(b), float(time))
    return found


def _marks(audit: Audit, record: PoseLog, bodies: list[Body], times: Floats) -> Iterator[Mark]:
    for i in range(len(audit)):
        kind = KINDS[audit.kind[i]]
        a, b = int(audit.body_a[i]), int(audit.body_b[i])
        name = f"{kind} of {record.names[a]} and {record.names[b]}"
        color = UNDECIDED if kind == "undecided" else RED
        yield Mark(name, float(audit.time[i]), color, _camera(audit, i, record, bodies, times))


def _camera(
    audit: Audit, i: int, record: PoseLog, bodies: list[Body], times: Floats
) -> Camera | None:
    pair = int(audit.body_a[i]), int(audit.body_b[i])
    row = int(np.argmin(np.abs(times - audit.time[i])))
    points = audit.point_a[i], audit.point_b[i]
    size = min(record.meshes[k].radius for k in pair)
    unknown = np.full(3, np.nan)
    return contact_camera((*points, unknown), placed_at([bodies[k] for k in pair], row), 3 * size)


def _points(audit: Audit, record: PoseLog) -> Iterator[Points]:
    for i in np.flatnonzero(np.isfinite(audit.point_a).all(axis=1)):
        a, b = int(audit.body_a[i]), int(audit.body_b[i])
        name = f"contact/{record.names[a]} and {record.names[b]} {i}"
        places = np.stack([audit.point_a[i], audit.point_b[i]])
        size = 0.06 * min(record.meshes[a].radius, record.meshes[b].radius)
        yield Points(name, RED, places, size, span=(float(audit.time[i]), np.inf))


def _plots(series: Series, times: Floats) -> Iterator[Plot]:
    """Return a plot for each series, at the times that are shown."""
    for i, (name, (when, values)) in enumerate(series.items()):
        known = np.isfinite(values)
        shown = np.full(len(times), np.nan)
        if known.any():
            shown = np.interp(times, np.asarray(when)[known], np.asarray(values)[known])
        yield Plot(name, {name: shown}, (PALETTE[(i + 1) % len(PALETTE)],))


def _notes(record: PoseLog, audit: Audit | None) -> Iterator[str]:
    yield f"{len(record.names)} bodies, {len(record.times)} rows"
    if audit is not None and not len(audit):
        yield "free: no contact, between rows either"
    elif audit is not None:
        counts = [list(audit.kind).count(kind) for kind in range(len(KINDS))]
        yield ", ".join(f"{n} {kind}" for n, kind in zip(counts, KINDS, strict=True) if n)
