"""The constant data of an articulated body: joints and masses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata._robot.internal import quaternions, tree_of
from toccata._robot.robot import Robot
from toccata.dynamics._mass import MassProperties


@dataclass(frozen=True, slots=True, eq=False)
class ArticulatedModel:
    """A robot with masses and gravity."""

    robot: Robot
    """The robot, including the floating joint if there is one."""
    gravity: Floats
    """Acceleration of gravity, (3,)."""
    masses: list[MassProperties]
    """Mass properties carried by each moving joint, in its frame."""
    refresh: int
    """Number of steps between two choices of active joints."""
    metric_time: float
    """Seconds by which the metric divides rates."""

    def native(self) -> core.ArticulatedBody:
        """Return a body of the core, at rest with all joints at zero."""
        tree = tree_of(self.robot)
        centers = np.array([mass.center for mass in self.masses]).reshape(-1, 3)
        origins = np.array([given[2][:3, 3] for given in tree.given]).reshape(-1, 3)
        lengths = np.linalg.norm(np.concatenate([centers, origins]), axis=1)
        settings = core.ArticulatedSettings(
            self.gravity,
            np.array([self.robot.lower, self.robot.upper]).reshape(2, -1),
            self.refresh,
            self.metric_time,
            max(lengths, default=0.0) or 1.0,
        )
        return core.ArticulatedBody(tree.native, [m._native() for m in self.masses], settings)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints that move, parents first."""
        return tuple(joint.name for joint in tree_of(self.robot).moving)

    def configurations(self, q: ArrayLike) -> Floats:
        """Return configurations, (n, dof), after checking that no quaternion is zero."""
        rows = as_shape("q", q, -1, self.robot.dof)
        for columns in quaternions(self.robot):
            if not (np.abs(rows[:, columns]).max(axis=1, initial=0) > 1e-100).all():
                raise ValueError("q: expected quaternions other than zero, got zeros")
        return rows

    def carried(self, name: str, link: str) -> tuple[int, Floats]:
        """Return the joint that carries a link (-1: the ground), and the link's pose in its frame.

        `name` is the argument with the link, for errors.
        """
        tree = tree_of(self.robot)
        if link not in tree.carrier:
            raise ValueError(f"{name}: expected a link of the robot, got {link!r}")
        return tree.carrier[link], tree.offset[link]

    def attached(self, link: str | None, point: Floats) -> tuple[int, Floats]:
        """Return the joint that carries a point of a link, and the point in the joint's frame.

        Without a link, the point belongs to the world, and the joint is -1.
        """
        if link is None:
            return -1, point
        joint, offset = self.carried("link", link)
        return joint, offset[:3, :3] @ point + offset[:3, 3]
