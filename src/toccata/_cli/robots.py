"""Robots and paths that commands read.

A robot is read from one URDF, or is combined from several URDFs, each with a base pose. A path is
two configurations in a command line, or waypoints in CSV files.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata._cli.arguments import read_pose, solid_row
from toccata._cli.terminal import warn
from toccata._result import Status
from toccata._robot import Robot, RobotContact, combine
from toccata._robot.waypoints import Waypoints, read_waypoints
from toccata._scene import Scene
from toccata._text import counted


@dataclass(slots=True)
class RobotFile:
    """A URDF, with its base and its SRDF."""

    name: str
    path: str
    at: list[float] | None = None
    srdf: str | None = None


class _Named(argparse.Action):
    """Action of `--robot`: adds to `robots`. If `const` is true, a single robot needs no name."""

    def __call__(self, parser: Any, args: Any, values: Any, option: Any = None) -> None:
        name, found, path = values.partition("=")
        if not found and self.const and not args.robots and not hasattr(args, "robot"):
            args.robot = values
            return
        if not (name and found and path):
            parser.error(f"{option}: expected NAME=FILE, got {values!r}")
        if name in (known.name for known in args.robots):
            parser.error(f"{option}: expected different names, got {name!r} twice")
        args.robots = [*args.robots, RobotFile(name, path)]


class _OfRobot(argparse.Action):
    """Action of an option that belongs to the last named robot, or to the only robot."""

    def __call__(self, parser: Any, args: Any, values: Any, option: Any = None) -> None:
        owner = args.robots[-1] if args.robots else args
        if getattr(owner, self.dest) is not None:
            parser.error(f"{option}: given twice for the same robot")
        setattr(owner, self.dest, values)


WORLD = f"""--world FILE  Scene or mesh around the robot (.glb, .obj, ...), in meters.
{solid_row("solid-world", "bodies of the world")}"""
ROBOTS = f"""robot options:
--at POSE  Base pose of the robot of the preceding --robot, or of the only robot.
--srdf FILE
    SRDF file with pairs of links that are not tested. It belongs to the robot of the preceding
    --robot, or to the only robot.
{solid_row("solid", "meshes of the robot")}"""
READING = """robot options:
--package-dir [NAME=]DIR
    Folder that contains the packages of package:// names. NAME=DIR is the folder of one package.
    Packages next to the URDF, or next to a folder above it, are found without this option.
    Repeatable.
--geometry {collision,visual} = collision  Geometry of the links to test.
--missing {error,warn} = error
    Treatment of mesh files that do not exist: an error, or a warning and a robot without them.
--infer-ignored  Do not test pairs of links that touch at all of 100 random configurations.
--ignore LINK OTHER
    Do not test a link against another link or a body of the world. Repeatable."""


def robot_keywords(const: bool) -> dict[str, Any]:
    """Return the keywords of `--robot` and `ROBOTS`; `const` allows one robot without a name."""
    named = {"dest": "robots", "action": _Named, "const": const, "default": []}
    return {"--robot": named, "--at": {"action": _OfRobot}, "--srdf": {"action": _OfRobot}}


def read_world(args: argparse.Namespace, robot: Robot) -> Scene | None:
    """Return the world, and make the robot ignore the pairs of `--ignore`."""
    world = None if args.world is None else Scene.load(args.world, solid=args.solid_world)
    ignore(args.ignore, robot, world)
    return world


def read_robots(args: argparse.Namespace) -> tuple[Robot, Mapping[str, Robot]]:
    """Return the robot of a query, and the robots that it combines, by name."""
    single = getattr(args, "robot", None)
    if args.robots:
        if single is not None or args.at is not None or args.srdf is not None:
            raise ValueError(
                "--robot NAME=FILE: give every robot this way, with --at and --srdf after it"
            )
        robots = {file.name: _read(args, file) for file in args.robots}
        return combine(robots), robots
    if single is None:
        raise ValueError("expected a URDF file, or --robot NAME=FILE")
    return _read(args, RobotFile("", single, args.at, args.srdf)), {}


def _read(args: argparse.Namespace, file: RobotFile) -> Robot:
    robot = read_urdf(args, file, solid=args.solid)
    return robot if file.at is None else robot.placed(read_pose("--at", file.at))


def read_urdf(args: argparse.Namespace, file: RobotFile, **more: Any) -> Robot:
    """Return the robot of a URDF, read with the options of `READING`. Print warnings."""
    dirs: Any = args.package_dir
    # A folder may have "=" in its name.
    named = [text.partition("=") for text in dirs if "=" in text and not os.path.isdir(text)]
    if named and len(named) < len(dirs):
        raise ValueError("--package-dir: expected names for all folders or for none, got both")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        robot = Robot.from_urdf(
            file.path,
            srdf=file.srdf,
            package_dirs={name: folder for name, _, folder in named} or dirs,
            geometry=args.geometry,
            missing=args.missing,
            **more,
        )
    for warning in caught:
        warn(args.command, str(warning.message))
    if args.infer_ignored:
        known = robot.ignored_pairs
        for pair, reason in robot.infer_ignored_pairs().items():
            if pair not in known:
                warn(args.command, f"not tested: {pair[0]} and {pair[1]}, {reason}")
    return robot


def ignore(pairs: list[list[str]], robot: Robot, world: Scene | None) -> None:
    """Ignore pairs of a link and another link or a body of the world."""
    for link, other in pairs:
        if other not in robot.links and (world is None or other not in world):
            raise ValueError(f"--ignore: expected a link or a body of the world, got {other!r}")
        robot.ignore(link, other)


@dataclass(frozen=True, slots=True, eq=False)
class RobotPath:
    """A path of a robot, in the form for `Robot.first_contact_path`."""

    waypoints: Any
    """Configurations, (n, dof), or {name: (times, configurations)} of several robots."""
    options: dict[str, Any] = field(default_factory=dict)
    """Times and spline of the path."""
    times: Floats | None = None
    """Times of all waypoints on the clock of the files, if the files have a clock."""
    beyond_limits: tuple[str, ...] = ()
    """A message for each configuration outside of the joint limits."""

    @property
    def pieces(self) -> int:
        if isinstance(self.waypoints, Mapping):
            return len(np.unique(np.concatenate([own for own, _ in self.waypoints.values()]))) - 1
        return len(self.waypoints) - 1

    def time_of(self, contact: RobotContact) -> float | None:
        """Return the time of a contact on the clock of the files; None if there is no clock."""
        if self.times is None or contact.status is Status.FREE:
            return None
        start, end = self.times.min(), self.times.max()
        return float(start + contact.toc * (end - start))


def read_path(args: argparse.Namespace, robot: Robot, robots: Mapping[str, Robot]) -> RobotPath:
    """Return the path of the options `--from`, `--to`, `--path` and `--spline`."""
    start, spline = getattr(args, "from"), {"spline": args.spline}
    if not args.path:
        if args.spline != "linear":
            raise ValueError(f"--spline: {args.spline} needs --path")
        wanted = f"{counted(robot.dof, 'coordinate')} ({', '.join(robot.coordinate_names)})"
        if start is None:
            raise ValueError(f"expected --from and --to, or --path; a configuration is {wanted}")
        given = {"--from": start, "--to": start if args.to is None else args.to}
        for option, q in given.items():
            if len(q) != robot.dof:
                raise ValueError(f"{option}: expected {wanted}, got {len(q)}")
        ends = np.array([as_shape(option, q, robot.dof) for option, q in given.items()])
        return RobotPath(ends, {}, beyond_limits=(*_beyond_limits(robot, ends),))
    if start is not None or args.to is not None:
        raise ValueError("--path: cannot be combined with --from or --to")
    named = (path.partition("=") for path in args.path)
    files = dict(
        (name, rest) if found and name in robots else ("", name + found + rest)
        for name, found, rest in named
    )
    if len(files) < len(args.path) or (len(files) > 1 and "" in files):
        raise ValueError("--path: expected one file, or one NAME=FILE for each robot")
    if "" in files:
        only = _waypoints(files[""], robot)
        clock = {} if only.times is None else {"times": only.times}
        beyond = (*_beyond_limits(robot, only.rows),)
        return RobotPath(only.rows, clock | spline, only.times, beyond)
    if missing := [name for name in robots if name not in files]:
        raise ValueError(f"--path: expected a path for each robot, got none for {missing[0]!r}")
    clocks: dict[str, tuple[Floats, Floats]] = {}
    beyond = ()
    for name, own in robots.items():
        part = _waypoints(files[name], own)
        if part.times is None:
            raise ValueError(f"{files[name]}: the column time is missing")
        clocks[name] = part.times, part.rows
        beyond += (*_beyond_limits(own, part.rows, f" of {name}"),)
    times = np.concatenate([times for times, _ in clocks.values()])
    return RobotPath(clocks, spline, times, beyond)


def _waypoints(path: str, robot: Robot) -> Waypoints:
    found = read_waypoints(path, robot)
    return Waypoints(as_shape("--path", found.rows, -1, robot.dof), found.times)


def _beyond_limits(robot: Robot, rows: Floats, of: str = "") -> Iterator[str]:
    """Yield a message for each configuration outside of the limits."""
    for i, q in enumerate(rows):
        if not robot.within_limits(q):
            limits = zip(robot.coordinate_names, robot.lower, q, robot.upper, strict=True)
            names = ", ".join(name for name, low, x, high in limits if not low <= x <= high)
            yield f"configuration {i}{of} is outside of the limits of {names}"
