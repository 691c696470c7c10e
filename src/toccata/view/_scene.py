"""A scene of many bodies, and an answer about it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from toccata._arrays import Floats, moved
from toccata._mesh import Mesh, as_mesh
from toccata._proximity import distance_batch
from toccata._result import Contact, SceneContacts, Status
from toccata._scene import Scene
from toccata.view import _numbers
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import AMBER, GRAY, PALETTE, RED, Color
from toccata.view._items import Body, Item, Mark, Outcome, Plot, View, row_of
from toccata.view._parts import Touch

MANY = 60
"""Largest number of fixed bodies that are drawn as separate bodies."""
_CLOSE_UPS = 12
"""Largest number of contacts with close-ups."""
_FEW = 6
"""Largest number of bodies with separate lines in the legend."""


def of_meshes(meshes: dict[str, Any]) -> View:
    """Return a view of meshes by name, at the coordinates of their vertices."""
    known = {name: as_mesh(name, mesh) for name, mesh in meshes.items()}
    bodies = [
        parts.body_of(
            name, PALETTE[i % len(PALETTE)], mesh, np.eye(4), name if len(known) > 1 else ""
        )
        for i, (name, mesh) in enumerate(known.items())
    ]
    counts = {
        "Bodies": len(bodies),
        "Vertices": sum(len(body.vertices) for body in bodies),
        "Triangles": sum(len(body.faces) for body in bodies),
    }
    facts = [(name, f"{count:,}") for name, count in counts.items()][len(bodies) == 1 :]
    return framed(View(", ".join(known), tuple(bodies), facts=tuple(facts), kind="Meshes"))


def of_scene(scene: Scene, contact: Contact | SceneContacts | None = None) -> View:
    """Return a view of a scene: its bodies over their motions, and an answer about them.

    Args:
        scene: the bodies and their motions.
        contact: the answer of `scene.first_contact` or `scene.contacts`.

    """
    scene = copy.copy(scene)  # other threads may edit it
    moves = any(not scene[name].motion._core.is_fixed for name in scene)
    pair, touch = _closest(scene, contact, moves)
    tocs = [] if contact is None else [float(toc) for toc in np.atleast_1d(contact.toc)]
    times = parts.times_between(*tocs, touch.time) if moves else np.zeros(1)
    bodies = scene_bodies(scene, times, touching_bodies(contact), pair)
    shown = [bodies[name] for name in pair if name in bodies]
    items: list[Item] = [*bodies.values()]
    marks: list[Mark] = []
    facts = [("Bodies", _numbers.count(len(scene)))]
    outcome: Outcome | None = None
    if isinstance(contact, Contact):
        size = parts.size_of(shown)
        camera = touch.camera(bodies.values(), row_of(times, touch.time), size)
        marks = [*parts.answer_marks(contact, camera, touch.time)]
        facts += parts.contact_facts(contact, (contact.body_a, contact.body_b))
        outcome = parts.outcome_of(contact, pair)
        if parts.touches(contact):
            items += parts.contact_items(contact, size, (contact.toc, np.inf))
        items += (line for body in shown for line in parts.trail(body))
    elif contact is not None:
        items += _contact_points(scene, contact)
        marks = [*_row_marks(contact, bodies, times)]
        facts.append(("Pairs in contact", str(len(contact))))
        outcome = scene_outcome(contact)
    items += parts.ghosts(shown, isinstance(contact, Contact) and contact.status is Status.CONTACT)
    plots = (_distance(scene, pair, times),) if len(pair) == 2 and moves else ()
    about: dict[str, Any] = {"facts": tuple(facts), "kind": "Scene"}
    view = View("Scene", tuple(items), times, outcome, tuple(marks), plots, **about)
    return framed(view, touch.focus() if np.isfinite(touch.time) else None)


def _closest(scene: Scene, contact: Any, moves: bool) -> tuple[tuple[str, ...], Touch]:
    """Return the two bodies in contact, or the two closest bodies, and their touch."""
    if isinstance(contact, Contact) and contact.body_a is not None:
        return (contact.body_a, str(contact.body_b)), Touch.of(contact)
    if isinstance(contact, Contact) and not contact and moves:
        near = scene.clearance()
        if near.body_a is not None and np.isfinite(near.point_a).all():
            touch = Touch(float(near.time), near.point_a, near.point_b)
            return (near.body_a, str(near.body_b)), touch
    if isinstance(contact, SceneContacts) and len(contact):
        return names_of(contact, 0), Touch.of(contact, 0)
    return (), Touch()


def names_of(found: SceneContacts, row: Any) -> tuple[str, str]:
    """Return the names of the bodies in a row."""
    return found.names[found.body_a[row]], found.names[found.body_b[row]]


def scene_bodies(
    scene: Any,
    times: Floats,
    touching: Mapping[str, tuple[float, Color]],
    pair: tuple[str, ...] = (),
    group: str = "bodies",
) -> dict[str, Body]:
    """Return the bodies of a scene by name. Many fixed bodies are merged into one.

    The bodies of `pair` have the first colors. Each body in `touching` changes its color at the
    given time.
    """
    names = list(scene)
    fixed = [name for name in names if scene[name].motion._core.is_fixed and name not in touching]
    rest = [name for name in names if name not in fixed and name not in pair]
    alone = group == "bodies" and len(fixed) == len(names)  # nothing moves, so all have colors
    order = [*pair, *rest, *(fixed if alone else [])]
    colors = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(order)}
    few = len(names) <= _FEW
    bodies = {}
    for name in names:
        mesh, motion = scene[name]
        color = colors.get(name, GRAY)
        shown: Any = parts.reddened(color, times, *touching[name]) if name in touching else color
        legend = name if few or name in pair else "fixed" if name in fixed else ""
        bodies[name] = parts.body_of(
            name, shown, mesh, parts.poses_of(motion, times), legend, group
        )
    if len(fixed) <= MANY:
        return bodies
    one = _merged([bodies.pop(name) for name in fixed], group)
    return bodies | {"all fixed bodies": one}


def _merged(bodies: list[Body], group: str) -> Body:
    """Return fixed bodies as one body, because drawing many bodies is slow."""
    vertices = [moved(np.asarray(body.vertices), body.pose) for body in bodies]
    first = np.cumsum([0, *(len(part) for part in vertices[:-1])])
    faces = [body.faces + start for body, start in zip(bodies, first, strict=True)]
    mesh = np.concatenate(vertices), np.concatenate(faces)
    return Body(f"{group}/all fixed bodies", GRAY, *mesh, legend="fixed")


def touching_bodies(contact: Contact | SceneContacts | None) -> dict[str, tuple[float, Color]]:
    """Return the time of contact of each body, with its color from then on.

    The result is empty for the answer about a single pair.
    """
    if not isinstance(contact, SceneContacts):
        return {}
    rows = np.flatnonzero(contact.status != Status.UNDECIDED)
    return parts.first_touches((*names_of(contact, i), contact.toc[i]) for i in rows)


def scene_outcome(found: SceneContacts) -> Outcome:
    """Return a summary with the earliest contact. Undecided pairs do not count as free."""
    safe = ((0.0, min(float(found.safe_until.min(initial=1.0)), 1.0)),)
    hits = np.flatnonzero(found.status != Status.UNDECIDED)
    if not len(hits):
        return Outcome("UNDECIDED" if len(found) else "FREE", safe=safe)
    first = hits[np.argmin(found.toc[hits])]
    status, toc = Status(found.status[first]).name, float(found.toc[first])
    return Outcome(status, toc, names_of(found, first), safe)


def _distance(scene: Scene, pair: tuple[str, ...], times: Any) -> Plot:
    (a, motion_a), (b, motion_b) = (scene[name] for name in pair)
    near = distance_batch(
        parts.drawable(a), parts.drawable(b), motion_a.pose(times), motion_b.pose(times)
    )
    return Plot(f"Distance between {pair[0]} and {pair[1]}", {"distance": near.distance})


def _contact_points(scene: Scene, found: SceneContacts) -> Iterator[Item]:
    for i in np.flatnonzero(np.isfinite(found.point_a).all(axis=1)):
        pair = names_of(found, i)
        size = 0.05 * min(scene[name].mesh.radius or 1.0 for name in pair)
        points = found.point_a[i], found.point_b[i]
        yield parts.pair_points(" and ".join(pair), found.toc[i], points, size)


def _row_marks(found: SceneContacts, bodies: dict[str, Body], times: Floats) -> Iterator[Mark]:
    """Return a mark for each pair. The first marks have close-ups."""
    for i, toc in enumerate(found.toc):
        names = names_of(found, i)
        pair = [bodies[name] for name in names if name in bodies]
        camera = None
        if i < _CLOSE_UPS and pair:
            camera = Touch.of(found, i).camera(
                bodies.values(), row_of(times, toc), parts.size_of(pair)
            )
        undecided = found.status[i] == Status.UNDECIDED
        words = " and ".join(names) + (", undecided" if undecided else "")
        yield Mark(words, float(toc), AMBER if undecided else RED, camera)


def as_meshes(value: Any) -> dict[str, Mesh] | None:
    """Return meshes by name if `value` is a mesh, several meshes or a mapping; otherwise None."""
    if isinstance(value, dict) and value:
        return {str(name): as_mesh(f"meshes[{name!r}]", mesh) for name, mesh in value.items()}
    many = list(value) if isinstance(value, list | tuple) else [value]
    if not many or not all(hasattr(mesh, "vertices") or isinstance(mesh, Mesh) for mesh in many):
        return None
    names = ["mesh"] if len(many) == 1 else [f"mesh {i}" for i in range(len(many))]
    return {name: as_mesh(name, mesh) for name, mesh in zip(names, many, strict=True)}
