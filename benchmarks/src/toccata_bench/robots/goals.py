"""Goals of the benchmark of robots."""

from __future__ import annotations

from collections.abc import Iterator

from toccata_bench.averages import geometric_mean
from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.record import Record
from toccata_bench.robots.cases import KINDS

ARMS = ("ur5-pipes", "ur5-crowd", "ur5-wires", "puma-pipes", "hand-ball")
"""Cases with goals for speed."""


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    asked = {name: one for name, one in record["cases"].items() if name in ARMS}
    methods = method_goals(record["cases"] | record["sequences"])
    return [*motion_goals(asked), *methods, *study_goals(record["studies"])]


def levels(cases: dict[str, Record]) -> Iterator[tuple[str, str, Record]]:
    """Yield for each level and kind: the name of the case with both, the kind, and the record."""
    for name, case in cases.items():
        for label, kinds in case["levels"].items():
            for kind, one in kinds.items():
                yield f"{name}, {label}, {kind}", kind, one


def motion_goals(cases: dict[str, Record]) -> list[Goal]:
    """Return the goals for motions compared with the peers, level by level."""
    free = at_most("free motions: motion_is_free / sampling at 10 mm", 1.0, "x")
    hit = at_most("colliding motions: motion_is_free / sampling at 10 mm", 1.0, "x")
    dichotomy = at_least("free motions: HPP's dichotomy / motion_is_free", 10.0, "x")
    scan = at_least("scan at 1 mm / first_contact", 10.0, "x")
    whole = at_most("first_contact / motion_is_free, average", 3.0, "x")
    either = at_most("motion_is_free / first_contact", 1.05, "x")
    for case, kind, one in levels(cases):
        is_free, first = one["is_free_us"]["auto"], one["first_us"]["auto"]
        either.add(case, share(is_free, first))
        goal = free if kind == "free" else hit
        goal.add(case, share(is_free, one["peers_us"].get("10 mm")))
        if kind == "free":
            dichotomy.add(case, share(one["peers_us"].get("hpp"), is_free))
        scan.add(case, share(one["peers_us"].get("1 mm"), first))
    for name in cases:
        some = [one for _, _, one in levels({name: cases[name]})]
        asked = ("first_us", "is_free_us")
        sums = (sum(one["motions"] * one[key]["auto"] for one in some) for key in asked)
        whole.add(name, share(*sums))
    return [free, hit, dichotomy, whole, scan, either, *auto_goals(cases)]


def auto_goals(cases: dict[str, Record]) -> list[Goal]:
    """Return the goals for auto / fastest named method: by level, and in the geometric mean."""
    fastest = at_most("auto / fastest named method", 1.05, "x")
    mean = at_most("auto / fastest named method, geometric mean", 1.0, "x")
    for query, key in (("motion_is_free", "is_free_us"), ("first_contact", "first_us")):
        for kind in KINDS:
            found = []
            for case, of_kind, one in levels(cases):
                named = [took for method, took in one[key].items() if method != "auto"]
                ratio = share(one[key]["auto"], min(named, default=None))
                if of_kind == kind and ratio is not None:
                    fastest.add(f"{case}, {query}", ratio)
                    found.append(ratio)
            if found:
                mean.add(f"{kind}, {query}", geometric_mean(found))
    return [fastest, mean]


def method_goals(cases: dict[str, Record]) -> list[Goal]:
    """Return the goals for the methods of the papers / auto, by level."""
    found = []
    for method in ("interval", "hca"):
        goal = at_most(f"{method} / auto", 5.0, "x")
        for name, case in cases.items():
            for label, kinds in case["levels"].items():
                goal.add(f"{name}, {label}", share(*(_mean(kinds, m) for m in (method, "auto"))))
        found.append(goal)
    return found


def _mean(kinds: Record, method: str) -> float | None:
    """Return the mean of a method over the kinds of motions, with equal weights."""
    times = [one["first_us"].get(method) for one in kinds.values()]
    return None if not times or None in times else sum(times) / len(times)


def study_goals(studies: Record) -> list[Goal]:
    """Return the goals for batches, chains, stages and loading."""
    two = at_least("batch of 10,000: 2 threads / 1 thread", 1.8, "x")
    idle = at_most("batch of 10,000: overhead per motion", 2.0, " us")
    long = at_most("chain of 100 links / chain of 10", 12.0, "x")
    stages = at_most("interval: all stages / exact contact alone", 1.0, "x")
    load = at_most("URDF with 100k triangles, ready to query", 2.0, " s")
    if one := studies.get("batch"):
        two.add("puma-pipes", share(one.get("threads_1_us"), one.get("threads_2_us")))
        idle.add("nothing near", one["overhead_us"])
    for label, times in studies.get("chains", {}).items():
        long.add(label, share(times["100_us"], times["10_us"]))
    for name, levels in studies.get("stages", {}).items():
        for label, rows in levels.items():
            for kind in rows["3"]:
                ratio = share(rows["1+2+3"][kind]["seconds"], rows["3"][kind]["seconds"])
                stages.add(f"{name}, {label}, {kind}", ratio)
    for name, one in studies.get("loading", {}).items():
        load.add(name, one["seconds"])
    goals = [two, idle, long, stages, load]
    if found := studies.get("calls"):
        path = at_most("path of 5,000 pieces / batch", 1.5, "x")
        path.add("puma-wires", found["path_by_batch"])
        goals.append(path)
    return goals
