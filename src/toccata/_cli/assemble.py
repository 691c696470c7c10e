"""`toccata assemble`: a certified path of a part to a pose in an assembly."""

from __future__ import annotations

import argparse
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from toccata._cli.answers import detail, rounded_down, vector
from toccata._cli.arguments import read_pose, solid_row
from toccata._cli.command import Command, Output, Picture
from toccata._cli.terminal import Meter, say
from toccata._mesh import Mesh
from toccata._scene import Scene
from toccata._text import counted
from toccata.dynamics._assembly import Assembly, AssemblyStatus, assemble


class Assemble(Command):
    """Move a part to its pose among bodies that stand still.

    All motions are certified free. Each leg of the path, from one given pose to the next, is
    straight, planned with OMPL, or slides along contacts.
    """

    name = "assemble"
    summary = "a certified path of a part to its pose in an assembly"
    usage = "PART SCENE ... --to POSE"
    example = "door.obj car.obj --from 0.3 1.6 0.9 --to 0.2 0.8 0.8 --out path.npz"
    exit_codes = "0 mounted, 1 blocked, 2 error, 3 undecided"
    arguments = (
        """
        PART  Mesh file (.obj, .ply, .stl, ...).
        SCENE ...  Mesh files of the other bodies.
        --from POSE  Pose of the part at the start. Default: as in the file.
        --to POSE  Pose of the part at the end. Required.
        --via POSE  Pose that the part must reach on the path. Repeatable.
        --out FILE(.npz,.json)  Write the path if the part is mounted: .npz or .json.
        --shell X
            Distance to keep from the scene. Less is kept if an end of a leg is closer than twice
            this distance. Default: a thousandth of the radius of the part.
        --seed N = 0  Seed of the planner.
        --effort N = 2000
            Largest number of motions that the planner tries in a run. 0 disables the planner.
        """,
        solid_row("solid", "meshes"),
    )

    def solve(self, args: argparse.Namespace) -> Output:
        for name in ("seed", "effort"):
            if (value := getattr(args, name)) < 0:
                raise ValueError(f"--{name}: expected a number of at least 0, got {value}")
        part, scene = Mesh.load(args.part, solid=args.solid), Scene()
        for file in args.scene:
            stem = Path(file).stem
            names = chain([stem], (f"{stem} {i}" for i in count(2)))  # repeated names get numbers
            name = next(name for name in names if name not in scene)
            scene.add(name, Mesh.load(file, solid=args.solid))
        target = read_pose("--to", args.to)
        found = assemble(
            part,
            scene,
            target,
            start=read_pose("--from", getattr(args, "from")),
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
        fields = _fields(found)
        picture = Picture(found, context, {"title": title})
        return Output(int(found.status), _lines(found, fields), lambda: fields, picture)


class _Progress:
    """Printer of each leg, and of the progress of each kind of work on the leg."""

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


def _fields(found: Assembly) -> dict[str, Any]:
    contact, contacts = None, found.contacts
    if contacts is not None and len(contacts):
        k = int(np.argmin(contacts.distance))
        name = contacts.names[contacts.body_b[k]]
        contact = {"body": name, "point": contacts.point_a[k], "normal": contacts.normal[k]}
    return {
        "status": found.status,
        "methods": list(found.methods),
        "motions": len(found.path),
        "separation": float(found.path.separation.min()) if len(found.path) else None,
        "pose": found.pose,
        "contact": contact,
    }


_WORDS = {
    AssemblyStatus.MOUNTED: "mounted",
    AssemblyStatus.BLOCKED: "blocked: the part touches the scene at a pose that it has to reach",
    AssemblyStatus.UNDECIDED: "undecided: no path was found",
}


def _lines(found: Assembly, fields: dict[str, Any]) -> list[str]:
    methods = f" ({', '.join(found.methods)})" if found.methods else ""
    lines = [f"{_WORDS[found.status]}; {counted(len(found.path), 'certified motion')}{methods}"]
    separation, contact = fields["separation"], fields["contact"]
    if separation is not None:
        lines.append(detail("separation", f"{rounded_down(separation, 3)} or more"))
    if contact is not None:
        lines.append(detail("body", contact["body"]))
        lines += [detail(key, vector(contact[key])) for key in ("point", "normal")]
    return lines
