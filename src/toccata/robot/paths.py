"""Queries about ways through many configurations."""

from __future__ import annotations

import time
from dataclasses import replace
from math import isinf
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata.options import ClearanceOptions, RobotOptions
from toccata.robot.clearance import ClearanceQueries, RobotClearance
from toccata.robot.contact import RobotContact
from toccata.robot.spline import Curve, SplineKind, as_kind, make_spline, straight
from toccata.scene import World, as_world


class PathQueries(ClearanceQueries):
    """What a robot can be asked about paths."""

    def first_contact_path(
        self,
        Q: ArrayLike,
        world: Any = None,
        *,
        times: ArrayLike | None = None,
        spline: SplineKind = "linear",
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        **options: Unpack[RobotOptions],
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
            options: as of `first_contact`; the budget is for each piece. Splines have no "hca".

        """
        bodies = as_world(world)
        curve = self._curve(Q, times, spline, velocities, accelerations)
        if curve.kind != "linear" and options.get("method") == "hca":
            raise ValueError("method: expected auto or interval for a spline, got 'hca'")
        return self._first_on(curve, bodies, self._options(bodies, options))

    def _first_on(
        self, curve: Curve, bodies: World, options: core.RobotOptions, piece: int | None = None
    ) -> RobotContact:
        """Return the first contact on all pieces of a curve, or on one."""
        pieces = (0, len(curve.ends) - 1) if piece is None else (piece, piece + 1)
        answer = core.robot_first_contact_path(
            self._core, bodies.native, *curve.native, pieces, options
        )
        # The rows of straight pieces are the caller's: they may change.
        place = self._on_line if curve.kind == "linear" else curve.place
        return RobotContact._lazy(answer, self.link_names, bodies.names, place)

    def _on_line(self, answer: core.RobotAnswer) -> Floats:
        if isinf(answer.toc):
            return np.full(self.dof, np.nan)
        start, end = answer.ends
        return self.interpolate(start, end, answer.time)

    def clearance_path(
        self,
        Q: ArrayLike,
        world: Any = None,
        *,
        times: ArrayLike | None = None,
        spline: SplineKind = "linear",
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        **options: Unpack[ClearanceOptions],
    ) -> RobotClearance:
        """Return how near anything comes on the way through the (n, dof) configurations Q.

        The way is that of `first_contact_path`; other options are those of `clearance`, and the
        budget is per piece.
        """
        bodies = as_world(world)
        curve = self._curve(Q, times, spline, velocities, accelerations)
        how = self._clearance_options(bodies, options)
        start = time.perf_counter()
        found = core.robot_clearance_path(self._core, bodies.native, *curve.native, how)
        seconds = time.perf_counter() - start
        if found.piece < 0:
            return self._clearance(found, bodies, np.full(self.dof, np.nan), seconds)
        piece, at = found.piece, found.time_of_piece
        if curve.kind == "linear":
            q = self.interpolate(curve.rows[piece], curve.rows[piece + 1], at)
        else:
            q = curve.at(piece, at)
        return replace(self._clearance(found, bodies, q, seconds), piece=piece)

    def _curve(
        self,
        Q: ArrayLike,
        times: ArrayLike | None,
        spline: str,
        velocities: ArrayLike | None,
        accelerations: ArrayLike | None,
    ) -> Curve:
        rows = as_shape("Q", Q, -1, self.dof)
        if len(rows) < 2:
            raise ValueError(f"Q: expected at least two configurations, got {len(rows)}")
        if as_kind(spline) == "linear":
            return straight(rows, times, velocities, accelerations)
        for joint, _ in self._own:
            if joint.kind == "floating":
                wanted = "joints that can follow it (floating ones move straight only)"
                raise ValueError(f"spline: expected {wanted}, got joint {joint.name!r}")
        return make_spline(spline, rows, times, velocities, accelerations)
