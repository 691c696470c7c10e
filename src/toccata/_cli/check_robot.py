"""`toccata check-robot`: the first contact of a robot with the world and with itself."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from toccata._cli import answers, robots
from toccata._cli.answers import detail, fields_of, summary_line
from toccata._cli.command import Command, Output, Picture
from toccata._cli.robots import RobotPath
from toccata._options import RigidOptions, RobotFreeOptions
from toccata._result import Status
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._robot.internal import path_of, queries_of
from toccata._robot.path import check_method
from toccata._scene import Scene, as_world
from toccata._text import counted


class CheckRobot(Command):
    """Find the first contact of a robot, or certify that it touches nothing.

    The robot is tested against the world and against itself. It moves straight between two
    configurations, or along a path. A configuration Q is one number for each joint, in radians or
    meters. Time t runs from 0 to 1 over the motion. Without --to, one configuration is tested.

    Several robots act as one robot: --robot left=A.urdf --robot right=B.urdf --at 1.2 0 0. Their
    links have names such as left/hand, and their configurations are concatenated. With --path
    left=A.csv --path right=B.csv, each robot has its own clock, the column time of its file.
    """

    name = "check-robot"
    summary = "first contact of a robot with the world and with itself"
    usage = "ROBOT (--from Q [--to Q] | --path CSV)"
    example = "arm.urdf --world hall.glb --from 0 0.5 1 --to 2 0.5 -1"
    arguments = (
        "[ROBOT]  URDF file.",
        robots.WORLD,
        """
        --from Q  Configuration at t = 0.
        --to Q  Configuration at t = 1.
        --path CSV
            File with one configuration per row. A header may name the joints and a column time.
            Without a header, columns are in the order of the joints. NAME=CSV is the path of the
            robot NAME among several robots, and needs the column time. Repeatable.
        --spline {linear,cubic,quintic} = linear
            Curve through the waypoints of --path. Cubic and quintic splines start and end at rest.
        --clearance
            Also print the least distance to the world and between links during the motion.
        """,
        """
        robot options:
        --robot NAME=FILE
            URDF file of the robot NAME among several robots. Its links are named NAME/link.
            Repeatable.
        """,
        robots.ROBOTS,
        robots.READING,
    )
    keywords = robots.robot_keywords(False)
    options = (
        (RigidOptions, ("separation", "tolerance", "initial", "budget")),
        (RobotFreeOptions, ("method", "self_contact")),
    )

    def solve(self, args: argparse.Namespace) -> Output:
        robot, members = robots.read_robots(args)
        world = robots.read_world(args, robot)
        path = robots.read_path(args, robot, members)
        for text in path.beyond_limits:
            self.warn(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # limits were reported above
            contact = self._contact(args, robot, path, world)
            near = self._clearance(args, robot, path, world) if args.clearance else None
        time = path.time_of(contact)
        lines = _lines(contact, robot, path.pieces)
        lines += [] if time is None else [detail("time", f"{time:.{answers.CLOCK_DIGITS}g}")]
        fields: dict[str, Any] = {"time": time}
        if near is not None:
            lower, names = answers.rounded_down(near.lower, 6), f"{near.link_a} and {near.link_b}"
            where = "" if near.link_a is None else f" at t = {near.time:.4g}: {names}"
            lines.append(detail("clearance", f"{lower}{where}"))
            found = fields_of(near, "lower", "upper", "link_a", "link_b")
            fields["clearance"] = {**found, "t": near.time}
        context = {"robot": robot, "path": path.waypoints, "world": world, **path.options}
        return Output(
            answers.EXIT_CODES[contact.status],
            lines,
            lambda: _fields(contact, robot, path.pieces) | fields,
            Picture(contact, context, {"title": _title(args)}, is_quiet=True),
        )

    def _contact(
        self, args: argparse.Namespace, robot: Robot, path: RobotPath, world: Scene | None
    ) -> RobotContact:
        """Return the first contact on the path. With --progress, query each piece separately."""
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

    def _clearance(
        self, args: argparse.Namespace, robot: Robot, path: RobotPath, world: Scene | None
    ) -> RobotClearance:
        shared = ("tolerance", "budget", "self_contact")
        how: Any = {name: value for name, value in self.query(args).items() if name in shared}
        return robot.clearance_path(path.waypoints, world, **path.options, **how)


def _title(args: argparse.Namespace) -> str:
    """Return the names of the files without their folders."""
    files = [args.robot] if args.robot else [file.path for file in args.robots]
    names = " and ".join(Path(path).stem for path in files)
    return names if args.world is None else f"{names} in {Path(args.world).stem}"


def _fields(contact: RobotContact, robot: Robot, pieces: int) -> dict[str, Any]:
    return {
        **answers.contact_fields(contact),
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
    values = zip(robot.coordinate_names, np.asarray(contact.q), strict=True)
    q = [detail("" if i else "joints", f"{name} {x:.6g}") for i, (name, x) in enumerate(values)]
    return [line, detail("links", f"{a} and {b}"), *q, *answers.contact_details(contact, a, b)]
