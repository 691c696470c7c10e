"""One body that is moved by hand among others."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_number, as_unchecked, as_whole
from toccata._mesh import as_mesh
from toccata._native import core
from toccata._proximity import Proximities
from toccata._scene import as_world
from toccata.dynamics._path import MotionPath

_OWN = np.empty((0, 6))


class MoveStatus(IntEnum):
    """How far a move got."""

    REACHED = 0
    """The body is at the target."""
    MOVING = 1
    """It is on its way: call `move` again."""
    BLOCKED = 2
    """Contacts hold it; it is as near to the target as it gets from here."""
    JAMMED = 3
    """No motion that leads on could be proven free."""


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """What holds the body, one row for each pair of points within 1.5 shells, world coordinates."""

    names: tuple[str, ...]
    """Of the body of the scene."""
    point: Floats
    """(k, 3) on the moved body."""
    point_other: Floats
    """(k, 3) on the body of the scene."""
    normal: Floats
    """(k, 3) of length 1, towards the moved body."""
    distance: Floats
    """(k,)"""

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """What a move did."""

    status: MoveStatus
    pose: Floats
    """(4, 4) where the body is now."""
    contacts: Contacts
    wrench: Floats
    """(6,) force and torque of the contacts on the body, about its center of mass, world axes:
    for a mass of 1 that a spring of stiffness 1 pulls to the target. Zero if nothing is near."""
    substeps: int
    """Motions that were executed."""
    truncated: int
    """Those of them of which less was proven than was proposed."""
    time: float
    """Of the scene, at the end."""
    waited: bool
    """Bodies of the scene are not as far on their motions as was asked for."""


class Manipulator:
    """A body that follows a target, slides along what it touches, and never penetrates.

    Every motion that it makes was certified free of contact before; what is not proven is not done.
    Bodies of the scene on motions play them as far as `move` says. They push the body along, and
    wait rather than crush it.

    Args:
        body: a Mesh or a trimesh.Trimesh.
        scene: a Scene, or what else robots take for a world; as it is now.
        pose: (4, 4) where the body starts, free of contact with the scene at time 0.
        shell: the distance at which the body rests on others; by default a thousandth of its
            radius. Narrower gaps than two shells are hard to enter.
        order: 1, a body without momentum, which goes where it is wanted at once; or 2, a body of
            a mass that a critically damped spring pulls to the target, second by second.
        response: of order 2, the time constant of the spring in seconds, 0.1 by default: without
            contacts 3/4 of the way are left after one of them from rest, 1/10 after four.
        mass: of order 2, 1 by default; the wrench of contacts is in its units.

    """

    __slots__ = ("_core", "_lock", "_names", "_order")

    def __init__(
        self,
        body: Any,
        scene: Any,
        pose: ArrayLike,
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
        row, apart, least = self._core.obstacle()
        if row >= 0:
            name = self._names[row]
            got = f"{apart:.3g} from {name!r}" if apart > 0 else f"in contact with {name!r}"
            raise ValueError(f"pose: expected a start more than {least:.3g} from all, got {got}")

    @property
    def pose(self) -> Floats:
        """(4, 4) where the body is."""
        with self._lock:
            return self._core.pose()

    @property
    def velocity(self) -> Floats:
        """(6,) of the center of mass, and spin about it, by second; 0 unless the order is 2."""
        with self._lock:
            return self._core.velocity()

    @property
    def shell(self) -> float:
        """The distance at which the body rests on others."""
        return self._core.shell

    @property
    def time(self) -> float:
        """How far bodies of the scene are on their motions, from 0 to 1."""
        with self._lock:
            return self._core.time

    @property
    def path(self) -> MotionPath:
        """All motions up to now, but for those taken back."""
        with self._lock:
            return MotionPath._of_numbers(*self._core.path())

    def move(
        self,
        target: ArrayLike,
        max_substeps: int = 8,
        time: float | None = None,
        step: float | None = None,
    ) -> Move:
        """Move towards a (4, 4) target pose, by a number of motions at most.

        It may be anywhere, also inside of other bodies. A frame of an interactive program is one
        call; to go on until the status is not MOVING moves as far as the body gets.

        Meanwhile bodies of the scene that have a motion play it up to `time`, which is no earlier
        than `self.time` and at most 1; by default they stay where they are. A body with momentum,
        of order 2, moves for `step` seconds, 1/60 by default.
        """
        return self._move(target, max_substeps, (time, step), _OWN)

    def _move(
        self,
        target: ArrayLike,
        max_substeps: int,
        until: tuple[float | None, float | None],
        given: Floats,
    ) -> Move:
        """Take (k, 6) proposals in turn in place of the solver's: whatever they are, it is safe."""
        most = min(as_whole("max_substeps", max_substeps), 2**30)
        goal = as_unchecked("target", target, 4, 4)
        seconds = _as_step(until[1], self._order)
        with self._lock:
            time = _as_time(until[0], self._core.time)
            *told, rows = self._core.move(goal, (time, seconds), most, given)
            pose = self._core.pose()
        status, wrench, *counts = told
        near = Proximities(*rows)
        names = tuple(self._names[i] for i in near.body_b)
        contacts = Contacts(names, near.point_a, near.point_b, near.normal, near.distance)
        return Move(MoveStatus(status), pose, contacts, wrench, *counts)

    def undo(self, n: int = 1) -> Floats:
        """Take back the last n moves, and return the pose from before them, bit for bit."""
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
        raise ValueError(f"time: expected a number from {now:g}, where it is, to 1, got {time!r}")
    return number


def _as_step(step: float | None, order: int) -> float:
    if order == 1 and step is not None:
        raise ValueError(f"step: expected a body of order 2, got {step!r} for one of order 1")
    return 1 / 60 if step is None else as_number("step", step, least=0, open_end=True)


def _as_momentum(order: int, response: float | None, mass: float | None) -> tuple[float, float]:
    """Return the mass, and the rate of the spring by second; 0 for no momentum."""
    if order not in (1, 2):
        raise ValueError(f"order: expected 1 or 2, got {order!r}")
    given = {"response": response, "mass": mass}
    for name, value in given.items():
        if order == 1 and value is not None:
            raise ValueError(f"{name}: expected order=2 with it, got order=1")
    if order == 1:
        return 1.0, 0.0
    seconds = 0.1 if response is None else as_number("response", response, least=0, open_end=True)
    weight = 1.0 if mass is None else as_number("mass", mass, least=0, open_end=True)
    return weight, 1 / seconds
