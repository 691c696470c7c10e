"""How near a robot comes to its surroundings and to itself during a motion."""

from __future__ import annotations

from dataclasses import dataclass

from toccata._arrays import Floats
from toccata._result import Stats
from toccata._shown import ShownAnswer


@dataclass(frozen=True, slots=True, eq=False)
class RobotClearance(ShownAnswer):
    """The least distance of all pairs of bodies at all times of a motion.

    It lies between `lower` and `upper`, which differ by at most `tolerance` unless the budget ran
    out; both are certified, rounding included. In contact, `lower` is 0 and `distance` at most
    the tolerance. If nothing comes nearer than the limit, `lower` is at least the limit, `upper`
    may be infinite, and then there is no time and no link.
    """

    lower: float
    upper: float
    tolerance: float
    distance: float
    """Measured at `time`, between the points below; `upper` exceeds it by the rounding error."""
    time: float
    link_a: str | None
    link_b: str | None
    """The other link, or the body of the world."""
    point_a: Floats
    point_b: Floats
    """In world coordinates at `time`."""
    q: Floats
    """The configuration at `time`; NaN if there is none."""
    stats: Stats
    piece: int | None = None
    """Of a path: the row of Q that was passed last."""
