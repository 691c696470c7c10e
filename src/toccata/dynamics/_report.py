"""What happens in a world of bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toccata._arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class WorldContacts:
    """What touches, one row for each pair of points within 1.5 shells, world coordinates."""

    names_a: tuple[str, ...]
    names_b: tuple[str, ...]
    point: Floats
    """(k, 3) between the two bodies."""
    normal: Floats
    """(k, 3) of length 1, from b to a."""
    distance: Floats
    """(k,)"""
    force: Floats
    """(k, 3) on a, at the end of the last step; 0 where nothing presses."""

    def __len__(self) -> int:
        return len(self.names_a)


@dataclass(frozen=True, slots=True, eq=False)
class Impacts:
    """Bodies that hit each other, one row for each pair at a time."""

    time: Floats
    """(k,) seconds since the start of the world."""
    names_a: tuple[str, ...]
    names_b: tuple[str, ...]
    point: Floats
    """(k, 3) where the impulse is largest, world."""
    normal: Floats
    """(k, 3) of length 1, from b to a."""
    impulse: Floats
    """(k, 3) on a, of all points of the pair."""
    speed: Floats
    """(k,) with which they approached."""

    @classmethod
    def none(cls) -> Impacts:
        """Return no impacts."""
        rows = np.empty((0, 3))
        return cls(np.empty(0), (), (), rows, rows, rows, np.empty(0))

    @classmethod
    def _of(cls, names: Sequence[str], columns: tuple[Any, ...]) -> Impacts:
        time, a, b, point, normal, impulse, speed = columns
        names_a, names_b = (tuple(names[i] for i in ids) for ids in (a, b))
        return cls(time, names_a, names_b, point, normal, impulse, speed)

    def _then(self, later: Impacts) -> Impacts:
        if not len(later):
            return self
        columns = ("time", "point", "normal", "impulse", "speed")
        time, *vectors, speed = (
            np.concatenate((getattr(self, name), getattr(later, name))) for name in columns
        )
        names_a, names_b = self.names_a + later.names_a, self.names_b + later.names_b
        return Impacts(time, names_a, names_b, vectors[0], vectors[1], vectors[2], speed)

    def __len__(self) -> int:
        return len(self.names_a)


@dataclass(frozen=True, slots=True, eq=False)
class StepReport:
    """What one step did, or several."""

    steps: int = 0
    substeps: int = 0
    """Motions one after the other; of the island of bodies that took most."""
    impacts: int = 0
    """Pairs of bodies that hit each other; `events` has them."""
    truncated: int = 0
    """Substeps of which less was proven than was proposed."""
    stopped: int = 0
    """Bodies that lost the rest of a step, since no more of it was proven."""
    awake: int = 0
    """Bodies that move, at the end."""
    passes: int = 0
    """Of the contact solver."""
    energy: float = 0.0
    """Kinetic and potential, at the end."""
    lift: float = 0.0
    """Potential energy gained by pushing bodies out to the shell; it comes from nowhere else."""
    least_distance: float = math.inf
    """Of any two bodies, as far as they were near each other, at the start of substeps."""
    events: Impacts = field(default_factory=Impacts.none)

    def _then(self, numbers: Sequence[Any], impacts: Impacts, energy: float) -> StepReport:
        substeps, truncated, stopped, passes, awake, lift, least = numbers
        return StepReport(
            self.steps + 1,
            self.substeps + substeps,
            self.impacts + len(impacts),
            self.truncated + truncated,
            self.stopped + stopped,
            awake,
            self.passes + passes,
            energy,
            self.lift + lift,
            min(self.least_distance, least),
            self.events._then(impacts),
        )
