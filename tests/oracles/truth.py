"""Bounds by a reference on the answer to one first-contact query."""

from __future__ import annotations

from dataclasses import dataclass

from . import exact
from .body import Body
from .bracket import Bracket
from .vectors import mp


@dataclass(frozen=True)
class Truth:
    """Brackets of the first time within s and of the first time within s + e.

    The contract follows from both brackets: a certified time is not after `touch.hi` and not before
    `near.lo`. The answer must be FREE if `near.free`, and must not be FREE if `touch.hi` is set.
    """

    a: Body
    b: Body
    separation: float
    tolerance: float
    touch: Bracket
    near: Bracket

    @property
    def hit(self) -> bool:
        """Return whether the bodies certainly come within the separation."""
        return self.touch.hi is not None


def exact_truth(
    a: Body, b: Body, separation: float, tolerance: float, resolution: float = 1e-20
) -> Truth:
    """Return brackets in multiple precision; the bodies must be small."""
    outer = mp.mpf(separation) + mp.mpf(tolerance)
    near = exact.first_time_within(a, b, outer, resolution=1e-6 * _relative(tolerance, a, b))
    touch = near
    if not near.free:
        touch = exact.first_time_within(a, b, separation, resolution=resolution, start=near.lo)
    return Truth(a, b, separation, tolerance, touch, near)


def _relative(length: float, a: Body, b: Body) -> float:
    return min(1.0, length / max(float(exact.size(a, b)), length))
