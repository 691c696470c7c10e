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
from toccata._result import CONTACT_FIELDS, Batch, Contact, Stats, stats_values
from toccata._text import numbers


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
    nodes_updated: int = 0
    """Of "adaptive": nodes of the assembly tree whose transforms or boxes were computed."""
    products: int = 0
    """Of "adaptive": products of two transforms, or of a transform and a joint's motion."""
    bodies_placed: int = 0
    """Of "adaptive": links whose places were computed to compare them with others."""

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
    """Return the names of the link and of what it touches or comes nearest to."""
    a, b = found.link_a, found.link_b
    if a < 0:
        return None, None
    return links[a], links[b] if b >= 0 else bodies[found.body]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RobotContact(Contact):
    """First contact of a robot; fields as in Contact, body a being a link of the robot."""

    link_a: str | None = None
    link_b: str | None = None
    """The other link, or the body of the world."""
    q: Floats = field(default_factory=lambda: np.empty(0))
    """The configuration at `toc`; NaN when free."""
    piece: int | None = None
    """Of a path: the row of Q that was passed last; None when free. Where robots have clocks of
    their own: the piece of the common path, which is cut at the times of all."""

    def __repr__(self) -> str:
        """Say when, who and where; all attributes are there beside it."""
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
        ("contacts", lambda answer, links, bodies, place, contacts: (contacts,)),
        ("body_a body_b", lambda answer, links, bodies, *_: names_of(answer, links, bodies)),
        ("link_a link_b", lambda answer, links, bodies, *_: names_of(answer, links, bodies)),
        ("q", lambda answer, links, bodies, place, _: (place(answer),)),
        ("piece", lambda answer, *_: (None if answer.piece < 0 else answer.piece,)),
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
