"""Answers of robot queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Filler, fillers
from toccata._native import core
from toccata._printed import between
from toccata._proximity import BracketRows
from toccata._result import CONTACT_FIELDS, Batch, Clearance, Contact, Stats, stats_values
from toccata._text import numbers


@dataclass(frozen=True, slots=True)
class RobotStats(Stats):
    """Work of a robot query, stage by stage."""

    pairs_after_hierarchy: int = 0
    """Pairs of bodies left by the stage "hierarchy": their swept boxes overlap."""
    pairs_after_culling: int = 0
    """Pairs of bodies left by the stage "swept"; the stage "exact" tests them."""
    seconds_hierarchy: float = 0.0
    seconds_culling: float = 0.0
    seconds_exact: float = 0.0
    nodes_updated: int = 0
    """Nodes of the assembly tree whose transforms or boxes "adaptive" computed."""
    products: int = 0
    """Products of two transforms, or of a transform and a joint's motion, in "adaptive"."""
    bodies_placed: int = 0
    """Links whose world poses "adaptive" computed."""

    @classmethod
    def _staged(cls, answer: core.RobotAnswer) -> RobotStats:
        stages = answer.stages
        own = (
            stages.pairs_after_hierarchy,
            stages.pairs_after_culling,
            stages.seconds_hierarchy,
            stages.seconds_culling,
            stages.seconds_exact,
            stages.assembly.nodes_updated,
            stages.assembly.products,
            stages.assembly.bodies_placed,
        )
        shared = stats_values(answer.stats, answer.seconds, answer.pairs_tested)
        return cls(*(*shared, *own))


def names_of(
    found: core.RobotAnswer | core.RobotClearance, links: Sequence[str], bodies: Sequence[str]
) -> tuple[str | None, str | None]:
    """Return the names of a link and of the link or body of the world that it meets."""
    a, b = found.link_a, found.link_b
    if a < 0:
        return None, None
    return links[a], links[b] if b >= 0 else bodies[found.body]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RobotContact(Contact):
    """First contact of a robot; fields as in `Contact`, with a link of the robot as body a."""

    link_a: str | None = None
    link_b: str | None = None
    """The other link, or the body of the world."""
    q: Floats = field(default_factory=lambda: np.empty(0))
    """(dof,) configuration at `toc`; NaN if the status is FREE."""
    piece: int | None = None
    """Row of Q passed last, on a path; None if the status is FREE. If robots have clocks of their
    own, the path is cut at the times of all waypoints, and this is the number of the piece."""

    def __repr__(self) -> str:
        parts = [self.status.name]
        if self:
            parts += [f"toc={self.toc:.9g}", f"q={numbers(self.q)}"]
        if self.link_a is not None:
            parts += [f"link_a={self.link_a!r}", f"link_b={self.link_b!r}"]
            parts += [f"point_a={numbers(self.point_a)}", f"normal={numbers(self.normal)}"]
            parts += [f"distance={self.distance:.3g}"]
        if self.piece is not None:
            parts.append(f"piece={self.piece}")
        return f"RobotContact({', '.join(parts)}, tolerance={self.tolerance:.3g})"

    _fillers: ClassVar[dict[str, Filler]] = CONTACT_FIELDS | fillers(
        ("stats", lambda answer, *_: (RobotStats._staged(answer),)),
        ("contacts", lambda answer, links, bodies, q_of, contacts: (contacts,)),
        ("body_a body_b", lambda answer, links, bodies, *_: names_of(answer, links, bodies)),
        ("link_a link_b", lambda answer, links, bodies, *_: names_of(answer, links, bodies)),
        ("q", lambda answer, links, bodies, q_of, _: (q_of(answer),)),
        ("piece", lambda answer, *_: (None if answer.piece < 0 else answer.piece,)),
    )


@dataclass(frozen=True, eq=False)
class RobotBatch(Batch):
    """First contacts of many motions of a robot, one row each; fields as in `RobotContact`."""

    link_a: NDArray[np.int32]
    link_b: NDArray[np.int32]
    """(n,) indices into `names`; -1 in both if no pair touches. `link_a` is a link, `link_b`
    another link or a body of the world."""
    q: Floats
    """(n, dof) configurations at `toc`; NaN in rows that are FREE."""
    names: tuple[str, ...]
    """Links with geometry, then bodies of the world."""

    def _bodies(self, row: int) -> str:
        return between(self.names[self.link_a[row]], self.names[self.link_b[row]], "of")


@dataclass(frozen=True, eq=False)
class RobotClearance(Clearance):
    """The least distance between bodies of all pairs of a robot at all times of a motion.

    Fields are those of `Clearance`, with a link of the robot as body a.
    """

    link_a: str | None = None
    link_b: str | None = None
    """The other link, or the body of the world."""
    q: Floats = field(default_factory=lambda: np.empty(0))
    """(dof,) configuration at `time`; NaN if unknown."""
    piece: int | None = None
    """Row of Q passed last, on a path."""


@dataclass(frozen=True, eq=False)
class RobotDistances(BracketRows):
    """Distances between bodies: a row for each configuration, a column for each tested pair.

    A pair beyond the limit has `lower` equal to the limit, `upper` and `distance` infinite, and NaN
    as points and normal.
    """

    distance: Floats
    """(n, pairs) distances between the points, as `lower` and `upper`."""
    point_a: Floats
    point_b: Floats
    """(n, pairs, 3) in world coordinates."""
    normal: Floats
    """(n, pairs, 3) unit vectors from b to a; NaN if the distance is within rounding of 0."""
    link_a: NDArray[np.int32]
    link_b: NDArray[np.int32]
    """(pairs,) indices into `names`: `link_a` is a link, `link_b` another link or a body."""
    names: tuple[str, ...]
    """Links with geometry, then bodies of the world."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of both bodies of each pair."""
        columns = zip(self.link_a, self.link_b, strict=True)
        return tuple((self.names[a], self.names[b]) for a, b in columns)
