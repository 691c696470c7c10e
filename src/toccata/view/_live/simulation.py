"""A running simulation into which a reader throws balls, and whose bodies can be dragged."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._mesh import Mesh
from toccata._motion import pose as make_pose
from toccata._text import counted
from toccata.dynamics._report import StepReport
from toccata.dynamics._world import World
from toccata.scenes import models
from toccata.view._items import Item
from toccata.view._live.grip import Grip
from toccata.view._live.session import Session
from toccata.view._live.simulation_items import SimulationItems
from toccata.view._live.spring import Spring
from toccata.view._live.threads import RATE

HISTORY = 600
"""Samples that plots show."""
_MOST_THROWN = 20
_PATIENCE = 0.8
"""Fraction of a tick that steps of the world may take; a slower world plays slower."""


class SimulationSession(Session):
    """A world that plays in real time, or step by step.

    `pull` may be called by any thread: it only stores where the spring shall pull to.

    Args:
        world: a `dynamics.World`.
        grips: friction and restitution of articulated bodies by name, as they were added: they are
            added anew when the number of active joints changes. By default 0.5 and 0.

    """

    title = "A simulation"

    def __init__(
        self, world: World, grips: Mapping[str, tuple[float, float]] | None = None
    ) -> None:
        super().__init__()
        self.world = world
        self._grips = dict(grips or {})
        self._start = world.save()
        self.playing = False
        self.speed = 1.0
        """Seconds of the world by second."""
        self.active: int | None = None
        """Joints of each articulated body that are simulated; None: all."""
        self.report = StepReport()
        """The report of the last step."""
        self.complaint = ""
        self._history: deque[tuple[float, float, float]] = deque(maxlen=HISTORY)
        self._spring: Spring | None = None
        self._pointer: Floats | None = None
        self._thrown: list[str] = []
        self._count = 0
        self._owed = 0.0
        self._items = SimulationItems(world)

    @property
    def joints(self) -> int:
        """Number of joints of the articulated body that has most."""
        bodies = self.world.articulated.values()
        return max((len(body.joint_names) for body in bodies), default=0)

    def play(self) -> None:
        """Go on."""
        self.order(lambda: setattr(self, "playing", True))

    def pause(self) -> None:
        """Stay."""
        self.order(lambda: setattr(self, "playing", False))

    def step(self) -> None:
        """Advance by one step, and stay."""
        self.order(self._single)

    def _single(self) -> None:
        self.playing = False
        self._step()

    def reset(self) -> None:
        """Go back to the start; what was thrown is gone."""
        self.order(self._reset)

    def _reset(self) -> None:
        self.playing, self._owed, self._spring = False, 0.0, None
        while self._thrown:
            self._forget(self._thrown.pop())
        self.world.restore(self._start)
        self._history.clear()
        self.report = StepReport()

    def activate(self, count: int | None) -> None:
        """Simulate so many joints of each articulated body, those that matter most; None: all."""
        self.order(lambda: self._activate(count))

    def _activate(self, count: int | None) -> None:
        self.active, self._spring = count, None
        for name, body in self.world.articulated.items():
            friction, restitution = self._grips.get(name, (0.5, 0.0))
            self.world.remove(name)
            self.world.add_articulated(
                name, body, friction=friction, restitution=restitution, active=count
            )

    def throw(self, position: ArrayLike, velocity: ArrayLike, size: float | None = None) -> None:
        """Throw a ball from a position, if there is room for it."""
        at, speed = as_shape("position", position, 3), as_shape("velocity", velocity, 3)
        self.order(lambda: self._throw(at, speed, size or self._items.ball))

    def _throw(self, position: Floats, velocity: Floats, radius: float) -> None:
        self._count += 1
        name = f"thrown {self._count}"
        vertices, faces = models.icosphere(radius, 2)
        ball = Mesh(vertices, faces)
        self.world.add(name, ball, make_pose(position), velocity=velocity, restitution=0.3)
        if self.world._touching() is not None:
            self.world.remove(name)
            self.complaint = "No room to throw from there"
            return
        self.complaint = ""
        self._items.add(name, ball)
        self._thrown.append(name)
        if len(self._thrown) > _MOST_THROWN:
            self._forget(self._thrown.pop(0))

    def _forget(self, name: str) -> None:
        if self._spring is not None and self._spring.name == name:
            self._spring = None
        self.world.remove(name)
        self._items.remove(name)

    def grab(self, name: str, position: ArrayLike) -> None:
        """Hang a body on a spring at a position in the world."""
        at = as_shape("position", position, 3).copy()
        self._pointer = at
        self.order(lambda: self._grab(name, at))

    def _grab(self, name: str, position: Floats) -> None:
        if not self._items.movable(name):
            self.complaint = f"{name} does not move"
            return
        pose = self.world.poses[self.world.names.index(name)]
        self._spring = Spring(self.world, name, Grip.at(pose, position), position)

    def pull(self, pointer: ArrayLike) -> None:
        """Pull towards a position in the world."""
        self._pointer = as_shape("pointer", pointer, 3).copy()

    def release(self) -> None:
        """Let go."""
        self.order(lambda: setattr(self, "_spring", None))

    def advance(self) -> bool:
        """Play as many seconds as a tick has, or as many as there is time for."""
        if not self.playing:
            return self._spring is not None  # the spring follows the pointer even in a pause
        self._owed = min(self._owed, 0.0) + self.speed / RATE
        patience = time.monotonic() + _PATIENCE / RATE
        while self._owed > 0 and time.monotonic() < patience:
            self._owed -= self._step()
        return True

    def _step(self) -> float:
        """Make a step, and return the seconds that it took in the world."""
        if self._spring is not None and self._pointer is not None:
            self._spring.pointer = self._pointer
            self._spring.apply()
        before = self.world.time
        self.report = self.world.step()
        row = self.world.time, self.report.energy, self.report.least_distance
        self._history.append(row)
        return self.world.time - before

    @property
    def history(self) -> Floats:
        """Times, energies and least distances of the last steps, (k, 3); NaN if none were close."""
        rows = np.array(list(self._history)).reshape(-1, 3)
        rows[np.isinf(rows)] = np.nan
        return rows

    def items(self) -> Sequence[Item]:
        """Return all bodies, rigid groups in colors, the contacts, and the spring."""
        spring = None
        if self._spring is not None and self._pointer is not None:
            spring = self._spring.position(), self._pointer
        return self._items.all(spring)

    @property
    def notes(self) -> Sequence[str]:
        """The time, what moves, and how near anything came to anything."""
        world, report = self.world, self.report
        least = report.least_distance
        near = f"least distance {least:.3g}" if np.isfinite(least) else "no bodies near each other"
        lines = [
            f"{world.time:.2f} s, {counted(len(world), 'body')}, {report.awake} awake",
            f"Energy {world.energy:.4g}, {near}, {counted(report.impacts, 'impact')}",
        ]
        if self.joints:
            bodies = world.articulated.values()
            active = sum(int(body.active.sum()) for body in bodies)
            every = sum(len(body.joint_names) for body in bodies)
            lines.append(f"{active} of {every} joints are active")
        return [*lines, *([self.complaint] if self.complaint else [])]
