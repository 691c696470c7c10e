"""First contact, contact intervals and clearance of two moving bodies."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_choice, as_many, as_rows, as_threads, as_unchecked, came
from toccata._lazy import new
from toccata._mesh import Mesh, as_mesh
from toccata._motion import STILL, Motion, MotionRows, as_motion
from toccata._native import core
from toccata._options import (
    PLAIN,
    BodyClearanceOptions,
    IntervalOptions,
    RigidOptions,
    SequenceOptions,
    Which,
    body_clearance_options,
    fixed_method,
    rigid_options,
    takes,
    wants_all,
)
from toccata._proximity import ClearanceBatch
from toccata._result import NOBODY, Batch, Clearance, Contact
from toccata._shown import set_source
from toccata.typing import BodyLike, MotionLike

_first_contact, _clock = core.first_contact, time.perf_counter


@takes(RigidOptions)
def first_contact(
    a: BodyLike,
    b: BodyLike,
    motion_a: MotionLike,
    motion_b: MotionLike | None = None,
    *,
    contacts: Which = "first",
    **options: Unpack[RigidOptions],
) -> Contact:
    """Return the first contact of two moving bodies, with a proof that none occurs earlier.

    Args:
        a: the first body: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the second body.
        motion_a: a toccata.Motion, or a (4, 4) pose if a does not move.
        motion_b: motion of b; by default the vertices of b are world coordinates.
        contacts: "all" lists all pairs of triangles in contact at `toc`, in `.contacts`.

    """
    # Optimized, because small queries take hardly longer than the conversions around them.
    mesh_a = a if type(a) is Mesh else as_mesh("a", a)
    mesh_b = b if type(b) is Mesh else as_mesh("b", b)
    path_a = motion_a if type(motion_a) is Motion else as_motion("motion_a", motion_a)
    path_b = STILL if motion_b is None else as_motion("motion_b", motion_b)
    how = rigid_options(options) if options else PLAIN
    everything = contacts != "first" and wants_all(contacts)
    start = _clock()
    found = _first_contact(mesh_a._core, path_a._core, mesh_b._core, path_b._core, how)
    if everything and found.triangle_a >= 0:
        pair = mesh_a._core, path_a._core, mesh_b._core, path_b._core
        at_toc = core.contacts_at(*pair, how, found)
        every = tuple(Contact._of(one) for one in at_toc)
        kept = mesh_a, mesh_b, path_a, path_b
        return Contact._of(found, _clock() - start, every, kept=kept)
    answer = new(Contact)
    set_source(answer, ((mesh_a, mesh_b, path_a, path_b), found, _clock() - start))
    return answer


@takes(RigidOptions)
def first_contact_batch(
    a: BodyLike,
    b: BodyLike,
    start_a: ArrayLike,
    end_a: ArrayLike,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    motion: Literal["linear", "screw"] = "linear",
    threads: int | None = None,
    **options: Unpack[RigidOptions],
) -> Batch:
    """Return the first contacts of two bodies for many motions, as `first_contact` reports them.

    Args:
        a: the first body: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the second body.
        start_a: poses of a at t = 0, (n, 4, 4).
        end_a: poses of a at t = 1, (n, 4, 4).
        start_b: poses of b at t = 0, (n, 4, 4); by default the vertices of b are world coordinates.
        end_b: poses of b at t = 1, (n, 4, 4); default: `start_b`.
        motion: motion from start to end: `Motion.linear` or `Motion.screw`.
        threads: number of threads; default: one per core. Answers do not depend on it.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    poses = as_ends(start_a, end_a, start_b, end_b, motion)
    how, workers = rigid_options(options), as_threads(threads)
    return Batch(*core.first_contact_batch(mesh_a, mesh_b, *poses, how, workers))


def as_ends(
    start_a: ArrayLike,
    end_a: ArrayLike,
    start_b: ArrayLike | None,
    end_b: ArrayLike | None,
    motion: str,
) -> tuple[Floats, Floats, Floats, Floats, str]:
    """Return the checked poses and the kind of motion of a batch of two bodies."""
    starts_a = as_unchecked("start_a", start_a, -1, 4, 4)

    def poses(name: str, values: ArrayLike) -> Floats:
        return as_many(name, values, len(starts_a), 4, 4, like="start_a")

    ends_a = poses("end_a", end_a)
    if start_b is None and end_b is not None:
        raise ValueError("end_b: requires start_b")
    starts_b = np.empty((0, 4, 4)) if start_b is None else poses("start_b", start_b)
    ends_b = starts_b if end_b is None else poses("end_b", end_b)
    return starts_a, ends_a, starts_b, ends_b, as_choice("motion", motion, ("linear", "screw"))


@takes(RigidOptions)
def first_contact_pairs(
    meshes: Sequence[BodyLike],
    body_a: ArrayLike,
    body_b: ArrayLike,
    start_a: ArrayLike,
    end_a: ArrayLike | None = None,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    linear_a: ArrayLike | None = None,
    angular_a: ArrayLike | None = None,
    linear_b: ArrayLike | None = None,
    angular_b: ArrayLike | None = None,
    motion: Literal["linear", "screw"] = "linear",
    threads: int | None = None,
    **options: Unpack[RigidOptions],
) -> Batch:
    """Return the first contacts of many pairs of bodies, each pair with its own motions.

    Args:
        meshes: the bodies.
        body_a: first body of each pair, an index into `meshes`, (n,).
        body_b: second body of each pair, (n,).
        start_a: poses of the first bodies at t = 0, (n, 4, 4).
        end_a: poses of the first bodies at t = 1, (n, 4, 4). Without `end_a` they do not move, or
            move by `linear_a` and `angular_a`.
        start_b: poses of the second bodies at t = 0, (n, 4, 4); by default their vertices are
            world coordinates.
        end_b: poses of the second bodies at t = 1, (n, 4, 4).
        linear_a: displacements of the origins, as in `Motion.twist`, (n, 3); default: zero.
        angular_a: rotation vectors, as in `Motion.twist`, (n, 3); default: zero.
        linear_b: displacements of the second bodies.
        angular_b: rotation vectors of the second bodies.
        motion: motion from start to end: `Motion.linear` or `Motion.screw`.
        threads: number of threads; default: one per core. Answers do not depend on it.

    """
    if isinstance(meshes, str) or not isinstance(meshes, Iterable):
        raise TypeError(f"meshes: expected a sequence of bodies, got {came(meshes)}")
    bodies = [as_mesh(f"meshes, {i}", mesh) for i, mesh in enumerate(meshes)]
    rows_a = as_rows("body_a", body_a, -1, least=0, most=len(bodies) - 1)
    count = len(rows_a)
    rows_b = as_rows("body_b", body_b, count, least=0, most=len(bodies) - 1)
    motion_a = MotionRows.of(start_a, end_a, linear_a, angular_a, count=count, suffix="_a")
    motion_b = MotionRows.none()
    if start_b is None:
        for name, given in (("end_b", end_b), ("linear_b", linear_b), ("angular_b", angular_b)):
            if given is not None:
                raise ValueError(f"{name}: requires start_b")
    else:
        motion_b = MotionRows.of(start_b, end_b, linear_b, angular_b, count=count, suffix="_b")
    path = as_choice("motion", motion, ("linear", "screw"))
    how, workers = rigid_options(options), as_threads(threads)
    natives = [mesh._core for mesh in bodies]
    return Batch(
        *core.first_contact_pairs(natives, rows_a, rows_b, motion_a, motion_b, path, how, workers)
    )


@takes(BodyClearanceOptions)
def clearance(
    a: BodyLike,
    b: BodyLike,
    motion_a: MotionLike,
    motion_b: MotionLike | None = None,
    **options: Unpack[BodyClearanceOptions],
) -> Clearance:
    """Return the least distance between two bodies during their motions, with certified bounds.

    Args:
        a: the first body: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the second body.
        motion_a: a toccata.Motion, or a (4, 4) pose if a does not move.
        motion_b: motion of b; by default the vertices of b are world coordinates.

    """
    bodies = as_mesh("a", a), as_mesh("b", b)
    path_b = STILL if motion_b is None else as_motion("motion_b", motion_b)
    paths = as_motion("motion_a", motion_a), path_b
    how, start = body_clearance_options(options), time.perf_counter()
    scene = core.Scene([body._core for body in bodies], [path._core for path in paths], [])
    found, *_ = scene.clearance(how)
    answer = Clearance._of(found, time.perf_counter() - start, NOBODY)
    return answer._keeping(*bodies, *paths)


@takes(BodyClearanceOptions)
def clearance_batch(
    a: BodyLike,
    b: BodyLike,
    start_a: ArrayLike,
    end_a: ArrayLike,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    motion: Literal["linear", "screw"] = "linear",
    threads: int | None = None,
    **options: Unpack[BodyClearanceOptions],
) -> ClearanceBatch:
    """Return the least distances between two bodies for many motions, as `clearance` finds them.

    Args:
        a: the first body: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the second body.
        start_a: poses of a at t = 0, (n, 4, 4).
        end_a: poses of a at t = 1, (n, 4, 4).
        start_b: poses of b at t = 0, (n, 4, 4); by default the vertices of b are world coordinates.
        end_b: poses of b at t = 1, (n, 4, 4); default: `start_b`.
        motion: motion from start to end: `Motion.linear` or `Motion.screw`.
        threads: number of threads; default: one per core. Answers do not depend on it.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    poses = as_ends(start_a, end_a, start_b, end_b, motion)
    how, workers = body_clearance_options(options), as_threads(threads)
    columns = core.clearance_batch(mesh_a, mesh_b, *poses, how, workers)
    return ClearanceBatch(*(*columns, ("a", "b")))


@takes(IntervalOptions)
def contact_intervals(
    a: BodyLike,
    b: BodyLike,
    motion_a: MotionLike,
    motion_b: MotionLike | None = None,
    *,
    resolution: float = 1e-3,
    **options: Unpack[IntervalOptions],
) -> Floats:
    """Return the intervals of time in which two moving bodies may be in contact, (k, 2).

    Contact is excluded at all other times: the bodies are farther apart than the separation, and
    neither is inside a solid of the other. Each interval begins with a contact, as reported by
    `first_contact`, and ends at most a thousandth of the resolution after a contact. If the budget
    runs out, the last interval covers all of the remaining time.

    Args:
        a: the first body: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the second body.
        motion_a: a toccata.Motion, or a (4, 4) pose if a does not move.
        motion_b: motion of b; by default the vertices of b are world coordinates.
        resolution: intervals are merged if the time between them is a smaller fraction of the
            motion.

    """
    path_a = as_motion("motion_a", motion_a)._core
    path_b = (STILL if motion_b is None else as_motion("motion_b", motion_b))._core
    how = core.Options(**fixed_method(options, IntervalOptions.__optional_keys__, "auto"))
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    return core.contact_intervals(mesh_a, path_a, mesh_b, path_b, how, resolution)


class ContactSequence:
    """Successive queries of the same two bodies with method "interval" and coherence.

    Each query starts from the front of the previous one in the two hierarchies, and from the
    triangles that touched. Its answer obeys the contract of `first_contact`. Threads may share a
    sequence: a query that starts during another one works without coherence.
    """

    __slots__ = ("_a", "_b", "_coherence")

    def __init__(self, a: BodyLike, b: BodyLike) -> None:
        """Start without coherence."""
        self._a, self._b = as_mesh("a", a), as_mesh("b", b)
        self._coherence = core.Coherence()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copy or pickle the two bodies; a copy starts without coherence."""
        return ContactSequence, (self._a, self._b)

    @takes(SequenceOptions)
    def first_contact(
        self,
        motion_a: MotionLike,
        motion_b: MotionLike | None = None,
        **options: Unpack[SequenceOptions],
    ) -> Contact:
        """Return the first contact of the two bodies.

        Args:
            motion_a: a toccata.Motion, or a (4, 4) pose if a does not move.
            motion_b: motion of b; by default the vertices of b are world coordinates.

        """
        path_a = as_motion("motion_a", motion_a)._core
        path_b = (STILL if motion_b is None else as_motion("motion_b", motion_b))._core
        how = core.Options(**fixed_method(options, SequenceOptions.__optional_keys__, "interval"))
        a, b, start = self._a._core, self._b._core, time.perf_counter()
        found = core.first_contact(a, path_a, b, path_b, how, self._coherence)
        return Contact._of(found, time.perf_counter() - start)
