"""A builder of articulated bodies; a ball joint consists of three revolute joints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata._mesh import Mesh
from toccata._robot import Joint, Link, Robot

from .surface import MeshArrays

Offset = tuple[float, float, float]
Limits = tuple[float, float]

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class TreeBuilder:
    """Links and joints of a growing tree; angles in radians."""

    def __init__(self, root: str, shape: MeshArrays | None = None) -> None:
        """Start with the root link."""
        self.links: list[Link] = []
        self.joints: list[Joint] = []
        if shape is None:
            self.links.append(Link(root))
        else:
            self._link(root, shape)

    def floating(self, name: str, parent: str, child: str, shape: MeshArrays) -> None:
        """Add a link that moves freely."""
        self._link(child, shape)
        self.joints.append(Joint(name, "floating", parent, child))

    def turning(
        self,
        name: str,
        ends: tuple[str, str],
        offset: Offset,
        limits: dict[str, Limits],
        shape: MeshArrays,
    ) -> None:
        """Add a link that turns about one axis or several axes through one point, within limits.

        One axis gives a joint `name`. Several axes give joints `name_x`, `name_y`, ... in the order
        of `limits`, with links without geometry between them.
        """
        parent, child = ends
        for i, (axis, (lower, upper)) in enumerate(limits.items()):
            last = i == len(limits) - 1
            label = name if len(limits) == 1 else f"{name}_{axis}"
            target = child if last else f"{label}_carrier"
            if not last:
                self.links.append(Link(target))
            origin = shift(offset) if i == 0 else np.eye(4)
            self.joints.append(
                Joint(label, "revolute", parent, target, origin, AXES[axis], lower, upper)
            )
            parent = target
        self._link(child, shape)

    def _link(self, name: str, shape: MeshArrays) -> None:

        self.links.append(Link(name, Mesh(*shape)))

    def robot(self) -> Robot:
        """Return the robot."""
        return Robot(self.links, self.joints)


def shift(offset: Offset) -> NDArray[np.float64]:
    """Return a translation as a pose."""
    pose = np.eye(4)
    pose[:3, 3] = offset
    return pose


def posed(robot: Robot, angles: dict[str, float]) -> NDArray[np.float64]:
    """Return a configuration from coordinates by name; all other coordinates are zero."""
    q = robot.zero_configuration()
    for name, angle in angles.items():
        q[robot.coordinate_names.index(name)] = angle
    return q
