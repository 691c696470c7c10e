"""The scenes of `toccata demo`, solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._deforming import DeformingMesh
from toccata._mesh import Mesh
from toccata._query import first_contact
from toccata._robot import RobotContact
from toccata.scenes import deforming, get, pipes, worlds
from toccata.scenes import names as named_scenes
from toccata.scenes.pipes import RobotMotion
from toccata.view import Plot, View, view_of
from toccata.view._connected import cut_edges
from toccata.view._robot import contact_distances

_PAIR = "demo/gear-gear"
_SAMPLES = (10, 100, 1000, 2000)
_SHOWN_SAMPLES = 100
_SECONDS = 2.0
"""Duration of the simulation."""
Solved = tuple[View, bool]
"""A view of the answer, and whether the answer is the expected one."""


def names(everything: bool = False) -> list[str]:
    """Return the names of the demo scenes, one per kind; `everything` adds all two-body scenes."""
    return [*(named_scenes("demo/") if everything else [_PAIR]), *_SOLVED]


def solve(name: str) -> Solved:
    return _SOLVED[name]() if name in _SOLVED else _two_bodies(name)


def _timed(view: View, milliseconds: float, **about: Any) -> View:
    assert view.outcome is not None
    return replace(view, outcome=replace(view.outcome, milliseconds=milliseconds), **about)


def _two_bodies(name: str) -> Solved:
    scene = get(name)
    meshes, motions = (Mesh(*scene.a), Mesh(*scene.b)), (scene.motion_a, scene.motion_b)
    answers = [first_contact(*meshes, *motions, **scene.options()) for _ in range(3)]
    title = name.removeprefix("demo/")
    milliseconds = 1e3 * min(answer.stats.seconds for answer in answers)
    view = view_of(answers[0], bodies=meshes, motions=motions, names=_names(title))
    about = {"title": title, "description": scene.why}
    return _timed(view, milliseconds, **about), scene.accepts(answers[0])


def _names(title: str) -> tuple[str, str]:
    a, _, b = title.partition("-")
    return (a, b) if b and a != b else (f"{a} A", f"{a} B")


def _robot() -> Solved:
    motion = pipes.grazing_motion()
    robot, world = motion.robot, motion.world
    contact = robot.first_contact(motion.q0, motion.q1, world)
    found = {count: _sampled(motion, count) for count in _SAMPLES}
    view = view_of(contact, robot=robot, path=np.array([motion.q0, motion.q1]), world=world)
    missed = ", ".join(f"{count:,}" for count, hits in found.items() if not hits)
    fact = ("Sampling misses it", f"with {missed} evenly spaced samples, all samples are free")
    view = replace(
        view,
        title="robot among pipes",
        description=motion.why,
        facts=(fact, *view.facts),
        plots=(*view.plots, _dip(motion, contact)),
    )
    return view, bool(contact) and not any(found.values())


def _sampled(motion: RobotMotion, count: int) -> int:
    """Return the number of evenly spaced samples of a motion that are in contact."""
    rows = motion.sampled(count)
    return int(motion.robot.first_contact_batch(rows, rows, motion.world).collides.sum())


def _dip(motion: RobotMotion, contact: RobotContact) -> Plot:
    """Return a plot of the distance, which falls to zero between two samples."""
    times = np.linspace(0.0, 1.0, _SHOWN_SAMPLES)
    samples = times[np.abs(times - contact.toc) < 2.5 / _SHOWN_SAMPLES]
    window = np.linspace(float(samples[0]), float(samples[-1]), 401)

    def apart(at: Floats) -> Floats:
        return contact_distances(motion.robot, motion.at(at), contact, motion.world)

    name = f"Near the contact; circles mark some of {_SHOWN_SAMPLES} samples"
    dots = np.column_stack([samples, apart(samples)])
    return Plot(name, {"distance": apart(window)}, window, dots)


def _cut() -> Solved:
    steps = {step.label: step for step in deforming.scene("nidus", 9_000).steps()}
    before, after = steps["press"], steps["cut"]
    assert after.origin is not None
    model = DeformingMesh(before.v0, before.faces)
    model.retopologize(after.v0, after.faces, after.origin)
    found = model.step(after.v1, contacts="all")
    cuts = cut_edges(before.faces, after.faces, after.origin)
    view = view_of(found, v0=after.v0, v1=after.v1, faces=after.faces, cuts=cuts)
    description = (
        "A tangle of vessels. Every second vessel has just been cut through, along the red lines,"
        " so the mesh has a new topology. The ends of the vessels draw back, and vessels touch."
    )
    view = replace(view, title="vessels, cut", description=description)
    return view, 0.1 < found.toc < 0.11


def _simulation() -> Solved:
    scene = worlds.get("falling-man")
    world = worlds.make_world(scene)
    log, steps = world.start_log(), round(_SECONDS / scene.step)
    began = time.perf_counter()
    reports = [world.step() for _ in range(steps)]
    milliseconds = 1e3 * (time.perf_counter() - began)
    view = view_of(log, reports=reports)
    about = {"title": "falling man", "description": scene.why}
    return _timed(view, milliseconds, **about), not sum(report.stopped for report in reports)


_SOLVED: dict[str, Callable[[], Solved]] = {
    "robot among pipes": _robot,
    "vessels, cut": _cut,
    "falling man": _simulation,
}
