"""Motions of a robot in a row."""

from __future__ import annotations

from typing import Any, Unpack, get_args

from numpy.typing import ArrayLike

from toccata._native import core
from toccata._options import RobotOptions, SequenceMethod, fixed_method
from toccata._robot.answers import RobotContact
from toccata._robot.robot import Robot
from toccata._scene import Scene, as_world

METHODS = get_args(SequenceMethod)


class RobotSequence:
    """Motions of a robot in a row, each helped by those before.

    It remembers which triangles touched last, of each pair of bodies: they are looked at first, and
    what cannot touch before they do is left out. With method "adaptive" it also keeps the rigid
    groups of links that do not move relative to each other, their places and boxes, and the proof
    that the links of a group are apart, while the group lasts. Answers obey the same contract as
    without memory. Robot and world may change meanwhile.
    """

    __slots__ = ("_memory", "_method", "_robot", "_world")

    def __init__(self, robot: Robot, world: Any = None, *, method: SequenceMethod = "auto") -> None:
        """Start without memory; `world` as for `Robot.first_contact`."""
        if method not in METHODS:
            methods = ", ".join(METHODS)
            raise ValueError(f"method: expected one of {methods} in a sequence, got {method!r}")
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
        return robot._queries.contact(q0, q1, bodies, how, memory=self._memory)


def _remade(robot: Robot, world: Any, method: SequenceMethod) -> RobotSequence:
    return RobotSequence(robot, world, method=method)
