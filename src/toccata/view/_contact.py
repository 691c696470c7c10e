"""Two bodies and their first contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from toccata._mesh import as_mesh
from toccata._motion import STILL, as_motion
from toccata._proximity import Distances, distance_batch
from toccata._result import Contact, Status
from toccata.view import _numbers
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import BLUE, GRAY, ORANGE
from toccata.view._items import Arrows, Body, Item, Plot, View, row_of
from toccata.view._parts import Touch


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
        motions: two motions or poses, or one for the first body. None stands for a fixed body.
        names: names of the bodies.

    """
    if not isinstance(bodies, tuple | list) or len(bodies) != 2:
        raise ValueError("bodies: expected the two bodies of the contact")
    given = tuple(motions) if isinstance(motions, tuple | list) else (motions, None)
    if len(given) != 2:
        raise ValueError(f"motions: expected one for each body, got {len(given)}")
    meshes = [as_mesh(f"bodies[{i}]", body) for i, body in enumerate(bodies)]
    moves = [
        STILL if motion is None else as_motion(f"motions[{i}]", motion)
        for i, motion in enumerate(given)
    ]
    fixed = all(motion._core.is_fixed for motion in moves)
    times = np.zeros(1) if fixed else parts.times_between(contact.toc, contact.safe_until)
    poses = (motion.pose(times) for motion in moves)
    near = distance_batch(parts.drawable(meshes[0]), parts.drawable(meshes[1]), *poses)
    rows = zip(names, (ORANGE, BLUE), meshes, moves, strict=True)
    both = [
        parts.body_of(name, color, mesh, parts.poses_of(motion, times), name)
        for name, color, mesh, motion in rows
    ]
    size = parts.size_of(both)
    row = row_of(times, contact.toc) if contact else int(near.distance.argmin())
    time = float(times[row])
    touch = Touch(time, near.point_a[row], near.point_b[row], near.normal[row])
    if parts.touches(contact):
        touch = Touch.of(contact)._replace(time=time)
    triangles = " + ".join(_numbers.count(len(body.faces)) for body in both)
    view = View(
        f"{names[0]} and {names[1]}",
        (*both, *_about(contact, both, size, row), *_nearest(near, size)),
        times,
        parts.outcome_of(contact, names),
        tuple(parts.answer_marks(contact, touch.camera(both, row, size), time)),
        (Plot(f"Distance between {names[0]} and {names[1]}", {"distance": near.distance}),),
        (("Triangles", triangles), *parts.contact_facts(contact, names)),
        kind="Two bodies",
    )
    return framed(view, touch.focus())


def _about(contact: Contact, bodies: list[Body], size: float, row: int) -> Iterator[Item]:
    """Yield ghosts at both ends, paths, and the contact. `row` is the row of the contact."""
    yield from parts.ghosts(bodies, rejected=contact.status is Status.CONTACT)
    for body in bodies:
        yield from parts.trail(body)
    if parts.touches(contact):
        yield from parts.contact_items(contact, size, (contact.toc, np.inf))
        for body, triangle in zip(bodies, (contact.triangle_a, contact.triangle_b), strict=True):
            yield from parts.touched_triangle(body, triangle, size, (row, contact.toc))


def _nearest(near: Distances, size: float) -> Iterator[Arrows]:
    """Yield the segment between the closest points over time. During overlaps, it is a point."""
    known = np.asarray(np.isfinite(near.point_a).all(axis=1))
    if known.any():
        last = np.flatnonzero(known)[np.clip(np.cumsum(known) - 1, 0, None)]
        start = near.point_a[last]
        end = np.where(known[:, None], near.point_b, start)
        ends, words = (start[:, None], end[:, None]), "shortest distance"
        yield Arrows("distance", GRAY, *ends, 0.003 * size, heads=False, legend=words)
