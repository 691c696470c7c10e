"""Answers of robot queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isinf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Maker
from toccata._native import core
from toccata.result import CONTACT_FIELDS, Batch, Contact, Stats, Status, stats_values


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
    def _staged(cls, answer: core.RobotAnswer) -> RobotStats:
        stages = answer.stages
        own = (
            stages.pairs_after_hierarchy,
            stages.pairs_after_culling,
            stages.seconds_hierarchy,
            stages.seconds_culling,
            stages.seconds_exact,
        )
        shared = stats_values(answer.stats, answer.seconds, answer.pairs_tested)
        return cls(*(*shared, *own))


def time_on_path(ends: Floats, piece: int, t: float) -> float:
    """Return the time over a whole path for one of a piece, rounded down."""
    start, end = float(ends[piece]), float(ends[piece + 1])
    value = start + t * (end - start)
    return max(start, value - 4 * float(np.spacing(value)))


def names_of(
    found: core.RobotAnswer | core.RobotClearance, links: Sequence[str], bodies: Sequence[str]
) -> tuple[str | None, str | None]:
    """Return the names of the link and of what it touches or comes nearest to."""
    other = (links, found.link_b) if found.link_b >= 0 else (bodies, found.body)
    first, second = (names[i] if i >= 0 else None for names, i in ((links, found.link_a), other))
    return first, second


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

    _makers: ClassVar[dict[str, Maker]] = CONTACT_FIELDS | {
        "stats": lambda answer, *_: RobotStats._staged(answer),
        "contacts": lambda *_: (),
        "body_a": lambda answer, links, bodies, _: names_of(answer, links, bodies)[0],
        "body_b": lambda answer, links, bodies, _: names_of(answer, links, bodies)[1],
        "link_a": lambda answer, links, bodies, _: names_of(answer, links, bodies)[0],
        "link_b": lambda answer, links, bodies, _: names_of(answer, links, bodies)[1],
        "q": lambda answer, links, bodies, place: None if isinf(answer.toc) else place(answer),
        "piece": lambda *_: None,
    }

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
