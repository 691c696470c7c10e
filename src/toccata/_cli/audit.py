"""`toccata audit`: contacts in a log of poses, including contacts between rows."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import Any, Literal

from toccata._audit import KINDS, Audit, audit
from toccata._cli import answers
from toccata._cli.answers import CONTACT, FREE, UNDECIDED, columns, fields_of, rounded_down
from toccata._cli.arguments import solid_row
from toccata._cli.command import CHECK_CODES, Command, Output, Picture
from toccata._mesh import Mesh
from toccata._options import RigidOptions
from toccata._pose_log import COLUMNS, PoseLog
from toccata._result import Status
from toccata._text import counted

MESHES = "--mesh NAME=FILE  Mesh of the body NAME in the log. Repeatable."
"""Row of an argument that `read_meshes` reads."""


class AuditLog(Command):
    """Find the first contacts in a log of poses, or certify that there are none.

    Each pair of bodies is tested. Between two rows, the origin of each body moves on a straight
    line, and the body turns at a constant rate. Times are in the unit of the log.
    """

    name = "audit"
    summary = "contacts in a log of poses, including contacts between rows"
    usage = "LOG"
    example = "run.csv --mesh plate=plate.obj --mesh ball=ball.obj"
    exit_codes = f"{CHECK_CODES}. The code is 1 if some pairs touch and others are undecided"
    arguments = (
        f"""
        LOG
            Log file. A .csv or .parquet file has a row for each body at each time, with the columns
            {", ".join(COLUMNS)}. An .npz file has the arrays names, times, poses (k, n, 4, 4), and
            optionally vertices_0, faces_0, solid_0, vertices_1 and so on.
        """,
        MESHES,
        solid_row("solid", "meshes of --mesh"),
        "--ignore A B  Do not test the bodies A and B against each other. Repeatable.",
    )
    options = ((RigidOptions, ("separation", "tolerance", "method", "initial", "budget")),)

    def solve(self, args: argparse.Namespace) -> Output:
        meshes = read_meshes(args.mesh, args.solid)
        try:
            log = PoseLog.read(args.log, meshes)
        except ValueError as error:  # the message names an argument, but users know the option
            raise ValueError(str(error).replace("meshes: ", "--mesh: ", 1)) from error
        found = audit(
            log,
            ignore=[(a, b) for a, b in args.ignore],
            progress=self.meter(args, "step"),
            **self.query(args),
        )
        rows = _rows(found)
        kinds = {row["kind"] for row in rows}
        code = CONTACT if kinds - {"undecided"} else UNDECIDED if kinds else FREE
        context = {"log": args.log, "meshes": meshes}
        picture = Picture(found, context, {"title": Path(args.log).name})
        return Output(code, _lines(found, rows), lambda: _fields(found, rows), picture)


def read_meshes(given: list[str], solid: bool | Literal["auto"]) -> dict[str, Mesh]:
    """Return the meshes of `MESHES` by name."""
    meshes = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise ValueError(f"--mesh: expected NAME=FILE, got {text!r}")
        meshes[name] = Mesh.load(path, solid=solid)
    return meshes


def _rows(found: Audit) -> list[dict[str, Any]]:
    columns = zip(found.body_a, found.body_b, found.kind, found.step, found.time, strict=True)
    names = ("body_a", "body_b", "kind", "step", "time")
    rows = (
        (found.names[a], found.names[b], KINDS[k], int(i), float(t)) for a, b, k, i, t in columns
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def _fields(found: Audit, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON object. A contact precedes undecided pairs, as in the exit code."""
    contact = next((row for row in rows if row["kind"] != "undecided"), None)
    status, toc = found.status, found.toc if rows else inf
    if contact is not None and status is Status.UNDECIDED:
        status, toc = Status.CONTACT, contact["time"]
    return {
        "status": status,
        "toc": toc,
        **fields_of(found, "safe_until", "tolerance", "steps"),
        "contacts": rows,
    }


def _lines(found: Audit, rows: list[dict[str, Any]]) -> list[str]:
    """Return a table of contacts, and the number of contacts by kind."""
    steps = counted(found.steps, "step")
    if not rows:
        until = rounded_down(found.safe_until, answers.CLOCK_DIGITS)
        return [f"free: {steps}, no contact until time {until}"]
    table = [("time", "step", "kind", "bodies")]
    for row in rows:
        time = f"{row['time']:.{answers.CLOCK_DIGITS}g}"
        table.append((time, str(row["step"]), row["kind"], f"{row['body_a']}, {row['body_b']}"))
    kinds = [row["kind"] for row in rows]
    counts = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
    return [*columns(*table), f"{steps}: {', '.join(counts)}"]
