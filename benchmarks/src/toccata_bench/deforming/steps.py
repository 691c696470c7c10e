"""Measurement of a model: all answers are verified, then methods and peer are timed in turn."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isfinite
from time import perf_counter
from typing import Any

from toccata_bench.clock import best_after
from toccata_bench.deforming import child, verify
from toccata_bench.deforming.asking import advance, ask, just_cut, model_in_sequence
from toccata_bench.deforming.sources import Model, Step
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

METHODS = ("bvh", "clusters", "auto")
# Label of the row for the first contact by auto after a previous step.
IN_SEQUENCE = "auto, in a sequence"
MODES = ("first", "all")
PEER_JOBS = ("broad", "AdditiveCCD", "TightInclusionCCD")
COUNTS = (
    "bv_tests",
    "elementary_tests",
    "leaf_clusters",
    "intermediate_clusters",
    "triangles_per_cluster",
)
STAGES = ("seconds_clustering", "seconds_hierarchy", "seconds_traversal")
# Most passes over all methods and the peer, and seconds after which no pass begins. The shortest
# time of all passes counts, because slow phases of a shared machine last seconds.
PASSES, PASS_LIMIT = 10, 40.0
# Largest ratio of processor time to elapsed time on one thread, with a margin for the clock.
ONE_CORE = 1.2


def measure_model(model: Model, modes: Sequence[str], limit: float | None) -> list[Record]:
    """Return a record for each step; `limit` is the peer's time in seconds, None for no peer."""
    return [measure_step(step, modes, limit) for step in model.steps]


def measure_step(step: Step, modes: Sequence[str], limit: float | None) -> Record:
    """Verify all methods on one step, then time them beside the peer."""
    answers = verify_step(step)
    notes = sequence_notes(step)
    if limit is not None:
        notes += confirm(step, answers["first"], limit)
    ours, peer = time_all(step, modes, limit)
    if limit is not None:
        notes += peer_notes(step.label, peer, limit)
    return {
        "label": step.label,
        "triangles": len(step.faces),
        "status": answers["first"].status.name,
        "exact": finite(step.first),
        "toc": finite(verify.first_pair(answers["first"])),
        "pairs": len(answers["all"].vertex_face) + len(answers["all"].edge_edge),
        **ours,
        "peer": {job: one["cpu_seconds"] for job, one in peer.items() if "value" in one},
        "peer_at_least": {job: one["at_least"] for job, one in peer.items() if "at_least" in one},
        "peer_toc": {j: one["value"] for j, one in peer.items() if "value" in one and j != "broad"},
        "notes": notes,
    }


def peer_seconds(record: Record, job: str) -> tuple[float | None, bool]:
    """Return the time of the peer for a job of a step, and whether it is a lower bound."""
    seconds = record["peer"].get(job)
    if seconds is not None:
        return float(seconds), False
    least = record["peer_at_least"].get(job)
    return (None if least is None else float(least)), least is not None


def finite(time: float | None) -> float | None:
    """Return a time for a record, None for never or unknown."""
    return time if time is not None and isfinite(time) else None


def verify_step(step: Step) -> dict[str, Any]:
    """Raise WrongAnswer unless all methods are right and agree; return the answers of auto."""
    answers = {}
    for mode in MODES:
        found = {method: ask(step, method, mode) for method in METHODS}
        if mode == "first" and not just_cut(step):
            found[IN_SEQUENCE] = advance(model_in_sequence(step), step.v1)
        for method, answer in found.items():
            check(f"{step.label}, {method}, {mode}", step, answer, found["bvh"], mode)
        answers[mode] = found["auto"]
    times = [verify.first_pair(answers[mode]) for mode in MODES]
    if not verify.same_time(*times):
        raise WrongAnswer(f"{step.label}: first contact at {times[0]}, first of all at {times[1]}")
    return answers


def check(label: str, step: Step, answer: Any, reference: Any, mode: str) -> None:
    """Raise WrongAnswer unless an answer is right and agrees with the answer of bvh."""
    if mode == "all":
        verify.check_all(label, step, answer)
        verify.check_same(label, answer, reference)
        return
    verify.check_step(label, step, answer)
    times = verify.first_pair(answer), verify.first_pair(reference)
    if answer.status != reference.status or not verify.same_time(*times):
        said = [f"{a.status.name} at {t}" for a, t in zip((answer, reference), times, strict=True)]
        raise WrongAnswer(f"{label}: {said[0]}, bvh: {said[1]}")


def confirm(step: Step, answer: Any, limit: float) -> list[str]:
    """Verify by the peer's broad phase and the reference that nothing touches before the answer."""
    end = min(answer.toc, 1.0)
    if step.first is not None or end <= 0.0:
        return []  # the exact time is known, or contact is at the start
    pairs = child.peer_pairs(step.cut(end), limit)
    if pairs is None:
        why = "because ipctk has too many candidates or takes too long"
        return [f"{step.label}: compared with the other methods only, {why}"]
    verify.check_clear(f"{step.label}, auto", step, end, pairs)
    return []


def time_all(
    step: Step, modes: Sequence[str], limit: float | None
) -> tuple[dict[str, dict[str, Record]], dict[str, Record]]:
    """Return the shortest times of some passes: of methods by mode, and of jobs of the peer."""
    ours: dict[str, dict[str, Record]] = {mode: {} for mode in modes}
    peer: dict[str, Record] = {}
    began = perf_counter()
    for _ in range(PASSES):
        for mode in modes:
            keep_best(ours[mode], time_step(step, mode), "seconds")
        if limit is not None:
            keep_best(peer, child.peer_times(step, PEER_JOBS, limit), "cpu_seconds")
        if perf_counter() - began > PASS_LIMIT:
            break
    return ours, peer


def keep_best(best: dict[str, Record], found: dict[str, Record], clock: str) -> None:
    """Replace records in `best` by faster ones; a record without a time was not finished."""
    for name, one in found.items():
        if name not in best or one.get(clock, inf) < best[name].get(clock, inf):
            best[name] = one


def time_step(step: Step, mode: str) -> dict[str, Record]:
    """Return the processor time of each method in seconds, its stages and its counters."""
    found = {
        method: time_work(lambda: step, partial(ask, method=method, mode=mode))
        for method in METHODS
    }
    if mode == "first" and not just_cut(step):
        found[IN_SEQUENCE] = time_work(
            lambda: model_in_sequence(step), partial(advance, frame=step.v1)
        )
    return found


def time_work(prepare: Callable[[], Any], work: Callable[[Any], Any]) -> Record:
    """Time an answer; the wall clock measures its stages, so they are scaled to the total."""
    rounds: list[Any] = []
    seconds = best_after(prepare, lambda ready: rounds.append(work(ready).stats))
    stats = min(rounds, key=lambda one: float(one.seconds))
    scale = min(1.0, seconds / stats.seconds)
    stages = {name: scale * getattr(stats, name) for name in STAGES}
    return {"seconds": seconds, **stages, **{name: getattr(stats, name) for name in COUNTS}}


def sequence_notes(step: Step) -> list[str]:
    """Return a note if a step is not measured in a sequence."""
    if not just_cut(step):
        return []
    return [f"{step.label}: no row in a sequence, because its mesh was cut at its start"]


def peer_notes(label: str, peer: dict[str, Record], limit: float) -> list[str]:
    """Return notes about jobs of the peer that did not finish or used several cores."""
    late = [job for job, one in peer.items() if "at_least" in one]
    lost = [job for job in PEER_JOBS if job not in peer]
    notes = [f"{label}: ipctk's {job} did not finish within {limit:g} s" for job in late]
    notes += [f"{label}: ipctk's {job} ended without an answer or a time" for job in lost]
    for job in (job for job in peer if job not in late):
        one = peer[job]
        if one["cpu_seconds"] > ONE_CORE * one["seconds"] + 0.05:
            share = one["cpu_seconds"] / one["seconds"]
            notes.append(f"{label}: ipctk's {job} used {share:.1f} cores")
    return notes
