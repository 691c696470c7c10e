"""Tables of the benchmark of deforming meshes: tables 1 and 2 of He et al. 2015, then studies."""

import numpy as np

from toccata_bench.deforming.methods import ratio
from toccata_bench.deforming.steps import IN_SEQUENCE, METHODS, PEER_JOBS, peer_seconds
from toccata_bench.record import Record
from toccata_bench.table import Table, number

Models = dict[str, list[Record]]

MODE_TITLES = {"first": "first contact", "all": "all contacts"}
PEER_LABELS = {
    "broad": "ipctk, broad phase alone",
    "AdditiveCCD": "ipctk, AdditiveCCD",
    "TightInclusionCCD": "ipctk, Tight Inclusion",
}


def table_1(models: Models, mode: str) -> Table:
    """Return table 1: stages and tests by model and method, and totals of the peer."""
    header = ["", "clustering", "hierarchy", "traversal + tests", "total", "BV tests", "elementary"]
    rows: list[list[object]] = []
    for name, steps in models.items():
        rows += [stage_row(name, method, steps, mode) for method in METHODS]
        rows += sequence_rows(name, steps, mode)
        for job in PEER_JOBS:
            if (total := peer_total(steps, job)) is not None:
                rows.append([f"{name}, {PEER_LABELS[job]}", *[None] * 3, total, None, None])
    return Table(f"Table 1, {MODE_TITLES[mode]}, milliseconds per step", header, rows)


def sequence_rows(name: str, steps: list[Record], mode: str) -> list[list[object]]:
    """Return the row of steps in a sequence; it counts them if some steps are missing."""
    known = [step for step in steps if IN_SEQUENCE in step[mode]]
    if not known:
        return []
    label, *cells = stage_row(name, IN_SEQUENCE, known, mode)
    part = "" if len(known) == len(steps) else f" ({len(known)} of {len(steps)} steps)"
    return [[f"{label}{part}", *cells]]


def peer_total(steps: list[Record], job: str) -> str | None:
    """Return the peer's average in milliseconds, a lower bound if a step was cut short."""
    found = [peer_seconds(step, job) for step in steps]
    average = mean([seconds for seconds, _ in found])
    if average is None:
        return None
    return f"{'>= ' if any(bound for _, bound in found) else ''}{number(ms(average))}"


def stage_row(name: str, method: str, steps: list[Record], mode: str) -> list[object]:
    """Return the averages of one method over the steps of a model."""

    def average(figure: str) -> float:
        return float(np.mean([step[mode][method][figure] for step in steps]))

    stages = [ms(average(f"seconds_{stage}")) for stage in ("clustering", "hierarchy", "traversal")]
    counts = [f"{average(count):.0f}" for count in ("bv_tests", "elementary_tests")]
    return [f"{name}, {method}", *stages, ms(average("seconds")), *counts]


def table_2(models: Models, mode: str) -> Table:
    """Return table 2: the size of each model, and its clusters."""
    header = ["", "triangles", "steps", "contacts", "leaf clusters", "intermediate clusters"]
    header.append("triangles per intermediate cluster")
    rows: list[list[object]] = []
    for name, steps in models.items():
        counts = [step[mode]["clusters"] for step in steps]
        leaf, intermediate = (
            float(np.mean([one[figure] for one in counts]))
            for figure in ("leaf_clusters", "intermediate_clusters")
        )
        # Not the mean of ratios, in which one step with few clusters would outweigh all others.
        ratio = float(np.mean([step["triangles"] for step in steps])) / max(intermediate, 1.0)
        largest = max(step["triangles"] for step in steps)
        pairs = " + ".join(str(step["pairs"]) for step in steps)
        rows.append([name, largest, len(steps), pairs, f"{leaf:.0f}", f"{intermediate:.0f}", ratio])
    return Table("Table 2, models and clusters", header, rows)


def time_table(models: Models) -> Table:
    """Return first contacts by step: exact if known, by auto, and step sizes of the peer."""
    header = ["", "status", "exact", "auto", "ipctk, Tight Inclusion", "ipctk, AdditiveCCD"]
    rows: list[list[object]] = []
    for step in (step for steps in models.values() for step in steps):
        peers = [step["peer_toc"].get(job) for job in ("TightInclusionCCD", "AdditiveCCD")]
        times = [None if t is None else f"{t:.6g}" for t in (step["exact"], step["toc"], *peers)]
        rows.append([step["label"], step["status"], *times])
    return Table("First contact of the pairs of each step, as fractions of the step", header, rows)


def elementary_table(sets: dict[str, Record]) -> Table:
    """Return the table of sets: microseconds per query, errors of times, and the peers."""
    header = ["", "queries", "colliding", "mean", "mean colliding", "worst", "early, mean"]
    header += ["early, worst", "false +", "TI mean", "TI worst", "TI false +"]
    header += ["ACCD mean", "ACCD worst", "ACCD early"]
    rows = [elementary_row(name, one) for name, one in sets.items()]
    return Table("Elementary tests, microseconds per query", header, rows)


def elementary_row(name: str, one: Record) -> list[object]:
    """Return the row of one set; a peer that did not finish the set is marked."""
    early = one["early"] or {}
    inclusion = one["peers"].get("TightInclusion", {})
    additive = one["peers"].get("AdditiveCCD", {})
    cut = "" if inclusion.get("done", 0) >= one["queries"] else f" ({inclusion.get('done')} done)"
    mean_inclusion = inclusion.get("all_us")
    return [
        name,
        one["queries"],
        one["colliding"],
        *(one[figure] for figure in ("all_us", "colliding_us", "worst_us")),
        *(tiny(early.get(figure)) for figure in ("mean", "worst")),
        one["false_positives"],
        None if mean_inclusion is None else f"{number(mean_inclusion)}{cut}",
        inclusion.get("worst_us"),
        inclusion.get("false_positives"),
        additive.get("all_us"),
        additive.get("worst_us"),
        tiny(additive.get("early_share")),
    ]


def candidate_table(candidates: dict[str, Record]) -> Table:
    """Return the table of candidates: microseconds for all, and for those decided by filters."""
    header = ["", "queries", "mean", "filter decides", "mean of these", "TI mean", "ACCD mean"]
    rows: list[list[object]] = []
    for name, one in candidates.items():
        peers = [
            one["peers"].get(peer, {}).get("all_us") for peer in ("TightInclusion", "AdditiveCCD")
        ]
        decided = f"{100 * one['decided']:.1f}%"
        rows.append([name, one["queries"], one["all_us"], decided, one["decided_us"], *peers])
    return Table("Candidates of ipctk's broad phase, microseconds per query", header, rows)


def study_tables(studies: Record) -> list[Table]:
    """Return the tables of methods, threads, growth and memory."""
    tables = []
    if found := studies.get("methods"):
        rows = [
            [label, *(ms(times[method]) for method in METHODS), ratio(times)]
            for label, times in found.items()
        ]
        header = ["", *METHODS, "auto / fastest other"]
        tables.append(Table("First contact by all methods in turn, milliseconds", header, rows))
    if found := studies.get("threads"):
        header = ["", "triangles", "first, 1 thread", "first, 2 threads"]
        header += ["all, 1 thread", "all, 2 threads"]
        keys = ("first_1", "first_2", "all_1", "all_2")
        rows = [
            [name, one["triangles"], *(ms(one[k]) for k in keys)] for name, one in found.items()
        ]
        tables.append(Table("One and two threads, auto, milliseconds", header, rows))
    if found := studies.get("growth"):
        first, every = found["seconds"]["first"], found["seconds"]["all"]
        rows = [[f"{size} triangles", ms(first[size]), ms(every[size])] for size in first]
        header = ["", "first contact", "all contacts"]
        tables.append(Table("Crash model, auto, milliseconds", header, rows))
    if found := studies.get("memory"):
        rows = [
            [MODE_TITLES[mode], *(one and one[key] / 1e9 for key in ("before", "peak"))]
            for mode, one in found.items()
            if one
        ]
        tables.append(Table("Memory of a step of 1.1M triangles, GB", ["", "before", "peak"], rows))
    return tables


def mean(values: list[float | None]) -> float | None:
    """Return the mean, or None if one is missing."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if values and len(known) == len(values) else None


def ms(seconds: float) -> float:
    """Return milliseconds."""
    return 1e3 * seconds


def tiny(value: float | None) -> str | None:
    """Format a small number with its exponent."""
    return None if value is None else f"{value:.1e}"
