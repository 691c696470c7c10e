"""Robots that a command is about: one URDF, or several as one, each at a pose."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toccata._cli.query import POSE_HELP, add_solid_option, read_pose
from toccata._cli.terminal import say
from toccata._robot import Robot, combine
from toccata._scene import Scene


@dataclass(slots=True)
class RobotFile:
    """A URDF and what belongs to it."""

    name: str
    path: str
    at: list[float] | None = None
    srdf: str | None = None


class _Named(argparse.Action):
    """Adds a robot to those there are."""

    def __call__(self, parser: Any, args: Any, values: Any, option: Any = None) -> None:
        name, found, path = values.partition("=")
        if not found and self.const and not args.robots and args.robot is None:
            args.robot = values  # the only one needs no name
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


def add_robots(parser: Any, *, by_option: bool = False) -> None:
    """Declare which robots there are, and how their files are read.

    With `by_option` the only robot is named by `--robot FILE`; otherwise by an argument.
    """
    several = (
        "a URDF file of one of several robots, whose links are then named NAME/link; may be given"
        " again"
    )
    if by_option:
        parser.set_defaults(robot=None)
    else:
        parser.add_argument("robot", metavar="ROBOT", nargs="?", help="URDF file")
    parser.add_argument(
        "--robot",
        dest="robots",
        action=_Named,
        const=by_option,
        default=[],
        metavar="[NAME=]FILE" if by_option else "NAME=FILE",
        help=f"URDF file; or, with a name, {several}" if by_option else several,
    )
    parser.add_argument(
        "--at",
        action=_OfRobot,
        nargs="+",
        type=float,
        metavar="X",
        help=f"base of the robot before it, or of the only one. {POSE_HELP}",
    )
    parser.add_argument(
        "--srdf",
        action=_OfRobot,
        metavar="FILE",
        help="pairs of links that are not tested, of the robot before it or of the only one",
    )
    add_reading(parser)
    add_solid_option(parser, "--solid", "mesh files of the robot")


def add_reading(parser: Any) -> None:
    """Declare how a URDF is read, and which pairs are not tested."""
    parser.add_argument(
        "--package-dir",
        action="append",
        default=[],
        metavar="[NAME=]DIR",
        help="folder of packages that package://name/... stands for, or with a name, of one"
        " package; may be given again. Packages around the URDF are found without",
    )
    parser.add_argument("--geometry", choices=("collision", "visual"), default="collision")
    parser.add_argument(
        "--missing",
        choices=("error", "warn"),
        default="error",
        help="what a mesh file of the robot that does not exist is; default: error",
    )
    _add_ignored(parser)


def _add_ignored(parser: Any) -> None:
    parser.add_argument(
        "--infer-ignored",
        action="store_true",
        help="do not test links that touch at every one of 100 random configurations",
    )
    parser.add_argument(
        "--ignore",
        nargs=2,
        action="append",
        default=[],
        metavar=("LINK", "OTHER"),
        help="do not test a link against another one, or a body of the world; may be given again",
    )


def warn(command: str, text: str) -> None:
    """Tell on stderr."""
    say(f"toccata {command}: {text}", error=True)


def read_robots(args: argparse.Namespace) -> tuple[Robot, Mapping[str, Robot]]:
    """Return the robot that is asked about, and those it is combined of by name, if it is."""
    if args.robots:
        if args.robot is not None or args.at is not None or args.srdf is not None:
            raise ValueError("--robot: expected all robots, --at and --srdf after their --robot")
        robots = {file.name: _read(args, file) for file in args.robots}
        return combine(robots), robots
    if args.robot is None:
        raise ValueError("expected a URDF file, or --robot NAME=FILE")
    return _read(args, RobotFile("", args.robot, args.at, args.srdf)), {}


def read_urdf(args: argparse.Namespace, file: RobotFile, **more: Any) -> Robot:
    """Return the robot of a URDF, read as the options of `add_reading` say; tell warnings."""
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
    """Return folders, or the folders of packages by name; folders may have `=` in their names."""
    named = [text.partition("=") for text in given if "=" in text and not os.path.isdir(text)]
    if named and len(named) < len(given):
        raise ValueError("--package-dir: expected all with a name or none, got both")
    return {name: folder for name, _, folder in named} if named else given


def _read(args: argparse.Namespace, file: RobotFile) -> Robot:
    robot = read_urdf(args, file, solid=args.solid)
    return robot if file.at is None else robot.placed(read_pose("--at", file.at))


def ignore(pairs: list[list[str]], robot: Robot, world: Scene | None) -> None:
    """Leave out pairs that were named."""
    for link, other in pairs:
        if other not in robot.links and (world is None or other not in world):
            raise ValueError(f"--ignore: expected a link or a body of the world, got {other!r}")
        robot.ignore(link, other)
