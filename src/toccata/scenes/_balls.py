"""A branching pendulum of 30 balls on rods, 16,000 triangles, that can hit itself.

Its structure follows Kim, Redon, Kim 2008, section 4; the shapes are our own. It hangs from the
origin; lengths are in meters. A row of three balls carries three rows of three balls, and each of
these rows carries two rows. The hinge of a ball is at the end of its rod, near the ball above, and
turns alternately about x and y.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from toccata._mesh import Mesh
from toccata._motion import pose
from toccata._robot import Joint, Link, Robot

from ._tree import AXES
from ._tube import turned_part
from .surface import MeshArrays, turned

Pose = NDArray[np.float64]

LENGTH, RADIUS = 0.15, 0.05
"""Distance from a hinge to the center of its ball, and radius of the ball, in meters."""
_ROD, _GAP = 0.012, 0.02
_SEGMENTS, _TILT, _LIMIT = 20, 0.7, 1.8


def balls_on_rods() -> Robot:
    """Return the pendulum; in the zero configuration, its branches are tilted outward."""
    tree = _Balls([Link("mount")], [])
    trunk = tree.row("mount", np.eye(4))
    for i in range(3):
        branch = tree.row(trunk, _on_ball(2 * pi * i / 3, _TILT))
        for k in range(2):
            tree.row(branch, _on_ball(pi * k, _TILT))
    return Robot(tree.links, tree.joints)


class _Balls:
    """Links and joints of a growing tree."""

    def __init__(self, links: list[Link], joints: list[Joint]) -> None:
        self.links, self.joints = links, joints

    def row(self, parent: str, origin: Pose) -> str:
        """Add a row of three balls below a link, the first at a pose, and return the last ball."""
        for _ in range(3):
            number = len(self.joints)
            name = f"ball{number}"
            strips = 14 if number % 3 == 0 else 13  # 400 strips in all, 40 triangles each
            self.links.append(Link(name, Mesh(*_ball_on_rod(strips))))
            axis = AXES["xy"[number % 2]]
            hinge = f"hinge{number}", "revolute", parent, name
            self.joints.append(Joint(*hinge, origin, axis, -_LIMIT, _LIMIT))  # type: ignore[arg-type]
            parent, origin = name, _on_ball(0.0, 0.0)
        return parent


def _ball_on_rod(strips: int) -> MeshArrays:
    """Return a rod from the origin down to a ball, a closed surface of revolution."""
    rod = [(0.0, -_ROD / 2), (_ROD, _ROD / 2), (_ROD, LENGTH / 2)]
    joined = np.arcsin(_ROD / RADIUS)
    polar = np.linspace(pi - joined, 0.0, strips - 1)
    ball = [(RADIUS * sin(angle), LENGTH + RADIUS * cos(angle)) for angle in polar[:-1]]
    return turned(turned_part([*rod, *ball, (0.0, LENGTH + RADIUS)], _SEGMENTS), "x", pi)


def _on_ball(azimuth: float, tilt: float) -> Pose:
    """Return the pose of a rod below a ball, with a tilt toward an azimuth."""
    turn = pose((0.0, 0.0, 0.0), rotvec=(tilt * sin(azimuth), -tilt * cos(azimuth), 0.0))
    turn[:3, 3] = turn[:3, :3] @ (0.0, 0.0, -RADIUS - _GAP) - (0.0, 0.0, LENGTH)
    return turn
