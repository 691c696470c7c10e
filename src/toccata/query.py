"""First contact of two moving bodies."""

from __future__ import annotations

import time
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_budget, as_number, as_shape, as_threads
from toccata._native import core
from toccata.mesh import as_mesh
from toccata.motion import Motion, as_motion
from toccata.options import Which, wants_all
from toccata.result import Batch, Contact

Method = Literal["auto", "hca", "c2a", "interval"]
Initial = Literal["report", "ignore_separating"]


def as_choice(name: str, value: str, kind: Any) -> Any:
    """Return the member of an enumeration of the core."""
    try:
        return kind[value]
    except (KeyError, TypeError) as error:  # no such name, or nothing that could be one
        choices = ", ".join(member.name for member in kind)
        raise ValueError(f"{name}: expected one of {choices}, got {value!r}") from error


def make_options(
    method: str,
    tolerance: float | None,
    separation: float,
    initial: str,
    budget: int | None,
    w: float | None,
) -> core.Options:
    """Check the options that all queries share."""
    options = core.Options()
    options.timed = True
    options.method = as_choice("method", method, core.Method)
    options.initial = as_choice("initial", initial, core.Initial)
    options.separation = as_number("separation", separation, least=0)
    if tolerance is not None:
        options.tolerance = as_number("tolerance", tolerance, least=0, open_end=True)
    if budget is not None:
        options.budget = as_budget(budget)
    if w is not None:
        options.w = as_number("w", w, least=0, open_end=True)
    return options


def first_contact(
    a: Any,
    b: Any,
    motion_a: Any,
    motion_b: Any = None,
    *,
    method: Method = "auto",
    tolerance: float | None = None,
    separation: float = 0.0,
    initial: Initial = "report",
    budget: int | None = None,
    contacts: Which = "first",
    w: float | None = None,
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
            default a millionth of the larger body's radius.
        separation: distance that counts as contact.
        initial: "ignore_separating" overlooks what starts in contact as long as it moves apart.
        budget: steps of work allowed before the answer is UNDECIDED; a million by default.
        contacts: "all" adds every pair of triangles in contact at that time as `.contacts`.
        w: control of method "c2a", in (0, 1]; 1 is no control.

    """
    mesh_a, mesh_b = as_mesh("a", a)._core, as_mesh("b", b)._core
    path_a = as_motion("motion_a", motion_a)._core
    path_b = as_motion("motion_b", np.eye(4) if motion_b is None else motion_b)._core
    options = make_options(method, tolerance, separation, initial, budget, w)
    everything = wants_all(contacts)
    start = time.perf_counter()
    found = core.first_contact(mesh_a, path_a, mesh_b, path_b, options)
    every: tuple[Contact, ...] = ()
    if everything and found.triangle_a >= 0:
        options.tolerance = found.tolerance
        at_toc = core.contacts_at(mesh_a, path_a, mesh_b, path_b, options, found.toc)
        every = tuple(Contact._of(one) for one in at_toc)
    return Contact._of(found, time.perf_counter() - start, every)


def first_contact_batch(
    a: Any,
    b: Any,
    start_a: ArrayLike,
    end_a: ArrayLike,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    motion: Literal["linear", "screw"] = "linear",
    method: Method = "auto",
    tolerance: float | None = None,
    separation: float = 0.0,
    initial: Initial = "report",
    budget: int | None = None,
    threads: int | None = None,
    w: float | None = None,
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
    starts_a = as_shape("start_a", start_a, -1, 4, 4)
    ends_a = _as_many("end_a", end_a, len(starts_a))
    none = np.empty((0, 4, 4))
    if start_b is None and end_b is not None:
        raise ValueError("end_b: expected start_b too, got end_b alone")
    starts_b = none if start_b is None else _as_many("start_b", start_b, len(starts_a))
    ends_b = starts_b if end_b is None else _as_many("end_b", end_b, len(starts_a))
    options = make_options(method, tolerance, separation, initial, budget, w)
    options.timed = False  # a batch reports answers only
    kind = as_choice("motion", motion, core.PathKind)
    workers = as_threads(threads)
    return Batch(
        *core.first_contact_batch(
            mesh_a, mesh_b, starts_a, ends_a, starts_b, ends_b, kind, options, workers
        )
    )


def _as_many(name: str, values: ArrayLike, count: int) -> Floats:
    poses = as_shape(name, values, -1, 4, 4)
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
        *,
        tolerance: float | None = None,
        separation: float = 0.0,
        initial: Initial = "report",
        budget: int | None = None,
    ) -> Contact:
        """Return the first contact; arguments as for `toccata.first_contact`."""
        path_a = as_motion("motion_a", motion_a)._core
        path_b = as_motion("motion_b", np.eye(4) if motion_b is None else motion_b)._core
        options = make_options("interval", tolerance, separation, initial, budget, None)
        start = time.perf_counter()
        found = core.first_contact(
            self._a._core, path_a, self._b._core, path_b, options, self._memory
        )
        return Contact._of(found, time.perf_counter() - start)
