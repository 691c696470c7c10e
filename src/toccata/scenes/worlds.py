"""The worlds by name, and how a `dynamics.World` is made of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

from . import mechanisms, piles, thrown
from .world_scene import WorldBody, WorldRobot, WorldScene, WorldSpring

if TYPE_CHECKING:
    from toccata.dynamics import MassProperties, World

__all__ = [
    "WORLDS",
    "WorldBody",
    "WorldRobot",
    "WorldScene",
    "WorldSpring",
    "get",
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
}
"""Name -> function that makes the scene; its arguments are options of the scene."""
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


def make_world(scene: WorldScene, **options: Any) -> World:
    """Return a `dynamics.World` of a scene; options are those of `World`."""
    from toccata.dynamics import World

    world = World(scene.gravity, scene.step, **options)
    for name, mesh in scene.meshes().items():
        body = scene.bodies[name]
        world.add(name, mesh, friction=body.friction, restitution=body.restitution, **_moving(body))
    return world


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
