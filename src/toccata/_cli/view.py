"""`toccata view`: look at files and demos in the browser, or write a page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from toccata._cli.audit import read_meshes
from toccata._cli.frames import find
from toccata._cli.robots import RobotFile, add_reading, ignore, read_urdf
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, serve, wants_view


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "view",
        help="look at meshes, scenes, robots, logs, paths and frames",
        description="Show files in the browser: meshes and scenes; a URDF, with a slider for each"
        " joint, and the meshes around it; a log of poses (.npz, .csv, .parquet); a path of a part"
        " (.npz, .json), the mesh of the part and those around it; frames of a deforming mesh. It"
        " ends with Ctrl-C.",
        epilog="exit codes: 0 shown, 2 usage or failure",
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help="or a pattern in quotes")
    parser.add_argument("--demo", metavar="NAME", help="a built-in scene; see --list")
    parser.add_argument("--list", action="store_true", help="print the demos and end")
    parser.add_argument("--frames", action="store_true", help="the files are frames of one mesh")
    parser.add_argument(
        "--mesh",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="mesh of a body of a log; may be given again",
    )
    add_reading(parser)
    parser.add_argument("--srdf", metavar="FILE", help="pairs of links that are not tested")
    add_view_options(parser, view=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show what was asked for."""
    if args.list:
        say(*_listed())
        return 0
    args.view = not args.html
    wants_view(args)
    if bool(args.demo) == bool(args.files):
        raise ValueError("FILE: expected files, or --demo NAME")
    if args.demo:
        _show_demo(args)
    else:
        _show_files(args)
    return 0


def _show_files(args: argparse.Namespace) -> None:
    from toccata.view._files import is_robot

    paths = find(args.files)
    if is_robot(paths[0]):
        _show_robot(args, paths)
    else:
        _refuse_robot_options(args)
        present(args, lambda: _view(args, paths))


def _show_robot(args: argparse.Namespace, paths: list[str]) -> None:
    """Show a robot that can be moved; a page on disk shows it standing still."""
    from toccata.view import open_page, view_of
    from toccata.view._files import scene_of

    if args.mesh or args.frames:
        raise ValueError(f"--{'mesh' if args.mesh else 'frames'}: expected none beside a URDF")
    robot = read_urdf(args, RobotFile("", paths[0], srdf=args.srdf))
    world = scene_of([Path(path) for path in paths[1:]])
    ignore(args.ignore, robot, world)
    if args.html:
        title = ", ".join(Path(path).name for path in paths[:3])
        present(args, lambda: view_of(robot, world=world), title=title)
    else:
        serve(open_page(robot, world=world, host=args.host, port=args.port))


def _refuse_robot_options(args: argparse.Namespace) -> None:
    usual = {"geometry": "collision", "missing": "error"}
    for name in ("srdf", "package_dir", "ignore", "infer_ignored", *usual):
        if getattr(args, name) and getattr(args, name) != usual.get(name):
            option = f"--{name.replace('_', '-')}"
            raise ValueError(f"{option}: expected a URDF first, got {args.files[0]}")


def _show_demo(args: argparse.Namespace) -> None:
    from toccata.view._demos import demo, open_demo

    found = demo(args.demo)
    if args.html:
        present(args, found.recorded)
    else:
        serve(open_demo(args.demo, host=args.host, port=args.port))


def _view(args: argparse.Namespace, paths: list[str]) -> Any:
    from toccata.view import view_of

    return view_of(paths, meshes=read_meshes(args.mesh, False), frames=args.frames)


def _listed() -> list[str]:
    from toccata.view import DEMOS

    width = max(map(len, DEMOS))
    return [f"{name:<{width}}  {demo.why}" for name, demo in DEMOS.items()]
