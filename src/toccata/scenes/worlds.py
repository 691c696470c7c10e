"""The worlds by name, and how a `dynamics.World` is made of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from . import articulated, mechanisms, piles, thrown
from .world_scene import RobotStart, WorldBody, WorldScene, WorldSpring

if TYPE_CHECKING:
    from toccata.dynamics import ArticulatedBody, MassProperties, World
    from toccata.dynamics._active import Active

__all__ = [
    "ARTICULATED",
    "WORLDS",
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

WORLDS: dict[str, Callable[..., WorldScene]] = {
    "bunnies": thrown.bunnies,
    "bunny-dynamics": thrown.bunny_dynamics,
    "bouncing-car": thrown.bouncing_car,
    "heap": piles.heap,
    "nut": mechanisms.nut_on_bolt,
    "bricks": piles.bricks,
    "wall": piles.brick_wall,
    "sheet": piles.ball_and_sheet,
    "gears": mechanisms.gear_box,
    "wooden-men": articulated.wooden_men,
    "pendulum": articulated.pendulum,
    "falling-man": articulated.falling_man,
}
"""Name -> function that makes the scene; its arguments are options of the scene."""
ARTICULATED = ("wooden-men", "pendulum", "falling-man")
"""Those with articulated bodies."""
_HOUR = 3600.0
"""For how long bodies turn that do so by themselves."""


def names() -> list[str]:
    """Names of all worlds."""
    return list(WORLDS)


def why(name: str) -> str:
    """What a world shows, in a sentence."""
    return " ".join((_known(name).__doc__ or "").split("\n\n")[0].split())


def options(name: str) -> dict[str, int]:
    """Options of a world and their defaults: some of `bodies` and `seed`."""
    return {key: given.default for key, given in signature(_known(name)).parameters.items()}


def get(name: str, **given: int) -> WorldScene:
    """Build the world of that name, with options of its own."""
    build = _known(name)
    for key, value in given.items():
        if key not in options(name):
            raise ValueError(f"{key}: expected options of {name!r}, which has no such one")
        if value < (key == "bodies"):
            raise ValueError(f"{key}: expected {int(key == 'bodies')} or more, got {value}")
    return replace(build(**given), name=name, why=why(name))


def _known(name: str) -> Callable[..., WorldScene]:
    if name not in WORLDS:
        raise ValueError(f"name: expected one of {', '.join(WORLDS)}, got {name!r}")
    return WORLDS[name]


def make_world(
    scene: WorldScene, *, active: Active = None, error: float | None = None, **options: Any
) -> World:
    """Return a `dynamics.World` of a scene; options are those of `World`.

    `active` and `error` say how many joints of each articulated body are simulated, or which.
    """
    from toccata.dynamics import World

    world = World(scene.gravity, scene.step, **options)
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
    from toccata.dynamics import ArticulatedBody

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
    """How a body moves, as arguments of `World.add`."""
    from toccata import Motion

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
    """What a body weighs: by its mass where one is given, by its density elsewhere."""
    from toccata import Mesh
    from toccata.dynamics import MassProperties

    own = MassProperties.of(Mesh(*body.mesh), body.density)
    if body.mass is None:
        return own
    return MassProperties(body.mass, own.center, own.inertia * (body.mass / own.mass))
