"""`toccata assemble`: a certified path of a part to a pose in an assembly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Literal

import numpy as np

from toccata._cli.answers import detail, rounded_down, vector
from toccata._cli.arguments import POSE_HELP, Parser, add, add_solid, read_pose
from toccata._cli.command import Command, Output, Picture
from toccata._cli.output import ending_in
from toccata._cli.terminal import Meter, say
from toccata._mesh import Mesh
from toccata._scene import Scene
from toccata._text import counted
from toccata.dynamics._assembly import Assembly, AssemblyStatus, assemble


class Assemble(Command):
    """A part and the bodies around it."""

    name = "assemble"
    summary = "a certified path of a part to its pose in an assembly"
    usage = "PART SCENE ... --to POSE"
    example = "door.obj car.obj --from 0.3 1.6 0.9 --to 0.2 0.8 0.8 --out path.npz"
    description = (
        "Move a part to its pose among bodies that stand still, by motions that are certified"
        " free: straight, planned (with ompl), or sliding along contacts."
        f"\n\n{POSE_HELP}"
    )
    exit_codes = "0 mounted, 1 blocked, 2 error, 3 undecided"

    def add_arguments(self, parser: Parser) -> None:
        """Add the part, the scene and the poses."""
        add(parser, "PART", "Mesh file (.obj, .ply, .stl, ...).")
        add(parser, "SCENE ...", "Files of the other bodies.")
        text = "Pose of the part at the start. Default: as in the file."
        add(parser, "--from POSE", text, dest="start")
        add(parser, "--to POSE", "Pose of the part at the end.", dest="target", required=True)
        add(parser, "--via POSE", "Pose to pass on the path.", repeatable=True)
        text = "Write the path, if the part is mounted: .npz or .json."
        add(parser, "--out FILE", text, type=ending_in(".npz", ".json"))
        text = (
            "Distance to keep from the scene where there is room. Default: a thousandth of the"
            " radius of the part."
        )
        add(parser, "--shell X", text)
        add(parser, "--seed N", "Seed of the planner.", default=0)
        text = "Most motions that the planner tries for each leg; 0 leaves the planner out."
        add(parser, "--effort N", text, default=2000)
        add_solid(parser, "--solid", "meshes")

    def solve(self, args: argparse.Namespace) -> Output:
        """Return the path, and write it."""
        for name in ("seed", "effort"):
            if (value := getattr(args, name)) < 0:
                raise ValueError(f"--{name}: expected a number of at least 0, got {value}")
        part = Mesh.load(args.part, solid=args.solid)
        scene = _scene(args.scene, args.solid)
        target = read_pose("--to", args.target)
        found = assemble(
            part,
            scene,
            target,
            start=read_pose("--from", args.start),
            via=[read_pose("--via", given) for given in args.via],
            shell=args.shell,
            seed=args.seed,
            effort=args.effort,
            progress=_Progress() if args.progress else None,
        )
        for note in found.notes:
            self.warn(note)
        if found and args.out:
            with args.out.replaced() as file:
                found.path.save(file)
        title = f"{Path(args.part).stem}, mounted" if found else Path(args.part).stem
        context = {"body": part, "scene": scene, "target": target}
        picture = Picture(found, context, {"title": title})
        return Output(int(found.status), _lines(found), lambda: _fields(found), picture)


def _scene(files: list[str], solid: bool | Literal["auto"]) -> Scene:
    """Return a body for each file with its name; repeated names get numbers."""
    scene = Scene()
    for file in files:
        name = stem = Path(file).stem
        number = 1
        while name in scene.names:
            number += 1
            name = f"{stem} {number}"
        scene.add(name, Mesh.load(file, solid=solid))
    return scene


class _Progress:
    """Prints each leg, and the progress of each kind of work on it."""

    def __init__(self) -> None:
        self._work, self._meter = "", Meter("")

    def __call__(self, work: str, done: int, total: int) -> None:
        if work.startswith("leg"):
            say(work, error=True)
            return
        if work != self._work:
            self._work, self._meter = work, Meter("motion" if work == "planning" else "move")
            say(work, error=True)
        self._meter(done, total)


def _contact(found: Assembly) -> dict[str, Any] | None:
    """Return the contact that blocks the part."""
    contacts = found.contacts
    if contacts is None or not len(contacts):
        return None
    k = int(np.argmin(contacts.distance))
    return {
        "body": contacts.names[contacts.body_b[k]],
        "point": contacts.point_a[k],
        "normal": contacts.normal[k],
    }


def _separation(found: Assembly) -> float | None:
    """Return the least certified distance on the path."""
    return float(found.path.separation.min()) if len(found.path) else None


def _fields(found: Assembly) -> dict[str, Any]:
    return {
        "status": found.status,
        "methods": list(found.methods),
        "motions": len(found.path),
        "separation": _separation(found),
        "pose": found.pose,
        "contact": _contact(found),
    }


_WORDS = {
    AssemblyStatus.MOUNTED: "mounted",
    AssemblyStatus.BLOCKED: "blocked: the part touches the scene at a pose that it has to reach",
    AssemblyStatus.UNDECIDED: "undecided: no path was found",
}


def _lines(found: Assembly) -> list[str]:
    methods = f" ({', '.join(found.methods)})" if found.methods else ""
    lines = [f"{_WORDS[found.status]}; {counted(len(found.path), 'certified motion')}{methods}"]
    if (separation := _separation(found)) is not None:
        lines.append(detail("separation", f"{rounded_down(separation, 3)} or more"))
    contact = _contact(found)
    if contact is not None:
        lines.append(detail("body", contact["body"]))
        lines += [detail(key, vector(contact[key])) for key in ("point", "normal")]
    return lines
