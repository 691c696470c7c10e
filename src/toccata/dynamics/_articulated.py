"""Articulated bodies with adaptive dynamics: only the joints that matter are simulated."""

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
    """The work of all steps so far."""

    groups: int
    """Rigid groups that were placed, and whose inertias were summed up."""
    solves: int
    """Rigid groups in all solutions for accelerations."""
    refreshes: int
    """Times that active joints were chosen."""
    refreshed: int
    """Joints that were evaluated for that."""


class _Spring(NamedTuple):
    link: str
    point: Floats
    other: ArticulatedBody | None
    """None only in pickles: the body itself."""
    other_link: str | None
    other_point: Floats
    numbers: Floats


class ArticulatedBody:
    """A robot with mass that moves by forces.

    Velocities `v` have one rate for each coordinate of revolute, prismatic and planar joints, in
    the order of configurations. A floating joint has six rates: the velocity of its frame's origin
    and the angular velocity, in the axes of the joint's origin (for a base, the axes of the world).
    The body starts at rest with all joints at zero; a floating base starts at the robot's base.

    Args:
        robot: Joints with limits, and links with inertias or meshes.
        gravity: (3,) acceleration.
        floating: The base moves freely: `body.robot` has one more joint, named "floating", whose
            seven coordinates come first. Otherwise the base is fixed.
        density: Density of links with a mesh and without an inertia, as for `MassProperties.of`.
        inertias: Inertias by link, in place of the link's own.
        refresh: Number of steps after which active joints are chosen again.
        metric_time: In the choice of active joints, a rate counts like the acceleration that stops
            it in this time.

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
        """The robot, with the floating joint if there is one."""
        return self._model.robot

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints that move, mimics included: the order of `active` and `groups`."""
        return self._model.joint_names

    @property
    def q(self) -> Floats:
        """Configuration, (dof,); can be set."""
        return np.asarray(self._core.q())

    @q.setter
    def q(self, q: ArrayLike) -> None:
        numbers = self._model.configurations(np.atleast_2d(as_shape("q", q, self.robot.dof)))[0]
        with self._lock:
            self._core.set(numbers, self._core.v())

    @property
    def v(self) -> Floats:
        """Velocities, (freedoms,); 0 for inactive joints. Can be set.

        Setting velocities of inactive joints keeps their momentum instead.
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
        """Forces and torques of joints, (freedoms,); they act until others are set."""
        return np.asarray(self._core.tau())

    @tau.setter
    def tau(self, tau: ArrayLike) -> None:
        forces = as_shape("tau", tau, self.freedoms)
        with self._lock:
            self._core.set_tau(forces)

    @property
    def damping(self) -> Floats:
        """Force per rate, against the rate, (freedoms,); one number can be set for all."""
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
        """Current accelerations due to all forces, (freedoms,); 0 for inactive joints."""
        with locked([self]):
            return np.asarray(self._core.present_acceleration())

    @property
    def frames(self) -> Floats:
        """Poses of the frames that joints move, (n, 4, 4), in the order of `joint_names`."""
        with self._lock:
            return np.asarray(self._core.frames())

    @property
    def velocities(self) -> Floats:
        """Linear velocities of the origins of `frames`, then angular ones, (n, 6), world axes."""
        with self._lock:
            return np.asarray(self._core.velocities())

    @property
    def energy(self) -> float:
        """Kinetic and potential energy. Springs to other bodies count half."""
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
        """Metric of the joints that stayed inactive when active ones were last chosen."""
        return float(self._core.rigid_metric)

    @property
    def work(self) -> Work:
        """Work of all steps so far."""
        return Work(*self._core.work())

    def acceleration(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """Return the accelerations due to gravity and joint forces, with all joints active.

        The result is (freedoms,) for one state, or (n, freedoms) if `q`, `v` and `tau` have n rows.
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
            link: Link of this body.
            other: Another link; None means the world.
            body: Body of the other link. Default: this one.
            point: (3,) in the frame of the link.
            other_point: (3,) in the frame of the other link, or of the world.
            stiffness: Force per stretch.
            length: Length at rest.
            damping: Force per rate of the distance, against the rate.

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
        """Apply a force and a torque to a link during the next call of `step`.

        World axes; repeated calls add up. The force acts at a fixed point of the world, by default
        the current origin of the link's frame.
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
        """Change velocities by an impulse on a link; world axes and points as for `apply`.

        Only active joints respond: `activate` those that the impulse should move.
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
        """Activate all joints between these links and the ground, until joints are chosen again."""
        joints = [joint for joint, _ in (self._model.carried("link", link) for link in links)]
        with self._lock:
            self._core.activate(np.array([j for j in joints if j >= 0], dtype=np.int32))

    def step(
        self, h: float, active: Active = None, error: float | None = None, *, n: int = 1
    ) -> None:
        """Advance by n steps of h seconds.

        Args:
            h: Seconds per step.
            active: Active joints. None: all; a number: so many of those that matter most; names or
                a mask: exactly these. A floating base is always active and does not count.
            error: Choose no more joints than needed to keep the metric of all others below this:
                the sum of squares of their accelerations and of rate / metric_time.
            n: Number of steps.

        """
        step_together([self], h, n, self._choose(active, error))

    def _choose(self, active: Active, error: float | None) -> Choice:
        """Check the choice of active joints; given joints become active now."""
        choice = choice_of(self.joint_names, active, error)
        if choice.mask is not None:
            with self._lock:
                self._core.set_active(choice.mask)
        return choice

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle the robot, masses, forces and the state; steps continue bit by bit.

        Forces of `apply` are not kept. Springs of a copy lead to the same other bodies.
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
    """Advance several bodies at the same time, by n steps of h seconds; springs may connect them.

    `active` and `error` apply to each body, as for `ArticulatedBody.step`.
    """
    every = [as_type("bodies", body, ArticulatedBody) for body in bodies]
    if not (active is None or isinstance(active, int | np.integer)):
        raise TypeError(f"active: expected a number or None, got {type(active).__name__}")
    if every:
        most = max(every, key=lambda body: len(body.joint_names))
        step_together(every, h, n, choice_of(most.joint_names, active, error))
