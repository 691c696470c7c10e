"""Comparison of `auto` with the methods that it chooses from, for steps alone and in a sequence.

The methods take turns, first without a separation, then with a separation like the thickness of
cloth. Their answers are compared first.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.averages import geometric_mean
from toccata_bench.deforming import verify
from toccata_bench.deforming.asking import TOLERANCE, frame_before, just_cut, model_at
from toccata_bench.deforming.distance import Array
from toccata_bench.deforming.sources import Model, Step
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

METHODS = ("auto", "clusters", "bvh")
ROUNDS = 7
# Separation as a fraction of a height. All but a thousandth of the faces have a larger height.
THICKNESS = 0.3


def compare(models: list[Model]) -> Record:
    """Return the shortest time of each method by step and separation, alone and in a sequence."""
    found: Record = {}
    for step in (step for model in models for step in model.steps):
        for separation in (0.0, thickness(step)):
            for setting in ("alone",) if just_cut(step) else ("alone", "in a sequence"):
                label = f"{step.label}, {setting}" + (", thick" if separation else "")
                found[label] = time_methods(label, step, separation, setting == "alone")
    return found


def thickness(step: Step) -> float:
    """Return a separation below the distance of most faces from their nonadjacent neighbors."""
    a, b, c = (step.v0[step.faces[:, k]] for k in range(3))
    longest = np.max([np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    heights = np.linalg.norm(np.cross(b - a, c - a), axis=1) / longest
    return THICKNESS * float(np.quantile(heights, 1e-3))


def time_methods(label: str, step: Step, separation: float, alone: bool) -> dict[str, float]:
    """Return the shortest processor time of each method; the first round checks the answers."""
    times: dict[str, list[float]] = {method: [] for method in METHODS}
    for number in range(ROUNDS):
        answers = []
        # Every other round is in reverse order. Otherwise one method would always follow the
        # method with the most memory, with empty caches and new pages.
        for method in METHODS if number % 2 == 0 else METHODS[::-1]:
            ready = prepare(step, method, separation, alone)
            begin = process_time()
            answers.append(ready())
            times[method].append(process_time() - begin)
        if number == 0:
            check(label, answers)
    return {method: min(of_method) for method, of_method in times.items()}


def prepare(step: Step, method: Any, separation: float, alone: bool) -> Callable[[], Any]:
    """Return a query: a step with all preparation, or the second of two steps."""

    def advance(model: tc.DeformingMesh, frame: Array) -> Any:
        options: Any = {"method": method, "separation": separation, "tolerance": TOLERANCE}
        return model.step(frame, threads=1, **options)

    if alone:
        return lambda: advance(model_at(step, step.v0), step.v1)
    model = model_at(step, frame_before(step))
    advance(model, step.v0)
    return lambda: advance(model, step.v1)


def check(label: str, answers: list[Any]) -> None:
    """Raise WrongAnswer unless the answers of all methods are equal."""
    first = answers[0]
    for answer in answers[1:]:
        if answer.status != first.status or not verify.same_time(answer.toc, first.toc):
            found = [f"{one.status.name} at {one.toc}" for one in (first, answer)]
            raise WrongAnswer(f"{label}: methods disagree: {found[0]}, {found[1]}")


def ratio(times: dict[str, float]) -> float:
    """Return the time of auto over the time of the fastest other method."""
    return times["auto"] / min(times[method] for method in METHODS[1:])


def mean_ratio(found: Record) -> float | None:
    """Return the geometric mean of the ratios of all rows, None if there are no rows."""
    return geometric_mean(map(ratio, found.values()))
