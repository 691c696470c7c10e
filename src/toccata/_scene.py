"""Scenes of named bodies, each at a pose or on a motion."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, Unpack, cast

from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_name, as_threads
from toccata._bodies import Bodies, SceneBody
from toccata._files import parts_of_trimesh, read_parts
from toccata._files.part import Part
from toccata._mesh import as_mesh, as_solid
from toccata._motion import STILL, MotionRows, as_motion
from toccata._native import core
from toccata._options import (
    BodyClearanceOptions,
    RigidOptions,
    SceneIntervalOptions,
    SceneOptions,
    Which,
    body_clearance_options,
    check_known,
    pair_distances,
    rigid_options,
    takes,
    wants_all,
)
from toccata._proximity import ClearanceBatch, Proximities, SceneDistances
from toccata._result import NOBODY, Clearance, Contact, SceneContacts
from toccata._shown import Shown
from toccata._text import listed
from toccata.typing import BodyLike, MotionLike, WorldLike


@dataclass(frozen=True, slots=True, eq=False)
class PreparedWorld:
    """An immutable copy of the bodies of a scene, prepared for queries about robots."""

    native: core.BodySet
    bodies: Mapping[str, SceneBody]
    names: tuple[str, ...]
    moves: bool
    """True if any body moves."""
    asked: dict[Any, tuple[core.RobotOptions, Any]] = field(default_factory=dict)
    """Prepared options and separations of earlier queries about robots in this world."""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the bodies; everything else is rebuilt from them."""
        return _world_of, (dict(self.bodies),)


class Scene(Shown):
    """Named bodies, each at a pose or on a motion.

    Threads may share a scene. Edits are atomic: a query sees the scene either before or after an
    edit.
    """

    # `_lock` is held while bodies are read or changed, not during queries. An edit first drops
    # `_core` and `_world`, which are built from the bodies, so that an interrupted edit leaves no
    # outdated ones behind.

    __slots__ = ("_bodies", "_core", "_ignored", "_lock", "_world")

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.RLock()
        self._bodies = Bodies()
        self._ignored: set[frozenset[str]] = set()
        self._world: PreparedWorld | None = None
        self._core: tuple[core.Scene, tuple[str, ...]] | None = None
        """Scene of the core, and the names of its bodies."""

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the bodies and the ignored pairs; copies share only the immutable bodies."""
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
        """Read a file: obj, gltf, glb, dae, 3mf, or a format of trimesh (stl, ply, ...).

        Each node with geometry becomes a body with its name and pose. In an OBJ, each object or
        group becomes a body; faces before the first one become a body with the name of the file.
        Repeated names get suffixes (`"bolt"`, `"bolt_1"`). Nodes with the same triangles, scale and
        shear share a mesh.

        Compressed glTF, free-form curves or surfaces in OBJ and skins in COLLADA raise ValueError.

        Args:
            path: the file.
            solid: "auto" makes closed meshes solid and open meshes surfaces. True refuses open
                meshes. False makes all meshes surfaces. A body that starts inside a solid is an
                initial overlap.
            scale: factor of all lengths: 0.001 converts millimeters to meters.

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
            except (TypeError, ValueError) as error:
                raise type(error)(f"{source}, {part.name!r}: {error}") from error
        return scene

    def add(self, name: str, mesh: BodyLike, pose_or_motion: MotionLike | None = None) -> None:
        """Add a body.

        Args:
            name: a new name.
            mesh: a toccata.Mesh, toccata.Surface or trimesh.Trimesh.
            pose_or_motion: a (4, 4) pose or a toccata.Motion; by default the vertices are world
                coordinates.

        """
        as_name("name", name)
        motion = STILL
        if pose_or_motion is not None:
            motion = as_motion("pose_or_motion", pose_or_motion)
        body = as_mesh("mesh", mesh)
        with self._lock:
            if name in self._bodies:
                raise ValueError(f"name: the scene already has a body named {name!r}")
            self._world = self._core = None
            self._bodies.add(name, body, motion)

    def remove(self, name: str) -> None:
        """Remove a body, and its ignored pairs."""
        with self._lock:
            self._bodies.check_known(name)
            self._world = self._core = None
            self._bodies.remove(name)
            self._ignored = {pair for pair in self._ignored if name not in pair}

    def move(self, name: str, pose_or_motion: MotionLike) -> None:
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
            start: poses at t = 0, (n, 4, 4). Without other arguments, bodies stay at them.
            end: poses at t = 1, as in `Motion.linear`, (n, 4, 4).
            linear: displacements of the origins, as in `Motion.twist`, (n, 3); default: zero.
            angular: rotation vectors, as in `Motion.twist`, (n, 3); default: zero.

        """
        with self._lock:
            rows = MotionRows.of(start, end, linear, angular, count=len(self)).copied()
            ready = self._as_core()
            self._world = self._core = None
            try:
                ready[0].move_all(*rows)  # moves nothing if a pose is not rigid
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
        """Report contacts of two bodies again, after `ignore`."""
        with self._lock:
            pair = self._bodies.pair(name_a, name_b)
            if pair not in self._ignored:
                raise ValueError(f"name_b: expected a body that {name_a!r} ignores, got {name_b!r}")
            self._edit_ignored(self._ignored.remove, pair)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all bodies, in the order in which they were added."""
        with self._lock:
            return tuple(self._bodies)

    def __getitem__(self, name: str) -> SceneBody:
        """Return the `.mesh` and the `.motion` of a body."""
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

    @takes(SceneOptions)
    def first_contact(
        self, *, contacts: Which = "first", **options: Unpack[SceneOptions]
    ) -> Contact:
        """Return the earliest contact of all pairs, with the names `body_a` and `body_b`.

        The budget applies to all pairs together. Bodies are not tested against themselves. `body_a`
        is the body that was added first.

        Args:
            contacts: "all" lists all contacts of all pairs at `toc`, in `.contacts`.

        """
        return self._first_contact(options, contacts)

    def _first_contact(
        self, options: SceneOptions, contacts: Which, known: core.KnownContacts | None = None
    ) -> Contact:
        """Return the earliest contact; `known` has the coherence of a sequence, if there is one."""
        every, start = wants_all(contacts), time.perf_counter()
        (native, names), how, separations = self._query(options)
        found, i, j, tested, rows = native.first_contact(how, separations, every, known)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        at_toc = tuple(Contact._of(c, bodies=(names[k], names[m])) for c, k, m in rows)
        seconds = time.perf_counter() - start
        return Contact._of(found, seconds, at_toc, bodies, tested, self._bodies.version())

    @takes(SceneOptions)
    def contacts(
        self, *, threads: int | None = None, **options: Unpack[SceneOptions]
    ) -> SceneContacts:
        """Return the first contact of every pair that is not proven free.

        Rows are sorted by time, then by bodies in the order of `names`. Each row has the same bits
        as `toccata.first_contact` of its bodies. The budget applies to each pair.

        Args:
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        (native, names), how, separations = self._query(options)
        columns, a, b = native.contacts(how, separations, as_threads(threads))
        return SceneContacts(*(*columns, a, b, names))._keeping(*self._bodies.version())

    @takes(BodyClearanceOptions)
    def clearance(self, **options: Unpack[BodyClearanceOptions]) -> Clearance:
        """Return the least distance between bodies during their motions, without ignored pairs."""
        how, start = body_clearance_options(options), time.perf_counter()
        native, names = self._as_core()
        found, i, j = native.clearance(how)
        bodies = (names[i], names[j]) if i >= 0 else NOBODY
        answer = Clearance._of(found, time.perf_counter() - start, bodies)
        return answer._keeping(*self._bodies.version())

    @takes(BodyClearanceOptions)
    def clearances(
        self, *, threads: int | None = None, **options: Unpack[BodyClearanceOptions]
    ) -> ClearanceBatch:
        """Return the least distance of every pair of bodies during their motions, one row each.

        Pairs that do not come nearer than `limit` and ignored pairs have no row. Rows are sorted by
        the order of `names`. The budget applies to each pair.

        Args:
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        native, names = self._as_core()
        how = body_clearance_options(options)
        return ClearanceBatch(*(*native.clearances(how, as_threads(threads)), names))

    @takes(SceneIntervalOptions)
    def contact_intervals(
        self, *, resolution: float = 1e-3, **options: Unpack[SceneIntervalOptions]
    ) -> Floats:
        """Return the windows in which contact of any two bodies cannot be excluded.

        Returns (k, 2) starts and ends, with the meaning of `toccata.contact_intervals`.

        Args:
            resolution: windows closer to each other than this fraction of the motion are merged.

        """
        check_known(options, SceneIntervalOptions.__optional_keys__)
        (native, _), how, separations = self._query(cast(SceneOptions, options))
        return native.contact_intervals(how, separations, resolution)

    def distances(self, limit: float = inf, *, threads: int | None = None) -> SceneDistances:
        """Return the distances at t = 0 of all pairs of bodies that are less than `limit` apart.

        Ignored pairs are not listed.

        Args:
            limit: largest distance to list.
            threads: number of threads; default: one per core. Answers do not depend on it.

        """
        native, names = self._as_core()
        columns, a, b = native.distances(limit, as_threads(threads))
        return SceneDistances(*(*columns, a, b, names))

    def proximities(self, distance: float) -> Proximities:
        """Return the nearby pairs of features of all pairs of bodies at t = 0.

        Args:
            distance: largest distance between two features, as in `toccata.proximities`.

        """
        native, names = self._as_core()
        return Proximities(*(*native.proximities(distance), names))

    def _query(
        self, given: SceneOptions
    ) -> tuple[tuple[core.Scene, tuple[str, ...]], core.Options, core.Separations | None]:
        """Return the core, the options and the separations by pair, for one state of the scene."""
        separation = given.get("separation", 0.0)
        if type(separation) is float or not isinstance(separation, Mapping):
            return self._as_core(), rigid_options(cast(RigidOptions, given)), None
        rest: Any = {name: value for name, value in given.items() if name != "separation"}
        how = rigid_options(rest)
        with self._lock:
            return self._as_core(), how, self._separations(separation)

    def _separations(self, separation: Mapping[Any, float]) -> core.Separations:
        distances = pair_distances(separation, self._bodies.pair)
        default = distances.pop(None)
        for pair in distances:
            if pair in self._ignored:
                raise ValueError(f"separation: expected a pair that is tested, got {sorted(pair)}")
        pairs = [self._bodies.numbers(pair) for pair in distances if pair is not None]
        return core.Separations(pairs, list(distances.values()), default, len(self))

    def _edit_ignored(self, edit: Callable[[frozenset[str]], None], pair: frozenset[str]) -> None:
        ready, self._core = self._core, None
        edit(pair)
        if ready is not None:
            ready[0].ignore(list(map(self._bodies.numbers, self._ignored)))
            self._core = ready

    def _default_tolerance(self) -> float:
        """Return the largest default tolerance of a pair of bodies."""
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

    def _as_world(self) -> PreparedWorld:
        ready = self._world
        if ready is not None:
            return ready
        with self._lock:
            if self._world is None:
                scene, names = self._as_core()
                native = scene.world()
                self._world = PreparedWorld(native, self._bodies.copied(), names, native.moves)
            return self._world


def _world_of(bodies: Mapping[str, SceneBody]) -> PreparedWorld:
    """Rebuild a prepared world from a pickle."""
    scene = Scene()
    scene._bodies = Bodies(bodies)
    return scene._as_world()


_NOTHING = Scene()


def as_world(value: WorldLike | PreparedWorld) -> PreparedWorld:
    """Return the bodies around a robot, prepared for queries."""
    if isinstance(value, Scene):
        return value._as_world()
    if isinstance(value, PreparedWorld):
        return value
    if value is None:
        return _NOTHING._as_world()
    if hasattr(value, "graph") and hasattr(value, "geometry"):  # a trimesh.Scene
        return Scene._of_parts("world", parts_of_trimesh(value))._as_world()
    scene = Scene()
    scene.add("world", as_mesh("world", value))
    return scene._as_world()
