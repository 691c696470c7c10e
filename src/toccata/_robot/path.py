"""The path that a query is about, from what callers pass."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.clocks import Track, by_robot, common_path
from toccata._robot.configuration import Configurations
from toccata._robot.spline import Curve, as_kind, make_spline, straight
from toccata._text import visible

_DEFAULTS = {
    "times": None,
    "spline": "linear",
    "velocities": None,
    "accelerations": None,
    "world_times": None,
}
"""Options of a path."""


def curve_through(
    space: Configurations, Q: Any, members: Mapping[str, slice], options: Mapping[str, Any]
) -> tuple[Curve, dict[str, Any]]:
    """Return the way through configurations that the options say, and the rest of the options."""
    rest = dict(options)
    way = {name: rest.pop(name, default) for name, default in _DEFAULTS.items()}
    world_times = way.pop("world_times")
    if isinstance(Q, Mapping):
        return common_path(_tracks(space, Q, members, way), world_times), rest
    track = _track(space, Q, way, "")
    if world_times is None:
        return track.curve, rest
    if way["times"] is None:
        raise ValueError("times: expected those of the waypoints beside world_times, got None")
    return common_path([track], world_times), rest


def check_method(curve: Curve, method: str | None) -> None:
    """Refuse a method that cannot follow the path."""
    if curve.kind != "linear" and method == "hca":
        raise ValueError("method: expected auto or interval for a spline, got 'hca'")


def configurations(space: Configurations, curve: Curve, times: Floats) -> Floats:
    """Return (k, dof) configurations on a path at (k,) times of the whole path."""
    last = len(curve.ends) - 2
    piece = np.clip(np.searchsorted(curve.ends, times, "right") - 1, 0, last)
    start, end = curve.ends[piece], curve.ends[piece + 1]
    share = np.clip((times - start) / (end - start), 0.0, 1.0)
    if curve.kind == "linear":
        return space.interpolate(curve.rows[piece], curve.rows[piece + 1], share)
    return np.array([curve.at(int(i), float(t)) for i, t in zip(piece, share, strict=True)])


def _tracks(
    space: Configurations,
    Q: Mapping[str, Any],
    members: Mapping[str, slice],
    way: Mapping[str, Any],
) -> list[Track]:
    """Return the ways of the robots of a combination."""
    if way["times"] is not None:
        raise ValueError("times: expected those of each robot beside its waypoints")
    given = by_robot("Q", Q, members)
    names = ("velocities", "accelerations")
    more = {n: by_robot(n, way[n], members) for n in names if way[n] is not None}
    tracks = []
    for robot, numbers in members.items():
        if not isinstance(given[robot], tuple | list) or len(given[robot]) != 2:
            raise ValueError(f"Q, {robot!r}: expected times and configurations, got something else")
        times, rows = given[robot]
        own = {name: values[robot] for name, values in more.items()}
        own_way = {**way, **own, "times": times}
        tracks.append(_track(space.part(numbers), rows, own_way, f", {robot!r}"))
    return tracks


def _track(space: Configurations, Q: ArrayLike, way: Mapping[str, Any], of: str) -> Track:
    """Return the way of one robot; `of` tells which in messages."""
    rows = as_shape(f"Q{of}", Q, -1, space.dof)
    if len(rows) < 2:
        raise ValueError(f"Q{of}: expected at least two configurations, got {len(rows)}")
    _warn_of_limits(space, rows, f"Q{of}")
    times, velocities, accelerations = (way[n] for n in ("times", "velocities", "accelerations"))
    if as_kind(way["spline"]) == "linear":
        curve = straight(rows, times, velocities, accelerations, of)
    else:
        _check_follows(space)
        curve = make_spline(way["spline"], rows, times, velocities, accelerations, of)
    clock = curve.ends if times is None else as_shape(f"times{of}", times, len(rows))
    return Track(space, clock, curve)


def _check_follows(space: Configurations) -> None:
    for joint, _ in space.moving:
        if joint.kind == "floating":
            wanted = "joints that can follow it (floating ones move straight only)"
            raise ValueError(f"spline: expected {wanted}, got joint {joint.name!r}")


def _warn_of_limits(space: Configurations, rows: Floats, name: str) -> None:
    outside = (rows < space.lower) | (rows > space.upper)
    if not outside.any():
        return
    row = int(np.argmax(outside.any(axis=1)))
    names = ", ".join(np.array(space.coordinate_names)[outside[row]])
    text = f"{name}: row {row} is outside of the limits of {names}"
    more = int(outside.any(axis=1).sum()) - 1
    warnings.warn(visible(text) + (f", and {more} more" if more else ""), stacklevel=5)
