"""Verification of answers, which precedes every measurement."""

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.peers import CoalPair, advance, step
from toccata_bench.sweep import Sweep

# Rounding error of triangle distances by coal at unit scale, far below all tolerances.
SLACK = 1e-9


class WrongAnswer(Exception):
    """An answer that contradicts a reference or another method; the message names the query."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Coal's answer to a trial: apart before `near`, touching at `touch` (inf if not found)."""

    near: float
    touch: float


class Oracle:
    """Coal's answers to all trials of a case, the reference for every method."""

    def __init__(self, pair: CoalPair, sweeps: list[Sweep], tolerance: float) -> None:
        self._pair, self._sweeps, self._tolerance = pair, sweeps, tolerance
        self.brackets = [bracket(pair, sweep, tolerance) for sweep in sweeps]

    def open_trials(self) -> NDArray[np.bool_]:
        """Return a mask of trials in which coal finds no touch; methods may then differ."""
        return np.array([known.touch == inf for known in self.brackets])

    def check(self, label: str, result: Any) -> None:
        """Raise WrongAnswer for the first trial in which `result` contradicts coal."""
        for k in range(len(self._sweeps)):
            fault = self.fault(k, tc.Status(int(result.status[k])), float(result.toc[k]))
            if fault:
                raise WrongAnswer(f"{label}, trial {k}: {fault}")

    def fault(self, k: int, status: tc.Status, toc: float) -> str | None:
        """Return an error of the answer to trial k, None if it is right."""
        touch = self.brackets[k].touch
        if status == tc.Status.UNDECIDED:
            return "undecided without a budget"
        if status == tc.Status.FREE:
            return f"free, but coal finds contact at {touch}" if touch < inf else None
        if not 0.0 <= toc <= 1.0:
            return f"contact at {toc}, outside [0, 1]"
        if toc > touch + SLACK:
            return f"contact at {toc}, but coal already finds contact at {touch}"
        gap = self._pair.distance(*self._sweeps[k].at(toc))
        if gap > self._tolerance + SLACK:
            return f"contact at {toc}, but coal measures a distance of {gap} there"
        return None


def bracket(pair: CoalPair, sweep: Sweep, tolerance: float) -> Bracket:
    """Advance until within `tolerance`, then by small steps until the surfaces touch."""
    near = advance(pair, sweep, tolerance).time
    return Bracket(near, touch_time(pair, sweep, near, tolerance))


def touch_time(pair: CoalPair, sweep: Sweep, start: float, tolerance: float) -> float:
    """Return a time at which coal's distance is zero, inf if none is found.

    Each step covers at least a thousandth of the tolerance, so the search crosses the last gap. If
    surfaces slide along each other within the tolerance, the search may run out of steps. Contact
    and freedom are then both accepted.
    """
    speed, t = sweep.speed(pair.radius), start
    for _ in range(5000):
        if t > 1.0:
            break
        gap = pair.distance(*sweep.at(t))
        if gap <= SLACK:
            return t
        t = step(t, max(gap, 1e-3 * tolerance), speed)
    return inf


def check_agreement(
    label: str, result: Any, reference: Any, open_trials: NDArray[np.bool_] | None = None
) -> None:
    """Raise WrongAnswer if a result and auto disagree about contact, except in open trials."""
    differs = is_contact(result) != is_contact(reference)
    if open_trials is not None:
        differs = differs & ~open_trials
    if differs.any():
        k = int(np.flatnonzero(differs)[0])
        said = tc.Status(int(result.status[k])).name, tc.Status(int(reference.status[k])).name
        raise WrongAnswer(f"{label}, trial {k}: {said[0]}, but auto reports {said[1]}")


def is_contact(result: Any) -> NDArray[np.bool_]:
    """Return a mask of the trials that are not free."""
    contact: NDArray[np.bool_] = np.asarray(result.status) != int(tc.Status.FREE.value)
    return contact
