"""Motions of a robot in a row."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from numpy.typing import ArrayLike

from toccata._native import core
from toccata.options import RobotOptions, fixed_method
from toccata.robot.contact import RobotContact
from toccata.robot.options import options_in
from toccata.robot.robot import Robot
from toccata.scene import Scene, as_world


class RobotSequence:
    """Motions of a robot in a row, each helped by those before.

    It remembers which triangles touched last, of each pair of bodies: they are looked at first, and
    what cannot touch before they do is left out. Answers obey the same contract as without memory.
    Robot and world may change meanwhile.
    """

    __slots__ = ("_memory", "_method", "_robot", "_world")

    def __init__(
        self, robot: Robot, world: Any = None, *, method: Literal["auto", "hca"] = "auto"
    ) -> None:
        """Start without memory; `world` as for `Robot.first_contact`."""
        if method not in ("auto", "hca"):
            raise ValueError(f"method: expected one of auto, hca in a sequence, got {method!r}")
        self._method = method
        if not isinstance(robot, Robot):
            raise ValueError(f"robot: expected a toccata.Robot, got {type(robot).__name__}")
        self._robot = robot
        self._world = world if isinstance(world, Scene) else as_world(world)  # scenes may grow
        self._memory = core.ContactMemory()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copy or pickle robot and world: a copy starts without memory."""
        return _remade, (self._robot, self._world, self._method)

    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        **options: Unpack[RobotOptions],
    ) -> RobotContact:
        """Return the first contact; options as for `Robot.first_contact`, but no method."""
        robot, bodies = self._robot, as_world(self._world)
        how = fixed_method(options, RobotOptions.__optional_keys__, self._method)
        ready = options_in(bodies, robot._pairs, how)
        return robot._queries.contact(q0, q1, bodies, ready, memory=self._memory)


def _remade(robot: Robot, world: Any, method: Literal["auto", "hca"]) -> RobotSequence:
    return RobotSequence(robot, world, method=method)
