"""The three moments that tell a scene: its start, what happens, its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata.report import numbers
from toccata.report.entry import Entry, finite_vector, status_name
from toccata.report.sample import surface_points

Array = NDArray[np.float64]

_SAMPLED_TIMES = 41
_SAMPLES = 700


@dataclass(frozen=True, slots=True)
class Focus:
    """Where and when the bodies touch or come closest; `certain` if it is a computed contact."""

    time: float
    point: Array
    normal: Array
    certain: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A time with its caption; `marked` when the contact is to be pointed out."""

    time: float
    caption: str
    note: str
    marked: bool = False


def find_focus(entry: Entry) -> Focus:
    """Return the contact, or for want of one the closest approach of sampled points."""
    contact, status = entry.contact, status_name(entry.contact)
    point_a, point_b = finite_vector(contact.point_a), finite_vector(contact.point_b)
    if status in ("CONTACT", "INITIAL_OVERLAP") and point_a is not None and point_b is not None:
        normal = finite_vector(contact.normal)
        return Focus(
            float(contact.toc),
            (point_a + point_b) / 2,
            np.zeros(3) if normal is None else normal,
            True,
        )
    times = {"UNDECIDED": [contact.safe_until], "INITIAL_OVERLAP": [0.0]}.get(
        status, np.linspace(0.0, 1.0, _SAMPLED_TIMES)
    )
    samples = surface_points(*entry.a, _SAMPLES), surface_points(*entry.b, _SAMPLES)
    found = (_closest(entry, samples, float(t)) for t in times)
    return min(found, key=lambda candidate: candidate[0])[1]


def find_moments(entry: Entry, focus: Focus) -> tuple[Moment, Moment, Moment]:
    """Return the three moments to draw, in the order of time."""
    start = Moment(0.0, "Start", "t = 0")
    end = Moment(1.0, "End", "t = 1")
    at = f"t = {focus.time:.4f}"
    match status_name(entry.contact):
        case "CONTACT":
            passed = Moment(1.0, "End", "t = 1, where the motion would have led")
            return start, Moment(focus.time, "First contact", at, focus.certain), passed
        case "INITIAL_OVERLAP":
            touching = Moment(0.0, "Start", "t = 0, already in contact", focus.certain)
            return touching, Moment(0.5, "Halfway", "t = 0.5"), end
        case "UNDECIDED":
            return (
                start,
                Moment(
                    focus.time, "Undecided", f"certified free before t = {numbers.time(focus.time)}"
                ),
                end,
            )
        case _:
            return start, Moment(focus.time, "About closest", at), end


def _closest(entry: Entry, samples: tuple[Array, Array], t: float) -> tuple[float, Focus]:
    """Return the least distance between sampled points at time `t`, and where it is."""
    a, b = (
        points @ pose[:3, :3].T + pose[:3, 3]
        for points, pose in zip(samples, entry.poses(t), strict=True)
    )
    square = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * a @ b.T
    i, j = np.unravel_index(int(np.argmin(square)), square.shape)
    gap = a[i] - b[j]
    distance = float(np.linalg.norm(gap))
    return distance, Focus(t, (a[i] + b[j]) / 2, gap / (distance or 1.0), False)
