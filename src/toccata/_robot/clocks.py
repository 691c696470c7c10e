"""Paths of several robots with clocks of their own, and of a world with another clock.

The common path is cut at the waypoints of all robots. Configurations at cuts are rounded. On
straight pieces they differ from the given path by less than 2^-50 of the sizes of the two
neighboring waypoints: three roundings of the fraction of time, three of the number. On splines they
differ by less than 2^-48 of the sum of the coefficients' sizes. The contract holds for the path
through the rounded configurations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.configuration import Configurations
from toccata._robot.spline import POWERS, Curve

MOST_TIME = 1e300
"""Bound of all times: differences of smaller numbers are finite."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The path of one robot on its own clock."""

    space: Configurations
    times: Floats
    """(n + 1,) increasing times of the waypoints."""
    curve: Curve

    def rows(self, knots: Floats) -> Floats:
        """Return the configurations of a straight path at times that include all of its own."""
        piece, fraction = self._fractions(knots)
        given = self.curve.rows
        rows = self.space.interpolate(given[piece], given[piece + 1], fraction)
        whole = (fraction == 0) | (fraction == 1)  # waypoints keep their bits
        rows[whole] = given[(piece + fraction.astype(int))[whole]]
        return rows

    def powers(self, knots: Floats) -> Floats:
        """Return the coefficients of a spline between times that include all of its own."""
        piece, start = self._fractions(knots[:-1])
        end = self._fractions(knots[1:], after=False)[1]
        cut = np.empty((len(piece), *self.curve.rows.shape[1:]))
        for k, (i, lo, hi) in enumerate(zip(piece, start, end, strict=True)):
            still = knots[k + 1] <= self.times[0] or knots[k] >= self.times[-1]
            cut[k] = _part(self.curve.rows[i], lo, lo if still else hi)
        return cut

    def _fractions(self, knots: Floats, *, after: bool = True) -> tuple[Any, Floats]:
        """Return the piece at each time, or before it at a knot, and the elapsed fraction of it."""
        last = len(self.times) - 2
        side: Any = "right" if after else "left"
        piece = np.clip(np.searchsorted(self.times, knots, side) - 1, 0, last)
        begin, end = self.times[piece], self.times[piece + 1]
        return piece, (np.clip(knots, begin, end) - begin) / (end - begin)


def _part(powers: Floats, lo: float, hi: float) -> Floats:
    """Return the coefficients of the polynomial on lo..hi, rescaled to 0..1."""
    if lo == 0 and hi == 1:
        return powers
    part = np.zeros_like(powers)
    for k in range(POWERS):
        terms = [comb(j, k) * lo ** (j - k) * powers[j] for j in range(k, POWERS)]
        part[k] = (hi - lo) ** k * sum(terms)
    return part


def common_path(tracks: Sequence[Track], world_times: ArrayLike | None) -> Curve:
    """Return the path of all tracks side by side; robots stand still outside of their times.

    Bodies of the world move over `world_times`, by default over the whole path.
    """
    window = None if world_times is None else _as_window(world_times)
    clocks = [track.times for track in tracks] + ([] if window is None else [window])
    knots = np.unique(np.concatenate(clocks))
    if abs(knots[[0, -1]]).max() > MOST_TIME:
        raise ValueError(f"times: expected numbers below {MOST_TIME:g}, got {knots[[0, -1]]}")
    ends = _clock(knots, knots[[0, -1]])
    kind = tracks[0].curve.kind
    if kind == "linear":
        rows = np.concatenate([track.rows(knots) for track in tracks], axis=1)
    else:
        rows = np.concatenate([track.powers(knots) for track in tracks], axis=2)
    return Curve(kind, ends, rows, ends if window is None else _clock(knots, window))


def _clock(knots: Floats, window: Floats) -> Floats:
    """Return times from 0 to 1 over a window; every operation is monotonic, rounding included."""
    return np.asarray((np.clip(knots, window[0], window[1]) - window[0]) / (window[1] - window[0]))


def _as_window(world_times: ArrayLike) -> Floats:
    window = as_shape("world_times", world_times, 2)
    if not window[0] < window[1]:
        raise ValueError(
            f"world_times: expected increasing numbers, got {window[0]} and {window[1]}"
        )
    return window


def by_robot(name: str, given: Any, members: Mapping[str, slice]) -> Mapping[str, Any]:
    """Check that a mapping has an entry for each robot of a combination."""
    if not isinstance(given, Mapping):
        wanted = f"one for each of {', '.join(members)}"
        raise TypeError(f"{name}: expected {wanted}, got {type(given).__name__}")
    for robot in given:
        if robot not in members:
            wanted = ", ".join(members) or "none, since the robot is not combined"
            raise ValueError(f"{name}: expected robots among {wanted}, got {robot!r}")
    for robot in members:
        if robot not in given:
            raise ValueError(f"{name}: expected one for each robot, got none for {robot!r}")
    return given
