"""Components that several converters share: bodies, ghosts, contacts, marks and facts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from math import nan
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, moved
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._result import Answer, Contact, Status
from toccata.report._normals import face_normals
from toccata.surfaces import Surface
from toccata.view import _numbers
from toccata.view._camera import Focus, close_up
from toccata.view._colors import AMBER, DARK, GREEN, RED, SALMON, YELLOW, Color
from toccata.view._items import ALWAYS, Arrows, Body, Camera, Item, Mark, Outcome, Points, Span

GHOST = 0.26
"""Opacity of ghosts."""
Indices = NDArray[np.integer[Any]]
Facts = Iterator[tuple[str, str]]
Key = TypeVar("Key", bound=Hashable)
_UNKNOWN = np.full(3, nan)
_LIFT = 1e-3
"""Distance of the outline of a triangle from its surface, relative to the triangle."""
_MARKS = {
    Status.CONTACT: ("First contact", RED),
    Status.INITIAL_OVERLAP: ("Contact at the start", RED),
    Status.UNDECIDED: ("Undecided", AMBER),
}


class Touch(NamedTuple):
    """The closest points of two bodies at a time, and the normal there; NaN where unknown."""

    time: float = nan
    point_a: Floats = _UNKNOWN
    point_b: Floats = _UNKNOWN
    normal: Floats = _UNKNOWN

    @classmethod
    def of(cls, contact: Any, row: Any = ()) -> Touch:
        """Return the touch of a contact, or of one of its rows."""
        points = contact.point_a[row], contact.point_b[row], contact.normal[row]
        return cls(float(np.asarray(contact.toc)[row]), *points)

    def focus(self) -> Focus | None:
        """Return the time, the point and the normal for a camera; None without a point."""
        if not np.isfinite(self.point_a).all():
            return None
        across = self.normal if np.isfinite(self.normal).all() else np.zeros(3)
        return self.time, (self.point_a + self.point_b) / 2, across

    def camera(self, bodies: Iterable[Body], row: int, size: float) -> Camera | None:
        """Return a close-up that the bodies at a row do not hide; None without a point."""
        if (focus := self.focus()) is None:
            return None
        now = (body.at(row) for body in bodies)
        placed = [(moved(np.asarray(body.vertices), body.pose), body.faces) for body in now]
        return close_up(placed, focus[1], focus[2], 0.9 * size)


def times_between(*wanted: float, count: int = 121) -> Floats:
    """Return evenly spaced times from 0 to 1, together with the `wanted` times."""
    known = [time for time in wanted if 0 <= time <= 1]
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, count), known]))


def drawable(mesh: Mesh) -> Mesh:
    """Return a mesh with triangles, which approximates a curved surface."""
    return mesh.triangulate(32) if isinstance(mesh, Surface) else mesh


def mesh_arrays(mesh: Mesh) -> tuple[Floats, Indices]:
    """Return the vertices and faces to draw."""
    drawn = drawable(mesh)
    return drawn.vertices, drawn.faces


def poses_of(motion: Motion, times: Floats) -> Floats:
    """Return poses at times, (k, 4, 4), or a single pose, (4, 4), for a fixed body."""
    return motion.pose(0.0) if motion._core.is_fixed else motion.pose(times)


def body_of(
    name: str, color: Any, mesh: Mesh, poses: Floats, legend: str = "", group: str = "bodies"
) -> Body:
    """Return a body at one pose, or at a pose for each time."""
    return Body(f"{group}/{name}", color, *mesh_arrays(mesh), poses, legend=legend)


def _first_color(body: Body) -> Any:
    return np.atleast_2d(np.asarray(body.color))[0]


def ghosts(bodies: Iterable[Body], rejected: bool = False, start: bool = True) -> Iterator[Body]:
    """Return ghosts of all moving bodies at their first and last pose. A rejected end is red."""
    for body in bodies:
        if body.pose.ndim > 2 and not np.array_equal(body.pose[0], body.pose[-1]):
            name = body.name.partition("/")[2]
            r, g, b = (int(value) for value in _first_color(body))
            ghost = replace(body, color=(r, g, b), opacity=GHOST)
            if start:
                words = "start of the motion"
                yield replace(ghost, name=f"start/{name}", pose=body.pose[0], legend=words)
            words = "end of the motion, not reached" if rejected else "end of the motion"
            end = replace(ghost, name=f"end/{name}", pose=body.pose[-1], legend=words)
            yield replace(end, color=RED) if rejected else end


def reddened(color: Color, times: Floats, since: float, red: Color = RED) -> NDArray[np.uint8]:
    """Return a color for each time, which is red from the time `since` on."""
    late = (times >= since)[:, None]
    return np.where(late, np.array(red), np.array(color)).astype(np.uint8)


def first_touches(
    pairs: Iterable[tuple[Key, Key, float]],
) -> dict[Key, tuple[float, Color]]:
    """Return the first time of contact of each body, and the body's color from then on."""
    found: dict[Key, tuple[float, Color]] = {}
    for a, b, time in pairs:
        found.setdefault(a, (float(time), RED))
        found.setdefault(b, (float(time), SALMON))
    return found


def trail(body: Body) -> Iterator[Arrows]:
    """Return the path of a body's center, or of its tip if the body rotates in place."""
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
        color = tuple(np.asarray(_first_color(body) * 0.55).astype(int).tolist())
        more: Any = {"heads": False, "legend": f"path of {name}"}
        yield Arrows(f"paths/{name}", color, path[:-1], path[1:], size, **more)


def size_of(bodies: Iterable[Body]) -> float:
    """Return the diagonal of the smallest body, by which marks and close-ups are scaled."""
    boxes = (np.asarray(body.vertices)[np.unique(body.faces)] for body in bodies if len(body.faces))
    sizes = [float(np.linalg.norm(np.ptp(box, axis=0))) for box in boxes]
    return min((size for size in sizes if size > 0), default=1.0)


def contact_items(contact: Contact, size: float, span: Span = ALWAYS) -> Iterator[Item]:
    """Return the known contact points and normals."""
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


def pair_points(name: str, time: float, points: tuple[Floats, Floats], size: float) -> Points:
    """Return the contact points of one of several pairs, from the time of contact on."""
    more: Any = {"span": (float(time), np.inf), "legend": "contact point"}
    return Points(f"contact/{name}", YELLOW, np.stack(points), size, **more)


def touched_triangle(
    body: Body, triangle: int, size: float, since: tuple[int, float]
) -> Iterator[Arrows]:
    """Return the outline of a triangle of a rigid body, if `triangle` is one of its faces.

    `size` is the size of the bodies. `since` is the first row with the outline, and the row's time.
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


def touches(answer: Answer) -> bool:
    """Return whether an answer is certainly a contact."""
    return answer.status in (Status.CONTACT, Status.INITIAL_OVERLAP)


def outcome_of(answer: Any, touching: tuple[Any, ...] = ()) -> Outcome:
    """Return the summary of an answer about a motion."""
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
    """Return the mark of an answer. `time` is the time of the closest approach of a free motion."""
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
    distance, tolerance = map(_numbers.length, (contact.distance, contact.tolerance))
    yield "Distance", f"{distance}, tolerance {tolerance}"
