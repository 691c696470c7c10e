"""Saved states of worlds, with digests of their bodies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._robot.internal import tree_of
from toccata.dynamics._links import WorldRobot
from toccata.dynamics._mass import MassProperties


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorldState:
    """Everything in a world that changes from step to step; can be pickled."""

    names: tuple[str, ...]
    """Names of all bodies, sorted."""
    numbers: Floats
    bodies: tuple[str, ...] = ()
    """Digests of the bodies: mesh, mass, kind and, for links, robot. Empty digests are ignored."""
    seal: str = ""
    """Digest of names, bodies, shell and numbers. A wrong seal makes `restore` check the state."""

    def _check_bodies(self, names: tuple[str, ...], digests: tuple[str, ...]) -> None:
        """Raise ValueError if the bodies of the state are not the bodies of a world."""
        if self.names != names:
            odd = sorted(set(self.names) ^ set(names))
            got = f", got a state that differs in {odd[0]!r}" if odd else ""
            raise ValueError(f"state: expected a state of the same bodies{got}")
        if not self.bodies:
            return  # the state was made by hand
        for name, mine, its in zip(names, digests, self.bodies, strict=True):
            if mine != its:
                got = f"another mesh, mass or kind of {name!r}"
                raise ValueError(f"state: expected a state of the same bodies, got {got}")

    def _sealed(self, shell: float) -> WorldState:
        """Return the state with its seal; `shell` is the shell of the world."""
        return replace(self, seal=self._seal(shell))

    def _seal(self, shell: float) -> str:
        return digest([*self.names, *self.bodies, np.float64(shell), self.numbers])

    def __repr__(self) -> str:
        return f"WorldState({len(self.names)} bodies, {np.size(self.numbers)} numbers)"


def digest(values: Iterable[Any]) -> str:
    """Return a digest of strings, numbers and arrays."""
    found = hashlib.blake2b(digest_size=16)
    for value in values:
        data = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()


def mesh_digest(mesh: Mesh) -> str:
    """Return a digest of the vertices, faces and solids of a mesh."""
    solids = mesh.solid_faces if mesh.solid else np.empty(0)
    return digest([mesh.vertices, mesh.faces, solids])


def body_digest(kind: str, mass: MassProperties | None) -> str:
    """Return a digest of a body without its mesh; fixed and kinematic bodies have no mass."""
    weight = [] if mass is None else [mass.mass, mass.center, mass.inertia]
    return digest([kind, *weight])


def robot_digest(robot: WorldRobot) -> str:
    """Return a digest of an articulated body without its meshes."""
    values: list[Any] = [robot.name, robot.tested, repr(robot.ignored)]
    for joint in tree_of(robot.body.robot).given:
        values += [value if isinstance(value, np.ndarray) else repr(value) for value in joint]
    for mass in robot.body._model.masses:
        values += [mass.mass, mass.center, mass.inertia]
    values += [robot.offsets, np.array(robot.carriers, dtype=np.int64)]
    return digest(values)
