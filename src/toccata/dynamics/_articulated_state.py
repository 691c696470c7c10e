"""The state of articulated bodies: configurations, velocities, forces and what follows of them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_floats, as_shape
from toccata._native import core
from toccata._robot.internal import quaternions, tree_of
from toccata._robot.robot import Robot


class Work(NamedTuple):
    """What steps have cost."""

    groups: int
    """Rigid groups that were placed, and their inertias summed up."""
    solves: int
    """Rigid groups in all solutions for accelerations."""
    refreshes: int
    """How often active joints were chosen."""
    refreshed: int
    """Joints that were looked at for that."""


class ArticulatedState:
    """All of an articulated body but what changes it, which `ArticulatedBody` adds."""

    __slots__ = ("__weakref__", "_core", "_lock", "_made", "_others", "robot")
    robot: Robot
    """With the floating joint, if there is one."""

    def _make(self, robot: Robot, made: tuple[Any, ...]) -> None:
        gravity, masses, refresh, time = made
        self.robot, self._made = robot, made
        self._lock = threading.Lock()
        self._others: list[ArticulatedState] = []
        tree = tree_of(robot)
        centers = np.array([part.center for part in masses]).reshape(-1, 3)
        places = np.array([given[2][:3, 3] for given in tree.given]).reshape(-1, 3)
        lengths = np.linalg.norm(np.concatenate([centers, places]), axis=1)
        self._core = core.ArticulatedBody(
            tree.native,
            np.array([part.mass for part in masses], dtype=np.float64),
            centers,
            np.array([part.inertia for part in masses]).reshape(-1, 3, 3),
            gravity,
            np.array([robot.lower, robot.upper]).reshape(2, -1),
            refresh,
            np.array([time, max(lengths, default=0.0) or 1.0]),
        )

    def _configurations(self, q: ArrayLike) -> Floats:
        rows = as_shape("q", q, -1, self.robot.dof)
        for part in quaternions(self.robot):
            if not (np.abs(rows[:, part]).max(axis=1, initial=0) > 1e-100).all():
                raise ValueError("q: expected quaternions of some length, got zeros")
        return rows

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of all joints that move, mimics too: the order of `active` and `groups`."""
        return tuple(joint.name for joint in tree_of(self.robot).moving)

    @property
    def q(self) -> Floats:
        """(dof,) configuration. Another one may be set."""
        return np.asarray(self._core.q())

    @q.setter
    def q(self, q: ArrayLike) -> None:
        numbers = self._configurations(np.atleast_2d(as_shape("q", q, self.robot.dof)))[0]
        with self._lock:
            self._core.set(numbers, self._core.v())

    @property
    def v(self) -> Floats:
        """(freedoms,) velocities. Of inactive joints they are 0; set, momentum is kept instead."""
        return np.asarray(self._core.v())

    @v.setter
    def v(self, v: ArrayLike) -> None:
        rates = as_shape("v", v, self.freedoms)
        with self._lock:
            self._core.set(self._core.q(), rates)

    @property
    def freedoms(self) -> int:
        """How many velocities there are."""
        return int(self._core.freedoms)

    @property
    def tau(self) -> Floats:
        """(freedoms,) forces and torques of joints, as long as no others are set."""
        return np.asarray(self._core.tau())

    @tau.setter
    def tau(self, tau: ArrayLike) -> None:
        forces = as_shape("tau", tau, self.freedoms)
        with self._lock:
            self._core.set_tau(forces)

    @property
    def damping(self) -> Floats:
        """(freedoms,) forces of joints against their rates, per unit of it; or one for all."""
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
    def frames(self) -> Floats:
        """(n, 4, 4) poses of the frames that joints move, in the order of `joint_names`."""
        with self._lock:
            return np.asarray(self._core.frames())

    @property
    def velocities(self) -> Floats:
        """(n, 6) of the origins of these frames, and angular, world axes."""
        with self._lock:
            return np.asarray(self._core.velocities())

    @property
    def energy(self) -> float:
        """Kinetic and potential; of a spring to another body, half."""
        with locked([self]):
            return float(self._core.energy())

    @property
    def kinetic_energy(self) -> float:
        """The part of motion."""
        with self._lock:
            return float(self._core.kinetic_energy())

    @property
    def momentum(self) -> Floats:
        """(6,) linear, and angular about the origin of the world."""
        with self._lock:
            return np.asarray(self._core.momentum())

    @property
    def active(self) -> NDArray[np.bool_]:
        """(n,) which joints are active."""
        return np.array(self._core.active(), dtype=bool)

    @property
    def groups(self) -> NDArray[np.int32]:
        """(n,) the rigid group that the frame of each joint is in; 0 stays where it is."""
        return np.array(self._core.groups(), dtype=np.int32)

    @property
    def error(self) -> float:
        """The metric of all joints that stayed inactive when active ones were last chosen."""
        return float(self._core.rigid_metric)

    @property
    def work(self) -> Work:
        """What all steps so far have cost."""
        return Work(*self._core.work())

    def acceleration(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """Return the accelerations of rates with all joints active, by gravity and joint forces.

        (freedoms,), or (n, freedoms) for rows of all three.
        """
        single = np.ndim(q) == 1
        rows = self._configurations(np.atleast_2d(np.asarray(q)))
        rates = as_shape("v", np.atleast_2d(np.asarray(v)), len(rows), self.freedoms)
        forces = as_shape("tau", np.atleast_2d(np.asarray(tau)), len(rows), self.freedoms)
        with self._lock:
            found = np.asarray(self._core.acceleration(rows, rates, forces))
        return found[0] if single else found

    @property
    def a(self) -> Floats:
        """(freedoms,) accelerations now, by all forces; 0 where joints are not active."""
        with locked([self]):
            return np.asarray(self._core.present_acceleration())

    def _mask(self, active: Any) -> NDArray[np.uint8]:
        """Return which joints are given, by name or as a mask."""
        names = self.joint_names
        if isinstance(active, str) or not isinstance(active, Iterable):
            kinds = "a number, names of joints or a mask"
            raise ValueError(f"active: expected {kinds}, got {active!r}")
        given = np.asarray(active if isinstance(active, np.ndarray) else list(active))
        if given.dtype == bool:
            if given.shape != (len(names),):
                raise ValueError(f"active: expected shape ({len(names)},), got {given.shape}")
            mask = given.astype(np.uint8)
        else:
            wanted = {str(name) for name in given}
            if missing := wanted - set(names):
                raise ValueError(f"active: expected joints that move, got {min(missing)!r}")
            mask = np.array([name in wanted for name in names], dtype=np.uint8)
        return mask

    def _carried(self, name: str, link: str) -> tuple[int, Floats]:
        """Return the joint that carries a link, and the link's pose in its frame."""
        tree = tree_of(self.robot)
        if link not in tree.carrier:
            raise ValueError(f"{name}: expected a link of the robot, got {link!r}")
        return tree.carrier[link], tree.offset[link]

    def _attached(self, link: str | None, point: Floats) -> tuple[int, Floats]:
        """Return a point of a link as one of the frame that carries it; -1 is the world."""
        if link is None:
            return -1, point
        joint, offset = self._carried("link", link)
        return joint, offset[:3, :3] @ point + offset[:3, 3]


def locked(bodies: Sequence[ArticulatedState]) -> AbstractContextManager[Any]:
    """Lock bodies, and those that springs connect them with, always in the same order."""
    if len(bodies) == 1 and not bodies[0]._others:
        return bodies[0]._lock
    every = {id(b): b for body in bodies for b in (body, *body._others)}
    stack = ExitStack()
    for number in sorted(every):
        stack.enter_context(every[number]._lock)
    return stack
