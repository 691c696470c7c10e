"""A robot: at a configuration, or on a path with the answer about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_floats, as_shape
from toccata._result import Status
from toccata._robot import Robot, RobotContact
from toccata._robot.internal import (
    check_geometry,
    configurations_on,
    home,
    meshes_of,
    path_of,
    queries_of,
)
from toccata._robot.spline import Curve
from toccata._scene import PreparedWorld, as_world
from toccata._text import counted
from toccata.view import _numbers
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import DARK, PALETTE, Color
from toccata.view._items import Body, Item, Label, Mark, Plot, View, row_of
from toccata.view._parts import Facts, Touch
from toccata.view._scene import scene_bodies

_MOST_DISTANCES = 2_000_000
"""Largest number of distances that are computed for the plot."""
_MOST_JOINTS = 14


def of_robot(
    robot: Robot,
    path: Any = None,
    world: Any = None,
    contact: RobotContact | None = None,
    **options: Any,
) -> View:
    """Return a view of a robot.

    Args:
        robot: one robot, or several combined ones.
        path: a configuration, (dof,); waypoints, (n, dof); times and waypoints of each combined
            robot by name, as for `first_contact_path`; or the `Curve` of a query. Default: the
            configuration within the limits that is nearest to zero.
        world: the bodies around the robot.
        contact: the answer about this path.
        options: `times`, `spline` and other options of the path.

    """
    check_geometry(robot)
    bodies = as_world(world)
    rows = home(robot) if path is None else path
    if not isinstance(rows, Mapping | Curve) and as_floats("path", rows).ndim == 1:
        return _still(robot, as_shape("path", rows, robot.dof), bodies)
    curve = rows if isinstance(rows, Curve) else path_of(robot, rows, options)[0]
    touch = _closest(robot, curve, bodies, contact)
    times = parts.times_between(touch.time, *(curve.ends if len(curve.ends) < 100 else ()))
    Q = configurations_on(robot, curve, times)
    touching = {} if contact is None else touching_links(contact)
    links = links_of(robot, Q, times, touching)
    around = scene_bodies(bodies.bodies, world_times(curve, times), {}, group="world")
    items: list[Item] = [*links.values(), *around.values()]
    items += parts.ghosts(links.values(), contact is not None and bool(contact), start=False)
    facts = [robot_size(robot)]
    marks: list[Mark] = []
    outcome = None
    if contact is not None:
        row, names = row_of(times, touch.time), (contact.link_a, contact.link_b)
        size = parts.size_of([links[name] for name in touching if name in links] or links.values())
        camera = touch.camera([*links.values(), *around.values()], row, size)
        marks = [*parts.answer_marks(contact, camera, touch.time)]
        items += _about(contact, links, around, times)
        facts += [*parts.contact_facts(contact, names), *_joints(robot, contact)]
        outcome = parts.outcome_of(contact, names)
    plots, about = tuple(_clearance(robot, Q, bodies)), tuple(facts)
    view = View("Robot", tuple(items), times, outcome, tuple(marks), plots, about, kind="Robot")
    return framed(view, touch.focus())


def _still(robot: Robot, q: Floats, world: PreparedWorld) -> View:
    links = links_of(robot, q[None], np.zeros(1), {})
    around = scene_bodies(world.bodies, np.zeros(1), {}, group="world")
    items = (*(link.at(0) for link in links.values()), *around.values())
    values = zip(robot.coordinate_names[:_MOST_JOINTS], q, strict=False)
    joints = [(name, _numbers.decimals(number)) for name, number in values]
    return framed(View("Robot", items, facts=(robot_size(robot), *joints), kind="Robot"))


def robot_size(robot: Robot) -> tuple[str, str]:
    """Return the numbers of joints and links, as a fact."""
    joints = [joint for joint in robot.joints if joint.kind != "fixed" and not joint.mimic]
    links = counted(len(robot.link_names), "link")
    return "Robot", f"{counted(len(joints), 'joint')}, {links} with collision geometry"


def _joints(robot: Robot, contact: RobotContact) -> Facts:
    """Return the configuration at the contact."""
    if contact and np.isfinite(contact.q).all():
        names = robot.coordinate_names[:_MOST_JOINTS]
        values = zip(names, contact.q, strict=False)
        words = ", ".join(f"{name} {_numbers.decimals(value)}" for name, value in values)
        more = len(robot.coordinate_names) - len(names)
        yield "Configuration", words + (f" and {more} more" if more else "")


def _closest(
    robot: Robot, curve: Curve, world: PreparedWorld, contact: RobotContact | None
) -> Touch:
    """Return the contact, or the closest approach of a free robot that moves."""
    if contact is None:
        return Touch()
    if contact:
        return Touch.of(contact)
    ends = configurations_on(robot, curve, curve.ends)
    if (ends == ends[0]).all():
        return Touch()
    near = queries_of(robot).clearance_on(curve, world, {})
    return Touch(float(near.time), near.point_a, near.point_b)


def world_times(curve: Curve, times: Floats) -> Floats:
    """Return the times of the world's bodies for times of a path."""
    if curve.world is None:
        return times
    return np.interp(times, curve.ends, curve.world)


def link_color(robot: Robot, link: str) -> tuple[Color, str]:
    """Return the color of a link, and the name of its robot in a combination."""
    owner, members = link.partition("/")[0], list(robot.members)
    if owner not in members:
        return PALETTE[0], "robot"
    return PALETTE[members.index(owner) % len(PALETTE)], owner


def links_of(robot: Robot, Q: Floats, times: Floats, since: dict[str, float]) -> dict[str, Body]:
    """Return the links with geometry by name. Links in `since` are red from the given time on."""
    poses, meshes, found = robot.forward_kinematics(Q), meshes_of(robot), {}
    for name in robot.link_names:
        color, owner = link_color(robot, name)
        shown: Any = color
        if name in since:
            shown, owner = parts.reddened(color, times, since[name]), f"{name}, then in contact"
        found[name] = parts.body_of(name, shown, meshes[name], poses[name], owner, "robot")
    return found


def _about(
    contact: RobotContact, links: dict[str, Body], around: dict[str, Body], times: Floats
) -> Iterator[Item]:
    """Return the contact points, the triangles, and the paths and names of the links."""
    if not parts.touches(contact):
        return
    both = {contact.link_a: contact.triangle_a, contact.link_b: contact.triangle_b}
    bodies = {str(name): (links | around)[str(name)] for name in both if name in links | around}
    size = parts.size_of(bodies.values())
    yield from parts.contact_items(contact, size, (contact.toc, np.inf))
    row = row_of(times, contact.toc)
    for name, body in bodies.items():
        yield from parts.touched_triangle(body, both[name], size, (row, contact.toc))
        if name in links:
            yield from parts.trail(body)
            middle = (body.vertices.max(axis=0) + body.vertices.min(axis=0)) / 2
            position = body.pose[row:, :3, :3] @ middle + body.pose[row:, :3, 3]
            yield Label(f"names/{name}", DARK, name, position, span=(contact.toc, np.inf))


def touching_links(contact: RobotContact) -> dict[str, float]:
    """Return the time of contact for each of the two bodies in contact, by name."""
    if contact.link_a is None or contact.status in (Status.FREE, Status.UNDECIDED):
        return {}
    return {str(name): contact.toc for name in (contact.link_a, contact.link_b)}


def _clearance(robot: Robot, Q: Floats, world: PreparedWorld) -> Iterator[Plot]:
    """Yield a plot of the least distances to a fixed world and among the links."""
    pairs = len(robot.link_names) * (len(robot.link_names) + len(world.names))
    if world.moves or pairs * len(Q) > _MOST_DISTANCES:
        return
    near = queries_of(robot).distances(Q, world)
    inner = near.link_b < len(robot.link_names)
    series = {"to the world": near.distance[:, ~inner], "to itself": near.distance[:, inner]}
    known = {name: rows.min(axis=1) for name, rows in series.items() if rows.shape[1]}
    if known:
        yield Plot("Distance of the robot", known)


def contact_distances(robot: Robot, Q: Any, contact: RobotContact, world: Any) -> Floats:
    """Return the distances of the two bodies in contact at (n, dof) configurations."""
    found = robot.distances(Q, world)
    pair = contact.link_a, contact.link_b
    order = pair if pair in found.pairs else pair[::-1]
    return np.asarray(found.distance[:, found.pairs.index(order)])
