"""Named worlds of rigid and articulated bodies for `dynamics.World`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata.dynamics import ArticulatedBody, MassProperties, World
from toccata.dynamics._active import Active

from . import _piles, articulated
from ._arguments import as_count, look_up
from ._world_scene import RobotStart, WorldBody, WorldScene, WorldSpring

__all__ = [
    "ARTICULATED",
    "WORLDS",
    "Builder",
    "RobotStart",
    "WorldBody",
    "WorldScene",
    "WorldSpring",
    "get",
    "make_bodies",
    "make_world",
    "mass_properties",
    "names",
    "options",
    "why",
]

Builder = Callable[..., WorldScene]
"""Function that builds a world; its arguments, `bodies` or `seed`, are options of the world."""

WORLDS: dict[str, Builder] = {
    "heap": _piles.heap,
    "bricks": _piles.bricks,
    "wall": _piles.brick_wall,
    "wooden-men": articulated.wooden_men,
    "pendulum": articulated.pendulum,
    "falling-man": articulated.falling_man,
}
"""Builders of the worlds by name."""
ARTICULATED = ("wooden-men", "pendulum", "falling-man")
"""Names of the worlds with articulated bodies."""
_HOUR = 3600.0
"""Seconds for which a kinematic body turns."""


def names() -> list[str]:
    """Return the names of all worlds."""
    return list(WORLDS)


def why(name: str) -> str:
    """Return a description of a world in one sentence."""
    return _about(_builder(name, None))


def options(name: str, worlds: Mapping[str, Builder] | None = None) -> dict[str, int]:
    """Return the options of a world and their defaults."""
    parameters = signature(_builder(name, worlds)).parameters
    return {key: given.default for key, given in parameters.items()}


def get(name: str, worlds: Mapping[str, Builder] | None = None, /, **given: int) -> WorldScene:
    """Build a world by its name, with values for some of its options.

    The table `worlds` of builders replaces `WORLDS`.
    """
    build, known = _builder(name, worlds), options(name, worlds)
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"{key}: expected an option of {name!r}, which has {_listed(known)}")
        as_count(key, value, int(key == "bodies"))
    return replace(build(**given), name=name, why=_about(build))


def _listed(known: Mapping[str, int]) -> str:
    return ", ".join(known) or "none"


def _about(build: Builder) -> str:
    return " ".join((build.__doc__ or "").split("\n\n")[0].split())


def _builder(name: str, worlds: Mapping[str, Builder] | None) -> Builder:
    return look_up("name", name, WORLDS if worlds is None else worlds)


def make_world(
    scene: WorldScene,
    *,
    active: Active = None,
    error: float | None = None,
    sleeping: bool = True,
    threads: int | None = 1,
) -> World:
    """Return a `dynamics.World` of a scene.

    `active` and `error` choose the active joints of all articulated bodies; `sleeping` and
    `threads` are the arguments of `World`.
    """
    world = World(scene.gravity, scene.step, sleeping=sleeping, threads=threads)
    for name, mesh in scene.meshes().items():
        body = scene.bodies[name]
        world.add(name, mesh, friction=body.friction, restitution=body.restitution, **_moving(body))
    for name, made in make_bodies(scene).items():
        given = scene.robots[name]
        grip = {"friction": given.friction, "restitution": given.restitution}
        world.add_articulated(name, made, active=active, error=error, **grip)
    return world


def make_bodies(scene: WorldScene) -> dict[str, ArticulatedBody]:
    """Return the articulated bodies of a scene by name, with the springs between them."""
    bodies = {}
    for name, given in scene.robots.items():
        body = ArticulatedBody(given.robot, scene.gravity, density=given.density)
        body.q = given.q
        floats = given.robot.joints[0].kind == "floating"
        body.damping = np.where(np.arange(body.freedoms) < 6 * floats, 0.0, given.damping)
        bodies[name] = body
    for spring in scene.springs:
        (one, link), (two, other) = spring.a.split("/", 1), spring.b.split("/", 1)
        bodies[one].add_spring(
            link,
            other,
            body=bodies[two],
            stiffness=spring.stiffness,
            length=spring.length,
            damping=spring.damping,
        )
    return bodies


def _moving(body: WorldBody) -> dict[str, Any]:
    """Return the motion of a body as arguments of `World.add`."""
    if body.fixed:
        return {"pose": body.pose, "fixed": True}
    if body.turning is not None:
        turn = [_HOUR * rate for rate in body.turning]
        return {"motion": Motion.twist(body.pose, (0, 0, 0), turn), "duration": _HOUR}
    return {
        "pose": body.pose,
        "density": body.density,
        "mass": body.mass,
        "velocity": body.velocity,
        "angular_velocity": body.angular_velocity,
    }


def mass_properties(body: WorldBody) -> MassProperties:
    """Return the mass properties of a body, from its mass if it is given, or from its density."""
    own = MassProperties.of(Mesh(*body.mesh), body.density)
    if body.mass is None:
        return own
    return MassProperties(body.mass, own.center, own.inertia * (body.mass / own.mass))
