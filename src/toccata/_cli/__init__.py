"""The command line: `toccata` or `python -m toccata`."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from toccata._cli import (
    assemble,
    audit,
    bench,
    check,
    check_dataset,
    check_robot,
    check_sequence,
    check_step,
    demo,
    simulate,
    view,
)
from toccata._cli.output import check_outputs
from toccata._cli.query import EXIT_CODES_HELP, FAILURE, INTERRUPTED
from toccata._cli.terminal import say
from toccata._text import visible


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 free, 1 contact, 2 usage or any failure, 3 undecided."""
    before, warnings.formatwarning = warnings.formatwarning, _format_warning
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            warnings.formatwarning = before
            if sys.stdout is not None:
                sys.stdout.flush()  # here a reader that is gone is an error that can be caught
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        _drop_output()
    except OSError as error:  # nowhere to write to, as on a full disk
        _drop_output()
        say(f"toccata: {error}", error=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILURE


def _run(argv: Sequence[str]) -> int:
    args = _parser().parse_args(_shield_negatives(argv))
    try:
        check_outputs(vars(args))
        return int(args.run(args))
    except BrokenPipeError:
        raise
    except (ValueError, OSError, ModuleNotFoundError) as error:
        say(*f"toccata {args.command}: {error}".split("\n"), error=True)
    except Exception:  # our fault: Python would end with 1, which means contact
        say(*traceback.format_exc().rstrip().split("\n"), error=True)
    return FAILURE


def _format_warning(message: Any, *_: Any, **__: Any) -> str:
    """Write a warning as commands do; Python would print names as they are."""
    return f"toccata: {visible(str(message))}\n"


class _Parser(argparse.ArgumentParser):
    """A parser, commands included, whose messages repeat arguments without obeying them."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _parser() -> argparse.ArgumentParser:
    from toccata import __version__

    parser = _Parser(
        prog="toccata",
        description="Certified first time of contact of moving triangle models.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("--version", action="version", version=f"toccata {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for module in (
        check,
        check_robot,
        check_step,
        check_sequence,
        check_dataset,
        audit,
        simulate,
        assemble,
        view,
        demo,
        bench,
    ):
        module.add_command(commands)
    return parser


def _drop_output() -> None:
    """Keep Python from writing what is left to a place that takes no more, and complaining."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _shield_negatives(argv: Sequence[str]) -> list[str]:
    """Keep argparse from taking -1e-3 for an option: a leading space makes it a value."""
    return [f" {word}" if word.startswith("-") and _is_number(word) else word for word in argv]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
