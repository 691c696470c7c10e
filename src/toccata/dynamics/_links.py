"""Articulated bodies in a world, with their links as bodies of the world."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._checks import as_type
from toccata._mesh import Mesh
from toccata._native import core
from toccata._robot.internal import meshes_of, tree_of
from toccata._robot.tested import ANY_BODY
from toccata.dynamics import _coupled
from toccata.dynamics._active import Active
from toccata.dynamics._articulated import ArticulatedBody


@dataclass(frozen=True, slots=True, eq=False)
class WorldRobot:
    """An articulated body of a world, and its links with geometry."""

    name: str
    body: ArticulatedBody
    links: tuple[str, ...]
    """Names of the links in the robot, in the order of the robot."""
    choice: core.ActiveChoice
    """The choice of active joints."""
    tested: NDArray[np.bool_]
    """Mask of the pairs of links that are tested, (n, n)."""
    ignored: tuple[tuple[int, str], ...]
    """Ignored pairs of a link, by index, and a body of the world, by name."""

    @classmethod
    def of(cls, name: str, body: Any, active: Active, error: float | None) -> WorldRobot:
        """Check the arguments of `World.add_articulated`."""
        links = as_type("body", body, ArticulatedBody).robot.link_names
        if not any(tree_of(body.robot).carrier[link] >= 0 for link in links):
            raise ValueError("body: expected a link with a mesh that a joint moves, got none")
        pairs = body.robot.ignored_pairs
        if unchecked := [link for link, other in pairs if other == ANY_BODY]:
            wanted = "links that are tested against bodies of a world"
            raise ValueError(f"body: expected {wanted}, got {', '.join(unchecked)}")
        choice = body._choose(active, error).native()
        tested = np.array([[body.robot.tests(a, b) for b in links] for a in links], dtype=bool)
        ignored = [(links.index(a), b) for a, b in pairs if b not in links]
        return cls(name, body, links, choice, tested, tuple(ignored))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the links in the world."""
        return tuple(f"{self.name}/{link}" for link in self.links)

    @property
    def meshes(self) -> dict[str, Mesh]:
        """Meshes of the links by their names in the world."""
        return {f"{self.name}/{link}": mesh for link, mesh in meshes_of(self.body.robot).items()}

    @property
    def carriers(self) -> list[int]:
        """Joint that carries each link; -1 for the ground."""
        return [tree_of(self.body.robot).carrier[link] for link in self.links]

    @property
    def offsets(self) -> Floats:
        """Poses of the links in the frames of their carriers, (n, 4, 4)."""
        tree = tree_of(self.body.robot)
        return np.array([tree.offset[link] for link in self.links])

    def add_to(self, native: core.World, material: core.Material) -> None:
        """Add the links to a simulation."""
        meshes = [mesh._core for mesh in self.meshes.values()]
        columns = zip(self.names, meshes, self.carriers, self.offsets, strict=True)
        links = [core.RobotLink(*link) for link in columns]
        tested = self.tested.ravel().tolist()
        body = self.body._core
        parts = core.RobotParts(self.name, body, links, tested, list(self.ignored), self.choice)
        native.add_robot(parts, material)


def locked(world: threading.Lock, robots: Iterable[WorldRobot]) -> ExitStack:
    """Lock a world, its articulated bodies, and their partners by springs."""
    stack = ExitStack()
    stack.enter_context(world)
    stack.enter_context(_coupled.locked([robot.body for robot in robots]))
    return stack
