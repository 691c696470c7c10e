"""Answers of robot queries."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.result import Batch, Contact


@dataclass(frozen=True, slots=True, eq=False)
class RobotContact(Contact):
    """First contact of a robot; fields as in Contact, body a being a link of the robot."""

    link_a: str | None = None
    link_b: str | None = None
    """The other link, or the body of the world."""
    q: Floats | None = None
    """The configuration at `toc`; None when free."""

    @classmethod
    def _from(cls, contact: Contact, q: Floats | None) -> RobotContact:
        own = {field.name: getattr(contact, field.name) for field in fields(Contact)}
        return cls(**own, link_a=contact.body_a, link_b=contact.body_b, q=q)

    def _within(self, piece: int, pieces: int) -> RobotContact:
        """Count time over all pieces of a path."""
        # Rounded down, since nothing may touch before.
        toc, safe = (
            max(piece / pieces, float(np.nextafter((piece + t) / pieces, 0.0)))
            if t > 0
            else piece / pieces
            for t in (self.toc, self.safe_until)
        )
        return replace(self, toc=toc, safe_until=safe)


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
