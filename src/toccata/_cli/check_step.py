"""`toccata check-step`: does a deforming mesh touch itself between two frames, and when?"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from toccata._cli.deforming_options import add_options, corners, describe, query_options
from toccata._cli.frames import read, unused
from toccata._cli.query import EXIT_CODES, EXIT_CODES_HELP
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._deforming import StepContacts, deforming_contacts
from toccata._sequence import Frame


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-step",
        help="contacts of a deforming mesh between two frames",
        description="Find the contacts of a mesh, with itself too, while it deforms from one frame"
        " to the next. Vertices move straight; both files need the same topology.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("start", metavar="FRAME0", help="mesh file (ply, obj, off, ...)")
    parser.add_argument("end", metavar="FRAME1", help="mesh file with the same topology")
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer, print, and return the exit code."""
    wants_view(args)
    start, end = (read(path, args.loose_points) for path in (args.start, args.end))
    if not start.same_topology(end):
        wanted = f"the topology of {args.start} ({_sizes(start)})"
        raise ValueError(f"{args.end}: expected {wanted}, got {_sizes(end)}")
    try:
        step = deforming_contacts(
            start.vertices,
            end.vertices,
            start.faces,
            edges=start.edges,
            points=start.points,
            **query_options(args),
        )
    except ValueError as error:  # an argument there is a file here
        names = {"v0": args.start, "v1": args.end}
        raise ValueError(re.sub(r"^v[01]", lambda found: names[found[0]], str(error))) from error
    if idle := unused(start):
        say(f"toccata check-step: {idle}", error=True)
    say(*([json.dumps(as_json(step, start))] if args.json else as_text(step, start, args.all)))
    title = f"{Path(args.start).name} to {Path(args.end).name}"
    present(args, lambda: _view(step, start, end), title=title)
    return EXIT_CODES[step.status]


def _view(step: StepContacts, start: Frame, end: Frame) -> Any:
    from toccata.view import view_of

    return view_of([start, end], contacts=[step])


def _sizes(frame: Frame) -> str:
    counts = len(np.asarray(frame.vertices)), len(np.asarray(frame.faces))
    return f"{counts[0]} vertices, {counts[1]} triangles"


def as_text(step: StepContacts, frame: Frame, everything: bool) -> list[str]:
    """Return the answer as a few lines."""
    lines = [describe(step)]
    if step.pair is not None and step.feature is not None:
        ids = corners(step, frame, step.feature, np.array([step.pair]))[0]
        lines += [
            f"  vertices   {' '.join(str(i) for i in ids if i >= 0)}",
            f"  point      {_numbers(step.point_a)}",
            f"  normal     {_numbers(step.normal)}",
            f"  tolerance  {step.tolerance:.3g}",
        ]
    if everything:
        counts = len(step.vertex_face), len(step.edge_edge)
        lines.append(f"  contacts   {counts[0]} vertex-face, {counts[1]} edge-edge")
    return lines


def as_json(step: StepContacts, frame: Frame) -> dict[str, Any]:
    """Return the whole answer as plain values."""
    found: dict[str, Any] = {
        "status": step.status.name,
        "toc": float(step.toc) if np.isfinite(step.toc) else None,
        "safe_until": float(step.safe_until),
        "tolerance": float(step.tolerance),
        "feature": step.feature,
        "pair": None if step.pair is None else [int(i) for i in step.pair],
    }
    for name in ("point_a", "point_b", "normal"):
        values = getattr(step, name)
        found[name] = [float(x) for x in values] if np.isfinite(values).all() else None
    for feature, name in (("vertex-face", "vertex_face"), ("edge-edge", "edge_edge")):
        found[name] = _listed(step, frame, feature, name)
    pierced = np.asarray(step.initial_edge_face)
    ids = corners(step, frame, "edge-face", pierced)
    found["initial_edge_face"] = [
        {"pair": pair.tolist(), "vertices": row[row >= 0].tolist()}
        for pair, row in zip(pierced, ids, strict=True)
    ]
    return found


def _listed(step: StepContacts, frame: Frame, feature: str, name: str) -> list[dict[str, Any]]:
    """Return the pairs of one kind with their vertices and times."""
    pairs, times = np.asarray(getattr(step, name)), getattr(step, f"{name}_toc")
    rows = corners(step, frame, feature, pairs)
    return [
        {"pair": pair.tolist(), "vertices": row[row >= 0].tolist(), "toc": float(toc)}
        for pair, row, toc in zip(pairs, rows, times, strict=True)
    ]


def _numbers(values: Any) -> str:
    return " ".join(f"{x:.6g}" for x in values) if np.isfinite(values).all() else "-"
