"""`toccata check-sequence`: contacts of a deforming mesh over many frames."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from math import inf, nextafter
from pathlib import Path
from typing import Any

from toccata._cli.answers import CONTACT, EXIT_CODES, FREE, UNDECIDED
from toccata._cli.arguments import Parser, add
from toccata._cli.check_step import OPTIONS, add_loose_points, step_fields, step_line, unused
from toccata._cli.command import CHECK_CODES, Command, Output, Picture, wants_picture
from toccata._cli.contact_table import ENDINGS, open_table, rows_of
from toccata._cli.output import ending_in
from toccata._deforming import StepContacts
from toccata._frame_files import FrameFiles, find
from toccata._result import Status
from toccata._sequence import Frame, sequence_contacts
from toccata._text import counted

Steps = list[StepContacts | None]
"""The steps to each frame after the first; None where the topology changed."""


class CheckSequence(Command):
    """Many frames."""

    name = "check-sequence"
    summary = "contacts of a deforming mesh over many frames"
    usage = "FRAMES ..."
    example = "'frames/*.ply' --contacts all --out contacts.csv"
    description = (
        "Find the contacts of a mesh, self-contacts included, in each step of a sequence of frames."
        " Each vertex moves on straight lines. Where the topology changes, the step to that frame"
        " is not checked, and the sequence starts anew from it."
    )
    exit_codes = (
        f"{CHECK_CODES}. Contact in any step ranks before undecided, and undecided before free; a"
        " step that is not checked counts as undecided"
    )
    options = OPTIONS

    def add_arguments(self, parser: Parser) -> None:
        """Add the frames and the table of contacts."""
        text = (
            "Mesh files in order, or patterns in quotes such as 'frames/*.ply', which are sorted by"
            " number."
        )
        add(parser, "FRAMES ...", text)
        add_loose_points(parser)
        text = "Write a table with a row for each contact: .parquet, .csv, .npz or .json."
        add(parser, "--out FILE", text, type=ending_in(*ENDINGS))

    def solve(self, args: argparse.Namespace) -> Output:
        """Return what all steps found, and print a line for each."""
        paths = find(args.frames)
        if len(paths) < 2:
            raise ValueError(f"FRAMES: expected at least two files, got {len(paths)}")
        frames: list[Frame] = []
        try:
            steps = self._steps(args, paths, frames)
        except ValueError as error:  # the query numbers the frames, users know their files
            named = re.sub(r"^frame (\d+)", lambda at: paths[int(at[1])], str(error))
            raise ValueError(named) from error
        title = f"{Path(paths[0]).name} to {Path(paths[-1]).name}"
        return Output(
            exit_code(steps),
            [_summary(steps)],
            lambda: _fields(paths, steps),
            Picture(frames, {"contacts": steps}, {"title": title}),
        )

    def _steps(self, args: argparse.Namespace, paths: list[str], frames: list[Frame]) -> Steps:
        """Return all steps; print a line for each, and write its contacts to the table.

        `frames` gets all frames if there is to be a picture, and otherwise the last one.
        """
        steps: Steps = []
        with ExitStack() as stack:
            table = None
            if args.out:
                file = stack.enter_context(args.out.replaced())
                table = stack.enter_context(closing(open_table(file)))
            meter, last = self.meter(args, "step"), len(paths) - 1
            for index, step in sequence_contacts(
                self._frames(args, paths, frames), **self.query(args)
            ):
                new = "new topology: the step to this frame is not checked"
                self.tell(args, f"{paths[index]}: {new if step is None else step_line(step)}")
                if table is not None:
                    table.write(rows_of(index, paths[index], step, frames[-1]))
                steps.append(step)
                if meter is not None:
                    meter(index, last)
        return steps

    def _frames(
        self, args: argparse.Namespace, paths: list[str], frames: list[Frame]
    ) -> Iterator[Frame]:
        """Read frame by frame; warn of vertices that take no part whenever their number changes."""
        before = None
        for frame in FrameFiles(paths, args.loose_points):
            if not wants_picture(args):
                frames.clear()
            frames.append(frame)
            idle = unused(frame)
            if idle and idle != before:
                self.warn(idle)
            before = idle
            yield frame


def _code(step: StepContacts | None) -> int:
    """Return the exit code of a step; one that was not checked must not pass as free."""
    return UNDECIDED if step is None else EXIT_CODES[step.status]


def exit_code(steps: Steps) -> int:
    """Return the exit code of all steps."""
    codes = {_code(step) for step in steps}
    return next((code for code in (CONTACT, UNDECIDED) if code in codes), FREE)


def _summary(steps: Steps) -> str:
    codes = [_code(step) for step in steps if step is not None]
    words = [counted(len(codes), "step"), f"{codes.count(CONTACT)} with contact"]
    if UNDECIDED in codes:
        words.append(f"{codes.count(UNDECIDED)} undecided")
    if unchecked := len(steps) - len(codes):
        words.append(f"{unchecked} not checked because of a new topology")
    return ", ".join(words)


def _fields(paths: list[str], steps: Steps) -> dict[str, Any]:
    """Return the answer of the sequence, in frames from 0, and those of its steps."""
    status = {CONTACT: Status.CONTACT, UNDECIDED: Status.UNDECIDED}.get(exit_code(steps))
    status = Status.FREE if status is None else status
    first = next((i for i, step in enumerate(steps) if _code(step) == CONTACT), None)
    unsafe = next((i for i, step in enumerate(steps) if _code(step)), len(steps))
    safe = _in_frames(unsafe, steps[unsafe]) if unsafe < len(steps) else float(unsafe)
    toc = inf if status is Status.FREE else safe
    if first is not None:
        toc = _in_frames(first, steps[first])
    return {
        "status": status,
        "toc": toc,
        "safe_until": safe,
        "tolerance": max((step.tolerance for step in steps if step is not None), default=None),
        "steps": [
            {"frame": path, **_step_fields(step)}
            for path, step in zip(paths[1:], steps, strict=True)
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
    return {**step_fields(step), **counts}
