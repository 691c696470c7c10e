"""Entries of logs: a simulation, or what an audit found in a log of poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from toccata.report import numbers
from toccata.report.closest import middle
from toccata.report.contacts import Cast, as_arrays
from toccata.report.entry import ORIGIN, Entry, Mark, Moment, Plot, status_name
from toccata.report.palette import GRAY, MANY, SAND

if TYPE_CHECKING:
    from toccata.auditing import Audit
    from toccata.dynamics import StepReport, WorldLog
    from toccata.pose_log import PoseLog

Array = NDArray[np.float64]
_PICTURES = 6
_ROWS_OF_AN_IMPACT = 6
_NOBODY = (-1, -1)


def of_simulation(
    log: WorldLog, reports: Sequence[StepReport], *, name: str, description: str = ""
) -> Entry:
    """Tell a simulation: the log of a `dynamics.World`, and the report of each of its steps."""
    from toccata.pose_log import PoseLog

    record = PoseLog.read(log.arrays())
    cast = _cast(record)
    impacts = _impacts(cast.names, reports)
    marks = (_met(record, impacts[0]), *impacts[1:]) if impacts else ()
    stopped = sum(report.stopped for report in reports)
    end = float(record.times[-1])
    return Entry(
        kind="simulation",
        status="STOPPED" if stopped else "DONE",
        toc=marks[0].time if marks else nan,
        touching=_who(cast.names, marks),
        focus=replace(marks[0], normal=ORIGIN)
        if marks
        else middle(cast.places(_NOBODY), float(record.times[0])),
        moments=_pictures(cast.names, marks, (float(record.times[0]), end)),
        marks=marks,
        safe=((float(record.times[0]), end),),
        facts=_simulation_facts(record, reports),
        plots=_plots(record, reports),
        **_shared(record, cast, name, description),
    )


def of_audit(log: PoseLog, found: Audit, *, name: str, description: str = "") -> Entry:
    """Tell what an audit found in a log of poses."""
    cast = _cast(log)
    marks = tuple(
        Mark(float(t), (a + b) / 2, bodies=(int(i), int(j)))
        for t, a, b, i, j in zip(
            found.time, found.point_a, found.point_b, found.body_a, found.body_b, strict=True
        )
    )
    begin, end = float(log.times[0]), float(log.times[-1])
    return Entry(
        kind="log",
        status=status_name(found),
        toc=float(found.toc) if len(found) else nan,
        touching=_who(cast.names, marks),
        focus=marks[0]
        if marks and marks[0].is_known
        else middle(cast.places(_NOBODY), float(log.times[0])),
        moments=_first_contact(marks, (begin, end)),
        marks=marks,
        safe=((begin, min(float(found.safe_until), end)),),
        facts=(*_size(log), ("Pairs in contact", str(len(found)))),
        **_shared(log, cast, name, description),
    )


def _shared(log: PoseLog, cast: Cast, name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "names": cast.names,
        "placed": cast.places(_NOBODY),
        "span": (float(log.times[0]), float(log.times[-1])),
        "clock": "{:.3f} s",
    }


def _cast(log: PoseLog) -> Cast:
    """Return the bodies of a log; those that move have colors by turns.

    Links "robot/link" of a robot share a color. The largest body that stays is gray.
    """
    moves = (log.poses != log.poses[:1]).any(axis=(0, 2, 3))
    owners = [name.partition("/")[0] for name in log.names]
    moving = list(dict.fromkeys(who for who, m in zip(owners, moves, strict=True) if m))
    palette = {who: MANY[k % len(MANY)] for k, who in enumerate(moving)}
    still = [mesh.radius if not m else 0.0 for mesh, m in zip(log.meshes, moves, strict=True)]
    ground = log.names[int(np.argmax(still))]
    colors = [
        palette.get(who, GRAY if name == ground else SAND)
        for who, name in zip(owners, log.names, strict=True)
    ]
    return Cast(log.names, [as_arrays(mesh) for mesh in log.meshes], colors, _poses(log))


def _poses(log: PoseLog) -> Callable[[float], list[Any]]:
    """Return poses as a function of time: between two rows bodies move straight and turn evenly."""
    from toccata.motion import Motion

    def at(t: float) -> list[Any]:
        row = int(np.searchsorted(log.times, t, side="right")) - 1
        i = min(max(row, 0), len(log.times) - 2)
        share = min(max((t - log.times[i]) / (log.times[i + 1] - log.times[i]), 0.0), 1.0)
        ends = zip(log.poses[i], log.poses[i + 1], strict=True)
        return [Motion.linear(start, end).pose(share) for start, end in ends]

    return at


def _met(log: PoseLog, mark: Mark) -> Mark:
    """Return an impact at the row of the log, from its time on, at which the bodies are nearest."""
    from toccata.near import distance

    first = max(int(np.searchsorted(log.times, mark.time - 1e-9)), 0)
    a, b = mark.bodies
    rows = range(first, min(first + _ROWS_OF_AN_IMPACT, len(log.times)))
    found = [
        distance(log.meshes[a], log.meshes[b], log.poses[row, a], log.poses[row, b]) for row in rows
    ]
    k = int(np.argmin([near.distance for near in found]))
    point, normal = (found[k].point_a + found[k].point_b) / 2, found[k].normal
    known = normal if np.isfinite(normal).all() else mark.normal
    time, gap = float(log.times[first + k]), float(found[k].distance)
    return replace(mark, time=time, point=point, normal=known, gap=gap)


def _impacts(names: tuple[str, ...], reports: Sequence[StepReport]) -> list[Mark]:
    """Return where bodies hit each other, in the order of time."""
    marks = []
    for events in (report.events for report in reports):
        for k in range(len(events)):
            pair = names.index(events.names_a[k]), names.index(events.names_b[k])
            marks.append(Mark(float(events.time[k]), events.point[k], events.normal[k], pair))
    return sorted(marks, key=lambda mark: mark.time)


def _who(names: tuple[str, ...], marks: Sequence[Mark]) -> tuple[str, ...]:
    return tuple(names[i] for i in marks[0].bodies) if marks else ()


def _pictures(
    names: tuple[str, ...], marks: tuple[Mark, ...], span: tuple[float, float]
) -> tuple[Moment, ...]:
    """Return pictures at even times; the one nearest to the first impact shows that."""
    times = np.linspace(*span, _PICTURES)
    captions = ["Start", *["Later"] * (_PICTURES - 2), "End"]
    moments = [Moment(float(t), c, _told(t)) for t, c in zip(times, captions, strict=True)]
    if marks:
        first = marks[0]
        k = 1 + int(np.argmin(np.abs(times[1:-1] - first.time)))
        note = f"{_told(first.time)}, {' and '.join(names[i] for i in first.bodies)}"
        moments[k] = Moment(first.time, "First impact", note, (first,))
    return tuple(sorted(moments, key=lambda moment: moment.time))


def _first_contact(marks: tuple[Mark, ...], span: tuple[float, float]) -> tuple[Moment, ...]:
    begin, end = span
    start, last = Moment(begin, "Start", _told(begin)), Moment(end, "End", _told(end))
    if not marks:
        middle = (begin + end) / 2
        return start, Moment(middle, "Halfway", _told(middle)), last
    at = marks[0].time
    return start, Moment(at, "First contact", _told(at), marks[:1]), last


def _told(time: float) -> str:
    return f"{numbers.rounded_down(time, 3)} s"


def _size(log: PoseLog) -> tuple[tuple[str, str], ...]:
    triangles = sum(len(mesh.faces) for mesh in log.meshes)
    return (
        ("Bodies", f"{len(log.names)}, {numbers.count(triangles)} triangles"),
        ("Rows of the log", numbers.count(len(log.times))),
    )


def _simulation_facts(log: PoseLog, reports: Sequence[StepReport]) -> tuple[tuple[str, str], ...]:
    impacts, stopped = (sum(getattr(r, key) for r in reports) for key in ("impacts", "stopped"))
    least = min((r.least_distance for r in reports), default=inf)
    return (
        *_size(log),
        ("Steps", f"{numbers.count(len(reports))}, each one certified before it was taken"),
        ("Impacts", numbers.count(impacts)),
        ("Stopped early", numbers.count(stopped)),
        ("Least distance", numbers.length(least)),
    )


def _plots(log: PoseLog, reports: Sequence[StepReport]) -> tuple[Plot, ...]:
    if len(reports) < 2:
        return ()
    times = np.linspace(log.times[0], log.times[-1], len(reports) + 1)[1:]
    energy = np.array([report.energy for report in reports])
    least = np.array([report.least_distance for report in reports])
    return (
        Plot("Energy, kinetic and potential", times, energy),
        Plot("Least distance", times, np.where(least < inf, least, nan), logarithmic=True),
    )
