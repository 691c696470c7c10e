"""`toccata simulate`: bodies with mass that never penetrate each other."""

from __future__ import annotations

import argparse
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from toccata._cli.answers import columns
from toccata._cli.command import Command, Output, Picture, wants_picture
from toccata._cli.terminal import Meter
from toccata._text import counted

if TYPE_CHECKING:
    from toccata.dynamics import StepReport, World
    from toccata.scenes.worlds import WorldScene

DONE, STOPPED = 0, 1
_COUNTS = ("steps", "substeps", "impacts", "truncated", "stopped")


class Simulate(Command):
    """Simulate a built-in scene in meters, kilograms and seconds.

    Every motion is certified free of contact before it is executed. The log contains all motions,
    and `toccata audit FILE` certifies them again.
    """

    name = "simulate"
    summary = "bodies that fall, collide and rest, without penetration"
    usage = "(SCENE | --list)"
    example = "heap --bodies 20 --steps 120 --log heap.npz"
    exit_codes = "0 done, 1 a body was stopped early, 2 error"
    arguments = (
        """
        [SCENE]  Name of a scene.
        --list  Print the scenes and exit.
        --steps N  Number of steps. Default: as defined by the scene.
        --bodies N  Number of bodies, for a scene with many bodies.
        --seed N  Seed of a random scene.
        --active N  Number of active joints of each articulated body. Default: all.
        --error X
            Limit of the sum of the squared accelerations of all inactive joints. As few joints as
            possible are active.
        --threads N = 1  Number of threads.
        --log FILE(.npz)  Write all motions, and the rigid group of each link: .npz.
        """,
    )

    def solve(self, args: argparse.Namespace) -> Output:
        from toccata.scenes import worlds

        if args.list:
            options = {name: worlds.options(name).items() for name in worlds.names()}
            own = {k: ", ".join(f"--{key} {value}" for key, value in v) for k, v in options.items()}
            rows = [
                (k, f"{worlds.why(k)}{f' ({text})' if text else ''}") for k, text in own.items()
            ]
            return Output(DONE, columns(*rows))
        scene, steps = _scene(args)
        active = {"active": args.active, "error": args.error}
        world = worlds.make_world(scene, threads=args.threads, **active)
        log = world.start_log() if wants_picture(args) or args.log else None
        began = perf_counter()
        found, reports = _advance(world, steps, self.meter(args, "step"))
        milliseconds = 1e3 * (perf_counter() - began)
        if args.log and log is not None:
            with args.log.replaced() as file:
                log.save(file)
        size = {"scene": scene.name, "bodies": scene.count, "triangles": scene.triangles}
        code, status = (STOPPED, "STOPPED") if found["stopped"] else (DONE, "DONE")
        about = {"title": scene.name, "description": scene.why}
        picture = Picture(log, {"reports": reports}, about, milliseconds)
        return Output(
            code, _table(size | found), lambda: {"status": status} | size | found, picture
        )


def _scene(args: argparse.Namespace) -> tuple[WorldScene, int]:
    """Return the scene and the number of steps; raise ValueError for invalid options."""
    from toccata.scenes import worlds

    if args.scene is None:
        raise ValueError(f"SCENE: expected one of {', '.join(worlds.names())}, got none")
    given = {name: getattr(args, name) for name in ("bodies", "seed")}
    own = {name: value for name, value in given.items() if value is not None}
    scene = worlds.get(args.scene, **own)
    for option in ("active", "error"):
        if getattr(args, option) is not None and not scene.robots:
            wanted = ", ".join(worlds.ARTICULATED)
            raise ValueError(f"--{option}: expected one of the scenes {wanted}, got {args.scene}")
    steps = scene.steps if args.steps is None else args.steps
    if steps < 1:
        raise ValueError(f"--steps: expected a positive number, got {steps}")
    return scene, steps


def _advance(
    world: World, steps: int, meter: Meter | None
) -> tuple[dict[str, Any], list[StepReport]]:
    """Simulate; return the totals of all steps, and the report of each step."""
    before, active = world.energy, 0
    bodies, reports = list(world.articulated.values()), []
    for done in range(1, steps + 1):
        reports.append(world.step())
        active += sum(int(body.active.sum()) for body in bodies)
        if meter is not None:
            meter(done, steps)
    found: dict[str, Any] = {
        **{name: sum(getattr(report, name) for report in reports) for name in _COUNTS},
        "energy_before": before,
        "energy": world.energy,
        "least_distance": min((report.least_distance for report in reports), default=inf),
        "seconds": world.time,
    }
    if bodies:
        found["joints"] = sum(len(body.joint_names) for body in bodies)
        found["active"] = active / steps
    return found, reports


def _table(found: dict[str, Any]) -> list[str]:
    least = found["least_distance"]
    rows = {
        "steps": f"{found['steps']} ({found['seconds']:.4g} s)",
        "substeps": f"{found['substeps']}",
        "impacts": f"{found['impacts']}",
        "truncated": f"{counted(found['truncated'], 'substep')}, with less proven than proposed",
        "stopped": counted(found["stopped"], "body", "bodies"),
        "energy": f"{found['energy_before']:.6g} J at first, {found['energy']:.6g} J at the end",
        "least distance": f"{least:.3g} m" if least < inf else "-",
    }
    if "joints" in found:
        rows["active joints"] = f"{found['active']:.1f} of {found['joints']} on average"
    bodies = counted(found["bodies"], "body", "bodies")
    title = f"{found['scene']}: {bodies}, {counted(found['triangles'], 'triangle')}"
    return [title, *(f"  {key:<16}{value}" for key, value in rows.items())]
