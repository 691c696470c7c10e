"""Articulated bodies with adaptive dynamics: only the most important joints are simulated."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_floats, as_number, as_shape, as_whole
from toccata._checks import as_type
from toccata._native import core
from toccata._robot.robot import Robot
from toccata.dynamics._active import Active, Choice, choice_of
from toccata.dynamics._articulated_model import ArticulatedModel
from toccata.dynamics._coupled import locked, step_together
from toccata.dynamics._floating import floated, pose_numbers
from toccata.dynamics._inertias import frame_inertias
from toccata.dynamics._mass import MassProperties

_ZERO = (0.0, 0.0, 0.0)


class Work(NamedTuple):
    """Work of all steps of an articulated body."""

    groups: int
    """Number of rigid groups whose pose and inertia were computed."""
    solves: int
    """Number of rigid groups in all solutions for accelerations."""
    refreshes: int
    """Number of choices of active joints."""
    refreshed: int
    """Number of joints that were evaluated for these choices."""


class _Spring(NamedTuple):
    link: str
    point: Floats
    other: ArticulatedBody | None
    """Body of the other link; None in pickles means the body itself."""
    other_link: str | None
    other_point: Floats
    numbers: Floats


class ArticulatedBody:
    """A robot with mass that forces move.

    Velocities `v` have one rate for each coordinate of revolute, prismatic and planar joints, in
    the order of configurations. A floating joint has six rates: the velocity of its frame's origin,
    then the angular velocity, both in the axes of the joint's origin (for a base: world axes). The
    body starts at rest with all joints at zero. A floating base starts at the base of the robot.

    Args:
        robot: joints with limits, and links with inertias or meshes.
        gravity: acceleration of gravity, (3,).
        floating: True for a base that moves freely. Then `body.robot` has one more joint, named
            "floating", with the first seven coordinates. False fixes the base.
        density: density of links with a mesh and without an inertia, as for `MassProperties.of`.
        inertias: inertias by link, which replace the inertias in the robot.
        refresh: number of steps after which active joints are chosen again.
        metric_time: seconds. When active joints are chosen, a rate counts like the acceleration
            that stops it in this time.

    """

    __slots__ = ("__weakref__", "_core", "_lock", "_model", "_others", "_springs")

    def __init__(
        self,
        robot: Robot,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        floating: bool = False,
        *,
        density: float = 1000.0,
        inertias: Mapping[str, MassProperties] | None = None,
        refresh: int = 10,
        metric_time: float = 0.1,
    ) -> None:
        """Check the arguments and build the body."""
        base = as_type("robot", robot, Robot).base
        robot = floated(robot) if floating else robot
        masses = frame_inertias(robot, density, inertias)
        time = as_number("metric_time", metric_time, least=0, open_end=True)
        acceleration = as_shape("gravity", gravity, 3).copy()
        steps = as_whole("refresh", refresh)
        self._make(ArticulatedModel(robot, acceleration, masses, steps, time))
        if floating:
            q = self.q
            q[:7] = pose_numbers(base)
            self.q = q

    def _make(self, model: ArticulatedModel) -> None:
        self._model, self._core = model, model.native()
        self._lock = threading.Lock()
        self._springs: list[_Spring] = []
        self._others: list[ArticulatedBody] = []

    @property
    def robot(self) -> Robot:
        """The robot, including the floating joint if there is one."""
        return self._model.robot

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints that move, mimics included, in the order of `active` and `groups`."""
        return self._model.joint_names

    @property
    def q(self) -> Floats:
        """Configuration, (dof,). Can be set."""
        return np.asarray(self._core.q())

    @q.setter
    def q(self, q: ArrayLike) -> None:
        numbers = self._model.configurations(np.atleast_2d(as_shape("q", q, self.robot.dof)))[0]
        with self._lock:
            self._core.set(numbers, self._core.v())

    @property
    def v(self) -> Floats:
        """Velocities, (freedoms,); 0 for inactive joints. Can be set.

        If velocities of inactive joints are set, their momentum is kept instead.
        """
        return np.asarray(self._core.v())

    @v.setter
    def v(self, v: ArrayLike) -> None:
        rates = as_shape("v", v, self.freedoms)
        with self._lock:
            self._core.set(self._core.q(), rates)

    @property
    def freedoms(self) -> int:
        """Number of velocities."""
        return int(self._core.freedoms)

    @property
    def tau(self) -> Floats:
        """Forces and torques of joints, (freedoms,), which act until they are set again."""
        return np.asarray(self._core.tau())

    @tau.setter
    def tau(self, tau: ArrayLike) -> None:
        forces = as_shape("tau", tau, self.freedoms)
        with self._lock:
            self._core.set_tau(forces)

    @property
    def damping(self) -> Floats:
        """Damping force per rate, (freedoms,). One number can be set for all rates."""
        return np.asarray(self._core.damping())

    @damping.setter
    def damping(self, damping: ArrayLike) -> None:
        given = as_floats("damping", damping)
        every = np.full(self.freedoms, given) if given.ndim == 0 else given
        forces = as_shape("damping", every, self.freedoms)
        if (forces < 0).any():
            raise ValueError(f"damping: expected numbers of at least 0, got {forces.min()}")
        with self._lock:
            self._core.set_damping(forces)

    @property
    def a(self) -> Floats:
        """Accelerations due to all current forces, (freedoms,); 0 for inactive joints."""
        with locked([self]):
            return np.asarray(self._core.present_acceleration())

    @property
    def frames(self) -> Floats:
        """Poses of the frames that joints move, (n, 4, 4), in the order of `joint_names`."""
        with self._lock:
            return np.asarray(self._core.frames())

    @property
    def velocities(self) -> Floats:
        """Velocities of the origins of `frames`, then angular velocities, (n, 6), world axes."""
        with self._lock:
            return np.asarray(self._core.velocities())

    @property
    def energy(self) -> float:
        """Kinetic and potential energy, with half of the energy of springs to other bodies."""
        with locked([self]):
            return float(self._core.energy())

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy."""
        with self._lock:
            return float(self._core.kinetic_energy())

    @property
    def momentum(self) -> Floats:
        """Linear momentum, then angular momentum about the origin of the world, (6,)."""
        with self._lock:
            return np.asarray(self._core.momentum())

    @property
    def active(self) -> NDArray[np.bool_]:
        """Mask of active joints, (n,)."""
        return np.array(self._core.active(), dtype=bool)

    @property
    def groups(self) -> NDArray[np.int32]:
        """Rigid group of each joint's frame, (n,). Group 0 does not move."""
        return np.array(self._core.groups(), dtype=np.int32)

    @property
    def error(self) -> float:
        """Metric of the joints that the last choice left inactive."""
        return float(self._core.rigid_metric)

    @property
    def work(self) -> Work:
        """Work of all steps up to now."""
        return Work(*self._core.work())

    def acceleration(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """Return the accelerations due to gravity and joint forces, with all joints active.

        The result has the shape (freedoms,) for one state, or (n, freedoms) for n rows of `q`, `v`
        and `tau`.
        """
        single = np.ndim(q) == 1
        rows = self._model.configurations(np.atleast_2d(np.asarray(q)))
        rates = as_shape("v", np.atleast_2d(np.asarray(v)), len(rows), self.freedoms)
        forces = as_shape("tau", np.atleast_2d(np.asarray(tau)), len(rows), self.freedoms)
        with self._lock:
            found = np.asarray(self._core.acceleration(rows, rates, forces))
        return found[0] if single else found

    def add_spring(
        self,
        link: str,
        other: str | None = None,
        *,
        body: ArticulatedBody | None = None,
        point: ArrayLike = _ZERO,
        other_point: ArrayLike = _ZERO,
        stiffness: float = 100.0,
        length: float = 0.0,
        damping: float = 0.0,
    ) -> None:
        """Add a spring from a point of a link to a point of another link, or of the world.

        Args:
            link: link of this body.
            other: another link; None means the world.
            body: body of the other link. Default: this body.
            point: end of the spring in the frame of the link, (3,).
            other_point: end of the spring in the frame of the other link or of the world, (3,).
            stiffness: force per stretch.
            length: length at rest.
            damping: damping force per rate of the length.

        """
        if body is not None:
            as_type("body", body, ArticulatedBody)
            if other is None:
                raise ValueError("other: expected a link of the other body, got None")
        partner = body or self
        self._model.carried("link", link)
        if other is not None:
            partner._model.carried("other", other)
        numbers = [
            as_number("stiffness", stiffness, least=0),
            as_number("length", length, least=0),
            as_number("damping", damping, least=0),
        ]
        ends = as_shape("point", point, 3).copy(), as_shape("other_point", other_point, 3).copy()
        self._add(_Spring(link, ends[0], partner, other, ends[1], np.array(numbers)))

    def _add(self, spring: _Spring) -> None:
        partner = spring.other or self
        here = self._model.attached(spring.link, spring.point)
        there = partner._model.attached(spring.other_link, spring.other_point)
        self._springs.append(spring)
        self._core.add_spring(core.Spring(*here, partner._core, *there, spring.numbers))
        if partner is not self:
            mirrored = core.Spring(*there, self._core, *here, spring.numbers)
            partner._core.add_spring(mirrored)
            self._others.append(partner)
            partner._others.append(self)

    def apply(
        self,
        link: str,
        force: ArrayLike = _ZERO,
        torque: ArrayLike = _ZERO,
        point: ArrayLike | None = None,
    ) -> None:
        """Apply a force and a torque, in world axes, to a link during the next call of `step`.

        Repeated calls add up. The force acts at a fixed point of the world, by default at the
        current origin of the link's frame.
        """
        with self._lock:
            self._core.pull(self._at(link, point, (("force", force), ("torque", torque))))

    def strike(
        self,
        link: str,
        impulse: ArrayLike = _ZERO,
        angular: ArrayLike = _ZERO,
        point: ArrayLike | None = None,
    ) -> None:
        """Change velocities by an impulse on a link, with axes and points as for `apply`.

        Only active joints respond. Before an impulse, `activate` the joints that it should move.
        """
        with self._lock:
            self._core.strike(self._at(link, point, (("impulse", impulse), ("angular", angular))))

    def _at(
        self, link: str, point: ArrayLike | None, given: Iterable[tuple[str, ArrayLike]]
    ) -> core.FramePull:
        """Return two (3,) vectors by name that act on a link at a point of the world."""
        joint, offset = self._model.carried("link", link)
        vectors = [as_shape(name, values, 3) for name, values in given]
        if point is not None:
            return core.FramePull(joint, as_shape("point", point, 3), *vectors)
        frame = np.asarray(self._core.frames())[joint] if joint >= 0 else np.eye(4)
        return core.FramePull(joint, np.ascontiguousarray((frame @ offset)[:3, 3]), *vectors)

    def activate(self, *links: str) -> None:
        """Activate all joints between these links and the ground, until the next choice."""
        joints = [joint for joint, _ in (self._model.carried("link", link) for link in links)]
        with self._lock:
            self._core.activate(np.array([j for j in joints if j >= 0], dtype=np.int32))

    def step(
        self, h: float, active: Active = None, error: float | None = None, *, n: int = 1
    ) -> None:
        """Advance by n steps of h seconds.

        Args:
            h: seconds per step.
            active: the active joints. None: all joints. A number: this many of the most important
                joints. Names or a mask: these joints. A floating base is always active and is not
                included in the number.
            error: upper bound of the metric of the inactive joints: the sum of the squares of
                their accelerations and of rate / metric_time. No more joints become active than
                this bound needs.
            n: number of steps.

        """
        step_together([self], h, n, self._choose(active, error))

    def _choose(self, active: Active, error: float | None) -> Choice:
        """Check the choice of active joints, and activate joints that are given."""
        choice = choice_of(self.joint_names, active, error)
        if choice.mask is not None:
            with self._lock:
                self._core.set_active(choice.mask)
        return choice

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle the robot, masses, forces and the state; steps continue bit by bit.

        Forces of `apply` are lost. Springs of a copy lead to the same other bodies.
        """
        with self._lock:
            native = self._core
            state = native.q(), native.v(), native.tau(), native.damping(), native.active()
            schedule = native.schedule()
        chosen = schedule.choice
        rest = chosen.most, chosen.error, schedule.since_refresh, schedule.rigid_metric
        return (
            _restored,
            (self._model, state, (chosen.activity.name, *rest)),
            [s._replace(other=None) if s.other is self else s for s in self._springs],
        )

    def __setstate__(self, springs: list[_Spring]) -> None:
        for spring in springs:
            self._add(spring._replace(other=spring.other or self))

    def __repr__(self) -> str:
        active = f"{int(self.active.sum())} of {len(self.joint_names)} joints active"
        return f"ArticulatedBody({len(self.robot.links)} links, {active})"


def _restored(
    model: ArticulatedModel, state: tuple[Any, ...], schedule: tuple[Any, ...]
) -> ArticulatedBody:
    body = object.__new__(ArticulatedBody)
    body._make(model)
    q, v, tau, damping, active = state
    native = body._core
    native.set(q, np.zeros(body.freedoms))
    native.set_active(np.array(active, dtype=np.uint8))
    native.set(q, v)
    native.set_tau(tau)
    native.set_damping(damping)
    activity, most, error, *rest = schedule
    choice = core.ActiveChoice(core.Activity[activity], most, error)
    native.set_schedule(core.ActiveSchedule(choice, *rest))
    return body


def step_bodies(
    bodies: Iterable[ArticulatedBody],
    h: float,
    active: int | None = None,
    error: float | None = None,
    *,
    n: int = 1,
) -> None:
    """Advance several bodies, which springs may connect, by n steps of h seconds.

    `active` and `error` apply to each body, as for `ArticulatedBody.step`.
    """
    every = [as_type("bodies", body, ArticulatedBody) for body in bodies]
    if not (active is None or isinstance(active, int | np.integer)):
        raise TypeError(f"active: expected a number or None, got {type(active).__name__}")
    if every:
        most = max(every, key=lambda body: len(body.joint_names))
        step_together(every, h, n, choice_of(most.joint_names, active, error))
