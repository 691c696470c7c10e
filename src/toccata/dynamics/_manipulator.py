"""A body that is moved by hand among other bodies."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, as_number, as_unchecked, as_whole
from toccata._mesh import as_mesh
from toccata._native import core
from toccata._proximity import Proximities
from toccata._scene import as_world
from toccata._text import counted, indented, listed, numbers
from toccata.dynamics._path import MotionPath
from toccata.typing import BodyLike, PoseLike, WorldLike

_NO_PROPOSALS = np.empty((0, 6))


class MoveStatus(IntEnum):
    """Status of a move."""

    REACHED = 0
    """The body is at the target."""
    MOVING = 1
    """The substeps are used up: call `move` again."""
    BLOCKED = 2
    """Contacts hold the body as close to the target as it can get from here."""
    JAMMED = 3
    """No motion towards the target could be proven free."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Contacts:
    """Contacts that hold a body, one row for each pair of points within 1.5 shells.

    Body a is the moved body, body b is a body of the scene. Coordinates are world coordinates.
    """

    names: tuple[str, ...]
    """Names of the bodies of the scene."""
    body_b: NDArray[np.int32]
    """Body of the scene, an index into `names`, (k,)."""
    point_a: Floats
    """Points on the moved body, (k, 3)."""
    point_b: Floats
    """Points on the body of the scene, (k, 3)."""
    normal: Floats
    """Unit vectors from b to a, (k, 3)."""
    distance: Floats
    """Distance between the two points, (k,)."""

    @property
    def touching(self) -> tuple[str, ...]:
        """Names of the bodies that touch the moved body, in the order of `names`."""
        return tuple(self.names[i] for i in np.unique(self.body_b))

    def __len__(self) -> int:
        return len(self.body_b)

    def __str__(self) -> str:
        touching = f" with {listed(self.touching)}" if len(self) else ""
        return counted(len(self), "contact") + touching

    def __repr__(self) -> str:
        columns = zip(self.body_b, self.distance, self.point_a, strict=True)
        rows = [f"{self.names[i]!r}, distance {d:.3g}, at {numbers(p)}" for i, d, p in columns]
        return indented(f"Contacts: {self}", rows)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """The result of one move."""

    status: MoveStatus
    pose: Floats
    """Pose of the body at the end, (4, 4)."""
    contacts: Contacts
    wrench: Floats
    """Force and torque of the contacts on the body, (6,), about its center of mass, world axes.

    The units follow from a mass of 1 (`mass` with order 2) that a spring of stiffness 1 pulls to
    the target. The wrench is zero without contacts."""
    substeps: int
    """Number of executed motions."""
    truncated: int
    """Number of substeps with a proven portion shorter than the proposal."""
    time: float
    """Time of the scene at the end, from 0 to 1."""
    waited: bool
    """True if bodies of the scene have not reached the requested time of their motions."""

    def __str__(self) -> str:
        waited = ", the scene waited" if self.waited else ""
        substeps = counted(self.substeps, "substep")
        return f"{self.status.name} after {substeps}, {self.contacts}{waited}"

    def __repr__(self) -> str:
        position, force = numbers(self.pose[:3, 3]), numbers(self.wrench[:3])
        return (
            f"Move({self.status.name}, position={position}, {self.contacts}, force={force}, "
            f"substeps={self.substeps}, truncated={self.truncated}, time={self.time:.6g}, "
            f"waited={self.waited})"
        )


class Manipulator:
    """A body that follows a target, slides along what it touches, and never penetrates.

    Every motion is certified free of contact before it is executed. Bodies of the scene with a
    motion follow it up to the time that `move` requests. They push the moved body along, and wait
    where they would crush it.

    Args:
        body: a Mesh or a trimesh.Trimesh.
        scene: a Scene, or any other world that robots accept; later edits have no effect.
        pose: start pose, free of contact with the scene at time 0, (4, 4).
        shell: distance at which the body rests on other bodies. Default: a thousandth of its
            radius. Gaps narrower than two shells are hard to enter.
        order: 1 moves the body without momentum, straight towards the target. 2 gives the body a
            mass, and a critically damped spring pulls it to the target as time passes.
        response: for order 2, the time constant of the spring in seconds; default: 0.1. From rest
            and without contacts, 3/4 of the displacement remain after one time constant, and 1/10
            after four.
        mass: for order 2, the mass in the unit of the wrench; default: 1.

    """

    __slots__ = ("_core", "_lock", "_names", "_order")

    def __init__(
        self,
        body: BodyLike,
        scene: WorldLike,
        pose: PoseLike,
        *,
        shell: float | None = None,
        order: int = 1,
        response: float | None = None,
        mass: float | None = None,
    ) -> None:
        """Check that the body is free at the start."""
        momentum = _as_momentum(order, response, mass)
        distance = 0.0 if shell is None else as_number("shell", shell, least=0, open_end=True)
        world, start = as_world(scene), as_unchecked("pose", pose, 4, 4)
        moved = as_mesh("body", body)._core
        self._core = core.Manipulator(moved, world.native, start, distance, momentum)
        self._order = order
        self._names = world.names
        self._lock = threading.Lock()
        near = self._core.obstacle()
        if near.body >= 0:
            name, apart = self._names[near.body], near.distance
            got = f"{apart:.3g} from {name!r}" if apart > 0 else f"in contact with {name!r}"
            wanted = f"a start more than {near.least:.3g} from all bodies"
            raise ValueError(f"pose: expected {wanted}, got {got}")

    @property
    def pose(self) -> Floats:
        """Current pose of the body, (4, 4)."""
        with self._lock:
            return self._core.pose()

    @property
    def velocity(self) -> Floats:
        """Velocity of the center of mass and spin, (6,), per second; 0 with order 1."""
        with self._lock:
            return self._core.velocity()

    @property
    def shell(self) -> float:
        """Distance at which the body rests on other bodies."""
        return self._core.shell

    @property
    def time(self) -> float:
        """Current time of the motions in the scene, from 0 to 1."""
        with self._lock:
            return self._core.time

    @property
    def path(self) -> MotionPath:
        """All motions up to now, without undone motions."""
        with self._lock:
            return MotionPath._of_numbers(*self._core.path())

    def move(
        self,
        target: PoseLike,
        max_substeps: int = 8,
        time: float | None = None,
        step: float | None = None,
    ) -> Move:
        """Move towards a target by at most `max_substeps` motions.

        An interactive program calls this method once per frame. To move the body as far as
        possible, call it until the status is no longer MOVING.

        Args:
            target: wanted pose, which may be inside other bodies, (4, 4).
            max_substeps: maximum number of motions in this call.
            time: time up to which bodies of the scene follow their motions, from `self.time` to 1.
                Default: they stay where they are.
            step: for order 2, seconds that pass; default: 1/60.

        """
        return self._move(target, max_substeps, (time, step), _NO_PROPOSALS)

    def _move(
        self,
        target: PoseLike,
        max_substeps: int,
        until: tuple[float | None, float | None],
        proposals: Floats,
    ) -> Move:
        """Move by given proposals, (k, 6), or by the solver's if k is 0. Any proposal is safe."""
        most = min(as_whole("max_substeps", max_substeps), 2**30)
        goal = as_unchecked("target", target, 4, 4)
        seconds = _as_step(until[1], self._order)
        with self._lock:
            time = _as_time(until[0], self._core.time)
            done, rows = self._core.move(core.Aim(goal, time, seconds), most, proposals)
            pose = self._core.pose()
        found = Proximities(*rows)
        points = found.point_a, found.point_b, found.normal, found.distance
        contacts = Contacts(self._names, np.asarray(found.body_b, dtype=np.int32), *points)
        counts = done.substeps, done.truncated, done.time, done.waited
        return Move(MoveStatus(done.status), pose, contacts, done.wrench, *counts)

    def undo(self, n: int = 1) -> Floats:
        """Undo the last n moves, and return the pose before them, bit for bit."""
        count = as_whole("n", n)
        with self._lock:
            if count > self._core.moves:
                raise ValueError(f"n: expected at most {self._core.moves} moves, got {count}")
            self._core.undo(count)
            return self._core.pose()

    def __repr__(self) -> str:
        with self._lock:
            moves = self._core.moves
        return f"Manipulator(among {len(self._names)} bodies, {moves} moves)"


def _as_time(time: float | None, now: float) -> float:
    if time is None:
        return now
    number = as_number("time", time, least=0)
    if not now <= number <= 1:
        raise ValueError(f"time: expected a number from {now:g} (now) to 1, got {time!r}")
    return number


def _as_step(step: float | None, order: int) -> float:
    if order == 1 and step is not None:
        raise ValueError(f"step: expected None for a body of order 1, got {step!r}")
    return 1 / 60 if step is None else as_number("step", step, least=0, open_end=True)


def _as_momentum(order: int, response: float | None, mass: float | None) -> core.Momentum:
    """Return the mass and the rate of the spring per second, which is 0 without momentum."""
    if order not in (1, 2):
        raise ValueError(f"order: expected 1 or 2, got {order!r}")
    if order == 1:
        for name, value in {"response": response, "mass": mass}.items():
            if value is not None:
                raise ValueError(f"{name}: expected None for a body of order 1, got {value!r}")
        return core.Momentum(1.0, 0.0)
    seconds = 0.1 if response is None else as_number("response", response, least=0, open_end=True)
    weight = 1.0 if mass is None else as_number("mass", mass, least=0, open_end=True)
    return core.Momentum(weight, 1 / seconds)
