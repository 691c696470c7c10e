"""Contacts and impacts of a world, and statistics of its steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._native import core
from toccata._text import counted, indented


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairRows:
    """Rows about pairs of bodies, in world coordinates."""

    names: tuple[str, ...]
    """Names of the bodies of the world."""
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """The two bodies of each row, indices into `names`, (k,)."""
    point: Floats
    """Midpoint of the contact, or point of the largest impulse of an impact, (k, 3)."""
    normal: Floats
    """Unit vectors from b to a, (k, 3)."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of both bodies of each row."""
        names = self.names
        return tuple((names[i], names[j]) for i, j in zip(self.body_a, self.body_b, strict=True))

    def __len__(self) -> int:
        return len(self.body_a)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorldContacts(PairRows):
    """Contacts of a world, one row for each pair of points within 1.5 shells."""

    distance: Floats
    """Distance between the two points, (k,)."""
    force: Floats
    """Force on a at the end of the last step, (k, 3); 0 where no body presses on the other."""

    def __str__(self) -> str:
        return f"{counted(len(self), 'contact')} of {counted(len(set(self.pairs)), 'pair')}"

    def __repr__(self) -> str:
        sizes = np.linalg.norm(self.force, axis=1)
        columns = zip(self.pairs, self.distance, sizes, strict=True)
        rows = [f"{a!r} and {b!r}, distance {d:.3g}, force {f:.3g}" for (a, b), d, f in columns]
        return indented(f"WorldContacts: {self}", rows)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Impacts(PairRows):
    """Impacts in a world, one row for each pair of bodies and time."""

    impulse: Floats
    """Impulse on a, summed over all points of the pair, (k, 3)."""
    speed: Floats
    """Speed at which the bodies approached each other, (k,)."""
    time: Floats
    """Seconds since the start of the simulation, (k,)."""

    @classmethod
    def none(cls) -> Impacts:
        """Return no impacts."""
        nobody, rows, none = np.empty(0, dtype=np.int32), np.empty((0, 3)), np.empty(0)
        return cls((), nobody, nobody, rows, rows, rows, none, none)

    def _then(self, later: Impacts) -> Impacts:
        """Append later impacts of the same world; `self` may be `Impacts.none`."""
        if not len(self):
            return later
        columns = [column.name for column in fields(Impacts) if column.name != "names"]
        both = ((getattr(self, name), getattr(later, name)) for name in columns)
        return Impacts(self.names, *map(np.concatenate, both))

    def __str__(self) -> str:
        return counted(len(self), "impact")

    def __repr__(self) -> str:
        columns = zip(self.pairs, self.time, self.speed, strict=True)
        rows = [f"{t:.6g} s: {a!r} and {b!r}, speed {v:.3g}" for (a, b), t, v in columns]
        return indented(f"Impacts: {self}", rows)


@dataclass(frozen=True, slots=True, eq=False)
class StepReport:
    """Statistics of one step, or of several."""

    steps: int = 0
    substeps: int = 0
    """Number of substeps of the island with the most substeps, summed over the steps."""
    impacts: int = 0
    """Number of rows of `events`."""
    truncated: int = 0
    """Number of substeps with a proven portion shorter than the proposal."""
    stopped: int = 0
    """Number of bodies that lost the rest of a step because it was not proven free."""
    awake: int = 0
    """Number of bodies that are awake at the end."""
    passes: int = 0
    """Number of passes of the contact solver."""
    energy: float = 0.0
    """Kinetic and potential energy at the end."""
    lift: float = 0.0
    """Potential energy gained by pushing bodies out to the shell."""
    least_distance: float = math.inf
    """Least distance of bodies at the start of a substep; infinite if no bodies were close."""
    events: Impacts = field(default_factory=Impacts.none)
    """The impacts, sorted by step."""

    def _then(self, one: core.StepReport, impacts: Impacts, energy: float) -> StepReport:
        """Add one step."""
        return StepReport(
            self.steps + 1,
            self.substeps + one.substeps,
            self.impacts + len(impacts),
            self.truncated + one.truncated,
            self.stopped + one.stopped,
            one.awake,
            self.passes + one.passes,
            energy,
            self.lift + one.lift,
            min(self.least_distance, one.least_distance),
            self.events._then(impacts),
        )

    def __str__(self) -> str:
        return (
            f"{counted(self.steps, 'step')}, {counted(self.substeps, 'substep')}, "
            f"{counted(self.impacts, 'impact')}, {self.stopped} stopped, {self.awake} awake, "
            f"energy {self.energy:.6g}, least distance {self.least_distance:.3g}"
        )
