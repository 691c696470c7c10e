"""Sequences of motions of a robot."""

from __future__ import annotations

from typing import Any, Unpack, get_args

from numpy.typing import ArrayLike

from toccata._native import core
from toccata._options import (
    RobotSequenceOptions,
    RobotSequencePathOptions,
    SequenceMethod,
    fixed_method,
    takes,
)
from toccata._robot.answers import RobotContact
from toccata._robot.path import check_method
from toccata._robot.robot import Robot, as_robot
from toccata._scene import Scene, as_world
from toccata.typing import WaypointsLike, WorldLike

METHODS = get_args(SequenceMethod)


class RobotSequence:
    """Queries about successive motions of a robot, accelerated by coherence.

    With methods "auto" and "adaptive", links that do not move relative to each other are grouped if
    few joints move. The sequence keeps the poses of a group, and for each pair of links and bodies
    the travel after which they may touch. Method "hca" remembers the triangles that touched last,
    one pair for each pair of bodies, and tests them first. Answers obey the same contract as
    without coherence, but contacts between separation and separation + tolerance may depend on
    earlier queries. The robot and the world may be edited between queries. Threads may share a
    sequence: a query that starts during another one works without coherence.

    Args:
        robot: the robot.
        world: as for `Robot.first_contact`.
        method: method of all queries.

    """

    __slots__ = ("_coherence", "_method", "_robot", "_world")

    def __init__(
        self, robot: Robot, world: WorldLike = None, *, method: SequenceMethod = "auto"
    ) -> None:
        if method not in METHODS:
            methods = ", ".join(METHODS)
            raise ValueError(f"method: a RobotSequence accepts {methods}, got {method!r}")
        self._method = method
        self._robot = as_robot(robot)
        self._world = (
            world if isinstance(world, Scene) else as_world(world)
        )  # a scene may change between queries
        self._coherence = core.RobotCoherence()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle robot and world; a copy starts without coherence."""
        return _remade, (self._robot, self._world, self._method)

    @takes(RobotSequenceOptions)
    def first_contact(
        self, q0: ArrayLike, q1: ArrayLike, **options: Unpack[RobotSequenceOptions]
    ) -> RobotContact:
        """Return the first contact on the straight motion from q0 to q1.

        Args:
            q0: configuration at t = 0, (dof,).
            q1: configuration at t = 1, (dof,).

        """
        how = fixed_method(options, RobotSequenceOptions.__optional_keys__, self._method)
        world = as_world(self._world)
        return self._robot._queries.contact(q0, q1, world, how, coherence=self._coherence)

    @takes(RobotSequencePathOptions)
    def first_contact_path(
        self, Q: WaypointsLike, **options: Unpack[RobotSequencePathOptions]
    ) -> RobotContact:
        """Return the first contact on a path through configurations.

        Args:
            Q: waypoints, as for `Robot.first_contact_path`.

        """
        known = RobotSequencePathOptions.__optional_keys__
        how = fixed_method(options, known, self._method)
        curve, rest = self._robot._path(Q, how)
        check_method(curve, self._method)
        world = as_world(self._world)
        return self._robot._queries.contact_on(curve, world, rest, coherence=self._coherence)


def _remade(robot: Robot, world: Any, method: SequenceMethod) -> RobotSequence:
    return RobotSequence(robot, world, method=method)
