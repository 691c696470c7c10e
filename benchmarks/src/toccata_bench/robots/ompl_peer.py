"""OMPL's discrete motion validator; pinocchio and coal check the states.

Its resolution is the default of MoveIt: 0.5 % of the extent of the state space, however far a link
moves between two samples.
"""

from __future__ import annotations

from math import isfinite, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.peers import optional
from toccata_bench.robots.cases import Motions
from toccata_bench.robots.sampling import Sampler

RESOLUTION = 0.005


class DiscreteValidator:
    """Discrete validator for robots with revolute and prismatic joints only."""

    def __init__(self, sampler: Sampler) -> None:
        self._base = optional("ompl.base")
        self._sampler = sampler
        self._row = np.zeros(sampler.robot.dof)
        self._information = self._set_up()

    @staticmethod
    def fits(robot: tc.Robot) -> bool:
        """Return whether no joint has several coordinates."""
        return not any("/" in name for name in robot.coordinate_names)

    def _set_up(self) -> Any:
        robot, base = self._sampler.robot, self._base
        space = base.RealVectorStateSpace(robot.dof)
        bounds = base.RealVectorBounds(robot.dof)
        for i in range(robot.dof):
            low, high = float(robot.lower[i]), float(robot.upper[i])
            bounds.setLow(i, low if isfinite(low) else -pi)
            bounds.setHigh(i, high if isfinite(high) else pi)
        space.setBounds(bounds)
        information = base.SpaceInformation(space)
        information.setStateValidityChecker(self._is_valid)
        information.setStateValidityCheckingResolution(RESOLUTION)
        information.setup()
        return information

    def _is_valid(self, state: Any) -> bool:
        row = self._row
        for i, k in enumerate(self._sampler.model.order):
            row[i] = state[k]
        return not self._sampler.collides(row)

    def prepare(self, motions: Motions) -> list[tuple[Any, Any]]:
        """Return the states at both ends of all motions."""
        return [
            (self._state(q0), self._state(q1))
            for q0, q1 in zip(motions.start, motions.end, strict=True)
        ]

    def _state(self, q: NDArray[np.float64]) -> Any:
        state = self._information.allocState()
        for i, value in enumerate(q):
            state[i] = float(value)
        return state

    def are_free(self, prepared: list[tuple[Any, Any]]) -> list[bool]:
        """Return whether each motion is free."""
        check = self._information.checkMotion
        return [check(start, end) for start, end in prepared]
