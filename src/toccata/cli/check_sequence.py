"""`toccata check-sequence`: contacts of a deforming mesh over many frames."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from typing import Any

from toccata.cli.deforming_options import EPILOG, add_options, describe, query_options
from toccata.cli.frames import FrameFiles, find
from toccata.cli.meter import Meter
from toccata.cli.query import EXIT_CODES
from toccata.sequence import Frame, sequence_contacts


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-sequence",
        help="contacts of a deforming mesh over many frames",
        description="Find the contacts of each step of a sequence of frames. Where the topology"
        " changes, the sequence starts anew from that frame.",
        epilog=f"{EPILOG}; of the sequence: contact before undecided before free",
    )
    parser.add_argument(
        "frames", nargs="+", metavar="FRAMES", help="files, or patterns like 'frames/*.ply'"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="table of contacts: .parquet, .csv, .npz or .json"
    )
    add_options(parser)
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer step by step, print a line for each, and return the exit code of the worst."""
    from toccata.cli.contact_table import ContactTable, rows_of

    paths = find(args.frames)
    if len(paths) < 2:
        raise ValueError(f"FRAMES: expected at least two files, got {len(paths)}")
    frames = Kept(FrameFiles(paths, args.loose_points))
    codes: list[int | None] = []
    with ContactTable(args.out) if args.out else nullcontext() as table:
        meter = Meter("step") if args.progress else None
        for index, step in sequence_contacts(frames, **query_options(args), progress=meter):
            said = "new topology: starts anew from this frame" if step is None else describe(step)
            print(f"{paths[index]}: {said}", flush=True)
            if table is not None:
                table.write(rows_of(index, paths[index], step, frames.last))
            codes.append(None if step is None else EXIT_CODES[step.status])
    print(summary(codes))
    return next((code for code in (1, 3) if code in codes), 0)


def summary(codes: list[int | None]) -> str:
    """Count the steps by their exit codes; frames that no step leads to are told apart."""
    words = [f"{len(codes) - codes.count(None)} steps, {codes.count(1)} with contact"]
    words += [f"{codes.count(3)} undecided"] if 3 in codes else []
    words += [f"{codes.count(None)} not checked: new topology"] if None in codes else []
    return ", ".join(words)


class Kept:
    """Frames that remember the one that was read last: a row needs its faces."""

    def __init__(self, files: FrameFiles) -> None:
        self._files = files
        self.last: Frame

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Any:
        for frame in self._files:
            self.last = frame
            yield frame
