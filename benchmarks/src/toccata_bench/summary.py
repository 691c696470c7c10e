"""Tables of a record: times, ratios and targets."""

from collections.abc import Callable
from functools import partial

from toccata_bench import fits
from toccata_bench.protocol import METHODS
from toccata_bench.record import Record
from toccata_bench.studies import targets as study_targets
from toccata_bench.table import Table, Target

# With twelve triangles most of the time of a loop is the Python call.
SPEEDUP, BOX_SPEEDUP = 50.0, 20.0

TIMES = {
    "C2A without control": ("batch_us", "c2a-uncontrolled"),
    "C2A colliding": ("batch_us", "c2a-colliding"),
    "C2A free": ("batch_us", "c2a-free"),
    "C2A": ("batch_us", "c2a"),
    "HCA": ("batch_us", "hca"),
    "interval": ("batch_us", "interval"),
    "auto": ("batch_us", "auto"),
    "coal loop": ("peers_us", "coal-loop"),
    "coal loop, pruned": ("peers_us", "coal-loop-pruned"),
    "coal, one distance": ("peers_us", "coal-distance"),
    "auto, colliding": ("discrete", "motion_us"),
    "coal, one discrete check": ("discrete", "check_us"),
    "python-fcl, 100 samples": ("peers_us", "fcl-100"),
    "python-fcl, 1000 samples": ("peers_us", "fcl-1000"),
}

NOTES = (
    "Times are means per query in microseconds on one core, from single-threaded batches.",
    "The coal loop is conservative advancement on coal's distance; the pruned one also hands each"
    " query an upper bound, which makes it the stronger peer on all but tiny models.",
    "A discrete check is coal's collide at one pose, 1e-3 of the radius before contact: what a"
    " sampler asks many times for one motion, and which proves nothing between its poses.",
    "python-fcl's linear motion turns about a point it never sets and sampling may step over"
    " contacts: its answers are no reference, only its time counts.",
)


def case_targets(name: str, record: Record) -> dict[str, Target | None]:
    """Return the targets of one case; None if a peer was not measured."""
    means, peers = record["batch_us"], record["peers_us"]
    auto, core = means["auto"], record["core"]
    discrete = record.get("discrete", {})
    speedup = BOX_SPEEDUP if name.startswith("box") else SPEEDUP
    return {
        "coal loop / auto": Target.ratio(peers.get("coal-loop"), auto, speedup, more=True),
        "coal loop, pruned / auto": Target.ratio(
            peers.get("coal-loop-pruned"), auto, speedup, more=True
        ),
        "auto / one discrete check": Target.ratio(
            discrete.get("motion_us"), discrete.get("check_us"), 0.5, more=False
        ),
        "auto / fcl 100 samples": Target.ratio(auto, peers.get("fcl-100"), 1.0, more=False),
        "auto / fastest named method": Target.ratio(
            auto, min(means[method] for method in ("c2a", "hca", "interval")), 1.15, more=False
        ),
        "auto p99 / mean": Target.ratio(core["p99_us"], core["mean_us"], 10.0, more=False),
        "HCA / auto": Target.ratio(means["hca"], auto, 4.0, more=False),
        "C2A / auto": Target.ratio(means["c2a"], auto, 4.0, more=False),
        "C2A gain by control": Target.ratio(
            means["c2a-uncontrolled"], means["c2a"], 2.0, more=True
        ),
    }


def main_table(models: dict[str, Record]) -> Table:
    """Return table 1 of the paper: a column for each model, with peers, ratios and targets."""
    rows: list[list[object]] = [
        _row("triangles", models, lambda r: " + ".join(map(str, r["triangles"]))),
        _row("trials, of them colliding", models, lambda r: f"{r['trials']}, {r['colliding']}"),
    ]
    for label, (group, key) in TIMES.items():
        rows.append(_row(label, models, partial(_time, group, key)))
    goals = [case_targets(name, record) for name, record in models.items()]
    rows += [_verdicts(label, [goal[label] for goal in goals]) for label in goals[0]]
    return Table("Rigid models, microseconds per query", ["", *models], rows)


def _verdicts(label: str, goals: list[Target | None]) -> list[object]:
    """Return a row with the limit in its label; models with their own limit repeat it."""
    common = next((goal.demand for goal in goals if goal), "")
    cells = [goal and (goal.verdict if goal.demand == common else str(goal)) for goal in goals]
    return [f"{label} {common}".rstrip(), *cells]


def _time(group: str, key: str, record: Record) -> float | None:
    mean: float | None = record.get(group, {}).get(key)
    return mean


def _row(label: str, models: dict[str, Record], value: Callable[[Record], object]) -> list[object]:
    return [label, *(value(record) for record in models.values())]


def spread_table(models: dict[str, Record]) -> Table:
    """Return the table of single calls, which include the cost of a Python call."""
    keys = ("mean_us", "median_us", "p99_us", "max_us")
    rows: list[list[object]] = [
        [f"{name}, {method}", *(record["single"][method][key] for key in keys)]
        for name, record in models.items()
        for method in METHODS
    ]
    return Table(
        "Single calls, microseconds (best of 3 each)", ["", "mean", "median", "p99", "max"], rows
    )


def study_tables(studies: Record) -> list[Table]:
    """Return the targets of the studies, and the growth behind them."""
    rows: list[list[object]] = [[name, goal] for name, goal in study_targets(studies).items()]
    tables = [Table("Batches, growth and building", ["", "result"], rows)]
    if fitted := studies.get("fits"):
        tables.append(fits.table(fitted))
    if grown := studies.get("growth"):
        sizes = [[f"{size} triangles", mean] for size, mean in grown["mean_us"].items()]
        tables.append(Table("Torus knot, mean query", ["", "microseconds"], sizes))
    return tables


def fcl_note(models: dict[str, Record]) -> str | None:
    """Return a sentence about wrong statuses of the sampling solver."""
    faults = [record["fcl_faults"] for record in models.values() if "fcl_faults" in record]
    if not faults:
        return None
    counts = ", ".join(
        f"{sum(fault[key] for fault in faults)} with {key[4:]} samples" for key in faults[0]
    )
    trials = sum(r["trials"] for r in models.values() if "fcl_faults" in r)
    return f"python-fcl reported the wrong status in this many of {trials} trials: {counts}."
