"""The items of a part in hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._scene import PreparedWorld
from toccata.dynamics._manipulator import Contacts, Move
from toccata.view._colors import DARK, GRAY, GREEN, ORANGE, RED, YELLOW
from toccata.view._items import Arrows, Body, Item, Points
from toccata.view._parts import mesh_arrays

_SHORT = 1e-9
"""Length below which arrows are not drawn, as a fraction of the part's radius."""
_MOVES_PER_LINE = 6
"""Moves that one line of the drawn path spans."""


class HandItems:
    """Makes the list of items; the arrays of meshes are the same in each of them."""

    def __init__(self, part: Mesh, world: PreparedWorld, center: Floats) -> None:
        self._part = mesh_arrays(part)
        self._center, self._radius = center, part.radius
        self._fixed = tuple(
            Body(f"scene/{name}", GRAY, *mesh_arrays(mesh), motion.pose(0.0))
            for name, (mesh, motion) in world.bodies.items()
        )
        self._drawn_path: Arrows | None = None

    def all(
        self, pose: Floats, move: Move | None, centers: Floats, held: tuple[Floats, Floats] | None
    ) -> tuple[Item, ...]:
        """Return all items for a state of the session."""
        items: list[Item] = [*self._fixed, Body("part", ORANGE, *self._part, pose)]
        if move is not None:
            items += self._contacts(move.contacts)
            items += self._force(pose, move.wrench)
        if held is not None:
            ends = held[0][None], held[1][None]
            items.append(Arrows("pull", DARK, *ends, 0.006 * self._radius, heads=False))
        return (*items, *self._path(centers))

    def _contacts(self, contacts: Contacts) -> Iterator[Item]:
        if len(contacts):
            ends = contacts.point_a + 0.15 * self._radius * contacts.normal
            yield Points("contacts/points", YELLOW, contacts.point_a, 0.03 * self._radius)
            yield Arrows("contacts/normals", DARK, contacts.point_a, ends, 0.008 * self._radius)

    def _force(self, pose: Floats, wrench: Floats) -> Iterator[Item]:
        """Yield the contact force, as long as the distance that contacts keep to the target."""
        start = pose[:3, :3] @ self._center + pose[:3, 3]
        if np.linalg.norm(wrench[:3]) > _SHORT * self._radius:
            end = start + wrench[:3]
            yield Arrows("contacts/force", RED, start[None], end[None], 0.016 * self._radius)

    def _path(self, centers: Floats) -> Iterator[Item]:
        points = centers[: len(centers) - (len(centers) - 1) % _MOVES_PER_LINE : _MOVES_PER_LINE]
        if len(points) < 2:
            return
        if self._drawn_path is None or not np.array_equal(points[1:], self._drawn_path.end):
            size = 0.006 * self._radius
            self._drawn_path = Arrows("path", GREEN, points[:-1], points[1:], size, heads=False)
        yield self._drawn_path
