"""Paths in joint space: straight pieces, and cubic and quintic splines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core

POWERS = 6
"""Number of coefficients of a piece, for 1, t, ... t^5."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A path of pieces between waypoints, each with a local time from 0 to 1."""

    kind: str
    """"linear", "cubic" or "quintic"."""
    ends: Floats
    """Times of the waypoints from 0 to 1, (n + 1,)."""
    rows: Floats
    """Waypoints of straight pieces, (n + 1, dof), or coefficients of splines, (n, 6, dof)."""
    world: Floats | None = None
    """Times of the world's motions at the waypoints, (n + 1,); None if equal to `ends`."""

    @property
    def native(self) -> tuple[Floats, Floats, bool]:
        """Arguments for the core: rows, times of path and world, True if rows are coefficients."""
        curved = self.kind != "linear"
        rows = np.concatenate(self.rows) if curved else self.rows
        world = self.ends if self.world is None else self.world
        return rows, np.array([self.ends, world]), curved

    def at(self, piece: int, t: float) -> Floats:
        """Return the configuration at local time t of a piece of a spline."""
        q = self.rows[piece, -1]
        for row in self.rows[piece, -2::-1]:
            q = q * t + row
        return np.asarray(q)

    def q_of(self, answer: core.RobotAnswer) -> Floats:
        """Return the configuration of a contact on a spline."""
        if answer.piece < 0:
            return np.full(self.rows.shape[-1], np.nan)
        return self.at(answer.piece, answer.time)


def _as_ends(times: ArrayLike | None, count: int, of: str) -> tuple[Floats, Floats]:
    """Return the waypoints' times scaled to 0..1, and the durations of the pieces."""
    if times is None:
        ends = np.arange(count) / (count - 1)
        return ends, np.full(count - 1, 1 / (count - 1))
    given = as_shape(f"times{of}", times, count)
    spans = np.diff(given)
    if not (spans > 0).all():
        row = int(np.argmin(spans > 0)) + 1
        raise ValueError(f"times{of}: expected increasing numbers, got {given[row]} (row {row})")
    ends = (given - given[0]) / (given[-1] - given[0])
    if not (np.diff(ends) > 0).all():
        short = float(spans.min())
        raise ValueError(f"times{of}: expected longer pieces, got one of duration {short}")
    return ends, spans


def make_curve(
    kind: str,
    waypoints: Floats,
    times: ArrayLike | None,
    velocities: ArrayLike | None = None,
    accelerations: ArrayLike | None = None,
    of: str = "",
) -> Curve:
    """Return the path through the rows of `waypoints`; `of` names the robot in messages.

    By default, a spline has the velocities and accelerations of the clamped cubic spline through
    the waypoints, but zero accelerations at both ends.
    """
    if velocities is not None and kind == "linear":
        raise ValueError(f"velocities{of}: straight pieces accept no velocities")
    if accelerations is not None and kind != "quintic":
        raise ValueError(f"accelerations{of}: only quintic splines accept accelerations")
    ends, spans = _as_ends(times, len(waypoints), of)
    if kind == "linear":
        return Curve(kind, ends, waypoints)
    chords = np.diff(waypoints, axis=0)
    clamped = _clamped_velocities(chords, spans)
    speeds, bends = clamped, _clamped_accelerations(chords, clamped, spans)
    if velocities is not None:
        speeds = as_shape(f"velocities{of}", velocities, *waypoints.shape)
    if accelerations is not None:
        bends = as_shape(f"accelerations{of}", accelerations, *waypoints.shape)
    powers = np.zeros((len(chords), POWERS, chords.shape[1]))
    powers[:, 0] = waypoints[:-1]
    fill = _fill_cubic if kind == "cubic" else _fill_quintic
    fill(powers, chords, speeds, bends, spans[:, None])
    return Curve(kind, ends, powers)


def _clamped_velocities(chords: Floats, spans: Floats) -> Floats:
    """Return the velocities of the twice differentiable cubic spline from rest to rest.

    Elimination without pivoting solves the tridiagonal system, which is diagonally dominant.
    """
    count = len(chords)
    speeds = np.zeros((count + 1, chords.shape[1]))
    above = [0.0] * (count + 1)
    h = spans[:, None]
    speeds[1:-1] = 3 * (h[1:] * chords[:-1] / h[:-1] + h[:-1] * chords[1:] / h[1:])
    times = spans.tolist()  # Python floats are faster than single elements of arrays
    for i in range(1, count):
        diagonal = 2 * (times[i - 1] + times[i]) - times[i] * above[i - 1]
        above[i] = times[i - 1] / diagonal
        speeds[i] -= times[i] * speeds[i - 1]
        speeds[i] /= diagonal
    for i in range(count - 1, 0, -1):
        speeds[i] -= above[i] * speeds[i + 1]
    return speeds


def _clamped_accelerations(chords: Floats, speeds: Floats, spans: Floats) -> Floats:
    """Return the accelerations of the clamped cubic with these velocities, and 0 at both ends.

    The pieces before and after a waypoint have equal accelerations, except for rounding. The mean
    of both halves the error.
    """
    h = spans[:, None]
    before = (2 * speeds[:-1] + 4 * speeds[1:]) / h - 6 * chords / h**2
    after = 6 * chords / h**2 - (4 * speeds[:-1] + 2 * speeds[1:]) / h
    bends = np.zeros_like(speeds)
    bends[1:-1] = (before[:-1] + after[1:]) / 2
    return bends


def _fill_cubic(powers: Floats, chords: Floats, speeds: Floats, _: Floats, h: Floats) -> None:
    v0, v1 = speeds[:-1] * h, speeds[1:] * h
    powers[:, 1] = v0
    powers[:, 2] = 3 * chords - 2 * v0 - v1
    powers[:, 3] = v0 + v1 - 2 * chords


def _fill_quintic(powers: Floats, chords: Floats, speeds: Floats, bends: Floats, h: Floats) -> None:
    v0, v1 = speeds[:-1] * h, speeds[1:] * h
    a0, a1 = bends[:-1] * h**2 / 2, bends[1:] * h**2 / 2
    # Position, velocity and half acceleration that remain to be reached at the end.
    rest, velocity, bend = chords - v0 - a0, v1 - v0 - 2 * a0, a1 - a0
    powers[:, 1] = v0
    powers[:, 2] = a0
    powers[:, 3] = 10 * rest - 4 * velocity + bend
    powers[:, 4] = -15 * rest + 7 * velocity - 2 * bend
    powers[:, 5] = 6 * rest - 3 * velocity + bend
