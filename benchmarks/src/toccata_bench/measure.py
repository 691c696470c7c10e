"""Measurement of one case: answers are verified, then methods and peers are timed in one run."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata_bench.clock import best_in_turn
from toccata_bench.near import measure_near, poses_at
from toccata_bench.peers import CoalPair, FclSampler, advance, advance_tuned, optional
from toccata_bench.protocol import (
    METHODS,
    TOLERANCE,
    Case,
    best,
    run_batch,
    time_batch,
    time_in_core,
    time_single,
)
from toccata_bench.sweep import Sweep
from toccata_bench.verify import Oracle, WrongAnswer, check_agreement, is_contact

SAMPLES = (100, 1000)
BEFORE = {"check_us": 1e-3, "nearer_check_us": 1e-4, "farther_check_us": 1e-2}
"""Distances at which a discrete check is timed, as fractions of the radius of a model."""


def measure_case(case: Case, peers: bool) -> dict[str, Any]:
    """Verify every method on every trial, then return all times of one case."""
    sweeps = case.sweeps()
    pair = CoalPair(case.a, case.b) if peers and optional("coal") else None
    contact = verify(case, sweeps, pair)
    record: dict[str, Any] = {
        "triangles": list(case.triangles),
        "trials": len(case.start),
        "colliding": int(contact.sum()),
        "batch_us": time_methods(case, contact),
        "core": time_in_core(case, "auto").record(),
        "single": {method: time_single(case, method).record() for method in METHODS},
        "peers_us": time_coal(sweeps, pair) if pair else {},
    }
    if pair:
        record["discrete"] = time_discrete(case.subset(contact), pair)
        record["near"] = measure_near(case, pair)
    if peers and optional("fcl"):
        means, faults = time_fcl(case, contact)
        record["peers_us"] |= means
        record["fcl_faults"] = faults
    return record


def verify(case: Case, sweeps: list[Sweep], pair: CoalPair | None) -> NDArray[np.bool_]:
    """Raise WrongAnswer unless all methods agree with auto, and with coal if it is installed.

    Return a mask of the trials in which auto reports contact.
    """
    results = {method: run_batch(case, method) for method in METHODS}
    oracle = Oracle(pair, sweeps, TOLERANCE) if pair else None
    open_trials = oracle.open_trials() if oracle else None
    for method, result in results.items():
        label = f"{case.name}, {method}"
        if oracle:
            oracle.check(label, result)
        check_agreement(label, result, results["auto"], open_trials)
    return is_contact(results["auto"])


def time_methods(case: Case, contact: NDArray[np.bool_]) -> dict[str, float | None]:
    """Return the mean time of each method, and of C2A on colliding and on free trials."""
    means = {method: time_batch(case, method) for method in METHODS}
    means["c2a-colliding"] = time_batch(case.subset(contact), "c2a")
    means["c2a-free"] = time_batch(case.subset(~contact), "c2a")
    return means


def time_coal(sweeps: list[Sweep], pair: CoalPair) -> dict[str, float]:
    """Return the mean times of both loops, and of one distance query at the start pose."""

    def mean(work: Callable[[Sweep], object]) -> float:
        return 1e6 * best(lambda: [work(sweep) for sweep in sweeps]) / len(sweeps)

    return {
        "coal-loop": mean(lambda sweep: advance(pair, sweep, TOLERANCE)),
        "coal-loop-pruned": mean(lambda sweep: advance_tuned(pair, sweep, TOLERANCE)),
        "coal-distance": mean(lambda sweep: pair.distance(*sweep.at(0.0))),
    }


def time_discrete(case: Case, pair: CoalPair) -> dict[str, float]:
    """Return the mean times of a whole motion, and of discrete checks before its contact."""
    # All checks are on the same motions: those that start farther than the largest distance.
    case, _ = poses_at(case, max(BEFORE.values()))
    works: dict[str, Callable[[], object]] = {"motion_us": partial(run_batch, case, "auto")}
    for name, distance in BEFORE.items():
        _, poses = poses_at(case, distance)
        if any(pair.collides(*pose) for pose in poses):
            raise WrongAnswer(f"{case.name}: coal finds contact at a distance of {distance}")
        works[name] = partial(_check_all, pair, poses)
    times = best_in_turn(tuple(works.values()), rounds=9)
    return {name: 1e6 * took / len(case.start) for name, took in zip(works, times, strict=True)}


def _check_all(pair: CoalPair, poses: list[Any]) -> list[bool]:
    return [pair.collides(*pose) for pose in poses]


def time_fcl(case: Case, contact: NDArray[np.bool_]) -> tuple[dict[str, float], dict[str, int]]:
    """Return the mean times of sampling by python-fcl, and its numbers of wrong statuses."""
    means, faults = {}, {}
    for samples in SAMPLES:
        sampler = FclSampler(case.a, case.b, samples)
        ready = sampler.prepare(case.start, case.end)
        found = np.array(sampler.first_of_all(ready)) < np.inf
        faults[f"fcl-{samples}"] = int((found != contact).sum())
        means[f"fcl-{samples}"] = 1e6 * best(partial(sampler.first_of_all, ready)) / len(ready)
    return means, faults
