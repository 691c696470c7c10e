"""Answers of robot queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._native import core
from toccata.result import Batch, Contact, Stats, Status, contact_values


@dataclass(frozen=True, slots=True)
class RobotStats(Stats):
    """Work done, stage by stage."""

    pairs_after_hierarchy: int = 0
    """Pairs of bodies whose boxes meet."""
    pairs_after_culling: int = 0
    """Pairs of bodies that the stage between boxes and exact tests leaves."""
    seconds_hierarchy: float = 0.0
    seconds_culling: float = 0.0
    seconds_exact: float = 0.0

    @classmethod
    def _staged(cls, values: tuple[Any, ...], stages: core.StageStats) -> RobotStats:
        own = (
            stages.pairs_after_hierarchy,
            stages.pairs_after_culling,
            stages.seconds_hierarchy,
            stages.seconds_culling,
            stages.seconds_exact,
        )
        return cls(*(*values, *own))


def time_on_path(ends: Floats, piece: int, t: float) -> float:
    """Return the time over a whole path for one of a piece, rounded down."""
    start, end = float(ends[piece]), float(ends[piece + 1])
    value = start + t * (end - start)
    return max(start, value - 4 * float(np.spacing(value)))


@dataclass(frozen=True, slots=True, eq=False)
class RobotContact(Contact):
    """First contact of a robot; fields as in Contact, body a being a link of the robot."""

    link_a: str | None = None
    link_b: str | None = None
    """The other link, or the body of the world."""
    q: Floats | None = None
    """The configuration at `toc`; None when free."""
    piece: int | None = None
    """Of a path: the row of Q that was passed last; None when free."""

    @classmethod
    def _named(
        cls,
        native: core.Contact,
        stats: RobotStats,
        names: tuple[str | None, str | None],
        q: Floats | None,
    ) -> RobotContact:
        return cls(*(*contact_values(native), stats, (), *names, *names, q))

    def _within(self, ends: Floats, piece: int, before: Stats | None) -> RobotContact:
        """Count time and work over all pieces of a path."""
        stats = self.stats if before is None else self.stats._plus(before)
        if not self:
            return replace(self, stats=stats)
        toc = time_on_path(ends, piece, self.toc)
        safe = time_on_path(ends, piece, self.safe_until)
        status, normal = self.status, self.normal
        if piece > 0 and status is Status.INITIAL_OVERLAP:
            # It starts where the piece before ended without contact: just within the tolerance.
            status = Status.CONTACT
            if self.distance > 0:
                normal = (self.point_a - self.point_b) / self.distance
        return replace(
            self, status=status, normal=normal, toc=toc, safe_until=safe, stats=stats, piece=piece
        )


@dataclass(frozen=True, slots=True, eq=False)
class RobotBatch(Batch):
    """Answers to many queries, one row each; fields as in RobotContact."""

    link_a: NDArray[np.int32]
    """Numbers in `link_names`; -1 where nothing touches."""
    link_b: NDArray[np.int32]
    """The other link; -1 where it is none."""
    body_b: NDArray[np.int32]
    """The body of the world, a number in `body_names`; -1 where it is none."""
    q: Floats
    """(n, dof) configurations at `toc`; NaN where free."""
    link_names: tuple[str, ...]
    body_names: tuple[str, ...]
