"""Two bodies and their first contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from toccata._mesh import as_mesh
from toccata._motion import STILL, Motion, as_motion
from toccata._proximity import Distances, distance_batch
from toccata._result import Contact, Status
from toccata.view import _numbers
from toccata.view._camera import framed
from toccata.view._colors import BLUE, GRAY, ORANGE
from toccata.view._items import Arrows, Body, Item, Plot, View
from toccata.view._parts import (
    answer_marks,
    body_of,
    contact_camera,
    contact_facts,
    contact_items,
    drawable,
    focus_of,
    ghosts,
    outcome_of,
    poses_of,
    size_of,
    times_between,
    touch_of,
    touched_triangle,
    touches,
    trail,
)


def of_contact(
    contact: Contact,
    bodies: tuple[Any, Any],
    motions: tuple[Any, Any] | Any,
    names: tuple[str, str] = ("A", "B"),
) -> View:
    """Return a view of an answer of `first_contact`.

    Args:
        contact: the answer.
        bodies: the two bodies.
        motions: their motions or poses. A single one belongs to the first body; None: it stays.
        names: of the bodies.

    """
    if not isinstance(bodies, tuple | list) or len(bodies) != 2:
        raise ValueError("bodies: expected the two that the contact is about")
    a, b = (as_mesh(f"bodies[{i}]", body) for i, body in enumerate(bodies))
    motion_a, motion_b = _pair(motions)
    moves = not (motion_a._core.is_fixed and motion_b._core.is_fixed)
    times = times_between(contact.toc, contact.safe_until) if moves else np.zeros(1)
    near = distance_batch(drawable(a), drawable(b), motion_a.pose(times), motion_b.pose(times))
    both = [
        body_of(names[0], ORANGE, a, poses_of(motion_a, times), names[0]),
        body_of(names[1], BLUE, b, poses_of(motion_b, times), names[1]),
    ]
    size = size_of(both)
    row = int(np.argmin(np.abs(times - contact.toc))) if contact else int(near.distance.argmin())
    touch = near.point_a[row], near.point_b[row], near.normal[row]
    if touches(contact):
        touch = touch_of(contact)
    camera = contact_camera(touch, both, row, size)
    triangles = " + ".join(_numbers.count(len(body.faces)) for body in both)
    view = View(
        f"{names[0]} and {names[1]}",
        (*both, *_about(contact, both, size, row), *_nearest(near, size)),
        times,
        outcome_of(contact, names),
        tuple(answer_marks(contact, camera, float(times[row]))),
        (Plot(f"Distance between {names[0]} and {names[1]}", {"distance": near.distance}),),
        (("Triangles", triangles), *contact_facts(contact, names)),
        kind="Two bodies",
    )
    return framed(view, focus_of(float(times[row]), touch))


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


def _about(contact: Contact, bodies: list[Body], size: float, row: int) -> Iterator[Item]:
    """Return ghosts at both ends, paths, and the contact, which is at a row of the times."""
    yield from ghosts(bodies, rejected=contact.status is Status.CONTACT)
    for body in bodies:
        yield from trail(body)
    if touches(contact):
        yield from contact_items(contact, size, (contact.toc, np.inf))
        for body, triangle in zip(bodies, (contact.triangle_a, contact.triangle_b), strict=True):
            yield from touched_triangle(body, triangle, size, (row, contact.toc))


def _nearest(near: Distances, size: float) -> Iterator[Arrows]:
    """Return the segment between the nearest points at each time: a point inside of a body."""
    known = np.asarray(np.isfinite(near.point_a).all(axis=1))
    if known.any():
        last = np.flatnonzero(known)[np.clip(np.cumsum(known) - 1, 0, None)]
        start = near.point_a[last]
        end = np.where(known[:, None], near.point_b, start)
        ends, words = (start[:, None], end[:, None]), "shortest distance"
        yield Arrows("distance", GRAY, *ends, 0.003 * size, heads=False, legend=words)
