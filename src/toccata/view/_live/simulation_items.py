"""The items of a simulation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata.dynamics._world import World
from toccata.view._colors import DARK, GRAY, PALETTE, RED, YELLOW
from toccata.view._items import Arrows, Body, Item, Points


class SimulationItems:
    """Makes the list of items; the arrays of meshes are the same in each of them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._meshes: dict[str, tuple[Floats, NDArray[np.int32]]] = {}
        for name, mesh in world.meshes.items():
            self.add(name, mesh)
        self._own = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(world.names)}
        self.size = _size(world)
        """Size of the moving bodies together."""
        radii = [mesh.radius for name, mesh in world.meshes.items() if self.movable(name)]
        self.ball = max(0.06 * self.size, float(np.median(radii)) / 2 if radii else 0.0)
        """Radius of a ball that is neither lost among bodies nor hides them."""

    def add(self, name: str, mesh: Mesh) -> None:
        """Show a body that is new in the world."""
        self._meshes[name] = np.array(mesh.vertices), np.array(mesh.faces)

    def remove(self, name: str) -> None:
        """Show a body no longer."""
        del self._meshes[name]

    def movable(self, name: str) -> bool:
        """Return whether forces move a body."""
        return self._world.movable(name)

    def all(self, spring: tuple[Floats, Floats] | None) -> tuple[Item, ...]:
        """Return all items as the world is now."""
        items: list[Item] = [*self._bodies(), *self._contacts()]
        if spring is not None:
            ends = spring[0][None], spring[1][None]
            items.append(Arrows("spring", DARK, *ends, 0.008 * self.size, heads=False))
        return tuple(items)

    def _bodies(self) -> Iterator[Item]:
        groups = self._groups()
        for name, pose in zip(self._world.names, self._world.poses, strict=True):
            if name in groups:
                color = PALETTE[groups[name] % len(PALETTE)] if groups[name] else GRAY
            else:
                color = self._own.get(name, RED) if self.movable(name) else GRAY
            yield Body(f"world/{name}", color, *self._meshes[name], pose)

    def _groups(self) -> dict[str, int]:
        """Return the rigid group of each link, 0 for what never moves; other bodies have none."""
        found, before = {}, 0
        for robot in self._world._bodies.robots.values():
            groups = robot.body.groups
            for name, carrier in zip(robot.names, robot.carriers, strict=True):
                found[name] = int(groups[carrier]) + before if carrier >= 0 else 0
            before += int(groups.max(initial=0))
        return found

    def _contacts(self) -> Iterator[Item]:
        contacts = self._world.contacts
        if not len(contacts):
            return
        yield Points("contacts/points", YELLOW, contacts.point, 0.02 * self.size)
        force = np.linalg.norm(contacts.force, axis=1, keepdims=True)
        if (largest := float(force.max())) > 0:
            # By the square root, so that small forces beside large ones are seen.
            length = 0.25 * self.size * np.sqrt(force / largest)
            directions = contacts.force / np.maximum(force, 1e-300)
            ends = contacts.point, contacts.point + length * directions
            yield Arrows("contacts/forces", RED, *ends, 0.008 * self.size)


def _size(world: World) -> float:
    """Return the spread of the moving bodies' positions, or the largest radius if that is more."""
    moving = [
        (pose[:3, 3], world.meshes[name].radius)
        for name, pose in zip(world.names, world.poses, strict=True)
        if name in world._bodies.free or world._bodies.robot_of(name) is not None
    ]
    if not moving:
        return max((mesh.radius for mesh in world.meshes.values()), default=1.0)
    positions = np.array([position for position, _ in moving])
    spread = np.linalg.norm(positions - positions.mean(axis=0), axis=1).max(initial=0.0)
    return float(max(spread, *(radius for _, radius in moving)))
