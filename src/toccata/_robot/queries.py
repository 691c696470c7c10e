"""Queries about a robot: calls of the core, and the answers made from its results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, isinf, isnan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_shape, as_threads
from toccata._native import core
from toccata._options import Which, wants_all
from toccata._proximity import ClearanceBatch, Proximities
from toccata._robot.answers import (
    RobotBatch,
    RobotClearance,
    RobotContact,
    RobotDistances,
    names_of,
)
from toccata._robot.configuration import Configurations
from toccata._robot.options import (
    FREE_OPTIONS,
    INTERVAL_OPTIONS,
    PAIRS_OPTIONS,
    clearance_options_in,
    options_in,
)
from toccata._robot.spline import Curve
from toccata._robot.tested import TestedPairs
from toccata._scene import PreparedWorld

T = TypeVar("T")
Options = Mapping[str, Any]
"""Options of a query by name, as its caller passed them."""

TOUCHING = (core.Status.CONTACT, core.Status.INITIAL_OVERLAP)


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """The queries of one robot. Worlds have to be prepared, and paths checked.

    Repeated queries with equal options in the same world reuse the prepared options.
    """

    space: Configurations
    pairs: TestedPairs

    def contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: PreparedWorld,
        options: Options,
        *,
        coherence: core.RobotCoherence | None = None,
        contacts: Which = "first",
    ) -> RobotContact:
        """Return the first contact on the straight motion from q0 to q1."""
        how = options_in(world, self.pairs, options)
        everything = contacts != "first" and wants_all(contacts)
        robot = self.pairs.core  # read once, because another thread may replace the object
        answer = self._ask(core.robot_first_contact, robot, q0, q1, world, how, coherence)
        every: tuple[RobotContact, ...] = ()
        if everything and answer.status in TOUCHING:
            found = core.robot_contacts(robot, world.native, how, answer)
            every = self._every(found, world, self._on_line(answer))
        names = self.pairs.link_names, world.names
        return RobotContact._lazy(answer, *names, self._on_line, every)

    def contact_on(
        self,
        curve: Curve,
        world: PreparedWorld,
        options: Options,
        *,
        piece: int | None = None,
        coherence: core.RobotCoherence | None = None,
        contacts: Which = "first",
    ) -> RobotContact:
        """Return the first contact on all pieces of a path, or on one piece."""
        how = options_in(world, self.pairs, options)
        everything = contacts != "first" and wants_all(contacts)
        pieces = (0, len(curve.ends) - 1) if piece is None else (piece, piece + 1)
        robot = self.pairs.core  # read once, because another thread may replace the object
        answer = core.robot_first_contact_path(
            robot, world.native, *curve.native, pieces, how, coherence
        )
        # The caller may change the rows of straight pieces, so the ends in the answer are used.
        q_of = self._on_line if curve.kind == "linear" else curve.q_of
        every: tuple[RobotContact, ...] = ()
        if everything and answer.status in TOUCHING:
            asked = robot, world.native, *curve.native, how, answer
            every = self._every(core.robot_contacts_path(*asked), world, q_of(answer))
        return RobotContact._lazy(answer, self.pairs.link_names, world.names, q_of, every)

    def contacts(
        self, starts: Floats, ends: Floats, world: PreparedWorld, options: Options, threads: int
    ) -> RobotBatch:
        """Return the first contacts on straight motions, row by row."""
        how = options_in(world, self.pairs, options)
        columns, a, b, body = core.robot_first_contact_batch(
            self.pairs.core, world.native, starts, ends, how, threads
        )
        q = self.space.interpolate(starts, ends, columns[1])
        return self._rows(columns, a, b, body, q, world)

    def contacts_on(
        self, curve: Curve, world: PreparedWorld, options: Options, threads: int
    ) -> RobotBatch:
        """Return the first contact of each pair on a path."""
        how = options_in(world, self.pairs, options, PAIRS_OPTIONS)
        columns, a, b, body, piece, at = core.robot_first_contacts_path(
            self.pairs.core, world.native, *curve.native, how, threads
        )
        q = np.empty((len(a), self.space.dof))
        for k, row in enumerate(zip(piece, at, strict=True)):
            q[k] = self._q_on(curve, *row)
        return self._rows(columns, a, b, body, q, world)

    def _q_on(self, curve: Curve, piece: int, at: float) -> Floats:
        """Return the configuration at a time of a piece."""
        if curve.kind == "linear":
            return self.space.interpolate(curve.rows[piece], curve.rows[piece + 1], at)
        return curve.at(piece, at)

    def _rows(
        self, columns: Any, a: Any, b: Any, body: Any, q: Floats, world: PreparedWorld
    ) -> RobotBatch:
        other = np.where(body >= 0, body + len(self.pairs.link_names), b).astype(np.int32)
        return RobotBatch(*(*columns, a, other, q, self._names(world)))

    def is_free(self, q0: ArrayLike, q1: ArrayLike, world: PreparedWorld, options: Options) -> bool:
        how = options_in(world, self.pairs, options, FREE_OPTIONS)
        return self._ask(core.robot_motion_is_free, self.pairs.core, q0, q1, world, how)

    def are_free(
        self, starts: Floats, ends: Floats, world: PreparedWorld, options: Options, threads: int
    ) -> NDArray[np.uint8]:
        """Return codes of `Status`, row by row; CONTACT means a contact at any time."""
        how = options_in(world, self.pairs, options, FREE_OPTIONS)
        rows = starts, ends
        return core.robot_motions_are_free(self.pairs.core, world.native, *rows, how, threads)

    def contact_intervals(
        self, curve: Curve, world: PreparedWorld, options: Options, resolution: float
    ) -> Floats:
        """Return the windows of a path in which contact cannot be excluded, (k, 2)."""
        how = options_in(world, self.pairs, options, INTERVAL_OPTIONS)
        path = curve.native
        return core.robot_contact_intervals(self.pairs.core, world.native, *path, how, resolution)

    def clearance(
        self, q0: ArrayLike, q1: ArrayLike, world: PreparedWorld, options: Options
    ) -> RobotClearance:
        """Return the least distance on the straight motion from q0 to q1."""
        return self.clearances([q0], [q1], world, options)[0]

    def clearances(
        self,
        starts: Iterable[ArrayLike],
        ends: Iterable[ArrayLike],
        world: PreparedWorld,
        options: Options,
    ) -> list[RobotClearance]:
        """Return the least distances on straight motions, row by row."""
        how = clearance_options_in(world, self.pairs, options)
        answers = []
        for q0, q1 in zip(starts, ends, strict=True):
            start = time.perf_counter()
            found = self._ask(core.robot_clearance, self.pairs.core, q0, q1, world, how)
            seconds = time.perf_counter() - start
            q = self.space.interpolate(q0, q1, found.time)
            answers.append(self._clearance(found, world, q, seconds))
        return answers

    def clearance_rows(
        self, starts: Floats, ends: Floats, world: PreparedWorld, options: Options, threads: int
    ) -> ClearanceBatch:
        """Return the least distances on straight motions as columns."""
        how = clearance_options_in(world, self.pairs, options)
        columns = core.robot_clearance_batch(
            self.pairs.core, world.native, starts, ends, how, threads
        )
        return ClearanceBatch(*(*columns, self._names(world)))

    def clearance_on(self, curve: Curve, world: PreparedWorld, options: Options) -> RobotClearance:
        how = clearance_options_in(world, self.pairs, options)
        start = time.perf_counter()
        found = core.robot_clearance_path(self.pairs.core, world.native, *curve.native, how)
        seconds = time.perf_counter() - start
        piece, at = found.piece, found.time_of_piece
        q = self.space.unknown() if isnan(at) else self._q_on(curve, piece, at)
        return self._clearance(found, world, q, seconds)

    def distances(
        self, Q: Floats, world: PreparedWorld, limit: float = inf, threads: int | None = None
    ) -> RobotDistances:
        how = limit, self._ignored(world), as_threads(threads)
        columns = core.robot_distances(self.pairs.core, world.native, Q, *how)
        return RobotDistances(*(*columns, self._names(world)))

    def distances_on(
        self, curve: Curve, times: Floats, world: PreparedWorld, limit: float, threads: int
    ) -> RobotDistances:
        """Return the distances of all tested pairs at times of a path, row by row."""
        ignored = self._ignored(world)
        columns = core.robot_distances_path(
            self.pairs.core, world.native, *curve.native, times, limit, ignored, threads
        )
        return RobotDistances(*(*columns, self._names(world)))

    def proximities(self, q: Floats, world: PreparedWorld, distance: float) -> Proximities:
        how = distance, self._ignored(world)
        columns = core.robot_proximities(self.pairs.core, world.native, q[None], *how)
        return Proximities(*(*columns, self._names(world)))

    def _names(self, world: PreparedWorld) -> tuple[str, ...]:
        return (*self.pairs.link_names, *world.names)

    def _ignored(self, world: PreparedWorld) -> core.IgnoredPairs | None:
        self.pairs.check_geometry()
        return self.pairs.ignored_bodies(world) if self.pairs.ignores_bodies else None

    def _ask(
        self,
        ask: Callable[..., T | None],
        robot: core.Robot,
        q0: ArrayLike,
        q1: ArrayLike,
        world: PreparedWorld,
        *how: Any,
    ) -> T:
        """Call the core, which accepts arrays of doubles. Convert other arguments first."""
        found = ask(robot, world.native, q0, q1, *how)
        if found is None:
            rows = as_shape("q0", q0, self.space.dof), as_shape("q1", q1, self.space.dof)
            found = ask(robot, world.native, *rows, *how)
            assert found is not None
        return found

    def _on_line(self, answer: core.RobotAnswer) -> Floats:
        """Return the configuration of a contact on a straight motion."""
        if isinf(answer.toc):
            return self.space.unknown()
        start, end = answer.ends
        return self.space.interpolate(start, end, answer.time)

    def _every(
        self, found: list[core.RobotAnswer], world: PreparedWorld, q: Floats
    ) -> tuple[RobotContact, ...]:
        names = self.pairs.link_names, world.names
        return tuple(RobotContact._lazy(one, *names, lambda _: q.copy(), ()) for one in found)

    def _clearance(
        self, found: core.RobotClearance, world: PreparedWorld, q: Floats, seconds: float
    ) -> RobotClearance:
        names = names_of(found, self.pairs.link_names, world.names)
        piece = None if found.piece < 0 else found.piece
        answer = RobotClearance._of(found, seconds, names)
        return replace(answer, link_a=names[0], link_b=names[1], q=q, piece=piece)
