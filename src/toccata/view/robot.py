"""A robot: at a configuration, or on a path with the answer about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_floats, as_shape
from toccata._native import core
from toccata.result import Status
from toccata.robot import Robot, RobotContact
from toccata.robot.path import configurations, curve_through
from toccata.robot.spline import Curve
from toccata.scene import World, as_world
from toccata.view.items import (
    DARK,
    GRAY,
    ORANGE,
    RED,
    YELLOW,
    Body,
    Color,
    Item,
    Label,
    Plot,
    View,
)
from toccata.view.parts import (
    GHOST,
    PALETTE,
    answer_marks,
    answer_notes,
    contact_camera,
    contact_items,
    moving,
    placed_at,
    reddened,
    times_between,
    touch_of,
    touched_triangle,
)
from toccata.view.scene import scene_bodies

LINKS: tuple[Color, ...] = (ORANGE, (98, 160, 92), (155, 112, 178), (205, 160, 60))
"""Of the robots beside each other."""
_SEEN_THROUGH = 0.35
"""Opacity of the world."""
_MOST_DISTANCES = 2_000_000
"""Pairs of bodies and times whose distances are measured for the plot."""


def of_robot(
    robot: Robot,
    path: Any = None,
    world: Any = None,
    contact: RobotContact | None = None,
    **way: Any,
) -> View:
    """Return a view of a robot.

    Args:
        robot: one, or several that are combined.
        path: (dof,) a configuration, by default the one within the limits that is nearest to zero;
            (n, dof) waypoints; or the times and the waypoints of each of several robots by name,
            as `first_contact_path` takes them.
        world: what it moves in.
        contact: the answer about this path.
        way: `times`, `spline` and other options of the path.

    """
    robot._pairs.check_geometry()
    bodies = as_world(world)
    rows = robot._space.home() if path is None else path
    if not isinstance(rows, Mapping) and as_floats("path", rows).ndim == 1:
        return _still(robot, as_shape("path", rows, robot.dof), bodies)
    curve = curve_through(robot._space, rows, robot.members, way)[0]
    wanted = () if contact is None else (contact.toc, contact.safe_until)
    times = times_between(*wanted, *(curve.ends if len(curve.ends) < 100 else ()))
    Q = configurations(robot._space, curve, times)
    since = {} if contact is None else _touching(contact)
    links = _links(robot, Q, times, since)
    around = _around(bodies, _world_times(curve, times))
    shown: list[Item] = [*links, *around.values()]
    shown += _end(links, contact)
    marks, notes = [], [f"{robot.dof} numbers, {len(robot.link_names)} links with geometry"]
    if contact is not None:
        size = _reach(links) / 3
        row = int(np.argmin(np.abs(times - contact.toc))) if contact else 0
        placed = placed_at([*links, *around.values()], row)
        marks = [*answer_marks(contact, contact_camera(touch_of(contact), placed, size))]
        shown += contact_items(contact, 0.3 * size, (contact.toc, np.inf), YELLOW)
        shown += _triangles(contact, links, around, 1e-4 * size)
        shown += _names(contact, links, times)
        notes += answer_notes(contact, (contact.link_a, contact.link_b))
    return View(
        "Robot",
        tuple(shown),
        times,
        tuple(marks),
        tuple(_clearance(robot, Q, bodies)),
        notes=tuple(notes),
    )


def _still(robot: Robot, q: Floats, world: World) -> View:
    links = _links(robot, q[None], np.zeros(1), {})
    around = _around(world, np.zeros(1))
    notes = [f"{name} {number:.6g}" for name, number in zip(robot.coordinate_names, q, strict=True)]
    items = (*(link.at(0) for link in links), *around.values())
    return View("Robot", items, notes=tuple(notes[:12]))


def _world_times(curve: Curve, times: Floats) -> Floats:
    if curve.world is None:
        return times
    return np.interp(times, curve.ends, curve.world)


def link_poses(robot: Robot, Q: Floats) -> dict[str, Floats]:
    """Return (k, 4, 4) poses of all links with geometry, by name."""
    frames = core.robot_frames(robot._pairs.core, np.ascontiguousarray(Q))
    rows = [robot._tree.poses(row) for row in frames]
    return {name: np.stack([row[name] for row in rows]) for name in robot.link_names}


def _links(robot: Robot, Q: Floats, times: Floats, since: dict[str, float]) -> list[Body]:
    """Return the links; those that touch are red from then on."""
    poses, members = link_poses(robot, Q), list(robot.members)
    found = []
    for name in robot.link_names:
        owner = name.partition("/")[0]
        color = LINKS[members.index(owner) % len(LINKS)] if owner in members else LINKS[0]
        shown: Any = reddened(color, times, since[name]) if name in since else color
        link = moving(name, shown, robot.links[name].mesh, poses[name])
        found.append(Body(f"robot/{name}", shown, link.vertices, link.faces, poses[name]))
    return found


def _around(world: World, times: Floats) -> dict[str, Body]:
    """Return the bodies of the world, pale: a robot among them has to be seen."""
    found = scene_bodies(world.bodies, times, {})
    return {
        name: Body(
            f"world/{name}", GRAY, body.vertices, body.faces, body.pose, opacity=_SEEN_THROUGH
        )
        for name, body in found.items()
    }


def _triangles(
    contact: RobotContact, links: list[Body], around: dict[str, Body], lift: float
) -> Iterator[Body]:
    """Return the two triangles that touch: of links in yellow, since they are red themselves."""
    own = {link.name.partition("/")[2]: link for link in links}
    both = (contact.link_a, contact.triangle_a), (contact.link_b, contact.triangle_b)
    for name, triangle in both if _touching(contact) else ():
        if name in own:
            yield from touched_triangle(own[str(name)], triangle, lift, YELLOW)
        elif name in around:
            yield from touched_triangle(around[str(name)], triangle, lift)


def _end(links: list[Body], contact: RobotContact | None) -> Iterator[Body]:
    """Return the ghost of the end, in red if the motion is rejected."""
    rejected = contact is not None and bool(contact)
    for link in links:
        if not np.array_equal(link.pose[0], link.pose[-1]):
            color = RED if rejected else PALETTE[1]
            name = link.name.partition("/")[2]
            mesh = link.vertices, link.faces
            yield Body(f"end/{name}", color, *mesh, link.pose[-1], opacity=GHOST)


def _touching(contact: RobotContact) -> dict[str, float]:
    if contact.link_a is None or contact.status in (Status.FREE, Status.UNDECIDED):
        return {}
    return {str(name): contact.toc for name in (contact.link_a, contact.link_b)}


def _names(contact: RobotContact, links: list[Body], times: Floats) -> Iterator[Label]:
    """Return the names of what touches, at the middle of each link, from the contact on."""
    row = int(np.argmin(np.abs(times - contact.toc)))
    own = {link.name.partition("/")[2]: link for link in links}
    for name in _touching(contact):
        if name in own:
            link = own[name]
            middle = (link.vertices.max(axis=0) + link.vertices.min(axis=0)) / 2
            place = link.pose[row:, :3, :3] @ middle + link.pose[row:, :3, 3]
            yield Label(f"names/{name}", DARK, name, place, span=(contact.toc, np.inf))


def _reach(links: list[Body]) -> float:
    places = np.concatenate([link.vertices @ link.pose[0, :3, :3].T + link.pose[0, :3, 3]
                             for link in links])  # fmt: skip
    return float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0


def _clearance(robot: Robot, Q: Floats, world: World) -> Iterator[Plot]:
    """Return the least distance to the world and to itself at each time, if nothing else moves."""
    pairs = len(robot.link_names) * (len(robot.link_names) + len(world.names))
    if world.moves or pairs * len(Q) > _MOST_DISTANCES:
        return
    near = robot.distances(Q, world)
    inner = near.body_b < len(robot.link_names)
    series = {"to the world": near.distance[:, ~inner], "to itself": near.distance[:, inner]}
    known = {name: rows.min(axis=1) for name, rows in series.items() if rows.shape[1]}
    if known:
        yield Plot("clearance", known, (PALETTE[1], PALETTE[3])[: len(known)])
