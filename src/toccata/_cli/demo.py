"""`toccata demo`: one scene of each kind, a table and a report with pictures and players."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from toccata._cli.output import OutputFile
from toccata._cli.query import FAILURE
from toccata._cli.terminal import say

if TYPE_CHECKING:
    from toccata.view import View


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
    from toccata import report
    from toccata._cli import demo_scenes

    views, wrong = [], []
    say(_line("kind", "scene", "status", "time", "in contact", "ms"))
    for name in demo_scenes.names(args.all):
        view, expected = demo_scenes.solve(name)
        views.append(view)
        wrong += [] if expected else [name]
        say(_row(view))
    say("drawing ...", error=True)
    with args.out.replaced() as file:
        report.write_report(file, views, title="Toccata: one scene of each kind")
    say("", "Nothing is in contact before the times above, and the simulation never penetrates.")
    say(f"Both are proven. Pictures and players: {args.out}")
    if wrong:
        say(f"toccata demo: unexpected answers for {', '.join(wrong)}", error=True)
    return FAILURE if wrong else 0


def _line(*cells: str) -> str:
    kind, scene, status, time, touching, milliseconds = cells
    return f"{kind:<14}  {scene:<17}  {status:<7}  {time:<10}  {touching:<26}  {milliseconds:>7}"


def _row(view: View) -> str:
    outcome = view.outcome
    assert outcome is not None
    words = " and ".join(outcome.touching) or "-"
    cells = (view.kind.lower(), view.title, outcome.status, view.clock(outcome.time), words)
    return _line(*cells, f"{outcome.milliseconds:.{3 if outcome.milliseconds < 100 else 0}f}")
