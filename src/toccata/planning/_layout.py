"""Where the numbers of a configuration are in a state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot import Joint, Robot
from toccata.planning._spaces import Number, drifting, parts_of


class Layout:
    """Reads configurations of a robot from states of a space, and writes them.

    The numbers of the space are those of the robot, in the same order. A continuous joint is a
    number of a RealVectorStateSpace, which may count turns, or an SO2StateSpace, in which OMPL goes
    the shorter way; the latter only if all joints that mimic it return after a full turn. A planar
    joint is an SE2StateSpace or its parts, a floating joint an SE3StateSpace or its parts. All
    others are numbers of a RealVectorStateSpace.
    """

    def __init__(self, robot: Robot, space: Any) -> None:
        """Check that the space fits the robot."""
        self.dof = robot.dof
        self._parts = list(parts_of(space))
        numbers = [number for part in self._parts for number in part.numbers]
        if len(numbers) != robot.dof:
            raise ValueError(
                f"state space: expected the {robot.dof} numbers of the robot, got {len(numbers)}"
            )
        at, drift = 0, drifting(robot)
        for joint in robot.joints:
            own = numbers[at : at + joint.width]
            _check(joint, own)
            if own == ["turn"] and joint.name in drift:
                raise ValueError(
                    f"state space: expected for the continuous joint {joint.name!r} line, since "
                    f"{drift[joint.name]!r} mimics it and does not return after a full turn, "
                    "got turn"
                )
            at += joint.width
        self._turns = np.array([number == "turn" for number in numbers])

    def configuration(self, state: Any) -> Floats:
        """Return the configuration of a state."""
        return np.array([number for part in self._parts for number in part.read(state)])

    def write(self, q: ArrayLike, state: Any) -> None:
        """Write a configuration into a state."""
        numbers, at = as_shape("q", q, self.dof).tolist(), 0
        for part in self._parts:
            part.write(state, numbers[at : at + len(part.numbers)])
            at += len(part.numbers)

    def motion(self, start: Any, end: Any) -> tuple[Floats, Floats]:
        """Return the ends of the motion that OMPL means: circles go the shorter way."""
        q0, q1 = self.configuration(start), self.configuration(end)
        return q0, self._nearest(q0, q1)

    def path(self, path: Any) -> Floats:
        """Return (n, dof) configurations of a path of OMPL, for `robot.first_contact_path`."""
        rows = [self.configuration(state) for state in path.getStates()]
        for i in range(1, len(rows)):
            rows[i] = self._nearest(rows[i - 1], rows[i])
        return np.array(rows).reshape(-1, self.dof)

    def _nearest(self, q0: Floats, q1: Floats) -> Floats:
        """Take a full turn off circles that would go more than half a turn, as OMPL does."""
        change = q1 - q0
        far = self._turns & (np.abs(change) > np.pi)
        return np.where(far, q1 - np.copysign(2 * np.pi, change), q1)


_EXPECTED: dict[str, list[tuple[Number, ...]]] = {
    "revolute": [("line",)],
    "prismatic": [("line",)],
    "continuous": [("turn",), ("line",)],
    "planar": [("line", "line", "turn"), ("line",) * 3],
    "floating": [("line",) * 3 + ("quaternion",) * 4],
}


def _check(joint: Joint, numbers: list[Number]) -> None:
    if joint.width and tuple(numbers) not in _EXPECTED[joint.kind]:
        wanted = " or ".join(" ".join(form) for form in _EXPECTED[joint.kind])
        raise ValueError(
            f"state space: expected for the {joint.kind} joint {joint.name!r} {wanted}, "
            f"got {' '.join(numbers)}"
        )
