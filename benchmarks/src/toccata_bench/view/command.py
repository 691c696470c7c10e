"""`toccata bench view`: how fast live views follow a hand."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from toccata_bench.goal import summary_table
from toccata_bench.record import provenance
from toccata_bench.running import print_report, progress, run_benchmark
from toccata_bench.table import Table
from toccata_bench.view import dragging, goals

Record = dict[str, Any]

SECONDS, QUICK_SECONDS = 8.0, 2.0
ROUNDS = 3
NOTES = (
    "A page without a picture, a process of its own, drags the car door into its opening over the"
    " protocol of the viewer, and presses it against the car.",
    "Latency: from the time at which a pointer is sent to that at which a pose is back that follows"
    " it, or a later one.",
    "The way is proven again after each drag, and the last pose that was told is that of the door.",
)


def add_arguments(parser: Any) -> None:
    """Declare the options."""
    parser.add_argument("--seconds", type=float, metavar="S", help=f"of a drag; default: {SECONDS}")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"of each rate; default: {ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="one short drag for each rate")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the record")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")


def run(args: argparse.Namespace) -> int:
    """Measure, print, and return the exit code."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    for option in ("seconds", "rounds"):
        value = getattr(args, option)
        if value is not None and not value > 0:
            return f"--{option}: expected a positive number, got {value}"
    if find_spec("viser") is None:
        return "expected the package viser: pip install 'toccata[view]'"
    return None


def measure(args: argparse.Namespace) -> Record:
    """Drag the door, at each rate some times."""
    record: Record = provenance() | {"notes": [], "drag": {}}
    seconds = args.seconds or (QUICK_SECONDS if args.quick else SECONDS)
    rounds = args.rounds or (1 if args.quick else ROUNDS)
    for rate in dragging.RATES:
        for number in range(1, rounds + 1):
            name = f"{rate:g} pointers a second, round {number}"
            progress(name)
            record["drag"][name] = dragging.measure_drag(rate, seconds)
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them."""
    tables = [_table(record["drag"]), summary_table(goals.goals(record))]
    print_report(record, tables, NOTES, args.markdown)


def _table(found: Record) -> Table:
    header = ["drag", "pointers", "poses per second", "latency: median, ms", "95 %", "worst"]
    header += ["motions, all certified"]
    keys = ("pointers", "poses_per_second", "median_ms", "p95_ms", "worst_ms", "motions")
    rows = [[name, *(one[key] for key in keys)] for name, one in found.items()]
    return Table("The car door, dragged by a page", header, rows)
