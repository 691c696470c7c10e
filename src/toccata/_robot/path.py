"""Paths made from waypoints and options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._options import PathOptions, check_known, described
from toccata._robot.clocks import Track, by_robot, common_path
from toccata._robot.configuration import Configurations
from toccata._robot.spline import Curve, as_kind, make_spline, straight
from toccata._text import visible

_DEFAULTS = {name: option.default for name, option in described(PathOptions).items()}
"""Options that define a path."""


def curve_through(
    space: Configurations,
    Q: Any,
    members: Mapping[str, slice],
    options: Mapping[str, Any],
    known: Set[str] | None = None,
) -> tuple[Curve, dict[str, Any]]:
    """Return the path that waypoints and options define, and the other options.

    `known` are all options of the query; None leaves their check to the caller.
    """
    if known is not None:
        check_known(options, known)
    rest = dict(options)
    defined = {name: rest.pop(name, default) for name, default in _DEFAULTS.items()}
    world_times = defined.pop("world_times")
    if isinstance(Q, Mapping):
        return common_path(_tracks(space, Q, members, defined), world_times), rest
    track = _track(space, Q, defined, "")
    if world_times is None:
        return track.curve, rest
    if defined["times"] is None:
        raise ValueError("times: expected times of the waypoints with world_times, got None")
    return common_path([track], world_times), rest


def check_method(curve: Curve, method: str | None) -> None:
    """Refuse a method that does not follow the path."""
    if curve.kind != "linear" and method == "hca":
        raise ValueError("method: expected auto or interval for a spline, got 'hca'")


def configurations(space: Configurations, curve: Curve, times: Floats) -> Floats:
    """Return (k, dof) configurations at (k,) times of the whole path, from 0 to 1."""
    last = len(curve.ends) - 2
    piece = np.clip(np.searchsorted(curve.ends, times, "right") - 1, 0, last)
    start, end = curve.ends[piece], curve.ends[piece + 1]
    fraction = np.clip((times - start) / (end - start), 0.0, 1.0)
    if curve.kind == "linear":
        return space.interpolate(curve.rows[piece], curve.rows[piece + 1], fraction)
    return np.array([curve.at(int(i), float(t)) for i, t in zip(piece, fraction, strict=True)])


def _tracks(
    space: Configurations,
    Q: Mapping[str, Any],
    members: Mapping[str, slice],
    defined: Mapping[str, Any],
) -> list[Track]:
    """Return the paths of combined robots."""
    if defined["times"] is not None:
        raise ValueError("times: expected None, since Q has the times of each robot")
    given = by_robot("Q", Q, members)
    names = ("velocities", "accelerations")
    more = {n: by_robot(n, defined[n], members) for n in names if defined[n] is not None}
    tracks = []
    for robot, numbers in members.items():
        if not isinstance(given[robot], tuple | list) or len(given[robot]) != 2:
            got = type(given[robot]).__name__
            raise TypeError(f"Q, {robot!r}: expected (times, configurations), got {got}")
        times, rows = given[robot]
        own = {name: values[robot] for name, values in more.items()}
        own_path = {**defined, **own, "times": times}
        tracks.append(_track(space.part(numbers), rows, own_path, f", {robot!r}"))
    return tracks


def _track(space: Configurations, Q: ArrayLike, defined: Mapping[str, Any], of: str) -> Track:
    """Return the path of one robot; `of` names the robot in messages."""
    rows = as_shape(f"Q{of}", Q, -1, space.dof)
    if len(rows) < 2:
        raise ValueError(f"Q{of}: expected at least two configurations, got {len(rows)}")
    _warn_of_limits(space, rows, f"Q{of}")
    times, velocities, accelerations = (
        defined[n] for n in ("times", "velocities", "accelerations")
    )
    if as_kind(defined["spline"]) == "linear":
        curve = straight(rows, times, velocities, accelerations, of)
    else:
        _check_follows(space, defined["spline"])
        curve = make_spline(defined["spline"], rows, times, velocities, accelerations, of)
    clock = curve.ends if times is None else as_shape(f"times{of}", times, len(rows))
    return Track(space, clock, curve)


def _check_follows(space: Configurations, kind: str) -> None:
    for joint, _ in space.moving:
        if joint.kind == "floating":
            wanted = f"linear for a robot with the floating joint {joint.name!r}"
            raise ValueError(f"spline: expected {wanted}, got {kind!r}")


def _warn_of_limits(space: Configurations, rows: Floats, name: str) -> None:
    outside = (rows < space.lower) | (rows > space.upper)
    if not outside.any():
        return
    row = int(np.argmax(outside.any(axis=1)))
    names = ", ".join(np.array(space.coordinate_names)[outside[row]])
    text = f"{name}: row {row} is outside of the limits of {names}"
    more = int(outside.any(axis=1).sum()) - 1
    warnings.warn(visible(text) + (f", and {more} more" if more else ""), stacklevel=5)
