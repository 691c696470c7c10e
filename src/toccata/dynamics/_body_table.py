"""The bodies of a world by name, with digests for saved states."""

from __future__ import annotations

from collections.abc import Iterable

from toccata._checks import as_type
from toccata._mesh import Mesh
from toccata.dynamics._links import WorldRobot
from toccata.dynamics._mass import MassProperties
from toccata.dynamics._world_state import body_digest, mesh_digest, robot_digest


class BodyTable:
    """The bodies of a world in the order in which they were added, as in the core."""

    __slots__ = ("_kinds", "_mesh_digests", "free", "meshes", "robots")

    def __init__(self) -> None:
        """Start empty."""
        self.meshes: dict[str, Mesh] = {}
        """Meshes of all bodies and links, which the core refers to."""
        self.robots: dict[str, WorldRobot] = {}
        self.free: set[str] = set()
        """Names of bodies with mass that are not links."""
        self._kinds: dict[str, str] = {}
        self._mesh_digests: dict[str, str] = {}

    def add(self, name: str, mesh: Mesh, mass: MassProperties | None, *, scripted: bool) -> None:
        """Add a body; without a mass it is kinematic (`scripted`) or fixed."""
        self.meshes[name] = mesh
        kind = "free" if mass is not None else "motion" if scripted else "fixed"
        self._kinds[name] = body_digest(kind, mass)
        if mass is not None:
            self.free.add(name)

    def add_robot(self, robot: WorldRobot) -> None:
        """Add the links of an articulated body."""
        self.robots[robot.name] = robot
        self.meshes |= robot.meshes
        self._kinds |= dict.fromkeys(robot.names, robot_digest(robot))

    def remove(self, name: str) -> None:
        """Remove a body, or an articulated body with its links."""
        robot = self.robots.pop(name, None)
        for gone in (name,) if robot is None else robot.names:
            del self.meshes[gone], self._kinds[gone]
            self._mesh_digests.pop(gone, None)
            self.free.discard(gone)

    def check_known(self, name: str) -> None:
        """Raise for a name that no body has."""
        if name not in self.meshes:
            wanted = "a link" if name in self.robots else "a body of the world"
            raise ValueError(f"name: expected {wanted}, got {name!r}")

    def robot_of(self, name: str) -> WorldRobot | None:
        """Return the articulated body of a link, or None for other bodies."""
        return next((robot for robot in self.robots.values() if name in robot.names), None)

    def movable(self, name: str) -> bool:
        """Return whether forces move a body."""
        robot = self.robot_of(name)
        if robot is None:
            return name in self.free
        return robot.carriers[robot.names.index(name)] >= 0

    def check_new(self, name: str) -> None:
        """Raise an error for a name that is taken or not a string."""
        if as_type("name", name, str) in self.meshes or name in self.robots:
            raise ValueError(f"name: expected a new name, got {name!r} again")

    def check_no_link(self, name: str) -> None:
        """Raise ValueError for a link, which only moves with its articulated body."""
        if robot := self.robot_of(name):
            raise ValueError(
                f"name: expected a body, got {name!r}, a link of the articulated body "
                f"{robot.name!r}"
            )

    def check_free(self, name: str) -> None:
        """Raise ValueError for a link, or for a body without mass."""
        self.check_no_link(name)
        if name not in self.free:
            raise ValueError(f"name: expected a body with mass, got {name!r}")

    def digests(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return digests of the mesh, mass and kind of bodies. Each mesh is hashed once."""
        known = self._mesh_digests
        shared = {id(self.meshes[name]): known[name] for name in known}
        for name in names:
            mesh = self.meshes[name]
            if name not in known:
                known[name] = shared[id(mesh)] = shared.get(id(mesh)) or mesh_digest(mesh)
        return tuple(f"{known[name]}{self._kinds[name]}" for name in names)
