"""`toccata check-dataset`: millions of motions or frames from Parquet files."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from toccata._cli.answers import FREE, UNDECIDED
from toccata._cli.arguments import Parser, add
from toccata._cli.command import Command, Output
from toccata._cli.robots import add_robots, add_world, read_robots, read_world
from toccata._cli.terminal import Ticker
from toccata._mesh import Mesh
from toccata._options import RigidOptions, RobotFreeOptions

if TYPE_CHECKING:
    from toccata.scale import Progress, Summary

_RUNNING = ("ask", "columns", "workers", "address", "rows_per_part")


class CheckDataset(Command):
    """Rows of Parquet files."""

    name = "check-dataset"
    summary = "millions of motions from Parquet files, restartable"
    usage = "MOTIONS ... --out FOLDER (--robot URDF | --bodies A B | --frames)"
    example = "motions.parquet --robot arm.urdf --world hall.glb --out verdicts"
    description = (
        "Check every row of Parquet files: motions of a robot, of two rigid bodies, or frames of"
        " deforming meshes. The verdicts are Parquet files. A run that was interrupted continues"
        " where it stopped.\n\nA dataset has no picture: --report, --html and --view do not apply."
        " Show one of its rows with check-robot or check."
    )
    exit_codes = "0 complete, 2 error, 3 incomplete"
    options = (
        (RigidOptions, ("separation", "tolerance", "initial", "budget")),
        (RobotFreeOptions, ("self_contact",)),
    )
    outputs = ("json",)

    def add_arguments(self, parser: Parser) -> None:
        """Add the dataset, what its rows are, and how to run."""
        add(parser, "MOTIONS", "Files, folders or patterns.", nargs="*")
        add(parser, "--out FOLDER", "Folder of the verdicts.")
        text = "Print the state of a folder of verdicts, and compute nothing."
        add(parser, "--status FOLDER", text)
        add_robots(parser, by_option=True)
        add_world(parser)
        add(parser, "--bodies A B", "Two mesh files.")
        add(parser, "--frames", "Rows are frames of deforming meshes.")
        text = "Column with a different value for each sequence of frames."
        add(parser, "--sequence COLUMN", text)
        text = (
            "Names of columns, or ARGUMENT=COLUMN. Default: q0 q1 for robots, start_a end_a for"
            " bodies, vertices faces for frames."
        )
        add(parser, "--columns COLUMN ...", text)
        text = (
            "Question for each row: the status alone, the first contact, or the least distance."
            " Default: first_contact."
        )
        add(parser, "--ask {free,first_contact,clearance}", text)
        text = (
            "Additional column of the verdicts: the configuration, points or distance at contact."
        )
        add(parser, "--extra {q,points,distance}", text, repeatable=True, dest="extras")
        text = "Method of the query, as for check-robot, check or check-step. Default: auto."
        add(parser, "--method METHOD", text)
        group = parser.add_argument_group("run options")
        text = "Where the workers run: on this machine, or on a Dask or Ray cluster."
        add(group, "--executor {processes,dask,ray}", text, default="processes")
        text = "Address of the Dask or Ray cluster. Default: a local one is started."
        add(group, "--address URL", text)
        add(group, "--workers N", "Number of workers. Default: one per core.")
        add(group, "--rows-per-part N", "Rows in each file of verdicts.")
        add(group, "--strict", "Stop at a row that is not a valid motion.")

    def solve(self, args: argparse.Namespace) -> Output:
        """Return the summary of all verdicts."""
        from toccata import scale
        from toccata.scale._executors import WorkerDied
        from toccata.scale._run import TakenOver

        if args.status is not None:
            if args.motions or args.out is not None:
                raise ValueError("--status: cannot be combined with MOTIONS or --out")
            return self._output(scale.status(args.status))
        if not args.motions or args.out is None:
            raise ValueError("expected MOTIONS and --out, or --status")
        try:
            return self._output(self._check_rows(args))
        except (WorkerDied, TakenOver) as error:
            self.warn(str(error))
            return self._output(scale.status(args.out))

    def _check_rows(self, args: argparse.Namespace) -> Summary:
        from toccata import scale

        has_robot = args.robot is not None or bool(args.robots)
        if [has_robot, args.bodies is not None, args.frames].count(True) != 1:
            raise ValueError("expected one of --robot, --bodies and --frames")
        files, options = (args.motions, args.out), self._options(args)
        if has_robot:
            robot, _ = read_robots(args)
            world = read_world(args, robot)
            return scale.check_motions(*files, robot=robot, world=world, **options)
        if args.bodies is not None:
            bodies = [Mesh.load(path, solid=args.solid) for path in args.bodies]
            return scale.check_pairs(*files, bodies=bodies, **options)
        return scale.check_frames(*files, sequence=args.sequence, **options)

    def _options(self, args: argparse.Namespace) -> dict[str, Any]:
        """Return what was given; each question has defaults of its own."""
        names = (*_RUNNING, "method", "extras")
        given = {name: value for name in names if (value := getattr(args, name)) not in (None, [])}
        if all("=" in word for word in given.get("columns", [""])):
            given["columns"] = dict(word.split("=", 1) for word in given["columns"])
        if args.progress:
            given["progress"] = _Progress()
        running = {"executor": args.executor, "strict": args.strict}
        return self.query(args) | given | running

    def _output(self, summary: Summary) -> Output:
        for note in summary.notes:
            self.warn(note)
        status = "COMPLETE" if summary.complete else "INCOMPLETE"
        return Output(
            FREE if summary.complete else UNDECIDED,
            [str(summary)],
            lambda: {"status": status, **asdict(summary)},
        )


class _Progress(Ticker):
    """Prints the progress of a run."""

    def __call__(self, progress: Progress) -> None:
        self.show(str(progress), last=progress.done.rows == progress.rows)
