"""Datasets of motions: millions of questions, wherever there are cores to answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from toccata.robot import Robot
from toccata.scale.executors import Kind, executor_of
from toccata.scale.files import Place
from toccata.scale.question import Ask, Extra, check_choices
from toccata.scale.robot_motions import RobotMotions
from toccata.scale.run import Running, as_mapping, check_dataset
from toccata.scale.summary import Report, Summary
from toccata.scene import as_world

ROWS_PER_PART = 100_000


class RunOptions(TypedDict, total=False):
    """How a dataset is checked; verdicts do not depend on it."""

    executor: Kind | Any
    """ "processes" of this machine, "dask", "ray", or a `distributed.Client`."""
    workers: int | None
    """Processes or actors, one thread each; one per core by default."""
    address: str | None
    """Of a cluster for "dask" or "ray"; without it, one of this machine is started and stopped."""
    rows_per_part: int
    """Rows that one worker does at a time, and that one part file has at most."""
    strict: bool
    """Raise for a row that is no motion, rather than keep it with the status INVALID."""
    progress: Report | None
    """Called with a `Progress` whenever a part is done."""


_RUN = RunOptions.__optional_keys__


def running(given: dict[str, Any], rows_per_part: int) -> Running:
    """Take out of the options how to run; the rest belongs to the query."""
    own = {name: given.pop(name) for name in list(given) if name in _RUN}
    executor = executor_of(
        own.get("executor", "processes"), own.get("workers"), own.get("address")
    )
    rows = own.get("rows_per_part", rows_per_part)
    return Running(executor, rows, bool(own.get("strict", False)), own.get("progress"))


def check_motions(
    source: Place | Sequence[Place],
    target: Place,
    *,
    robot: Robot,
    world: Any = None,
    columns: Sequence[str] | Mapping[str, str] = ("q0", "q1"),
    ask: Ask = "first_contact",
    extras: Sequence[Extra] = (),
    **options: Any,
) -> Summary:
    """Check motions of a robot, straight in joint space: a row of the source each.

    The target gets a row for each row of the source: its other columns, then `status` (codes of
    `toccata.Status`, -1 for a row that is no motion), `toc` (inf when free), `safe_until`, and who
    touches. What is there already is not computed again, so that a run that was ended goes on.

    Args:
        source: Parquet files: a file, a folder, a pattern, an address that pyarrow opens, or a
            list of them.
        target: folder of the verdicts.
        robot: the robot.
        world: as of `Robot.first_contact`.
        columns: of both ends, with lists of numbers: two names, or {"q0": name, "q1": name}.
        ask: "free" for the status alone, "first_contact", or "clearance" for the least distance.
        extras: "q" for the configuration at that time, "points", "distance".
        executor, workers, address, rows_per_part, strict, progress: see `RunOptions`.
        options: those of `Robot.first_contact`, `motion_is_free` or `clearance`.

    """
    names = columns if isinstance(columns, Mapping) else dict(zip(("q0", "q1"), columns, strict=True))
    check_choices(ask, extras, ("q", "points", "distance"))
    how = running(options, ROWS_PER_PART)
    question = RobotMotions(
        as_mapping(names, ("q0", "q1")), ask, tuple(extras), options, robot, as_world(world)
    )
    return check_dataset(question, source, target, how)
