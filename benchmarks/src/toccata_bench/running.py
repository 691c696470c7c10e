"""How every benchmark runs: faults of the options first, then measuring, then the report."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from toccata._cli.answers import FAILURE
from toccata._cli.output import OutputFile, check_outputs
from toccata_bench.record import write
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

Record = dict[str, Any]


def run_benchmark(
    args: argparse.Namespace,
    find_fault: Callable[[argparse.Namespace], str | None],
    measure: Callable[[argparse.Namespace], Record],
    report: Callable[[Record, argparse.Namespace], None],
) -> int:
    """Measure and print; 0 when done (missed goals are in the table), 2 for a wrong answer."""
    if fault := find_fault(args):
        print(f"toccata bench: {fault}", file=sys.stderr)
        return FAILURE
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        check_outputs({"json": OutputFile(args.json)})
    try:
        record = measure(args)
    except WrongAnswer as wrong:
        print(f"toccata bench: wrong answer: {wrong}", file=sys.stderr)
        return FAILURE
    report(record, args)
    if args.json:
        write(args.json, record)
    return 0


def find_unknown(option: str, names: Iterable[str], known: Sequence[str]) -> str | None:
    """Return a fault if not all names given with an option are known."""
    unknown = [name for name in names if name not in known]
    if not unknown:
        return None
    return f"{option}: expected some of {', '.join(known)}, got {', '.join(unknown)}"


def print_report(
    record: Record, tables: Iterable[Table], notes: Iterable[str | None], markdown: bool
) -> None:
    """Print the machine, the tables and what has to be known to read them."""
    print(f"{record['machine']['cpu']}, {record['machine']['cores']} cores\n")
    for table in tables:
        print(table.render(markdown))
    for note in filter(None, (*notes, *record["notes"])):
        print(f"* {note}")


def progress(what: str) -> None:
    """Tell on stderr what is being measured, so that stdout stays a report."""
    print(f"bench: {what}", file=sys.stderr, flush=True)
