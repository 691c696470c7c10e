"""`toccata bench adaptive`: bodies of which only some joints are active."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from toccata_bench import plots as drawing
from toccata_bench.adaptive import chains, cost, enclosures, frames, goals, plots, runs, tables
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.goal import summary_table
from toccata_bench.record import provenance
from toccata_bench.running import find_unknown, print_report, progress, run_benchmark

Record = dict[str, Any]

SECTIONS = ("figure", "chains", "enclosures", "dynamics", "frames")
RUNS, QUICK_RUNS = 50, 2
QUICK_STEPS = 40
NOTES = (
    "Every motion is asked by both methods first; where they differ, the distance there decides.",
    "Motions: what the dynamics proposes in each step during collisions. Joints are chosen every"
    " ten steps; contacts make no others active, as they do in a World by default.",
    "Times are those of the core by its own clock, one thread, the least of three rounds.",
    "Error: mean distance of links from where they are with all joints active, first half second.",
    "Refreshes of passive parts, every ten steps, are not in the time of a step.",
)


def add_arguments(parser: Any) -> None:
    """Declare the options."""
    parser.add_argument("--only", metavar="LIST", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument("--scenes", metavar="LIST", help=f"some of {', '.join(EXPERIMENTS)}")
    parser.add_argument("--runs", type=int, metavar="N", help=f"of each scene; default: {RUNS}")
    parser.add_argument("--steps", type=int, metavar="N", help="default: what a scene says")
    parser.add_argument("--quick", action="store_true", help="fewer runs, levels and steps")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the record")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="draw figure 4")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")


def run(args: argparse.Namespace) -> int:
    """Measure, print, and return the exit code."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    for option in ("runs", "steps"):
        value = getattr(args, option)
        if value is not None and value < 1:
            return f"--{option}: expected a positive number, got {value}"
    if args.plots and (fault := drawing.check_available()):
        return fault
    return find_unknown("--only", sections(args), SECTIONS) or find_unknown(
        "--scenes", wanted(args), list(EXPERIMENTS)
    )


def sections(args: argparse.Namespace) -> list[str]:
    """Return the sections asked for; without any, all of them."""
    return str(args.only).split(",") if args.only else list(SECTIONS)


def wanted(args: argparse.Namespace) -> list[str]:
    """Return the names of the scenes asked for; without any, all of them."""
    return str(args.scenes).split(",") if args.scenes else list(EXPERIMENTS)


def measure(args: argparse.Namespace) -> Record:
    """Measure what was asked for, section by section."""
    chosen = sections(args)
    record: Record = provenance() | {"notes": []} | {section: {} for section in SECTIONS}
    count = args.runs or (QUICK_RUNS if args.quick else RUNS)
    steps = args.steps or (QUICK_STEPS if args.quick else None)
    if "figure" in chosen:
        for name in wanted(args):
            record["figure"][name] = runs.measure_scene(name, count, steps, args.quick)
    if "chains" in chosen:
        progress("chains")
        record["chains"] = chains.measure_chains()
    if "enclosures" in chosen:
        progress("enclosures")
        record["enclosures"] = enclosures.measure_enclosures()
    if "dynamics" in chosen:
        progress("dynamics")
        record["dynamics"], notes = cost.measure_all_active()
        record["notes"] += notes
    if "frames" in chosen:
        progress("frames")
        record["frames"] = frames.measure_frames(count, steps)
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them, and draw."""
    found = [tables.figure_table(name, one) for name, one in record["figure"].items()]
    for section, table in (
        ("chains", tables.chain_table),
        ("enclosures", tables.enclosure_table),
        ("dynamics", tables.dynamics_table),
        ("frames", tables.frame_table),
    ):
        if record[section]:
            found.append(table(record[section]))
    asked = [goal for goal in goals.goals(record) if goal.found or not args.only]
    if asked:
        found.append(summary_table(asked))
    print_report(record, found, NOTES, args.markdown)
    if args.plots:
        for path in plots.draw(record["figure"], args.plots):
            progress(str(path))
