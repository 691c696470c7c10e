"""Base class of all benchmarks: options, sections, measurement, tables, goals and files."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from toccata._cli.answers import FAILURE
from toccata._cli.output import OutputFile, check_outputs
from toccata_bench import plots
from toccata_bench.goal import Goal, summary_table
from toccata_bench.peers import missing_peer, optional
from toccata_bench.progress import progress
from toccata_bench.record import Record, provenance, write
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

PAGE = """# {title}: results

This page was made by

    {command}

Machine: {cpu}, {cores} cores, shared with other work. [Benchmarks](../../docs/benchmarks.md) has
the headlines. [The protocol](../README.md) describes what is timed and how answers are checked.
"""


class Benchmark(ABC):
    """One run of a benchmark. A subclass declares options and sections, and fills the record."""

    name: ClassVar[str]
    title: ClassVar[str]
    """Title of the page of results."""
    summary: ClassVar[str]
    """One line for the list of benchmarks."""
    description: ClassVar[str]
    sections: ClassVar[tuple[str, ...]] = ()
    """Sections that `--only` can select."""
    quick: ClassVar[str] = ""
    """Help text of `--quick`; empty if the benchmark has no such option."""
    figures: ClassVar[str] = ""
    """Figures that `--plots` draws, for its help text; empty if there is no such option."""
    peers: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Module and package of each compared library; `--no-peers` leaves them out."""
    positive: ClassVar[tuple[str, ...]] = ()
    """Options whose values must be positive."""
    notes: ClassVar[tuple[str, ...]] = ()
    """Notes below the tables."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Prepare a run with parsed options."""
        self.args = args
        self.record: Record = {}

    # Declarations of subclasses.

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare the options that only this benchmark has."""
        del parser

    def find_fault(self) -> str | None:
        """Return an error message for invalid options, None if they are valid."""
        return None

    @abstractmethod
    def measure(self) -> None:
        """Verify the answers, measure, and fill the record."""

    @abstractmethod
    def tables(self) -> list[Table]:
        """Return the tables of the record."""

    @staticmethod
    def judge(record: Record) -> list[Goal]:
        """Return the goals of a record."""
        del record
        return []

    def extra_notes(self) -> list[str | None]:
        """Return more notes, which depend on the record."""
        return []

    def draw(self, folder: Path) -> list[Path]:
        """Draw the figures into a folder."""
        return []

    # Helpers of subclasses.

    @property
    def chosen(self) -> tuple[str, ...]:
        """Sections to measure."""
        return tuple(self.listed("only", self.sections))

    def listed(self, option: str, default: Sequence[str]) -> list[str]:
        """Return the values of an option that takes a list."""
        value = getattr(self.args, option)
        return str(value).split(",") if value else list(default)

    def find_unknown(self, option: str, known: Sequence[str]) -> str | None:
        """Return an error message if the list of an option has an unknown value."""
        unknown = [name for name in self.listed(option, ()) if name not in known]
        if not unknown:
            return None
        return f"--{option}: expected some of {', '.join(known)}, got {', '.join(unknown)}"

    def missing_peers(self) -> list[str]:
        """Return a note for each peer that is not installed."""
        return [
            missing_peer(package)
            for module, package in self.peers
            if not self.args.no_peers and optional(module) is None
        ]

    def note(self, *notes: str) -> None:
        """Add notes to the record, and print them as progress messages."""
        for text in notes:
            progress(text)
        self.record["notes"] += notes

    # The command.

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Declare all options of the command."""
        if cls.sections:
            only = f"measure only some of {', '.join(cls.sections)}"
            parser.add_argument("--only", metavar="A,B", help=only)
        cls.add_options(parser)
        if cls.peers:
            parser.add_argument("--no-peers", action="store_true", help="omit other libraries")
        if cls.quick:
            parser.add_argument("--quick", action="store_true", help=cls.quick)
        if cls.figures:
            parser.add_argument("--plots", type=Path, metavar="DIR", help=f"draw {cls.figures}")
        parser.add_argument(
            "--json", type=OutputFile, metavar="FILE", help="write all numbers as JSON"
        )
        parser.add_argument(
            "--markdown", type=OutputFile, metavar="FILE", help="write the tables as a page"
        )
        parser.add_argument(
            "--record",
            type=Path,
            metavar="FILE",
            help="report an existing record instead of measuring",
        )
        parser.set_defaults(run=lambda args: cls(args).run())

    def run(self) -> int:
        """Measure and report. Return 0, or 2 for invalid options or a wrong answer."""
        check_outputs(vars(self.args))
        if fault := self._find_any_fault():
            print(f"toccata bench: {fault}", file=sys.stderr)
            return FAILURE
        try:
            self._fill()
        except WrongAnswer as wrong:
            print(f"toccata bench: wrong answer: {wrong}", file=sys.stderr)
            return FAILURE
        self.report()
        return 0

    def report(self) -> None:
        """Print the tables, draw the figures and write the files."""
        cpu, cores = self.record["machine"]["cpu"], self.record["machine"]["cores"]
        print(f"{cpu}, {cores} cores\n")
        for table in self.all_tables():
            print(table.render())
        for text in self.all_notes():
            print(f"* {text}")
        if self.args.markdown:
            with self.args.markdown.replaced() as file:
                Path(file).write_text(self.page(), encoding="utf-8")
        if self.figures and self.args.plots:
            for path in self.draw(self.args.plots):
                progress(str(path))
        if self.args.json:
            write(self.args.json, self.record)

    def page(self) -> str:
        """Return the tables and notes as a page of `benchmarks/results`."""
        about = self.record["machine"] | {"title": self.title, "command": self.record["command"]}
        tables = [table.render(markdown=True) for table in self.all_tables()]
        notes = "\n".join(f"* {text}" for text in self.all_notes())
        return "\n".join([PAGE.format(**about), *tables, notes, ""])

    def all_tables(self) -> list[Table]:
        """Return the tables and the summary of goals; a partial run lists measured goals only."""
        shown = [goal for goal in self.judge(self.record) if goal.found or not self._is_partial()]
        return [*self.tables(), *([summary_table(shown)] if shown else [])]

    def all_notes(self) -> list[str]:
        """Return all notes of the report."""
        return [text for text in (*self.notes, *self.extra_notes(), *self.record["notes"]) if text]

    def _is_partial(self) -> bool:
        return bool(self.sections and self.args.only)

    def _fill(self) -> None:
        if self.args.record:
            self.record = json.loads(self.args.record.read_text(encoding="utf-8"))
            return
        self.record = {"command": self._command()} | provenance() | {"notes": []}
        self.measure()
        if goals := self.judge(self.record):
            self.record["goals"] = {goal.figure: goal.record() for goal in goals}

    def _find_any_fault(self) -> str | None:
        for option in self.positive:
            value = getattr(self.args, option)
            if value is not None and not value > 0:
                return f"--{option}: expected a positive number, got {value}"
        if self.figures and self.args.plots and (fault := plots.check_available()):
            return fault
        unknown = self.find_unknown("only", self.sections) if self.sections else None
        return unknown or self.find_fault()

    def _command(self) -> str:
        """Return the command line that repeats this run."""
        parser = argparse.ArgumentParser()
        self.add_arguments(parser)
        words = ["toccata", "bench", self.name]
        for action in parser._actions:
            value = getattr(self.args, action.dest, action.default)
            if value != action.default:
                words += [action.option_strings[0], *([] if action.nargs == 0 else [str(value)])]
        return shlex.join(words)


def choose(parser: Any, option: str, what: str) -> None:
    """Declare an option that takes a list of names."""
    parser.add_argument(f"--{option}", metavar="A,B", help=f"measure only these {what}")
