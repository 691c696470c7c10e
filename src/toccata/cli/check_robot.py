"""`toccata check-robot`: is a motion of a robot free, and if not, when and where is the contact?"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata.cli.meter import Meter
from toccata.cli.query import (
    EXIT_CODES,
    EXIT_CODES_HELP,
    WHY_UNDECIDED,
    add_query_options,
    as_json,
    query_options,
    touching_lines,
)
from toccata.cli.waypoints import Waypoints, read_waypoints
from toccata.result import Status
from toccata.robot import Robot, RobotContact
from toccata.robot.options import METHODS, options_in
from toccata.robot.spline import straight
from toccata.scene import Scene, as_world

PAUSE = 0.5  # seconds between two lines of progress


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-robot",
        help="first contact of a robot from a URDF",
        description="Find the first contact of a robot with a world and with itself on the straight"
        " way between two configurations, or through the rows of a file. Without --to one"
        " configuration is tested.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("robot", metavar="ROBOT", help="URDF file")
    parser.add_argument("--world", metavar="FILE", help="scene or mesh (glb, obj, stl, ...)")
    numbers: dict[str, Any] = {"nargs": "+", "type": float, "metavar": "X"}
    parser.add_argument("--from", dest="start", **numbers, help="configuration at t = 0")
    parser.add_argument("--to", dest="end", **numbers, help="configuration at t = 1")
    parser.add_argument(
        "--path", metavar="CSV", help="configurations, one per row; a column may be their time"
    )
    _add_model(parser)
    parser.add_argument("--no-self-contact", action="store_true", help="test the world only")
    add_query_options(parser, METHODS, "steps of work before giving up, per piece")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    parser.set_defaults(run=run)


def _add_model(parser: Any) -> None:
    parser.add_argument("--srdf", metavar="FILE", help="pairs of links that are not tested")
    parser.add_argument(
        "--package-dir",
        action="append",
        default=[],
        metavar="DIR",
        help="where package://name/... is looked for; may be given again",
    )
    parser.add_argument("--geometry", choices=("collision", "visual"), default="collision")
    parser.add_argument(
        "--solid", action="store_true", help="mesh files of the robot are closed solids"
    )
    parser.add_argument(
        "--solid-world", action="store_true", help="bodies of the world are closed solids"
    )
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


def run(args: argparse.Namespace) -> int:
    """Answer, print, and return the exit code."""
    robot = _robot(args)
    world = None if args.world is None else Scene.load(args.world, solid=args.solid_world)
    _ignore(args.ignore, robot, world)
    way = _path(args, robot)
    for i, q in enumerate(way.rows):
        if not robot.within_limits(q):
            _warn(f"configuration {i} is outside of the limits of {_outside(robot, q)}")
    contact = _first_contact(args, robot, way, world)
    pieces, time = len(way.rows) - 1, _clock(contact, way.times)
    if args.json:
        print(json.dumps(_as_json(contact, robot, pieces) | {"time": time}))
    else:
        print(_as_text(contact, robot, pieces))
        if time is not None:
            print(f"  {'time':<10} {time:.9g}")
    return EXIT_CODES[contact.status]


def _warn(text: str) -> None:
    print(f"toccata check-robot: {text}", file=sys.stderr)


def _robot(args: argparse.Namespace) -> Robot:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        robot = Robot.from_urdf(
            args.robot,
            srdf=args.srdf,
            package_dirs=args.package_dir,
            geometry=args.geometry,
            solid=args.solid,
        )
    for warning in caught:
        _warn(str(warning.message))
    if args.infer_ignored:
        known = robot.ignored_pairs
        for pair, reason in robot.infer_ignored_pairs().items():
            if pair not in known:
                _warn(f"not tested: {pair[0]} and {pair[1]}, {reason}")
    return robot


def _ignore(pairs: list[list[str]], robot: Robot, world: Scene | None) -> None:
    for link, other in pairs:
        if other not in robot.links and (world is None or other not in world):
            raise ValueError(f"--ignore: expected a link or a body of the world, got {other!r}")
        robot.ignore(link, other)


def _path(args: argparse.Namespace, robot: Robot) -> Waypoints:
    if args.path is not None:
        if args.start is not None or args.end is not None:
            raise ValueError("--path: expected no --from and no --to beside it")
        way = read_waypoints(args.path, robot)
        return Waypoints(as_shape("--path", way.rows, -1, robot.dof), way.times)
    if args.start is None:
        raise ValueError("expected --from and --to, or --path")
    ends = ("--from", args.start), ("--to", args.start if args.end is None else args.end)
    for option, numbers in ends:
        if len(numbers) != robot.dof:
            names = ", ".join(robot.coordinate_names)
            raise ValueError(
                f"{option}: expected {robot.dof} numbers ({names}), got {len(numbers)}"
            )
    return Waypoints(np.array([as_shape(option, numbers, robot.dof) for option, numbers in ends]))


def _outside(robot: Robot, q: Floats) -> str:
    return ", ".join(
        name
        for name, low, number, high in zip(
            robot.coordinate_names, robot.lower, q, robot.upper, strict=True
        )
        if not low <= number <= high
    )


def _first_contact(
    args: argparse.Namespace, robot: Robot, way: Waypoints, world: Scene | None
) -> RobotContact:
    """Return the first contact with time over the whole path."""
    how = {"self_contact": not args.no_self_contact, **query_options(args)}
    if not args.progress:
        return robot.first_contact_path(way.rows, world, times=way.times, **how)
    bodies = as_world(world)
    options, curve = (
        options_in(bodies, robot._pairs, how),
        straight(way.rows, way.times, None, None),
    )
    meter, pieces = Meter("piece", PAUSE), len(way.rows) - 1
    for piece in range(pieces):
        contact = robot._queries.contact_on(curve, bodies, options, piece)
        meter(piece + 1, pieces)
        if contact:
            break
    return contact


def _clock(contact: RobotContact, times: Floats | None) -> float | None:
    """Return the time of a contact in the file's own unit."""
    if times is None or contact.status is Status.FREE:
        return None
    return float(times[0] + contact.toc * (times[-1] - times[0]))


def _as_json(contact: RobotContact, robot: Robot, pieces: int) -> dict[str, Any]:
    q = [float(number) for number in contact.q] if contact else None
    return {
        **as_json(contact),
        "link_a": contact.link_a,
        "link_b": contact.link_b,
        "q": q,
        "joints": list(robot.coordinate_names),
        "piece": contact.piece,
        "pieces": pieces,
    }


def _as_text(contact: RobotContact, robot: Robot, pieces: int) -> str:
    if contact.status is Status.FREE:
        return "free: no contact in [0, 1]" + (f", {pieces} pieces" if pieces > 1 else "")
    assert contact.piece is not None
    where = f" (piece {contact.piece + 1} of {pieces})" if pieces > 1 else ""
    if contact.status is Status.UNDECIDED:
        return f"undecided: free before t = {contact.safe_until:.9g}{where}, {WHY_UNDECIDED}"
    a, b = contact.link_a, contact.link_b
    lines = [
        f"{contact.status.name.lower().replace('_', ' ')} at t = {contact.toc:.9g}{where}",
        f"  links      {a} and {b}",
    ]
    for i, (name, number) in enumerate(zip(robot.coordinate_names, contact.q, strict=True)):
        lines.append(f"  {'' if i else 'joints':<10} {name} {number:.9g}")
    return "\n".join(lines + touching_lines(contact, a, b))
