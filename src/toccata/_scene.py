"""Many moving bodies."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, Unpack, cast

from numpy.typing import ArrayLike

from toccata._arrays import as_threads
from toccata._bodies import Bodies, SceneBody
from toccata._files import parts_of_trimesh, read_parts
from toccata._files.part import Part
from toccata._mesh import as_mesh, as_solid
from toccata._motion import STILL, MotionRows, as_motion
from toccata._native import core
from toccata._options import (
    BodyClearanceOptions,
    RigidOptions,
    SceneOptions,
    Which,
    body_clearance_options,
    pair_distances,
    rigid_options,
    wants_all,
)
from toccata._proximity import Proximities, SceneDistances
from toccata._result import NOBODY, Clearance, Contact, SceneContacts
from toccata._shown import Shown
from toccata._text import listed


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


class Scene(Shown):
    """Named bodies, each at a pose or on a motion.

    Threads may share a scene. An edit is atomic, and every query sees the scene either before or
    after it: `_lock` is held while the bodies are read or changed, not during queries. An edit
    first drops `_core` and `_world`, which are built from the bodies, so that an interrupted edit
    cannot leave an outdated one behind.
    """

    __slots__ = ("_bodies", "_core", "_ignored", "_lock", "_world")

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.RLock()
        self._bodies = Bodies()
        self._ignored: set[frozenset[str]] = set()
        self._world: World | None = None
        self._core: tuple[core.Scene, tuple[str, ...]] | None = None
        """The bodies in the core, with the names of its indices."""

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the bodies and the ignored pairs; copies share only bodies, which never change."""
        with self._lock:
            return dict(self._bodies), set(self._ignored)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        bodies, self._ignored = state
        self._lock, self._bodies = threading.RLock(), Bodies(bodies)
        self._world = self._core = None

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
        still = pose_or_motion is None
        motion = STILL if still else as_motion("pose_or_motion", pose_or_motion)
        body = as_mesh("mesh", mesh)
        with self._lock:
            if name in self._bodies:
                raise ValueError(f"name: expected a new name, got {name!r} again")
            self._world = self._core = None
            self._bodies.add(name, body, motion)

    def remove(self, name: str) -> None:
        """Remove a body, and its ignored pairs."""
        with self._lock:
            self._bodies.check_known(name)
            self._world = self._core = None
            self._bodies.remove(name)
            self._ignored = {pair for pair in self._ignored if name not in pair}

    def move(self, name: str, pose_or_motion: Any) -> None:
        """Give a body another pose or motion."""
        motion = as_motion("pose_or_motion", pose_or_motion)
        with self._lock:
            self._bodies.check_known(name)
            ready, self._world, self._core = self._core, None, None
            self._bodies.move(name, motion)
            if ready is not None:
                ready[0].move(self._bodies.number[name], motion._core)
                self._core = ready

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
        with self._lock:
            rows = MotionRows.of(start, end, linear, angular, count=len(self)).copied()
            ready = self._as_core()
            self._world = self._core = None
            try:
                ready[0].move_all(*rows)  # refuses poses that are not rigid, and then moves nothing
            except ValueError:
                self._core = ready
                raise
            self._bodies.move_all(rows)
            self._core = ready

    def ignore(self, name_a: str, name_b: str) -> None:
        """Never report contacts of these two bodies."""
        with self._lock:
            self._edit_ignored(self._ignored.add, self._bodies.pair(name_a, name_b))

    def unignore(self, name_a: str, name_b: str) -> None:
        """Report contacts of two bodies that were ignored."""
        with self._lock:
            pair = self._bodies.pair(name_a, name_b)
            if pair not in self._ignored:
                raise ValueError(f"name_b: expected a body that {name_a!r} ignores, got {name_b!r}")
            self._edit_ignored(self._ignored.remove, pair)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all bodies, in the order in which they were added."""
        with self._lock:
            return tuple(self._bodies)

    def __getitem__(self, name: str) -> SceneBody:
        """Return the mesh and the motion of a body."""
        with self._lock:
            return self._bodies[name]

    def __len__(self) -> int:
        return len(self._bodies)

    def __contains__(self, name: str) -> bool:
        return name in self._bodies

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __repr__(self) -> str:
        bodies, ignored = self.__getstate__()
        moving = [name for name, body in bodies.items() if not body.motion._core.is_fixed]
        parts = [f"{len(bodies)} bodies: {listed(bodies)}" if bodies else "no bodies"]
        if moving:
            parts.append(f"{len(moving)} on a motion: {listed(moving)}")
        if ignored:
            parts.append(f"{len(ignored)} pairs ignored")
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
        every, start = wants_all(contacts), time.perf_counter()
        (native, names), how, separations = self._query(options)
        found, i, j, tested, rows = native.first_contact(how, separations, every)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        at_toc = tuple(Contact._of(c, bodies=(names[k], names[m])) for c, k, m in rows)
        seconds = time.perf_counter() - start
        return Contact._of(found, seconds, at_toc, bodies, tested, self._bodies.version())

    def contacts(
        self, *, threads: int | None = None, **options: Unpack[SceneOptions]
    ) -> SceneContacts:
        """Return the first contact of every pair that is not proven free, as arrays.

        Rows are ordered by time, then by the order of `names`. Each has the bits of
        `toccata.first_contact` of these two bodies, and the budget is for each of them.
        """
        (native, names), how, separations = self._query(options)
        columns, a, b = native.contacts(how, separations, as_threads(threads))
        return SceneContacts(*(*columns, a, b, names))._keeping(*self._bodies.version())

    def clearance(self, **options: Unpack[BodyClearanceOptions]) -> Clearance:
        """Return how near any two bodies come to each other: the least distance of all pairs.

        Ignored pairs are not measured. Options: `tolerance` of the answer, by default a
        ten-thousandth of the smallest body's radius; `limit`, from which on distances need not be
        told from each other; `budget`.
        """
        how, start = body_clearance_options(options), time.perf_counter()
        native, names = self._as_core()
        found, i, j = native.clearance(how)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        answer = Clearance._of(found, time.perf_counter() - start, bodies)
        return answer._keeping(*self._bodies.version())

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

    def _query(
        self, given: SceneOptions
    ) -> tuple[tuple[core.Scene, tuple[str, ...]], core.Options, core.PairSeparations | None]:
        """Return the core, the options and the separations by pair, all of one state."""
        separation = given.get("separation", 0.0)
        if type(separation) is float or not isinstance(separation, Mapping):
            return self._as_core(), rigid_options(cast(RigidOptions, given)), None
        rest: Any = {name: value for name, value in given.items() if name != "separation"}
        how = rigid_options(rest)
        with self._lock:
            return self._as_core(), how, self._separations(separation)

    def _separations(self, separation: Mapping[Any, float]) -> core.PairSeparations:
        distances = pair_distances(separation, self._bodies.pair)
        default = distances.pop(None)
        for pair in distances:
            if pair in self._ignored:
                raise ValueError(f"separation: expected a pair that is tested, got {sorted(pair)}")
        pairs = [self._bodies.numbers(pair) for pair in distances if pair is not None]
        return core.PairSeparations(pairs, list(distances.values()), default, len(self))

    def _edit_ignored(self, edit: Callable[[frozenset[str]], None], pair: frozenset[str]) -> None:
        ready, self._core = self._core, None
        edit(pair)
        if ready is not None:
            ready[0].ignore(list(map(self._bodies.numbers, self._ignored)))
            self._core = ready

    def _default_tolerance(self) -> float:
        """Return the largest tolerance that a pair of bodies has if none is given."""
        return self._as_core()[0].default_tolerance()

    def _as_core(self) -> tuple[core.Scene, tuple[str, ...]]:
        ready = self._core  # read once: another thread may replace it
        if ready is not None:
            return ready
        with self._lock:
            if self._core is None:
                meshes = [mesh._core for mesh, _ in self._bodies.values()]
                motions = [motion._core for _, motion in self._bodies.values()]
                ignored = list(map(self._bodies.numbers, self._ignored))
                self._core = core.Scene(meshes, motions, ignored), tuple(self._bodies)
            return self._core

    def _as_world(self) -> World:
        ready = self._world
        if ready is not None:
            return ready
        with self._lock:
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
