"""What a world saves, and which bodies it belongs to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._robot.internal import tree_of
from toccata.dynamics._links import WorldRobot
from toccata.dynamics._mass import MassProperties


@dataclass(frozen=True, slots=True, eq=False)
class WorldState:
    """What a world saves: all that changes from step to step. Can be pickled."""

    names: tuple[str, ...]
    """Of all bodies, sorted."""
    numbers: Floats
    bodies: tuple[str, ...] = ()
    """A digest of each body: its mesh, its mass and, for links, the robot."""
    seal: str = ""
    """A digest of everything else; a state with another seal is checked like a start."""

    def _check_bodies(self, names: tuple[str, ...], bodies: tuple[str, ...]) -> None:
        """Refuse a state of other bodies than a world has."""
        if self.names != names:
            odd = sorted(set(self.names) ^ set(names))
            which = f", got one that differs in {odd[0]!r}" if odd else ""
            raise ValueError(f"state: expected one of the same bodies{which}")
        if not self.bodies:
            return  # made by hand
        for name, mine, its in zip(names, bodies, self.bodies, strict=True):
            if mine != its:
                raise ValueError(
                    f"state: expected one of the same bodies, got another mesh, mass or kind of "
                    f"{name!r}"
                )

    def _sealed(self, shell: float) -> WorldState:
        """Return the state with the seal of a world whose bodies rest at a shell."""
        return WorldState(self.names, self.numbers, self.bodies, self._seal(shell))

    def _seal(self, shell: float) -> str:
        return digest([*self.names, *self.bodies, np.float64(shell), self.numbers])


def digest(parts: Iterable[Any]) -> str:
    """Return a digest of texts, numbers and arrays."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes()
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()


def mesh_digest(mesh: Mesh) -> str:
    """Return a digest of vertices, faces and solids."""
    solids = mesh.solid_faces if mesh.solid else np.empty(0)
    return digest([mesh.vertices, mesh.faces, solids])


def body_digest(kind: str, mass: MassProperties | None) -> str:
    """Return a digest of a body without its mesh; the mass of given bodies is None."""
    weight = [] if mass is None else [mass.mass, mass.center, mass.inertia]
    return digest([kind, *weight])


def robot_digest(robot: WorldRobot) -> str:
    """Return a digest of an articulated body without its meshes: joints, masses, tested pairs."""
    parts: list[Any] = [robot.name, robot.tested, repr(robot.ignored)]
    for given in tree_of(robot.body.robot).given:
        parts += [part if isinstance(part, np.ndarray) else repr(part) for part in given]
    for mass in robot.body._made[1]:
        parts += [mass.mass, mass.center, mass.inertia]
    parts += [robot.places, np.array(robot.carriers, dtype=np.int64)]
    return digest(parts)
