"""Checks of datasets: millions of motions or frames, on all cores of a machine or a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Unpack

from numpy.typing import ArrayLike

from toccata._arrays import MOST_INDEX, as_indices
from toccata._checks import as_type
from toccata._mesh import Mesh, as_mesh
from toccata._options import takes
from toccata._robot import Robot
from toccata._scene import as_world
from toccata._topology import group_pairs
from toccata.scale._files import Location
from toccata.scale._frame_steps import FrameSteps
from toccata.scale._frames import COLUMNS
from toccata.scale._options import (
    FrameDatasetOptions,
    PairDatasetOptions,
    RobotDatasetOptions,
    split_options,
)
from toccata.scale._question import Ask, Extra, check_choices
from toccata.scale._rigid_pairs import ARGUMENTS, BODIES, RigidPairs, check_arguments
from toccata.scale._robot_motions import RobotMotions
from toccata.scale._run import as_mapping, check_dataset
from toccata.scale._summary import Summary
from toccata.typing import BodyLike, WorldLike

ROWS_PER_PART = 100_000
FRAMES_PER_PART = 64
_FRAME = ("vertices", "faces")


@takes(RobotDatasetOptions)
def check_motions(
    source: Location | Sequence[Location],
    target: Location,
    *,
    robot: Robot,
    world: WorldLike = None,
    columns: Sequence[str] | Mapping[str, str] = ("q0", "q1"),
    ask: Ask = "first_contact",
    extras: Sequence[Extra] = (),
    **options: Unpack[RobotDatasetOptions],
) -> Summary:
    """Check motions of a robot that are straight in joint space, one in each row of the source.

    The target has a row for each row of the source. It contains the source's other columns, then
    `status`, `toc`, `safe_until`, and the names of the bodies in contact as `link_a` and `link_b`.
    `status` is a code of `toccata.Status`, or -1 (`scale.INVALID`) if the row is not a valid
    motion. `toc` is inf if the motion is free. Existing verdicts are not computed again, so the
    same call continues an interrupted run.

    Args:
        source: Parquet files, given by a file, a folder, a glob pattern, an address that pyarrow
            opens, or a list of these.
        target: folder of the verdicts.
        robot: the robot.
        world: as for `Robot.first_contact`.
        columns: columns of the configurations at both ends, as lists of numbers: two names, or
            {"q0": name, "q1": name}.
        ask: "free" for the status alone, with the options of `Robot.motion_is_free`;
            "first_contact"; or "clearance" for the least distance, with the options of
            `Robot.clearance`. The tolerance of "clearance" is the largest difference between both
            bounds.
        extras: additional columns: "q" for the configuration at `toc`, or at the least distance;
            "points"; "distance".

    """
    names = _ends(columns)
    check_choices(ask, extras, ("q", "points", "distance"))
    how, rest = split_options(options, ROWS_PER_PART)
    model = as_type("robot", robot, Robot), as_world(world)
    question = RobotMotions(names, ask, tuple(extras), rest, *model)
    return check_dataset(question, source, target, how)


def _ends(columns: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    """Return the columns of both ends, the start first."""
    ends = ("q0", "q1")
    if isinstance(columns, str) or len(columns) != len(ends):
        raise ValueError(f"columns: expected a column for q0 and a column for q1, got {columns!r}")
    given = columns if isinstance(columns, Mapping) else dict(zip(ends, columns, strict=True))
    names = as_mapping(given, ends)
    return {end: names[end] for end in ends}


@takes(PairDatasetOptions)
def check_pairs(
    source: Location | Sequence[Location],
    target: Location,
    *,
    bodies: Mapping[str, BodyLike] | Sequence[BodyLike],
    columns: Sequence[str] | Mapping[str, str] = ("start_a", "end_a"),
    motion: Literal["linear", "screw"] = "linear",
    ask: Ask = "first_contact",
    extras: Sequence[Literal["points", "distance"]] = (),
    **options: Unpack[PairDatasetOptions],
) -> Summary:
    """Check motions of two rigid bodies. Each row of the source has a motion of both bodies.

    The target has the same columns as for `check_motions`, with `triangle_a`, `triangle_b` and
    `feature` instead of links. A column of poses contains lists of 16 numbers (a matrix by rows) or
    of 7 numbers (a position, then a quaternion x, y, z, w).

    Args:
        source: as for `check_motions`.
        target: folder of the verdicts.
        bodies: two bodies a and b; or bodies by name, if the columns `body_a` and `body_b` name the
            two bodies of each row.
        columns: names of columns by argument of `toccata.first_contact_pairs`; or a list of
            arguments, if the columns have the same names. The arguments are `start_a` with `end_a`,
            or with `linear_a` and `angular_a` for a twist, and the same for b. Without arguments
            for b, b is fixed.
        motion: motion from start to end: `Motion.linear` or `Motion.screw`.
        ask: "free", "first_contact", or "clearance" with the options of `toccata.clearance`, as for
            `check_motions`.
        extras: additional columns: "points", "distance".

    """
    names = as_mapping(columns, ARGUMENTS)
    known = _bodies(bodies)
    if isinstance(bodies, Mapping):
        names = {name: name for name in BODIES} | names
    elif set(BODIES) & set(names):
        raise ValueError(
            "bodies: expected a mapping from names, because body_a and body_b are columns"
        )
    check_arguments(list(names))
    check_choices(ask, extras, ("points", "distance"))
    how, rest = split_options(options, ROWS_PER_PART)
    question = RigidPairs(names, ask, tuple(extras), rest, known, motion)
    return check_dataset(question, source, target, how)


def _bodies(bodies: Mapping[str, BodyLike] | Sequence[BodyLike]) -> dict[str, Mesh]:
    """Return bodies by name. Two bodies without names are a and b."""
    if isinstance(bodies, Mapping):
        return {str(name): as_mesh(f"bodies, {name!r}", mesh) for name, mesh in bodies.items()}
    if not isinstance(bodies, Sequence):
        got = type(bodies).__name__
        raise TypeError(
            f"bodies: expected two bodies, or a mapping from names to bodies, got {got}"
        )
    if len(bodies) != 2:
        raise ValueError(
            f"bodies: expected two bodies, or a mapping from names to bodies, got {len(bodies)}"
        )
    return {name: as_mesh(f"bodies, {name}", mesh) for name, mesh in zip("ab", bodies, strict=True)}


@takes(FrameDatasetOptions)
def check_frames(
    source: Location | Sequence[Location],
    target: Location,
    *,
    columns: Sequence[str] | Mapping[str, str] = _FRAME,
    faces: ArrayLike | None = None,
    sequence: str | None = None,
    ignored_groups: Iterable[tuple[int, int]] = (),
    extras: Sequence[Literal["points"]] = (),
    **options: Unpack[FrameDatasetOptions],
) -> Summary:
    """Check the steps of deforming meshes. Each row of the source is one frame.

    The target has a row for each frame, except the first frame of a sequence. The row is about the
    step to this frame. `status`, `toc` and `safe_until` are as for `check_motions`; `corners` are
    the vertices of the earliest contact. A part is a window of frames, and windows overlap by one
    frame.

    A row with `faces` defines the whole topology, with its `edges`, `points` and `groups`. A row
    without `faces` has the topology of the previous row. If the topology changes, `origin` maps
    each vertex to a vertex of the previous frame, or to -1. `start` is the vertex's position at the
    previous frame, by default the position of its origin. Without `origin`, a step to other faces
    is UNDECIDED at time 0, and the sequence continues from the new frame.

    Args:
        source: as for `check_motions`; files are sorted by name.
        target: folder of the verdicts.
        columns: names of columns by content: vertices, faces, edges, points, groups, origin, start;
            or a list of contents, if the columns have the same names.
        faces: faces of all frames, (m, 3), if the source has no column of faces.
        sequence: column that is constant within a sequence. Default: all frames are one sequence.
        ignored_groups: as for `toccata.deforming_contacts`.
        extras: additional columns: "points" for the points and the normal of the earliest contact.

    """
    names = as_mapping(columns, COLUMNS)
    if faces is not None and not isinstance(columns, Mapping) and tuple(columns) == _FRAME:
        names = {"vertices": "vertices"}
    if "vertices" not in names or ("faces" in names) == (faces is not None):
        got = f"{', '.join(names)} and {'no faces' if faces is None else 'faces'}"
        wanted = "expected vertices, and faces either in a column or as `faces=`"
        raise ValueError(f"columns: {wanted}, got {got}")
    if faces is not None and len(names) > 1:
        topology = f"a topology in columns {', '.join(names)}"
        raise ValueError(f"faces: cannot be combined with {topology}")
    check_choices("first_contact", extras, ("points",))
    ids = None if faces is None else as_indices("faces", faces, 3, most=MOST_INDEX)
    how, rest = split_options(options, FRAMES_PER_PART)
    pairs = group_pairs(ignored_groups)
    question = FrameSteps(names, "first_contact", tuple(extras), rest, ids, sequence, pairs)
    return check_dataset(question, source, target, how)
