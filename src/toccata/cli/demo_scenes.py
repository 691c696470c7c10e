"""The scenes of `toccata demo`, solved and ready to be told."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toccata.deforming import DeformingMesh
from toccata.mesh import Mesh
from toccata.query import first_contact
from toccata.report import (
    Entry,
    Plot,
    Step,
    contact_distances,
    cut_edges,
    of_bodies,
    of_robot,
    of_simulation,
    of_steps,
)
from toccata.robot import RobotContact
from toccata.scenes import deforming, get, pipes, worlds
from toccata.scenes import names as named_scenes
from toccata.scenes.pipes import RobotMotion

_PAIR = "demo/gear-gear"
_SAMPLES = (10, 100, 1000, 2000)
_SHOWN_SAMPLES = 100
_SIMULATED = 2.0  # seconds


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What to tell about a scene, and whether it is what was expected."""

    entry: Entry
    expected: bool
    answer: Any
    given: dict[str, Any]
    """What the answer is about, as `toccata.view.view_of` takes both."""


def names(everything: bool = False) -> list[str]:
    """Return the scenes: one of each kind, or all of two bodies in place of one."""
    return [*(named_scenes("demo/") if everything else [_PAIR]), *_SOLVED]


def solve(name: str) -> Solved:
    """Solve the scene of that name."""
    return _SOLVED[name]() if name in _SOLVED else _two_bodies(name)


def _two_bodies(name: str) -> Solved:
    scene = get(name)
    meshes, motions = (Mesh(*scene.a), Mesh(*scene.b)), (scene.motion_a, scene.motion_b)
    answers = [first_contact(*meshes, *motions, **scene.options()) for _ in range(3)]
    told = {"name": name.removeprefix("demo/"), "description": scene.why}
    entry = of_bodies(*meshes, motions, answers[0], **told)
    milliseconds = 1e3 * min(answer.stats.seconds for answer in answers)
    given = {"bodies": meshes, "motions": motions, "names": ("a", "b")}
    entry = replace(entry, milliseconds=milliseconds)
    return Solved(entry, scene.accepts(answers[0]), answers[0], given)


def _robot() -> Solved:
    motion = pipes.grazing_motion()
    robot, world = motion.robot, motion.world
    contact = robot.first_contact(motion.q0, motion.q1, world)
    found = {count: _sampled(motion, count) for count in _SAMPLES}
    told = {"name": "robot among pipes", "description": motion.why}
    entry = of_robot(robot, ((0.0, 1.0), (motion.q0, motion.q1)), contact, world, **told)
    missed = ", ".join(f"{count:,}" for count, hits in found.items() if not hits)
    fact = ("Sampling misses it", f"{missed} evenly spaced samples of the way are all free")
    plots = (*entry.plots, _dip(motion, contact))
    entry = replace(entry, facts=(fact, *entry.facts), plots=plots)
    given = {"robot": robot, "path": np.array([motion.q0, motion.q1]), "world": world}
    return Solved(entry, bool(contact) and not any(found.values()), contact, given)


def _sampled(motion: RobotMotion, count: int) -> int:
    """Return how many of evenly spaced samples of a motion are in contact."""
    rows = motion.sampled(count)
    return int(motion.robot.first_contact_batch(rows, rows, motion.world).collides.sum())


def _dip(motion: RobotMotion, contact: RobotContact) -> Plot:
    """Return how the distance falls to zero between two samples."""
    times = np.linspace(0.0, 1.0, _SHOWN_SAMPLES)
    samples = times[np.abs(times - contact.toc) < 2.5 / _SHOWN_SAMPLES]
    begin, end = float(samples[0]), float(samples[-1])
    window = np.linspace(begin, end, 401)

    def apart(at: np.ndarray) -> np.ndarray:
        return contact_distances(motion.robot, motion.at(at), contact, motion.world)

    title = f"The same near the contact; circles: where {_SHOWN_SAMPLES} samples look"
    dots = np.column_stack([samples, apart(samples)])
    return Plot(title, window, apart(window), dots, (begin, end))


def _cut() -> Solved:
    steps = {step.label: step for step in deforming.scene("nidus", 9_000).steps()}
    before, after = steps["press"], steps["cut"]
    assert after.origin is not None
    model = DeformingMesh(before.v0, before.faces)
    model.retopologize(after.v0, after.faces, after.origin)
    found = model.step(after.v1, contacts="all")
    seams = cut_edges(after.faces, before.faces, after.origin)
    description = (
        "A tangle of vessels. Every second one has just been cut through, along the red lines,"
        " which gave the mesh a new topology. The ends draw back, and vessels touch on the way."
    )
    step = Step(after.v0, after.v1, after.faces, found, seams)
    entry = of_steps([step], name="vessels, cut", description=description)
    names = ("v0", "v1", "faces", "origin")
    given = {key: getattr(after, key) for key in names}
    return Solved(entry, 0.1 < found.toc < 0.11, found, given)


def _simulation() -> Solved:
    scene = worlds.get("falling-man")
    world = worlds.make_world(scene)
    log, steps = world.start_log(), round(_SIMULATED / scene.step)
    began = time.perf_counter()
    reports = [world.step() for _ in range(steps)]
    milliseconds = 1e3 * (time.perf_counter() - began)
    entry = of_simulation(log, reports, name="falling man", description=scene.why)
    entry = replace(entry, milliseconds=milliseconds)
    return Solved(entry, entry.status == "DONE", log, {})


_SOLVED: dict[str, Callable[[], Solved]] = {
    "robot among pipes": _robot,
    "vessels, cut": _cut,
    "falling man": _simulation,
}
