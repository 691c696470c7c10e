"""First contact of two moving bodies."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_array, as_rows, as_threads, as_unchecked
from toccata._lazy import new
from toccata._mesh import Mesh, as_mesh
from toccata._motion import STILL, Motion, MotionRows, as_motion
from toccata._native import core
from toccata._options import (
    PLAIN,
    BodyClearanceOptions,
    RigidOptions,
    Which,
    body_clearance_options,
    fixed_method,
    rigid_options,
    wants_all,
)
from toccata._result import NOBODY, Batch, Clearance, Contact
from toccata._shown import set_source

INTERVAL_OPTIONS = RigidOptions.__optional_keys__ - {"initial"}
"""Those of `contact_intervals`."""
_first_contact, _clock = core.first_contact, time.perf_counter


def first_contact(
    a: Any,
    b: Any,
    motion_a: Any,
    motion_b: Any = None,
    *,
    contacts: Which = "first",
    **options: Unpack[RigidOptions],
) -> Contact:
    """Return the first contact of two moving bodies, with a proof that nothing touches before.

    Args:
        a: toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the other body.
        motion_a: toccata.Motion, or a (4, 4) pose for a body that stays.
        motion_b: the same for b; by default b stays where its coordinates are.
        method: "auto" is the fastest; the others follow the papers (docs/methods.md). For pairs
            with a curved surface "interval" is the same as "auto".
        tolerance: a contact is reported at most this much farther away than `separation`; by
            default a millionth of the smaller body's radius, or what rounding admits.
        separation: distance that counts as contact.
        initial: "ignore_separating" ignores bodies that start within separation + tolerance until
            they have left, as long as they provably move apart. "resting" lets bodies rest,
            slide and roll that start at a distance d of less than separation + tolerance: they
            are asked about d / 2, with a tolerance of d / 8.
        budget: units of work before the answer is UNDECIDED; a million by default.
        contacts: "all" adds every pair of triangles in contact at that time as `.contacts`.
        w: control of method "c2a" alone, in (0, 1]; 1 is no control.

    """
    # Written for the usual case: a query takes little longer than its wrapping.
    a = a if type(a) is Mesh else as_mesh("a", a)
    b = b if type(b) is Mesh else as_mesh("b", b)
    motion_a = motion_a if type(motion_a) is Motion else as_motion("motion_a", motion_a)
    motion_b = STILL if motion_b is None else as_motion("motion_b", motion_b)
    how = rigid_options(options) if options else PLAIN
    everything = contacts != "first" and wants_all(contacts)
    start = _clock()
    found = _first_contact(a._core, motion_a._core, b._core, motion_b._core, how)
    if everything and found.triangle_a >= 0:
        pair = a._core, motion_a._core, b._core, motion_b._core
        at_toc = core.contacts_at(*pair, how, found)
        every = tuple(Contact._of(one) for one in at_toc)
        kept = a, b, motion_a, motion_b
        return Contact._of(found, _clock() - start, every, kept=kept)
    answer = new(Contact)
    set_source(answer, ((a, b, motion_a, motion_b), found, _clock() - start))
    return answer


def first_contact_batch(
    a: Any,
    b: Any,
    start_a: ArrayLike,
    end_a: ArrayLike,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    motion: Literal["linear", "screw"] = "linear",
    threads: int | None = None,
    **options: Unpack[RigidOptions],
) -> Batch:
    """Answer `first_contact` for many motions of the same two bodies.

    Args:
        a: toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the other body.
        start_a: (n, 4, 4) poses of a at t = 0.
        end_a: (n, 4, 4) poses of a at t = 1.
        start_b: the same for b; by default b stays where its coordinates are.
        end_b: poses of b at t = 1; by default those of `start_b`.
        motion: how a body gets from start to end.
        threads: number of threads; by default one per core. The answers do not depend on it.
        method, tolerance, separation, initial, budget, w: as for `first_contact`.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    starts_a = as_unchecked("start_a", start_a, -1, 4, 4)
    ends_a = _as_many("end_a", end_a, len(starts_a))
    none = np.empty((0, 4, 4))
    if start_b is None and end_b is not None:
        raise ValueError("end_b: expected start_b too, got end_b alone")
    starts_b = none if start_b is None else _as_many("start_b", start_b, len(starts_a))
    ends_b = starts_b if end_b is None else _as_many("end_b", end_b, len(starts_a))
    how, workers = rigid_options(options), as_threads(threads)
    return Batch(
        *core.first_contact_batch(
            mesh_a, mesh_b, starts_a, ends_a, starts_b, ends_b, motion, how, workers
        )
    )


def first_contact_pairs(
    meshes: Sequence[Any],
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
    """Answer `first_contact` for many pairs of bodies, each with motions of its own.

    Args:
        meshes: the bodies.
        body_a: (n,) rows of `meshes`.
        body_b: (n,) rows of `meshes`.
        start_a: (n, 4, 4) poses of the first bodies at t = 0.
        end_a: (n, 4, 4) poses of them at t = 1; without it they stay, or move by twists.
        start_b: the same for the second bodies; by default they stay where their coordinates are.
        end_b: poses of them at t = 1.
        linear_a: (n, 3) displacements of origins, as for `Motion.twist`; zero by default.
        angular_a: (n, 3) rotation vectors, as for `Motion.twist`; zero by default.
        linear_b: the same for the second bodies.
        angular_b: the same for the second bodies.
        motion: how a body gets from start to end.
        threads: number of threads; by default one per core. The answers do not depend on it.
        method, tolerance, separation, initial, budget, w: as for `first_contact`.

    """
    bodies = [as_mesh(f"meshes, {i}", mesh) for i, mesh in enumerate(meshes)]
    count = len(as_array("body_a", body_a, "integers"))
    rows_a = as_rows("body_a", body_a, count, least=0, most=len(bodies) - 1)
    rows_b = as_rows("body_b", body_b, count, least=0, most=len(bodies) - 1)
    motion_a = MotionRows.of(start_a, end_a, linear_a, angular_a, count=count, suffix="_a")
    if start_b is None:
        for name, given in (("end_b", end_b), ("linear_b", linear_b), ("angular_b", angular_b)):
            if given is not None:
                raise ValueError(f"{name}: expected start_b too, got {name} alone")
    motion_b = MotionRows.of(start_b, end_b, linear_b, angular_b, count=count, suffix="_b")
    how, workers = rigid_options(options), as_threads(threads)
    natives = [mesh._core for mesh in bodies]
    return Batch(
        *core.first_contact_pairs(natives, rows_a, rows_b, motion_a, motion_b, motion, how, workers)
    )


def clearance(
    a: Any,
    b: Any,
    motion_a: Any,
    motion_b: Any = None,
    **options: Unpack[BodyClearanceOptions],
) -> Clearance:
    """Return how near two bodies come to each other during their motions.

    Args:
        a: toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the other body.
        motion_a: toccata.Motion, or a (4, 4) pose for a body that stays.
        motion_b: the same for b; by default b stays where its coordinates are.
        tolerance: how much the bounds may differ, by default a ten-thousandth of the smaller
            radius, or what rounding admits.
        limit: distances above it need not be told from each other.
        budget: units of work; bounds may differ by more when it runs out.

    """
    bodies = as_mesh("a", a), as_mesh("b", b)
    path_b = STILL if motion_b is None else as_motion("motion_b", motion_b)
    paths = as_motion("motion_a", motion_a), path_b
    how, start = body_clearance_options(options), time.perf_counter()
    scene = core.Scene([body._core for body in bodies], [path._core for path in paths], [])
    found, *_ = scene.clearance(how)
    answer = Clearance._of(found, time.perf_counter() - start, NOBODY)
    return answer._keeping(*bodies, *paths)


def contact_intervals(
    a: Any,
    b: Any,
    motion_a: Any,
    motion_b: Any = None,
    *,
    resolution: float = 1e-3,
    **options: Unpack[RigidOptions],
) -> Floats:
    """Return (k, 2) times between which two moving bodies may be in contact.

    Outside of them contact is excluded: the bodies are farther apart than the separation, and none
    is inside a solid of the other. Each interval begins with a contact, as `first_contact` finds
    it, and ends at most a thousandth of the resolution after one.

    Args:
        a: toccata.Mesh, toccata.Surface or trimesh.Trimesh.
        b: the other body.
        motion_a: toccata.Motion, or a (4, 4) pose for a body that stays.
        motion_b: the same for b; by default b stays where its coordinates are.
        resolution: intervals less than this apart are one; a share of the motion's time.
        tolerance, separation: as for `first_contact`.
        budget: units of work; where they run out, all of the time that is left may be in contact.

    """
    path_a = as_motion("motion_a", motion_a)._core
    path_b = (STILL if motion_b is None else as_motion("motion_b", motion_b))._core
    how = core.Options(**fixed_method(options, INTERVAL_OPTIONS, "auto"))
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    return core.contact_intervals(mesh_a, path_a, mesh_b, path_b, how, resolution)


def _as_many(name: str, values: ArrayLike, count: int) -> Floats:
    poses = as_unchecked(name, values, -1, 4, 4)
    if len(poses) != count:
        raise ValueError(f"{name}: expected {count} poses like start_a, got {len(poses)}")
    return poses


class ContactSequence:
    """Queries of the same two bodies in a row, each helped by the last one (method "interval").

    It remembers where the last query ended in the two hierarchies and which triangles touched;
    answers obey the same contract as without memory.
    """

    __slots__ = ("_a", "_b", "_memory")

    def __init__(self, a: Any, b: Any) -> None:
        """Start without memory."""
        self._a, self._b = as_mesh("a", a), as_mesh("b", b)
        self._memory = core.Coherence()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copy or pickle the two bodies: a copy starts without memory."""
        return ContactSequence, (self._a, self._b)

    def first_contact(
        self,
        motion_a: Motion | ArrayLike,
        motion_b: Motion | ArrayLike | None = None,
        **options: Unpack[RigidOptions],
    ) -> Contact:
        """Return the first contact; arguments as for `toccata.first_contact`, but no method."""
        path_a = as_motion("motion_a", motion_a)._core
        path_b = (STILL if motion_b is None else as_motion("motion_b", motion_b))._core
        how = core.Options(**fixed_method(options, RigidOptions.__optional_keys__, "interval"))
        start = time.perf_counter()
        found = core.first_contact(self._a._core, path_a, self._b._core, path_b, how, self._memory)
        return Contact._of(found, time.perf_counter() - start)
