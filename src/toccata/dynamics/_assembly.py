"""Parts that are mounted without a person: straight, by a planner, or by sliding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_number, as_unchecked
from toccata._mesh import Mesh, as_mesh
from toccata._motion import Motion
from toccata._proximity import distance
from toccata._query import first_contact
from toccata._scene import PreparedWorld, as_world
from toccata.dynamics._manipulator import Contacts, Manipulator, Move, MoveStatus
from toccata.dynamics._mass import MassProperties
from toccata.dynamics._path import MotionPath

Progress = Callable[[str, int, int], None]
_SHELL_IN_RADII = 1e-3
_MOST_MOVES = 500


class AssemblyStatus(IntEnum):
    """How an assembly ended."""

    MOUNTED = 0
    """The part is at the target, and its path is proven."""
    BLOCKED = 1
    """No way leads there: the target, or a pose on the way, touches the scene."""
    UNDECIDED = 3
    """No way was found, and nothing proves that there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """How far a part got, and how."""

    status: AssemblyStatus
    path: MotionPath
    """Certified motions from the start to where the part is."""
    pose: Floats
    """(4, 4) where it is."""
    ways: tuple[str, ...]
    """How it went, in order: "straight", "planned" or "slid"."""
    contacts: Contacts | None
    """Where it does not get on; None if it is mounted, or cannot slide from where it is."""
    notes: tuple[str, ...]
    """What could not be tried, and why."""

    def __bool__(self) -> bool:
        return self.status is AssemblyStatus.MOUNTED


def assemble(
    part: Any,
    scene: Any,
    target: ArrayLike,
    *,
    start: ArrayLike | None = None,
    via: Sequence[ArrayLike] = (),
    shell: float | None = None,
    seed: int = 0,
    effort: int = 2000,
    progress: Progress | None = None,
) -> Assembly:
    """Move a part to where it is mounted, by motions that are certified free.

    Each leg is tried straight; then with poses that a planner samples, if ompl is installed; then
    by sliding with a `Manipulator`, at last from its end backward.

    Args:
        part: a Mesh or a trimesh.Trimesh.
        scene: a Scene, or what else robots take for a world. Its bodies stay.
        target: (4, 4) where the part shall be.
        start: (4, 4) where it is; by default at the origin. Free of contact.
        via: poses to go by, in order.
        shell: the distance that is kept where there is room; by default a thousandth of the radius.
        seed: of the planner.
        effort: motions that the planner asks about at most, per leg; 0 leaves it out.
        progress: called with what is done, how much of it, and of how much.

    """
    body, world = as_mesh("part", part), as_world(scene)
    for name, (_, motion) in world.bodies.items():
        if not motion._core.is_fixed:
            raise ValueError(f"scene: expected bodies that stay, got {name!r} on a motion")
    goals = [*(_as_pose("via", pose) for pose in via), _as_pose("target", target)]
    first = np.eye(4) if start is None else _as_pose("start", start)
    planner = None if effort < 1 else (seed, effort)
    crew = _Crew(body, world, _shell(body, shell), planner, progress)
    return crew.run(first, goals)


def _as_pose(name: str, value: ArrayLike) -> Floats:
    """Return a rigid pose; what is none is refused by the name of the argument."""
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


class _Crew:
    """Tries one way after the other."""

    def __init__(
        self,
        body: Mesh,
        world: PreparedWorld,
        shell: float,
        planner: tuple[int, int] | None,
        progress: Progress | None,
    ) -> None:
        self.body, self.world, self.shell = body, world, shell
        self.center = np.array(MassProperties.of(body).center)
        self.planner, self.progress = planner, progress
        self.pieces: list[MotionPath] = []
        self.ways: list[str] = []
        self.notes: list[str] = []
        self.stuck: tuple[MotionPath, Contacts] | None = None

    def run(self, start: Floats, goals: list[Floats]) -> Assembly:
        pose = start
        if not self.room(start) > 0:
            raise ValueError("start: expected a pose free of contact, got one in contact")
        for k, goal in enumerate(goals):
            self.tell(f"leg {k + 1} of {len(goals)}", 0, 1)
            self.stuck = None
            legs = (self.connect, self.slide, self.slide_out)
            piece = next(filter(None, (leg(pose, goal) for leg in legs)), None)
            if piece is None:
                blocked = self.room(goal) == 0
                return self.ended(
                    AssemblyStatus.BLOCKED if blocked else AssemblyStatus.UNDECIDED, pose
                )
            self.pieces.append(piece)
            pose = piece.end[-1]
        self.stuck = None
        return self.ended(AssemblyStatus.MOUNTED, pose)

    def ended(self, status: AssemblyStatus, pose: Floats) -> Assembly:
        contacts = None
        if self.stuck is not None:
            contacts = self.stuck[1]
            if len(self.stuck[0]):
                self.pieces.append(self.stuck[0])
                pose = self.pieces[-1].end[-1]
        notes = tuple(dict.fromkeys(self.notes))
        return Assembly(
            status, _joined(self.pieces), np.array(pose), tuple(self.ways), contacts, notes
        )

    def connect(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Return a way that touches nothing, straight or planned."""
        keep = min(self.shell, self.room(start) / 2, self.room(goal) / 2)
        if not keep > 0:
            return None
        piece = self.certified([start, goal], keep)
        if piece is not None:
            self.ways.append("straight")
            return piece
        poses = self.plan(start, goal, keep)
        piece = None if poses is None else self.certified(poses, keep)
        if piece is not None:
            self.ways.append("planned")
        return piece

    def room(self, pose: Floats) -> float:
        """Return a lower bound of the distance to all; 0 if it touches."""
        rooms = (distance(self.body, mesh, pose, at.pose(0.0)).lower for mesh, at in self.bodies())
        return min(rooms, default=float("inf"))

    def bodies(self) -> list[tuple[Mesh, Motion]]:
        return [(mesh, at) for mesh, at in self.world.bodies.values()]

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
            progress=lambda done, total: self.tell("planning", done, total),
        )

    def certified(self, poses: list[Floats], keep: float) -> MotionPath | None:
        """Return motions from pose to pose, if all of them are proven free."""
        start, end = np.array(poses[:-1]), np.array(poses[1:])
        count = len(start)
        path = MotionPath(start, end, np.tile(self.center, (count, 1)), np.full(count, keep))
        for motion in path:
            for mesh, at in self.bodies():
                if first_contact(self.body, mesh, motion, at, separation=keep, tolerance=keep / 5):
                    return None
        return path

    def pulled(self, start: Floats, goal: Floats) -> tuple[MotionPath, Move] | None:
        """Return how far a hand gets that pulls from one pose to another."""
        try:
            hand = Manipulator(self.body, self.world, start, shell=self.shell)
        except ValueError as error:
            self.notes.append(f"no sliding: {error}")
            return None
        for k in range(_MOST_MOVES):
            self.tell("sliding", k, _MOST_MOVES)
            move = hand.move(goal)
            if move.status != MoveStatus.MOVING:
                break
        return hand.path, move

    def slide(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Return the way along contacts."""
        found = self.pulled(start, goal)
        if found is None:
            return None
        path, move = found
        if move.status == MoveStatus.REACHED and len(path):
            self.ways.append("slid")
            return path
        self.stuck = path, move.contacts
        return None

    def slide_out(self, start: Floats, goal: Floats) -> MotionPath | None:
        """Return the same found backward: what is hard to put in often comes out easily."""
        if not self.room(goal) > 0:
            return None
        found = self.pulled(goal, start)
        if found is None or not len(found[0]):
            return None
        path, move = found
        there = self.connect(start, move.pose)
        if there is None:
            return None
        self.ways.append("slid")
        return _joined([there, path.back()])

    def tell(self, what: str, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(what, done, total)


def _joined(pieces: list[MotionPath]) -> MotionPath:
    if not pieces:
        return MotionPath(np.empty((0, 4, 4)), np.empty((0, 4, 4)), np.empty((0, 3)), np.empty(0))
    columns = ("start", "end", "pivot", "separation", "time")
    return MotionPath(*(np.concatenate([getattr(p, name) for p in pieces]) for name in columns))
