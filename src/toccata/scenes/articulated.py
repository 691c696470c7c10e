"""The experiments of Kim, Redon, Kim 2008, section 4, with models of our own.

Each world starts from a random configuration without contact, chosen by its seed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from toccata._robot import Robot, combine
from toccata._scene import Scene

from ._balls import balls_on_rods
from ._crockery import laid_table
from ._wooden import DENSITY, wooden_man
from ._world_scene import RobotStart, WorldScene, WorldSpring

__all__ = ["balls_on_rods", "falling_man", "pendulum", "wooden_man", "wooden_men"]

Floats = NDArray[np.float64]
STEP = 1 / 60
"""Seconds per step: one frame of a screen."""
_TRIES = 1_000
APART = 1.7
"""Distance in meters between the pelvises of the two men at the start."""
DAMPING = 0.05
"""Damping of the hinges of a man, so that wrists stop spinning after a hit."""
HEIGHT = 1.6
"""Height in meters of the pelvis before a man falls on the table."""


def wooden_men(seed: int = 0) -> WorldScene:
    """A spring between their chests pulls two weightless wooden men together."""
    man = wooden_man(floating=True)
    both = combine({"left": man, "right": man})

    def draw(rng: np.random.Generator) -> Floats:
        ends = (-APART / 2, 0.0, 0.0), (APART / 2, 0.0, 0.0)
        return np.concatenate([_floating(man, rng, end) for end in ends])

    q = _clear(both, draw, seed)
    robots = {
        name: RobotStart(robot=man, q=q[part], density=DENSITY, friction=0.3, damping=DAMPING)
        for name, part in both.members.items()
    }
    spring = WorldSpring(a="left/chest", b="right/chest", stiffness=150.0)
    return WorldScene(
        robots=robots, springs=(spring,), gravity=(0.0, 0.0, 0.0), step=STEP, steps=120
    )


def pendulum(seed: int = 0) -> WorldScene:
    """A branching pendulum of 30 balls on rods with six ends swings and hits itself."""
    robot = balls_on_rods()
    q = _clear(robot, lambda rng: rng.uniform(0.7 * robot.lower, 0.7 * robot.upper), seed)
    given = RobotStart(robot=robot, q=q, density=DENSITY, friction=0.3)
    return WorldScene(robots={"pendulum": given}, step=STEP, steps=180)


def falling_man(seed: int = 0) -> WorldScene:
    """A wooden man falls on a table with plates and pots, which do not move."""
    man = wooden_man(floating=True)
    things = laid_table(np.random.default_rng(seed))
    around = WorldScene(bodies=things).scene()
    q = _clear(man, lambda rng: _floating(man, rng, (0.0, 0.0, HEIGHT)), seed, around)
    given = RobotStart(robot=man, q=q, density=DENSITY, friction=0.3, damping=DAMPING)
    return WorldScene(bodies=things, robots={"man": given}, step=STEP, steps=120)


def _floating(man: Robot, rng: np.random.Generator, position: tuple[float, float, float]) -> Floats:
    """Return a random configuration in a random orientation, with the root at a position."""
    turn = rng.normal(size=4)
    angles = rng.uniform(man.lower[7:], man.upper[7:])
    return np.concatenate([position, turn / np.linalg.norm(turn), angles])


def _clear(
    robot: Robot,
    draw: Callable[[np.random.Generator], Floats],
    seed: int,
    world: Scene | None = None,
) -> Floats:
    """Return the first drawn configuration with a clearance of a millimeter."""
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        q = draw(rng)
        if not robot.first_contact(q, q, world, separation=1e-3):
            return q
    raise AssertionError(f"no configuration without contact in {_TRIES}")
