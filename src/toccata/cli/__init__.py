"""The command line: `toccata` or `python -m toccata`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from toccata.cli import bench, check, check_robot, check_sequence, check_step, demo

USAGE_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 free, 1 contact, 2 usage, 3 undecided."""
    from toccata import __version__

    parser = argparse.ArgumentParser(
        prog="toccata",
        description="Certified first time of contact of moving triangle models.",
        epilog="exit codes: 0 free, 1 contact, 2 usage, 3 undecided",
    )
    parser.add_argument("--version", action="version", version=f"toccata {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for module in (check, check_robot, check_step, check_sequence, demo, bench):
        module.add_command(commands)
    args = parser.parse_args(_shield_negatives(sys.argv[1:] if argv is None else argv))
    try:
        return int(args.run(args))
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"toccata {args.command}: {error}", file=sys.stderr)
        return USAGE_ERROR


def _shield_negatives(argv: Sequence[str]) -> list[str]:
    """Keep argparse from taking -1e-3 for an option: a leading space makes it a value."""
    return [f" {word}" if word.startswith("-") and _is_number(word) else word for word in argv]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
