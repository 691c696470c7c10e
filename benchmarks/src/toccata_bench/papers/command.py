"""`toccata bench papers`: every table and figure of the five papers that can be made."""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import Any

from toccata._cli.output import OutputFile, check_outputs
from toccata_bench import plots
from toccata_bench.papers.catalog import EXHIBITS
from toccata_bench.papers.exhibit import Exhibit, Setup
from toccata_bench.papers.listing import listing, tables
from toccata_bench.papers.page import write_page
from toccata_bench.papers.shown import Shown
from toccata_bench.record import provenance
from toccata_bench.running import Record, find_unknown, print_report, progress, run_benchmark

NAMES = [exhibit.name for exhibit in EXHIBITS]


def add_arguments(parser: Any) -> None:
    """Declare the options."""
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write pictures, index.html and tables.md"
    )
    parser.add_argument(
        "--only", metavar="A,B", help="only these, such as tang-2013/figure-7 or he-2015"
    )
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("--quick", action="store_true", help="fewer trials and smaller models")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--markdown", action="store_true", help="print docs/papers.md")


def run(args: argparse.Namespace) -> int:
    """Make, print, and return the exit code."""
    if args.list:
        for exhibit in EXHIBITS:
            left_out = "" if exhibit.make else "  (not made)"
            print(f"{exhibit.name:<24}{exhibit.title}{left_out}")
        return 0
    shown: list[Shown] = []
    return run_benchmark(
        args,
        find_fault,
        lambda given: measure(given, shown),
        lambda record, given: report(record, given, shown),
    )


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    if args.out is None:
        return "--out: expected a folder for pictures and index.html"
    args.out.mkdir(parents=True, exist_ok=True)
    check_outputs({"out": OutputFile(args.out / "index.html")})
    words = str(args.only).split(",") if args.only else []
    return find_unknown("--only", words, [*NAMES, *dict.fromkeys(e.paper for e in EXHIBITS)])


def wanted(only: str | None) -> list[Exhibit]:
    """Return the exhibits asked for, by name or by paper; without any, all of them."""
    words = only.split(",") if only else []
    return [one for one in EXHIBITS if not words or one.name in words or one.paper in words]


def measure(args: argparse.Namespace, shown: list[Shown]) -> Record:
    """Make one after the other; `shown` keeps them."""
    setup, chosen = Setup(args.quick), wanted(args.only)
    missing = plots.check_available()
    for number, exhibit in enumerate(chosen, start=1):
        progress(f"{number} of {len(chosen)}, {exhibit.name}: {exhibit.title}")
        shown.append(make(exhibit, setup, args.out, missing))
    record: Record = provenance()
    record["notes"] = sorted({one.missing for one in shown if one.missing})
    record["exhibits"] = {one.exhibit.name: one.record() for one in shown}
    return record


def make(exhibit: Exhibit, setup: Setup, folder: Path, missing: str | None) -> Shown:
    """Make one exhibit and write its pictures; one that cannot be made says why."""
    one = Shown(exhibit)
    if exhibit.make is None:
        progress(f"not made: {exhibit.differs}")
        return one
    if exhibit.plots and missing:
        one.missing = missing
        progress(f"left out: {missing}")
        return one
    begin = perf_counter()
    try:
        one.keep(exhibit.make(setup), folder)
    except ModuleNotFoundError as error:
        one.missing = str(error)
        progress(f"left out: {error}")
    one.seconds = perf_counter() - begin
    return one


def report(record: Record, args: argparse.Namespace, shown: list[Shown]) -> None:
    """Write the page and print the tables."""
    about = f"{record['machine']['cpu']}, {record['machine']['cores']} cores" + (
        ", a quick run" if args.quick else ""
    )
    target = args.out / "index.html"
    write_page(target, shown, about)
    (args.out / "tables.md").write_text(tables(shown, about), encoding="utf-8")
    if args.markdown:
        print(listing(shown, about))
    else:
        found = [table for one in shown if one.made for table in one.made.tables]
        print_report(record, found, (), markdown=False)
    made = sum(one.made is not None for one in shown)
    progress(f"{made} of {len(shown)} made: {target}")
