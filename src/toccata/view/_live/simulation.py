"""A running simulation. Users throw balls into it and drag its bodies."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._mesh import Mesh
from toccata._motion import pose as make_pose
from toccata._text import counted
from toccata.dynamics._report import StepReport
from toccata.dynamics._world import World
from toccata.scenes import models
from toccata.view._colors import DARK, GRAY, PALETTE, RED, YELLOW
from toccata.view._items import Arrows, Body, Item, Points
from toccata.view._live.grip import Grip
from toccata.view._live.session import RATE, Session, ordered
from toccata.view._live.spring import Spring
from toccata.view._parts import mesh_arrays

HISTORY = 600
"""Number of steps in the plots."""
_MOST_THROWN = 20
_PATIENCE = 0.8
"""Largest fraction of a tick for steps. A world that needs more time runs slower."""


class SimulationSession(Session):
    """A world that runs in real time, or step by step.

    Any thread may call `pull`, which only stores the target of the spring.

    Args:
        world: a `dynamics.World`.
        grips: (friction, restitution) of articulated bodies by name. The session adds these bodies
            to the world again when the number of active joints changes. Default: (0.5, 0).

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
        """Simulated seconds per second."""
        self.active: int | None = None
        """Number of active joints of each articulated body; None if all joints are active."""
        self.report = StepReport()
        """The report of the last step."""
        self.complaint = ""
        self._history: deque[tuple[float, float, float]] = deque(maxlen=HISTORY)
        self._spring: Spring | None = None
        self._pointer: Floats | None = None
        self._thrown: list[str] = []
        self._count = 0
        self._owed = 0.0
        self._meshes = {name: mesh_arrays(mesh) for name, mesh in world.meshes.items()}
        self._colors = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(world.names)}
        self._size = _size(world)
        radii = [mesh.radius for name, mesh in world.meshes.items() if world.movable(name)]
        self._ball = max(0.06 * self._size, float(np.median(radii)) / 2 if radii else 0.0)
        """Radius of thrown balls, chosen so that they are visible but hide little."""

    @property
    def joints(self) -> int:
        """The largest number of joints of an articulated body."""
        bodies = self.world.articulated.values()
        return max((len(body.joint_names) for body in bodies), default=0)

    @ordered
    def play(self) -> None:
        """Start or resume the simulation."""
        self.playing = True

    @ordered
    def pause(self) -> None:
        """Pause the simulation."""
        self.playing = False

    @ordered
    def step(self) -> None:
        """Advance by one step, and pause."""
        self.playing = False
        self._step()

    @ordered
    def reset(self) -> None:
        """Return to the start, and remove thrown balls."""
        self.playing, self._owed, self._spring = False, 0.0, None
        while self._thrown:
            self._forget(self._thrown.pop())
        self.world.restore(self._start)
        self._history.clear()
        self.report = StepReport()

    @ordered
    def activate(self, count: int | None) -> None:
        """Set the number of active joints of each articulated body; None activates all."""
        self.active, self._spring = count, None
        for name, body in self.world.articulated.items():
            friction, restitution = self._grips.get(name, (0.5, 0.0))
            self.world.remove(name)
            self.world.add_articulated(
                name, body, friction=friction, restitution=restitution, active=count
            )

    def throw(self, position: ArrayLike, velocity: ArrayLike, size: float | None = None) -> None:
        """Throw a ball from a position, unless it would touch other bodies there."""
        at, speed = as_shape("position", position, 3), as_shape("velocity", velocity, 3)
        self._throw(at, speed, size or self._ball)

    @ordered
    def _throw(self, position: Floats, velocity: Floats, radius: float) -> None:
        self._count += 1
        name = f"thrown {self._count}"
        ball = Mesh(*models.icosphere(radius, 2))
        self.world.add(name, ball, make_pose(position), velocity=velocity, restitution=0.3)
        if self.world._touching() is not None:
            self.world.remove(name)
            self.complaint = "There is no room for a ball at the camera"
            return
        self.complaint = ""
        self._meshes[name] = mesh_arrays(ball)
        self._thrown.append(name)
        if len(self._thrown) > _MOST_THROWN:
            self._forget(self._thrown.pop(0))

    def _forget(self, name: str) -> None:
        if self._spring is not None and self._spring.name == name:
            self._spring = None
        self.world.remove(name)
        del self._meshes[name]

    def grab(self, name: str, position: ArrayLike) -> None:
        """Attach a body to a spring at a position in the world."""
        self._pointer = as_shape("position", position, 3).copy()
        self._grab(name, self._pointer)

    @ordered
    def _grab(self, name: str, position: Floats) -> None:
        if not self.world.movable(name):
            self.complaint = f"{name} does not move"
            return
        pose = self.world.poses[self.world.names.index(name)]
        self._spring = Spring(self.world, name, Grip.at(pose, position), position)

    def pull(self, pointer: ArrayLike) -> None:
        """Set the target position of the spring, in world coordinates."""
        self._pointer = as_shape("pointer", pointer, 3).copy()

    @ordered
    def release(self) -> None:
        """Remove the spring."""
        self._spring = None

    def advance(self) -> bool:
        """Simulate the duration of a tick, or less if the steps take too long."""
        if not self.playing:
            return (
                self._spring is not None
            )  # the drawn spring follows the pointer even during a pause
        self._owed = min(self._owed, 0.0) + self.speed / RATE
        patience = time.monotonic() + _PATIENCE / RATE
        while self._owed > 0 and time.monotonic() < patience:
            self._owed -= self._step()
        return True

    def _step(self) -> float:
        """Advance by one step, and return its duration in simulated seconds."""
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
        """Times, energies and least distances of the last steps, (k, 3). Unknown values are NaN."""
        rows = np.array(list(self._history)).reshape(-1, 3)
        rows[np.isinf(rows)] = np.nan
        return rows

    def items(self) -> Sequence[Item]:
        """Return the bodies, with rigid groups in colors, the contacts and the spring."""
        items: list[Item] = [*self._bodies(), *self._contacts()]
        if self._spring is not None and self._pointer is not None:
            ends = self._spring.position()[None], self._pointer[None]
            items.append(Arrows("spring", DARK, *ends, 0.008 * self._size, heads=False))
        return items

    def _bodies(self) -> Iterator[Item]:
        groups = self._groups()
        for name, pose in zip(self.world.names, self.world.poses, strict=True):
            if name in groups:
                color = PALETTE[groups[name] % len(PALETTE)] if groups[name] else GRAY
            else:
                color = self._colors.get(name, RED) if self.world.movable(name) else GRAY
            yield Body(f"world/{name}", color, *self._meshes[name], pose)

    def _groups(self) -> dict[str, int]:
        """Return the rigid group of each link; 0 for links that never move."""
        found, before = {}, 0
        for robot in self.world._bodies.robots.values():
            groups = robot.body.groups
            for name, carrier in zip(robot.names, robot.carriers, strict=True):
                found[name] = int(groups[carrier]) + before if carrier >= 0 else 0
            before += int(groups.max(initial=0))
        return found

    def _contacts(self) -> Iterator[Item]:
        contacts = self.world.contacts
        if not len(contacts):
            return
        yield Points("contacts/points", YELLOW, contacts.point, 0.02 * self._size)
        force = np.linalg.norm(contacts.force, axis=1, keepdims=True)
        if (largest := float(force.max())) > 0:
            # Square roots, so that small forces remain visible beside large ones.
            length = 0.25 * self._size * np.sqrt(force / largest)
            directions = contacts.force / np.maximum(force, 1e-300)
            ends = contacts.point, contacts.point + length * directions
            yield Arrows("contacts/forces", RED, *ends, 0.008 * self._size)

    @property
    def notes(self) -> Sequence[str]:
        """Lines about the time, the moving bodies and the least distance."""
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


def _size(world: World) -> float:
    """Return the spread of the moving bodies, or the largest radius if that is larger."""
    moving = [
        (pose[:3, 3], world.meshes[name].radius)
        for name, pose in zip(world.names, world.poses, strict=True)
        if name in world._bodies.free or world._bodies.robot_of(name) is not None
    ]
    if not moving:
        return max((mesh.radius for mesh in world.meshes.values()), default=1.0)
    positions = np.array([position for position, _ in moving])
    spread = np.linalg.norm(positions - positions.mean(axis=0), axis=1).max(initial=0.0)
    return float(max(spread, *(radius for _, radius in moving)))
