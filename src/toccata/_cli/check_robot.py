"""`toccata check-robot`: the first contact of a robot with the world and with itself."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._cli.answers import (
    EXIT_CODES,
    contact_details,
    contact_fields,
    detail,
    fields_of,
    rounded_down,
    summary_line,
)
from toccata._cli.arguments import POSE_HELP, Parser, add
from toccata._cli.command import Command, Output, Picture
from toccata._cli.robot_path import RobotPath, read_path
from toccata._cli.robots import add_robots, add_world, read_robots, read_world
from toccata._options import RigidOptions, RobotFreeOptions
from toccata._result import Status
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._robot.internal import path_of, queries_of
from toccata._robot.path import check_method
from toccata._scene import Scene, as_world
from toccata._text import counted

CLOCK_DIGITS = 9
"""Digits of times by the clock of a file, which may be far from zero."""


class CheckRobot(Command):
    """A robot from a URDF."""

    name = "check-robot"
    summary = "first contact of a robot with the world and with itself"
    usage = "ROBOT (--from Q [--to Q] | --path CSV)"
    example = "arm.urdf --world hall.glb --from 0 0.5 1 --to 2 0.5 -1"
    description = (
        "Find the first contact of a robot with the world and with itself, or certify that there is"
        " none: on the straight motion between two configurations, or on a path. A configuration Q"
        " is one number for each joint, in radians or meters. Time t runs from 0 to 1 over the"
        " motion. Without --to, one configuration is tested."
        "\n\nSeveral robots form one: --robot left=A.urdf --robot right=B.urdf --at 1.2 0 0. Their"
        " links are named left/hand, and their configurations are concatenated. --path"
        " left=A.csv --path right=B.csv gives each robot its own clock, in the column time."
        f"\n\n{POSE_HELP}"
    )
    options = (
        (RigidOptions, ("separation", "tolerance", "initial", "budget")),
        (RobotFreeOptions, ("method", "self_contact")),
    )

    def add_arguments(self, parser: Parser) -> None:
        """Add the robots, the world and the motion."""
        add_robots(parser)
        add_world(parser)
        add(parser, "--from Q", "Configuration at t = 0.", dest="start")
        add(parser, "--to Q", "Configuration at t = 1.", dest="end")
        text = (
            "File with one configuration per row. A header may name the joints, and a column time;"
            " without a header, columns are in the order of the joints. NAME=CSV is the path of one"
            " of several robots; it needs the column time. Repeatable."
        )
        add(parser, "--path CSV", text, action="append")
        text = "Curve through the waypoints of --path. cubic and quintic start and end at rest."
        add(parser, "--spline {linear,cubic,quintic}", text, default="linear")
        text = "Also print the least distance to the world and between links during the motion."
        add(parser, "--clearance", text)

    def solve(self, args: argparse.Namespace) -> Output:
        """Return the first contact, and the clearance if it is wanted."""
        robot, robots = read_robots(args)
        world = read_world(args, robot)
        path = read_path(args, robot, robots)
        for text in path.beyond_limits:
            self.warn(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the limits again
            contact = self._contact(args, robot, path, world)
            near = _clearance(args, robot, path, world) if args.clearance else None
        time = path.time_of(contact)
        lines = _lines(contact, robot, path.pieces)
        lines += [] if time is None else [detail("time", f"{time:.{CLOCK_DIGITS}g}")]
        lines += [] if near is None else [_clearance_line(near)]
        fields = {"time": time} | ({} if near is None else {"clearance": _clearance_fields(near)})
        context = {"robot": robot, "path": path.waypoints, "world": world, **path.options}
        return Output(
            EXIT_CODES[contact.status],
            lines,
            lambda: _fields(contact, robot, path.pieces) | fields,
            Picture(contact, context, {"title": _title(args)}, is_quiet=True),
        )

    def _contact(
        self, args: argparse.Namespace, robot: Robot, path: RobotPath, world: Scene | None
    ) -> RobotContact:
        """Return the first contact on the path; with progress, piece by piece."""
        options: dict[str, Any] = self.query(args)
        meter = self.meter(args, "piece")
        if meter is None:
            return robot.first_contact_path(path.waypoints, world, **path.options, **options)
        bodies = as_world(world)
        curve, _ = path_of(robot, path.waypoints, path.options)
        check_method(curve, options.get("method"))
        for piece in range(path.pieces):
            contact = queries_of(robot).contact_on(curve, bodies, options, piece=piece)
            meter(piece + 1, path.pieces)
            if contact:
                break
        return contact


def _title(args: argparse.Namespace) -> str:
    """Return the names of the files without their folders."""
    robots = [args.robot] if args.robot else [file.path for file in args.robots]
    names = " and ".join(Path(path).stem for path in robots)
    return names if args.world is None else f"{names} in {Path(args.world).stem}"


def _clearance(
    args: argparse.Namespace, robot: Robot, path: RobotPath, world: Scene | None
) -> RobotClearance:
    given = {name: getattr(args, name) for name in ("tolerance", "budget", "self_contact")}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return robot.clearance_path(path.waypoints, world, **path.options, **options)


def _clearance_fields(found: RobotClearance) -> dict[str, Any]:
    names = fields_of(found, "lower", "upper", "link_a", "link_b")
    return {**names, "t": found.time}


def _clearance_line(found: RobotClearance) -> str:
    """Return a line with a distance that is certified for the whole motion."""
    lower = rounded_down(found.lower, 6)
    if found.link_a is None:
        return detail("clearance", lower)
    return detail(
        "clearance", f"{lower} at t = {found.time:.4g}: {found.link_a} and {found.link_b}"
    )


def _fields(contact: RobotContact, robot: Robot, pieces: int) -> dict[str, Any]:
    return {
        **contact_fields(contact),
        **fields_of(contact, "link_a", "link_b", "piece"),
        "q": contact.q if contact else None,
        "joints": robot.coordinate_names,
        "pieces": pieces,
        "missing": robot.missing,
    }


def _lines(contact: RobotContact, robot: Robot, pieces: int) -> list[str]:
    if contact.status is Status.FREE:
        return [summary_line(contact) + (f" ({counted(pieces, 'piece')})" if pieces > 1 else "")]
    assert contact.piece is not None
    where = f" (piece {contact.piece + 1} of {pieces})" if pieces > 1 else ""
    line = summary_line(contact, where=where)
    if contact.status is Status.UNDECIDED:
        return [line]
    a, b = contact.link_a, contact.link_b
    lines = [line, detail("links", f"{a} and {b}"), *_joints(robot, contact.q)]
    return lines + contact_details(contact, a, b)


def _joints(robot: Robot, q: Floats) -> list[str]:
    rows = zip(robot.coordinate_names, np.asarray(q), strict=True)
    return [detail("" if i else "joints", f"{name} {x:.6g}") for i, (name, x) in enumerate(rows)]
