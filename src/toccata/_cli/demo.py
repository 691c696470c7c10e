"""`toccata demo`: a built-in scene of each kind, as a table and a report."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from toccata._cli.answers import FAILURE
from toccata._cli.command import Command, Output
from toccata._cli.terminal import say

if TYPE_CHECKING:
    from toccata.view import View


class Demo(Command):
    """Solve built-in scenes, print a table, and write a report with pictures and players.

    The scenes are two bodies, a robot among pipes, a step of a mesh that was cut, and two seconds
    of a simulation. Sampling misses the contact of the robot.
    """

    name = "demo"
    summary = "a built-in scene of each kind, as a table and a report"
    usage = ""
    example = "--report report.html"
    exit_codes = "0 all answers as expected, 2 error or unexpected answer"
    arguments = (
        """
        --report FILE(.html,.htm,) = report.html  HTML report to write.
        --all  Solve all two-body scenes, not only one of them.
        """,
    )
    outputs = ()
    is_long = False

    def solve(self, args: argparse.Namespace) -> Output:
        """Print a row for each scene as soon as it is solved, and write the report."""
        from toccata import report
        from toccata._cli import demo_scenes

        views, wrong = [], []
        say(_ROW.format("kind", "scene", "status", "time", "in contact", "ms"))
        for name in demo_scenes.names(args.all):
            view, expected = demo_scenes.solve(name)
            views.append(view)
            wrong += [] if expected else [name]
            say(_row(view))
        say("drawing ...", error=True)
        with args.report.replaced() as file:
            report.write_report(file, views, title="Toccata: one scene of each kind")
        if wrong:
            self.warn(f"unexpected answers for {', '.join(wrong)}")
        lines = [
            "",
            "Certified: no contact before the times above, and no penetration in the simulation.",
            f"Pictures and players: {args.report}",
        ]
        return Output(FAILURE if wrong else 0, lines)


_ROW = "{:<14}  {:<17}  {:<7}  {:<10}  {:<26}  {:>7}"


def _row(view: View) -> str:
    outcome = view.outcome
    assert outcome is not None
    words = " and ".join(outcome.touching) or "-"
    cells = (view.kind.lower(), view.title, outcome.status, view.clock(outcome.time), words)
    return _ROW.format(*cells, f"{outcome.milliseconds:.{3 if outcome.milliseconds < 100 else 0}f}")
