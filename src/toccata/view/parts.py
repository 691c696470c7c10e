"""What several converters need: bodies and ghosts, contacts, marks and the times to show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved
from toccata.mesh import Mesh
from toccata.motion import Motion
from toccata.report.normals import face_normals
from toccata.result import Answer, Contact, Status
from toccata.surfaces import Surface
from toccata.view.camera import Placed, close_up
from toccata.view.items import (
    ALWAYS,
    DARK,
    GREEN,
    RED,
    Arrows,
    Body,
    Camera,
    Color,
    Item,
    Mark,
    Points,
    Span,
)

PALETTE: tuple[Color, ...] = (
    (237, 117, 64),
    (64, 130, 189),
    (98, 160, 92),
    (155, 112, 178),
    (205, 160, 60),
    (84, 170, 175),
    (199, 106, 140),
    (138, 120, 96),
)
"""Colors of bodies beside each other."""
GHOST = 0.16
"""Opacity of where a body was or will be."""
UNDECIDED: Color = (200, 140, 20)
Indices = NDArray[np.integer[Any]]
Touch = tuple[Floats, Floats, Floats]
"""The nearest points of a and b, and the normal between them; NaN where it is not known."""


def times_between(*wanted: float, count: int = 121) -> Floats:
    """Return times from 0 to 1: evenly spread, and those that are wanted."""
    known = [time for time in wanted if 0 <= time <= 1]
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), known]))


def drawable(mesh: Mesh) -> Mesh:
    """Return a mesh that has triangles; of a curved surface, one close to it."""
    return mesh.triangulate(32) if isinstance(mesh, Surface) else mesh


def mesh_arrays(mesh: Mesh) -> tuple[Floats, Indices]:
    """Return the vertices and faces that are drawn."""
    drawn = drawable(mesh)
    return drawn.vertices, drawn.faces


def poses_of(motion: Motion, times: Floats) -> Floats:
    """Return (k, 4, 4) poses, or the (4, 4) one of a body that stays."""
    return motion.pose(0.0) if motion._core.is_fixed else motion.pose(times)


def moving(name: str, color: Any, mesh: Mesh, poses: Floats) -> Body:
    """Return a body at a pose, or at one for each time."""
    return Body(f"bodies/{name}", color, *mesh_arrays(mesh), poses)


def ghosts(bodies: Iterable[Body], last: Color | None = None) -> Iterator[Body]:
    """Return the first and the last place of all bodies that move; `last` is another color."""
    for body in bodies:
        if body.pose.ndim > 2:
            name, mesh = body.name.partition("/")[2], (body.vertices, body.faces)
            color = _first(body.color)
            yield Body(f"start/{name}", color, *mesh, body.pose[0], opacity=GHOST)
            yield Body(f"end/{name}", last or color, *mesh, body.pose[-1], opacity=GHOST)


def _first(color: Any) -> Color:
    r, g, b = np.atleast_2d(np.asarray(color))[0]
    return int(r), int(g), int(b)


def reddened(color: Color, times: Floats, since: float) -> NDArray[np.uint8]:
    """Return a color for each time: red from a time on."""
    late = (times >= since)[:, None]
    return np.where(late, np.array(RED), np.array(color)).astype(np.uint8)


def contact_items(
    contact: Contact, size: float, span: Span = ALWAYS, color: Color = RED
) -> Iterator[Item]:
    """Return the points in contact and the normals there; nothing where none are known."""
    rows = [row for row in (contact.contacts or (contact,)) if np.isfinite(row.point_a).all()]
    if not rows:
        return
    points = np.concatenate([[row.point_a, row.point_b] for row in rows])
    yield Points("contact/points", color, points, 0.03 * size, span=span)
    turned = [row for row in rows if np.isfinite(row.normal).all()]
    if turned:
        start = np.array([row.point_b for row in turned])
        end = start + 0.25 * size * np.array([row.normal for row in turned])
        yield Arrows("contact/normals", DARK, start, end, 0.012 * size, span=span)


def touched_triangle(
    body: Body, triangle: int, lift: float, color: Color = RED
) -> Iterator[Body]:
    """Return a triangle of a body, seen on both sides a little above it; nothing without one."""
    if not 0 <= triangle < len(body.faces):
        return
    corners = np.asarray(body.vertices)[body.faces[triangle]]
    way = lift * face_normals(corners, np.array([[0, 1, 2]]))[0]
    vertices = np.concatenate([corners + way, corners - way])
    name = body.name.partition("/")[2]
    faces = np.array([[0, 1, 2], [3, 4, 5]])
    yield Body(f"contact/triangle of {name}", color, vertices, faces, body.pose)


def contact_camera(touch: Touch, placed: Sequence[Placed], size: float) -> Camera | None:
    """Return a camera that looks along the touching surfaces, None where no point is known."""
    point_a, point_b, normal = touch
    if not np.isfinite(point_a).all():
        return None
    across = normal if np.isfinite(normal).all() else np.zeros(3)
    return close_up(placed, (point_a + point_b) / 2, across, 0.45 * size)


def touch_of(contact: Contact) -> Touch:
    """Return the two points of a contact and its normal."""
    return contact.point_a, contact.point_b, contact.normal


def answer_marks(answer: Answer, camera: Camera | None = None) -> Iterator[Mark]:
    """Return marks where the motion is proven free up to, and where contact is."""
    if answer.safe_until > 0:
        yield Mark("safe until", float(answer.safe_until), GREEN)
    if answer.status is Status.UNDECIDED:
        yield Mark("undecided", float(answer.toc), UNDECIDED, camera)
    elif answer.status is not Status.FREE:
        name = "contact" if answer.status is Status.CONTACT else "initial overlap"
        yield Mark(name, float(answer.toc), RED, camera)


def answer_notes(answer: Answer, names: tuple[Any, Any] = (None, None)) -> Iterator[str]:
    """Return the answer in a few lines."""
    if answer.status is Status.FREE:
        yield "free: no contact"
        return
    word = answer.status.name.lower().replace("_", " ")
    if answer.status is Status.UNDECIDED:
        yield f"undecided: free before {answer.safe_until:.9g}"
        return
    yield f"{word} at {answer.toc:.9g}"
    if None not in names:
        yield f"{names[0]} and {names[1]}"
    if isinstance(answer, Contact) and answer.feature:
        yield f"{answer.feature}, triangles {answer.triangle_a} and {answer.triangle_b}"
        yield f"distance {answer.distance:.3g}, tolerance {answer.tolerance:.3g}"


def placed_at(bodies: Iterable[Body], row: int) -> list[Placed]:
    """Return bodies as they are at a time, for a camera that must not be hidden by them."""
    return [(now.vertices, now.faces, now.pose) for now in (body.at(row) for body in bodies)]


def merged(bodies: Sequence[Body], name: str, color: Color) -> Body:
    """Return bodies that stay as one, since a browser is slow with many."""
    vertices = [moved(np.asarray(body.vertices), body.pose) for body in bodies]
    first = np.cumsum([0, *(len(part) for part in vertices[:-1])])
    faces = [body.faces + start for body, start in zip(bodies, first, strict=True)]
    return Body(name, color, np.concatenate(vertices), np.concatenate(faces))
