"""Automatic assembly: a part moves to its target on a straight path, by a planner or by sliding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from toccata._arrays import Floats, as_number, as_unchecked
from toccata._mesh import Mesh, as_mesh
from toccata._motion import Motion
from toccata._proximity import distance
from toccata._query import first_contact
from toccata._scene import PreparedWorld, as_world
from toccata._text import counted
from toccata.dynamics._manipulator import Contacts, Manipulator, Move, MoveStatus
from toccata.dynamics._mass import MassProperties
from toccata.dynamics._path import MotionPath
from toccata.typing import BodyLike, PoseLike, WorldLike

Progress = Callable[[str, int, int], None]
_SHELL_IN_RADII = 1e-3
_MOST_MOVES = 500


class AssemblyStatus(IntEnum):
    """Outcome of an assembly."""

    MOUNTED = 0
    """The part is at the target, and its path is certified."""
    BLOCKED = 1
    """No path exists, because the target or a pose of `via` touches the scene."""
    UNDECIDED = 3
    """No path was found, but one may exist."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assembly:
    """The result of `assemble`."""

    status: AssemblyStatus
    path: MotionPath
    """Certified motions from the start to `pose`."""
    pose: Floats
    """Last pose of the part, (4, 4)."""
    methods: tuple[str, ...]
    """Methods that found the legs of the path, in order: "straight", "planned" or "slid"."""
    contacts: Contacts | None
    """Contacts that hold the part; None if it is mounted or could not slide."""
    notes: tuple[str, ...]
    """Methods that could not be tried, and the reasons."""

    def __bool__(self) -> bool:
        return self.status is AssemblyStatus.MOUNTED

    def __str__(self) -> str:
        methods = f" ({', '.join(self.methods)})" if self.methods else ""
        held = f"; {self.contacts}" if self.contacts is not None else ""
        return f"{self.status.name} after {counted(len(self.path), 'motion')}{methods}{held}"

    def __repr__(self) -> str:
        notes = f"; {'; '.join(self.notes)}" if self.notes else ""
        return f"Assembly: {self}{notes}"


def assemble(
    part: BodyLike,
    scene: WorldLike,
    target: PoseLike,
    *,
    start: PoseLike | None = None,
    via: Sequence[PoseLike] = (),
    shell: float | None = None,
    seed: int = 0,
    effort: int = 2000,
    progress: Progress | None = None,
) -> Assembly:
    """Move a part to its target by motions that are certified free.

    A leg leads from one given pose to the next. For each leg, four methods are tried in this order:
    a straight motion; a path from the planner, if ompl is installed; sliding with a `Manipulator`;
    sliding from the end of the leg back to its start, along a path that is then reversed.

    Args:
        part: a Mesh or a trimesh.Trimesh.
        scene: a Scene, or any other world that robots accept. Its bodies must not move.
        target: pose of the mounted part, (4, 4).
        start: start pose, free of contact, (4, 4). Default: the identity.
        via: intermediate poses, in order.
        shell: distance kept from the scene where there is room. Default: a thousandth of the
            part's radius.
        seed: seed of the planner.
        effort: maximum number of motions that the planner checks in one run; 0 skips the planner.
            The planner runs at most twice per leg.
        progress: called with the current activity, the number of finished steps and of all steps.

    """
    body, world = as_mesh("part", part), as_world(scene)
    for name, (_, motion) in world.bodies.items():
        if not motion._core.is_fixed:
            raise ValueError(f"scene: expected bodies that do not move, got {name!r} on a motion")
    goals = [*(_as_pose("via", pose) for pose in via), _as_pose("target", target)]
    first = np.eye(4) if start is None else _as_pose("start", start)
    planner = None if effort < 1 else (seed, effort)
    return _Search(body, world, _shell(body, shell), planner, progress).run(first, goals)


def _as_pose(name: str, value: PoseLike) -> Floats:
    """Check that a pose is rigid; errors name the argument."""
    array = as_unchecked(name, value, 4, 4)
    try:
        Motion.fixed(array)
    except ValueError as error:
        raise ValueError(f"{name}: {str(error).partition(': ')[2]}") from error
    return array


def _shell(body: Mesh, shell: float | None) -> float:
    if shell is not None:
        return as_number("shell", shell, least=0, open_end=True)
    center = MassProperties.of(body).center
    return float(_SHELL_IN_RADII * np.linalg.norm(body.vertices - center, axis=1).max())


class _Search:
    """A search that tries one method after the other on each leg."""

    def __init__(
        self,
        body: Mesh,
        world: PreparedWorld,
        shell: float,
        planner: tuple[int, int] | None,
        progress: Progress | None,
    ) -> None:
        self.body, self.world, self.shell = body, world, shell
        self.scene: Any = world
        """The world for functions of the public API, which accept prepared worlds, too."""
        self.bodies = [(mesh, motion) for mesh, motion in world.bodies.values()]
        self.center = np.array(MassProperties.of(body).center)
        self.planner, self.progress = planner, progress
        self.paths: list[MotionPath] = []
        self.methods: list[str] = []
        self.notes: list[str] = []
        self.stuck: tuple[MotionPath, Contacts] | None = None
        """Path and last contacts of sliding that did not reach the end of the current leg."""

    def run(self, start: Floats, goals: list[Floats]) -> Assembly:
        pose = start
        if not self.clearance(start) > 0:
            raise ValueError("start: expected a pose free of contact, got a pose in contact")
        for k, goal in enumerate(goals):
            self.report(f"leg {k + 1} of {len(goals)}", 0, 1)
            self.stuck = None
            methods = (self.connect, self.slide, self.slide_back)
            path = next(filter(None, (method(pose, goal) for method in methods)), None)
            if path is None:
                blocked = self.clearance(goal) == 0
                return self.ended(
                    AssemblyStatus.BLOCKED if blocked else AssemblyStatus.UNDECIDED, pose
                )
            self.paths.append(path)
            pose = path.end[-1]
        self.stuck = None
        return self.ended(AssemblyStatus.MOUNTED, pose)

    def ended(self, status: AssemblyStatus, pose: Floats) -> Assembly:
        contacts = None
        if self.stuck is not None:
            path, contacts = self.stuck
            if len(path):
                self.paths.append(path)
                pose = path.end[-1]
        notes = tuple(dict.fromkeys(self.notes))
        path = _joined(self.paths)
        return Assembly(status, path, np.array(pose), tuple(self.methods), contacts, notes)

    def connect(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Return a path that is free of contact, straight or planned."""
        keep = min(self.shell, self.clearance(start) / 2, self.clearance(goal) / 2)
        if not keep > 0:
            return None
        path = self.certified([start, goal], keep)
        if path is not None:
            self.methods.append("straight")
            return path
        poses = self.plan(start, goal, keep)
        path = None if poses is None else self.certified(poses, keep)
        if path is not None:
            self.methods.append("planned")
        return path

    def clearance(self, pose: Floats) -> float:
        """Return a lower bound of the distance to the scene, which is 0 in contact."""
        lower = (distance(self.body, mesh, pose, at.pose(0.0)).lower for mesh, at in self.bodies)
        return min(lower, default=float("inf"))

    def plan(self, start: Floats, goal: Floats, keep: float) -> list[Floats] | None:
        if self.planner is None:
            return None
        try:
            from toccata.planning._body import plan_body
        except ModuleNotFoundError as error:
            self.notes.append(f"no planner: {error}")
            return None
        seed, effort = self.planner
        return plan_body(
            self.body,
            self.world,
            (start, goal),
            center=self.center,
            separation=keep,
            seed=seed,
            effort=effort,
            progress=lambda done, total: self.report("planning", done, total),
        )

    def certified(self, poses: list[Floats], keep: float) -> MotionPath | None:
        """Return the motions from pose to pose, or None if one of them is not proven free."""
        start, end = np.array(poses[:-1]), np.array(poses[1:])
        count = len(start)
        path = MotionPath(start, end, np.tile(self.center, (count, 1)), np.full(count, keep))
        for motion in path:
            for mesh, at in self.bodies:
                if first_contact(self.body, mesh, motion, at, separation=keep, tolerance=keep / 5):
                    return None
        return path

    def pulled(self, start: Floats, goal: Floats) -> tuple[MotionPath, Move] | None:
        """Pull the part from one pose toward another; return the path and the last move."""
        try:
            hand = Manipulator(self.body, self.scene, start, shell=self.shell)
        except ValueError as error:
            self.notes.append(f"no sliding: {error}")
            return None
        for k in range(_MOST_MOVES):
            self.report("sliding", k, _MOST_MOVES)
            move = hand.move(goal)
            if move.status != MoveStatus.MOVING:
                break
        return hand.path, move

    def slide(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Return a path along contacts."""
        found = self.pulled(start, goal)
        if found is None:
            return None
        path, move = found
        if move.status == MoveStatus.REACHED and len(path):
            self.methods.append("slid")
            return path
        self.stuck = path, move.contacts
        return None

    def slide_back(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Slide from the goal toward the start: parts come out more easily than they go in."""
        if not self.clearance(goal) > 0:
            return None
        found = self.pulled(goal, start)
        if found is None or not len(found[0]):
            return None
        path, move = found
        first = self.connect(start, move.pose)
        if first is None:
            return None
        self.methods.append("slid")
        return _joined([first, path.back()])

    def report(self, activity: str, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(activity, done, total)


def _joined(paths: list[MotionPath]) -> MotionPath:
    if not paths:
        return MotionPath(np.empty((0, 4, 4)), np.empty((0, 4, 4)), np.empty((0, 3)), np.empty(0))
    columns = ("start", "end", "pivot", "separation", "time")
    return MotionPath(*(np.concatenate([getattr(p, name) for p in paths]) for name in columns))
