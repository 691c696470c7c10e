"""Writes docs/cli.md from the parsers of the command line: python docs/make_cli.py [file].

Help texts are those of `toccata COMMAND --help`; a test checks that the page is current.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from toccata._cli import COMMANDS, make_parser
from toccata._cli.arguments import help_of
from toccata._cli.command import CHECK_CODES, Command

INTRODUCTION = """# Command line

Run a command as `toccata COMMAND` or `python -m toccata COMMAND`. `python docs/make_cli.py` makes
this page from the texts that `toccata COMMAND --help` prints.

## Rules for all commands

Lengths are in the units of the files. A pose has 3 numbers (a translation), 6 (a translation and a
rotation vector in radians), 7 (a translation and a quaternion x y z w) or 16 (a matrix, row by
row). Spaces or commas separate the numbers: `--to 0 0 -1`, `--to 0,0,-1`.

| exit code | meaning |
|---|---|
| 0 | free, mounted, complete, or done |
| 1 | contact or initial overlap; blocked (`assemble`); a body was stopped (`simulate`) |
| 2 | wrong usage, or any other error (a crash included) |
| 3 | undecided; incomplete (`check-dataset`) |
| 130 | interrupted by Ctrl-C |

Before its work begins, a command checks that it can write its output files. It replaces an old file
only after the new file is complete.

JSON objects have a `status` that agrees with the exit code. The objects of checks also have `toc`,
`safe_until` and `tolerance`. Times are from 0 to 1, on the clock of the log (`audit`), or in frames
from 0 (`check-sequence`). Values that are unknown or not finite are null.
"""

NOTES = {
    "check-sequence": """\
The table in `--out FILE` has one row for each contact, and one row for each step without contact.
Files in .json have null instead of NaN.

| column | content |
|---|---|
| `frame`, `path` | index (from 0) and file of the frame at which the step ends |
| `status`, `safe_until` | answer of the step; `NEW_TOPOLOGY` and NaN if it is not checked |
| `feature` | `vertex-face`, `edge-edge`, or `edge-face` (an edge pierces a face at the start) |
| `a`, `b` | indices of the features as in `StepContacts`; -1 without contact |
| `toc` | time of contact; NaN without contact |
| `a0`, `a1`, `b0`, `b1`, `b2` | vertices of both features; -1 if a feature has fewer vertices |

[Cuts](how-to/cuts.md) explains changes of topology. In JSON, `topology` of a step has the source of
the origins (`known_by`), and the numbers of vertices that are `new` or `lost`.""",
    "bench": """\
The benchmarks compare Toccata with other libraries. They are a separate package: run
`pip install ./benchmarks` in a checkout. The commands are `rigid`, `deforming`, `robots`,
`dynamics`, `adaptive`, `scale`, `view` and `papers` ([protocol](../benchmarks/README.md)).""",
}

ENVIRONMENT = """## Environment

| variable | effect |
|---|---|
| `TOCCATA_SIMD=baseline` | runs the code for processors without AVX2; answers have the same bits |
| `TOCCATA_DATA` | folder with models and frames of others, which benchmarks use if they are there |
"""

Row = tuple[str, str]
"""The spelling of an argument, and its help."""


def spelled(action: argparse.Action) -> str:
    """Return how an argument is written: its names and its values."""
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return "`, `".join(action.option_strings)
    values = action.metavar or " / ".join(map(str, action.choices or ()))
    shown = " ".join(values) if isinstance(values, tuple) else str(values)
    shown += {"+": " ...", "*": " ..."}.get(str(action.nargs), "")
    return f"{', '.join(action.option_strings)} {shown}".strip()


def name_of(row: Row) -> str:
    """Return the first name of an argument."""
    return row[0].split()[0].strip("`,")


def rows_of(parser: argparse.ArgumentParser) -> list[Row]:
    """Return the arguments of a command."""
    shown = [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]
    return [(spelled(a), help_of(a).replace("|", "\\|").replace("\n", " ")) for a in shown]


def table(rows: list[Row]) -> str:
    """Return a table of arguments."""
    lines = [f"| `{name}` | {text} |" for name, text in rows]
    return "\n".join(["| argument | meaning |", "|---|---|", *lines])


def section(command: Command, rows: list[Row], shared: set[Row]) -> str:
    """Return an example, the description and the arguments of a command."""
    parts = [f"## toccata {command.name}"]
    if command.name != "bench":
        parts += [f"    toccata {command.name} {command.example}".rstrip(), *paragraphs(command)]
        if own := [row for row in rows if row not in shared]:
            parts.append(table(own))
        names = [f"`{name_of(row)}`" for row in rows if row in shared]
        if names:
            parts.append(f"[Shared options](#shared-options): {', '.join(names)}.")
        if command.exit_codes != CHECK_CODES:
            parts.append(f"Exit codes: {command.exit_codes}.")
    if command.name in NOTES:
        parts.append(NOTES[command.name])
    return "\n\n".join(parts) + "\n"


def paragraphs(command: Command) -> list[str]:
    """Return the description without the paragraph on poses, which the page has once."""
    return [part for part in command.description.split("\n\n") if not part.startswith("A pose is")]


def page() -> str:
    """Return the page."""
    (group,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    commands = [command for several in COMMANDS.values() for command in several]
    rows = {c.name: rows_of(group.choices[c.name]) for c in commands if c.name != "bench"}
    counts = Counter(row for several in rows.values() for row in several)
    texts = Counter(name_of(row) for row in counts)
    shared = {row: n for row, n in counts.items() if n > 1 and texts[name_of(row)] == 1}
    parts = [section(command, rows.get(command.name, []), {*shared}) for command in commands]
    common = f"## Shared options\n\n{table([*shared])}\n"
    return "\n".join([INTRODUCTION, *parts, common, ENVIRONMENT])


def main(path: str = "") -> None:
    """Write the page."""
    target = Path(path) if path else Path(__file__).with_name("cli.md")
    target.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
