"""The path of a part: certified motions one after the other, among other bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh, as_mesh
from toccata._proximity import distance_batch
from toccata._scene import PreparedWorld, as_world
from toccata._text import counted
from toccata.dynamics._assembly import Assembly
from toccata.dynamics._manipulator import Contacts
from toccata.dynamics._path import MotionPath
from toccata.view import _numbers
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import DARK, GRAY, GREEN, ORANGE, RED, YELLOW
from toccata.view._items import Arrows, Body, Item, Mark, Outcome, Plot, Points, View
from toccata.view._parts import Facts, Touch

ROWS = 240
_FEW = 12
"""Largest number of motions with marks at their ends."""


def of_path(path: MotionPath | Assembly, body: Any, scene: Any = None, target: Any = None) -> View:
    """Return a view of the path of a part.

    Args:
        path: the path of a `dynamics.Manipulator` or of a file, or an answer of `assemble`.
        body: the part.
        scene: the bodies around the part.
        target: pose that the part should reach, (4, 4), shown as a ghost.

    """
    part, world = as_mesh("body", body), as_world(scene)
    assembly = path if isinstance(path, Assembly) else None
    motions = path.path if isinstance(path, Assembly) else path
    poses = np.eye(4) if assembly is None else assembly.pose
    times, clock, marked = np.zeros(1), np.zeros(1), np.zeros(0)
    if len(motions):
        knots = _shares(motions, part)
        marked = knots if len(motions) <= _FEW else knots[:0]
        times = np.unique(np.concatenate([np.linspace(0.0, 1.0, ROWS), marked]))
        poses, clock = _along(motions, knots, times)
    moved = parts.body_of("part", ORANGE, part, poses, "part")
    around = _around(world, clock)
    items: list[Item] = [moved, *around, *parts.ghosts([moved]), *parts.trail(moved)]
    if target is not None:
        ghost = Body(
            "target/part", GREEN, *parts.mesh_arrays(part), np.asarray(target), opacity=0.25
        )
        items.append(replace(ghost, legend="target"))
    marks = [Mark(f"Motion {i}", float(time), GREEN) for i, time in enumerate(marked[1:-1], 2)]
    blocking = None if assembly is None else assembly.contacts
    if blocking is not None and len(blocking):
        items += _contacts(blocking, part.radius)
        k, time = int(np.argmin(blocking.distance)), float(times[-1])
        touch = Touch(time, blocking.point_a[k], blocking.point_b[k], blocking.normal[k])
        camera = touch.camera([moved, *around], len(times) - 1, parts.size_of([moved]))
        marks.append(Mark("Blocked", time, RED, camera))
    view = View(
        "Path of a part",
        tuple(items),
        times,
        _outcome(path),
        tuple(marks),
        tuple(_distance(part, world, poses, clock)) if len(motions) else (),
        tuple(_facts(path, motions)),
        kind="Path of a part",
        seconds=6.0,
    )
    return framed(view)


def _outcome(path: MotionPath | Assembly) -> Outcome | None:
    if not isinstance(path, Assembly):
        return Outcome("FREE", safe=((0.0, 1.0),)) if len(path) else None
    contacts = path.contacts
    touching: tuple[str, ...] = ()
    if contacts is not None and len(contacts):
        touching = ("part", contacts.names[contacts.body_b[int(np.argmin(contacts.distance))]])
    return Outcome(path.status.name, touching=touching, safe=((0.0, 1.0),))


def _facts(path: MotionPath | Assembly, motions: MotionPath) -> Facts:
    if not len(motions):
        yield "Path", "no motions"
        return
    methods = dict.fromkeys(path.methods) if isinstance(path, Assembly) else {}
    yield "Path", ", ".join([counted(len(motions), "motion"), *methods, "each certified free"])
    yield "Distance kept", f"at least {_numbers.length(float(motions.separation.min()))}"


def _shares(motions: MotionPath, part: Mesh) -> Floats:
    """Return the end times of motions, from 0 to 1, for a part that moves at an even speed."""
    shift = np.linalg.norm(motions.end[:, :3, 3] - motions.start[:, :3, 3], axis=1)
    turn = np.einsum("kij,kij->k", motions.start[:, :3, :3], motions.end[:, :3, :3])
    angle = np.arccos(np.clip((turn - 1) / 2, -1.0, 1.0))
    lengths = shift + part.radius * angle + 1e-9 * part.radius
    return np.concatenate([[0.0], np.cumsum(lengths) / lengths.sum()])


def _along(motions: MotionPath, knots: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Return the poses of the part, and the times of the scene."""
    piece = np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(motions) - 1)
    share = np.clip((times - knots[piece]) / (knots[piece + 1] - knots[piece]), 0.0, 1.0)
    pairs = zip(piece, share, strict=True)
    poses = np.array([motions[int(i)].pose(float(t)) for i, t in pairs])
    clock = motions.time[piece, 0] + share * (motions.time[piece, 1] - motions.time[piece, 0])
    return poses, np.clip(clock, 0.0, 1.0)


def _around(world: PreparedWorld, clock: Floats) -> list[Body]:
    found = []
    for name, (mesh, motion) in world.bodies.items():
        still = motion._core.is_fixed or bool((clock == clock[0]).all())
        poses = motion.pose(float(clock[0])) if still else motion.pose(clock)
        found.append(parts.body_of(name, GRAY, mesh, poses, "scene", "scene"))
    return found


def _contacts(contacts: Contacts, radius: float) -> Iterator[Item]:
    size, legend = 0.03 * radius, "blocking contact point"
    yield Points("contact/points", YELLOW, contacts.point_a, size, legend=legend)
    ends = contacts.point_b, contacts.point_b + 0.2 * radius * contacts.normal
    yield Arrows("contact/normals", DARK, *ends, 0.01 * radius, legend="contact normal")


def _distance(part: Mesh, world: PreparedWorld, poses: Floats, clock: Floats) -> Iterator[Plot]:
    """Yield a plot of the distance between the part and the closest body around it."""
    rows = [
        distance_batch(
            parts.drawable(part), parts.drawable(mesh), poses, motion.pose(clock)
        ).distance
        for mesh, motion in world.bodies.values()
    ]
    if rows:
        yield Plot("Distance to the scene", {"distance": np.min(rows, axis=0)})
