"""A checked motion: two bodies, and the answer about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from toccata.mesh import as_mesh
from toccata.motion import STILL, Motion, as_motion
from toccata.near import Distances, distance_batch
from toccata.result import Contact, Status
from toccata.view.items import BLUE, DARK, GRAY, ORANGE, RED, Arrows, Body, Item, Mark, Plot, View
from toccata.view.parts import (
    Touch,
    answer_marks,
    answer_notes,
    contact_camera,
    contact_items,
    drawable,
    ghosts,
    moving,
    placed_at,
    poses_of,
    times_between,
    touch_of,
    touched_triangle,
)

_LIFT = 1e-4
"""Of the size of bodies: how far a triangle in red is above its surface."""


def of_contact(
    contact: Contact,
    bodies: tuple[Any, Any],
    motions: tuple[Any, Any] | Any,
    names: tuple[str, str] = ("A", "B"),
) -> View:
    """Return a view of an answer of `first_contact`.

    Args:
        contact: the answer.
        bodies: the two bodies that it is about.
        motions: their motions or poses; one alone, or None as the second: that body stays.
        names: of the bodies.

    """
    if not isinstance(bodies, tuple | list) or len(bodies) != 2:
        raise ValueError("bodies: expected the two that the contact is about")
    a, b = (as_mesh(f"bodies[{i}]", body) for i, body in enumerate(bodies))
    motion_a, motion_b = _pair(motions)
    times = times_between(contact.toc, contact.safe_until)
    both = motion_a.pose(times), motion_b.pose(times)
    near = distance_batch(drawable(a), drawable(b), *both)
    items = [
        moving(names[0], ORANGE, a, poses_of(motion_a, times)),
        moving(names[1], BLUE, b, poses_of(motion_b, times)),
    ]
    size = _size(items)
    touches = contact.status in (Status.CONTACT, Status.INITIAL_OVERLAP)
    row = int(np.argmin(np.abs(times - contact.toc))) if contact else int(near.distance.argmin())
    touch = touch_of(contact) if touches else _touch_at(near, row)
    camera = contact_camera(touch, placed_at(items, row), size)
    marks = [*answer_marks(contact, camera)]
    if not contact:
        marks.append(Mark("nearest", float(times[row]), DARK, camera))
    return View(
        f"{names[0]} and {names[1]}",
        tuple(items + _about(contact, items, size) + [*_nearest(near, size)]),
        times,
        tuple(marks),
        (Plot("distance", {"distance": near.distance}, (BLUE,)),),
        notes=tuple(answer_notes(contact, names)),
    )


def _pair(motions: Any) -> tuple[Motion, Motion]:
    """Return both motions."""
    given = tuple(motions) if isinstance(motions, tuple | list) else (motions, None)
    if len(given) != 2:
        raise ValueError(f"motions: expected one for each of two bodies, got {len(given)}")
    a, b = (
        STILL if motion is None else as_motion(f"motions[{i}]", motion)
        for i, motion in enumerate(given)
    )
    return a, b


def _size(bodies: list[Body]) -> float:
    """Return the size of the smaller body, by which marks are measured."""
    sizes = [float(np.linalg.norm(np.ptp(body.vertices, axis=0))) for body in bodies]
    return min((size for size in sizes if size > 0), default=1.0) / 2


def _about(contact: Contact, bodies: list[Body], size: float) -> list[Item]:
    """Return ghosts at both ends, and what is known of the contact."""
    found: list[Item] = [*ghosts(bodies, RED if contact.status is Status.CONTACT else None)]
    if contact.status in (Status.CONTACT, Status.INITIAL_OVERLAP):
        found += contact_items(contact, size, (contact.toc, np.inf))
        triangles = contact.triangle_a, contact.triangle_b
        for body, triangle in zip(bodies, triangles, strict=True):
            found += touched_triangle(body, triangle, _LIFT * size)
    return found


def _touch_at(near: Distances, row: int) -> Touch:
    return near.point_a[row], near.point_b[row], near.normal[row]


def _nearest(near: Distances, size: float) -> Iterator[Arrows]:
    """Return the segment between the nearest points at each time: none where one is inside."""
    known = np.asarray(np.isfinite(near.point_a).all(axis=1))
    if known.any():
        last = np.flatnonzero(known)[np.clip(np.cumsum(known) - 1, 0, None)]
        start = near.point_a[last]
        end = np.where(known[:, None], near.point_b, start)
        yield Arrows("distance", GRAY, start[:, None], end[:, None], 0.006 * size, heads=False)
