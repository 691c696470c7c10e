"""`toccata demo`: one scene of each kind, a table and a report with pictures and players."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from toccata.cli.query import FAILURE

if TYPE_CHECKING:
    from toccata.report import Entry

Solved = tuple["Entry", bool]
"""What to tell, and whether it is what was expected."""

_SAMPLES = (10, 100, 1000, 2000)
_SHOWN_SAMPLES = 100


def add_command(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "demo",
        help="one scene of each kind: a table of answers and an HTML report",
        description="Solve built-in scenes: two bodies, a robot among pipes on a motion that"
        " sampling misses, a step of a mesh that was cut, two seconds of a simulation; print a"
        " table, and draw them.",
    )
    parser.add_argument("--out", default="report.html", metavar="FILE", help="report to write")
    parser.add_argument(
        "--all", action="store_true", help="all scenes of two bodies, in place of one"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table, write the report; 0 if every answer is the expected one."""
    from toccata.report import write_report

    entries, wrong = [], []
    print(_line("kind", "scene", "status", "when", "what touches", "ms"))
    for solve in _scenes(args.all):
        entry, expected = solve()
        entries.append(entry)
        wrong += [] if expected else [entry.name]
        print(_row(entry), flush=True)
    print("drawing ...", file=sys.stderr, flush=True)
    write_report(args.out, entries, title="Toccata: one scene of each kind")
    print("\nNothing touches before the times above, and nothing at all where there is none; each")
    print(f"of these is proven. Pictures and players: {args.out}")
    if wrong:
        print(f"toccata demo: unexpected answers for {', '.join(wrong)}", file=sys.stderr)
    return FAILURE if wrong else 0


def _line(*cells: str) -> str:
    kind, scene, status, when, touching, milliseconds = cells
    return f"{kind:<11} {scene:<17} {status:<8} {when:<12} {touching:<20} {milliseconds:>9}"


def _row(entry: Entry) -> str:
    from toccata.report import touching

    words = (entry.kind, entry.name, entry.status, entry.told(entry.toc), touching(entry))
    return _line(*words, f"{entry.milliseconds:.3f}")


def _scenes(everything: bool) -> Iterator[Callable[[], Solved]]:
    from toccata.scenes import names

    pairs = names("demo/") if everything else ["demo/gear-gear"]
    yield from ((lambda name=name: _two_bodies(name)) for name in pairs)  # type: ignore[misc]
    yield from (_robot, _cut, _simulation)


def _two_bodies(name: str) -> Solved:
    from toccata.mesh import Mesh
    from toccata.query import first_contact
    from toccata.report import of_bodies
    from toccata.scenes import get

    scene = get(name)
    meshes, motions = (Mesh(*scene.a), Mesh(*scene.b)), (scene.motion_a, scene.motion_b)
    answers = [first_contact(*meshes, *motions, **scene.options()) for _ in range(3)]
    told = {"name": name.removeprefix("demo/"), "description": scene.why}
    entry = of_bodies(*meshes, motions, answers[0], **told)
    milliseconds = 1e3 * min(answer.stats.seconds for answer in answers)
    return replace(entry, milliseconds=milliseconds), scene.accepts(answers[0])


def _robot() -> Solved:
    """A robot among pipes: its hand grazes one, and evenly spaced samples of the way miss it."""
    from toccata.report import Plot, of_robot
    from toccata.scenes import pipes

    motion = pipes.grazing_motion()
    robot, world = motion.robot, motion.world
    contact = robot.first_contact(motion.q0, motion.q1, world)
    misses = {n: not robot.first_contact_batch(*2 * [motion.sampled(n)], world) for n in _SAMPLES}
    told = {"name": "robot among pipes", "description": motion.why}
    entry = of_robot(robot, ((0.0, 1.0), (motion.q0, motion.q1)), contact, world, **told)
    times = np.linspace(0.0, 1.0, _SHOWN_SAMPLES)
    heights = robot.distances(motion.sampled(_SHOWN_SAMPLES), world).distance.min(axis=1)
    near = np.abs(times - contact.toc) < 0.025
    window = np.linspace(times[near][0], times[near][-1], 401)
    close = robot.distances(motion.at(window), world).distance.min(axis=1)
    plot = Plot(
        f"The same from {window[0]:.3f} to {window[-1]:.3f}; circles: {_SHOWN_SAMPLES} samples"
        " of the whole way",
        window,
        close,
        np.column_stack([times, heights])[near],
        (float(window[0]), float(window[-1])),
    )
    missed = ", ".join(f"{n:,}" for n, free in misses.items() if free)
    fact = ("Sampling misses it", f"with {missed} evenly spaced samples of the way, all free")
    entry = replace(entry, facts=(fact, *entry.facts), plots=(*entry.plots, plot))
    return entry, bool(contact) and all(misses.values())


def _cut() -> Solved:
    """A bundle of vessels is cut, and a proposed step of it makes them touch."""
    import toccata as tc
    from toccata.report import Step, cut_edges, of_steps
    from toccata.scenes import deforming

    steps = {step.label: step for step in deforming.scene("nidus", 9_000).steps()}
    before, after = steps["press"], steps["cut"]
    model = tc.DeformingMesh(before.v0, before.faces)
    model.retopologize(after.v0, after.faces, after.origin)
    found = model.step(after.v1, contacts="all")
    seams = cut_edges(after.faces, before.faces, after.origin)
    step = Step(after.v0, after.v1, after.faces, found, seams)
    description = (
        "A tangle of vessels. Every second one has been cut through, which gave the mesh a new"
        " topology, and the ends draw back; on the way vessels touch each other."
    )
    entry = of_steps([step], name="vessels, cut", description=description)
    return entry, 0.0 < found.toc < 0.5


def _simulation() -> Solved:
    """A wooden man falls on a table that is laid: two seconds, no penetration."""
    from toccata.report import of_simulation
    from toccata.scenes import worlds

    scene = worlds.get("falling-man")
    world = worlds.make_world(scene)
    log, steps = world.start_log(), round(2.0 / scene.step)
    began = time.perf_counter()
    reports = [world.step() for _ in range(steps)]
    milliseconds = 1e3 * (time.perf_counter() - began)
    entry = of_simulation(log, reports, name="falling man", description=scene.why)
    return replace(entry, milliseconds=milliseconds), entry.status == "DONE"
