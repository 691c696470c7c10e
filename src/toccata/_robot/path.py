"""Paths made from waypoints and options, on one clock or on several.

A path on several clocks is cut at the waypoints of all robots. Its configurations at the cuts are
rounded. On a straight piece, the fraction of time is rounded three times, and so is the coordinate.
The error is therefore less than 2^-50 of the sizes of the two waypoints. On a spline, the error is
less than 2^-48 of the sum of the coefficients' sizes. The contract holds for the path through the
rounded configurations.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_choice, as_shape
from toccata._options import PathOptions, SplineKind, check_known, described
from toccata._robot.configuration import Configurations
from toccata._robot.spline import POWERS, Curve, make_curve
from toccata._text import visible

MOST_TIME = 1e300
"""Upper bound of the magnitudes of times, so that their differences are finite."""

_DEFAULTS = {name: option.default for name, option in described(PathOptions).items()}
"""Options that define a path, with their defaults."""


def curve_through(
    space: Configurations,
    Q: Any,
    members: Mapping[str, slice],
    given: Mapping[str, Any],
    options: Any = None,
) -> tuple[Curve, dict[str, Any]]:
    """Return the path through waypoints, and the remaining options.

    Waypoints are configurations, or {name: (times, configurations)} for combined robots. `options`
    is the class with the options of the query. If it is None, the caller checks the options.
    """
    if options is not None:
        check_known(given, options.__optional_keys__)
    rest = dict(given)
    defined = {name: rest.pop(name, default) for name, default in _DEFAULTS.items()}
    world_times = defined.pop("world_times")
    if isinstance(Q, Mapping):
        return _common_path(_tracks(space, Q, members, defined), world_times), rest
    track = _track(space, Q, defined)
    if world_times is None:
        return track.curve, rest
    if defined["times"] is None:
        raise ValueError("times: expected times of the waypoints, because world_times is given")
    return _common_path([track], world_times), rest


def check_method(curve: Curve, method: str | None) -> None:
    """Refuse method "hca" for a spline."""
    if curve.kind != "linear" and method == "hca":
        raise ValueError("method: expected auto or interval for a spline, got 'hca'")


def configurations(space: Configurations, curve: Curve, times: Floats) -> Floats:
    """Return the configurations at (k,) times of the whole path from 0 to 1, (k, dof)."""
    piece, fraction = _fractions(curve.ends, times)
    if curve.kind == "linear":
        return space.interpolate(curve.rows[piece], curve.rows[piece + 1], fraction)
    return np.array([curve.at(int(i), float(t)) for i, t in zip(piece, fraction, strict=True)])


def _fractions(ends: Floats, times: Floats, side: Any = "right") -> tuple[Any, Floats]:
    """Return the piece at each time, and the elapsed fraction of the piece.

    At a waypoint, side "right" gives the piece after it, and "left" the piece before it.
    """
    piece = np.clip(np.searchsorted(ends, times, side) - 1, 0, len(ends) - 2)
    begin, end = ends[piece], ends[piece + 1]
    return piece, (np.clip(times, begin, end) - begin) / (end - begin)


@dataclass(frozen=True, slots=True, eq=False)
class _Track:
    """The path of one robot on its own clock."""

    space: Configurations
    times: Floats
    """Increasing times of the waypoints, (n + 1,)."""
    curve: Curve

    def rows(self, knots: Floats) -> Floats:
        """Return the configurations of a straight path at times that include its own times."""
        piece, fraction = _fractions(self.times, knots)
        given = self.curve.rows
        rows = self.space.interpolate(given[piece], given[piece + 1], fraction)
        whole = (fraction == 0) | (fraction == 1)  # waypoints keep their bits
        rows[whole] = given[(piece + fraction.astype(int))[whole]]
        return rows

    def powers(self, knots: Floats) -> Floats:
        """Return the coefficients of a spline between times that include its own times."""
        piece, start = _fractions(self.times, knots[:-1])
        end = _fractions(self.times, knots[1:], "left")[1]
        rests = (knots[1:] <= self.times[0]) | (knots[:-1] >= self.times[-1])
        windows = zip(piece, start, np.where(rests, start, end), strict=True)
        return np.array([_part(self.curve.rows[i], lo, hi) for i, lo, hi in windows])


def _part(powers: Floats, lo: float, hi: float) -> Floats:
    """Return the coefficients of the polynomial on lo..hi, rescaled to 0..1."""
    if lo == 0 and hi == 1:
        return powers
    part = np.zeros_like(powers)
    for k in range(POWERS):
        terms = [comb(j, k) * lo ** (j - k) * powers[j] for j in range(k, POWERS)]
        part[k] = (hi - lo) ** k * sum(terms)
    return part


def _common_path(tracks: Sequence[_Track], world_times: ArrayLike | None) -> Curve:
    """Return one path for all robots. Each robot stands still before and after its own times.

    Bodies of the world move during `world_times`, by default during the whole path.
    """
    clocks = [track.times for track in tracks]
    if world_times is not None:
        window = as_shape("world_times", world_times, 2)
        if not window[0] < window[1]:
            got = f"{window[0]} and {window[1]}"
            raise ValueError(f"world_times: expected increasing numbers, got {got}")
        clocks.append(window)
    knots = np.unique(np.concatenate(clocks))
    if abs(knots[[0, -1]]).max() > MOST_TIME:
        raise ValueError(f"times: expected numbers below {MOST_TIME:g}, got {knots[[0, -1]]}")
    kind = tracks[0].curve.kind
    if kind == "linear":
        rows = np.concatenate([track.rows(knots) for track in tracks], axis=1)
    else:
        rows = np.concatenate([track.powers(knots) for track in tracks], axis=2)
    # Each operation of `_fractions` is monotonic, rounding included.
    ends = _fractions(knots[[0, -1]], knots)[1]
    return Curve(kind, ends, rows, ends if world_times is None else _fractions(window, knots)[1])


def _tracks(
    space: Configurations,
    Q: Mapping[str, Any],
    members: Mapping[str, slice],
    defined: Mapping[str, Any],
) -> list[_Track]:
    """Return the paths of combined robots."""
    if defined["times"] is not None:
        raise ValueError("times: expected None, since Q has the times of each robot")
    _check_robots("Q", Q, members)
    more = [n for n in ("velocities", "accelerations") if defined[n] is not None]
    for name in more:
        _check_robots(name, defined[name], members)
    tracks = []
    for robot, numbers in members.items():
        if not isinstance(Q[robot], tuple | list) or len(Q[robot]) != 2:
            got = type(Q[robot]).__name__
            raise TypeError(f"Q, {robot!r}: expected (times, configurations), got {got}")
        times, rows = Q[robot]
        own = {**defined, "times": times, **{name: defined[name][robot] for name in more}}
        tracks.append(_track(space.part(numbers), rows, own, f", {robot!r}"))
    return tracks


def _check_robots(name: str, given: Any, members: Mapping[str, slice]) -> None:
    """Check that a mapping has an entry for each robot of a combination."""
    if not isinstance(given, Mapping):
        wanted = f"a mapping with an entry for each of {', '.join(members)}"
        raise TypeError(f"{name}: expected {wanted}, got {type(given).__name__}")
    if unknown := [robot for robot in given if robot not in members]:
        wanted = f"robots among {', '.join(members)}"
        wanted = wanted if members else "an array, because the robot is not combined"
        raise ValueError(f"{name}: expected {wanted}, got an entry for {unknown[0]!r}")
    if missing := [robot for robot in members if robot not in given]:
        raise ValueError(f"{name}: expected an entry for each robot, got none for {missing[0]!r}")


def _track(space: Configurations, Q: ArrayLike, defined: Mapping[str, Any], of: str = "") -> _Track:
    """Return the path of one robot; `of` names the robot in messages."""
    rows = as_shape(f"Q{of}", Q, -1, space.dof)
    if len(rows) < 2:
        raise ValueError(f"Q{of}: expected at least two configurations, got {len(rows)}")
    _warn_of_limits(space, rows, f"Q{of}")
    kind = as_choice("spline", defined["spline"], get_args(SplineKind))
    floating = [joint.name for joint, _ in space.moving if joint.kind == "floating"]
    if kind != "linear" and floating:
        wanted = f"linear for a robot with the floating joint {floating[0]!r}"
        raise ValueError(f"spline: expected {wanted}, got {kind!r}")
    times = defined["times"]
    curve = make_curve(kind, rows, times, defined["velocities"], defined["accelerations"], of)
    return _Track(space, curve.ends if times is None else as_shape("times", times, -1), curve)


def _warn_of_limits(space: Configurations, rows: Floats, name: str) -> None:
    outside = (rows < space.lower) | (rows > space.upper)
    if not outside.any():
        return
    row = int(np.argmax(outside.any(axis=1)))
    names = ", ".join(np.array(space.coordinate_names)[outside[row]])
    text = visible(f"{name}: row {row} is outside of the limits of {names}")
    more = int(outside.any(axis=1).sum()) - 1
    others = f", and so are {more} more rows" if more > 1 else ", and so is 1 more row"
    warnings.warn(text + (others if more else ""), stacklevel=6)
