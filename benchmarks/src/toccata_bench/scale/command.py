"""`toccata bench scale`: datasets of motions beside plain batches of the same rows."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toccata_bench.goal import summary_table
from toccata_bench.peers import optional
from toccata_bench.record import provenance
from toccata_bench.running import find_unknown, print_report, progress, run_benchmark
from toccata_bench.scale import goals, paper, small_parts, speed, stages, tables
from toccata_bench.scale.motions import FILES, TURNS
from toccata_bench.scale.runs import Experiment

Record = dict[str, Any]

SECTIONS = ("speed", "overhead", "stages", "restart", "clusters", "parts")
ROWS, QUICK_ROWS = 1_000_000, 20_000
NOTES = (
    f"Motions of the Puma among pipes, from random configurations without contact; of each motion"
    f" the joint that turns farthest turns by {TURNS[0]} to {TURNS[1]} rad. {FILES} files of equal"
    " size, one row group each, read from memory: they were written just before.",
    "A sample of rows is held against first_contact_batch first, then all rows against the batches"
    " that are timed; part files of all runs are equal, bit by bit.",
    "Batches: processes of one thread with their rows in memory; only their calls are timed, and"
    " their rates added. Of a run, everything is timed: planning, start of processes, models,"
    " reading, writing, and the last look. 'models built' takes off the start of processes.",
    "Runs and batches take turns, in an order that alternates; the best round of each counts."
    " 'others': the share of the machine that other processes took in these rounds, batches first."
    " 'processor time': of the batches / of the whole run, start and planning included.",
    "Clusters are up before the clock runs, but have not imported toccata. Processes are started"
    " within their run; the summary has ratios to their run with and without it.",
)


def add_arguments(parser: Any) -> None:
    """Declare the options."""
    parser.add_argument("--only", metavar="LIST", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument("--rows", type=int, metavar="N", help=f"motions; default: {ROWS:,}")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"default: {speed.ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="fewer rows and one round")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="write the record; with --only, into the one there",
    )
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")


def run(args: argparse.Namespace) -> int:
    """Measure, print, and return the exit code."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    if args.rows is not None and args.rows < FILES:
        return f"--rows: expected at least {FILES}, got {args.rows}"
    if args.rounds is not None and args.rounds < 1:
        return f"--rounds: expected a positive number, got {args.rounds}"
    if optional("pyarrow") is None:
        return "datasets need pyarrow: pip install 'toccata[scale]'"
    return find_unknown("--only", sections(args), SECTIONS)


def sections(args: argparse.Namespace) -> list[str]:
    """Return the sections asked for; without any, all of them."""
    return str(args.only).split(",") if args.only else list(SECTIONS)


def measure(args: argparse.Namespace) -> Record:
    """Measure what was asked for, section by section."""
    rows = args.rows or (QUICK_ROWS if args.quick else ROWS)
    record = _begun(args, rows)
    with TemporaryDirectory() as folder:
        progress(f"drawing {rows:,} motions")
        rows_per_part = max(1, rows // FILES)
        experiment = Experiment.make(Path(folder), rows, min(rows_per_part, 100_000))
        for section in sections(args):
            progress(section)
            _measure(section, record, experiment, args)
        record["sizes"] = paper.measure_sizes(experiment)
    record["paper"] = paper.estimate(record)
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def _begun(args: argparse.Namespace, rows: int) -> Record:
    """Return an empty record, or one of as many rows from this machine that is gone on with."""
    empty: Record = {section: {} for section in (*SECTIONS, "sizes")}
    record: Record = provenance() | {"notes": [], "rows": rows} | empty
    if args.only and args.json and args.json.exists():
        before = json.loads(args.json.read_text())
        if all(before.get(key) == record[key] for key in ("machine", "versions", "rows")):
            record |= {section: before[section] for section in SECTIONS}
    return record


def _measure(section: str, record: Record, experiment: Experiment, args: Any) -> None:
    rounds = args.rounds or (speed.QUICK_ROUNDS if args.quick else speed.ROUNDS)
    notes: list[str] = []
    if section in ("speed", "overhead"):
        workers = speed.WORKERS if section == "speed" else 1
        record[section] = speed.beside_batches(experiment, workers, rounds)
    elif section == "stages":
        record[section] = stages.measure_stages(experiment)
    elif section == "restart":
        record[section] = stages.measure_restart(experiment)
    elif section == "clusters":
        record[section], notes = speed.beside_clusters(experiment, rounds)
    else:
        count = small_parts.QUICK_PARTS if args.quick else small_parts.PARTS
        folder = experiment.folder / "small"
        record[section], notes = small_parts.measure_parts(folder, count)
    record["notes"] += [note for note in notes if note not in record["notes"]]


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them."""
    beside = {"1": record["overhead"], "2": record["speed"]}
    beside = {workers: one for workers, one in beside.items() if one}
    found = [tables.batches_table(beside)] if beside else []
    if record["stages"]:
        found.append(tables.stage_table(record["stages"]))
    if record["restart"]:
        found.append(tables.restart_table(record["restart"]))
    if record["clusters"] or record["parts"]:
        found.append(tables.cluster_table(record["clusters"], record["parts"]))
    if record["paper"]:
        memory = (record["speed"] or record["overhead"])["memory_mb"]
        found.append(tables.paper_table(record["paper"], record["sizes"], memory))
    asked = [goal for goal in goals.goals(record) if goal.found or not args.only]
    if asked:
        found.append(summary_table(asked))
    print_report(record, found, NOTES, args.markdown)
