"""Worlds of few fast bodies: bunnies, a bouncing car, a ball and a thin sheet."""

from math import pi

import numpy as np

from toccata.scenes._car import car_skeleton
from toccata.scenes._world_scene import (
    WorldBody,
    WorldScene,
    floor,
    place,
    random_turns,
    static,
)
from toccata.scenes.primitives import icosphere
from toccata.scenes.surface import MeshArrays, as_mesh, patch_faces
from toccata_bench.scenes.hare import hare

_RING = 0.5
CAR_MASS = 300.0


def bunnies(bodies: int = 8, seed: int = 0) -> WorldScene:
    """Bunnies of 6,000 triangles are thrown at each other from a circle, and turn as they fly."""
    return _thrown(bodies, seed, 6_000)


def bunny_dynamics(bodies: int = 4, seed: int = 0) -> WorldScene:
    """Bunnies of 26,000 triangles are thrown at each other (Tang et al. 2013, table 1)."""
    return _thrown(bodies, seed, 26_400)


def _thrown(bodies: int, seed: int, count: int) -> WorldScene:
    """Throw bunnies toward the middle of a circle with room for all of them."""
    mesh, turns = hare(count), random_turns(seed, bodies)
    spins = np.random.default_rng(seed + 1).uniform(-6.0, 6.0, (bodies, 3))
    radius = max(_RING, 0.3 * bodies / (2 * pi))
    found = {"floor": floor(8.0 * radius, restitution=0.3)}
    for k in range(bodies):
        angle = 2 * pi * k / bodies
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        velocity = -2.0 * radius / _RING * out + (0.0, 0.0, 1.2)
        found[f"bunny{k}"] = WorldBody(
            mesh=mesh,
            pose=place(radius * out + (0.0, 0.0, 0.4), turns[k]),
            velocity=tuple(velocity.tolist()),
            angular_velocity=tuple(spins[k].tolist()),
            mass=1.0,
            restitution=0.3,
        )
    return WorldScene(bodies=found, steps=240)


def bouncing_car() -> WorldScene:
    """A car's body of 29,000 triangles falls on a large floor and bounces.

    It stands for the second experiment of Redon, Kheddar, Coquillart 2002 (figure 3).
    """
    car = WorldBody(
        mesh=car_skeleton(),
        pose=place((0.0, 0.0, 1.2), (0.25, -0.15, 0.4)),
        angular_velocity=(0.4, 0.8, 0.2),
        mass=CAR_MASS,
        restitution=0.5,
        friction=0.4,
    )
    bodies = {"floor": floor(40.0, restitution=0.5, friction=0.4), "car": car}
    return WorldScene(bodies=bodies, steps=360)


def ball_and_sheet() -> WorldScene:
    """A ball hits a sheet without thickness at 60 m/s: 0.5 m in one step, 2.5 diameters."""
    ball = WorldBody(
        mesh=icosphere(0.1, 3),
        pose=place((0.03, 0.02, 0.75)),
        velocity=(0.0, 0.0, -60.0),
        angular_velocity=(3.0, 20.0, 5.0),
        restitution=0.5,
    )
    return WorldScene(bodies={"sheet": static(_sheet(), restitution=0.5), "ball": ball}, steps=60)


def _sheet(side: float = 4.0, cells: int = 16) -> MeshArrays:
    """Return a flat square of triangles with an open border."""
    line = np.linspace(-side / 2, side / 2, cells + 1)
    x, y = np.meshgrid(line, line)
    points = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    return as_mesh(points, patch_faces(np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)))
