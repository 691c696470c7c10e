"""Parts of the commands on deforming meshes: their options, and steps as words and fields."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._cli.answers import answer_fields, count, fields_of, summary_line
from toccata._cli.arguments import Parser, add
from toccata._deforming import StepContacts
from toccata._options import StepOptions
from toccata._result import Status
from toccata._sequence import Frame

OPTIONS = ((StepOptions, ("separation", "tolerance", "method", "contacts", "threads", "budget")),)


def add_loose_points(parser: Parser) -> None:
    """Add the option that makes points of vertices that nothing uses."""
    text = "Test vertices that belong to no face or edge as points."
    add(parser, "--loose-points", text)


def unused(frame: Frame) -> str | None:
    """Return a message with the number of vertices that take no part, None if all do."""
    parts = (frame.faces, frame.edges, frame.points)
    used = np.unique(np.concatenate([np.ravel(np.asarray(part)) for part in parts]))
    idle = len(np.asarray(frame.vertices)) - len(used)
    if not idle:
        return None
    left = f"{count(idle, 'vertex', 'vertices')} in no face or edge"
    return f"{left} not tested (--loose-points tests them as points)"


def step_line(step: StepContacts) -> str:
    """Return the answer about a step in one line."""
    line = summary_line(step, "step")
    if step.status is not Status.UNDECIDED and step.pair is not None:
        line += f", {step.feature} {step.pair[0]} {step.pair[1]}"
    if pierced := len(step.initial_edge_face):
        line += f"; {count(pierced, 'edge pierces a face', 'edges pierce faces')} at t = 0"
    return line


def step_fields(step: StepContacts) -> dict[str, Any]:
    """Return the fields of a step that each command prints as JSON."""
    return {**answer_fields(step), **fields_of(step, "feature", "pair")}


def corners(
    step: StepContacts, frame: Frame, feature: str, pairs: NDArray[Any]
) -> NDArray[np.int64]:
    """Return (k, 5) vertices of (k, 2) pairs of features, -1 where a feature has fewer.

    Columns are up to two vertices of the first feature, then up to three of the second.
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
