"""`toccata assemble`: mount a part without a person."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np

from toccata._cli.meter import Meter
from toccata._cli.output import OutputFile
from toccata._cli.query import POSE_HELP, add_solid_option, read_pose
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view
from toccata._mesh import Mesh
from toccata._scene import Scene
from toccata.dynamics._assembly import Assembly, AssemblyStatus, assemble


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "assemble",
        help="a certified way to where a part is mounted",
        description="Move PART to where it is mounted among the bodies of the scene, by motions"
        " that are certified free: straight, by a planner (ompl), or by sliding.",
        epilog="exit codes: 0 mounted, 1 blocked, 2 usage or failure, 3 undecided",
    )
    parser.add_argument("part", metavar="PART", help="mesh file (obj, ply, stl, glb, ...)")
    parser.add_argument("scene", metavar="SCENE", nargs="+", help="mesh files of bodies that stay")
    numbers: dict[str, Any] = {"nargs": "+", "type": float, "metavar": "X"}
    parser.add_argument("--from", dest="start", **numbers, help=f"where it starts. {POSE_HELP}")
    parser.add_argument("--to", dest="target", required=True, **numbers, help="where it shall be")
    parser.add_argument(
        "--via", action="append", default=[], **numbers, help="a pose between; may be given again"
    )
    parser.add_argument(
        "--out",
        type=OutputFile,
        metavar="FILE",
        help="write the path, .npz or .json, if the part is mounted",
    )
    parser.add_argument("--shell", type=float, help="distance to keep; default: 1e-3 of the radius")
    parser.add_argument("--seed", type=int, default=0, help="of the planner")
    parser.add_argument(
        "--effort", type=int, default=2000, help="motions that the planner tries per leg, 0: none"
    )
    add_solid_option(parser, "--solid", "the meshes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Try, print how it went, and return the exit code."""
    _check(args)
    part, scene = Mesh.load(args.part, solid=args.solid), _scene(args.scene, args.solid)
    target = read_pose("--to", args.target)
    found = assemble(
        part,
        scene,
        target,
        start=None if args.start is None else read_pose("--from", args.start),
        via=[read_pose("--via", numbers) for numbers in args.via],
        shell=args.shell,
        seed=args.seed,
        effort=args.effort,
        progress=_Steps() if args.progress else None,
    )
    for note in found.notes:
        say(f"toccata assemble: {note}", error=True)
    if found and args.out:
        with args.out.replaced() as file:
            found.path.save(file)
    say(*([json.dumps(_as_json(found))] if args.json else _as_text(found)))
    title = f"{Path(args.part).stem}, mounted" if found else Path(args.part).stem
    present(args, lambda: _view(found, part, scene, target), title=title)
    return int(found.status)


def _view(found: Assembly, part: Mesh, scene: Scene, target: Any) -> Any:
    from toccata.view import view_of

    return view_of(found, body=part, scene=scene, target=target)


def _check(args: argparse.Namespace) -> None:
    """Refuse before the work what would be refused after it."""
    wants_view(args)
    if args.seed < 0 or args.effort < 0:
        name = "--seed" if args.seed < 0 else "--effort"
        raise ValueError(f"{name}: expected a number of at least 0")
    if args.out and Path(args.out).suffix.lower() not in (".npz", ".json"):
        raise ValueError(f"--out: expected a file .npz or .json, got {args.out}")


def _scene(files: list[str], solid: bool | Literal["auto"]) -> Scene:
    """Return the bodies by the names of their files; the second of a name has a number."""
    scene = Scene()
    for file in files:
        name = stem = Path(file).stem
        count = 1
        while name in scene.names:
            count += 1
            name = f"{stem} {count}"
        scene.add(name, Mesh.load(file, solid=solid))
    return scene


class _Steps:
    """Writes what is done to stderr, each kind of work with a meter of its own."""

    def __init__(self) -> None:
        self._what, self._meter = "", Meter("")

    def __call__(self, what: str, done: int, total: int) -> None:
        if what.startswith("leg"):
            say(what, error=True)
            return
        if what != self._what:
            part = "motion" if what == "planning" else "move"
            self._what, self._meter = what, Meter(part, pause=0.5)
            say(what, error=True)
        self._meter(done, total)


def _first_contact(found: Assembly) -> dict[str, Any] | None:
    if found.contacts is None or not len(found.contacts):
        return None
    k = int(np.argmin(found.contacts.distance))
    return {
        "body": found.contacts.names[found.contacts.body_b[k]],
        "point": found.contacts.point_a[k].tolist(),
        "normal": found.contacts.normal[k].tolist(),
    }


def _as_json(found: Assembly) -> dict[str, Any]:
    return {
        "status": found.status.name,
        "methods": list(found.methods),
        "motions": len(found.path),
        "separation": float(found.path.separation.min()) if len(found.path) else None,
        "pose": found.pose.tolist(),
        "contact": _first_contact(found),
    }


_WORDS = {
    AssemblyStatus.MOUNTED: "mounted",
    AssemblyStatus.BLOCKED: "blocked: it touches the scene where it shall be",
    AssemblyStatus.UNDECIDED: "undecided: no way was found",
}


def _as_text(found: Assembly) -> list[str]:
    lines = [
        f"{_WORDS[found.status]}; {len(found.path)} motions, {', '.join(found.methods) or 'none'}"
    ]
    if len(found.path):
        lines.append(f"  kept       {found.path.separation.min():.3g} at least")
    contact = _first_contact(found)
    if contact is not None:
        lines.append(f"  body       {contact['body']}")
        lines += [f"  {key:<10} {_listed(contact[key])}" for key in ("point", "normal")]
    return lines


def _listed(values: list[float]) -> str:
    return " ".join(f"{x:.6g}" for x in values)
