"""The scenes of figure 4 of Kim et al. 2008, and how many of their joints are active."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toccata.scenes import articulated
from toccata.scenes.worlds import WorldScene


@dataclass(frozen=True, slots=True)
class Experiment:
    """A scene by its seed, and the numbers of active joints of each of its bodies."""

    build: Callable[[int], WorldScene]
    levels: tuple[int, ...]
    """Rising; the last one is all joints."""

    @property
    def joints(self) -> int:
        """Hinges of a body."""
        return self.levels[-1]

    @property
    def quarter(self) -> int:
        """The level next to a quarter of all joints."""
        return min(self.levels, key=lambda level: abs(level - self.joints / 4))


EXPERIMENTS = {
    "wooden-men": Experiment(articulated.wooden_men, (1, 2, 4, 7, 10, 15, 21, 28)),
    "pendulum": Experiment(articulated.pendulum, (1, 2, 4, 8, 15, 22, 30)),
    "falling-man": Experiment(articulated.falling_man, (1, 2, 4, 7, 10, 15, 21, 28)),
}
