"""Motions of a robot in a row."""

from __future__ import annotations

from typing import Any, Unpack

from numpy.typing import ArrayLike

from toccata._native import core
from toccata.options import RobotOptions, fixed_method
from toccata.robot.contact import RobotContact
from toccata.robot.options import options_in
from toccata.robot.robot import Robot
from toccata.scene import Scene, as_world


class RobotSequence:
    """Motions of a robot in a row, each helped by the last one (method "hca").

    It remembers which triangles touched last: they are looked at first, and what cannot touch
    before they do is left out. Answers obey the same contract as without memory. Robot and world
    may change meanwhile.
    """

    __slots__ = ("_memory", "_robot", "_world")

    def __init__(self, robot: Robot, world: Any = None) -> None:
        """Start without memory; `world` as for `Robot.first_contact`."""
        if not isinstance(robot, Robot):
            raise ValueError(f"robot: expected a toccata.Robot, got {type(robot).__name__}")
        self._robot = robot
        self._world = world if isinstance(world, Scene) else as_world(world)  # scenes may grow
        self._memory = core.ContactMemory()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copy or pickle robot and world: a copy starts without memory."""
        return RobotSequence, (self._robot, self._world)

    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        **options: Unpack[RobotOptions],
    ) -> RobotContact:
        """Return the first contact; arguments as for `Robot.first_contact`, but no method."""
        robot, bodies = self._robot, as_world(self._world)
        how = fixed_method(options, RobotOptions.__optional_keys__, "hca")
        return robot._queries.contact(
            q0, q1, bodies, options_in(bodies, robot._pairs, how), self._memory
        )
