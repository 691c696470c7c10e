"""Many moving bodies."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any, Unpack

from toccata._native import core
from toccata._text import listed
from toccata.mesh import Mesh, as_mesh
from toccata.motion import STILL, Motion, as_motion
from toccata.near import Proximities
from toccata.options import RigidOptions, rigid_options
from toccata.result import Contact


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """The bodies of a scene, ready for queries of robots."""

    native: core.World
    bodies: dict[str, tuple[Mesh, Motion]]
    names: tuple[str, ...]
    moves: bool
    """Whether any body does."""
    asked: dict[Any, tuple[core.RobotOptions, Any]] = field(default_factory=dict)
    """Options that robots have asked with, ready for these bodies, and separations by pair."""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the bodies: the rest is made from them."""
        return World.of, (self.bodies,)

    @classmethod
    def of(cls, bodies: dict[str, tuple[Mesh, Motion]]) -> World:
        """Return the world of some bodies."""
        native = core.make_world(
            [mesh._core for mesh, _ in bodies.values()],
            [motion._core for _, motion in bodies.values()],
        )
        moves = any(not motion._core.is_fixed for _, motion in bodies.values())
        return cls(native, dict(bodies), tuple(bodies), moves)


class Scene:
    """Named bodies, each at a pose or on a motion."""

    __slots__ = ("_bodies", "_core", "_ignored", "_world")

    def __init__(self) -> None:
        """Start empty."""
        self._bodies: dict[str, tuple[Mesh, Motion]] = {}
        self._ignored: set[frozenset[str]] = set()
        self._world: World | None = None
        self._core: core.Scene | None = None

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the bodies and what is ignored; copies share only bodies, which never change."""
        return dict(self._bodies), set(self._ignored)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        (self._bodies, self._ignored), self._world, self._core = state, None, None

    @classmethod
    def load(cls, path: str | os.PathLike[str], solid: bool = False) -> Scene:
        """Read a file of any format that trimesh reads; its parts keep their names.

        With `solid` all parts are closed, and what starts wholly inside one overlaps it.
        """
        name = os.fspath(path)
        try:
            import trimesh
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "Scene.load needs trimesh: pip install 'toccata[io]'"
            ) from error
        if not os.path.exists(name):
            raise FileNotFoundError(f"{name}: no such file")
        try:
            loaded: Any = trimesh.load(name, force="scene", process=False)
        except Exception as error:  # every reader of trimesh fails in its own way
            raise ValueError(f"{name}: expected a file that trimesh reads ({error})") from error
        if not loaded.geometry:
            raise ValueError(f"{name}: expected triangles, got an empty scene")
        return cls._of_trimesh(name, loaded, solid=solid)

    @classmethod
    def _of_trimesh(cls, name: str, value: Any, *, solid: bool = False) -> Scene:
        scene = cls()
        for node in value.graph.nodes_geometry:
            pose, part = value.graph[node]
            mesh = as_mesh(f"{name}, {str(node)!r}", value.geometry[part], solid=solid, pose=pose)
            scene.add(str(node), mesh)
        return scene

    def add(self, name: str, mesh: Any, pose_or_motion: Any = None) -> None:
        """Add a body; without a pose or motion it stays where its coordinates are."""
        if name in self._bodies:
            raise ValueError(f"name: expected a new name, got {name!r} again")
        self._world = self._core = None
        still = pose_or_motion is None
        motion = STILL if still else as_motion("pose_or_motion", pose_or_motion)
        self._bodies[name] = (as_mesh("mesh", mesh), motion)

    def ignore(self, name_a: str, name_b: str) -> None:
        """Never report contacts of these two bodies."""
        for name in (name_a, name_b):
            if name not in self._bodies:
                raise ValueError(f"name: expected a body of the scene, got {name!r}")
        if name_a == name_b:
            raise ValueError(f"name_b: expected another body than {name_a!r}")
        self._core = None
        self._ignored.add(frozenset((name_a, name_b)))

    def __len__(self) -> int:
        return len(self._bodies)

    def __contains__(self, name: str) -> bool:
        return name in self._bodies

    def __repr__(self) -> str:
        moving = [name for name, (_, motion) in self._bodies.items() if not motion._core.is_fixed]
        parts = [f"{len(self)} bodies: {listed(self._bodies)}" if self._bodies else "no bodies"]
        if moving:
            parts.append(f"{len(moving)} on a motion: {listed(moving)}")
        if self._ignored:
            parts.append(f"{len(self._ignored)} pairs ignored")
        return f"Scene({'; '.join(parts)})"

    def first_contact(self, **options: Unpack[RigidOptions]) -> Contact:
        """Return the earliest contact of all pairs, with `body_a` and `body_b` naming the bodies.

        Arguments are as for `toccata.first_contact`; the budget is for all pairs together. A body
        is not tested against itself. Of two bodies in contact, `body_a` is the one that was added
        first.
        """
        how = rigid_options(options)
        names = self._as_world().names
        start = time.perf_counter()
        found, i, j, tested = self._as_core().first_contact(how)
        bodies = (names[i], names[j]) if i >= 0 else (None, None)
        return Contact._of(found, time.perf_counter() - start, bodies=bodies, pairs=tested)

    def _as_core(self) -> core.Scene:
        if self._core is None:
            number = {name: i for i, name in enumerate(self._bodies)}
            pairs = [[number[name] for name in pair] for pair in self._ignored]
            ignored = [(min(pair), max(pair)) for pair in pairs]
            self._core = core.Scene(self._as_world().native, ignored)
        return self._core

    def _as_world(self) -> World:
        if self._world is None:
            self._world = World.of(self._bodies)
        return self._world

    def proximities(self, distance: float) -> Proximities:
        """Return what `toccata.proximities` lists, of all pairs of bodies at t = 0.

        `body_a` and `body_b` are numbers of bodies in the order in which they were added.
        """
        return Proximities(*core.scene_proximities(self._as_core(), distance))


_NOTHING = Scene()


def as_world(value: Any) -> World:
    """Return what robots move in: a Scene, a trimesh.Scene, one mesh, or None for nothing."""
    if isinstance(value, Scene):
        return value._as_world()
    if isinstance(value, World):
        return value
    if value is None:
        return _NOTHING._as_world()
    if hasattr(value, "graph") and hasattr(value, "geometry"):  # a trimesh.Scene
        return Scene._of_trimesh("world", value)._as_world()
    scene = Scene()
    scene.add("world", as_mesh("world", value))
    return scene._as_world()
