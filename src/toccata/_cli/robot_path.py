"""Paths of robots: two configurations of a command line, or waypoints in CSV files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata._result import Status
from toccata._robot import Robot, RobotContact
from toccata._robot.waypoints import Waypoints, read_waypoints
from toccata._text import counted


@dataclass(frozen=True, slots=True, eq=False)
class RobotPath:
    """A path of a robot, as `Robot.first_contact_path` takes it."""

    waypoints: Any
    """(n, dof) configurations, or {name: (times, configurations)} of several robots."""
    options: dict[str, Any] = field(default_factory=dict)
    """Its times and its spline."""
    times: Floats | None = None
    """Times of all waypoints by the clock of the files, if they have one."""
    beyond_limits: tuple[str, ...] = ()
    """A message for each configuration outside of the limits of joints."""

    @property
    def pieces(self) -> int:
        """Number of pieces."""
        if isinstance(self.waypoints, Mapping):
            return len(np.unique(np.concatenate([own for own, _ in self.waypoints.values()]))) - 1
        return len(self.waypoints) - 1

    def time_of(self, contact: RobotContact) -> float | None:
        """Return the time of a contact by the clock of the files."""
        if self.times is None or contact.status is Status.FREE:
            return None
        start, end = self.times.min(), self.times.max()
        return float(start + contact.toc * (end - start))


def read_path(args: argparse.Namespace, robot: Robot, robots: Mapping[str, Robot]) -> RobotPath:
    """Return the path that the options `--from`, `--to`, `--path` and `--spline` give."""
    spline = {"spline": args.spline}
    if args.path is None:
        if args.spline != "linear":
            raise ValueError(f"--spline: {args.spline} needs --path")
        ends = _between(args, robot)
        return RobotPath(ends, {}, beyond_limits=(*_beyond_limits(robot, ends),))
    if args.start is not None or args.end is not None:
        raise ValueError("--path: cannot be combined with --from or --to")
    files = dict(_named(path, robots) for path in args.path)
    if len(files) < len(args.path) or (len(files) > 1 and "" in files):
        raise ValueError("--path: expected one file, or one NAME=FILE for each robot")
    if "" in files:
        found = _read(files[""], robot)
        clock = {} if found.times is None else {"times": found.times}
        beyond = (*_beyond_limits(robot, found.rows),)
        return RobotPath(found.rows, clock | spline, found.times, beyond)
    for name in robots:
        if name not in files:
            raise ValueError(f"--path: expected one for each robot, got none for {name!r}")
    clocks: dict[str, tuple[Floats, Floats]] = {}
    beyond = ()
    for name, own in robots.items():
        found = _read(files[name], own)
        if found.times is None:
            raise ValueError(f"{files[name]}: expected a column time, got none")
        clocks[name] = found.times, found.rows
        beyond += (*_beyond_limits(own, found.rows, f" of {name}"),)
    times = np.concatenate([times for times, _ in clocks.values()])
    return RobotPath(clocks, spline, times, beyond)


def _between(args: argparse.Namespace, robot: Robot) -> Floats:
    """Return the configurations of `--from` and `--to`."""
    wanted = f"{counted(robot.dof, 'coordinate')} ({', '.join(robot.coordinate_names)})"
    if args.start is None:
        raise ValueError(f"expected --from and --to, or --path; a configuration is {wanted}")
    ends = ("--from", args.start), ("--to", args.start if args.end is None else args.end)
    for option, given in ends:
        if len(given) != robot.dof:
            raise ValueError(f"{option}: expected {wanted}, got {len(given)}")
    return np.array([as_shape(option, given, robot.dof) for option, given in ends])


def _named(path: str, robots: Mapping[str, Robot]) -> tuple[str, str]:
    """Return the name of a robot and its file; the name may be empty."""
    name, found, rest = path.partition("=")
    return (name, rest) if found and name in robots else ("", path)


def _read(path: str, robot: Robot) -> Waypoints:
    found = read_waypoints(path, robot)
    return Waypoints(as_shape("--path", found.rows, -1, robot.dof), found.times)


def _beyond_limits(robot: Robot, rows: Floats, of: str = "") -> Iterator[str]:
    """Yield a message for each configuration outside of the limits."""
    for i, q in enumerate(rows):
        if not robot.within_limits(q):
            limits = zip(robot.coordinate_names, robot.lower, q, robot.upper, strict=True)
            names = ", ".join(name for name, low, x, high in limits if not low <= x <= high)
            yield f"configuration {i}{of} is outside of the limits of {names}"
