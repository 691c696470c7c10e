"""Options and texts that the commands on deforming meshes share."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._cli.query import WHY_UNDECIDED
from toccata._deforming import StepContacts
from toccata._result import Status
from toccata._sequence import Frame

METHODS = ("auto", "clusters", "bvh")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a query."""
    parser.add_argument("--separation", type=float, default=0.0, help="distance that counts")
    parser.add_argument("--tolerance", type=float, help="length; default: a millionth of the size")
    parser.add_argument("--method", choices=METHODS, default="auto")
    parser.add_argument("--all", action="store_true", help="all contacts, not the first only")
    parser.add_argument("--threads", type=int, metavar="N", help="default: one per core")
    parser.add_argument("--budget", type=int, metavar="N", help="work of a step before giving up")
    parser.add_argument(
        "--loose-points", action="store_true", help="vertices that nothing uses take part as points"
    )


def query_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a query as keywords."""
    return {
        "method": args.method,
        "separation": args.separation,
        "tolerance": args.tolerance,
        "contacts": "all" if args.all else "first",
        "threads": args.threads,
        "budget": args.budget,
    }


def describe(step: StepContacts) -> str:
    """Say in a line what a step has found."""
    if step.status is Status.FREE:
        return "free: no contact in [0, 1]"
    words = f"{step.status.name.lower().replace('_', ' ')} at t = {step.toc:.9g}"
    if step.status is Status.UNDECIDED:
        words = f"undecided: free before t = {step.safe_until:.9g}, {WHY_UNDECIDED}"
    elif step.pair is not None:
        words += f", {step.feature} {step.pair[0]} {step.pair[1]}"
    if len(step.initial_edge_face):
        words += f"; {len(step.initial_edge_face)} edges pierce faces at t = 0"
    return words


def corners(
    step: StepContacts, frame: Frame, feature: str, pairs: NDArray[Any]
) -> NDArray[np.int64]:
    """Return the vertices of each pair, first feature then second, -1 where there is none.

    Five columns: one or two of the first feature, two or three of the second.
    """
    found = np.full((len(pairs), 5), -1, dtype=np.int64)
    if not len(pairs):
        return found
    faces, edges = np.asarray(frame.faces), np.asarray(step.edges)
    if feature == "vertex-face":
        found[:, 0] = pairs[:, 0]
    else:
        found[:, :2] = edges[pairs[:, 0]]
    if feature == "edge-edge":
        found[:, 2:4] = edges[pairs[:, 1]]
    else:
        found[:, 2:] = faces[pairs[:, 1]]
    return found
