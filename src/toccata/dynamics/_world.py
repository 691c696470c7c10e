"""Worlds of bodies that forces and contacts move without penetration."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import (
    Floats,
    as_floats,
    as_number,
    as_shape,
    as_threads,
    as_unchecked,
    as_whole,
)
from toccata._checks import as_type
from toccata._mesh import Mesh, as_mesh
from toccata._motion import Motion
from toccata._native import core
from toccata.dynamics._active import Active
from toccata.dynamics._articulated import ArticulatedBody
from toccata.dynamics._body_table import BodyTable
from toccata.dynamics._links import WorldRobot, locked
from toccata.dynamics._log import WorldLog
from toccata.dynamics._mass import body_mass
from toccata.dynamics._report import Impacts, StepReport, WorldContacts
from toccata.dynamics._separate import overlap, push_apart
from toccata.dynamics._world_state import WorldState
from toccata.typing import BodyLike, PoseLike

_ZERO = (0.0, 0.0, 0.0)


class World:
    """Bodies with mass that fall, collide, slide, roll, rest, and never penetrate.

    A solver proposes velocities, continuous collision detection certifies the motions, and only
    their proven portion is executed.

    Args:
        gravity: acceleration of gravity, (3,).
        step: seconds per step.
        shell: distance at which bodies rest on each other. Default: a thousandth of the smaller
            body's radius, pair by pair.
        sleeping: True if bodies fall asleep after half a second at rest. They wake up when another
            body reaches them.
        threads: number of threads; None means one per core. Results do not depend on it.

    """

    __slots__ = ("_bodies", "_core", "_gravity", "_lock", "_log", "_shell")

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
        self._shell = 0.0 if shell is None else as_number("shell", shell, least=0, open_end=True)
        duration = as_number("step", step, least=0, open_end=True)
        self._gravity = as_shape("gravity", gravity, 3)
        options = self._gravity, duration, self._shell, bool(sleeping), as_threads(threads)
        self._core = core.World(core.WorldOptions(*options))
        self._bodies = BodyTable()
        self._log: WorldLog | None = None
        self._lock = threading.Lock()

    def add(
        self,
        name: str,
        mesh: BodyLike,
        pose: PoseLike | None = None,
        *,
        density: float = 1000.0,
        mass: float | None = None,
        inertia: ArrayLike | None = None,
        velocity: ArrayLike = _ZERO,
        angular_velocity: ArrayLike = _ZERO,
        fixed: bool = False,
        motion: Motion | None = None,
        duration: float = 1.0,
        friction: float = 0.5,
        restitution: float = 0.0,
    ) -> None:
        """Add a body under a new name.

        Args:
            name: name of the body.
            mesh: a `toccata.Mesh` or a trimesh.Trimesh.
            pose: start pose, (4, 4). Default: the identity, or the start of `motion`.
            density: mass per volume of a closed mesh; mass per area of any other mesh.
            mass: mass of the body, instead of `density`.
            inertia: inertia about the center of mass, body axes, (3, 3). Default: computed from
                the mesh.
            velocity: velocity of the center of mass, world axes, (3,).
            angular_velocity: radians per second, world axes, (3,).
            fixed: True for a body that never moves and has no mass.
            motion: motion that the body follows regardless of forces. The body waits where it
                would pass through another body.
            duration: seconds that the motion takes; then the body does not move any more.
            friction: Coulomb's coefficient. A pair has the geometric mean of both coefficients.
            restitution: coefficient of restitution from 0 to 1. A pair has the larger one.

        """
        self._bodies.check_new(name)
        body = as_mesh("mesh", mesh)
        material = _material(friction, restitution)
        if motion is not None:
            as_type("motion", motion, Motion)
            if fixed or pose is not None:
                raise ValueError("motion: cannot be combined with `pose` or `fixed`")
        start = np.eye(4) if pose is None else as_unchecked("pose", pose, 4, 4)
        weight = None
        if not fixed and motion is None:
            weight = body_mass(body, density, mass, inertia)
        with self._locked():
            if weight is None:
                seconds = as_number("duration", duration, least=0, open_end=True)
                if motion is not None:
                    start = motion.pose(0.0)
                given = None if motion is None else motion._core
                made = core.SimulatedBody.given(body._core, start, given, seconds, material)
                self._core.add(name, made)
            else:
                rates = _rates(velocity, angular_velocity)
                made = core.SimulatedBody.free(body._core, start, weight._native(), material)
                self._core.add(name, made)
                self._core.set_velocity(self._core.index(name), *rates)
            self._bodies.add(name, body, weight, scripted=motion is not None)
            self._log = None

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
        """Add an articulated body; its links become bodies named "name/link".

        The simulation starts from its current configuration and velocity. `body.q` and `body.v`
        follow the world and may be set between steps. Joint forces, damping, springs and limits
        apply. Links are tested against all other bodies, and against each other in the pairs that
        queries about the robot test.

        Args:
            name: name of the articulated body.
            body: a body that is in no other world, with the gravity of this world.
            friction: coefficient of all links, as for `add`.
            restitution: coefficient of all links, as for `add`.
            active: the active joints, as for `ArticulatedBody.step`. Contacts also activate the
                joints that they move.
            error: bound of the metric of the inactive joints, as for `ArticulatedBody.step`.

        """
        self._bodies.check_new(name)
        material = _material(friction, restitution)
        robot = WorldRobot.of(name, body, active, error)
        for link in robot.names:
            self._bodies.check_new(link)
        if any(known.body is body for known in self._bodies.robots.values()):
            raise ValueError("body: this articulated body is already in the world")
        if not np.array_equal(body._model.gravity, self._gravity):
            got = ", ".join(f"{g:g}" for g in body._model.gravity)
            raise ValueError(f"body: expected a body with the gravity of the world, got ({got})")
        with self._locked():
            robot.add_to(self._core, material)
            self._bodies.add_robot(robot)
            self._log = None

    def remove(self, name: str) -> None:
        """Remove a body or an articulated body. All other bodies wake up."""
        is_robot = name in self._bodies.robots
        if not is_robot:
            self._bodies.check_known(name)
            self._bodies.check_no_link(name)
        with self._locked():
            if is_robot:
                self._core.remove_robot(name)
            else:
                self._core.remove(name)
            self._bodies.remove(name)
            self._log = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all bodies, in the order in which they were added."""
        return tuple(self._bodies.meshes)

    @property
    def meshes(self) -> dict[str, Mesh]:
        """Meshes by name."""
        return dict(self._bodies.meshes)

    @property
    def articulated(self) -> dict[str, ArticulatedBody]:
        """Articulated bodies by name."""
        return {name: robot.body for name, robot in self._bodies.robots.items()}

    @property
    def time(self) -> float:
        """Seconds since the start of the simulation."""
        return float(self._core.time)

    @property
    def poses(self) -> Floats:
        """Current poses, (n, 4, 4), in the order of `names`."""
        with self._locked():
            self._read_robots()
            return np.asarray(self._core.poses())

    @property
    def velocities(self) -> Floats:
        """Linear and angular velocities, (n, 6), world axes, in the order of `names`.

        The linear velocity is the velocity of the center of mass, or for a link, of the center of
        its mesh.
        """
        with self._locked():
            self._read_robots()
            return np.asarray(self._core.velocities())

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Mask of the bodies that are asleep, (n,), in the order of `names`."""
        with self._locked():
            return np.array(self._core.asleep(), dtype=bool)

    @property
    def energy(self) -> float:
        """Kinetic and potential energy of all bodies with mass."""
        with self._locked():
            return float(self._core.energy)

    @property
    def contacts(self) -> WorldContacts:
        """Contacts at the end of the last step."""
        with self._locked():
            return WorldContacts(self.names, *self._core.contacts())

    def movable(self, name: str) -> bool:
        """Return whether forces move a body: a body with mass, or a link that a joint carries."""
        self._bodies.check_known(name)
        return self._bodies.movable(name)

    def shell(self, name_a: str, name_b: str) -> float:
        """Return the distance at which two bodies rest on each other."""
        return float(self._core.shell(self._row(name_a), self._row(name_b)))

    def apply(self, name: str, force: ArrayLike = _ZERO, torque: ArrayLike = _ZERO) -> None:
        """Apply a force at the center of mass, and a torque, in world axes, during the next step.

        Repeated calls add up. A sleeping body wakes up. On a link, the force acts at the center of
        the link's mesh.
        """
        row = self._row(name)
        if not self._bodies.movable(name):
            raise ValueError(f"name: expected a body with mass, got {name!r}")
        vectors = as_shape("force", force, 3), as_shape("torque", torque, 3)
        with self._locked():
            self._core.apply(row, *vectors)

    def set_velocity(
        self, name: str, velocity: ArrayLike = _ZERO, angular_velocity: ArrayLike = _ZERO
    ) -> None:
        """Set the velocity of the center of mass and the angular velocity, in world axes."""
        row = self._row(name)
        self._bodies.check_free(name)
        rates = _rates(velocity, angular_velocity)
        with self._locked():
            self._core.set_velocity(row, *rates)

    def move(self, name: str, pose: PoseLike) -> None:
        """Set the pose of a body, which must be free of contact when the next step starts."""
        row, target = self._row(name), as_unchecked("pose", pose, 4, 4)
        self._bodies.check_no_link(name)
        with self._locked():
            self._core.move(row, target)
            self._log = None

    def separate(self, within: float | None = None) -> float:
        """Push bodies apart that touch or overlap a little; return the longest displacement.

        Args:
            within: limit of the displacement of a body. Default: a twentieth of the smaller body's
                radius, pair by pair.

        """
        limit = None if within is None else as_number("within", within, least=0, open_end=True)
        return push_apart(self, limit)

    def step(self, n: int = 1) -> StepReport:
        """Advance by n steps, and return their statistics."""
        count = as_whole("n", n)
        self._check_start()
        total = StepReport()
        with self._locked():
            for _ in range(count):
                report, impacts = self._step_once()
                total = total._then(report, impacts, self._core.energy)
        return total

    def start_log(self) -> WorldLog:
        """Start a log of all motions, which `tc.audit` reads.

        The log ends when a body is added, removed or moved by hand, or a state is restored.
        """
        with self._locked():
            self._read_robots()
            meshes = list(self._bodies.meshes.values())
            state = self._core.centers(), self._core.poses(), self._core.time
            log = WorldLog(self.names, meshes, *state, self._core.least_shell)
            for robot in self._bodies.robots.values():
                log._add_robot(robot, self._core)
            self._log = log
        return log

    def save(self) -> WorldState:
        """Return the state: everything that changes from step to step.

        The state includes joint forces of articulated bodies and forces for the next step.
        """
        with self._locked():
            names = tuple(sorted(self.names))
            digests = self._bodies.digests(names)
            state = WorldState(names, np.array(self._core.state()), digests)
        return state._sealed(self._shell)

    def restore(self, state: WorldState) -> None:
        """Restore a saved state of the same bodies; steps then continue bit by bit.

        A state that was changed, or saved with another shell, is checked like a new start:
        `restore` refuses impossible numbers, and the next step refuses bodies in contact.
        """
        numbers = as_floats("state", as_type("state", state, WorldState).numbers)
        if numbers.ndim != 1:
            raise ValueError(f"state: expected numbers of shape (n,), got {numbers.shape}")
        with self._locked():
            names = tuple(sorted(self.names))
            state._check_bodies(names, self._bodies.digests(names))
            self._core.restore(numbers, state.seal == state._seal(self._shell))
            self._log = None

    def __len__(self) -> int:
        return len(self._bodies.meshes)

    def __repr__(self) -> str:
        return f"World({len(self)} bodies, {self.time:.3f} s)"

    def _locked(self) -> AbstractContextManager[Any]:
        robots = self._bodies.robots
        return locked(self._lock, robots.values()) if robots else self._lock

    def _row(self, name: str) -> int:
        self._bodies.check_known(name)
        return self._core.index(name)

    def _read_robots(self) -> None:
        """Read changes by users from articulated bodies; they end a log, which would miss them."""
        if self._bodies.robots and self._core.read_robots():
            self._log = None

    def _step_once(self) -> tuple[core.StepReport, Impacts]:
        log, self._log = self._log, None  # an interrupted step ends the log, which would miss it
        start = self._core.time
        report, impacts, record = self._core.step(log is not None)
        if log is not None:
            log._extend((start, self._core.time), record, self._core.poses())
            self._log = log
        time, a, b, point, normal, impulse, speed = impacts
        return report, Impacts(self.names, a, b, point, normal, impulse, speed, time)

    def _touching(self) -> tuple[str, str, float, float] | None:
        """Return two bodies that are too close for a step, their distance and the limit."""
        with self._locked():
            found = self._core.obstacle()
        if found.a < 0:
            return None
        return self.names[found.a], self.names[found.b], found.distance, found.least

    def _check_start(self) -> None:
        with self._locked():
            self._read_robots()
            if self._core.is_certified:
                return
        touching = self._touching()
        if touching is None:
            return
        a, b, distance, least = touching
        got = f"{distance:.3g} apart"
        if not distance > 0:
            depth = overlap(self, a, b)
            got = f"in contact, {'too deep to separate' if depth is None else f'{depth:.3g} deep'}"
        raise ValueError(
            f"pose: expected bodies more than {least:.3g} apart, got {a!r} and {b!r} {got}; "
            "separate() pushes apart bodies that overlap a little"
        )


def _rates(velocity: ArrayLike, angular_velocity: ArrayLike) -> tuple[Floats, Floats]:
    return as_shape("velocity", velocity, 3), as_shape("angular_velocity", angular_velocity, 3)


def _material(friction: float, restitution: float) -> core.Material:
    grip = as_number("friction", friction, least=0)
    bounce = as_number("restitution", restitution, least=0)
    if bounce > 1:
        raise ValueError(f"restitution: expected a number from 0 to 1, got {restitution!r}")
    return core.Material(grip, bounce)
