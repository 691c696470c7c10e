"""`toccata check-dataset`: millions of motions or frames from Parquet files."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from time import monotonic
from typing import TYPE_CHECKING, Any

from toccata._cli.query import FAILURE, add_query_options, add_solid_option
from toccata._cli.robots import add_robots, ignore, read_robots, warn
from toccata._cli.terminal import say
from toccata._mesh import Mesh
from toccata._robot.options import METHODS
from toccata._scene import Scene

if TYPE_CHECKING:
    from toccata.scale import Progress, Summary

COMPLETE, INCOMPLETE = 0, 3
PAUSE = 0.5  # seconds between two lines of progress


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-dataset",
        help="millions of motions from Parquet files",
        description="Check every row of Parquet files: motions of a robot (--robot), of two rigid"
        " bodies (--bodies), or frames of deforming meshes (--frames). Verdicts are Parquet files;"
        " what is there already is not computed again, so that a run that was ended goes on.",
        epilog=f"exit codes: {COMPLETE} complete, {FAILURE} usage or failure,"
        f" {INCOMPLETE} incomplete",
    )
    parser.add_argument("source", metavar="MOTIONS", nargs="*", help="files, folders or patterns")
    parser.add_argument("--out", metavar="FOLDER", help="where verdicts go")
    parser.add_argument("--status", metavar="FOLDER", help="tell what is there, compute nothing")
    add_robots(parser, by_option=True)
    parser.add_argument("--world", metavar="FILE", help="scene or mesh around the robot")
    add_solid_option(parser, "--solid-world", "bodies of the world")
    parser.add_argument("--no-self-contact", action="store_true", help="test the world only")
    parser.add_argument("--bodies", nargs=2, metavar=("A", "B"), help="mesh files of two bodies")
    parser.add_argument("--frames", action="store_true", help="rows are frames of deforming meshes")
    parser.add_argument("--sequence", metavar="COLUMN", help="of frames: tells sequences apart")
    parser.add_argument(
        "--columns",
        nargs="+",
        metavar="COLUMN",
        help="names of columns, or ARGUMENT=COLUMN; default: q0 q1 of robots, start_a end_a of"
        " bodies, vertices faces of frames",
    )
    parser.add_argument("--ask", choices=("free", "first_contact", "clearance"))
    parser.add_argument(
        "--extra", action="append", default=[], choices=("q", "points", "distance"), dest="extras"
    )
    add_query_options(parser, METHODS, "units of work of one row before giving up")
    _add_running(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    parser.set_defaults(run=run)


def _add_running(parser: Any) -> None:
    parser.add_argument("--executor", choices=("processes", "dask", "ray"), default="processes")
    parser.add_argument("--address", help="of a Dask or Ray cluster; default: one is started here")
    parser.add_argument("--workers", type=int, metavar="N", help="default: one per core")
    parser.add_argument("--rows-per-part", type=int, metavar="N", help="rows of one part file")
    parser.add_argument("--strict", action="store_true", help="a row that is no motion is an error")


def run(args: argparse.Namespace) -> int:
    """Check, print what came out, and return the exit code."""
    from toccata import scale
    from toccata.scale._executors import WorkerDied
    from toccata.scale._run import TakenOver

    if args.status is not None:
        if args.source or args.out is not None:
            raise ValueError("--status: expected no MOTIONS and no --out beside it")
        return _tell(args, scale.status(args.status))
    if not args.source or args.out is None:
        raise ValueError("expected MOTIONS and --out, or --status")
    try:
        return _tell(args, _check(args))
    except (WorkerDied, TakenOver) as error:
        warn(args.command, str(error))
        return _tell(args, scale.status(args.out))


def _check(args: argparse.Namespace) -> Summary:
    from toccata import scale

    has_robot = args.robot is not None or bool(args.robots)
    if [has_robot, args.bodies is not None, args.frames].count(True) != 1:
        raise ValueError("expected one of --robot, --bodies and --frames")
    options = _options(args)
    if has_robot:
        robot, _ = read_robots(args)
        world = None if args.world is None else Scene.load(args.world, solid=args.solid_world)
        ignore(args.ignore, robot, world)
        own: dict[str, Any] = {"self_contact": False} if args.no_self_contact else {}
        return scale.check_motions(
            args.source, args.out, robot=robot, world=world, **options, **own
        )
    if args.bodies is not None:
        bodies = [Mesh.load(path, solid=args.solid) for path in args.bodies]
        return scale.check_pairs(args.source, args.out, bodies=bodies, **options)
    return scale.check_frames(args.source, args.out, sequence=args.sequence, **options)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was given; what was not is left to the defaults of each question."""
    names = ("ask", "tolerance", "budget", "workers", "address", "rows_per_part")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    usual = {"method": "auto", "separation": 0.0, "initial": "report", "extras": []}
    given |= {n: getattr(args, n) for n, value in usual.items() if getattr(args, n) != value}
    if args.columns is not None:
        given["columns"] = _columns(args.columns)
    if args.progress:
        given["progress"] = _Teller()
    return {**given, "executor": args.executor, "strict": args.strict}


def _columns(words: list[str]) -> Any:
    if all("=" in word for word in words):
        return dict(word.split("=", 1) for word in words)
    return words


class _Teller:
    """Writes progress to stderr; on a terminal over the same line."""

    def __init__(self) -> None:
        self._told = monotonic()

    def __call__(self, progress: Progress) -> None:
        done = progress.done.rows == progress.rows
        if not done and monotonic() - self._told < PAUSE:
            return
        self._told = monotonic()
        end = "\r" if sys.stderr.isatty() and not done else "\n"
        say(f"{progress!s:<78}", end=end, error=True)


def _tell(args: argparse.Namespace, summary: Summary) -> int:
    for note in summary.notes:
        warn(args.command, note)
    if args.json:
        say(json.dumps({**asdict(summary), "complete": summary.complete}))
    else:
        say(str(summary))
    return COMPLETE if summary.complete else INCOMPLETE
