"""One model measured: every answer verified, then methods and peer timed in the same run."""

from collections.abc import Sequence
from typing import Any

import toccata as tc
from toccata.bench.deforming import child, verify
from toccata.bench.deforming.sources import Model, Step
from toccata.bench.protocol import best
from toccata.bench.verify import WrongAnswer

Record = dict[str, Any]

METHODS = ("bvh", "clusters", "auto")
MODES = ("first", "all")
PEER_JOBS = ("broad", "AdditiveCCD", "TightInclusionCCD")
COUNTS = (
    "bv_tests",
    "elementary_tests",
    "filtered_tests",
    "leaf_clusters",
    "intermediate_clusters",
    "triangles_per_cluster",
    "seconds_clustering",
    "seconds_hierarchy",
    "seconds_traversal",
)
# Processor time over time of a peer that keeps to one thread, with room for the clock.
ONE_CORE = 1.2


def ask(step: Step, method: Any, mode: str, threads: int = 1) -> Any:
    """Answer one step with the default tolerance, a millionth of the scene."""
    everything = mode == "all"
    return tc.deforming_contacts(
        step.v0, step.v1, step.faces, method=method, all_contacts=everything, threads=threads
    )


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
        "pairs": len(answers["all"].vertex_face) + len(answers["all"].edge_edge),
        **{mode: time_step(step, mode) for mode in modes},
        "peer": {job: one["seconds"] for job, one in peer.items()},
        "notes": notes,
    }


def verify_step(step: Step) -> dict[str, Any]:
    """Raise WrongAnswer unless all methods are right and agree; return the answers of auto."""
    answers = {}
    for mode in MODES:
        found = {method: ask(step, method, mode) for method in METHODS}
        for method, answer in found.items():
            check(f"{step.label}, {method}, {mode}", step, answer, found["bvh"], mode)
        answers[mode] = found["auto"]
    times = [answers[mode].toc for mode in MODES]
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
    if answer.status != reference.status or not verify.same_time(answer.toc, reference.toc):
        said = f"{answer.status.name} at {answer.toc}"
        raise WrongAnswer(f"{label}: {said}, bvh: {reference.status.name} at {reference.toc}")


def confirm(step: Step, answer: Any, limit: float) -> list[str]:
    """Prove by the peer's broad phase and the reference that nothing touches before the time."""
    end = min(answer.toc, 1.0)
    if step.first is not None or end <= 0.0:
        return []  # the exact time is known, or nothing comes before
    pairs = child.peer_pairs(step.cut(end), limit)
    if pairs is None:
        return [f"{step.label}: held against the other methods only, ipctk's candidates took long"]
    verify.check_clear(f"{step.label}, auto", step, end, pairs)
    return []


def time_step(step: Step, mode: str) -> dict[str, Record]:
    """Return the best time of each method in seconds, and the counters of that round."""
    return {method: time_method(step, method, mode) for method in METHODS}


def time_method(step: Step, method: str, mode: str) -> Record:
    """Time one method; the stages belong to the round that took the shortest."""
    rounds: list[Any] = []
    seconds = best(lambda: rounds.append(ask(step, method, mode).stats))
    stats = min(rounds, key=lambda one: float(one.seconds))
    return {"seconds": seconds, **{name: float(getattr(stats, name)) for name in COUNTS}}


def peer_notes(label: str, peer: dict[str, Record], limit: float) -> list[str]:
    """Return what has to be known to read the peer's times."""
    late = [job for job in PEER_JOBS if job not in peer]
    notes = [f"{label}: ipctk's {job} was not done after {limit:g} s" for job in late]
    for job, one in peer.items():
        if one["cpu_seconds"] > ONE_CORE * one["seconds"] + 0.05:
            share = one["cpu_seconds"] / one["seconds"]
            notes.append(f"{label}: ipctk's {job} used {share:.1f} cores")
    return notes
