"""Enclosures of the motions of rigid groups: along chains, or in the assembly tree."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from toccata._options import Enclosures
from toccata_bench.adaptive.chains import chain_motions
from toccata_bench.adaptive.replay import ROUNDS, TOLERANCE, Motions
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

NAMES: tuple[Enclosures, ...] = get_args(Enclosures)
COUNT = 100


def measure_enclosures(count: int = COUNT) -> Record:
    """Return mean costs of queries of a chain; a single query computes all boxes."""
    motions = chain_motions(count, "random")
    found: Record = {name: _asked(motions, name) for name in NAMES}
    answers = {name: one.pop("free") for name, one in found.items()}
    if len(set(answers.values())) > 1:
        raise WrongAnswer(f"enclosures: different numbers of free motions: {answers}")
    return found


def _asked(motions: Motions, name: Enclosures) -> Record:
    times = np.full(len(motions), np.inf)
    for _ in range(ROUNDS):
        answers = [
            motions.robot.first_contact(
                a, b, motions.world, method="adaptive", enclosures=name, tolerance=TOLERANCE
            )
            for a, b in zip(motions.start, motions.end, strict=True)
        ]
        stats: list[Any] = [answer.stats for answer in answers]
        times = np.minimum(times, [s.seconds_hierarchy for s in stats])
    kept = motions.counted
    return {
        "front_us": 1e6 * float(times[kept].mean()),
        "products": float(np.mean([s.products for s in stats])),
        "pairs": float(np.mean([s.pairs_after_hierarchy for s in stats])),
        "free": sum(not answer for answer in answers),
    }
