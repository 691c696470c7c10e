"""Threads, growth with the size of the model, and peak memory."""

from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from toccata_bench.averages import growth_exponent
from toccata_bench.clock import best, best_in_turn
from toccata_bench.deforming import child, verify
from toccata_bench.deforming.asking import ask
from toccata_bench.deforming.sources import Model, model
from toccata_bench.deforming.steps import MODES
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

GROWING = "crash"
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES = (10_000, 30_000, 100_000)
FULL_SIZE = 1_100_000
# Most rounds, and seconds after which no round begins. Other processes often disturb two threads.
THREAD_ROUNDS = 2000
THREAD_LIMIT = 60.0


def threads(models: list[Model]) -> dict[str, Record]:
    """Time auto with one and with two threads on the last step of each model, by the wall clock."""
    found = {}
    for one in models:
        step = one.steps[-1]
        record: Record = {"triangles": len(step.faces)}
        for mode in MODES:
            check_threads(f"{step.label}, {mode}", *(ask(step, "auto", mode, n) for n in (1, 2)))
            works = [partial(ask, step, "auto", mode, count) for count in (1, 2)]
            seconds = best_in_turn(works, THREAD_ROUNDS, perf_counter, THREAD_LIMIT)
            record[f"{mode}_1"], record[f"{mode}_2"] = seconds
        found[one.name] = record
    return found


def check_threads(label: str, one: Any, two: Any) -> None:
    """Raise WrongAnswer unless answers on one and on two threads are equal bit by bit."""
    same = one.status == two.status and one.toc == two.toc
    for field in verify.FIELDS.values():
        for name in (field, f"{field}_toc"):
            same = same and np.array_equal(getattr(one, name), getattr(two, name))
    if not same:
        raise WrongAnswer(f"{label}: the answer depends on the number of threads")


def growth(quick: bool) -> Record:
    """Time auto on the crash model at growing sizes, and fit the exponent of the growth."""
    times: dict[str, dict[int, float]] = {mode: {} for mode in MODES}
    for size in QUICK_SIZES if quick else SIZES:
        step = model(GROWING, size).steps[-1]
        for mode in MODES:
            verify.check_step(f"{step.label}, {size}, {mode}", step, ask(step, "auto", mode))
            times[mode][len(step.faces)] = best(partial(ask, step, "auto", mode))
    return {"seconds": times, "exponent": {m: growth_exponent(times[m]) for m in MODES}}


def memory(limit: float) -> Record:
    """Return the peak memory of the largest step, alone in a process, for both modes."""
    step = model(GROWING, FULL_SIZE).steps[-1]
    return {mode: child.peak_memory(step, mode == "all", limit) for mode in MODES}
