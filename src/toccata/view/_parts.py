"""Parts that several converters share: bodies, ghosts, contacts, marks and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._result import Answer, Contact, Status
from toccata.report._normals import face_normals
from toccata.surfaces import Surface
from toccata.view import _numbers
from toccata.view._camera import close_up
from toccata.view._colors import AMBER, DARK, GREEN, RED, YELLOW, Color
from toccata.view._hidden import Placed
from toccata.view._items import ALWAYS, Arrows, Body, Camera, Item, Mark, Outcome, Points, Span

GHOST = 0.26
"""Opacity of bodies at another time."""
Indices = NDArray[np.integer[Any]]
Touch = tuple[Floats, Floats, Floats]
"""The nearest points of a and b, and the normal between them; NaN where it is not known."""
Facts = Iterator[tuple[str, str]]
_LIFT = 1e-3
"""Height of the outline of a triangle above its surface, by the size of the triangle."""
_MARKS = {
    Status.CONTACT: ("First contact", RED),
    Status.INITIAL_OVERLAP: ("Contact at the start", RED),
    Status.UNDECIDED: ("Undecided", AMBER),
}


def times_between(*wanted: float, count: int = 121) -> Floats:
    """Return evenly spaced times from 0 to 1, and those that are wanted."""
    known = [time for time in wanted if 0 <= time <= 1]
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), known]))


def drawable(mesh: Mesh) -> Mesh:
    """Return a mesh with triangles; for a curved surface, one close to it."""
    return mesh.triangulate(32) if isinstance(mesh, Surface) else mesh


def mesh_arrays(mesh: Mesh) -> tuple[Floats, Indices]:
    """Return the vertices and faces that are drawn."""
    drawn = drawable(mesh)
    return drawn.vertices, drawn.faces


def poses_of(motion: Motion, times: Floats) -> Floats:
    """Return (k, 4, 4) poses, or (4, 4) for a body that stays."""
    return motion.pose(0.0) if motion._core.is_fixed else motion.pose(times)


def body_of(
    name: str, color: Any, mesh: Mesh, poses: Floats, legend: str = "", group: str = "bodies"
) -> Body:
    """Return a body at a pose, or at one for each time."""
    return Body(f"{group}/{name}", color, *mesh_arrays(mesh), poses, legend=legend)


def ghosts(bodies: Iterable[Body], rejected: bool = False, start: bool = True) -> Iterator[Body]:
    """Return the first and the last pose of all bodies that move; a rejected end is red."""
    end = "end of the motion, not reached" if rejected else "end of the motion"
    for body in bodies:
        if body.pose.ndim > 2 and not np.array_equal(body.pose[0], body.pose[-1]):
            name, mesh = body.name.partition("/")[2], (body.vertices, body.faces)
            r, g, b = np.atleast_2d(np.asarray(body.color))[0]
            color = int(r), int(g), int(b)
            both = [("start", body.pose[0], color, "start of the motion")] if start else []
            both.append(("end", body.pose[-1], RED if rejected else color, end))
            for group, pose, shown, words in both:
                yield Body(f"{group}/{name}", shown, *mesh, pose, opacity=GHOST, legend=words)


def reddened(color: Color, times: Floats, since: float, red: Color = RED) -> NDArray[np.uint8]:
    """Return a color for each time: red from a time on."""
    late = (times >= since)[:, None]
    return np.where(late, np.array(red), np.array(color)).astype(np.uint8)


def trail(body: Body) -> Iterator[Arrows]:
    """Return the path of a rigid body: of its center, or of its tip if it turns in place."""
    if body.pose.ndim < 3:
        return
    vertices = np.asarray(body.vertices)
    center = (vertices.max(axis=0) + vertices.min(axis=0)) / 2
    tip = vertices[np.argmax(((vertices - center) ** 2).sum(axis=1))]
    turns, shifts = body.pose[:, :3, :3], body.pose[:, :3, 3]
    paths = [turns @ point + shifts for point in (center, tip)]
    lengths = [float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()) for path in paths]
    path = paths[0] if lengths[0] > 0.25 * lengths[1] else paths[1]
    if lengths[1] > 0:
        name, size = body.name.partition("/")[2], 0.006 * size_of([body])
        color = np.asarray(np.atleast_2d(np.asarray(body.color))[0] * 0.55).astype(int)
        ends = path[:-1], path[1:]
        legend = f"path of {name}"
        yield Arrows(
            f"paths/{name}", tuple(color.tolist()), *ends, size, heads=False, legend=legend
        )


def size_of(bodies: Iterable[Body]) -> float:
    """Return the diagonal of the smallest body, the measure of marks and close-ups."""
    boxes = (np.asarray(body.vertices)[np.unique(body.faces)] for body in bodies if len(body.faces))
    sizes = [float(np.linalg.norm(np.ptp(box, axis=0))) for box in boxes]
    return min((size for size in sizes if size > 0), default=1.0)


def contact_items(contact: Contact, size: float, span: Span = ALWAYS) -> Iterator[Item]:
    """Return the points in contact and the normals there, as far as they are known."""
    rows = [row for row in (contact.contacts or (contact,)) if np.isfinite(row.point_a).all()]
    if not rows:
        return
    points = np.concatenate([[row.point_a, row.point_b] for row in rows])
    yield Points("contact/points", YELLOW, points, 0.016 * size, span=span, legend="contact point")
    turned = [row for row in rows if np.isfinite(row.normal).all()]
    if turned:
        start = np.array([row.point_b for row in turned])
        end = start + 0.12 * size * np.array([row.normal for row in turned])
        words = "contact normal"
        yield Arrows("contact/normals", DARK, start, end, 0.006 * size, span=span, legend=words)


def touched_triangle(
    body: Body, triangle: int, size: float, since: tuple[int, float] = (0, -np.inf)
) -> Iterator[Arrows]:
    """Return the outline of a triangle of a rigid body; nothing without one.

    `size` is the size of the bodies; `since` is the first row with the outline, and its time.
    """
    if not 0 <= triangle < len(body.faces):
        return
    corners = np.asarray(body.vertices)[body.faces[triangle]]
    edge = float(np.linalg.norm(np.ptp(corners, axis=0)))
    lift = _LIFT * edge * face_normals(corners, np.array([[0, 1, 2]]))[0]
    placed = (corners + lift) @ np.swapaxes(body.pose[..., :3, :3], -1, -2)
    start = placed + body.pose[..., None, :3, 3]
    row, time = since
    start = start[row:] if start.ndim > 2 else start
    name, width = body.name.partition("/")[2], min(0.004 * size, 0.02 * edge)
    ends, span = (start, np.roll(start, -1, axis=-2)), (time, np.inf)
    more: Any = {"heads": False, "legend": "triangles in contact", "span": span}
    yield Arrows(f"contact/triangle of {name}", RED, *ends, width, **more)


def contact_camera(touch: Touch, bodies: Iterable[Body], row: int, size: float) -> Camera | None:
    """Return a close-up of a contact that bodies do not hide, None where no point is known."""
    point_a, point_b, normal = touch
    if not np.isfinite(point_a).all():
        return None
    across = normal if np.isfinite(normal).all() else np.zeros(3)
    return close_up(placed_at(bodies, row), (point_a + point_b) / 2, across, 0.9 * size)


def touch_of(contact: Any) -> Touch:
    """Return the two points of a contact and its normal."""
    return contact.point_a, contact.point_b, contact.normal


def focus_of(time: float, touch: Touch) -> tuple[float, Floats, Floats] | None:
    """Return what the camera of a view shows, None where no point is known."""
    a, b, normal = touch
    if not np.isfinite(a).all():
        return None
    return time, (a + b) / 2, normal if np.isfinite(normal).all() else np.zeros(3)


def touches(answer: Answer) -> bool:
    """Return whether an answer is certainly a contact."""
    return answer.status in (Status.CONTACT, Status.INITIAL_OVERLAP)


def outcome_of(answer: Any, touching: tuple[Any, ...] = ()) -> Outcome:
    """Return an answer about a motion in short."""
    safe = 1.0 if answer.status is Status.FREE else min(max(float(answer.safe_until), 0.0), 1.0)
    hit = touches(answer)
    return Outcome(
        answer.status.name,
        float(answer.toc) if hit else nan,
        tuple(str(name) for name in touching if name is not None) if hit else (),
        ((0.0, safe),),
        1e3 * answer.stats.seconds,
    )


def answer_marks(answer: Answer, camera: Camera | None = None, time: float = nan) -> Iterator[Mark]:
    """Return the mark of an answer; `time`: closest approach of a free motion."""
    if answer.status in _MARKS:
        name, color = _MARKS[answer.status]
        yield Mark(name, float(answer.toc), color, camera)
    elif np.isfinite(time):
        yield Mark("Closest approach", float(time), GREEN, camera)


def contact_facts(contact: Contact, names: tuple[Any, Any]) -> Facts:
    """Return the details of a contact."""
    if not touches(contact) or contact.triangle_a < 0:
        return
    a, b = names
    yield "Contact point", _numbers.vector(contact.point_a)
    if np.isfinite(contact.normal).all():
        yield f"Normal, {b} to {a}", _numbers.vector(contact.normal)
    i, j = (_numbers.count(int(k)) for k in (contact.triangle_a, contact.triangle_b))
    yield "Features", f"{contact.feature or 'crossing'}, triangle {i} of {a}, {j} of {b}"
    yield (
        "Distance",
        f"{_numbers.length(contact.distance)}, tolerance " + _numbers.length(contact.tolerance),
    )


def placed_at(bodies: Iterable[Body], row: int) -> list[Placed]:
    """Return the vertices of bodies in the world at a time, and their faces."""
    now = (body.at(row) for body in bodies)
    return [(moved(np.asarray(body.vertices), body.pose), body.faces) for body in now]


def merged(bodies: Sequence[Body], name: str, color: Color, legend: str = "") -> Body:
    """Return bodies that stay as one, because drawing many is slow."""
    vertices = [moved(np.asarray(body.vertices), body.pose) for body in bodies]
    first = np.cumsum([0, *(len(part) for part in vertices[:-1])])
    faces = [body.faces + start for body, start in zip(bodies, first, strict=True)]
    return Body(name, color, np.concatenate(vertices), np.concatenate(faces), legend=legend)
