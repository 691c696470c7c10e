"""Queries about ways through many configurations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata.robot.clearance import ClearanceQueries, RobotClearance
from toccata.robot.contact import RobotContact, time_on_path
from toccata.robot.separation import Separation
from toccata.robot.spline import Spline, SplineKind, as_ends, as_kind, make_spline
from toccata.scene import World, as_world


class PathQueries(ClearanceQueries):
    """What a robot can be asked about paths."""

    first_contact: Callable[..., RobotContact]

    def first_contact_path(
        self,
        Q: ArrayLike,
        world: Any = None,
        *,
        times: ArrayLike | None = None,
        spline: SplineKind = "linear",
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        **how: Any,
    ) -> RobotContact:
        """Return the first contact on the way through the (n, dof) configurations Q.

        Args:
            Q: (n, dof) waypoints.
            world: as for `first_contact`. Bodies that move do so over the whole path.
            times: (n,) rising numbers, the times of the waypoints in any unit; the answer counts
                time from 0 to 1 over the whole path. By default all pieces take the same time.
            spline: "linear" is straight between waypoints. "cubic" is smooth: without
                `velocities`, twice differentiable, from rest to rest; with them, the cubic pieces
                that have them. "quintic" has velocities and accelerations at the waypoints;
                those not given are those of the smooth cubic, and none at both ends. Floating
                joints move straight only.
            velocities: (n, dof), per unit of `times` (or of the whole path).
            accelerations: (n, dof), for "quintic".
            how: options of `first_contact`; the budget is per piece. Splines have no "hca".

        """
        rows = self._waypoints(Q)
        if as_kind(spline) != "linear":
            curve = self._spline(spline, rows, times, velocities, accelerations)
            return self._along(curve, as_world(world), **how)
        _no_rates(velocities, accelerations)
        ends, _ = as_ends(times, len(rows))
        before = None
        bodies = as_world(world)
        for i, (start, end) in enumerate(pairwise(rows)):
            part = bodies.during(ends[i], ends[i + 1])
            contact = self.first_contact(start, end, part, **how)._within(ends, i, before)
            if contact:
                break
            before = contact.stats
        return contact

    def clearance_path(
        self,
        Q: ArrayLike,
        world: Any = None,
        *,
        times: ArrayLike | None = None,
        spline: SplineKind = "linear",
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        limit: float = np.inf,
        **how: Any,
    ) -> RobotClearance:
        """Return how near anything comes on the way through the (n, dof) configurations Q.

        The way is that of `first_contact_path`; other options are those of `clearance`, and the
        budget is per piece.
        """
        rows = self._waypoints(Q)
        if as_kind(spline) == "linear":
            _no_rates(velocities, accelerations)
            curve = Spline(as_ends(times, len(rows))[0], np.empty(0))
        else:
            curve = self._spline(spline, rows, times, velocities, accelerations)
        bodies, best = as_world(world), None
        for i, ends_of_piece in enumerate(pairwise(rows)):
            part = bodies.during(curve.ends[i], curve.ends[i + 1])
            # What is farther away than something before does not matter.
            near = limit if best is None else min(limit, best.upper)
            if spline == "linear":
                found = self.clearance(*ends_of_piece, part, limit=near, **how)
            else:
                found = self._clearance_along(curve, i, part, limit=near, **how)
            best = _nearer(best, found, i, curve.ends)
            if best.lower == 0:
                break
        assert best is not None
        return best

    def _waypoints(self, Q: ArrayLike) -> Floats:
        rows = as_shape("Q", Q, -1, self.dof)
        if len(rows) < 2:
            raise ValueError(f"Q: expected at least two configurations, got {len(rows)}")
        return rows

    def _spline(
        self,
        kind: str,
        rows: Floats,
        times: ArrayLike | None,
        velocities: ArrayLike | None,
        accelerations: ArrayLike | None,
    ) -> Spline:
        for joint, _ in self._own:
            if joint.kind == "floating":
                wanted = "joints that can follow it (floating ones move straight only)"
                raise ValueError(f"spline: expected {wanted}, got joint {joint.name!r}")
        return make_spline(kind, rows, times, velocities, accelerations)

    def _along(
        self,
        curve: Spline,
        bodies: World,
        *,
        self_contact: bool = True,
        method: str = "auto",
        tolerance: float | None = None,
        separation: Separation = 0.0,
        initial: str = "report",
        budget: int | None = None,
    ) -> RobotContact:
        if method == "hca":
            raise ValueError("method: expected auto or interval for a spline, got 'hca'")
        before = None
        options = self._options(
            bodies, self_contact, method, tolerance, separation, initial, budget
        )
        for i, powers in enumerate(curve.powers):
            part = bodies.during(curve.ends[i], curve.ends[i + 1])
            answer = core.robot_first_contact_along(self._core, part.native, powers, options)
            names = self.link_names, part.names
            found = RobotContact._lazy(answer, *names, lambda at, i=i: curve.at(i, at.toc))
            contact = found._within(curve.ends, i, before)
            if contact:
                break
            before = contact.stats
        return contact

    def _clearance_along(
        self,
        curve: Spline,
        piece: int,
        bodies: World,
        *,
        self_contact: bool = True,
        tolerance: float | None = None,
        limit: float = np.inf,
        budget: int | None = None,
    ) -> RobotClearance:
        options = self._clearance_options(bodies, self_contact, tolerance, limit, budget)
        start = time.perf_counter()
        found = core.robot_clearance_along(self._core, bodies.native, curve.powers[piece], options)
        seconds = time.perf_counter() - start
        q = None if np.isnan(found.time) else curve.at(piece, found.time)
        return self._clearance(found, bodies, q, seconds)


def _no_rates(velocities: ArrayLike | None, accelerations: ArrayLike | None) -> None:
    for name, given in (("velocities", velocities), ("accelerations", accelerations)):
        if given is not None:
            raise ValueError(f"{name}: expected none for straight pieces")


def _nearer(
    best: RobotClearance | None, found: RobotClearance, piece: int, ends: Floats
) -> RobotClearance:
    """Return what is known of all pieces so far."""
    if found.q is not None:
        found = replace(found, time=time_on_path(ends, piece, found.time), piece=piece)
    if best is None:
        return found
    nearest = found if found.upper < best.upper else best
    stats = best.stats._plus(found.stats)
    tolerance = max(best.tolerance, found.tolerance)
    return replace(nearest, lower=min(best.lower, found.lower), tolerance=tolerance, stats=stats)
