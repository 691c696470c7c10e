"""`toccata bench`: the benchmarks of the package toccata-bench, where it is installed."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Any

MISSING = "expected the package toccata-bench: pip install ./benchmarks in a checkout of toccata"


def add_command(commands: Any) -> None:
    """Declare the benchmarks and their options."""
    parser = commands.add_parser("bench", help="benchmarks against other libraries")
    if find_spec("toccata_bench") is None:
        parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
        parser.set_defaults(run=_run)
        return
    from toccata_bench.command import add_benchmarks

    add_benchmarks(parser)


def _run(args: argparse.Namespace) -> int:
    raise ModuleNotFoundError(MISSING)
