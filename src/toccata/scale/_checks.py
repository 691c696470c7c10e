"""Datasets of motions: millions of questions, wherever there are cores to answer them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike

from toccata._arrays import MOST_INDEX, as_indices
from toccata._mesh import as_mesh
from toccata._robot import Robot
from toccata._scene import as_world
from toccata._topology import group_pairs
from toccata.scale._executors import Kind, executor_of
from toccata.scale._files import Place
from toccata.scale._frame_steps import FrameSteps
from toccata.scale._frames import COLUMNS
from toccata.scale._question import Ask, Extra, check_choices
from toccata.scale._rigid_pairs import ARGUMENTS, BODIES, RigidPairs, check_arguments
from toccata.scale._robot_motions import RobotMotions
from toccata.scale._run import Running, as_mapping, check_dataset
from toccata.scale._summary import Report, Summary

ROWS_PER_PART = 100_000
FRAMES_PER_PART = 64


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
    executor = executor_of(own.get("executor", "processes"), own.get("workers"), own.get("address"))
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
    names = _ends(columns)
    check_choices(ask, extras, ("q", "points", "distance"))
    how = running(options, ROWS_PER_PART)
    question = RobotMotions(names, ask, tuple(extras), options, robot, as_world(world))
    return check_dataset(question, source, target, how)


def _ends(columns: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    """Return the columns of both ends, the start first."""
    ends = ("q0", "q1")
    if isinstance(columns, str) or len(columns) != len(ends):
        raise ValueError(f"columns: expected one for q0 and one for q1, got {columns!r}")
    given = columns if isinstance(columns, Mapping) else dict(zip(ends, columns, strict=True))
    names = as_mapping(given, ends)
    return {end: names[end] for end in ends}


def check_pairs(
    source: Place | Sequence[Place],
    target: Place,
    *,
    bodies: Mapping[str, Any] | Sequence[Any],
    columns: Sequence[str] | Mapping[str, str] = ("start_a", "end_a"),
    motion: Literal["linear", "screw"] = "linear",
    ask: Ask = "first_contact",
    extras: Sequence[Literal["points", "distance"]] = (),
    **options: Any,
) -> Summary:
    """Check motions of two rigid bodies: a row of the source each, as `check_motions` does.

    A pose is a list of 16 numbers, a matrix by rows, or of 7: place, then a quaternion x y z w.

    Args:
        source: as of `check_motions`.
        target: folder of the verdicts.
        bodies: two bodies a and b, or many by name: then columns `body_a` and `body_b` name two.
        columns: arguments of `toccata.first_contact_pairs` that are columns of the same name, or
            names of columns by argument: `start_a` with `end_a`, or with `linear_a` and
            `angular_a` for a twist, and the same for b, which otherwise stays.
        motion: how a body gets from start to end.
        ask: "free", "first_contact", or "clearance".
        extras: "points", "distance".
        executor, workers, address, rows_per_part, strict, progress: see `RunOptions`.
        options: those of `toccata.first_contact` or `toccata.clearance`.

    """
    names = as_mapping(columns, ARGUMENTS)
    if isinstance(bodies, Mapping):
        names = {name: name for name in BODIES} | names
        known = {str(name): as_mesh(f"bodies, {name!r}", mesh) for name, mesh in bodies.items()}
    else:
        if len(bodies) != 2 or set(BODIES) & set(names):
            raise ValueError(f"bodies: expected two, or a mapping of names, got {len(bodies)}")
        known = {
            name: as_mesh(f"bodies, {name}", mesh) for name, mesh in zip("ab", bodies, strict=True)
        }
    check_arguments(list(names))
    check_choices(ask, extras, ("points", "distance"))
    how = running(options, ROWS_PER_PART)
    question = RigidPairs(names, ask, tuple(extras), options, known, motion)
    return check_dataset(question, source, target, how)


def check_frames(
    source: Place | Sequence[Place],
    target: Place,
    *,
    columns: Sequence[str] | Mapping[str, str] = ("vertices", "faces"),
    faces: ArrayLike | None = None,
    sequence: str | None = None,
    ignored_groups: Iterable[tuple[int, int]] = (),
    extras: Sequence[Literal["points"]] = (),
    **options: Any,
) -> Summary:
    """Check the steps of deforming meshes: a row of the source is a frame.

    The target gets a row for each frame but the first of a sequence, about the step that leads to
    it: `corners` has the vertices that touch first. A part is a window of frames, and windows
    overlap by one.

    A row that has `faces` says all of the topology, with `edges`, `points` and `groups`; one that
    has none has that of the row before. Where the topology changes, `origin` says from which vertex
    of the frame before each vertex comes (-1: from none), and `start` where it was then; without
    `start` it was where its origin was. Without `origin` a step to other faces is UNDECIDED at 0,
    and the sequence goes on from there.

    Args:
        source: as of `check_motions`; files in the order of their names.
        target: folder of the verdicts.
        columns: which of vertices, faces, edges, points, groups, origin and start are columns of
            the same name, or names of columns by what they hold.
        faces: (m, 3), of all frames, if no column has them.
        sequence: a column whose value tells sequences apart; by default all frames are one.
        ignored_groups: as of `toccata.deforming_contacts`.
        extras: "points" for points and normal of the earliest contact.
        executor, workers, address, rows_per_part, strict, progress: see `RunOptions`; a part has 64
            frames by default.
        options: those of `toccata.deforming_contacts`; with `contacts="all"` their number is told.

    """
    names = as_mapping(columns, COLUMNS)
    if faces is not None and not isinstance(columns, Mapping) and tuple(columns) == _FRAME:
        names = {"vertices": "vertices"}
    if "vertices" not in names or ("faces" in names) == (faces is not None):
        raise ValueError("columns: expected vertices, and faces there or as an argument")
    if faces is not None and len(names) > 1:
        raise ValueError("faces: expected a column beside those of other topology")
    check_choices("first_contact", extras, ("points",))
    ids = None if faces is None else as_indices("faces", faces, 3, most=MOST_INDEX)
    how = running(options, FRAMES_PER_PART)
    pairs = group_pairs(ignored_groups)
    question = FrameSteps(names, "first_contact", tuple(extras), options, ids, sequence, pairs)
    return check_dataset(question, source, target, how)


_FRAME = ("vertices", "faces")
