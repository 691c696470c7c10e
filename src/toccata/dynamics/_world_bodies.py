"""The bodies of a world: which there are, where they are and how they move."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_number, as_shape, as_threads, as_unchecked
from toccata._mesh import Mesh, as_mesh
from toccata._motion import Motion
from toccata._native import core
from toccata.dynamics._articulated import Active, ArticulatedBody
from toccata.dynamics._links import WorldRobot, locked
from toccata.dynamics._log import WorldLog
from toccata.dynamics._mass import MassProperties
from toccata.dynamics._world_state import body_digest, mesh_digest, robot_digest

_NOTHING = (0.0, 0.0, 0.0)


class WorldBodies:
    """What a world holds, by name."""

    __slots__ = (
        "_core", "_free", "_gravity", "_kinds", "_lock", "_log", "_mesh_digests", "_meshes",
        "_number", "_robots", "_shell",
    )  # fmt: skip

    def __init__(
        self,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        step: float = 1 / 120,
        shell: float | None = None,
        *,
        sleeping: bool = True,
        threads: int | None = 1,
    ) -> None:
        """Make a world without bodies."""
        distance = 0.0 if shell is None else as_number("shell", shell, least=0, open_end=True)
        duration = as_number("step", step, least=0, open_end=True)
        pull = as_shape("gravity", gravity, 3)
        self._core = core.Simulation(pull, duration, distance, bool(sleeping), as_threads(threads))
        self._shell = distance
        self._meshes: dict[str, Mesh] = {}  # the core relies on them
        self._kinds: dict[str, str] = {}  # digests of bodies without their meshes
        self._mesh_digests: dict[str, str] = {}
        self._free: set[str] = set()
        self._robots: dict[str, WorldRobot] = {}
        self._gravity = pull
        self._number: dict[str, int] = {}
        self._log: WorldLog | None = None
        self._lock = threading.Lock()

    def add(
        self,
        name: str,
        mesh: Any,
        pose: ArrayLike | None = None,
        *,
        density: float = 1000.0,
        mass: float | None = None,
        inertia: ArrayLike | None = None,
        velocity: ArrayLike = _NOTHING,
        angular_velocity: ArrayLike = _NOTHING,
        fixed: bool = False,
        motion: Motion | None = None,
        duration: float = 1.0,
        friction: float = 0.5,
        restitution: float = 0.0,
    ) -> None:
        """Add a body under a new name.

        Args:
            name: Of the body.
            mesh: A `Mesh` or a trimesh.Trimesh.
            pose: (4, 4) where it starts; by default where it was modelled, or where its motion
                starts.
            density: Mass per volume, or per area of a mesh that is not closed.
            mass: Of the whole body, instead of a density.
            inertia: (3, 3) about the center of mass, body axes, instead of that of the mesh.
            velocity: (3,) of the center of mass, world axes.
            angular_velocity: (3,) radians per second, world axes.
            fixed: It never moves, and has no mass.
            motion: It moves along this motion, whatever it meets; where that would take it through
                another body, it waits.
            duration: Seconds that the motion takes. After it the body stays.
            friction: Coulomb's coefficient; that of a pair is the geometric mean of its two.
            restitution: From 0 to 1; that of a pair is the larger one of its two.

        """
        self._check_new(name)
        body = as_mesh("mesh", mesh)
        grip, bounce = _material(friction, restitution)
        if motion is not None and not isinstance(motion, Motion):
            raise ValueError(f"motion: expected a Motion, got {type(motion).__name__}")
        if motion is not None and (fixed or pose is not None):
            raise ValueError("motion: expected no pose and fixed=False beside it")
        place = np.eye(4) if pose is None else as_unchecked("pose", pose, 4, 4)
        weight: MassProperties | None = None
        with self._locked():
            if fixed or motion is not None:
                took = as_number("duration", duration, least=0, open_end=True)
                if motion is not None:
                    place = motion.pose(0.0)
                given = None if motion is None else motion._core
                self._core.add_given(name, body._core, place, given, took, grip, bounce)
            else:
                weight = _mass_properties(body, density, mass, inertia)
                speed = as_shape("velocity", velocity, 3)
                spin = as_shape("angular_velocity", angular_velocity, 3)
                self._core.add_free(
                    name, body._core, place, weight.mass, np.array(weight.center),
                    np.array(weight.inertia), speed, spin, grip, bounce,
                )  # fmt: skip
                self._free.add(name)
            self._meshes[name] = body
            kind = "free" if weight is not None else "fixed" if motion is None else "motion"
            self._kinds[name] = body_digest(kind, weight)
            self._renumber()

    def add_articulated(
        self,
        name: str,
        body: ArticulatedBody,
        *,
        friction: float = 0.5,
        restitution: float = 0.0,
        active: Active = None,
        error: float | None = None,
    ) -> None:
        """Add an articulated body: its links become bodies named "name/link".

        The world moves it from where it is, with the velocity that it has; `body.q` and `body.v`
        follow, and may be set between steps. Its joint forces, dampings, springs and limits hold.
        Links are tested against all other bodies, and against each other as its robot tests them.

        Args:
            name: Of the articulated body.
            body: In no other world, and with this world's gravity.
            friction: Of all links; see `add`.
            restitution: Of all links.
            active: How many joints are simulated, or which; see `ArticulatedBody.step`. Contacts
                make those active that they move.
            error: What all others may amount to.

        """
        self._check_new(name)
        grip, bounce = _material(friction, restitution)
        robot = WorldRobot.of(name, body, active, error)
        for link in robot.names:
            self._check_new(link)
        if any(known.body is body for known in self._robots.values()):
            raise ValueError("body: expected one that is not in the world, got it again")
        if not np.array_equal(body._made[0], self._gravity):
            got = ", ".join(f"{g:g}" for g in body._made[0])
            raise ValueError(f"body: expected the gravity of the world, got ({got})")
        with self._locked():
            robot.add_to(self._core, grip, bounce)
            self._robots[name] = robot
            self._meshes |= robot.meshes
            self._kinds |= dict.fromkeys(robot.names, robot_digest(robot))
            self._renumber()

    def _locked(self) -> AbstractContextManager[Any]:
        return locked(self._lock, self._robots.values()) if self._robots else self._lock

    def _check_new(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError(f"name: expected a text, got {type(name).__name__}")
        if name in self._meshes or name in self._robots:
            raise ValueError(f"name: expected a new name, got {name!r} again")

    def remove(self, name: str) -> None:
        """Remove a body, or an articulated one. All others wake up."""
        robot = self._robots.get(name)
        if robot is None:
            self._row(name)
            self._check_no_link(name)
        with self._locked():
            if robot is None:
                self._core.remove(name)
            else:
                self._core.remove_robot(name)
                del self._robots[name]
            for gone in (name,) if robot is None else robot.names:
                del self._meshes[gone], self._kinds[gone]
                self._mesh_digests.pop(gone, None)
                self._free.discard(gone)
            self._renumber()

    def _robot_of(self, name: str) -> WorldRobot | None:
        return next((r for r in self._robots.values() if name in r.names), None)

    def _check_no_link(self, name: str) -> None:
        if robot := self._robot_of(name):
            raise ValueError(f"name: expected no link, got {name!r} of {robot.name!r}")

    def _renumber(self) -> None:
        self._number = {name: i for i, name in enumerate(self._core.names())}
        self._log = None

    def _digests(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return what tells bodies from others of the same names; each mesh is read once."""
        known = self._mesh_digests
        shared = {id(self._meshes[name]): known[name] for name in known}
        for name in names:
            mesh = self._meshes[name]
            if name not in known:
                known[name] = shared[id(mesh)] = shared.get(id(mesh)) or mesh_digest(mesh)
        return tuple(f"{known[name]}{self._kinds[name]}" for name in names)

    def _row(self, name: str) -> int:
        if name not in self._number:
            wanted = "a link" if name in self._robots else "a body of the world"
            raise ValueError(f"name: expected {wanted}, got {name!r}")
        return self._number[name]

    def _rows(self) -> list[int]:
        return [self._number[name] for name in self._meshes]

    @property
    def names(self) -> tuple[str, ...]:
        """Of all bodies, in the order in which they were added."""
        return tuple(self._meshes)

    @property
    def meshes(self) -> dict[str, Mesh]:
        """By name."""
        return dict(self._meshes)

    @property
    def articulated(self) -> dict[str, ArticulatedBody]:
        """Articulated bodies by name."""
        return {name: robot.body for name, robot in self._robots.items()}

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return float(self._core.time)

    @property
    def poses(self) -> Floats:
        """(n, 4, 4) where bodies are, in the order of `names`."""
        with self._locked():
            self._read_robots()
            return np.asarray(self._core.poses())[self._rows()]

    @property
    def velocities(self) -> Floats:
        """(n, 6) of centers of mass, and angular, world axes; of links, of their mesh's center."""
        with self._locked():
            self._read_robots()
            return np.asarray(self._core.velocities())[self._rows()]

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """(n,) which bodies sleep."""
        with self._locked():
            return np.array(self._core.asleep(), dtype=bool)[self._rows()]

    @property
    def energy(self) -> float:
        """Kinetic and potential energy of all bodies with mass."""
        with self._locked():
            return float(self._core.energy)

    def _read_robots(self) -> None:
        if self._robots and self._core.read_robots():
            self._log = None

    def __len__(self) -> int:
        return len(self._meshes)


def _material(friction: float, restitution: float) -> tuple[float, float]:
    grip = as_number("friction", friction, least=0)
    bounce = as_number("restitution", restitution, least=0)
    if bounce > 1:
        raise ValueError(f"restitution: expected at most 1, got {restitution!r}")
    return grip, bounce


def _mass_properties(
    mesh: Mesh, density: float, mass: float | None, inertia: ArrayLike | None
) -> MassProperties:
    """Return those of a mesh, with a mass or an inertia of its own if they are given."""
    found = MassProperties.of(mesh, density)
    weight = found.mass if mass is None else as_number("mass", mass, least=0, open_end=True)
    moments = found.inertia * (weight / found.mass) if inertia is None else inertia
    return MassProperties(weight, found.center, moments)
