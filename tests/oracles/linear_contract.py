"""The contract of an elementary answer, checked against the exact oracle.

At `toc` the features are within s + e, exactly; before it they are farther apart than s. Together
the two bound the time from both sides and rule out false alarms as well as misses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from .linear_distance import distance_within, first_within
from .linear_features import Kind, first_contact
from .polynomials import Root

FREE, CONTACT, INITIAL_OVERLAP, UNDECIDED = range(4)
# Positions and directions are rounded: at tolerances that are not well above the rounding of the
# coordinates the answer may be UNDECIDED, whatever the budget.
RESOLUTION = 2.0**-38


@dataclass(frozen=True)
class Question:
    """One elementary query, as plain numbers."""

    kind: Kind
    start: Any
    end: Any
    separation: float = 0.0
    tolerance: float = 1e-6

    @property
    def level(self) -> Fraction:
        """The distance at which contact may be reported."""
        return Fraction(self.separation) + Fraction(self.tolerance)

    @property
    def size(self) -> float:
        """The largest coordinate."""
        return float(max(abs(x) for frame in (self.start, self.end) for row in frame for x in row))

    @property
    def too_fine(self) -> bool:
        """Return whether the tolerance is below the resolution of planes at these coordinates."""
        return self.tolerance < self.size * RESOLUTION

    def __str__(self) -> str:
        frames = [[[x.hex() for x in row] for row in frame] for frame in (self.start, self.end)]
        options = f"separation={self.separation.hex()}, tolerance={self.tolerance.hex()}"
        return f"{self.kind}, {options}, start, end (hexadecimal) = {frames[0]}, {frames[1]}"


def assert_answer(
    question: Question, status: int, toc: float, *, may_be_undecided: bool = False
) -> bool:
    """Assert that an answer keeps the contract; return whether the features certainly touch."""
    fault, hit = _fault(question, status, toc, may_be_undecided)
    assert fault is None, f"{fault}; status {status}, toc {toc.hex()}: {question}"
    return hit


def _fault(
    question: Question, status: int, toc: float, may_be_undecided: bool
) -> tuple[str | None, bool]:
    late, hit = _late(question, toc)
    if late is not None:
        return late, hit
    if (toc == inf) != (status == FREE):
        return "the time is infinite exactly when the answer is FREE", hit
    if status == FREE:
        return None, hit
    if not 0 <= toc <= 1:
        return "the time is not in [0, 1]", hit
    if status == UNDECIDED:
        allowed = may_be_undecided or question.too_fine
        return None if allowed else "undecided without need", hit
    if (status == INITIAL_OVERLAP) != (toc == 0):
        return "INITIAL_OVERLAP is contact at 0", hit
    if not distance_within(question.kind, question.start, question.end, toc, question.level):
        return "farther apart than s + e at the time reported", hit
    return None, hit


def exact_time(question: Question) -> Root | None:
    """Return the exact first time within a separation of 0."""
    assert question.separation == 0
    return first_contact(question.kind, question.start, question.end)


def _late(question: Question, toc: float) -> tuple[str | None, bool]:
    """Return a fault if the features come within s before a time (inf: never).

    The second value is True if they certainly come within s during the motion.
    """
    if question.separation == 0:
        exact = exact_time(question)
        if exact is None:
            return None, False
        if toc == inf:
            return f"missed the contact at {exact.bounds()}", True
        late = Root.dyadic(toc).compare(exact) > 0
        return f"later than {exact.bounds()}" if late else None, True
    level = Fraction(question.separation)
    found = first_within(question.kind, question.start, question.end, level)
    if found.hi is None or found.hi >= toc:
        return None, found.hi is not None
    return f"missed or later than the contact at {float(found.hi).hex()}", True
