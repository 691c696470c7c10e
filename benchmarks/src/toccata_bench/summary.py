"""Tables of the benchmark of rigid bodies: times and ratios."""

from collections.abc import Callable
from functools import partial

from toccata_bench import fits
from toccata_bench.goals import ratios
from toccata_bench.protocol import METHODS
from toccata_bench.record import Record
from toccata_bench.table import Table, number

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
    "coal, check at 1e-4": ("discrete", "nearer_check_us"),
    "coal, check at 1e-3": ("discrete", "check_us"),
    "coal, check at 1e-2": ("discrete", "farther_check_us"),
    "python-fcl, 100 samples": ("peers_us", "fcl-100"),
    "python-fcl, 1000 samples": ("peers_us", "fcl-1000"),
}

NOTES = (
    "Times are means per query in microseconds on one core, from single-threaded batches.",
    "The coal loop is conservative advancement on distances by coal. The pruned loop also gives"
    " each query an upper bound, which makes it faster on all but tiny models.",
    "A check is one collision query of coal at a pose before contact, at a distance of 1e-4, 1e-3"
    " or 1e-2 of the radius. Far from contact a check costs almost nothing. Samplers need many"
    " checks for one motion, and the checks prove nothing between the poses.",
    "The linear motion of python-fcl turns about a point that is never set, and sampling may miss"
    " contacts. Only the time of python-fcl counts; its answers are no reference.",
)


def main_table(models: dict[str, Record]) -> Table:
    """Return table 1 of the paper: a column for each model, with peers and ratios."""
    rows: list[list[object]] = [
        _row("triangles", models, lambda r: " + ".join(map(str, r["triangles"]))),
        _row("trials, colliding trials", models, lambda r: f"{r['trials']}, {r['colliding']}"),
    ]
    for label, (group, key) in TIMES.items():
        rows.append(_row(label, models, partial(_time, group, key)))
    found = [ratios(record) for record in models.values()]
    rows += [[label, *(_ratio(one[label]) for one in found)] for label in found[0]]
    return Table("Rigid models, microseconds per query", ["", *models], rows)


def _ratio(value: float | None) -> str | None:
    return None if value is None else f"{number(value)}x"


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
        "Single calls, microseconds (shortest of 3 rounds)",
        ["", "mean", "median", "p99", "max"],
        rows,
    )


def study_tables(studies: Record) -> list[Table]:
    """Return the tables of bodies that fit, and of growth."""
    tables = []
    if fitted := studies.get("fits"):
        tables.append(fits.table(fitted))
    if grown := studies.get("growth"):
        sizes = [[f"{size} triangles", mean] for size, mean in grown["mean_us"].items()]
        tables.append(Table("Torus knot, mean query", ["", "microseconds"], sizes))
    return tables


def fcl_note(models: dict[str, Record]) -> str | None:
    """Return a note about wrong statuses of the sampling solver."""
    faults = [record["fcl_faults"] for record in models.values() if "fcl_faults" in record]
    if not faults:
        return None
    counts = ", ".join(
        f"{sum(fault[key] for fault in faults)} with {key[4:]} samples" for key in faults[0]
    )
    trials = sum(r["trials"] for r in models.values() if "fcl_faults" in r)
    return f"Wrong statuses of python-fcl in {trials} trials: {counts}."
