"""Pictures and entries of robots: links over a path, among what stands around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import as_shape
from toccata.report import numbers
from toccata.report.camera import fit_camera, view_direction
from toccata.report.contacts import Cast, MeshArrays, about_contact, as_arrays, near_mark
from toccata.report.entry import Entry, Placed, Plot
from toccata.report.palette import BLUE, GREEN, GRAY, ORANGE, SAND
from toccata.report.picture import Body, render, to_image
from toccata.report.png import Image
from toccata.report.shade import Look

if TYPE_CHECKING:
    from toccata.robot import Robot, RobotContact
    from toccata.robot.spline import Curve
    from toccata.scene import World

Array = NDArray[np.float64]
_PLOTTED = 241
_MOST_JOINTS = 14


def robot_picture(
    robot: Robot,
    configurations: ArrayLike,
    world: Sequence[MeshArrays] = (),
    *,
    size: tuple[int, int] = (960, 720),
    view: tuple[float, float] = (35.0, 24.0),
) -> Image:
    """Return (h, w, 3) uint8: the robot at (n, dof) configurations, and the meshes of a world.

    The first configuration is orange, the last green, those between are pale. `view` is the
    azimuth and the elevation of the eye in degrees.
    """
    rows = as_shape("configurations", configurations, -1, robot.dof)
    placed = [part for i in range(len(rows)) for part in _robot_at(robot, rows, i)]
    around = [(Body.of(mesh, BLUE), np.eye(4)) for mesh in world]
    points = np.concatenate([body.at(pose) for body, pose in placed + around])
    camera = fit_camera(points, view_direction(*view), size)
    reach = 0.02 * float(np.linalg.norm(np.ptp(points, axis=0)))
    return to_image(render(placed + around, camera, Look(reach)).colors)


def _robot_at(robot: Robot, rows: Array, i: int) -> list[Placed]:
    color = ORANGE if i == 0 else GREEN if i == len(rows) - 1 else SAND
    poses = robot.forward_kinematics(rows[i])
    meshes = ((name, robot.links[name].mesh) for name in robot.link_names)
    return [(Body.of((mesh.vertices, mesh.faces), color), poses[name]) for name, mesh in meshes]


def of_robot(
    robot: Robot,
    path: tuple[ArrayLike, ArrayLike] | Curve,
    contact: RobotContact,
    world: Any = None,
    *,
    name: str,
    description: str = "",
) -> Entry:
    """Tell the first contact of a robot on a path: times from 0 to 1, and (n, dof) configurations.

    Between two rows the robot moves straight. A path of other times is told in theirs. In place of
    both, the path that a query was about may be given.
    """
    from toccata.robot.options import clearance_options_in
    from toccata.robot.spline import Curve, straight
    from toccata.scene import as_world

    bodies = as_world(world)
    if isinstance(path, Curve):
        curve, at = path, _configurations_on(robot, path)
        ends = np.array([at(t) for t in curve.ends])
    else:
        ends = as_shape("path", path[1], -1, robot.dof)
        times = as_shape("path", path[0], len(ends))
        curve, at = straight(ends, times, None, None), _configurations(robot, times, ends)
    near = None
    if not contact and len(np.unique(ends, axis=0)) > 1:
        options = clearance_options_in(bodies, robot._pairs, {})
        found = robot._queries.clearance_on(curve, bodies, options)
        near = near_mark(found, (*robot.link_names, *bodies.names))
    return about_contact(
        "robot",
        _cast(robot, at, bodies),
        contact,
        near,
        name=name,
        description=description,
        facts=_joints(robot, contact),
        plots=() if bodies.moves else (_distances(robot, at, contact, world),),
    )


def _configurations_on(robot: Robot, curve: Curve) -> Callable[[float], Array]:
    from toccata.robot.path import configurations

    return lambda t: configurations(robot._space, curve, np.array([t]))[0]


def _configurations(robot: Robot, times: Array, rows: Array) -> Callable[[float], Array]:
    def at(t: float) -> Array:
        i = min(max(int(np.searchsorted(times, t, side="right")) - 1, 0), len(rows) - 2)
        share = (t - times[i]) / (times[i + 1] - times[i])
        return np.asarray(robot.interpolate(rows[i], rows[i + 1], min(max(share, 0.0), 1.0)))

    return at


def _cast(robot: Robot, at: Callable[[float], Array], world: World) -> Cast:
    links, bodies = robot.link_names, [world.bodies[name] for name in world.names]

    def poses(t: float) -> list[Any]:
        placed = robot.forward_kinematics(at(t))
        return [*(placed[link] for link in links), *(body.motion.pose(t) for body in bodies)]

    meshes = [robot.links[link].mesh for link in links] + [body.mesh for body in bodies]
    colors = [SAND] * len(links) + [GRAY] * len(bodies)
    return Cast((*links, *world.names), [as_arrays(mesh) for mesh in meshes], colors, poses)


def _joints(robot: Robot, contact: RobotContact) -> tuple[tuple[str, str], ...]:
    """Return the configuration at the contact in words."""
    if not contact or not np.isfinite(contact.q).all():
        return ()
    names = robot.coordinate_names[:_MOST_JOINTS]
    words = [
        f"{name} {numbers.decimals(value)}" for name, value in zip(names, contact.q, strict=False)
    ]
    more = len(robot.coordinate_names) - len(names)
    return (("Joints then", ", ".join(words) + (f" and {more} more" if more else "")),)


def _distances(
    robot: Robot, at: Callable[[float], Array], contact: RobotContact, world: Any
) -> Plot:
    times = np.linspace(0.0, 1.0, _PLOTTED)
    rows = np.array([at(float(t)) for t in times])
    a, b = contact.link_a, contact.link_b
    title = "Distance to the nearest thing" if a is None else f"Distance of {a} and {b}"
    return Plot(title, times, contact_distances(robot, rows, contact, world))


def contact_distances(robot: Robot, Q: ArrayLike, contact: RobotContact, world: Any) -> Array:
    """Return how far apart the two that touch are at (n, dof) configurations.

    Where nothing touches, it is the least distance of all pairs.
    """
    found = robot.distances(Q, world)
    pair = contact.link_a, contact.link_b
    if pair in found.pairs or pair[::-1] in found.pairs:
        order = pair if pair in found.pairs else pair[::-1]
        return np.asarray(found.distance[:, found.pairs.index(order)])
    return np.asarray(found.distance.min(axis=1, initial=np.inf))
