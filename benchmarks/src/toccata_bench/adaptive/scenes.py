"""Scenes of figure 4 of Kim et al. 2008, with their numbers of active joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toccata.scenes import articulated
from toccata.scenes.worlds import WorldScene


@dataclass(frozen=True, slots=True)
class Experiment:
    """A scene as a function of a seed, and the numbers of active joints per body to measure."""

    build: Callable[[int], WorldScene]
    levels: tuple[int, ...]
    """Numbers of active joints in ascending order; the last number is all joints."""

    @property
    def joints(self) -> int:
        """Number of hinges of a body."""
        return self.levels[-1]

    @property
    def quarter(self) -> int:
        """Level nearest to a quarter of all joints."""
        return min(self.levels, key=lambda level: abs(level - self.joints / 4))


EXPERIMENTS = {
    "wooden-men": Experiment(articulated.wooden_men, (1, 2, 4, 7, 10, 15, 21, 28)),
    "pendulum": Experiment(articulated.pendulum, (1, 2, 4, 8, 15, 22, 30)),
    "falling-man": Experiment(articulated.falling_man, (1, 2, 4, 7, 10, 15, 21, 28)),
}


def quick_levels(experiment: Experiment) -> tuple[int, ...]:
    """Return three numbers of active joints: one, a quarter of them, and all."""
    return tuple(sorted({1, experiment.quarter, experiment.joints}))
