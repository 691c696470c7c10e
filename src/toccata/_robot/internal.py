"""The internal interface of `Robot`, for the other packages of Toccata.

Other packages use the public attributes and methods of a robot, and the functions below. They never
use an attribute of a robot that starts with an underscore, so that the internals can change.

A `Tree` and a `Curve` (a path) never change. `Queries` reads the tested pairs at each call, so
`Robot.ignore` applies to all later queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._robot.bases import Bases
from toccata._robot.parts import Joint, Link
from toccata._robot.path import configurations
from toccata._robot.queries import Queries
from toccata._robot.spline import Curve
from toccata._robot.tree import Tree

if TYPE_CHECKING:
    from toccata._robot.robot import Robot


def tree_of(robot: Robot) -> Tree:
    """Return the joints that move, parents first, and the carrier of each link."""
    return robot._tree


def queries_of(robot: Robot) -> Queries:
    """Return the queries of a robot in prepared worlds and on paths."""
    return robot._queries


def path_of(robot: Robot, Q: Any, options: Mapping[str, Any]) -> tuple[Curve, dict[str, Any]]:
    """Return the path through waypoints, and the remaining options."""
    return robot._path(Q, options)


def configurations_on(robot: Robot, path: Curve, times: Floats) -> Floats:
    """Return the configurations at (k,) times of a path from 0 to 1, (k, dof)."""
    return configurations(robot._space, path, times)


def meshes_of(robot: Robot) -> dict[str, Mesh]:
    """Return the meshes of links with geometry, by name, in the frames of the links."""
    return {name: link.mesh for name, link in robot.links.items() if link.mesh is not None}


def home(robot: Robot) -> Floats:
    """Return the configuration within the limits that is nearest to zero."""
    return robot._space.home()


def quaternions(robot: Robot) -> list[slice]:
    """Return the range of coordinates of each floating joint's quaternion (x, y, z, w)."""
    return list(robot._space.quaternions())


def check_geometry(robot: Robot) -> None:
    """Raise ValueError if no link has geometry."""
    robot._pairs.check_geometry()


def reason_ignored(robot: Robot, link: str, other: str) -> str | None:
    """Return why a link is not tested against another link or a body; None if it is tested."""
    return robot._pairs.reason(link, other)


def with_parts(robot: Robot, links: Iterable[Link], joints: Iterable[Joint]) -> Robot:
    """Return a robot with these links and joints, the same pairs, and its base at the origin."""
    return robot._remade(links, joints, Bases())
