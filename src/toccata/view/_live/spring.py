"""A spring from a pointer to a point of a body in a world."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from toccata._arrays import Floats
from toccata.dynamics._articulated import ArticulatedBody
from toccata.dynamics._world import World
from toccata.view._live.grip import Grip

RATE = 8.0
"""Natural frequency in radians per second. Gravity stretches the spring by g / RATE² = 0.15 m."""
_PROBE = 1e3
"""Speed at which the kinetic energy of a body is large compared to rounding errors."""


@dataclass(slots=True, eq=False)
class Spring:
    """A damped spring that pulls a held point of a body or link toward a pointer.

    `apply` must precede each step of the world, because forces act during one step.
    """

    world: World
    name: str
    grip: Grip
    pointer: Floats
    _mass: float = field(init=False)
    """Mass of the whole body."""
    _moved: float = field(init=False)
    """Mass that the force accelerates directly. A link is much lighter than its whole body."""
    _link: tuple[ArticulatedBody, str] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Determine the masses."""
        owner, _, link = self.name.partition("/")
        body = self.world.articulated.get(owner)
        if body is None:
            self._mass = self._moved = _mass(self.world, self.name)
            return
        masses = [each.mass for each in body._model.masses]
        carrier, _ = body._model.carried("link", link)
        self._link = body, link
        self._mass, self._moved = sum(masses), masses[carrier] if carrier >= 0 else sum(masses)

    def position(self) -> Floats:
        """Return the position of the held point."""
        return self.grip.position(self._row(self.world.poses))

    def apply(self) -> None:
        """Apply the force of the spring for the next step.

        Stiffness k and damping c are explicit. With a step h and the directly accelerated mass m,
        they are stable while k h² + 2 c h < 4 m. With c = √(k m), this holds for steps of up to
        1/60 s if the mass of the whole body is at most 50 times m.
        """
        position, row = self.position(), self._row(self.world.velocities)
        pose = self._row(self.world.poses)
        center = np.asarray(self.world._core.centers())[self.world._row(self.name)]
        arm = position - (pose[:3, :3] @ center + pose[:3, 3])
        velocity = row[:3] + np.cross(row[3:], arm)
        stiffness = self._mass * RATE**2
        damping = np.sqrt(stiffness * self._moved)
        force = stiffness * (self.pointer - position) - damping * velocity
        if self._link is not None:
            self._link[0].apply(self._link[1], force, point=position)
        else:
            self.world.apply(self.name, force, np.cross(arm, force))

    def _row(self, rows: Floats) -> Floats:
        return np.asarray(rows[self.world.names.index(self.name)])


def _mass(world: World, name: str) -> float:
    """Return the mass of a body, from the kinetic energy at a known speed."""
    before = world.velocities[world.names.index(name)]
    energies = []
    for speed in (0.0, _PROBE):
        world.set_velocity(name, (speed, 0.0, 0.0))
        energies.append(world.energy)
    world.set_velocity(name, before[:3], before[3:])
    return 2 * (energies[1] - energies[0]) / _PROBE**2
