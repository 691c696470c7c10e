"""Verification of answers about motions, which precedes every measurement."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np

import toccata as tc
from toccata._robot import RobotContact
from toccata_bench.robots.cases import Case, Motions
from toccata_bench.robots.pin_model import PinModel
from toccata_bench.verify import WrongAnswer

# Rounding error of triangle distances by coal in meters, far below any tolerance.
SLACK = 1e-9


class Judge:
    """Reference for the answers to some motions, from samples by an independent library."""

    def __init__(self, case: Case, motions: Motions, kind: str) -> None:
        self.case, self.motions, self.kind = case, motions, kind
        self.model: PinModel | None = None
        self.touches: Sequence[float] = [inf] * len(motions)

    def use(self, model: PinModel, sampled: Sequence[float]) -> None:
        """Keep the times of colliding samples at distance zero.

        The distance is measured, because coal also reports collisions of bodies that are 1e-6
        apart.
        """
        self.model = model
        self.touches = [
            t if isfinite(t) and model.least_distance(self.at(k, t)) <= 0.0 else inf
            for k, t in enumerate(sampled)
        ]

    def at(self, k: int, t: float) -> np.ndarray:
        """Return the configuration of motion k at time t."""
        return self.case.robot.interpolate(self.motions.start[k], self.motions.end[k], t)

    def check(self, label: str, answers: Sequence[RobotContact]) -> None:
        """Raise WrongAnswer for the first answer that cannot be right."""
        for k, answer in enumerate(answers):
            if fault := self.fault(k, answer):
                raise WrongAnswer(
                    f"{self.case.name}, {label}, {self.kind} motion {k}: {fault}"
                    f" (from {self.motions.start[k].tolist()} to {self.motions.end[k].tolist()})"
                )

    def fault(self, k: int, answer: RobotContact) -> str | None:
        """Return an error of the answer to motion k, None if it is right."""
        touch = self.touches[k]
        if answer.status in (tc.Status.UNDECIDED, tc.Status.INITIAL_OVERLAP):
            return f"{answer.status.name.lower()}, but the motion starts free and has no budget"
        if answer.status == tc.Status.FREE:
            if touch < inf:
                return f"free, but a sample at {touch} is in contact"
            return (
                None if self.kind == "free" or self.is_close(k) else "free, but auto finds contact"
            )
        if not 0.0 <= answer.toc <= 1.0:
            return f"contact at {answer.toc}, outside [0, 1]"
        if answer.toc > touch:
            return f"contact at {answer.toc}, but a sample at {touch} is in contact already"
        if (gap := self.gap(answer)) > answer.tolerance + SLACK:
            return f"contact at {answer.toc}, but the bodies are {gap} apart there"
        # If bodies are within the tolerance without touching, both answers are correct.
        return None if self.kind == "colliding" or self.model else "contact, but auto finds none"

    def is_close(self, k: int) -> bool:
        """Return whether FREE is correct although auto reports contact, as no sample touches."""
        return self.model is not None and self.touches[k] == inf

    def gap(self, answer: RobotContact) -> float:
        """Return the distance of the bodies at the time of contact, by coal if it is installed."""
        if self.model is None or not answer:
            return float(answer.distance)
        if answer.link_a is None or answer.link_b is None:
            return inf
        return self.model.distance(answer.q, answer.link_a, answer.link_b)

    def check_free(self, label: str, said: np.ndarray) -> None:
        """Raise WrongAnswer if `motion_is_free` and `first_contact` differ."""
        if self.kind == "free":
            wrong = ~said
        else:
            wrong = said & [not self.is_close(k) for k in range(len(said))]
        if wrong.any():
            k = int(np.flatnonzero(wrong)[0])
            motion = f"{self.case.name}, {label}, {self.kind} motion {k}"
            raise WrongAnswer(f"{motion}: motion_is_free returns {said[k]}")
