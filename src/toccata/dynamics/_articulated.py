"""Articulated bodies with mass, of which as many joints are simulated as matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_number, as_shape, as_whole
from toccata._native import core
from toccata._robot.internal import tree_of
from toccata._robot.robot import Robot
from toccata.dynamics._articulated_state import ArticulatedState, locked
from toccata.dynamics._floating import floated, pose_numbers
from toccata.dynamics._inertias import frame_inertias
from toccata.dynamics._mass import MassProperties

_NOTHING = (0.0, 0.0, 0.0)

Active = int | Iterable[str] | NDArray[np.bool_] | None
"""All joints (None), so many of them, or these: by name, or a mask."""


class _Spring(NamedTuple):
    link: str
    point: Floats
    other: Any
    other_link: str | None
    other_point: Floats
    numbers: Floats


class ArticulatedBody(ArticulatedState):
    """A robot with mass that moves by forces.

    Velocities `v` have a rate for each number of revolute, prismatic and planar joints, in the
    order of configurations. A floating joint has six: the velocity of its frame's origin, and the
    angular velocity, in the axes of the joint's origin (those of the world, for a base).

    Args:
        robot: Its joints, their limits, and links with inertias or meshes.
        gravity: (3,) acceleration.
        floating: Let the base move freely: `robot` then has one joint more, named "floating", whose
            seven numbers come first. Otherwise the base stays where it is.
        density: Of links with a mesh and without an inertia.
        inertias: By link, in place of its own.
        refresh: Steps after which active joints are chosen anew.
        metric_time: In the choice of active joints, a rate counts as the acceleration that ends it
            in this time.

    """

    __slots__ = ("_springs",)
    _springs: list[_Spring]

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
        """Put it at zero, at rest; a floating base where the robot's base is."""
        if not isinstance(robot, Robot):
            raise ValueError(f"robot: expected a toccata.Robot, got {type(robot).__name__}")
        base = robot.base
        robot = floated(robot) if floating else robot
        masses = frame_inertias(robot, density, inertias)
        time = as_number("metric_time", metric_time, least=0, open_end=True)
        pull = as_shape("gravity", gravity, 3).copy()
        self._springs = []
        self._make(robot, (pull, masses, as_whole("refresh", refresh), time))
        if floating:
            q = self.q
            q[:7] = pose_numbers(base)
            self.q = q

    def add_spring(
        self,
        link: str,
        other: str | None = None,
        *,
        body: ArticulatedBody | None = None,
        point: ArrayLike = _NOTHING,
        other_point: ArrayLike = _NOTHING,
        stiffness: float = 100.0,
        length: float = 0.0,
        damping: float = 0.0,
    ) -> None:
        """Add a spring between a point of a link and a point of another link, or of the world.

        Args:
            link: Of this body.
            other: Another link; None: the world.
            body: The body of the other link; by default this one.
            point: (3,) in the frame of the link.
            other_point: (3,) in the frame of the other link, or of the world.
            stiffness: Force per stretch.
            length: At rest.
            damping: Force against the rate of the distance, per unit of it.

        """
        if body is not None and not isinstance(body, ArticulatedBody):
            raise ValueError(f"body: expected an ArticulatedBody, got {type(body).__name__}")
        if body is not None and other is None:
            raise ValueError("other: expected a link of the other body, got none")
        partner = body or self
        self._carried("link", link)
        if other is not None:
            partner._carried("other", other)
        numbers = [
            as_number("stiffness", stiffness, least=0),
            as_number("length", length, least=0),
            as_number("damping", damping, least=0),
        ]
        ends = as_shape("point", point, 3).copy(), as_shape("other_point", other_point, 3).copy()
        self._add(_Spring(link, ends[0], partner, other, ends[1], np.array(numbers)))

    def _add(self, spring: _Spring) -> None:
        partner: ArticulatedBody = spring.other
        here = self._attached(spring.link, spring.point)
        there = partner._attached(spring.other_link, spring.other_point)
        self._springs.append(spring)
        self._core.add_spring(*here, partner._core, *there, spring.numbers)
        if partner is not self:
            partner._core.add_spring(*there, self._core, *here, spring.numbers)
            self._others.append(partner)
            partner._others.append(self)

    def apply(
        self,
        link: str,
        force: ArrayLike = _NOTHING,
        torque: ArrayLike = _NOTHING,
        point: ArrayLike | None = None,
    ) -> None:
        """Let a force and a torque act on a link during the next call of `step`; they add up.

        World axes. The force acts at a point of the world that stays there, by default where the
        origin of the link's frame is.
        """
        with self._lock:
            self._core.pull(*self._at(link, point, force, torque))

    def strike(
        self,
        link: str,
        impulse: ArrayLike = _NOTHING,
        angular: ArrayLike = _NOTHING,
        point: ArrayLike | None = None,
    ) -> None:
        """Change velocities by an impulse on a link; points as for `apply`.

        Active joints alone give way: `activate` first what the impulse should move.
        """
        with self._lock:
            self._core.strike(*self._at(link, point, impulse, angular))

    def _at(
        self, link: str, point: ArrayLike | None, force: ArrayLike, torque: ArrayLike
    ) -> tuple[Any, ...]:
        joint, offset = self._carried("link", link)
        vectors = as_shape("force", force, 3), as_shape("torque", torque, 3)
        if point is not None:
            return (joint, as_shape("point", point, 3), *vectors)
        frame = np.asarray(self._core.frames())[joint] if joint >= 0 else np.eye(4)
        return (joint, np.ascontiguousarray((frame @ offset)[:3, 3]), *vectors)

    def activate(self, *links: str) -> None:
        """Make all joints between these links and the ground active, until others are chosen."""
        joints = [joint for joint, _ in (self._carried("link", link) for link in links)]
        with self._lock:
            self._core.activate(np.array([j for j in joints if j >= 0], dtype=np.int32))

    def step(
        self, h: float, active: Active = None, error: float | None = None, *, n: int = 1
    ) -> None:
        """Advance by n steps of h seconds.

        Args:
            h: Seconds.
            active: All joints, or so many of those that matter most; or just these, by name or as
                a mask. A floating base is active always, and not counted.
            error: Chosen are no more than it takes for the metric of all others, the sum of
                squares of their accelerations and of rate / metric_time, to stay below this.
            n: Steps.

        """
        choice = self._choice(active, error)
        if isinstance(choice, np.ndarray):
            with self._lock:
                self._core.set_active(choice)
            choice = core.Activity.kept, 0, 0.0
        _step([self], h, n, choice)

    def _choice(self, active: Active, error: float | None) -> Any:
        """Return the arguments of the core, or a mask."""
        most, least = len(tree_of(self.robot).moving), -np.inf
        if active is None and error is None:
            return core.Activity.all, most, 0.0
        if error is not None:
            least = as_number("error", error, least=0)
        if active is None:
            return core.Activity.chosen, most, least
        if isinstance(active, int | np.integer) and not isinstance(active, bool):
            number = int(active)
            if number < 0:
                raise ValueError(f"active: expected a number of at least 0, got {active}")
            return core.Activity.chosen, min(number, most), least
        if error is not None:
            raise ValueError("error: expected none beside given joints")
        return self._mask(active)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy or pickle the robot, masses, forces and the state; steps go on bit by bit.

        Forces of `apply` are not kept. A copy hangs on the same other bodies as this one.
        """
        with self._lock:
            native = self._core
            state = native.q(), native.v(), native.tau(), native.damping(), native.active()
            activity, *schedule = native.schedule()
        return (
            _restored,
            (self.robot, self._made, state, (activity.name, *schedule)),
            # Springs within the body are within its copy, too.
            [s._replace(other=None) if s.other is self else s for s in self._springs],
        )

    def __setstate__(self, springs: list[_Spring]) -> None:
        for spring in springs:
            self._add(spring._replace(other=spring.other or self))

    def __repr__(self) -> str:
        moving = f"{int(self.active.sum())} of {len(self.joint_names)} joints active"
        return f"ArticulatedBody({len(self.robot.links)} links, {moving})"


def step_bodies(
    bodies: Iterable[ArticulatedBody],
    h: float,
    active: int | None = None,
    error: float | None = None,
    *,
    n: int = 1,
) -> None:
    """Advance bodies that springs connect by n steps of h seconds, all at the same time.

    `active` and `error` are for each of them, as for `ArticulatedBody.step`.
    """
    every = list(bodies)
    for body in every:
        if not isinstance(body, ArticulatedBody):
            raise ValueError(f"bodies: expected ArticulatedBody, got {type(body).__name__}")
    if not (active is None or isinstance(active, int | np.integer)):
        raise ValueError(f"active: expected a number or None, got {type(active).__name__}")
    if every:
        most = max(every, key=lambda body: len(body.joint_names))
        _step(every, h, n, most._choice(active, error))


def _step(bodies: list[ArticulatedBody], h: float, n: int, choice: tuple[Any, ...]) -> None:
    time, count = as_number("h", h, least=0, open_end=True), as_whole("n", n)
    with locked(bodies):
        core.step_bodies([body._core for body in bodies], time, count, *choice)


def _restored(
    robot: Robot, made: tuple[Any, ...], state: tuple[Any, ...], schedule: tuple[Any, ...]
) -> ArticulatedBody:
    body = object.__new__(ArticulatedBody)
    body._springs = []
    body._make(robot, made)
    q, v, tau, damping, active = state
    native = body._core
    native.set(q, np.zeros(body.freedoms))
    native.set_active(np.array(active, dtype=np.uint8))
    native.set(q, v)
    native.set_tau(tau)
    native.set_damping(damping)
    activity, *rest = schedule
    native.set_schedule(core.Activity[activity], *rest)
    return body
