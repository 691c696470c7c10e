"""`toccata demo`: one scene of each kind, a table and a report with pictures and players."""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from toccata.cli.output import OutputFile
from toccata.cli.query import FAILURE
from toccata.cli.terminal import say

if TYPE_CHECKING:
    from toccata.cli.demo_scenes import Solved
    from toccata.report import Entry


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "demo",
        help="one scene of each kind: a table of answers and an HTML report",
        description="Solve built-in scenes: two bodies, a robot among pipes on a motion that"
        " sampling misses, a step of a mesh that was cut, two seconds of a simulation. Print a"
        " table, and write a report with pictures and players.",
    )
    parser.add_argument(
        "--out", type=OutputFile, default="report.html", metavar="FILE", help="report to write"
    )
    parser.add_argument(
        "--all", action="store_true", help="all built-in scenes of two bodies, in place of one"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table, write the report; 0 if every answer is the expected one."""
    from toccata.cli import demo_scenes
    from toccata.report import write_report

    entries, wrong = [], []
    say(_line("kind", "scene", "status", "when", "what touches", "ms"))
    for name in demo_scenes.names(args.all):
        solved = demo_scenes.solve(name)
        entries.append(_with_player(solved))
        wrong += [] if solved.expected else [name]
        say(_row(solved.entry))
    say("drawing ...", error=True)
    with args.out.replaced() as file:
        write_report(file, entries, title="Toccata: one scene of each kind")
    say("", "Nothing touches before the times above; the simulation never penetrates. Both are")
    say(f"proven. Pictures and players: {args.out}")
    if wrong:
        say(f"toccata demo: unexpected answers for {', '.join(wrong)}", error=True)
    return FAILURE if wrong else 0


def _with_player(solved: Solved) -> Entry:
    """Return the entry with a page of the viewer in it; without viser its frames are drawn."""
    try:
        view, page = (import_module(f"toccata.view{name}") for name in ("", ".html"))
        shown = page.as_html(view.view_of(solved.answer, **solved.given))
    except ModuleNotFoundError:
        return solved.entry
    return replace(solved.entry, page=shown)


def _line(*cells: str) -> str:
    kind, scene, status, when, touching, milliseconds = cells
    return f"{kind:<10}  {scene:<17}  {status:<7}  {when:<10}  {touching:<26}  {milliseconds:>7}"


def _row(entry: Entry) -> str:
    from toccata.report import touching

    when = entry.told(entry.toc)
    words = (entry.kind, entry.name, entry.status, when, touching(entry))
    return _line(*words, f"{entry.milliseconds:.{3 if entry.milliseconds < 100 else 0}f}")
