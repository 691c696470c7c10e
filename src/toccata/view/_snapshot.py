"""A single picture of an answer, a scene or a robot, drawn in bounded time.

The answer to a single query keeps references to its bodies and motions (`ShownAnswer`). Batches,
unpickled answers, and steps of large or reused meshes have no picture.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._bodies import SceneBody
from toccata._result import Clearance, Contact, SceneContacts
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._robot.internal import configurations_on, home
from toccata._robot.spline import Curve
from toccata._scene import PreparedWorld, Scene
from toccata._step_result import StepContacts
from toccata.view import _parts as parts
from toccata.view._camera import framed
from toccata.view._colors import BLUE, GREEN, ORANGE
from toccata.view._deforming import DeformingStep, of_steps
from toccata.view._items import Arrows, Body, Item, Outcome, View
from toccata.view._parts import Touch
from toccata.view._robot import links_of, touching_links, world_times
from toccata.view._scene import names_of, scene_bodies, touching_bodies

MOST_TRIANGLES = 60_000
_PER_CELL = 12
"""Approximate number of triangles of a surface on a grid with n cells per axis, divided by n²."""
_TIMES = 9
_MOST_BODIES = 100
Shot = tuple[View, float]
"""A view, and the time of its picture."""
Placed = tuple[list[Body], Floats]
"""Bodies, and the times of their poses."""


def snapshot(value: Any) -> Shot | None:
    """Return the view and the time of a value's picture; None without known bodies."""
    if isinstance(value, Scene):
        scene = copy.copy(value)  # other threads may edit it
        return _shot(
            None, Touch(), *_of_scene(None, Touch(), {name: scene[name] for name in scene})
        )
    if isinstance(value, Robot):
        q = home(value)
        return _shot(None, Touch(), *_of_robot(None, Touch(), value, None, q, q))
    if not value._kept:
        return None
    if isinstance(value, StepContacts):
        return _of_step(value, *value._kept)
    touch = _touch(value)
    make = _of_robot if isinstance(value, RobotContact | RobotClearance) else _of_pair
    return _shot(value, touch, *make(value, touch, *value._kept))


def _touch(answer: Any) -> Touch:
    """Return the contact, the first of several contacts, or the closest approach."""
    if isinstance(answer, Clearance | RobotClearance):
        return Touch(answer.time, answer.point_a, answer.point_b)
    if isinstance(answer, SceneContacts):
        return Touch.of(answer, 0) if len(answer) else Touch()
    return Touch.of(answer) if answer else Touch()


def _of_step(answer: StepContacts, v0: Floats, v1: Floats, faces: Any) -> Shot | None:
    if not len(faces):
        return None
    view = of_steps([DeformingStep(v0, v1, faces, contacts=answer)])
    return view, float(answer.toc) if answer else 0.0


def _of_pair(answer: Any, touch: Touch, *kept: Any) -> Placed:
    """Return two moving bodies, or a scene that has not been edited since the answer."""
    if len(kept) == 2:
        bodies, edits = kept
        return _of_scene(answer, touch, bodies.copied() if bodies.version()[1] == edits else {})
    times = parts.times_between(touch.time, count=_TIMES)
    rows = zip("ab", (ORANGE, BLUE), kept[:2], kept[2:], strict=True)
    return [
        parts.body_of(name, color, mesh, parts.poses_of(motion, times))
        for name, color, mesh, motion in rows
    ], times


def _of_scene(answer: Any, touch: Touch, bodies: Mapping[str, SceneBody]) -> Placed:
    pair: tuple[str, ...] = ()
    touching: dict[str, Any] = {}
    if isinstance(answer, SceneContacts):
        touching = touching_bodies(answer)
        pair = names_of(answer, 0) if len(answer) else ()
    elif answer is not None and answer.body_a is not None:
        pair = answer.body_a, str(answer.body_b)
    names = [*dict.fromkeys((*pair, *touching, *bodies))][:_MOST_BODIES] if bodies else []
    some = {name: bodies[name] for name in names}
    moves = any(not body.motion._core.is_fixed for body in some.values())
    times = parts.times_between(touch.time, count=_TIMES) if moves else np.zeros(1)
    return [*scene_bodies(some, times, touching, pair).values()], times


def _of_robot(
    answer: Any, touch: Touch, robot: Robot, world: PreparedWorld | None, *path: Any
) -> Placed:
    """Return a robot on a curve, or on the straight motion between two configurations."""
    curve = path[0] if len(path) == 1 else Curve("linear", np.array([0.0, 1.0]), np.stack(path))
    times = parts.times_between(touch.time, count=_TIMES)
    Q = configurations_on(robot, curve, times)
    touching = touching_links(answer) if isinstance(answer, RobotContact) else {}
    bodies = [*links_of(robot, Q, times, touching).values()]
    if world is not None:
        first = [name for name in touching if name in world.bodies]
        names = islice(dict.fromkeys((*first, *world.bodies)), _MOST_BODIES)
        around = {name: world.bodies[name] for name in names}
        bodies += scene_bodies(around, world_times(curve, times), {}, group="world").values()
    return bodies, times


def _shot(answer: Any, touch: Touch, bodies: Sequence[Body], times: Floats) -> Shot | None:
    """Return the bodies at the touch, their ghosts at both ends, and the contact or clearance."""
    if not bodies:
        return None
    light = simplified(bodies)
    hit = isinstance(answer, Contact) and parts.touches(answer)
    size = parts.size_of(light)
    items: list[Item] = [*light, *parts.ghosts(light, rejected=hit)]
    if isinstance(answer, Contact) and hit:
        items += parts.contact_items(answer, size)
    elif answer is not None and np.isfinite([touch.point_a, touch.point_b]).all():
        ends = touch.point_a[None], touch.point_b[None]
        items.append(Arrows("distance", GREEN, *ends, 0.01 * size, heads=False))
    time = touch.time if isfinite(touch.time) else float(times[0])
    view = View("", tuple(items), times, Outcome("", touch.time))
    return framed(view, touch.focus()), time


def simplified(bodies: Sequence[Body], most: int = MOST_TRIANGLES) -> list[Body]:
    """Return rigid bodies with about `most` triangles in total, reduced in equal proportion."""
    total = sum(len(body.faces) for body in bodies)
    if total <= most:
        return [*bodies]
    known: dict[tuple[int, int], tuple[Floats, NDArray[np.int64]]] = {}
    found = []
    for body in bodies:
        key = id(body.vertices), id(body.faces)
        if key not in known:
            share = max(most * len(body.faces) // total, 12)
            known[key] = clustered(np.asarray(body.vertices), body.faces, share)
        vertices, faces = known[key]
        found.append(replace(body, vertices=vertices, faces=faces))
    return found


def clustered(
    vertices: Floats, faces: NDArray[np.integer[Any]], most: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Return a mesh of at most `most` triangles. The vertices in a grid cell become their mean.

    If too many triangles remain, as in a soup, they are thinned out evenly.
    """
    if len(faces) <= most:
        return vertices, faces.astype(np.int64)
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = max(2, round((most / _PER_CELL) ** 0.5))
    grid = np.minimum(((vertices - low) * (cells / size)).astype(np.int64), cells - 1)
    _, cell = np.unique(grid @ np.array([cells * cells, cells, 1]), return_inverse=True)
    count = np.bincount(cell)
    means = np.stack([np.bincount(cell, axis) / count for axis in vertices.T], axis=1)
    kept = np.sort(cell[faces], axis=1)
    flat = (kept[:, 0] == kept[:, 1]) | (kept[:, 1] == kept[:, 2])
    _, first = np.unique(kept[~flat], axis=0, return_index=True)
    left = cell[faces][~flat][np.sort(first)]
    return means, left[:: 1 + len(left) // most]
