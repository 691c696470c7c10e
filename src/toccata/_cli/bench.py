"""`toccata bench`: the benchmarks of the package toccata-bench, if it is installed."""

from __future__ import annotations

import argparse
from typing import Any

from toccata._cli.command import Command, Output

MISSING = "benchmarks need toccata-bench: pip install ./benchmarks in a checkout of toccata"


class Bench(Command):
    """The commands of the package toccata-bench, with their own parsers and output."""

    name = "bench"
    summary = "benchmarks against other libraries (package toccata-bench)"

    def declare(self, commands: Any) -> None:
        """Add the benchmarks, or a parser that accepts any arguments."""
        parser = commands.add_parser(self.name, description="Run a benchmark.")
        try:
            from toccata_bench.command import add_benchmarks
        except ImportError:  # not installed, or another version
            parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
            parser.set_defaults(run=self.run)
        else:
            add_benchmarks(parser)

    def solve(self, args: argparse.Namespace) -> Output:
        """Raise ModuleNotFoundError with the command that installs the benchmarks."""
        raise ModuleNotFoundError(MISSING)
