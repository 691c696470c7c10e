"""One model measured: every answer verified, then methods and peer timed in the same run."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

import toccata as tc
from toccata.bench.clock import best
from toccata.bench.deforming import child, verify
from toccata.bench.deforming.sources import Model, Step
from toccata.bench.verify import WrongAnswer

Record = dict[str, Any]

METHODS = ("bvh", "clusters", "auto")
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
# The tolerance of ipctk's Tight Inclusion, a length.
TOLERANCE = 1e-6
# Processor time over time of a peer that keeps to one thread, with room for the clock.
ONE_CORE = 1.2


def ask(step: Step, method: Any, mode: str, threads: int = 1) -> Any:
    """Answer one step with the tolerance of the peer, all that is made for it included."""
    options: Record = {
        "method": method,
        "tolerance": TOLERANCE,
        "all_contacts": mode == "all",
        "threads": threads,
    }
    if step.roots is None:
        return tc.deforming_contacts(step.v0, step.v1, step.faces, **options)
    # What the mesh was before does not matter, only which vertices were one.
    before = np.zeros((int(step.roots.max(initial=-1)) + 1, 3))
    model = tc.DeformingMesh(before, np.empty((0, 3), dtype=np.int32), threads=threads)
    model.retopologize(step.v0, step.faces, step.roots)
    return model.step(step.v1, **options)


def measure_model(model: Model, modes: Sequence[str], limit: float | None) -> list[Record]:
    """Return a record per step; `limit` is the peer's time in seconds, None for no peer."""
    return [measure_step(step, modes, limit) for step in model.steps]


def measure_step(step: Step, modes: Sequence[str], limit: float | None) -> Record:
    """Verify all methods on one step, then time them beside the peer."""
    answers = verify_step(step)
    notes, peer = [], {}
    if limit is not None:
        notes += confirm(step, answers["first"], limit)
        peer = child.peer_times(step, PEER_JOBS, limit)
        notes += peer_notes(step.label, peer, limit)
    return {
        "label": step.label,
        "triangles": len(step.faces),
        "status": answers["first"].status.name,
        "exact": finite(step.first),
        "toc": finite(verify.first_pair(answers["first"])),
        "pairs": len(answers["all"].vertex_face) + len(answers["all"].edge_edge),
        **{mode: time_step(step, mode) for mode in modes},
        "peer": {job: one["cpu_seconds"] for job, one in peer.items()},
        "peer_toc": {job: one["value"] for job, one in peer.items() if job != "broad"},
        "notes": notes,
    }


def finite(time: float | None) -> float | None:
    """Return a time for a record, None for never and for nobody knows."""
    return time if time is not None and isfinite(time) else None


def verify_step(step: Step) -> dict[str, Any]:
    """Raise WrongAnswer unless all methods are right and agree; return the answers of auto."""
    answers = {}
    for mode in MODES:
        found = {method: ask(step, method, mode) for method in METHODS}
        for method, answer in found.items():
            check(f"{step.label}, {method}, {mode}", step, answer, found["bvh"], mode)
        answers[mode] = found["auto"]
    times = [verify.first_pair(answers[mode]) for mode in MODES]
    if not verify.same_time(*times):
        raise WrongAnswer(f"{step.label}: first contact at {times[0]}, of all {times[1]}")
    return answers


def check(label: str, step: Step, answer: Any, reference: Any, mode: str) -> None:
    """Raise WrongAnswer unless an answer is right and agrees with that of bvh."""
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
    """Prove by the peer's broad phase and the reference that nothing touches before the time."""
    end = min(answer.toc, 1.0)
    if step.first is not None or end <= 0.0:
        return []  # the exact time is known, or nothing comes before
    pairs = child.peer_pairs(step.cut(end), limit)
    if pairs is None:
        return [f"{step.label}: held against the other methods only, ipctk's candidates are many"]
    verify.check_clear(f"{step.label}, auto", step, end, pairs)
    return []


def time_step(step: Step, mode: str) -> dict[str, Record]:
    """Return the processor time of each method in seconds, its stages and its counters."""
    return {method: time_method(step, method, mode) for method in METHODS}


def time_method(step: Step, method: str, mode: str) -> Record:
    """Time one method; the stages are told by the wall clock, so they are scaled to the total."""
    rounds: list[Any] = []
    seconds = best(lambda: rounds.append(ask(step, method, mode).stats))
    stats = min(rounds, key=lambda one: float(one.seconds))
    scale = min(1.0, seconds / stats.seconds)
    stages = {name: scale * getattr(stats, name) for name in STAGES}
    return {"seconds": seconds, **stages, **{name: getattr(stats, name) for name in COUNTS}}


def peer_notes(label: str, peer: dict[str, Record], limit: float) -> list[str]:
    """Return what has to be known to read the peer's times."""
    late = [job for job in PEER_JOBS if job not in peer]
    notes = [f"{label}: ipctk's {job} did not get done in {limit:g} s" for job in late]
    for job, one in peer.items():
        if one["cpu_seconds"] > ONE_CORE * one["seconds"] + 0.05:
            share = one["cpu_seconds"] / one["seconds"]
            notes.append(f"{label}: ipctk's {job} used {share:.1f} cores")
    return notes
