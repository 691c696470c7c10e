"""`toccata view`: files and demos in the browser, or as a page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from toccata._cli.answers import columns
from toccata._cli.audit import MESHES, read_meshes
from toccata._cli.command import Command, Output, Picture, serve
from toccata._cli.robots import READING, RobotFile, ignore, read_urdf
from toccata._frame_files import find

_OF_ROBOTS: dict[str, Any] = {
    "srdf": None,
    "package_dir": [],
    "ignore": [],
    "infer_ignored": False,
    "geometry": "collision",
    "missing": "error",
}
"""Options of robots and their defaults."""


class ViewFiles(Command):
    """Show files in the browser until Ctrl-C, or write a page with --html.

    The files are meshes and scenes; a URDF and the meshes around the robot, shown with a slider for
    each joint; a log of poses (.npz, .csv, .parquet); a path of a part (.npz, .json), the mesh of
    the part, and the meshes around it; or frames of a deforming mesh.

    --json and --report do not apply, because there is no answer.
    """

    name = "view"
    summary = "show meshes, scenes, robots, logs, paths and frames"
    usage = "(FILE ... | --demo NAME | --list)"
    example = "arm.urdf hall.glb"
    exit_codes = "0 shown, 2 error"
    arguments = (
        """
        [FILE ...]  Files, or patterns in quotes.
        --demo NAME  Show a built-in scene; see --list.
        --list  Print the demos and exit.
        --frames  The files are frames of one mesh.
        """,
        MESHES,
        """
        robot options:
        --srdf FILE  SRDF file of the robot, with pairs of links that are not tested.
        """,
        READING,
    )
    outputs = ("html",)
    is_long = False

    def solve(self, args: argparse.Namespace) -> Output:
        if args.list:
            from toccata.view import DEMOS

            return Output(0, columns(*((name, demo.why) for name, demo in DEMOS.items())))
        args.view = not args.html
        if bool(args.demo) == bool(args.file):
            raise ValueError("FILE: expected either files or --demo NAME")
        return Output(0, picture=_demo(args) if args.demo else _files(args))


def _files(args: argparse.Namespace) -> Picture | None:
    from toccata.view._files import is_robot

    paths = find(args.file)
    if is_robot(paths[0]):
        return _robot(args, paths)
    for name, default in _OF_ROBOTS.items():
        if getattr(args, name) != default:
            option = f"--{name.replace('_', '-')}"
            raise ValueError(f"{option}: expected a URDF as the first file, got {args.file[0]}")
    return Picture(paths, {"meshes": read_meshes(args.mesh, False), "frames": args.frames})


def _robot(args: argparse.Namespace, paths: list[str]) -> Picture | None:
    """Serve a robot with sliders, or return its picture for a page."""
    from toccata.view import open_page
    from toccata.view._files import scene_of

    if args.mesh or args.frames:
        raise ValueError(f"--{'mesh' if args.mesh else 'frames'}: cannot be combined with a URDF")
    robot = read_urdf(args, RobotFile("", paths[0], srdf=args.srdf))
    world = scene_of([Path(path) for path in paths[1:]])
    ignore(args.ignore, robot, world)
    if args.html:
        title = ", ".join(Path(path).name for path in paths[:3])
        return Picture(robot, {"world": world}, {"title": title})
    serve(open_page(robot, world=world, host=args.host, port=args.port))
    return None


def _demo(args: argparse.Namespace) -> Picture | None:
    """Serve a live demo, or return its recording for a page."""
    from toccata.view._demos import demo, open_demo

    found = demo(args.demo)
    if args.html:
        return Picture(found.recorded())
    serve(open_demo(args.demo, host=args.host, port=args.port))
    return None
