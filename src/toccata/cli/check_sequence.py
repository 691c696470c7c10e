"""`toccata check-sequence`: contacts of a deforming mesh over many frames."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import nullcontext
from typing import Any

from toccata.cli.deforming_options import add_options, describe, query_options
from toccata.cli.frames import FrameFiles, find, unused
from toccata.cli.meter import Meter
from toccata.cli.query import EXIT_CODES, EXIT_CODES_HELP, add_report_option
from toccata.deforming import StepContacts
from toccata.result import Status
from toccata.sequence import Frame, sequence_contacts

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
        "--out", metavar="FILE", help="table of contacts: .parquet, .csv, .npz or .json"
    )
    add_options(parser)
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_report_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer step by step, print a line for each, and return the exit code of the worst."""
    paths = find(args.frames)
    if len(paths) < 2:
        raise ValueError(f"FRAMES: expected at least two files, got {len(paths)}")
    try:
        codes = _check(args, paths)
    except ValueError as error:  # a frame is known by its number there, by its file here
        named = re.sub(r"^frame (\d+)", lambda found: paths[int(found[1])], str(error))
        raise ValueError(named) from error
    print(summary(codes))
    return exit_code(codes)


def _check(args: argparse.Namespace, paths: list[str]) -> list[int | None]:
    """Print a line for each step, and return their exit codes; None for those not checked."""
    from toccata.cli.contact_table import ContactTable, rows_of

    frames = Kept(FrameFiles(paths, args.loose_points))
    codes: list[int | None] = []
    told: list[Any] = []
    with ContactTable(args.out) if args.out else nullcontext() as table:
        meter = Meter("step") if args.progress else None
        for index, step in sequence_contacts(frames, **query_options(args), progress=meter):
            said = "new topology: starts anew from this frame" if step is None else describe(step)
            print(f"{paths[index]}: {said}", flush=True)
            if table is not None:
                table.write(rows_of(index, paths[index], step, frames.last))
            codes.append(None if step is None else EXIT_CODES[step.status])
            if args.report:
                told.append(frames.step(step))
    if args.report:
        _write_report(args.report, paths, told)
    return codes


def _write_report(path: str, frames: list[str], steps: list[Any]) -> None:
    from toccata.report import of_steps, write_report

    told = {
        "name": f"{frames[0]} to {frames[-1]}",
        "description": "Contacts of a deforming mesh over a sequence of frames.",
    }
    write_report(path, [of_steps(steps, **told)])


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
    """Frames that remember the last two that were read: a row needs faces, a picture both ends."""

    def __init__(self, files: FrameFiles) -> None:
        self._files = files
        self._told: str | None = None
        self.last: Frame
        self._before: Frame

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Any:
        for frame in self._files:
            self._before, self.last = getattr(self, "last", frame), frame
            self._tell_unused(frame)
            yield frame

    def step(self, found: StepContacts | None) -> Any:
        """Return the step that was just taken; a mesh that was not followed stays as it was."""
        from toccata.report import Step

        end = self._before if found is None else self.last
        return Step(self._before.vertices, end.vertices, self._before.faces, found)

    def _tell_unused(self, frame: Frame) -> None:
        """Tell how many vertices take no part, whenever that changes."""
        idle = unused(frame)
        if idle and idle != self._told:
            print(f"toccata check-sequence: {idle}", file=sys.stderr)
        self._told = idle
