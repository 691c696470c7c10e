"""`toccata check`: do two moving meshes touch, and when?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from toccata._cli.query import (
    EXIT_CODES,
    EXIT_CODES_HELP,
    POSE_HELP,
    WHY_UNDECIDED,
    add_query_options,
    add_solid_option,
    as_json,
    query_options,
    read_pose,
    touching_lines,
)
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._query import first_contact
from toccata._result import Contact, Status


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check",
        help="first contact of two mesh files",
        description="Find the first contact of mesh A, moving, and mesh B.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("a", metavar="A", help="mesh file (obj, ply, stl, glb, ...)")
    parser.add_argument("b", metavar="B", help="mesh file")
    numbers: dict[str, Any] = {"nargs": "+", "type": float, "metavar": "X"}
    parser.add_argument("--from", dest="start", **numbers, help=f"pose of A at t = 0. {POSE_HELP}")
    parser.add_argument("--to", dest="end", **numbers, help="pose of A at t = 1")
    parser.add_argument("--b-from", dest="start_b", **numbers, help="pose of B at t = 0")
    parser.add_argument("--b-to", dest="end_b", **numbers, help="pose of B at t = 1")
    parser.add_argument("--motion", choices=("linear", "screw"), default="linear")
    methods = ("auto", "hca", "c2a", "interval")
    add_query_options(parser, methods, "steps of work before giving up")
    add_solid_option(parser, "--solid", "the meshes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer, print, and return the exit code."""
    wants_view(args)
    a, b = Mesh.load(args.a, solid=args.solid), Mesh.load(args.b, solid=args.solid)
    motion_a = _motion("--from", "--to", args.start, args.end, args.motion)
    motion_b = _motion("--b-from", "--b-to", args.start_b, args.end_b, args.motion)
    contact = first_contact(a, b, motion_a, motion_b, **query_options(args))
    say(*([json.dumps(as_json(contact))] if args.json else _as_text(contact)))
    present(args, lambda: _view(args, contact, (a, b), (motion_a, motion_b)))
    return EXIT_CODES[contact.status]


def _view(args: argparse.Namespace, contact: Contact, bodies: Any, motions: Any) -> Any:
    from toccata.view import view_of

    names = Path(args.a).stem, Path(args.b).stem
    names = names if len(set(names)) == 2 else ("A", "B")
    return view_of(contact, bodies=bodies, motions=motions, names=names)


def _motion(
    from_: str, to: str, start: list[float] | None, end: list[float] | None, kind: str
) -> Motion:
    first = np.eye(4) if start is None else read_pose(from_, start)
    last = first if end is None else read_pose(to, end)
    return Motion.screw(first, last) if kind == "screw" else Motion.linear(first, last)


def _as_text(contact: Contact) -> list[str]:
    if contact.status is Status.FREE:
        return ["free: no contact in [0, 1]"]
    if contact.status is Status.UNDECIDED:
        return [f"undecided: free before t = {contact.safe_until:.9g}, {WHY_UNDECIDED}"]
    status = contact.status.name.lower().replace("_", " ")
    return [f"{status} at t = {contact.toc:.9g}", *touching_lines(contact, "A", "B")]
