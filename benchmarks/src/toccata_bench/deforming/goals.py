"""Goals of the benchmark of deforming meshes."""

from collections.abc import Callable, Iterator

from toccata_bench.deforming import methods
from toccata_bench.deforming.steps import IN_SEQUENCE, peer_seconds
from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.record import Record

GIGABYTE = 1e9
# Generated models of kinds that He et al. 2015 did not measure.
NOT_OF_THE_PAPER = ("rods", "crumpled-ball")


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    return [
        *step_goals(record["models"]),
        *elementary_goals(record["elementary"], record["candidates"]),
        *cluster_goals(record["models"]),
        *study_goals(record["studies"]),
    ]


def steps_of(models: dict[str, list[Record]], mode: str) -> Iterator[tuple[str, Record]]:
    """Iterate over the steps that were timed in a mode."""
    for steps in models.values():
        yield from ((step["label"], step) for step in steps if mode in step)


def step_goals(models: dict[str, list[Record]]) -> list[Goal]:
    """Return the goals for whole steps; the time of a stopped peer is a lower bound.

    The time of Tight Inclusion depends on the number of candidates. The goal for a model therefore
    compares the sums over all steps.
    """
    broad = at_least("first contact: ipctk's broad phase alone / auto", 1.43, "x")
    model = at_least("first contact, a model: ipctk with Tight Inclusion / auto", 10.0, "x")
    whole = at_least("first contact, single steps: ipctk with Tight Inclusion / auto", 10.0, "x")
    going = at_least("first contact in a sequence: ipctk with Tight Inclusion / auto", 10.0, "x")
    every = at_most("all contacts: auto / ipctk's broad phase alone", 3.0, "x")
    for label, step in steps_of(models, "first"):
        for goal, method, job in (
            (broad, "auto", "broad"),
            (whole, "auto", "TightInclusionCCD"),
            (going, IN_SEQUENCE, "TightInclusionCCD"),
        ):
            seconds, bound = peer_seconds(step, job)
            ours = step["first"].get(method, {}).get("seconds")
            goal.add(label, share(seconds, ours), bound)
    for name, steps in models.items():
        timed = [step for step in steps if "first" in step]
        model.add(name, *_all_steps(timed, "TightInclusionCCD"))
    for label, step in steps_of(models, "all"):
        every.add(label, share(step["all"]["auto"]["seconds"], step["peer"].get("broad")))
    return [broad, model, whole, going, every]


def _all_steps(steps: list[Record], job: str) -> tuple[float | None, bool]:
    """Return the peer's time / auto's time for all steps, and whether it is a lower bound."""
    theirs = [peer_seconds(step, job) for step in steps]
    known = [seconds for seconds, _ in theirs if seconds is not None]
    if not steps or len(known) < len(steps):
        return None, False
    ours = sum(float(step["first"]["auto"]["seconds"]) for step in steps)
    return share(sum(known), ours), any(bound for _, bound in theirs)


def elementary_goals(sets: dict[str, Record], candidates: dict[str, Record]) -> list[Goal]:
    """Return the goals for elementary tests, alone and compared with the peers."""
    colliding = at_most("colliding queries of simulations, mean", 2.0, " us")
    decided = at_most("queries that a filter decides, mean", 0.1, " us")
    handmade = at_most("hand-made degenerate queries, mean", 20.0, " us")
    worst = at_most("hand-made degenerate queries, worst", 2000.0, " us")
    peer = at_most("queries of simulations: time / time of AdditiveCCD", 1.0, "x")
    early = at_most("queries of simulations: exact time - toc, mean of a set", 1e-4)
    earliest = at_most("queries of simulations: exact time - toc, worst query", 1e-4)
    false = at_most("false positives beyond those of Tight Inclusion", 0.0)
    for name, one in sets.items():
        if one["simulated"]:
            colliding.add(name, one["colliding_us"])
            early.add(name, one["early"] and one["early"]["mean"])
            earliest.add(name, one["early"] and one["early"]["worst"])
            peer.add(name, _against(one, "AdditiveCCD"))
        else:
            handmade.add(name, one["all_us"])
            worst.add(name, one["worst_us"])
        false.add(name, _extra(one))
    for name, one in candidates.items():
        decided.add(f"{name}, candidates", one["decided_us"])
        peer.add(f"{name}, candidates", _against(one, "AdditiveCCD"))
    return [colliding, decided, handmade, worst, peer, early, earliest, false]


def _against(one: Record, peer: str) -> float | None:
    return share(one["all_us"], one["peers"].get(peer, {}).get("all_us"))


def _extra(one: Record) -> float | None:
    """Return our false positives beyond the peer's, None if the peer did not finish the set."""
    peer = one["peers"].get("TightInclusion")
    if not peer or peer["done"] < one["queries"]:
        return None
    return float(one["false_positives"] - peer["false_positives"])


def cluster_goals(models: dict[str, list[Record]]) -> list[Goal]:
    """Return the goals for clusters / plain hierarchy, on models of the kinds in the paper."""
    tests = at_least("BV tests, bvh / clusters", 5.0, "x")
    times = at_least("total time, bvh / clusters", 1.4, "x")
    measures: list[tuple[Goal, Callable[[Record], float]]] = [
        (tests, lambda one: float(one["bv_tests"])),
        (times, lambda one: float(one["seconds"])),
    ]
    known = {
        name: steps
        for name, steps in models.items()
        if name not in NOT_OF_THE_PAPER and not name.startswith("frames/")
    }
    for mode in ("first", "all"):
        for label, step in steps_of(known, mode):
            for goal, value in measures:
                ratio = share(value(step[mode]["bvh"]), value(step[mode]["clusters"]))
                goal.add(f"{label}, {mode}", ratio)
    return [tests, times]


def study_goals(studies: Record) -> list[Goal]:
    """Return the goals for methods, threads, growth and memory."""
    fastest = at_most("auto / fastest other method, worst", 1.15, "x")
    usually = at_most("auto / fastest other method, mean", 1.05, "x")
    two = at_least("2 threads / 1 thread", 1.7, "x")
    growth = at_most("crash model: growth exponent of the time, by triangles", 1.15)
    memory = at_most("peak memory of a step of 1.1M triangles", 2.0, " GB")
    compared = studies.get("methods", {})
    for label, times in compared.items():
        fastest.add(label, methods.ratio(times))
    usually.add("all steps", methods.mean_ratio(compared))
    for name, one in studies.get("threads", {}).items():
        for mode in ("first", "all"):
            two.add(f"{name}, {mode}", share(one[f"{mode}_1"], one[f"{mode}_2"]))
    for mode, exponent in studies.get("growth", {}).get("exponent", {}).items():
        growth.add(mode, exponent)
    for mode, one in studies.get("memory", {}).items():
        memory.add(mode, one and one["peak"] / GIGABYTE)
    return [fastest, usually, two, growth, memory]
