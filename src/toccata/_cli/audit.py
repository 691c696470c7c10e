"""`toccata audit`: is a log of poses free of contact, also between its rows?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Literal

from toccata._audit import KINDS, Audit, audit
from toccata._cli.meter import Meter
from toccata._cli.query import (
    EXIT_CODES,
    EXIT_CODES_HELP,
    add_solid_option,
)
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._mesh import Mesh
from toccata._pose_log import COLUMNS, PoseLog
from toccata._result import Status


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "audit",
        help="contacts in a log of poses, between its rows too",
        description="Certify each step of a log of poses free, or tell the first contact of each"
        " pair of bodies. An .npz file has the arrays names, times, poses (k, n, 4, 4), vertices_0,"
        " faces_0 and so on; a .csv or .parquet file has a row for each body at each time with the"
        f" columns {', '.join(COLUMNS)}. Between two rows bodies move straight and turn evenly.",
        epilog=f"{EXIT_CODES_HELP}; contact before undecided before free",
    )
    parser.add_argument("log", metavar="LOG", help="file: .npz, .csv or .parquet")
    parser.add_argument(
        "--mesh",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="mesh of a body; may be given again",
    )
    add_solid_option(parser, "--solid", "the meshes of --mesh")
    parser.add_argument(
        "--ignore",
        action="append",
        nargs=2,
        default=[],
        metavar=("A", "B"),
        help="a pair that may touch; may be given again",
    )
    parser.add_argument("--tolerance", type=float, help="default: a millionth of the smaller body")
    parser.add_argument("--separation", type=float, default=0.0, help="distance that counts")
    parser.add_argument("--budget", type=int, help="work of one pair in one step before giving up")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer, print a table, and return the exit code."""
    options = {name: getattr(args, name) for name in ("tolerance", "separation", "budget")}
    meshes, _ = read_meshes(args.mesh, args.solid), wants_view(args)
    record = PoseLog.read(args.log, meshes)
    found = audit(
        record,
        ignore=[(a, b) for a, b in args.ignore],
        progress=Meter("step", pause=0.5) if args.progress else None,
        **options,
    )
    say(*([json.dumps(_as_json(found))] if args.json else _as_text(found)))
    present(args, lambda: _view(args.log, meshes, found), title=Path(args.log).name)
    return exit_code(found)


def _view(log: str, meshes: dict[str, Mesh], found: Audit) -> Any:
    from toccata.view import view_of

    return view_of(found, log=log, meshes=meshes)


def exit_code(found: Audit) -> int:
    """Return that of contact if there is any, whatever is undecided before it."""
    kinds = {KINDS[kind] for kind in found.kind}
    if kinds - {"undecided"}:
        return EXIT_CODES[Status.CONTACT]
    return EXIT_CODES[Status.UNDECIDED if kinds else Status.FREE]


def read_meshes(given: list[str], solid: bool | Literal["auto"]) -> dict[str, Mesh]:
    """Return what `--mesh NAME=FILE` gives, by name."""
    meshes = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise ValueError(f"--mesh: expected NAME=FILE, got {text!r}")
        meshes[name] = Mesh.load(path, solid=solid)
    return meshes


def _as_json(found: Audit) -> dict[str, Any]:
    columns = zip(found.body_a, found.body_b, found.kind, found.step, found.time, strict=True)
    return {
        "status": found.status.name,
        "safe_until": found.safe_until,
        "steps": found.steps,
        "contacts": [
            {
                "body_a": found.names[a],
                "body_b": found.names[b],
                "kind": KINDS[kind],
                "step": int(step),
                "time": float(time),
            }
            for a, b, kind, step, time in columns
        ],
    }


def _as_text(found: Audit) -> list[str]:
    if not len(found):
        return [f"free: {found.steps} steps, no contact until time {found.safe_until:.9g}"]
    rows = [("time", "step", "what", "bodies")]
    for a, b, kind, step, time in zip(
        found.body_a, found.body_b, found.kind, found.step, found.time, strict=True
    ):
        pair = f"{found.names[a]}, {found.names[b]}"
        rows.append((f"{time:.9g}", str(step), KINDS[kind], pair))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    ]
    counts = [
        f"{list(found.kind).count(i)} {kind}" for i, kind in enumerate(KINDS) if i in found.kind
    ]
    return [*lines, f"{found.steps} steps: {', '.join(counts)}"]
