"""`toccata check`: the first contact of two moving meshes."""

from __future__ import annotations

import argparse
from pathlib import Path

from toccata._cli.answers import EXIT_CODES, contact_details, contact_fields, summary_line
from toccata._cli.arguments import read_pose, solid_row
from toccata._cli.command import Command, Output, Picture
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._options import RigidOptions
from toccata._query import first_contact


class Check(Command):
    """Find the first contact of two meshes, or certify that they do not touch.

    Mesh A moves from one pose to another, and B stands still or moves too. Poses and lengths are in
    the units of the files. Time t runs from 0 to 1 over the motion.
    """

    name = "check"
    summary = "first contact of two moving meshes"
    usage = "A B"
    example = "box.obj plate.obj --from 0 0 2 --to 0 0 -1"
    arguments = (
        """
        A  Mesh file (.obj, .ply, .stl, .glb, ...).
        B  Mesh file.
        --from POSE  Pose of A at t = 0. Default: as in the file.
        --to POSE  Pose of A at t = 1. Default: the pose of --from.
        --b-from POSE  Pose of B at t = 0. Default: as in the file.
        --b-to POSE  Pose of B at t = 1. Default: the pose of --b-from.
        --motion {linear,screw} = linear
            Motion between the poses: linear moves the origin on a straight line and turns at a
            constant rate; screw turns about one axis and slides along it.
        """,
        solid_row("solid", "meshes"),
    )
    options = ((RigidOptions, ("separation", "tolerance", "method", "initial", "budget")),)
    is_long = False

    def solve(self, args: argparse.Namespace) -> Output:
        a, b = Mesh.load(args.a, solid=args.solid), Mesh.load(args.b, solid=args.solid)
        motions = _motion(args, "from", "to"), _motion(args, "b-from", "b-to")
        contact = first_contact(a, b, *motions, **self.query(args))
        names = Path(args.a).stem, Path(args.b).stem
        names = names if len(set(names)) == 2 else ("A", "B")
        lines = [summary_line(contact), *contact_details(contact, *names)]
        picture = Picture(contact, {"bodies": (a, b), "motions": motions, "names": names})
        return Output(EXIT_CODES[contact.status], lines, lambda: contact_fields(contact), picture)


def _motion(args: argparse.Namespace, start: str, end: str) -> Motion:
    """Return the motion between the poses of two options."""
    first, last = (getattr(args, name.replace("-", "_")) for name in (start, end))
    poses = [read_pose(f"--{start}", first)]
    poses.append(poses[0] if last is None else read_pose(f"--{end}", last))
    return Motion.screw(*poses) if args.motion == "screw" else Motion.linear(*poses)
