"""Ways of several robots, each by a clock of its own, and of a world by another one.

The common path is cut at the waypoints of all. A configuration at a cut is rounded: it differs from
the one on the way that was given by less than 2^-50 of the sizes of the two waypoints around it
(three roundings of the share of time, three of the number), and so does all of a straight piece
between two cuts; of a spline by less than 2^-48 of the sum of its coefficients' sizes. The contract
is that of the path through these configurations.
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
"""Differences of smaller ones are finite."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The way of one robot, by its own clock."""

    space: Configurations
    times: Floats
    """(n + 1,) of its waypoints, rising."""
    curve: Curve

    def rows(self, knots: Floats) -> Floats:
        """Return the configurations at times among which all of its own are; straight pieces."""
        piece, share = self._shares(knots)
        way = self.curve.rows
        rows = self.space.interpolate(way[piece], way[piece + 1], share)
        whole = (share == 0) | (share == 1)  # waypoints keep their bits
        rows[whole] = way[(piece + share.astype(int))[whole]]
        return rows

    def powers(self, knots: Floats) -> Floats:
        """Return the coefficients of the pieces between such times."""
        piece, start = self._shares(knots[:-1])
        end = self._shares(knots[1:], after=False)[1]
        cut = np.empty((len(piece), *self.curve.rows.shape[1:]))
        for k, (i, lo, hi) in enumerate(zip(piece, start, end, strict=True)):
            still = knots[k + 1] <= self.times[0] or knots[k] >= self.times[-1]
            cut[k] = _part(self.curve.rows[i], lo, lo if still else hi)
        return cut

    def _shares(self, knots: Floats, *, after: bool = True) -> tuple[Any, Floats]:
        """Return the piece at each time, and the share of it that is over; one before or after."""
        last = len(self.times) - 2
        side: Any = "right" if after else "left"
        piece = np.clip(np.searchsorted(self.times, knots, side) - 1, 0, last)
        begin, end = self.times[piece], self.times[piece + 1]
        return piece, (np.clip(knots, begin, end) - begin) / (end - begin)


def _part(powers: Floats, lo: float, hi: float) -> Floats:
    """Return the coefficients of what happens from `lo` to `hi`, over 0..1."""
    if lo == 0 and hi == 1:
        return powers
    part = np.zeros_like(powers)
    for k in range(POWERS):
        terms = [comb(j, k) * lo ** (j - k) * powers[j] for j in range(k, POWERS)]
        part[k] = (hi - lo) ** k * sum(terms)
    return part


def common_path(tracks: Sequence[Track], world_times: ArrayLike | None) -> Curve:
    """Return the path of all tracks side by side: before and after their times they stand still.

    Bodies of the world move over `world_times`, or over the whole path.
    """
    span = None if world_times is None else _as_span(world_times)
    clocks = [track.times for track in tracks] + ([] if span is None else [span])
    knots = np.unique(np.concatenate(clocks))
    if abs(knots[[0, -1]]).max() > MOST_TIME:
        raise ValueError(f"times: expected numbers below {MOST_TIME:g}, got {knots[[0, -1]]}")
    ends = _clock(knots, knots[[0, -1]])
    kind = tracks[0].curve.kind
    if kind == "linear":
        rows = np.concatenate([track.rows(knots) for track in tracks], axis=1)
    else:
        rows = np.concatenate([track.powers(knots) for track in tracks], axis=2)
    return Curve(kind, ends, rows, ends if span is None else _clock(knots, span))


def _clock(knots: Floats, span: Floats) -> Floats:
    """Return times from 0 to 1 over a span; all steps are monotonic, roundings too."""
    return np.asarray((np.clip(knots, span[0], span[1]) - span[0]) / (span[1] - span[0]))


def _as_span(world_times: ArrayLike) -> Floats:
    span = as_shape("world_times", world_times, 2)
    if not span[0] < span[1]:
        raise ValueError(f"world_times: expected rising numbers, got {span[0]} and {span[1]}")
    return span


def by_robot(name: str, given: Any, members: Mapping[str, slice]) -> Mapping[str, Any]:
    """Check that something is given for each robot of a combination."""
    if not isinstance(given, Mapping):
        wanted = f"one for each of {', '.join(members)}"
        raise ValueError(f"{name}: expected {wanted}, got {type(given).__name__}")
    for robot in given:
        if robot not in members:
            wanted = ", ".join(members) or "none, since the robot is not combined"
            raise ValueError(f"{name}: expected robots among {wanted}, got {robot!r}")
    for robot in members:
        if robot not in given:
            raise ValueError(f"{name}: expected one for each robot, got none for {robot!r}")
    return given
