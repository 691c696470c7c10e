"""Conversion between configurations of a robot and states of OMPL."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot import Joint, Robot
from toccata._robot.robot import as_robot
from toccata._text import counted
from toccata.planning._spaces import Number, drifting, parts_of


class Layout:
    """Converter between states of a space and configurations of a robot.

    The space has the coordinates of the robot in the same order:

    - A continuous joint is an SO2StateSpace, in which OMPL takes the shorter arc, or a coordinate
      of a RealVectorStateSpace, which distinguishes full turns. SO2StateSpace is accepted only if
      a full turn of the joint returns all joints that mimic it to the same position.
    - A planar joint is an SE2StateSpace or its components.
    - A floating joint is an SE3StateSpace or its components.
    - Other joints are coordinates of a RealVectorStateSpace.

    Args:
        robot: the robot.
        space: an `ompl.base.StateSpace`.

    """

    dof: int
    """Number of coordinates in a configuration."""

    def __init__(self, robot: Robot, space: Any) -> None:
        self.dof = as_robot(robot).dof
        self._parts = list(parts_of(space))
        numbers = [number for part in self._parts for number in part.numbers]
        if len(numbers) != robot.dof:
            wanted = counted(robot.dof, "coordinate")
            raise ValueError(f"state space: expected {wanted} as the robot has, got {len(numbers)}")
        at, drift = 0, drifting(robot)
        for joint in robot.joints:
            own = numbers[at : at + joint.width]
            _check(joint, own)
            if own == ["circle"] and joint.name in drift:
                raise ValueError(
                    f"state space: the continuous joint {joint.name!r} needs a "
                    "RealVectorStateSpace, because "
                    f"a full turn does not return its mimic {drift[joint.name]!r}"
                )
            at += joint.width
        self._circles = np.array([number == "circle" for number in numbers])

    def configuration(self, state: Any) -> Floats:
        """Return the configuration of a state, (dof,)."""
        return np.array([number for part in self._parts for number in part.read(state)])

    def write(self, q: ArrayLike, state: Any) -> None:
        """Write a configuration, (dof,), to a state."""
        numbers, at = as_shape("q", q, self.dof).tolist(), 0
        for part in self._parts:
            part.write(state, numbers[at : at + len(part.numbers)])
            at += len(part.numbers)

    def motion(self, start: Any, end: Any) -> tuple[Floats, Floats]:
        """Return the ends of the motion that OMPL interpolates; circles take the shorter arc."""
        q0, q1 = self.configuration(start), self.configuration(end)
        return q0, self._nearest(q0, q1)

    def path(self, path: Any) -> Floats:
        """Return the configurations of a path of OMPL, (n, dof), for `Robot.first_contact_path`."""
        rows = [self.configuration(state) for state in path.getStates()]
        for i in range(1, len(rows)):
            rows[i] = self._nearest(rows[i - 1], rows[i])
        return np.array(rows).reshape(-1, self.dof)

    def _nearest(self, q0: Floats, q1: Floats) -> Floats:
        """Return q1 with circles shifted by full turns, at most half a turn away from q0."""
        change = q1 - q0
        far = self._circles & (np.abs(change) > np.pi)
        return np.where(far, q1 - np.copysign(2 * np.pi, change), q1)


_EXPECTED: dict[str, list[tuple[Number, ...]]] = {
    "revolute": [("line",)],
    "prismatic": [("line",)],
    "continuous": [("circle",), ("line",)],
    "planar": [("line", "line", "circle"), ("line",) * 3],
    "floating": [("line",) * 3 + ("quaternion",) * 4],
}


def _check(joint: Joint, numbers: list[Number]) -> None:
    if joint.width and tuple(numbers) not in _EXPECTED[joint.kind]:
        wanted = " or ".join(" ".join(form) for form in _EXPECTED[joint.kind])
        raise ValueError(
            f"state space: expected {wanted} for the {joint.kind} joint {joint.name!r}, "
            f"got {' '.join(numbers)}"
        )
