"""Paths in joint space: straight pieces, and cubic and quintic splines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata._options import SplineKind

POWERS = 6
"""Coefficients of a piece, of 1, t, ... t^5."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A path: pieces between waypoints, each with a local time from 0 to 1."""

    kind: str
    ends: Floats
    """(n + 1,) times of the waypoints, from 0 to 1."""
    rows: Floats
    """(n + 1, dof) waypoints of straight pieces, or (n, 6, dof) coefficients of splines."""
    world: Floats | None = None
    """(n + 1,) times of the world's motions at the waypoints; None if equal to `ends`."""

    @property
    def native(self) -> tuple[Floats, Floats, bool]:
        """Arguments of the core: rows, times of path and world, whether rows are coefficients."""
        curved = self.kind != "linear"
        count, width = len(self.ends) - 1, self.rows.shape[-1]
        rows = self.rows.reshape(POWERS * count, width) if curved else self.rows
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


def as_kind(spline: str) -> str:
    """Check the kind of a spline."""
    if spline not in get_args(SplineKind):
        kinds = ", ".join(get_args(SplineKind))
        raise ValueError(f"spline: expected one of {kinds}, got {spline!r}")
    return spline


def as_ends(times: ArrayLike | None, count: int, of: str = "") -> tuple[Floats, Floats]:
    """Return the waypoints' times from 0 to 1, and the given durations of the pieces."""
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
        raise ValueError(f"times{of}: expected pieces that are not vanishingly short, got {short}")
    return ends, spans


def straight(
    waypoints: Floats,
    times: ArrayLike | None,
    velocities: ArrayLike | None,
    accelerations: ArrayLike | None,
    of: str = "",
) -> Curve:
    """Return straight pieces through the rows of `waypoints`; `of` names the robot in messages."""
    for name, given in (("velocities", velocities), ("accelerations", accelerations)):
        if given is not None:
            raise ValueError(f"{name}{of}: expected None for straight pieces, got some")
    return Curve("linear", as_ends(times, len(waypoints), of)[0], waypoints)


def make_spline(
    kind: str,
    waypoints: Floats,
    times: ArrayLike | None,
    velocities: ArrayLike | None,
    accelerations: ArrayLike | None,
    of: str = "",
) -> Curve:
    """Return the "cubic" or "quintic" spline through the rows of `waypoints`.

    Missing velocities and accelerations are those of the clamped cubic through the waypoints, with
    zero accelerations at both ends.
    """
    ends, spans = as_ends(times, len(waypoints), of)
    chords = np.diff(waypoints, axis=0)
    if accelerations is not None and kind != "quintic":
        raise ValueError(f"accelerations{of}: expected None unless the spline is quintic, got some")
    clamped = _clamped_velocities(chords, spans)
    speeds, bends = clamped, _clamped_accelerations(chords, clamped, spans)
    if velocities is not None:
        speeds = as_shape(f"velocities{of}", velocities, *waypoints.shape)
    if kind == "cubic":
        return Curve(kind, ends, _cubic(waypoints, chords, speeds, spans))
    if accelerations is not None:
        bends = as_shape(f"accelerations{of}", accelerations, *waypoints.shape)
    return Curve(kind, ends, _quintic(waypoints, chords, speeds, bends, spans))


def _clamped_velocities(chords: Floats, spans: Floats) -> Floats:
    """Return the velocities that make cubic pieces twice differentiable, from rest to rest.

    They solve a tridiagonal system by elimination without pivoting, since it is diagonally
    dominant.
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

    Both sides of a waypoint have equal accelerations up to rounding; the mean halves the error.
    """
    h = spans[:, None]
    before = (2 * speeds[:-1] + 4 * speeds[1:]) / h - 6 * chords / h**2
    after = 6 * chords / h**2 - (4 * speeds[:-1] + 2 * speeds[1:]) / h
    bends = np.zeros_like(speeds)
    bends[1:-1] = (before[:-1] + after[1:]) / 2
    return bends


def _cubic(waypoints: Floats, chords: Floats, speeds: Floats, spans: Floats) -> Floats:
    v0, v1 = speeds[:-1] * spans[:, None], speeds[1:] * spans[:, None]
    powers = np.zeros((len(chords), POWERS, chords.shape[1]))
    powers[:, 0] = waypoints[:-1]
    powers[:, 1] = v0
    powers[:, 2] = 3 * chords - 2 * v0 - v1
    powers[:, 3] = v0 + v1 - 2 * chords
    return powers


def _quintic(
    waypoints: Floats, chords: Floats, speeds: Floats, bends: Floats, spans: Floats
) -> Floats:
    h = spans[:, None]
    v0, v1 = speeds[:-1] * h, speeds[1:] * h
    a0, a1 = bends[:-1] * h**2 / 2, bends[1:] * h**2 / 2
    # Remaining position, velocity and half acceleration at the end.
    rest, velocity, bend = chords - v0 - a0, v1 - v0 - 2 * a0, a1 - a0
    powers = np.zeros((len(chords), POWERS, chords.shape[1]))
    powers[:, 0] = waypoints[:-1]
    powers[:, 1] = v0
    powers[:, 2] = a0
    powers[:, 3] = 10 * rest - 4 * velocity + bend
    powers[:, 4] = -15 * rest + 7 * velocity - 2 * bend
    powers[:, 5] = 6 * rest - 3 * velocity + bend
    return powers
