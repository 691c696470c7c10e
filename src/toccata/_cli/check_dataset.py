"""`toccata check-dataset`: millions of motions or frames from Parquet files."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from toccata._cli.answers import FREE, UNDECIDED
from toccata._cli.command import Command, Output
from toccata._cli.robots import READING, ROBOTS, WORLD, read_robots, read_world, robot_keywords
from toccata._cli.terminal import Ticker
from toccata._mesh import Mesh
from toccata._options import RigidOptions, RobotFreeOptions

if TYPE_CHECKING:
    from toccata.scale import Progress, Summary

_GIVEN = ("ask", "columns", "workers", "address", "rows_per_part", "method")


class CheckDataset(Command):
    """Check every row of Parquet files.

    Rows are motions of a robot, motions of two rigid bodies, or frames of deforming meshes. The
    verdicts are Parquet files. If a run is interrupted, the same command continues the run.

    --report, --html and --view do not apply to datasets. To see one row, use check-robot or check.
    """

    name = "check-dataset"
    summary = "millions of motions from Parquet files, restartable"
    usage = "MOTIONS ... --out FOLDER (--robot URDF | --bodies A B | --frames)"
    example = "motions.parquet --robot arm.urdf --world hall.glb --out verdicts"
    exit_codes = "0 complete, 2 error, 3 incomplete"
    arguments = (
        """
        [MOTIONS ...]  Parquet files, folders or glob patterns.
        --out FOLDER  Folder of the verdicts.
        --status FOLDER  Print the state of a folder of verdicts without computing anything.
        robot options:
        --robot [NAME=]FILE
            URDF file of the robot, or of the robot NAME if there are several robots. Links are then
            named NAME/link. Repeatable.
        """,
        ROBOTS,
        READING,
        WORLD,
        """
        --bodies A B  Mesh files of the two bodies.
        --frames  Rows are frames of deforming meshes.
        --sequence COLUMN  Column with the sequence of each frame. Default: one sequence.
        --columns COLUMN ...
            Names of columns, or ARGUMENT=COLUMN. Default: q0 q1 for robots, start_a end_a for
            bodies, vertices faces for frames.
        --ask {free,first_contact,clearance}
            Query for each row: the status alone, the first contact, or the least distance.
            Default: first_contact.
        --extra {q,points,distance}
            Additional column of the verdicts: the configuration, the points or the distance at
            contact. Repeatable.
        --method METHOD
            Method of the query, as for check-robot, check or check-step. Default: auto.
        run options:
        --executor {processes,dask,ray} = processes
            Workers: processes on this machine, or a Dask or Ray cluster.
        --address URL  Address of the Dask or Ray cluster. Default: start a local cluster.
        --workers N  Number of workers. Default: one per core.
        --rows-per-part N  Largest number of rows in a file of verdicts.
        --strict  Stop at a row that is not a valid motion.
        """,
    )
    keywords = robot_keywords(True)
    options = (
        (RigidOptions, ("separation", "tolerance", "initial", "budget")),
        (RobotFreeOptions, ("self_contact",)),
    )
    outputs = ("json",)

    def solve(self, args: argparse.Namespace) -> Output:
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

        has_robot = bool(getattr(args, "robot", None) or args.robots)
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
        """Return the given options; each kind of query has its own defaults."""
        given = {name: value for name in _GIVEN if (value := getattr(args, name)) not in (None, [])}
        if all("=" in word for word in given.get("columns", [""])):
            given["columns"] = dict(word.split("=", 1) for word in given["columns"])
        if args.extra:
            given["extras"] = args.extra
        if args.progress:
            given["progress"] = _Progress()
        return self.query(args) | given | {"executor": args.executor, "strict": args.strict}

    def _output(self, summary: Summary) -> Output:
        for note in summary.notes:
            self.warn(note)
        status = "COMPLETE" if summary.complete else "INCOMPLETE"
        code = FREE if summary.complete else UNDECIDED
        return Output(code, [str(summary)], lambda: {"status": status, **asdict(summary)})


class _Progress(Ticker):
    """Printer of the progress of a run."""

    def __call__(self, progress: Progress) -> None:
        self.show(str(progress), last=progress.done.rows == progress.rows)
