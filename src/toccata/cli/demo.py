"""`toccata demo`: the built-in scenes, a table and a report with pictures."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from toccata.cli.query import FAILURE
from toccata.mesh import Mesh
from toccata.query import first_contact


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "demo",
        help="built-in scenes: a table of contacts and an HTML report",
        description="Find the first contacts of the built-in scenes and draw them.",
    )
    parser.add_argument("--out", default="report.html", metavar="FILE", help="report to write")
    parser.add_argument("--method", choices=("auto", "hca", "c2a", "interval"), default="auto")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table, write the report; 0 if every answer is the expected one."""
    from toccata.report import write_report

    entries = []
    wrong = []
    print(f"{'scene':<18} {'triangles':>15}  {'status':<15} {'toc':>9}  {'features':<12} {'ms':>7}")
    for name in _names():
        scene, entry = _solve(name, args.method)
        entries.append(entry)
        print(_row(entry))
        if not scene.accepts(entry.contact):
            wrong.append(name)
    print("drawing ...", file=sys.stderr, flush=True)
    write_report(args.out, entries, title="Toccata: first contacts of the built-in scenes")
    print(f"\nThe bodies are proven free of contact before each time. Pictures: {args.out}")
    if wrong:
        print(f"toccata demo: unexpected answers for {', '.join(wrong)}", file=sys.stderr)
    return FAILURE if wrong else 0


def _names() -> list[str]:
    from toccata.scenes import names

    return names("demo/")


def _solve(name: str, method: Any) -> tuple[Any, Any]:
    from toccata.report import Entry
    from toccata.scenes import get

    scene = get(name)
    a, b = Mesh(*scene.a), Mesh(*scene.b)
    answers = [
        first_contact(a, b, scene.motion_a, scene.motion_b, method=method, **scene.options())
        for _ in range(3)
    ]
    milliseconds = 1e3 * min(answer.stats.seconds for answer in answers)
    entry = Entry(
        name.removeprefix("demo/"),
        scene.why,
        scene.a,
        scene.b,
        scene.motion_a,
        scene.motion_b,
        answers[0],
        milliseconds,
    )
    return scene, entry


def _row(entry: Any) -> str:
    contact = entry.contact
    triangles = f"{len(entry.a[1])} x {len(entry.b[1])}"
    toc = f"{contact.toc:.6f}" if contact else "-"
    return (
        f"{entry.name:<18} {triangles:>15}  {contact.status.name:<15} {toc:>9}  "
        f"{contact.feature or '-':<12} {entry.milliseconds:7.3f}"
    )
