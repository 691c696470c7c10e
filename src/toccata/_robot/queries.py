"""Questions about motions of a robot in a world, and what becomes of the answers of the core."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isinf, isnan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata._options import Which, wants_all
from toccata._proximity import Proximities
from toccata._result import Stats
from toccata._robot.clearance import RobotClearance
from toccata._robot.configuration import Configurations
from toccata._robot.contact import RobotBatch, RobotContact, names_of
from toccata._robot.distances import RobotDistances
from toccata._robot.spline import Curve
from toccata._robot.tested import TestedPairs
from toccata._scene import World

T = TypeVar("T")

TOUCHING = (core.Status.CONTACT, core.Status.INITIAL_OVERLAP)


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """Asks the core about a robot: its configurations, and the pairs that are tested."""

    space: Configurations
    pairs: TestedPairs

    def contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        bodies: World,
        options: core.RobotOptions,
        *,
        memory: core.ContactMemory | None = None,
        contacts: Which = "first",
        kept: tuple[Any, ...] = (),
    ) -> RobotContact:
        """Return the first contact on a straight way."""
        everything = contacts != "first" and wants_all(contacts)
        robot = self.pairs.core  # read once: another thread may replace it
        answer = self._ask(core.robot_first_contact, robot, q0, q1, bodies, options, memory)
        every: tuple[RobotContact, ...] = ()
        if everything and answer.status in TOUCHING:
            found = core.robot_contacts(robot, bodies.native, options, answer)
            every = self._every(found, bodies, self._on_line(answer))
        names = self.pairs.link_names, bodies.names
        return RobotContact._lazy(answer, *names, self._on_line, every, kept=kept)

    def is_free(
        self, q0: ArrayLike, q1: ArrayLike, bodies: World, options: core.RobotOptions
    ) -> bool:
        """Whether a straight way is proven free."""
        return self._ask(core.robot_motion_is_free, self.pairs.core, q0, q1, bodies, options)

    def contacts(
        self, starts: Floats, ends: Floats, bodies: World, options: core.RobotOptions, threads: int
    ) -> RobotBatch:
        """Return the first contacts on straight ways, row by row."""
        columns, a, b, body = core.robot_first_contact_batch(
            self.pairs.core, bodies.native, starts, ends, options, threads
        )
        q = self.space.interpolate(starts, ends, columns[1])
        return RobotBatch(*(*columns, a, b, body, q, self.pairs.link_names, bodies.names))

    def are_free(
        self, starts: Floats, ends: Floats, bodies: World, options: core.RobotOptions, threads: int
    ) -> NDArray[np.uint8]:
        """Return codes of `Status`, row by row: CONTACT says that there is one, not when."""
        return core.robot_motions_are_free(
            self.pairs.core, bodies.native, starts, ends, options, threads
        )

    def contact_on(
        self,
        curve: Curve,
        bodies: World,
        options: core.RobotOptions,
        *,
        piece: int | None = None,
        contacts: Which = "first",
    ) -> RobotContact:
        """Return the first contact on all pieces of a curve, or on one."""
        everything = contacts != "first" and wants_all(contacts)
        pieces = (0, len(curve.ends) - 1) if piece is None else (piece, piece + 1)
        robot = self.pairs.core  # read once: another thread may replace it
        answer = core.robot_first_contact_path(robot, bodies.native, *curve.native, pieces, options)
        # The rows of straight pieces are the caller's: they may change.
        place = self._on_line if curve.kind == "linear" else curve.place
        every: tuple[RobotContact, ...] = ()
        if everything and answer.status in TOUCHING:
            asked = robot, bodies.native, *curve.native, options, answer
            every = self._every(core.robot_contacts_path(*asked), bodies, place(answer))
        return RobotContact._lazy(answer, self.pairs.link_names, bodies.names, place, every)

    def _every(
        self, found: list[core.RobotAnswer], bodies: World, q: Floats
    ) -> tuple[RobotContact, ...]:
        """Return contacts that are all at the same time."""
        names = self.pairs.link_names, bodies.names
        return tuple(RobotContact._lazy(one, *names, lambda _: q.copy(), ()) for one in found)

    def contact_intervals(
        self, curve: Curve, bodies: World, options: core.RobotOptions, resolution: float
    ) -> Floats:
        """Return the times on a curve at which anything may be in contact."""
        return core.robot_contact_intervals(
            self.pairs.core, bodies.native, *curve.native, options, resolution
        )

    def distances(self, Q: Floats, bodies: World, limit: float, threads: int) -> RobotDistances:
        """Return the distances of all tested pairs, row by row."""
        self.pairs.check_geometry()
        untested = self.pairs.untested(bodies) if self.pairs.ignores_bodies else None
        columns = core.robot_distances(self.pairs.core, bodies.native, Q, limit, untested, threads)
        names = (*self.pairs.link_names, *bodies.names)
        pairs = tuple((names[i], names[j]) for i, j in zip(*columns[-2:], strict=True))
        return RobotDistances(*(*columns, pairs))

    def proximities(self, q: Floats, bodies: World, distance: float) -> Proximities:
        """Return what is near at a configuration."""
        self.pairs.check_geometry()
        untested = self.pairs.untested(bodies) if self.pairs.ignores_bodies else None
        return Proximities(
            *core.robot_proximities(self.pairs.core, bodies.native, q[None], distance, untested)
        )

    def clearance(
        self, q0: ArrayLike, q1: ArrayLike, bodies: World, options: core.ClearanceOptions
    ) -> RobotClearance:
        """Return how near anything comes on a straight way."""
        start = time.perf_counter()
        found = self._ask(core.robot_clearance, self.pairs.core, q0, q1, bodies, options)
        seconds = time.perf_counter() - start
        return self._clearance(found, bodies, self.space.interpolate(q0, q1, found.time), seconds)

    def clearance_on(
        self, curve: Curve, bodies: World, options: core.ClearanceOptions
    ) -> RobotClearance:
        """Return how near anything comes on a curve."""
        start = time.perf_counter()
        found = core.robot_clearance_path(self.pairs.core, bodies.native, *curve.native, options)
        seconds = time.perf_counter() - start
        piece, at = found.piece, found.time_of_piece
        if isnan(at):
            q = self.space.unknown()
        elif curve.kind == "linear":
            q = self.space.interpolate(curve.rows[piece], curve.rows[piece + 1], at)
        else:
            q = curve.at(piece, at)
        return self._clearance(found, bodies, q, seconds)

    def _ask(
        self,
        ask: Callable[..., T | None],
        robot: core.Robot,
        q0: ArrayLike,
        q1: ArrayLike,
        bodies: World,
        *how: Any,
    ) -> T:
        """Query the core, which reads arrays of doubles itself; others are converted here."""
        found = ask(robot, bodies.native, q0, q1, *how)
        if found is None:
            rows = as_shape("q0", q0, self.space.dof), as_shape("q1", q1, self.space.dof)
            found = ask(robot, bodies.native, *rows, *how)
            assert found is not None
        return found

    def _on_line(self, answer: core.RobotAnswer) -> Floats:
        if isinf(answer.toc):
            return self.space.unknown()
        start, end = answer.ends
        return self.space.interpolate(start, end, answer.time)

    def _clearance(
        self, found: core.RobotClearance, bodies: World, q: Floats, seconds: float
    ) -> RobotClearance:
        link_a, link_b = names_of(found, self.pairs.link_names, bodies.names)
        return RobotClearance(
            lower=found.lower,
            upper=found.upper,
            tolerance=found.tolerance,
            distance=found.distance,
            time=found.time,
            link_a=link_a,
            link_b=link_b,
            point_a=np.array(found.point_a),
            point_b=np.array(found.point_b),
            q=q,
            stats=Stats._of(found.stats, seconds, found.pairs_tested),
            piece=None if found.piece < 0 else found.piece,
        )
