"""The way of a part: certified motions one after the other, among bodies that stay or move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata.dynamics.assembly import Assembly
from toccata.dynamics.manipulator import Contacts
from toccata.dynamics.path import MotionPath
from toccata.mesh import Mesh, as_mesh
from toccata.near import distance_batch
from toccata.scene import World, as_world
from toccata.view.camera import close_up
from toccata.view.items import (
    DARK,
    GREEN,
    GRAY,
    ORANGE,
    RED,
    Arrows,
    Body,
    Item,
    Mark,
    Plot,
    Points,
    View,
)
from toccata.view.parts import drawable, ghosts, mesh_arrays, moving

ROWS = 240
_FEW = 12
"""Ends of motions that are marked, if there are no more."""


def of_path(path: MotionPath | Assembly, body: Any, scene: Any = None, target: Any = None) -> View:
    """Return a view of the way of a part.

    Args:
        path: that of a `dynamics.Manipulator` or of a file, or what `dynamics.assemble` found.
        body: the part.
        scene: the bodies around it.
        target: (4, 4) where it shall be: a ghost there.

    """
    part, world = as_mesh("body", body), as_world(scene)
    way = path.path if isinstance(path, Assembly) else path
    if not len(way):
        return _stuck(path, part, world)
    knots = _shares(way, part)
    times = np.unique(
        np.concatenate([np.linspace(0.0, 1.0, ROWS), knots if len(way) <= _FEW else []])
    )
    poses, clock = _along(way, knots, times)
    moved = moving("part", ORANGE, part, poses)
    around = _around(world, clock)
    items: list[Item] = [moved, *around, *ghosts([moved])]
    items.append(_trail(part, poses))
    if target is not None:
        items.append(
            Body("target/part", GREEN, *mesh_arrays(part), np.asarray(target), opacity=0.25)
        )
    marks = [
        Mark(f"motion {i + 1}", float(knots[i]), GREEN)
        for i in range(1, len(way))
        if len(way) <= _FEW
    ]
    notes = [f"{len(way)} motions, {way.separation.min():.3g} kept at least"]
    if isinstance(path, Assembly):
        notes.insert(0, f"{path.status.name.lower()}: {', '.join(path.ways) or 'none'}")
        if path.contacts is not None:
            items += _contacts(path.contacts, part.radius)
            marks += _blocked(path.contacts, moved, around)
    return View(
        "Way of a part",
        tuple(items),
        times,
        tuple(marks),
        tuple(_distance(part, world, poses, clock)),
        seconds=6.0,
        notes=tuple(notes),
    )


def _stuck(path: Any, part: Mesh, world: World) -> View:
    """Return a part that got nowhere."""
    pose = path.pose if isinstance(path, Assembly) else np.eye(4)
    items: list[Item] = [moving("part", ORANGE, part, pose), *_around(world, np.zeros(1))]
    notes = ["no motions"]
    if isinstance(path, Assembly):
        notes.insert(0, path.status.name.lower())
        items += [] if path.contacts is None else _contacts(path.contacts, part.radius)
    return View("Way of a part", tuple(items), notes=tuple(notes))


def _shares(way: MotionPath, part: Mesh) -> Floats:
    """Return times from 0 to 1 between motions, such that the part moves evenly."""
    shift = np.linalg.norm(way.end[:, :3, 3] - way.start[:, :3, 3], axis=1)
    turn = np.einsum("kij,kij->k", way.start[:, :3, :3], way.end[:, :3, :3])
    angle = np.arccos(np.clip((turn - 1) / 2, -1.0, 1.0))
    lengths = shift + part.radius * angle + 1e-9 * part.radius
    return np.concatenate([[0.0], np.cumsum(lengths) / lengths.sum()])


def _along(way: MotionPath, knots: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Return poses of the part, and times of the scene."""
    piece = np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(way) - 1)
    share = np.clip((times - knots[piece]) / (knots[piece + 1] - knots[piece]), 0.0, 1.0)
    pairs = zip(piece, share, strict=True)
    poses = np.array([way[int(i)].pose(float(t)) for i, t in pairs])
    clock = way.time[piece, 0] + share * (way.time[piece, 1] - way.time[piece, 0])
    return poses, np.clip(clock, 0.0, 1.0)


def _around(world: World, clock: Floats) -> list[Body]:
    found = []
    for name, (mesh, motion) in world.bodies.items():
        still = motion._core.is_fixed or bool((clock == clock[0]).all())
        poses = motion.pose(float(clock[0])) if still else motion.pose(clock)
        found.append(Body(f"scene/{name}", GRAY, *mesh_arrays(mesh), poses))
    return found


def _trail(part: Mesh, poses: Floats) -> Arrows:
    """Return the way of the middle of the part."""
    vertices = mesh_arrays(part)[0]
    middle = (vertices.max(axis=0) + vertices.min(axis=0)) / 2
    places = poses[:, :3, :3] @ middle + poses[:, :3, 3]
    return Arrows("way", GREEN, places[:-1], places[1:], 0.006 * part.radius, heads=False)


def _contacts(contacts: Contacts, radius: float) -> Iterator[Item]:
    if len(contacts):
        end = contacts.point_other + 0.2 * radius * contacts.normal
        yield Points("contact/points", RED, contacts.point, 0.03 * radius)
        yield Arrows("contact/normals", DARK, contacts.point_other, end, 0.01 * radius)


def _blocked(contacts: Contacts, part: Body, around: list[Body]) -> Iterator[Mark]:
    """Return where it does not get on."""
    if len(contacts):
        k = int(np.argmin(contacts.distance))
        placed = [
            (now.vertices, now.faces, now.pose)
            for now in (part.at(-1), *around)
            if now.pose.ndim == 2
        ]
        size = float(np.linalg.norm(np.ptp(part.vertices, axis=0))) / 4
        camera = close_up(placed, contacts.point[k], contacts.normal[k], size)
        yield Mark("blocked", 1.0, RED, camera)


def _distance(part: Mesh, world: World, poses: Floats, clock: Floats) -> Iterator[Plot]:
    """Return the distance of the part to the nearest body around it."""
    rows = [
        distance_batch(drawable(part), drawable(mesh), poses, motion.pose(clock)).distance
        for mesh, motion in world.bodies.values()
    ]
    if rows:
        yield Plot("distance", {"to the scene": np.min(rows, axis=0)}, ((64, 130, 189),))
