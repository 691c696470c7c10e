"""Promises of the options of a query for each pair of bodies, judged by sampled distances.

The promises are those of docs/guarantees.md. Before the certified time, a pair stays farther apart
than its separation, or than the distance by which `initial` replaces it. At the time of contact it
is within separation + tolerance. Pairs for which rounding decides whether `initial` applies are not
judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .crowd import ACCURACY, BEFORE, TIMES, Crowd, Pair

EARLY = np.geomspace(1e-5, 1e-2, 4)


@dataclass(frozen=True)
class Rule:
    """The separation and the tolerance of a pair, and the treatment of its start."""

    separation: float
    tolerance: float
    initial: str = "report"

    @property
    def reach(self) -> float:
        return self.separation + self.tolerance

    def is_unclear(self, start: float) -> bool:
        """Return whether rounding decides if the treatment of the start applies."""
        if self.initial == "report":
            return False
        return abs(start - self.reach) < ACCURACY or 0 < start < 1e3 * ACCURACY

    def farthest(self, start: float) -> float:
        """Return the largest distance at which a contact may be reported."""
        rests = self.initial == "resting" and 0 < start < self.reach
        return 5 / 8 * start if rests else self.reach

    def fault(self, gaps: NDArray[np.float64]) -> float | None:
        """Return a distance that is too small before the certified time, if there is one.

        `gaps` are distances in order of time; the first one is the distance at the start.
        """
        start = gaps[0]
        is_near = start < self.reach
        least = self.separation
        if self.initial == "resting" and 0 < start < self.reach:
            least = start / 2
        if self.initial == "ignore_separating" and is_near:
            left = np.cumsum(gaps > self.reach + ACCURACY) > 0
            nearest = gaps[~left].min()
            if nearest < start - ACCURACY:
                return float(nearest)
            gaps = gaps[left]
        nearest = gaps.min(initial=inf)
        crosses = nearest <= 0 and not (self.initial == "ignore_separating" and start <= 0)
        return float(nearest) if nearest <= least - ACCURACY or crosses else None


def assert_follows(
    contact: Any, crowd: Crowd, rules: Mapping[Pair, Rule], names: Pair | None, *, whole: bool
) -> bool:
    """Assert the contract of an answer for all pairs; return whether samples alone find a contact.

    `names` are in contact. `whole` tells that the query had no budget. Pairs of surfaces only: no
    body is solid. Times at which the crowd is known, such as those of other answers, are samples.
    """
    status, safe = contact.status.name, contact.safe_until
    starts = crowd.gaps(0.0)
    unclear = {pair for pair, rule in rules.items() if rule.is_unclear(starts[pair])}
    assert bool(contact) == (status != "FREE")
    assert (contact.toc == 0) >= (status == "INITIAL_OVERLAP")
    if status == "FREE":
        assert contact.toc == inf and safe >= 1
    elif status == "UNDECIDED":
        assert not whole or unclear, "undecided without a budget"
        assert contact.toc == safe <= 1
    else:
        assert names in rules, f"{names} is not a pair that was asked about"
        gap = crowd.gaps(contact.toc)[names]
        farthest = rules[names].farthest(starts[names])
        assert names in unclear or gap <= farthest + ACCURACY, (
            f"{names} are {gap} apart at {contact.toc}, at most {farthest} is due: {contact}"
        )
    times = np.array(
        sorted({*TIMES.tolist(), *EARLY.tolist(), *(safe - BEFORE).tolist(), *crowd.known})
    )
    times = times[(times >= 0) & ((times < safe) | ((times <= 1) & (status == "FREE")))]
    sampled = [crowd.gaps(float(t)) for t in times] if safe > 0 else []
    for pair, rule in rules.items():
        if pair in unclear or not sampled:
            continue
        gaps = np.array([gaps[pair] for gaps in sampled])
        fault = rule.fault(gaps)
        assert fault is None, f"{pair} are within {fault}, {rule}, start {starts[pair]}: {contact}"
    return any(
        rule.fault(np.array([crowd.gaps(float(t))[pair] for t in TIMES])) is not None
        for pair, rule in rules.items()
        if pair not in unclear
    )
