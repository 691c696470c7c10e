"""`toccata check-robot`: is a motion of a robot free, and if not, when and where is the contact?"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np

from toccata._arrays import Floats, as_shape
from toccata._cli.meter import Meter
from toccata._cli.query import (
    EXIT_CODES,
    EXIT_CODES_HELP,
    WHY_UNDECIDED,
    add_query_options,
    add_solid_option,
    as_json,
    query_options,
    touching_lines,
)
from toccata._cli.robots import add_robots, ignore, read_robots, warn
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._cli.waypoints import Waypoints, read_waypoints
from toccata._options import SplineKind
from toccata._result import Status
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._robot.internal import path_of, queries_of
from toccata._robot.options import METHODS
from toccata._robot.path import check_method
from toccata._robot.spline import Curve
from toccata._scene import Scene, as_world

PAUSE = 0.5  # seconds between two lines of progress


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "check-robot",
        help="first contact of a robot from a URDF",
        description="Find the first contact of a robot with a world and with itself on the straight"
        " way between two configurations, or through the rows of a file. Without --to one"
        " configuration is tested. Several robots are one, with configurations side by side.",
        epilog=EXIT_CODES_HELP,
    )
    add_robots(parser)
    parser.add_argument("--world", metavar="FILE", help="scene or mesh (glb, obj, stl, ...)")
    numbers: dict[str, Any] = {"nargs": "+", "type": float, "metavar": "X"}
    parser.add_argument("--from", dest="start", **numbers, help="configuration at t = 0")
    parser.add_argument("--to", dest="end", **numbers, help="configuration at t = 1")
    parser.add_argument(
        "--path",
        action="append",
        metavar="CSV",
        help="configurations, one per row; a column may be their time. NAME=CSV, given again for"
        " each of several robots, has those of one by its own clock: then a column is `time`",
    )
    parser.add_argument(
        "--spline",
        choices=get_args(SplineKind),
        default="linear",
        help="how --path leads through the configurations; default: linear",
    )
    parser.add_argument(
        "--clearance", action="store_true", help="print how near anything comes on the way, too"
    )
    add_solid_option(parser, "--solid-world", "bodies of the world")
    parser.add_argument("--no-self-contact", action="store_true", help="test the world only")
    add_query_options(parser, METHODS, "steps of work before giving up, per piece")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer, print, and return the exit code."""
    wants_view(args)
    robot, robots = read_robots(args)
    world = None if args.world is None else Scene.load(args.world, solid=args.solid_world)
    ignore(args.ignore, robot, world)
    way = _way(args, robot, robots)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # limits have been told
        curve = _curve(robot, way, args.spline)
    contact, pieces = _first_contact(args, robot, curve, world), len(curve.ends) - 1
    time = _clock(contact, way)
    near = _clearance(args, robot, curve, world) if args.clearance else None
    if args.json:
        found = _as_json(contact, robot, pieces) | {"time": time}
        found |= {} if near is None else {"clearance": _clearance_as_json(near)}
        say(json.dumps(found))
    else:
        lines = _as_text(contact, robot, pieces)
        lines += [] if time is None else [f"  {'time':<10} {time:.9g}"]
        lines += [] if near is None else [_clearance_as_text(near)]
        say(*lines)
    present(args, lambda: _view(contact, robot, curve, world), title=_title(args))
    return EXIT_CODES[contact.status]


def _view(contact: RobotContact, robot: Robot, curve: Curve, world: Scene | None) -> Any:
    from toccata.view import view_of

    return view_of(contact, robot=robot, path=curve, world=world)


def _title(args: argparse.Namespace) -> str:
    """Return the names of the files without their folders."""
    robots = [args.robot] if args.robot else [file.path for file in args.robots]
    names = " and ".join(Path(path).stem for path in robots)
    return names if args.world is None else f"{names} in {Path(args.world).stem}"


Way = Waypoints | dict[str, Waypoints]
"""That of a robot, or of each robot by name."""


def _way(args: argparse.Namespace, robot: Robot, robots: Mapping[str, Robot]) -> Way:
    """Return the configurations to go through; tell which are outside of the limits."""
    if args.spline != "linear" and args.path is None:
        raise ValueError(f"--spline: expected --path beside {args.spline}")
    if args.path is None:
        way = _between(args, robot)
        _tell_limits(robot, way, "")
        return way
    if args.start is not None or args.end is not None:
        raise ValueError("--path: expected no --from and no --to beside it")
    files = dict(_named(path, robots) for path in args.path)
    if len(files) < len(args.path) or (len(files) > 1 and "" in files):
        raise ValueError("--path: expected one file, or one NAME=FILE for each robot")
    if "" in files:
        return _read(files[""], robot, "")
    for name in robots:
        if name not in files:
            raise ValueError(f"--path: expected one for each robot, got none for {name!r}")
    ways = {name: _read(files[name], robots[name], name) for name in robots}
    for name, way in ways.items():
        if way.times is None:
            raise ValueError(f"{files[name]}: expected a column time, got none")
    return ways


def _named(path: str, robots: Mapping[str, Robot]) -> tuple[str, str]:
    name, found, rest = path.partition("=")
    return (name, rest) if found and name in robots else ("", path)


def _read(path: str, robot: Robot, name: str) -> Waypoints:
    found = read_waypoints(path, robot)
    way = Waypoints(as_shape("--path", found.rows, -1, robot.dof), found.times)
    _tell_limits(robot, way, name)
    return way


def _between(args: argparse.Namespace, robot: Robot) -> Waypoints:
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


def _tell_limits(robot: Robot, way: Waypoints, name: str) -> None:
    of = f" of {name}" if name else ""
    for i, q in enumerate(way.rows):
        if not robot.within_limits(q):
            warn(
                "check-robot",
                f"configuration {i}{of} is outside of the limits of {_outside(robot, q)}",
            )


def _outside(robot: Robot, q: Floats) -> str:
    return ", ".join(
        name
        for name, low, number, high in zip(
            robot.coordinate_names, robot.lower, q, robot.upper, strict=True
        )
        if not low <= number <= high
    )


def _first_contact(
    args: argparse.Namespace, robot: Robot, curve: Curve, world: Scene | None
) -> RobotContact:
    """Return the first contact with time over the whole path."""
    how = {"self_contact": not args.no_self_contact, **query_options(args)}
    check_method(curve, args.method)
    bodies = as_world(world)
    if not args.progress:
        return queries_of(robot).contact_on(curve, bodies, how)
    pieces = len(curve.ends) - 1
    meter = Meter("piece", PAUSE)
    for piece in range(pieces):
        contact = queries_of(robot).contact_on(curve, bodies, how, piece=piece)
        meter(piece + 1, pieces)
        if contact:
            break
    return contact


def _clearance(
    args: argparse.Namespace, robot: Robot, curve: Curve, world: Scene | None
) -> RobotClearance:
    bodies = as_world(world)
    given = {"tolerance": args.tolerance, "budget": args.budget}
    given |= {"self_contact": not args.no_self_contact}
    return queries_of(robot).clearance_on(curve, bodies, given)


def _clearance_as_json(found: RobotClearance) -> dict[str, Any]:
    """Return the clearance as plain values; None stands for numbers that there are not."""
    bounds = {"lower": found.lower, "upper": found.upper, "t": found.time}
    numbers = {k: float(v) if np.isfinite(v) else None for k, v in bounds.items()}
    return numbers | {"link_a": found.link_a, "link_b": found.link_b}


def _clearance_as_text(found: RobotClearance) -> str:
    """Return a line with a distance that is proven to be kept."""
    if found.link_a is None:
        return f"  {'clearance':<10} {found.lower:.6g}"
    where = f"at t = {found.time:.9g}: {found.link_a} and {found.link_b}"
    return f"  {'clearance':<10} {found.lower:.6g} {where}"


def _curve(robot: Robot, way: Way, spline: str) -> Curve:
    if isinstance(way, Waypoints):
        options = {"times": way.times, "spline": spline}
        return path_of(robot, way.rows, options)[0]
    clocks = {name: (own.times, own.rows) for name, own in way.items()}
    return path_of(robot, clocks, {"spline": spline})[0]


def _clock(contact: RobotContact, way: Way) -> float | None:
    """Return the time of a contact in the unit of the files."""
    clocks = [own.times for own in ([way] if isinstance(way, Waypoints) else way.values())]
    times = np.concatenate([np.empty(0), *(clock for clock in clocks if clock is not None)])
    if not len(times) or contact.status is Status.FREE:
        return None
    return float(times.min() + contact.toc * (times.max() - times.min()))


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
        "missing": {link: list(files) for link, files in robot.missing.items()},
    }


def _as_text(contact: RobotContact, robot: Robot, pieces: int) -> list[str]:
    if contact.status is Status.FREE:
        return ["free: no contact in [0, 1]" + (f", {pieces} pieces" if pieces > 1 else "")]
    assert contact.piece is not None
    where = f" (piece {contact.piece + 1} of {pieces})" if pieces > 1 else ""
    if contact.status is Status.UNDECIDED:
        return [f"undecided: free before t = {contact.safe_until:.9g}{where}, {WHY_UNDECIDED}"]
    a, b = contact.link_a, contact.link_b
    lines = [
        f"{contact.status.name.lower().replace('_', ' ')} at t = {contact.toc:.9g}{where}",
        f"  links      {a} and {b}",
    ]
    for i, (name, number) in enumerate(zip(robot.coordinate_names, contact.q, strict=True)):
        lines.append(f"  {'' if i else 'joints':<10} {name} {number:.9g}")
    return lines + touching_lines(contact, a, b)
