"""`toccata audit`: contacts in a log of poses, between its rows too."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import Any, Literal

from toccata._audit import KINDS, Audit, audit
from toccata._cli.answers import CONTACT, FREE, UNDECIDED, columns, rounded_down
from toccata._cli.arguments import Parser, add, add_solid
from toccata._cli.command import CHECK_CODES, Command, Output, Picture
from toccata._mesh import Mesh
from toccata._options import RigidOptions
from toccata._pose_log import COLUMNS, PoseLog
from toccata._result import Status
from toccata._text import counted

DIGITS = 9
"""Digits of times by the clock of a log, which may be far from zero."""


class AuditLog(Command):
    """A log of poses."""

    name = "audit"
    summary = "contacts in a log of poses, between its rows too"
    usage = "LOG"
    example = "run.csv --mesh plate=plate.obj --mesh ball=ball.obj"
    description = (
        "Certify a log of poses free of contact, or find the first contact of each pair of bodies."
        " Between two rows, each body moves on a straight line and turns at a constant rate. A .csv"
        " or .parquet file has a row for each body at each time, with the columns"
        f" {', '.join(COLUMNS)}. An .npz file has the arrays names, times, poses (k, n, 4, 4), and"
        " optionally vertices_0, faces_0, vertices_1 and so on. Times are those of the log."
    )
    exit_codes = f"{CHECK_CODES}; contact ranks before undecided"
    options = ((RigidOptions, ("separation", "tolerance", "method", "initial", "budget")),)

    def add_arguments(self, parser: Parser) -> None:
        """Add the log and its bodies."""
        add(parser, "LOG", "File: .npz, .csv or .parquet.")
        add_meshes(parser)
        add_solid(parser, "--solid", "meshes of --mesh")
        add(parser, "--ignore A B", "Do not test the bodies A and B.", repeatable=True)

    def solve(self, args: argparse.Namespace) -> Output:
        """Return the contacts of the log."""
        meshes = read_meshes(args.mesh, args.solid)
        try:
            log = PoseLog.read(args.log, meshes)
        except ValueError as error:  # the reader names its argument, users know the option
            raise ValueError(str(error).replace("meshes: ", "--mesh: ", 1)) from error
        found = audit(
            log,
            ignore=[(a, b) for a, b in args.ignore],
            progress=self.meter(args, "step"),
            **self.query(args),
        )
        kinds = {KINDS[kind] for kind in found.kind}
        code = CONTACT if kinds - {"undecided"} else UNDECIDED if kinds else FREE
        context = {"log": args.log, "meshes": meshes}
        picture = Picture(found, context, {"title": Path(args.log).name})
        return Output(code, _lines(found), lambda: _fields(found), picture)


def add_meshes(parser: Parser) -> None:
    """Add the option that names the meshes of a log."""
    add(parser, "--mesh NAME=FILE", "Mesh of the body NAME of a log.", repeatable=True)


def read_meshes(given: list[str], solid: bool | Literal["auto"]) -> dict[str, Mesh]:
    """Return the meshes of `add_meshes` by name."""
    meshes = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise ValueError(f"--mesh: expected NAME=FILE, got {text!r}")
        meshes[name] = Mesh.load(path, solid=solid)
    return meshes


def _rows(found: Audit) -> list[dict[str, Any]]:
    columns = zip(found.body_a, found.body_b, found.kind, found.step, found.time, strict=True)
    return [
        {
            "body_a": found.names[a],
            "body_b": found.names[b],
            "kind": KINDS[kind],
            "step": int(step),
            "time": float(time),
        }
        for a, b, kind, step, time in columns
    ]


def _fields(found: Audit) -> dict[str, Any]:
    """Return the answer; contact ranks before undecided, as in the exit code."""
    rows = _rows(found)
    contact = next((row for row in rows if row["kind"] != "undecided"), None)
    status, toc = found.status, found.toc
    if contact is not None and status is Status.UNDECIDED:
        status, toc = Status.CONTACT, contact["time"]
    return {
        "status": status,
        "toc": toc if rows else inf,
        "safe_until": found.safe_until,
        "tolerance": found.tolerance,
        "steps": found.steps,
        "contacts": rows,
    }


def _lines(found: Audit) -> list[str]:
    """Return a table of contacts, and their number by kind."""
    steps = counted(found.steps, "step")
    if not len(found):
        return [f"free: {steps}, no contact until time {rounded_down(found.safe_until, DIGITS)}"]
    rows = [("time", "step", "kind", "bodies")]
    for row in _rows(found):
        time = f"{row['time']:.{DIGITS}g}"
        rows.append((time, str(row["step"]), row["kind"], f"{row['body_a']}, {row['body_b']}"))
    kinds = list(found.kind)
    counts = [f"{kinds.count(i)} {kind}" for i, kind in enumerate(KINDS) if i in kinds]
    return [*columns(*rows), f"{steps}: {', '.join(counts)}"]
