"""A scene of many bodies, and what was asked about it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from toccata.mesh import Mesh, as_mesh
from toccata.near import distance_batch
from toccata.result import Contact, SceneContacts, Status
from toccata.scene import Scene
from toccata.view.items import GRAY, RED, Body, Color, Item, Mark, Plot, Points, View
from toccata.view.parts import (
    PALETTE,
    answer_marks,
    answer_notes,
    contact_camera,
    contact_items,
    drawable,
    ghosts,
    merged,
    moving,
    placed_at,
    poses_of,
    reddened,
    times_between,
    touch_of,
)

MANY = 60
"""Bodies that stay: more of them are drawn as one."""


def of_meshes(meshes: dict[str, Any]) -> View:
    """Return a view of meshes by name, where their coordinates are."""
    known = {name: as_mesh(name, mesh) for name, mesh in meshes.items()}
    bodies = [
        moving(name, PALETTE[i % len(PALETTE)], mesh, np.eye(4))
        for i, (name, mesh) in enumerate(known.items())
    ]
    triangles = sum(len(body.faces) for body in bodies)
    notes = (f"{len(bodies)} bodies, {triangles} triangles" if len(bodies) > 1 else _size(bodies),)
    return View(", ".join(known), tuple(bodies), notes=notes)


def _size(bodies: Sequence[Body]) -> str:
    return f"{len(bodies[0].vertices)} vertices, {len(bodies[0].faces)} triangles"


def of_scene(scene: Scene, contact: Contact | SceneContacts | None = None) -> View:
    """Return a view of a scene: its bodies over their motions, and an answer about them.

    Args:
        scene: the bodies and their motions.
        contact: what `scene.first_contact` or `scene.contacts` answered, if anything.

    """
    scene = copy.copy(scene)  # other threads may edit it
    tocs = [] if contact is None else [float(toc) for toc in np.atleast_1d(contact.toc)]
    moves = any(not scene[name].motion._core.is_fixed for name in scene)
    times = times_between(*tocs) if moves else np.zeros(1)
    bodies = scene_bodies(scene, times, _touching(contact))
    items: list[Item] = [*bodies.values()]
    marks: list[Mark] = []
    plots: list[Plot] = []
    notes: tuple[str, ...] = (f"{len(scene)} bodies",)
    if isinstance(contact, Contact):
        size = scene_size(scene, (contact.body_a, contact.body_b))
        row = int(np.argmin(np.abs(times - contact.toc))) if contact else 0
        camera = contact_camera(touch_of(contact), placed_at(bodies.values(), row), size)
        items += contact_items(contact, size, (contact.toc, np.inf))
        marks = [*answer_marks(contact, camera)]
        notes += tuple(answer_notes(contact, (contact.body_a, contact.body_b)))
        if contact.body_a is not None and moves:
            plots.append(_distance(scene, (contact.body_a, str(contact.body_b)), times))
    elif contact is not None:
        items += _rows(scene, contact)
        marks = [*_row_marks(contact)]
        notes += (f"{len(contact)} pairs that may touch",)
    items += ghosts([body for name, body in bodies.items() if name in _touching(contact)])
    return View("Scene", tuple(items), times, tuple(marks), tuple(plots), notes=notes)


def scene_bodies(scene: Any, times: Any, touching: dict[str, float]) -> dict[str, Body]:
    """Return the bodies of a scene by name; those that stay are one if they are many.

    `touching` says which touch, and since when: then they are red.
    """
    names = list(scene)
    stay = [name for name in names if scene[name].motion._core.is_fixed and name not in touching]
    bodies = {}
    for i, name in enumerate(names):
        mesh, motion = scene[name]
        color: Color = GRAY if name in stay else PALETTE[i % len(PALETTE)]
        if name in stay and len(stay) == len(names):
            color = PALETTE[i % len(PALETTE)]
        shown: Any = reddened(color, times, touching[name]) if name in touching else color
        bodies[name] = moving(name, shown, mesh, poses_of(motion, times))
    if len(stay) <= MANY:
        return bodies
    rest = merged([bodies.pop(name) for name in stay], "bodies/all that stay", GRAY)
    return bodies | {"all that stay": rest}


def scene_size(scene: Any, names: tuple[Any, Any]) -> float:
    """Return the size of the smaller of two bodies."""
    found = [scene[name].mesh.radius for name in names if name is not None]
    return min((radius for radius in found if radius > 0), default=1.0)


def _touching(contact: Contact | SceneContacts | None) -> dict[str, float]:
    if contact is None or (isinstance(contact, Contact) and contact.body_a is None):
        return {}
    if isinstance(contact, Contact):
        return {str(name): contact.toc for name in (contact.body_a, contact.body_b)}
    found: dict[str, float] = {}
    for pair in zip(contact.body_a, contact.body_b, contact.toc, contact.status, strict=True):
        for i in pair[:2]:
            if pair[3] != Status.UNDECIDED:
                found.setdefault(contact.names[i], float(pair[2]))
    return found


def _distance(scene: Scene, pair: tuple[str, str], times: Any) -> Plot:
    (a, motion_a), (b, motion_b) = (scene[name] for name in pair)
    near = distance_batch(drawable(a), drawable(b), motion_a.pose(times), motion_b.pose(times))
    return Plot("distance", {f"{pair[0]} to {pair[1]}": near.distance}, (PALETTE[1],))


def _rows(scene: Scene, found: SceneContacts) -> list[Item]:
    items: list[Item] = []
    for i in np.flatnonzero(np.isfinite(found.point_a).all(axis=1)):
        pair = found.names[found.body_a[i]], found.names[found.body_b[i]]
        points = np.stack([found.point_a[i], found.point_b[i]])
        size = 0.06 * scene_size(scene, pair)
        span = (float(found.toc[i]), np.inf)
        items.append(Points(f"contact/{pair[0]} and {pair[1]}", RED, points, size, span=span))
    return items


def _row_marks(found: SceneContacts) -> list[Mark]:
    return [
        Mark(f"{found.names[a]} and {found.names[b]}", float(toc), RED)
        for a, b, toc in zip(found.body_a, found.body_b, found.toc, strict=True)
    ]


def as_meshes(value: Any) -> dict[str, Mesh] | None:
    """Return meshes by name if `value` is one mesh, several, or a mapping of them."""
    if isinstance(value, dict) and value:
        return {str(name): as_mesh(f"meshes[{name!r}]", mesh) for name, mesh in value.items()}
    many = list(value) if isinstance(value, list | tuple) else [value]
    if not many or not all(hasattr(mesh, "vertices") or isinstance(mesh, Mesh) for mesh in many):
        return None
    names = ["mesh"] if len(many) == 1 else [f"mesh {i}" for i in range(len(many))]
    return {name: as_mesh(name, mesh) for name, mesh in zip(names, many, strict=True)}
