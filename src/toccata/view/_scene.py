"""A scene of many bodies, and an answer about it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from math import nan
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh, as_mesh
from toccata._proximity import distance_batch
from toccata._result import Contact, SceneContacts, Status
from toccata._scene import Scene
from toccata.view import _numbers
from toccata.view._camera import framed
from toccata.view._colors import AMBER, GRAY, PALETTE, RED, SALMON, YELLOW, Color
from toccata.view._items import Body, Item, Mark, Outcome, Plot, Points, View
from toccata.view._parts import (
    Touch,
    answer_marks,
    body_of,
    contact_camera,
    contact_facts,
    contact_items,
    drawable,
    focus_of,
    ghosts,
    merged,
    outcome_of,
    poses_of,
    reddened,
    size_of,
    times_between,
    touch_of,
    touches,
    trail,
)

MANY = 60
"""More fixed bodies than this are drawn as one."""
_CLOSE_UPS = 12
"""Contacts that have close-ups."""
_FEW = 6
"""Bodies that have lines of their own in the legend, if there are no more."""


def of_meshes(meshes: dict[str, Any]) -> View:
    """Return a view of meshes by name, at the coordinates of their vertices."""
    known = {name: as_mesh(name, mesh) for name, mesh in meshes.items()}
    bodies = [
        body_of(name, PALETTE[i % len(PALETTE)], mesh, np.eye(4), name if len(known) > 1 else "")
        for i, (name, mesh) in enumerate(known.items())
    ]
    view = View(", ".join(known), tuple(bodies), facts=tuple(_sizes(bodies)), kind="Meshes")
    return framed(view)


def _sizes(bodies: list[Body]) -> Iterator[tuple[str, str]]:
    if len(bodies) > 1:
        yield "Bodies", _numbers.count(len(bodies))
    yield "Vertices", _numbers.count(sum(len(body.vertices) for body in bodies))
    yield "Triangles", _numbers.count(sum(len(body.faces) for body in bodies))


def of_scene(scene: Scene, contact: Contact | SceneContacts | None = None) -> View:
    """Return a view of a scene: its bodies over their motions, and an answer about them.

    Args:
        scene: the bodies and their motions.
        contact: the answer of `scene.first_contact` or `scene.contacts`, if any.

    """
    scene = copy.copy(scene)  # other threads may edit it
    moves = any(not scene[name].motion._core.is_fixed for name in scene)
    pair, time, touch = _closest(scene, contact, moves)
    tocs = [] if contact is None else [float(toc) for toc in np.atleast_1d(contact.toc)]
    times = times_between(*tocs, time) if moves else np.zeros(1)
    touching = touching_bodies(contact)
    bodies = scene_bodies(scene, times, touching, pair)
    items: list[Item] = [*bodies.values()]
    marks: list[Mark] = []
    facts = [("Bodies", _numbers.count(len(scene)))]
    outcome: Outcome | None = None
    if isinstance(contact, Contact):
        shown = [bodies[name] for name in pair if name in bodies]
        size = size_of(shown)
        row = int(np.argmin(np.abs(times - time))) if np.isfinite(time) else 0
        marks = [*answer_marks(contact, contact_camera(touch, bodies.values(), row, size), time)]
        facts += contact_facts(contact, (contact.body_a, contact.body_b))
        outcome = outcome_of(contact, pair)
        if touches(contact):
            items += contact_items(contact, size, (contact.toc, np.inf))
        items += (line for body in shown for line in trail(body))
    elif contact is not None:
        items += _rows(scene, contact)
        marks = [*_row_marks(contact, bodies, times)]
        facts.append(("Pairs in contact", str(len(contact))))
        outcome = scene_outcome(contact)
    rejected = isinstance(contact, Contact) and contact.status is Status.CONTACT
    items += ghosts([bodies[name] for name in pair if name in bodies], rejected)
    plots = (_distance(scene, pair, times),) if len(pair) == 2 and moves else ()
    about: dict[str, Any] = {"facts": tuple(facts), "kind": "Scene"}
    view = View("Scene", tuple(items), times, outcome, tuple(marks), plots, **about)
    return framed(view, focus_of(time, touch) if np.isfinite(time) else None)


def _closest(scene: Scene, contact: Any, moves: bool) -> tuple[tuple[str, ...], float, Touch]:
    """Return the two bodies that matter, when, and where: in contact, or closest to it."""
    unknown = np.full(3, np.nan)
    if isinstance(contact, Contact) and contact.body_a is not None:
        return (contact.body_a, str(contact.body_b)), float(contact.toc), touch_of(contact)
    if isinstance(contact, Contact) and not contact and moves:
        near = scene.clearance()
        if near.body_a is not None and np.isfinite(near.point_a).all():
            touch = near.point_a, near.point_b, unknown
            return (near.body_a, str(near.body_b)), float(near.time), touch
    if isinstance(contact, SceneContacts) and len(contact):
        return earliest(contact)
    return (), nan, (unknown, unknown, unknown)


def earliest(found: SceneContacts) -> tuple[tuple[str, str], float, Touch]:
    """Return the bodies of the first row, when, and where."""
    pair = found.names[found.body_a[0]], found.names[found.body_b[0]]
    return pair, float(found.toc[0]), (found.point_a[0], found.point_b[0], found.normal[0])


def scene_bodies(
    scene: Any,
    times: Floats,
    touching: Mapping[str, tuple[float, Color]],
    pair: tuple[str, ...] = (),
    group: str = "bodies",
) -> dict[str, Body]:
    """Return the bodies of a scene by name; many fixed ones are one.

    The `pair` that matters has the first colors. Bodies of `touching` have other colors from a time
    on.
    """
    names = list(scene)
    fixed = [name for name in names if scene[name].motion._core.is_fixed and name not in touching]
    rest = [name for name in names if name not in fixed and name not in pair]
    alone = group == "bodies" and len(fixed) == len(names)  # nothing moves: colors tell them apart
    order = [*pair, *rest, *(fixed if alone else [])]
    colors = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(order)}
    few = len(names) <= _FEW
    bodies = {}
    for name in names:
        mesh, motion = scene[name]
        color = colors.get(name, GRAY)
        shown: Any = reddened(color, times, *touching[name]) if name in touching else color
        legend = name if few or name in pair else "fixed" if name in fixed else ""
        bodies[name] = body_of(name, shown, mesh, poses_of(motion, times), legend, group)
    if len(fixed) <= MANY:
        return bodies
    one = merged([bodies.pop(name) for name in fixed], f"{group}/all that stay", GRAY, "fixed")
    return bodies | {"all that stay": one}


def touching_bodies(
    contact: Contact | SceneContacts | None,
) -> dict[str, tuple[float, Color]]:
    """Return since when bodies are in contact, and their colors then; none for a single pair."""
    found: dict[str, tuple[float, Color]] = {}
    if not isinstance(contact, SceneContacts):
        return found
    for pair in zip(contact.body_a, contact.body_b, contact.toc, contact.status, strict=True):
        for i, color in zip(pair[:2], (RED, SALMON), strict=True):
            if pair[3] != Status.UNDECIDED:
                found.setdefault(contact.names[i], (float(pair[2]), color))
    return found


def scene_outcome(found: SceneContacts) -> Outcome:
    """Return the earliest contact in short; undecided pairs do not pass as free."""
    safe = ((0.0, min(float(found.safe_until.min(initial=1.0)), 1.0)),)
    hits = np.flatnonzero(found.status != Status.UNDECIDED)
    if not len(hits):
        return Outcome("UNDECIDED" if len(found) else "FREE", safe=safe)
    first = hits[np.argmin(found.toc[hits])]
    names = found.names[found.body_a[first]], found.names[found.body_b[first]]
    return Outcome(Status(found.status[first]).name, float(found.toc[first]), names, safe)


def _distance(scene: Scene, pair: tuple[str, ...], times: Any) -> Plot:
    (a, motion_a), (b, motion_b) = (scene[name] for name in pair)
    near = distance_batch(drawable(a), drawable(b), motion_a.pose(times), motion_b.pose(times))
    return Plot(f"Distance between {pair[0]} and {pair[1]}", {"distance": near.distance})


def _rows(scene: Scene, found: SceneContacts) -> Iterator[Item]:
    for i in np.flatnonzero(np.isfinite(found.point_a).all(axis=1)):
        pair = found.names[found.body_a[i]], found.names[found.body_b[i]]
        points = np.stack([found.point_a[i], found.point_b[i]])
        size = 0.05 * min(scene[name].mesh.radius or 1.0 for name in pair)
        more: Any = {"span": (float(found.toc[i]), np.inf), "legend": "contact point"}
        yield Points(f"contact/{pair[0]} and {pair[1]}", YELLOW, points, size, **more)


def _row_marks(found: SceneContacts, bodies: dict[str, Body], times: Floats) -> Iterator[Mark]:
    """Return a mark for each pair; the first ones have close-ups."""
    for i, toc in enumerate(found.toc):
        names = found.names[found.body_a[i]], found.names[found.body_b[i]]
        pair = [bodies[name] for name in names if name in bodies]
        camera = None
        if i < _CLOSE_UPS and pair:
            touch = found.point_a[i], found.point_b[i], found.normal[i]
            row = int(np.argmin(np.abs(times - toc)))
            camera = contact_camera(touch, bodies.values(), row, size_of(pair))
        undecided = found.status[i] == Status.UNDECIDED
        words = f"{names[0]} and {names[1]}" + (", undecided" if undecided else "")
        yield Mark(words, float(toc), AMBER if undecided else RED, camera)


def as_meshes(value: Any) -> dict[str, Mesh] | None:
    """Return meshes by name if `value` is one mesh, several, or a mapping of them."""
    if isinstance(value, dict) and value:
        return {str(name): as_mesh(f"meshes[{name!r}]", mesh) for name, mesh in value.items()}
    many = list(value) if isinstance(value, list | tuple) else [value]
    if not many or not all(hasattr(mesh, "vertices") or isinstance(mesh, Mesh) for mesh in many):
        return None
    names = ["mesh"] if len(many) == 1 else [f"mesh {i}" for i in range(len(many))]
    return {name: as_mesh(name, mesh) for name, mesh in zip(names, many, strict=True)}
