"""Answers of robot queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Filler, fillers
from toccata._native import core
from toccata._printed import between
from toccata._proximity import BracketRows
from toccata._result import CONTACT_FIELDS, Batch, Clearance, Contact, PairRows, Stats, stats_values
from toccata._text import numbers


@dataclass(frozen=True, slots=True)
class RobotStats(Stats):
    """Work of a robot query, stage by stage."""

    pairs_after_hierarchy: int = 0
    """Number of pairs that the stage "hierarchy" left, because their swept boxes overlap."""
    pairs_after_culling: int = 0
    """Number of pairs that the stage "swept" left for the stage "exact"."""
    seconds_hierarchy: float = 0.0
    seconds_culling: float = 0.0
    seconds_exact: float = 0.0
    nodes_updated: int = 0
    """Number of nodes of the assembly tree that method "adaptive" updated."""
    products: int = 0
    """Number of products that method "adaptive" computed: of two transforms, or of a transform and
    a joint's motion."""
    bodies_placed: int = 0
    """Number of world poses of links that method "adaptive" computed."""

    @classmethod
    def _staged(cls, answer: core.RobotAnswer) -> RobotStats:
        shared = stats_values(answer.stats, answer.seconds, answer.pairs_tested)
        stages = _OF_STAGES(answer.stages), _OF_ASSEMBLY(answer.stages.assembly)
        return cls(*(*shared, *stages[0], *stages[1]))


_FIELDS = tuple(RobotStats.__annotations__)  # the core has the same names
_OF_STAGES, _OF_ASSEMBLY = attrgetter(*_FIELDS[:5]), attrgetter(*_FIELDS[5:])


def names_of(
    found: core.RobotAnswer | core.RobotClearance, links: Sequence[str], bodies: Sequence[str]
) -> tuple[str | None, str | None]:
    """Return the names of two bodies: a link, and another link or a body of the world."""
    a, b = found.link_a, found.link_b
    if a < 0:
        return None, None
    return links[a], links[b] if b >= 0 else bodies[found.body]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RobotContact(Contact):
    """First contact of a robot. The fields are those of `Contact`; body a is one of its links."""

    link_a: str | None = None
    link_b: str | None = None
    """Another link, or a body of the world."""
    q: Floats = field(default_factory=lambda: np.empty(0))
    """Configuration at `toc`, (dof,); NaN if the status is FREE."""
    piece: int | None = None
    """On a path, index of the piece with the contact, from 0; None if the status is FREE. Piece i
    starts at waypoint i. If robots have their own clocks, the waypoints of all robots divide the
    path into pieces."""

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
class RobotBatch(PairRows, Batch):
    """First contacts of many motions of a robot, one row each; fields as in `RobotContact`."""

    link_a: NDArray[np.int32]
    link_b: NDArray[np.int32]
    """Indices into `names`, (n,): a link, and another link or a body of the world. Both are -1 if
    no pair touches."""
    q: Floats
    """Configurations at `toc`, (n, dof); NaN in rows that are FREE."""
    names: tuple[str, ...]
    """Links with geometry, then bodies of the world."""
    _indices = "link_a", "link_b"

    def _bodies(self, row: int) -> str:
        return between(self.names[self.link_a[row]], self.names[self.link_b[row]], "of")


@dataclass(frozen=True, eq=False)
class RobotClearance(Clearance):
    """Least distance between the bodies of all tested pairs of a robot during a motion.

    The fields are those of `Clearance`; body a is a link of the robot.
    """

    link_a: str | None = None
    link_b: str | None = None
    """Another link, or a body of the world."""
    q: Floats = field(default_factory=lambda: np.empty(0))
    """Configuration at `time`, (dof,); NaN if unknown."""
    piece: int | None = None
    """On a path, index of the piece that contains `time`, from 0."""


@dataclass(frozen=True, eq=False)
class RobotDistances(BracketRows):
    """Distances between bodies: a row for each configuration, a column for each tested pair.

    If a pair is beyond the limit, `lower` is the limit, `upper` and `distance` are infinite, and
    points and normal are NaN.
    """

    distance: Floats
    """Distances between the points, (n, pairs) like `lower` and `upper`."""
    point_a: Floats
    point_b: Floats
    """Closest points in world coordinates, (n, pairs, 3)."""
    normal: Floats
    """Unit vectors from b to a, (n, pairs, 3); NaN if the distance is within rounding of 0."""
    link_a: NDArray[np.int32]
    link_b: NDArray[np.int32]
    """Indices into `names`, (pairs,): a link, and another link or a body of the world."""
    names: tuple[str, ...]
    """Links with geometry, then bodies of the world."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of both bodies of each pair."""
        columns = zip(self.link_a, self.link_b, strict=True)
        return tuple((self.names[a], self.names[b]) for a, b in columns)
