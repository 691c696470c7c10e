"""Robots of a command: one URDF, or several that form one robot, each at a pose."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toccata._cli.arguments import Parser, add, add_solid, read_pose
from toccata._cli.terminal import warn
from toccata._robot import Robot, combine
from toccata._scene import Scene


@dataclass(slots=True)
class RobotFile:
    """A URDF, with its base and its SRDF."""

    name: str
    path: str
    at: list[float] | None = None
    srdf: str | None = None


class _Named(argparse.Action):
    """Adds a robot to `robots`; one without a name is the only one, if `const` allows that."""

    def __call__(self, parser: Any, args: Any, values: Any, option: Any = None) -> None:
        name, found, path = values.partition("=")
        if not found and self.const and not args.robots and args.robot is None:
            args.robot = values
            return
        if not (name and found and path):
            parser.error(f"{option}: expected NAME=FILE, got {values!r}")
        if name in (known.name for known in args.robots):
            parser.error(f"{option}: expected different names, got {name!r} twice")
        args.robots = [*args.robots, RobotFile(name, path)]


class _OfRobot(argparse.Action):
    """Belongs to the last robot that was named, or to the only one."""

    def __call__(self, parser: Any, args: Any, values: Any, option: Any = None) -> None:
        owner = args.robots[-1] if args.robots else args
        if getattr(owner, self.dest) is not None:
            parser.error(f"{option}: expected one for each robot, got another")
        setattr(owner, self.dest, values)


def add_robots(parser: Parser, *, by_option: bool = False) -> None:
    """Add the robots, and the options for reading their files.

    With `by_option`, `--robot FILE` names the only robot; otherwise an argument does.
    """
    several = "URDF file of one of several robots; its links are then named NAME/link. Repeatable."
    group = parser.add_argument_group("robot options")
    named: dict[str, Any] = {"dest": "robots", "action": _Named, "const": by_option, "default": []}
    if by_option:
        parser.set_defaults(robot=None)
        add(group, "--robot [NAME=]FILE", f"URDF file; with a name, {several}", **named)
    else:
        add(parser, "ROBOT", "URDF file.", nargs="?")
        add(group, "--robot NAME=FILE", several, **named)
    whose = "of the robot named just before, or of the only one."
    add(group, "--at POSE", f"Pose of the base {whose}", action=_OfRobot)
    text = f"SRDF file with pairs of links that are not tested, {whose}"
    add(group, "--srdf FILE", text, action=_OfRobot)
    add_reading(group)
    add_solid(group, "--solid", "meshes of the robot")


def add_reading(parser: Any) -> None:
    """Add the options that say how a URDF is read, and which pairs are not tested."""
    text = (
        "Folder that holds the packages of package:// names; with a name, the folder of one"
        " package. Packages around the URDF are found without."
    )
    add(parser, "--package-dir [NAME=]DIR", text, repeatable=True)
    text = "Geometry of the links to test."
    add(parser, "--geometry {collision,visual}", text, default="collision")
    text = "How to treat a mesh file of the robot that does not exist: stop, or leave it out."
    add(parser, "--missing {error,warn}", text, default="error")
    text = "Do not test pairs of links that touch at all of 100 random configurations."
    add(parser, "--infer-ignored", text)
    text = "Do not test a link against another link or a body of the world."
    add(parser, "--ignore LINK OTHER", text, repeatable=True)


def add_world(parser: Parser) -> None:
    """Add the world around a robot."""
    add(parser, "--world FILE", "Scene or mesh around the robot (.glb, .obj, ...), in meters.")
    add_solid(parser, "--solid-world", "bodies of the world")


def read_world(args: argparse.Namespace, robot: Robot) -> Scene | None:
    """Return the world, and leave out the pairs of `--ignore`."""
    world = None if args.world is None else Scene.load(args.world, solid=args.solid_world)
    ignore(args.ignore, robot, world)
    return world


def read_robots(args: argparse.Namespace) -> tuple[Robot, Mapping[str, Robot]]:
    """Return the robot of a query, and the robots that it combines, by name."""
    if args.robots:
        if args.robot is not None or args.at is not None or args.srdf is not None:
            raise ValueError("--robot: expected all robots, --at and --srdf after their --robot")
        robots = {file.name: _read(args, file) for file in args.robots}
        return combine(robots), robots
    if args.robot is None:
        raise ValueError("expected a URDF file, or --robot NAME=FILE")
    return _read(args, RobotFile("", args.robot, args.at, args.srdf)), {}


def read_urdf(args: argparse.Namespace, file: RobotFile, **more: Any) -> Robot:
    """Return the robot of a URDF, read as the options of `add_reading` say; print warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        robot = Robot.from_urdf(
            file.path,
            srdf=file.srdf,
            package_dirs=_package_dirs(args.package_dir),
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


def _package_dirs(given: list[str]) -> Any:
    """Return folders, or the folders of packages by name; names of folders may contain `=`."""
    named = [text.partition("=") for text in given if "=" in text and not os.path.isdir(text)]
    if named and len(named) < len(given):
        raise ValueError("--package-dir: expected all with a name or none, got both")
    return {name: folder for name, _, folder in named} if named else given


def _read(args: argparse.Namespace, file: RobotFile) -> Robot:
    robot = read_urdf(args, file, solid=args.solid)
    return robot if file.at is None else robot.placed(read_pose("--at", file.at))


def ignore(pairs: list[list[str]], robot: Robot, world: Scene | None) -> None:
    """Leave out pairs of a link and another link or a body of the world."""
    for link, other in pairs:
        if other not in robot.links and (world is None or other not in world):
            raise ValueError(f"--ignore: expected a link or a body of the world, got {other!r}")
        robot.ignore(link, other)
