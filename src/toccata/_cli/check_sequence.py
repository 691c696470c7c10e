"""`toccata check-sequence`: contacts of a deforming mesh over many frames."""

from __future__ import annotations

import argparse
import json
import re
from contextlib import ExitStack
from math import isfinite
from pathlib import Path
from typing import Any

from toccata._cli.deforming_options import add_options, describe, query_options
from toccata._cli.frames import FrameFiles, find, unused
from toccata._cli.meter import Meter
from toccata._cli.output import OutputFile
from toccata._cli.query import EXIT_CODES, EXIT_CODES_HELP
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._deforming import StepContacts
from toccata._result import Status
from toccata._sequence import Frame, sequence_contacts

CONTACT, UNDECIDED = EXIT_CODES[Status.CONTACT], EXIT_CODES[Status.UNDECIDED]


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-sequence",
        help="contacts of a deforming mesh over many frames",
        description="Find the contacts of each step of a sequence of frames. Where the topology"
        " changes, the sequence starts anew from that frame.",
        epilog=f"{EXIT_CODES_HELP}; of the sequence: contact before undecided before free, and a"
        " step that was not checked, since the topology changed, is undecided",
    )
    parser.add_argument(
        "frames", nargs="+", metavar="FRAMES", help="files, or patterns like 'frames/*.ply'"
    )
    parser.add_argument(
        "--out",
        type=OutputFile,
        metavar="FILE",
        help="table of contacts: .parquet, .csv, .npz or .json",
    )
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer step by step, print a line for each, and return the exit code of the worst."""
    seen: Seen | None = [] if wants_view(args) else None
    paths = find(args.frames)
    if len(paths) < 2:
        raise ValueError(f"FRAMES: expected at least two files, got {len(paths)}")
    told: list[dict[str, Any]] = []
    try:
        codes = _check(args, paths, seen, told)
    except ValueError as error:  # a frame is known by its number there, by its file here
        named = re.sub(r"^frame (\d+)", lambda found: paths[int(found[1])], str(error))
        raise ValueError(named) from error
    say(json.dumps({"steps": told, "summary": summary(codes)}) if args.json else summary(codes))
    title = f"{Path(paths[0]).name} to {Path(paths[-1]).name}"
    present(args, lambda: _view(seen or []), title=title)
    return exit_code(codes)


Seen = list[tuple[Frame, StepContacts | None]]
"""Frames, and the steps that lead to them."""


def _view(seen: Seen) -> Any:
    from toccata.view import view_of

    return view_of([frame for frame, _ in seen], contacts=[step for _, step in seen[1:]])


def _check(
    args: argparse.Namespace, paths: list[str], seen: Seen | None, told: list[dict[str, Any]]
) -> list[int | None]:
    """Print a line for each step, and return their exit codes; None for those not checked.

    Frames and steps are kept in `seen`, if it is a list: views need them all. With `--json`, `told`
    gets an object for each step in place of the line.
    """
    from toccata._cli.contact_table import ContactTable, rows_of

    frames = Kept(FrameFiles(paths, args.loose_points), None if seen is None else [])
    codes: list[int | None] = []
    steps: list[StepContacts | None] = []
    with ExitStack() as stack:
        table = None
        if args.out:
            file = stack.enter_context(args.out.replaced())
            table = stack.enter_context(ContactTable(file))
        meter = Meter("step") if args.progress else None
        for index, step in sequence_contacts(frames, **query_options(args), progress=meter):
            if args.json:
                told.append(_as_json(paths[index], step))
            else:
                said = "new topology: starts anew from this frame"
                say(f"{paths[index]}: {said if step is None else describe(step)}")
            if table is not None:
                table.write(rows_of(index, paths[index], step, frames.last))
            codes.append(None if step is None else EXIT_CODES[step.status])
            steps.append(step)
    if seen is not None and frames.all:
        seen += zip(frames.all, [None, *steps], strict=True)
    return codes


def _as_json(path: str, step: StepContacts | None) -> dict[str, Any]:
    """Return a step as plain values; None stands for numbers that there are not."""
    if step is None:
        return {"frame": path, "status": None}
    toc = float(step.toc)
    return {
        "frame": path,
        "status": step.status.name,
        "toc": toc if isfinite(toc) else None,
        "safe_until": float(step.safe_until),
        "feature": step.feature,
        "pair": None if step.pair is None else [int(i) for i in step.pair],
        "vertex_face": len(step.vertex_face),
        "edge_edge": len(step.edge_edge),
    }


def exit_code(codes: list[int | None]) -> int:
    """Return the worst of all steps; one that was not checked must not pass as free."""
    known = {UNDECIDED if code is None else code for code in codes}
    return next((code for code in (CONTACT, UNDECIDED) if code in known), 0)


def summary(codes: list[int | None]) -> str:
    """Count the steps by their exit codes; frames that no step leads to are told apart."""
    words = [f"{len(codes) - codes.count(None)} steps, {codes.count(CONTACT)} with contact"]
    words += [f"{codes.count(UNDECIDED)} undecided"] if UNDECIDED in codes else []
    words += [f"{codes.count(None)} not checked: new topology"] if None in codes else []
    return ", ".join(words)


class Kept:
    """Frames that remember the one that was read last: a row needs its faces. Or `all` of them."""

    def __init__(self, files: FrameFiles, keep: list[Frame] | None = None) -> None:
        self._files, self.all = files, keep
        self._told: str | None = None
        self.last: Frame

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Any:
        for frame in self._files:
            self.last = frame
            if self.all is not None:
                self.all.append(frame)
            self._tell_unused(frame)
            yield frame

    def _tell_unused(self, frame: Frame) -> None:
        """Tell how many vertices take no part, whenever that changes."""
        idle = unused(frame)
        if idle and idle != self._told:
            say(f"toccata check-sequence: {idle}", error=True)
        self._told = idle
