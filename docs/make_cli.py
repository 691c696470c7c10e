"""Writes docs/cli.md from the parsers of the command line: python docs/make_cli.py [file].

Help texts are those of `toccata COMMAND --help`; a test checks that the page is current.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from toccata._cli import _parser

INTRODUCTION = """# Command line

`toccata COMMAND`, or `python -m toccata COMMAND`. This page is generated from the parsers by
`python docs/make_cli.py`; `toccata COMMAND --help` prints the same texts.

## Exit codes

| code | meaning |
|---|---|
| 0 | free; mounted (`assemble`); complete (`check-dataset`); done |
| 1 | contact, an initial overlap included; blocked (`assemble`); a body was stopped (`simulate`) |
| 2 | usage or any failure, a crash and a wrong answer of `demo` or `bench` included |
| 3 | undecided; incomplete (`check-dataset`) |
| 130 | interrupted by Ctrl-C |

For sequences of steps, contact comes before undecided and undecided before free. A step that could
not be checked because the topology changed is undecided.

An output file that cannot be written ends a command with 2 before its work begins. An old file is
replaced only when the new one is complete.

## Poses

A pose is 3 numbers (a translation), 6 (and a rotation vector in radians), 7 (and a quaternion
x y z w) or 16 (a matrix by rows).
"""

NOTES = {
    "check-robot": """\
Several robots form one: `--robot left=A.urdf --robot right=B.urdf --at 1.2 0 0`. Links are then
named `left/hand`, and configurations stand side by side. `--at` and `--srdf` belong to the
`--robot` before them. `--path left=A.csv --path right=B.csv` gives each robot its own clock, in the
column `time`. The header of a CSV file may name joints; without one, columns are in the order of
the robot.""",
    "check-sequence": """\
`--out FILE` (.parquet, .csv, .json or .npz) writes one row per contact, or one row for a step
without contact. NaN is null in .json files.

| column | content |
|---|---|
| `frame`, `path` | number (from 0) and file of the frame at which the step ends |
| `status`, `safe_until` | of the step; `NEW_TOPOLOGY` and NaN if no step leads to the frame |
| `feature` | `vertex-face`, `edge-edge`, or `edge-face`: an edge pierces a face at the start |
| `a`, `b`, `toc` | the features as in `StepContacts`, the time; -1 and NaN without contact |
| `a0`, `a1`, `b0`, `b1`, `b2` | vertices of both features; -1 where a feature has fewer |""",
    "bench": """\
`bench` is a package of its own: `pip install ./benchmarks` in a checkout. Its commands are
`rigid`, `deforming`, `robots`, `dynamics`, `adaptive`, `scale`, `view` and `papers`
([protocol](../benchmarks/README.md)).""",
}

ENVIRONMENT = """## Environment

| variable | effect |
|---|---|
| `TOCCATA_SIMD=baseline` | runs the code for processors without AVX2; answers are the same bits |
| `TOCCATA_DATA` | folder in which benchmarks look for models and frames of others |
"""


def commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Yield the name, the summary and the parser of each command."""
    (group,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    for choice in group._choices_actions:
        yield choice.dest, choice.help or "", group.choices[choice.dest]


def cell(text: str) -> str:
    """Return text that a table can hold."""
    return text.replace("|", "\\|").replace("\n", " ")


def sentence(text: str) -> str:
    """Return text with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def spelled(action: argparse.Action) -> str:
    """Return how an argument is written: its names and what follows them."""
    names = [name for name in action.option_strings if not name.startswith("--no-")]
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return "`, `".join(action.option_strings)
    values = action.metavar or action.dest.upper()
    if action.choices and not action.metavar:
        values = " / ".join(map(str, action.choices))
    shown = " ".join(values) if isinstance(values, tuple) else str(values)
    shown += {"+": " ...", "*": " ..."}.get(str(action.nargs), "")
    return f"{', '.join(names)} {shown}" if names else shown


def described(action: argparse.Action) -> str:
    """Return the help of an argument, with its default."""
    text = cell((action.help or "").replace("%(default)s", str(action.default)))
    plain = (None, False, True, argparse.SUPPRESS)
    if action.default in plain or action.default == "" or "default" in text:
        return text
    if not isinstance(action.default, int | float | str) or not action.option_strings:
        return text
    return f"{text} (default: {action.default})".strip()


def section(name: str, summary: str, parser: argparse.ArgumentParser) -> str:
    """Return what a command does and a table of its arguments."""
    lines = [f"## toccata {name}", "", sentence(parser.description or summary)]
    hidden = (argparse._HelpAction, argparse._SubParsersAction)
    rows = [
        f"| `{spelled(action)}` | {described(action)} |"
        for action in parser._actions
        if not isinstance(action, hidden) and action.help != argparse.SUPPRESS
    ]
    if name != "bench" and rows:
        lines += ["", "| argument | meaning |", "|---|---|", *rows]
    if parser.epilog and not parser.epilog.startswith("exit codes: 0 free"):
        lines += ["", sentence(parser.epilog)]
    if name in NOTES:
        lines += ["", NOTES[name]]
    return "\n".join(lines) + "\n"


def page() -> str:
    """Return the page."""
    parts = [section(*command) for command in commands(_parser())]
    return "\n".join([INTRODUCTION, *parts, ENVIRONMENT])


def main(path: str = "") -> None:
    """Write the page."""
    target = Path(path) if path else Path(__file__).with_name("cli.md")
    target.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
