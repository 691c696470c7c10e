"""One picture of an answer, a scene or a robot, drawn in bounded time.

An answer of a single query keeps references to its bodies and motions (`ShownAnswer`). Batches,
unpickled answers and steps of large or kept meshes have no picture.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite, nan
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._bodies import SceneBody
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._result import Clearance, Contact, SceneContacts
from toccata._robot import Robot, RobotClearance, RobotContact
from toccata._robot.internal import configurations_on, home
from toccata._robot.spline import Curve
from toccata._scene import PreparedWorld, Scene
from toccata._step_result import StepContacts
from toccata.view._camera import framed
from toccata.view._colors import BLUE, GREEN, ORANGE
from toccata.view._deforming import DeformingStep, of_steps
from toccata.view._items import Arrows, Body, Item, Outcome, View
from toccata.view._parts import (
    Touch,
    body_of,
    contact_items,
    focus_of,
    ghosts,
    poses_of,
    size_of,
    times_between,
    touch_of,
    touches,
)
from toccata.view._robot import links_of, touching_links, world_times
from toccata.view._scene import earliest, scene_bodies, touching_bodies
from toccata.view._simplified import simplified

_TIMES = 9
_MOST_BODIES = 100
_UNKNOWN = np.full(3, nan)
Shot = tuple[View, float]
"""A view, and the time of its picture."""
Moment = tuple[float, Touch]
"""Time and place of what matters most; NaN if unknown."""
_NOWHERE: Moment = (nan, (_UNKNOWN, _UNKNOWN, _UNKNOWN))


def snapshot(value: Any) -> Shot | None:
    """Return what the picture of a value shows, None if its bodies are unknown or none."""
    if isinstance(value, Scene):
        scene = copy.copy(value)  # other threads may edit it
        return _of_scene(None, {name: scene[name] for name in scene})
    if isinstance(value, Robot):
        q = home(value)
        return _of_robot(None, value, None, q, q)
    kept = value._kept
    if not kept:
        return None
    return next((make(value, *kept) for kind, make in _KINDS if isinstance(value, kind)), None)


def _of_pair(answer: Contact | Clearance, *kept: Any) -> Shot | None:
    """Return two bodies in motion, or the scene that an answer is about."""
    if len(kept) == 2:
        bodies, edits = kept
        return _of_scene(answer, bodies.copied()) if bodies.version()[1] == edits else None
    meshes: tuple[Mesh, Mesh] = kept[:2]
    motions: tuple[Motion, Motion] = kept[2:]
    moment = _moment(answer)
    times = times_between(moment[0], count=_TIMES)
    both = [
        body_of(name, color, mesh, poses_of(motion, times))
        for name, color, mesh, motion in zip("ab", (ORANGE, BLUE), meshes, motions, strict=True)
    ]
    return _shot(answer, both, times, moment)


def _of_scene(
    answer: Contact | Clearance | SceneContacts | None, bodies: Mapping[str, SceneBody]
) -> Shot | None:
    moment: Moment = _NOWHERE
    pair: tuple[str, ...] = ()
    touching: dict[str, Any] = {}
    if isinstance(answer, SceneContacts) and len(answer):
        pair, time, touch = earliest(answer)
        moment, touching = (time, touch), touching_bodies(answer)
    elif isinstance(answer, Contact | Clearance):
        moment = _moment(answer)
        pair = () if answer.body_a is None else (answer.body_a, str(answer.body_b))
    names = [*dict.fromkeys((*pair, *touching, *bodies))][:_MOST_BODIES]
    some = {name: bodies[name] for name in names}
    moves = any(not body.motion._core.is_fixed for body in some.values())
    times = times_between(moment[0], count=_TIMES) if moves else np.zeros(1)
    return _shot(answer, [*scene_bodies(some, times, touching, pair).values()], times, moment)


def _of_robot(
    answer: RobotContact | RobotClearance | None,
    robot: Robot,
    world: PreparedWorld | None,
    *path: Any,
) -> Shot | None:
    """Return a robot on a curve, or on the straight motion between two configurations."""
    curve = path[0] if len(path) == 1 else Curve("linear", np.array([0.0, 1.0]), np.stack(path))
    moment = _NOWHERE if answer is None else _moment(answer)
    times = times_between(moment[0], count=_TIMES)
    Q = configurations_on(robot, curve, times)
    touching = touching_links(answer) if isinstance(answer, RobotContact) else {}
    bodies = [*links_of(robot, Q, times, touching).values()]
    if world is not None:
        first = [name for name in touching if name in world.bodies]
        names = islice(dict.fromkeys((*first, *world.bodies)), _MOST_BODIES)
        around = {name: world.bodies[name] for name in names}
        bodies += scene_bodies(around, world_times(curve, times), {}, group="world").values()
    return _shot(answer, bodies, times, moment)


def _of_step(answer: StepContacts, v0: Floats, v1: Floats, faces: Any) -> Shot | None:
    if not len(faces):
        return None
    view = of_steps([DeformingStep(v0, v1, faces, contacts=answer)])
    return view, _moment(answer)[0] if answer else 0.0


_KINDS: tuple[tuple[Any, Callable[..., Shot | None]], ...] = (
    (RobotContact | RobotClearance, _of_robot),
    (StepContacts, _of_step),
    (Contact | Clearance | SceneContacts, _of_pair),
)


def _moment(answer: Any) -> Moment:
    if isinstance(answer, Clearance | RobotClearance):
        return answer.time, (answer.point_a, answer.point_b, _UNKNOWN)
    return (float(answer.toc), touch_of(answer)) if answer else _NOWHERE


def _shot(answer: Any, bodies: Sequence[Body], times: Floats, moment: Moment) -> Shot | None:
    """Return the bodies at a moment, pale where they start and end, and what is between them."""
    time, touch = moment
    if not bodies:
        return None
    light = simplified(bodies)
    hit = isinstance(answer, Contact) and touches(answer)
    size = size_of(light)
    items: list[Item] = [*light, *ghosts(light, rejected=hit)]
    if isinstance(answer, Contact) and hit:
        items += contact_items(answer, size)
    elif answer is not None:
        items += _line(touch, size)
    view = View("", tuple(items), times, Outcome("", time))
    return framed(view, focus_of(time, touch)), time if isfinite(time) else float(times[0])


def _line(touch: Touch, size: float) -> Iterator[Arrows]:
    """Return the segment between the nearest points."""
    a, b, _ = touch
    if np.isfinite(a).all() and np.isfinite(b).all():
        yield Arrows("distance", GREEN, a[None], b[None], 0.01 * size, heads=False)
