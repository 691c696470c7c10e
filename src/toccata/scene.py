"""Many moving bodies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, Unpack, cast

from numpy.typing import ArrayLike

from toccata._arrays import as_threads
from toccata._files import parts_of_trimesh, read_parts
from toccata._files.part import Part
from toccata._native import core
from toccata._text import listed
from toccata.bodies import Bodies, SceneBody
from toccata.mesh import as_mesh, as_solid
from toccata.motion import STILL, MotionRows, as_motion
from toccata.near import Proximities, SceneDistances
from toccata.options import (
    BodyClearanceOptions,
    RigidOptions,
    SceneOptions,
    Which,
    body_clearance_options,
    pair_distances,
    rigid_options,
    wants_all,
)
from toccata.result import NOBODY, Clearance, Contact, SceneContacts


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """The bodies of a scene at one time of its life, ready for queries of robots."""

    native: core.World
    bodies: Mapping[str, SceneBody]
    names: tuple[str, ...]
    moves: bool
    """Whether any body does."""
    asked: dict[Any, tuple[core.RobotOptions, Any]] = field(default_factory=dict)
    """Options that robots have asked with, ready for these bodies, and separations by pair."""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the bodies: the rest is made from them."""
        return _world_of, (dict(self.bodies),)


class Scene:
    """Named bodies, each at a pose or on a motion."""

    __slots__ = ("_bodies", "_core", "_ignored", "_world")

    def __init__(self) -> None:
        """Start empty."""
        self._bodies = Bodies()
        self._ignored: set[frozenset[str]] = set()
        self._world: World | None = None
        self._core: tuple[core.Scene, tuple[str, ...]] | None = None
        """Ready for questions, with the names that its indices mean: other threads may edit."""

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the bodies and what is ignored; copies share only bodies, which never change."""
        return dict(self._bodies), set(self._ignored)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        bodies, self._ignored = state
        self._bodies, self._world, self._core = Bodies(bodies), None, None

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        solid: bool | Literal["auto"] = "auto",
        *,
        scale: float = 1.0,
    ) -> Scene:
        """Read a file: obj, gltf, glb, dae, 3mf, and what trimesh reads (stl, ply, ...).

        Nodes with geometry, and objects and groups of an OBJ, become bodies with their names;
        repeated names get suffixes (`"bolt"`, `"bolt_1"`). Bodies are at the poses of their nodes,
        and nodes that repeat a mesh share it.

        Args:
            path: the file.
            solid: whether a body that starts wholly inside another one overlaps it. "auto": where
                the other one is closed; open meshes are surfaces. True refuses open meshes, and
                with False all are surfaces.
            scale: multiplies all lengths: 0.001 turns millimetres into metres.

        """
        solid = as_solid(solid)
        return cls._of_parts(os.fspath(path), read_parts(path, "Scene.load", scale), solid)

    @classmethod
    def _of_parts(
        cls, source: str, parts: Sequence[Part], solid: bool | Literal["auto"] = False
    ) -> Scene:
        from toccata._files.shared import SharedMeshes

        scene, meshes = cls(), SharedMeshes(solid)
        for part in parts:
            try:
                scene.add(part.name, *meshes.place(part))
            except ValueError as error:
                raise ValueError(f"{source}, {part.name!r}: {error}") from error
        return scene

    def add(self, name: str, mesh: Any, pose_or_motion: Any = None) -> None:
        """Add a body; without a pose or motion it stays where its coordinates are."""
        if name in self._bodies:
            raise ValueError(f"name: expected a new name, got {name!r} again")
        still = pose_or_motion is None
        motion = STILL if still else as_motion("pose_or_motion", pose_or_motion)
        self._bodies.add(name, as_mesh("mesh", mesh), motion)
        self._world = self._core = None

    def remove(self, name: str) -> None:
        """Remove a body, and what is ignored of it."""
        self._bodies.check_known(name)
        self._bodies.remove(name)
        self._ignored = {pair for pair in self._ignored if name not in pair}
        self._world = self._core = None

    def move(self, name: str, pose_or_motion: Any) -> None:
        """Give a body another pose or motion."""
        self._bodies.check_known(name)
        motion = as_motion("pose_or_motion", pose_or_motion)
        self._bodies.move(name, motion)
        self._world = None
        if self._core is not None:
            self._core[0].move(self._bodies.number[name], motion._core)

    def move_all(
        self,
        start: ArrayLike,
        end: ArrayLike | None = None,
        *,
        linear: ArrayLike | None = None,
        angular: ArrayLike | None = None,
    ) -> None:
        """Give all bodies other motions, in the order of `names`.

        Args:
            start: (n, 4, 4) poses at t = 0; without more, bodies stay there.
            end: (n, 4, 4) poses at t = 1, as for `Motion.linear`.
            linear: (n, 3) displacements of the origins, as for `Motion.twist`; zero by default.
            angular: (n, 3) rotation vectors, world axes, as for `Motion.twist`; zero by default.

        """
        rows = MotionRows.of(start, end, linear, angular, count=len(self))
        self._world = None
        self._as_core()[0].move_all(*rows)  # refuses what is not rigid or not finite
        self._bodies.move_all(rows.copied())

    def ignore(self, name_a: str, name_b: str) -> None:
        """Never report contacts of these two bodies."""
        self._ignored.add(self._bodies.pair(name_a, name_b))
        self._tell_ignored()

    def unignore(self, name_a: str, name_b: str) -> None:
        """Report contacts of two bodies that were ignored."""
        pair = self._bodies.pair(name_a, name_b)
        if pair not in self._ignored:
            raise ValueError(f"name_b: expected a body that {name_a!r} ignores, got {name_b!r}")
        self._ignored.remove(pair)
        self._tell_ignored()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all bodies, in the order in which they were added."""
        return tuple(self._bodies)

    def __getitem__(self, name: str) -> SceneBody:
        """Return the mesh and the motion of a body."""
        return self._bodies[name]

    def __len__(self) -> int:
        return len(self._bodies)

    def __contains__(self, name: str) -> bool:
        return name in self._bodies

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __repr__(self) -> str:
        moving = [name for name, body in self._bodies.items() if not body.motion._core.is_fixed]
        parts = [f"{len(self)} bodies: {listed(self._bodies)}" if self._bodies else "no bodies"]
        if moving:
            parts.append(f"{len(moving)} on a motion: {listed(moving)}")
        if self._ignored:
            parts.append(f"{len(self._ignored)} pairs ignored")
        return f"Scene({'; '.join(parts)})"

    def first_contact(
        self, *, contacts: Which = "first", **options: Unpack[SceneOptions]
    ) -> Contact:
        """Return the earliest contact of all pairs, with `body_a` and `body_b` naming the bodies.

        Arguments are as for `toccata.first_contact`; the budget is for all pairs together, and
        `separation` may be a mapping with distances of pairs. A body is not tested against itself.
        Of two bodies in contact, `body_a` is the one that was added first. `contacts="all"` adds
        all contacts of all pairs at that time as `.contacts`.
        """
        how, separations = self._options(options)
        every = wants_all(contacts)
        start = time.perf_counter()
        native, names = self._as_core()
        found, i, j, tested, rows = native.first_contact(how, separations, every)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        at_toc = tuple(Contact._of(c, bodies=(names[k], names[m])) for c, k, m in rows)
        seconds = time.perf_counter() - start
        return Contact._of(found, seconds, at_toc, bodies=bodies, pairs=tested)

    def contacts(
        self, *, threads: int | None = None, **options: Unpack[SceneOptions]
    ) -> SceneContacts:
        """Return the first contact of every pair that is not proven free, as arrays.

        Rows are ordered by time, then by the order of `names`. Each has the bits of
        `toccata.first_contact` of these two bodies, and the budget is for each of them.
        """
        how, separations = self._options(options)
        native, names = self._as_core()
        columns, a, b = native.contacts(how, separations, as_threads(threads))
        return SceneContacts(*(*columns, a, b, names))

    def clearance(self, **options: Unpack[BodyClearanceOptions]) -> Clearance:
        """Return how near any two bodies come to each other: the least distance of all pairs.

        Ignored pairs are not measured. Options: `tolerance` of the answer, by default a
        ten-thousandth of the largest body's radius; `limit`, from which on distances need not be
        told from each other; `budget`.
        """
        how, start = body_clearance_options(options), time.perf_counter()
        native, names = self._as_core()
        found, i, j = native.clearance(how)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        return Clearance._of(found, time.perf_counter() - start, bodies)

    def distances(self, limit: float = inf, *, threads: int | None = None) -> SceneDistances:
        """Return the distances at t = 0 of all pairs of bodies that are less than `limit` apart.

        Ignored pairs have no row. The answers do not depend on the number of threads.
        """
        native, names = self._as_core()
        columns, a, b = native.distances(limit, as_threads(threads))
        return SceneDistances(*(*columns, a, b, names))

    def proximities(self, distance: float) -> Proximities:
        """Return what `toccata.proximities` lists, of all pairs of bodies at t = 0.

        `body_a` and `body_b` are rows of `names`.
        """
        return Proximities(*self._as_core()[0].proximities(distance))

    def _options(self, given: SceneOptions) -> tuple[core.Options, core.PairSeparations | None]:
        separation = given.get("separation", 0.0)
        if type(separation) is float or not isinstance(separation, Mapping):
            return rigid_options(cast(RigidOptions, given)), None
        rest: Any = {name: value for name, value in given.items() if name != "separation"}
        distances = pair_distances(separation, self._bodies.pair)
        default = distances.pop(None)
        for pair in distances:
            if pair in self._ignored:
                raise ValueError(f"separation: expected a pair that is tested, got {sorted(pair)}")
        pairs = [self._bodies.numbers(pair) for pair in distances if pair is not None]
        own = core.PairSeparations(pairs, list(distances.values()), default, len(self))
        return rigid_options(rest), own

    def _tell_ignored(self) -> None:
        if self._core is not None:
            self._core[0].ignore(list(map(self._bodies.numbers, self._ignored)))

    def _as_core(self) -> tuple[core.Scene, tuple[str, ...]]:
        if self._core is None:
            meshes = [mesh._core for mesh, _ in self._bodies.values()]
            motions = [motion._core for _, motion in self._bodies.values()]
            ignored = list(map(self._bodies.numbers, self._ignored))
            self._core = ready = core.Scene(meshes, motions, ignored), self.names
            return ready
        return self._core

    def _as_world(self) -> World:
        if self._world is None:
            scene, names = self._as_core()
            native = scene.world()
            self._world = World(native, self._bodies.copied(), names, native.moves)
        return self._world


def _world_of(bodies: Mapping[str, SceneBody]) -> World:
    """Make a world from what a pickle holds."""
    scene = Scene()
    scene._bodies = Bodies(bodies)
    return scene._as_world()


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
        return Scene._of_parts("world", parts_of_trimesh(value))._as_world()
    scene = Scene()
    scene.add("world", as_mesh("world", value))
    return scene._as_world()
