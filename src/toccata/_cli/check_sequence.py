"""`toccata check-sequence`: contacts of a deforming mesh over many frames."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from math import inf, nan, nextafter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._cli import check_step
from toccata._cli.answers import CONTACT, EXIT_CODES, FREE, UNDECIDED, plain
from toccata._cli.check_step import KINDS, pairs_of, step_line, unused
from toccata._cli.command import CHECK_CODES, Command, Output, Picture, wants_picture
from toccata._cli.topology import Changes, naming
from toccata._deforming import StepContacts
from toccata._frame_files import FrameFiles, find
from toccata._result import Status
from toccata._sequence import Frame, sequence_contacts
from toccata._text import counted

Steps = list[StepContacts | None]
"""The step to each frame after the first, or None if the topology changed."""


class CheckSequence(Command):
    """Find the contacts of a mesh in each step of a sequence of frames.

    Self-contacts are included. Each vertex moves on a straight line from frame to frame.

    The topology may change from frame to frame, as by a cut. Each vertex of the new frame then
    needs its origin: the index of the vertex of the previous frame where it starts, or -1 for a new
    vertex, which stands still. Origins are the property origin of the vertices of a PLY file, or
    the array origin of an .npz file. Without them, each vertex comes from the earlier vertex at its
    position. If a vertex cannot be found, the step is not checked, and the sequence starts anew.

    The start of a vertex replaces the position of its origin. It consists of the properties
    start_x, start_y and start_z, or of the array start.
    """

    name = "check-sequence"
    summary = "contacts of a deforming mesh over many frames"
    usage = "FRAMES ..."
    example = "'frames/*.ply' --contacts all --out contacts.csv"
    exit_codes = (
        f"{CHECK_CODES}. The code is 1 if any step has a contact, and otherwise 3 if any step is"
        " undecided or not checked"
    )
    arguments = (
        """
        FRAMES ...
            Mesh files in order, or patterns in quotes such as 'frames/*.ply'. Matching files are
            sorted by number. An .npz file has the arrays vertices, faces, edges, points, origin and
            start of one frame, or vertices_0, faces_0, vertices_1, origin_1 and so on. A frame
            without faces, edges and points has those of the previous frame.
        """,
        check_step.LOOSE,
        """
        --out FILE(.parquet,.csv,.npz,.json)
            Write a table with a row for each contact: .parquet, .csv, .npz or .json.
        """,
    )
    options = check_step.OPTIONS

    def solve(self, args: argparse.Namespace) -> Output:
        files = FrameFiles(find(args.frames), args.loose_points)
        if len(files) < 2:
            wanted = "at least two files, or a file with several frames"
            raise ValueError(f"FRAMES: expected {wanted}, got {len(files)}")
        frames: list[Frame] = []
        changes = Changes(frames)
        with naming(files.names):
            steps = self._steps(args, files, changes)
        paths = files.names
        title = f"{Path(paths[0]).name} to {Path(paths[-1]).name}"
        picture = Picture(frames, {"contacts": steps}, {"title": title})
        lines = [_summary(steps, changes)]
        return Output(_worst(steps), lines, lambda: _fields(paths, steps, changes), picture)

    def _steps(self, args: argparse.Namespace, files: FrameFiles, changes: Changes) -> Steps:
        """Return all steps. Print a line for each step, and write the contacts to the table.

        Frames are stored in `changes`: all frames if a picture is requested, otherwise the last
        one.
        """
        steps: Steps = []
        with ExitStack() as stack:
            write = None
            if args.out:
                write = stack.enter_context(_table(stack.enter_context(args.out.replaced())))
            meter, last = self.meter(args, "step"), len(files) - 1
            for index, step in sequence_contacts(
                self._frames(args, files, changes.frames),
                find_origins=True,
                changes=changes.add,
                **self.query(args),
            ):
                self.tell(args, f"{files.names[index]}: {_line(step, changes.words.get(index))}")
                if write is not None:
                    write(_rows(index, files.names[index], step, changes.frames[-1]))
                steps.append(step)
                if meter is not None:
                    meter(index, last)
        return steps

    def _frames(
        self, args: argparse.Namespace, files: FrameFiles, frames: list[Frame]
    ) -> Iterator[Frame]:
        """Read frame by frame; warn of unused vertices whenever their number changes."""
        before = None
        for frame in files:
            if not wants_picture(args):
                frames.clear()
            frames.append(frame)
            idle = unused(frame)
            if idle and idle != before:
                self.warn(idle)
            before = idle
            yield frame


def _line(step: StepContacts | None, change: str | None) -> str:
    if step is None:
        return f"new topology: the step to this frame is not checked: {change}"
    return step_line(step) + (f"; {change}" if change else "")


def _code(step: StepContacts | None) -> int:
    """Return the exit code of a step; a step that was not checked must not pass as free."""
    return UNDECIDED if step is None else EXIT_CODES[step.status]


def _worst(steps: Steps) -> int:
    codes = {_code(step) for step in steps}
    return next((code for code in (CONTACT, UNDECIDED) if code in codes), FREE)


def _summary(steps: Steps, changes: Changes) -> str:
    codes = [_code(step) for step in steps if step is not None]
    words = [counted(len(codes), "step"), f"{codes.count(CONTACT)} with contact"]
    if UNDECIDED in codes:
        words.append(f"{codes.count(UNDECIDED)} undecided")
    unchecked = len(steps) - len(codes)
    if checked := len(changes.words) - unchecked:
        words.append(counted(checked, "change of topology", "changes of topology"))
    if unchecked:
        words.append(f"{unchecked} not checked because of a new topology")
    return ", ".join(words)


def _fields(paths: list[str], steps: Steps, changes: Changes) -> dict[str, Any]:
    """Return the answers of the sequence and of its steps; times are in frames from 0."""
    codes = [_code(step) for step in steps]
    unsafe = next((i for i, code in enumerate(codes) if code), None)
    safe = float(len(steps)) if unsafe is None else _in_frames(unsafe, steps[unsafe])
    status, toc = Status.FREE, inf
    if CONTACT in codes:
        first = codes.index(CONTACT)
        status, toc = Status.CONTACT, _in_frames(first, steps[first])
    elif unsafe is not None:
        status, toc = Status.UNDECIDED, safe
    return {
        "status": status,
        "toc": toc,
        "safe_until": safe,
        "tolerance": max((step.tolerance for step in steps if step is not None), default=None),
        "steps": [
            {"frame": paths[i], **_step_fields(step), "topology": changes.fields.get(i)}
            for i, step in enumerate(steps, 1)
        ],
    }


def _in_frames(index: int, step: StepContacts | None) -> float:
    """Return the time until which a step is certified free, in frames and rounded down."""
    own = 0.0 if step is None else step.safe_until
    time = index + own
    return time if time - index <= own else nextafter(time, 0.0)  # Sterbenz: exact for index > 0


def _step_fields(step: StepContacts | None) -> dict[str, Any]:
    if step is None:
        return {"status": None}
    counts = {name: len(getattr(step, name)) for name in ("vertex_face", "edge_edge")}
    return {**check_step.step_fields(step), **counts}


# The table of `--out` ---------------------------------------------------------------------------

Columns = dict[str, NDArray[Any]]
_VERTICES = ("a0", "a1", "b0", "b1", "b2")
_TYPES: dict[str, type[np.generic]] = {
    "frame": np.int64,
    "path": np.str_,
    "status": np.str_,
    "safe_until": np.float64,
    "feature": np.str_,
    "a": np.int64,
    "b": np.int64,
    "toc": np.float64,
    **dict.fromkeys(_VERTICES, np.int64),
}
"""Columns of the table: a row for each contact, or one row for a step without contact.

`frame` is the index of the frame at which the step ends. `status` belongs to the step; NEW_TOPOLOGY
marks a frame without a step to it. `a` and `b` are ids of features, and `a0`..`b2` are the vertices
of these features. Values that do not exist are -1 or NaN.
"""


def _rows(frame: int, path: str, step: StepContacts | None, mesh: Frame) -> Columns:
    """Return the rows of one step."""
    parts: list[Any] = []
    if step is not None:
        for kind in KINDS:
            pairs, times, vertices = pairs_of(step, mesh, kind)
            parts.append((np.full(len(pairs), kind), *pairs.T, times, *vertices.T))
    if not any(len(part[0]) for part in parts):
        parts = [([""], [-1], [-1], [nan], *[[-1]] * len(_VERTICES))]
    own = [np.concatenate(column) for column in zip(*parts, strict=True)]
    status, safe = ("NEW_TOPOLOGY", nan) if step is None else (step.status.name, step.safe_until)
    of_step = [np.full(len(own[0]), value) for value in (frame, path, status, safe)]
    columns = zip(_TYPES.items(), (*of_step, *own), strict=True)
    return {name: column.astype(kind) for (name, kind), column in columns}


@contextmanager
def _table(path: str) -> Iterator[Callable[[Columns], None]]:
    """Yield a function that writes the rows of one step. The file is complete after the context.

    In a .parquet file, each step becomes one row group, so memory does not grow with the number of
    steps. Other formats are written at the end. A .json file has a list for each column.
    """
    kind = Path(path).suffix.lower()
    if kind == ".parquet":
        try:
            arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ModuleNotFoundError as error:
            hint = "pip install 'toccata[parquet]', or write .csv, .npz or .json"
            raise ModuleNotFoundError(f"parquet files need pyarrow: {hint}") from error
        kinds: dict[Any, Any] = {np.int64: arrow.int64(), np.float64: arrow.float64()}
        schema = arrow.schema([(n, kinds.get(t, arrow.string())) for n, t in _TYPES.items()])
        with parquet.ParquetWriter(path, schema) as file:

            def write(rows: Columns) -> None:
                texts = {n: c.tolist() for n, c in rows.items() if c.dtype.kind == "U"}
                file.write_table(arrow.table({**rows, **texts}, schema=schema))

            yield write
        return
    parts = [{name: np.empty(0, dtype=kind) for name, kind in _TYPES.items()}]
    yield parts.append
    whole: dict[str, Any] = {n: np.concatenate([part[n] for part in parts]) for n in _TYPES}
    if kind == ".npz":
        np.savez_compressed(path, **whole)
        return
    lists = {name: column.tolist() for name, column in whole.items()}
    with open(path, "w", newline="", encoding="utf-8") as file:
        if kind == ".json":
            file.write(json.dumps(plain(lists)) + "\n")
        else:
            csv.writer(file).writerows([lists, *zip(*lists.values(), strict=True)])
