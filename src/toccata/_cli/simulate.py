"""`toccata simulate`: a scene of bodies with mass, none of which ever penetrates another."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from toccata._cli.meter import Meter
from toccata._cli.output import OutputFile
from toccata._cli.terminal import say
from toccata._cli.viewing import add_view_options, present, wants_view

if TYPE_CHECKING:
    from toccata.dynamics import StepReport, World
    from toccata.scenes.worlds import WorldScene

DONE, STOPPED = 0, 1
EPILOG = "exit code: 0 done, 1 a body was stopped early, 2 usage or failure"


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "simulate",
        help="a scene of bodies that fall, collide and rest, without penetration",
        description="Simulate a scene of toccata.scenes.worlds. Every motion is certified free of"
        " contact before it is executed. A log holds all of them: `toccata audit FILE` proves it"
        " once more.",
        epilog=EPILOG,
    )
    parser.add_argument("scene", nargs="?", metavar="SCENE", help="name of a scene")
    parser.add_argument("--list", action="store_true", help="print the scenes and end")
    parser.add_argument("--steps", type=int, metavar="N", help="default: what the scene says")
    parser.add_argument("--bodies", type=int, metavar="N", help="how many, where a scene has many")
    parser.add_argument("--seed", type=int, metavar="N", help="where a scene is random")
    parser.add_argument(
        "--active", type=int, metavar="N", help="joints of each articulated body; default: all"
    )
    parser.add_argument(
        "--error",
        type=float,
        metavar="E",
        help="no more active joints than keep the squared accelerations of all others below E",
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="default: 1")
    parser.add_argument(
        "--log",
        type=OutputFile,
        metavar="FILE",
        help="write all motions, and the rigid group of each link, an .npz file",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--progress", action="store_true", help="tell on stderr how far it is")
    add_view_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate, print a table, and return the exit code."""
    from toccata.scenes import worlds

    if args.list:
        say(*_listed())
        return DONE
    scene, steps = _asked(args)
    simulated = {"active": args.active, "error": args.error}
    world = worlds.make_world(scene, threads=args.threads, **simulated)
    log = world.start_log() if wants_view(args) or args.log else None
    what = {"scene": scene.name, "bodies": scene.count, "triangles": scene.triangles}
    meter = Meter("step", pause=0.5) if args.progress else None
    reports: list[StepReport] = []
    began = perf_counter()
    found = what | _advance(world, steps, reports, meter)
    milliseconds = 1e3 * (perf_counter() - began)
    if args.log and log is not None:
        with args.log.replaced() as file:
            log.save(file)
    say(*([_as_json(found)] if args.json else _table(found)))
    about = {"title": scene.name, "description": scene.why}
    present(args, lambda: _view(log, reports, milliseconds), **about)
    return STOPPED if found["stopped"] else DONE


def _asked(args: argparse.Namespace) -> tuple[WorldScene, int]:
    """Check what was asked for before anything long begins."""
    from toccata.scenes import worlds

    if args.scene is None:
        raise ValueError(f"SCENE: expected one of {', '.join(worlds.names())}, got none")
    if args.log and Path(args.log).suffix.lower() != ".npz":
        raise ValueError(f"--log: expected a name that ends in .npz, got {args.log}")
    given = {
        key: getattr(args, key) for key in ("bodies", "seed") if getattr(args, key) is not None
    }
    scene = worlds.get(args.scene, **given)
    for option in ("active", "error"):
        if getattr(args, option) is not None and not scene.robots:
            wanted = ", ".join(worlds.ARTICULATED)
            raise ValueError(f"--{option}: expected one of {wanted}, got {args.scene}")
    steps = scene.steps if args.steps is None else args.steps
    if steps < 1:
        raise ValueError(f"--steps: expected a positive number, got {steps}")
    return scene, steps


def _view(log: Any, reports: list[StepReport], milliseconds: float) -> Any:
    from toccata.view import view_of

    view = view_of(log, reports=reports)
    assert view.outcome is not None
    return replace(view, outcome=replace(view.outcome, milliseconds=milliseconds))


def _advance(
    world: World, steps: int, reports: list[StepReport], meter: Meter | None
) -> dict[str, Any]:
    """Simulate, and return what all steps did together; `reports` gets that of each."""
    found: dict[str, Any] = {"energy_before": world.energy, "least_distance": inf}
    counts = dict.fromkeys(("steps", "substeps", "impacts", "truncated", "stopped"), 0)
    bodies, active = list(world.articulated.values()), 0
    for done in range(1, steps + 1):
        report = world.step()
        reports.append(report)
        counts = {name: count + getattr(report, name) for name, count in counts.items()}
        found["least_distance"] = min(found["least_distance"], report.least_distance)
        active += sum(int(body.active.sum()) for body in bodies)
        if meter is not None:
            meter(done, steps)
    if bodies:
        found["joints"] = sum(len(body.joint_names) for body in bodies)
        found["active"] = active / steps
    return counts | found | {"energy": world.energy, "seconds": world.time}


def _listed() -> list[str]:
    from toccata.scenes import worlds

    width = max(map(len, worlds.names()))
    lines = []
    for name in worlds.names():
        own = ", ".join(f"--{key} {value}" for key, value in worlds.options(name).items())
        lines.append(f"{name:<{width}}  {worlds.why(name)}{f' ({own})' if own else ''}")
    return lines


def _as_json(found: dict[str, Any]) -> str:
    """Write numbers; JSON has no infinity for "nothing was near"."""
    near = found["least_distance"] < inf
    return json.dumps(found if near else found | {"least_distance": None})


def _table(found: dict[str, Any]) -> list[str]:
    least = found["least_distance"]
    rows = {
        "steps": f"{found['steps']}, {found['seconds']:.4g} s",
        "substeps": f"{found['substeps']}",
        "impacts": f"{found['impacts']}",
        "truncated": f"{found['truncated']}",
        "stopped": f"{found['stopped']}",
        "energy": f"{found['energy_before']:.6g} -> {found['energy']:.6g}",
        "least distance": f"{least:.3g}" if least < inf else "-",
    }
    if "joints" in found:
        rows["active joints"] = f"{found['active']:.1f} of {found['joints']} in the mean"
    title = f"{found['scene']}: {found['bodies']} bodies, {found['triangles']} triangles"
    return [title, *(f"  {key:<16}{value}" for key, value in rows.items())]
