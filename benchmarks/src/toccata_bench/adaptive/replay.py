"""Queries of the motions of a run by several methods: verification, then times and counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

METHODS = ("adaptive", "auto", "plain")
"""Sequences of two methods, and the baseline: "auto" without groups and without coherence."""
TOLERANCE = 2e-6
"""Tolerance in meters, small compared with the distance at which simulated bodies rest."""
ROUNDS = 3
_SAMPLES = 8
"""Number of samples between the contact of one method and the later contact of another method."""
COUNTERS = ("nodes_updated", "products", "bodies_placed", "pairs_after_hierarchy")


@dataclass(frozen=True, slots=True, eq=False)
class Motions:
    """Consecutive motions of a robot; `counted` marks the motions whose times count."""

    robot: tc.Robot
    world: tc.Scene | None
    start: Floats
    end: Floats
    counted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.start)


def asking(motions: Motions, method: Any) -> Callable[[Floats, Floats], tc.RobotContact]:
    """Return a function that answers a motion. Only sequences group links and keep anything."""
    if method == "plain":
        robot, world = motions.robot, motions.world
        return lambda a, b: robot.first_contact(a, b, world, tolerance=TOLERANCE)
    sequence = tc.RobotSequence(motions.robot, motions.world, method=method)
    return lambda a, b: sequence.first_contact(a, b, tolerance=TOLERANCE)


def ask(motions: Motions, method: Any) -> list[tc.RobotContact]:
    """Return the answers of one method to all motions."""
    answer = asking(motions, method)
    return [answer(a, b) for a, b in zip(motions.start, motions.end, strict=True)]


def measure(motions: Motions, name: str, methods: Sequence[str] = METHODS) -> Record:
    """Verify all answers, then return means over the counted motions for each method.

    The methods take turns, and the shortest time of each motion counts. `front_us` is the time
    before the traversals of single pairs: for poses, volumes and culling.
    """
    verify(motions, {method: ask(motions, method) for method in methods}, name)
    times = {method: np.full((len(motions), 2), np.inf) for method in methods}
    found: Record = {}
    for _ in range(ROUNDS):
        for method in methods:
            answers = ask(motions, method)
            stats: list[Any] = [answer.stats for answer in answers]
            now = [(s.seconds, s.seconds_hierarchy + s.seconds_culling) for s in stats]
            times[method] = np.minimum(times[method], now)
            found[method] = {key: _mean(motions, stats, key) for key in COUNTERS}
    for method, rows in times.items():
        whole, front = 1e6 * rows[motions.counted].mean(axis=0)
        found[method] |= {"whole_us": float(whole), "front_us": float(front)}
    return found


def _mean(motions: Motions, stats: list[Any], key: str) -> float:
    values = np.array([getattr(one, key, 0) for one in stats], dtype=float)
    return float(values[motions.counted].mean())


def verify(motions: Motions, answers: dict[str, list[tc.RobotContact]], name: str) -> None:
    """Raise WrongAnswer if two methods cannot both be right.

    Bodies must be within the tolerance at a contact. If another method has proven the motion free
    until a later time, samples in between must not overlap.
    """
    for k in range(len(motions)):
        some = {method: rows[k] for method, rows in answers.items()}
        overlaps = {bool(a.status == tc.Status.INITIAL_OVERLAP) for a in some.values()}
        if len(overlaps) > 1 or any(a.status == tc.Status.UNDECIDED for a in some.values()):
            statuses = ", ".join(f"{m} reports {a.status.name}" for m, a in some.items())
            raise WrongAnswer(f"{name}, motion {k}: {statuses}")
        first = min(some, key=lambda method: some[method].toc)
        if np.isfinite(some[first].toc) and not overlaps.pop():
            _check_first(motions, k, some, first, f"{name}, motion {k}")


def _check_first(
    motions: Motions, k: int, some: dict[str, tc.RobotContact], first: str, where: str
) -> None:
    """Check the earliest contact by distances, and methods with a later contact by samples."""
    begin = some[first].toc
    near = _distances(motions, k, np.array([begin]))
    if (least := float(near.lower.min())) > 2 * TOLERANCE:
        raise WrongAnswer(f"{where}: {first} reports CONTACT at a distance of {least:.3g}")
    for method, answer in some.items():
        end = min(answer.safe_until, 1.0)
        if end > begin:
            times = np.linspace(begin, end, _SAMPLES, endpoint=False)
            if (_distances(motions, k, times).upper <= 0).any():
                raise WrongAnswer(f"{where}: {method} reports a free motion where bodies overlap")


def _distances(motions: Motions, k: int, times: Floats) -> Any:
    rows = motions.robot.interpolate(motions.start[k], motions.end[k], times)
    return motions.robot.distances(rows, motions.world, limit=10 * TOLERANCE, threads=1)
