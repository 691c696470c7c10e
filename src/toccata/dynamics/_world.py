"""Bodies that move by forces and contacts, and never penetrate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import as_floats, as_number, as_shape, as_unchecked, as_whole
from toccata.dynamics._log import WorldLog
from toccata.dynamics._report import Impacts, StepReport, WorldContacts
from toccata.dynamics._separate import overlap, push_apart
from toccata.dynamics._world_bodies import WorldBodies
from toccata.dynamics._world_state import WorldState

_NOTHING = (0.0, 0.0, 0.0)


class World(WorldBodies):
    """Bodies with mass that fall, collide, slide, roll, rest, and never penetrate.

    A solver proposes velocities, `first_contact` certifies the motions, and only what is proven is
    executed.

    Args:
        gravity: (3,) acceleration.
        step: Seconds of one step.
        shell: The distance at which bodies rest on each other; by default a thousandth of the
            smaller one's radius.
        sleeping: Let bodies that have been at rest for half a second stay where they are until
            something touches them.
        threads: As in batches. Results do not depend on it.

    """

    __slots__ = ()

    @property
    def contacts(self) -> WorldContacts:
        """What touched at the end of the last step."""
        with self._locked():
            a, b, *columns = self._core.contacts()
            names = self._core.names()
        return WorldContacts(tuple(names[i] for i in a), tuple(names[i] for i in b), *columns)

    def shell(self, name_a: str, name_b: str) -> float:
        """Return the distance at which two bodies rest on each other."""
        return float(self._core.shell(self._row(name_a), self._row(name_b)))

    def apply(self, name: str, force: ArrayLike = _NOTHING, torque: ArrayLike = _NOTHING) -> None:
        """Let a force act on the center of mass, and a torque, during the next step; they add up.

        World axes. A body that sleeps wakes up. On a link, the force acts at the center of its
        mesh.
        """
        row = self._row(name)
        robot = self._robot_of(name)
        moves = robot is not None and robot.carriers[robot.names.index(name)] >= 0
        if name not in self._free and not moves:
            raise ValueError(f"name: expected a body with mass, got {name!r}")
        push, twist = as_shape("force", force, 3), as_shape("torque", torque, 3)
        with self._locked():
            self._core.apply(row, push, twist)

    def set_velocity(
        self, name: str, velocity: ArrayLike = _NOTHING, angular_velocity: ArrayLike = _NOTHING
    ) -> None:
        """Give a body another velocity, of its center of mass, world axes."""
        row = self._row(name)
        self._check_no_link(name)
        if name not in self._free:
            raise ValueError(f"name: expected a body with mass, got {name!r}")
        speed, spin = (
            as_shape("velocity", velocity, 3),
            as_shape("angular_velocity", angular_velocity, 3),
        )
        with self._locked():
            self._core.set_velocity(row, speed, spin)

    def move(self, name: str, pose: ArrayLike) -> None:
        """Put a body elsewhere; it has to be free of contact there."""
        row, place = self._row(name), as_unchecked("pose", pose, 4, 4)
        self._check_no_link(name)
        with self._locked():
            self._core.move(row, place)
            self._log = None

    def separate(self, within: float | None = None) -> float:
        """Push bodies apart that touch or overlap a little, and return the longest way of one.

        Args:
            within: The longest way that a body is moved; by default a twentieth of the smaller
                one's radius.

        """
        limit = None if within is None else as_number("within", within, least=0, open_end=True)
        return push_apart(self, limit)

    def start_log(self) -> WorldLog:
        """Keep all motions from now on, in a log that `tc.audit` reads.

        It ends when a body is added, removed or put elsewhere, or a state is restored.
        """
        with self._locked():
            self._read_robots()
            names = self._core.names()
            meshes = [self._meshes[name] for name in names]
            centers, poses = self._core.centers(), self._core.poses()
            shell = self._core.least_shell
            log = WorldLog(names, meshes, centers, poses, self._core.time, shell)
            for robot in self._robots.values():
                log._add_robot(robot, self._core)
            self._log = log
        return log

    def step(self, n: int = 1) -> StepReport:
        """Advance by n steps, and tell what happened."""
        count = as_whole("n", n)
        self._check_start()
        total = StepReport()
        with self._locked():
            names = self._core.names()
            for _ in range(count):
                numbers, impacts = self._step_once()
                total = total._then(numbers, Impacts._of(names, impacts), self._core.energy)
        return total

    def _step_once(self) -> tuple[list[Any], Any]:
        log, self._log = self._log, None  # interrupted, it would miss a step: it ends before
        start = self._core.time
        *numbers, impacts, record = self._core.step(log is not None)
        if log is not None:
            log._extend((start, self._core.time), record, self._core.poses())
            self._log = log
        return numbers, impacts

    def _touching(self) -> tuple[str, str, float, float] | None:
        """Return two bodies that are too near to start from, their distance and the least one."""
        with self._locked():
            a, b, distance, least = self._core.obstacle()
            names = self._core.names()
        return (names[a], names[b], distance, least) if a >= 0 else None

    def _check_start(self) -> None:
        with self._locked():
            self._read_robots()
            if self._core.is_certified:
                return
        touching = self._touching()
        if touching is not None:
            a, b, distance, least = touching
            got = f"{distance:.3g} apart"
            if not distance > 0:
                depth = overlap(self, a, b)
                got = "in contact" + (
                    ", deep in each other" if depth is None else f" by {depth:.3g}"
                )
            raise ValueError(
                f"pose: expected bodies more than {least:.3g} apart, got {a!r} and {b!r} {got}; "
                "separate() pushes apart what overlaps a little"
            )

    def save(self) -> WorldState:
        """Return all that changes from step to step; the world stays as it is.

        Joint forces of articulated bodies are part of it, and forces for the next step.
        """
        with self._locked():
            names = tuple(self._core.names())
            state = WorldState(names, np.array(self._core.state()), self._digests(names))
        return state._sealed(self._shell)

    def restore(self, state: WorldState) -> None:
        """Go on from a state of the same bodies, bit by bit.

        A state as a world saved it is trusted. One that was changed, or saved with another shell,
        is checked like a start: here for numbers that no body can have, and for bodies in contact
        by the next step.
        """
        if not isinstance(state, WorldState):
            raise ValueError(f"state: expected a WorldState, got {type(state).__name__}")
        numbers = as_floats("state", state.numbers)
        if numbers.ndim != 1:
            raise ValueError(f"state: expected numbers of shape (n,), got {numbers.shape}")
        with self._locked():
            names = tuple(self._core.names())
            state._check_bodies(names, self._digests(names))
            self._core.restore(numbers, state.seal == state._seal(self._shell))
            self._log = None

    def __repr__(self) -> str:
        return f"World({len(self)} bodies, {self.time:.3f} s)"
