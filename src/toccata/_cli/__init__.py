"""The command line: `toccata` or `python -m toccata`."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

from toccata._cli.answers import FAILURE, INTERRUPTED
from toccata._cli.arguments import Parser
from toccata._cli.assemble import Assemble
from toccata._cli.audit import AuditLog
from toccata._cli.bench import Bench
from toccata._cli.check import Check
from toccata._cli.check_dataset import CheckDataset
from toccata._cli.check_robot import CheckRobot
from toccata._cli.check_sequence import CheckSequence
from toccata._cli.check_step import CheckStep
from toccata._cli.command import Command
from toccata._cli.demo import Demo
from toccata._cli.simulate import Simulate
from toccata._cli.terminal import say
from toccata._cli.view import ViewFiles
from toccata._text import visible

COMMANDS: dict[str, tuple[Command, ...]] = {
    "check a motion for contact": (Check(), CheckRobot(), CheckStep()),
    "check many motions": (CheckSequence(), AuditLog(), CheckDataset()),
    "find motions without contact": (Assemble(), Simulate()),
    "show and measure": (ViewFiles(), Demo(), Bench()),
}
"""All commands by purpose."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit code: 0 free, 1 contact, 2 error, 3 undecided."""
    before, warnings.formatwarning = warnings.formatwarning, _format_warning
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            warnings.formatwarning = before
            if sys.stdout is not None:
                sys.stdout.flush()  # raises BrokenPipeError if the reader has left
    except BrokenPipeError:  # the reader has left, as `head` does
        _drop_output()
    except OSError as error:  # the output cannot be written, for example on a full disk
        _drop_output()
        say(f"toccata: {error}", error=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILURE


def _run(argv: Sequence[str]) -> int:
    command = ""
    try:
        parser = make_parser()
        if not argv:
            parser.print_help(sys.stderr)
            return FAILURE
        args = parser.parse_args(argv)
        command = f" {args.command}"
        return int(args.run(args))
    except BrokenPipeError:
        raise
    except (ValueError, OSError, ModuleNotFoundError) as error:
        say(*f"toccata{command}: {error}".split("\n"), error=True)
    except Exception:  # a defect of Toccata: Python would exit with 1, which means contact
        say(*traceback.format_exc().rstrip().split("\n"), error=True)
    return FAILURE


def _format_warning(message: Any, *_: Any, **__: Any) -> str:
    """Return a warning on one line without control characters, as commands print it."""
    return f"toccata: {visible(str(message))}\n"


def make_parser() -> Parser:
    """Return the parser of all commands."""
    from toccata import __version__

    listed = "\n\n".join(
        "\n".join([f"  {purpose}:", *(f"    {one.name:<15} {one.summary}" for one in group)])
        for purpose, group in COMMANDS.items()
    )
    parser = Parser(
        prog="toccata",
        usage="toccata COMMAND ...",
        description="Find the first contact of moving triangle meshes, or certify that they do not"
        f" touch.\n\n{listed}",
        epilog="`toccata COMMAND --help` explains a command and starts with an example. Exit codes"
        " of checks: 0 free, 1 contact, 2 error, 3 undecided.",
    )
    parser.add_argument("--version", action="version", version=f"toccata {__version__}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help="One of the above.", prog="toccata"
    )
    for group in COMMANDS.values():
        for command in group:
            command.declare(commands)
    return parser


def _drop_output() -> None:
    """Discard the buffered output, because stdout accepts no more output."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
