"""`toccata check-step`: contacts of a deforming mesh between two frames."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._cli.answers import EXIT_CODES, answer_fields, detail, fields_of, summary_line, vector
from toccata._cli.command import Command, Output, Picture
from toccata._cli.topology import Changes, naming
from toccata._deforming import StepContacts
from toccata._frame_files import read, read_origin
from toccata._options import StepOptions
from toccata._result import Status
from toccata._sequence import Frame, sequence_contacts
from toccata._text import counted

KINDS = {"vertex-face": "vertex_face", "edge-edge": "edge_edge", "edge-face": "initial_edge_face"}
"""The field of a step for each kind of pair."""
OPTIONS = ((StepOptions, ("separation", "tolerance", "method", "contacts", "threads", "budget")),)
LOOSE = "--loose-points  Test vertices that belong to no face or edge as points."


class CheckStep(Command):
    """Find the contacts of a mesh that deforms between two frames, or certify that there are none.

    Self-contacts are included. Each vertex moves on a straight line. Time t runs from 0 to 1 over
    the step.

    The frames may have different topologies, as before and after a cut. Each vertex of FRAME1 then
    needs its origin: the index of the vertex of FRAME0 where it starts, or -1 for a new vertex,
    which stands still. Origins are the property origin of the vertices of a PLY file, or the array
    origin of an .npz file. Without them, each vertex comes from the vertex of FRAME0 at its
    position.
    """

    name = "check-step"
    summary = "contacts of a deforming mesh between two frames"
    usage = "FRAME0 FRAME1"
    example = "cloth_01.ply cloth_02.ply"
    arguments = (
        """
        FRAME0  Mesh file (.ply, .obj, .off, ...), or .npz file with vertices and faces.
        FRAME1  File of the next frame.
        --origin FILE
            Origin of each vertex of FRAME1, in place of those in its file: numbers in a text file,
            an .npy file, or the array origin of an .npz file.
        """,
        LOOSE,
    )
    options = OPTIONS
    is_long = False

    def solve(self, args: argparse.Namespace) -> Output:
        frames = [read(path, args.loose_points) for path in (args.frame0, args.frame1)]
        if args.origin is not None:
            count = len(np.asarray(frames[1].vertices))
            frames[1] = frames[1]._replace(origin=read_origin(args.origin, count))
        changes = Changes(frames)
        with naming((args.frame0, args.frame1)):
            ((_, step),) = sequence_contacts(
                tuple(frames), find_origins=True, changes=changes.add, **self.query(args)
            )
        start, end = frames
        if step is None:
            wanted = f"the topology of {args.frame0} ({_sizes(start)}), or origins"
            found = f"{_sizes(end)}: {changes.words[1]}"
            raise ValueError(f"{args.frame1}: expected {wanted}, got {found}")
        if idle := unused(end):
            self.warn(idle)
        title = f"{Path(args.frame0).name} to {Path(args.frame1).name}"
        picture = Picture(frames, {"contacts": [step]}, {"title": title})
        lines = _lines(step, end, args.contacts == "all")
        lines += [detail("topology", words) for words in changes.words.values()]
        topology = {"topology": changes.fields.get(1)}
        return Output(
            EXIT_CODES[step.status], lines, lambda: _fields(step, end) | topology, picture
        )


def _sizes(frame: Frame) -> str:
    vertices, faces = (len(np.asarray(part)) for part in (frame.vertices, frame.faces))
    return f"{counted(vertices, 'vertex', 'vertices')}, {counted(faces, 'triangle')}"


def _lines(step: StepContacts, frame: Frame, every: bool) -> list[str]:
    lines = [step_line(step)]
    if step.pair is not None and step.feature is not None:
        ids = corners(step, frame, step.feature, np.array([step.pair]))[0]
        lines += [
            detail("vertices", " ".join(str(i) for i in ids if i >= 0)),
            detail("point", vector(step.point_a)),
            detail("normal", vector(step.normal)),
            detail("tolerance", f"{step.tolerance:.3g}"),
        ]
    if every:
        counts = f"{len(step.vertex_face)} vertex-face, {len(step.edge_edge)} edge-edge"
        lines.append(detail("contacts", counts))
    return lines


def _fields(step: StepContacts, frame: Frame) -> dict[str, Any]:
    found = {**step_fields(step), **fields_of(step, "point_a", "point_b", "normal")}
    for feature, name in KINDS.items():
        pairs, times, rows = pairs_of(step, frame, feature)
        found[name] = [
            {"pair": pair, "vertices": row[row >= 0]}
            | ({} if feature == "edge-face" else {"toc": toc})
            for pair, toc, row in zip(pairs, times, rows, strict=True)
        ]
    return found


# Parts that check-sequence shares ---------------------------------------------------------------


def unused(frame: Frame) -> str | None:
    """Return a message about unused vertices; None if all vertices are used."""
    parts = (frame.faces, frame.edges, frame.points)
    used = np.unique(np.concatenate([np.ravel(np.asarray(part)) for part in parts]))
    idle = len(np.asarray(frame.vertices)) - len(used)
    if not idle:
        return None
    left = f"{counted(idle, 'vertex', 'vertices')} in no face or edge"
    return f"not tested: {left} (--loose-points tests such vertices as points)"


def step_line(step: StepContacts) -> str:
    line = summary_line(step, "step")
    if step.status is not Status.UNDECIDED and step.pair is not None:
        line += f", {step.feature} {step.pair[0]} {step.pair[1]}"
    if pierced := len(step.initial_edge_face):
        line += f"; {counted(pierced, 'edge pierces a face', 'edges pierce faces')} at t = 0"
    return line


def step_fields(step: StepContacts) -> dict[str, Any]:
    """Return the fields of a step that both commands print as JSON."""
    return {**answer_fields(step), **fields_of(step, "feature", "pair")}


def pairs_of(
    step: StepContacts, frame: Frame, feature: str
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
    """Return the pairs of one kind, (k, 2), their times of contact, and their `corners`.

    The time is 0 for an edge that pierces a face.
    """
    pairs = np.asarray(getattr(step, KINDS[feature])).reshape(-1, 2)
    times = np.zeros(len(pairs))
    if feature != "edge-face":
        times = np.asarray(getattr(step, f"{KINDS[feature]}_toc"))
    return pairs, times, corners(step, frame, feature, pairs)


def corners(
    step: StepContacts, frame: Frame, feature: str, pairs: NDArray[Any]
) -> NDArray[np.int64]:
    """Return the vertices of (k, 2) pairs of features, (k, 5), filled up with -1.

    The first two columns belong to the first feature, and the other three to the second feature.
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
