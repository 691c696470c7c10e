"""A log of poses from a simulation, a simulator or a tracker, and an audit of the log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._audit import KINDS, Audit
from toccata._motion import Motion
from toccata._pose_log import PoseLog
from toccata._proximity import distance
from toccata.dynamics._log import WorldLog
from toccata.dynamics._report import StepReport
from toccata.view import _numbers
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import AMBER, DARK, GRAY, PALETTE, RED, YELLOW, Color
from toccata.view._items import Arrows, Body, Item, Mark, Outcome, Plot, Points, View, row_of
from toccata.view._parts import Touch

RATE = 60.0
"""Rows of the view per second of the log."""
MOST_ROWS = 900
_FEW = 8
"""Largest number of moving bodies with separate lines in the legend."""
_MOST_CAMERAS = 12
Series = Mapping[str, tuple[Any, Any]]
"""Times and values by name."""
Impact = tuple[Touch, tuple[int, int]]
"""An impact, and the indices of its bodies."""


def of_log(
    log: Any,
    meshes: Mapping[str, Any] | None = None,
    audit: Audit | None = None,
    series: Series | None = None,
    reports: Sequence[StepReport] = (),
) -> View:
    """Return a view of a log.

    Args:
        log: a `PoseLog`, a `WorldLog`, or a file or mapping as `toccata.audit` accepts it.
        meshes: bodies by name, unless the log contains their triangles.
        audit: the answer of `toccata.audit`. Its contacts are marked.
        series: times and values to plot, by name.
        reports: reports of the steps of a simulation.

    """
    record, groups = _read(log, meshes)
    impacts = _impacts(record, reports)
    wanted = [] if audit is None else [float(time) for time in audit.time]
    times = _times(record.times, [*wanted, *(touch.time for touch, _ in impacts[:1])])
    bodies = _bodies(record, groups, times, _touching(audit))
    items: list[Item] = [*bodies]
    marks: list[Mark] = []
    focus = None
    if audit is not None:
        marks = [*_marks(audit, record, bodies, times)]
        items += _points(audit, record)
        if len(audit):
            focus = Touch(float(audit.time[0]), audit.point_a[0], audit.point_b[0]).focus()
    elif impacts:
        touch, pair = impacts[0]
        both = [bodies[i] for i in pair]
        camera = touch.camera(both, row_of(times, touch.time), parts.size_of(both))
        marks = [Mark("First impact", touch.time, RED, camera)]
        items += _impact(touch, parts.size_of(both))
        # Without the normal, the camera looks from above, whatever the first impact is.
        focus = Touch(*touch[:3]).focus()
    length = float(times[-1] - times[0])
    view = View(
        "Log",
        tuple(items),
        times,
        marks=tuple(marks),
        plots=(*_plots(series or {}, times), *_report_plots(record, reports)),
        seconds=length if 0.5 <= length <= 60 else 8.0,
        unit="s",
        kind="Simulation" if reports else "Log of poses",
    )
    return framed(replace(view, **_about(record, audit, reports, impacts)), focus)


def _read(log: Any, meshes: Mapping[str, Any] | None) -> tuple[PoseLog, NDArray[Any] | None]:
    """Return the log, and the rigid group of each body in each row, if the log has groups."""
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
    """Return evenly spaced times, together with the `wanted` times."""
    length = float(rows[-1] - rows[0])
    count = int(np.clip(RATE * length, 60, MOST_ROWS)) + 1
    return np.unique(np.concatenate([np.linspace(rows[0], rows[-1], count), wanted]))


def poses_at(record: PoseLog, times: Floats) -> Floats:
    """Return poses at any times of a log, (k, n, 4, 4), interpolated as in an audit."""
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
    record: PoseLog,
    groups: NDArray[Any] | None,
    times: Floats,
    since: dict[int, tuple[float, Color]],
) -> list[Body]:
    """Return the bodies. Moving bodies have the color of their owner; fixed bodies are gray.

    Each rigid group of an articulated body has a color of its own. Bodies in contact are red.
    """
    poses = poses_at(record, times)
    rows = np.clip(np.searchsorted(record.times, times, "right") - 1, 0, len(record.times) - 1)
    fixed = (poses == poses[:1]).all(axis=(0, 2, 3))
    owners = [name.partition("/")[0] for name in record.names]
    moving = list(dict.fromkeys(owners[i] for i in np.flatnonzero(~fixed)))
    found = []
    for i, (name, mesh) in enumerate(zip(record.names, record.meshes, strict=True)):
        own = GRAY if fixed[i] else PALETTE[moving.index(owners[i]) % len(PALETTE)]
        color: Any = own
        legend = "fixed" if fixed[i] else owners[i] if len(moving) <= _FEW else ""
        if groups is not None and groups[0, i] >= 0:
            color, legend = np.array(PALETTE, dtype=np.uint8)[groups[rows, i] % len(PALETTE)], ""
        if i in since:
            color, legend = parts.reddened(own, times, *since[i]), f"{name}, then in contact"
        found.append(
            parts.body_of(name, color, mesh, poses[0, i] if fixed[i] else poses[:, i], legend)
        )
    return found


def _touching(audit: Audit | None) -> dict[int, tuple[float, Color]]:
    """Return the time of contact of each body, with its color from then on."""
    if audit is None:
        return {}
    rows = zip(audit.body_a, audit.body_b, audit.time, audit.kind, strict=True)
    return parts.first_touches(
        (int(a), int(b), time) for a, b, time, kind in rows if KINDS[kind] != "undecided"
    )


def _marks(audit: Audit, record: PoseLog, bodies: list[Body], times: Floats) -> Iterator[Mark]:
    for i, time in enumerate(map(float, audit.time)):
        pair = [int(audit.body_a[i]), int(audit.body_b[i])]
        kind = KINDS[audit.kind[i]]
        name = f"{kind.capitalize()} of {audit.names[pair[0]]} and {audit.names[pair[1]]}"
        camera = None
        if i < _MOST_CAMERAS:
            both, row = [bodies[k] for k in pair], row_of(times, time)
            meshes = [parts.drawable(record.meshes[k]) for k in pair]
            before = [body.at(max(row - 1, 0)).pose for body in both]
            normal = distance(meshes[0], meshes[1], *before).normal  # just before the contact
            touch = Touch(time, audit.point_a[i], audit.point_b[i], normal)
            camera = touch.camera(both, row, parts.size_of(both))
        yield Mark(name, time, AMBER if kind == "undecided" else RED, camera)


def _points(audit: Audit, record: PoseLog) -> Iterator[Points]:
    for i in np.flatnonzero(np.isfinite(audit.point_a).all(axis=1)):
        a, b = int(audit.body_a[i]), int(audit.body_b[i])
        name = f"{record.names[a]} and {record.names[b]} {i}"
        size = 0.05 * min(record.meshes[a].radius, record.meshes[b].radius)
        yield parts.pair_points(name, audit.time[i], (audit.point_a[i], audit.point_b[i]), size)


def _impacts(record: PoseLog, reports: Sequence[StepReport]) -> list[Impact]:
    """Return the impacts of a simulation, sorted by time."""
    found: list[Impact] = []
    for events in (report.events for report in reports):
        for k in range(len(events)):
            a, b = events.pairs[k]
            pair = record.names.index(a), record.names.index(b)
            point = events.point[k]
            found.append((Touch(float(events.time[k]), point, point, events.normal[k]), pair))
    return sorted(found, key=lambda impact: impact[0].time)


def _impact(touch: Touch, size: float) -> Iterator[Item]:
    """Yield the items of the first impact, which are shown briefly."""
    time, start = touch.time, touch.point_a[None]
    more: Any = {"span": (time, time + 0.15)}
    yield Points("contact/points", YELLOW, start, 0.03 * size, legend="first impact", **more)
    end = start + 0.2 * size * touch.normal
    yield Arrows("contact/normals", DARK, start, end, 0.01 * size, **more)


def _plots(series: Series, times: Floats) -> Iterator[Plot]:
    """Yield a plot of each series at the times of the view."""
    for name, (when, values) in series.items():
        known = np.isfinite(values)
        shown = np.full(len(times), np.nan)
        if known.any():
            shown = np.interp(times, np.asarray(when)[known], np.asarray(values)[known])
        yield Plot(name, {name: shown})


def _report_plots(record: PoseLog, reports: Sequence[StepReport]) -> Iterator[Plot]:
    if len(reports) < 2:
        return
    times = np.linspace(record.times[0], record.times[-1], len(reports) + 1)[1:]
    least = np.array([report.least_distance for report in reports])
    yield Plot("Energy", {"energy": np.array([r.energy for r in reports])}, times)
    known = np.where(np.isfinite(least), least, nan)
    yield Plot("Least distance", {"least distance": known}, times, logarithmic=True)


def _about(
    record: PoseLog,
    audit: Audit | None,
    reports: Sequence[StepReport],
    impacts: list[Impact],
) -> dict[str, Any]:
    """Return the outcome and the facts of a view."""
    begin, end = float(record.times[0]), float(record.times[-1])
    triangles = _numbers.count(sum(len(mesh.faces) for mesh in record.meshes))
    facts = [
        ("Bodies", f"{_numbers.count(len(record.names))}, {triangles} triangles"),
        ("Rows of the log", _numbers.count(len(record.times))),
    ]
    outcome: Outcome | None = None
    who: tuple[str, ...] = ()
    time = nan
    if audit is not None:
        counts = [list(audit.kind).count(kind) for kind in range(len(KINDS))]
        words = ", ".join(f"{n} {kind}" for n, kind in zip(counts, KINDS, strict=True) if n)
        facts.append(("Pairs in contact", words or "none, not even between rows"))
        if len(audit):
            who, time = (audit.names[audit.body_a[0]], audit.names[audit.body_b[0]]), audit.toc
        safe = ((begin, min(float(audit.safe_until), end)),)
        outcome = Outcome(audit.status.name, float(time), who, safe)
    elif reports:
        stopped = sum(report.stopped for report in reports)
        least = min((report.least_distance for report in reports), default=inf)
        facts += [
            ("Steps", f"{_numbers.count(len(reports))}, each certified before it was taken"),
            ("Impacts", _numbers.count(sum(report.impacts for report in reports))),
            ("Stopped early", _numbers.count(stopped)),
            ("Least distance", _numbers.length(least)),
        ]
        if impacts:
            touch, pair = impacts[0]
            who, time = tuple(record.names[i] for i in pair), touch.time
        outcome = Outcome("STOPPED" if stopped else "DONE", time, who, ((begin, end),))
    return {"facts": tuple(facts), "outcome": outcome}
