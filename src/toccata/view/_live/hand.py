"""A part in hand. It follows a pointer, slides along bodies, and never penetrates them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._mesh import Mesh, as_mesh
from toccata._scene import as_world
from toccata._text import counted
from toccata.dynamics._manipulator import Manipulator, Move, MoveStatus
from toccata.dynamics._mass import MassProperties
from toccata.dynamics._path import MotionPath
from toccata.view._colors import DARK, GRAY, GREEN, ORANGE, RED, YELLOW
from toccata.view._items import Arrows, Body, Item, Points
from toccata.view._live.grip import Grip, Pull, Put, Wish
from toccata.view._live.session import Newest, Session, ordered
from toccata.view._parts import mesh_arrays

SUBSTEPS = 8
"""Largest number of motions per tick. The next ticks continue a long path."""
_STILL = 1e-6
"""Displacement that is too small to see, as a fraction of the part's radius."""
_SHORT = 1e-9
"""Length below which arrows are not drawn, as a fraction of the part's radius."""
_MOVES_PER_LINE = 6
"""Number of moves in each line of the drawn path."""


class HandSession(Session):
    """A part that a user drags and rotates among fixed bodies.

    Any thread may call `grab`, `pull`, `release` and `put`, which only store the newest target. The
    part moves in `tick`.

    Args:
        part: a Mesh or a trimesh.Trimesh.
        scene: the bodies around the part, as for `Robot.first_contact`.
        pose: start pose of the part, (4, 4), free of contact.
        options: options of `dynamics.Manipulator`.

    """

    title = "A part in hand"

    def __init__(self, part: Any, scene: Any, pose: ArrayLike, **options: Any) -> None:
        super().__init__()
        self.part: Mesh = as_mesh("part", part)
        self.scene = scene
        self.hand = Manipulator(part, scene, pose, **options)
        self.center = np.array(MassProperties.of(self.part).center)
        self.pose = self.hand.pose
        """Pose of the part, (4, 4). It is replaced as a whole, so any thread may read it."""
        self.move: Move | None = None
        """The last move."""
        self.keeps_turn = True
        """True if a pulled part keeps its orientation. Otherwise contacts may rotate it."""
        self._wishes: Newest[Wish] = Newest()
        self._wish: Wish | None = None
        self._led: Wish | None = None
        self._followed: Wish | None = None
        self._grip: Grip | None = None
        self._rotation = self.pose[:3, :3]
        self._strokes: list[int] = []
        self._centers = [self._center_at(self.pose)]
        self._mesh = mesh_arrays(self.part)
        self._fixed = [
            Body(f"scene/{name}", GRAY, *mesh_arrays(mesh), motion.pose(0.0))
            for name, (mesh, motion) in as_world(scene).bodies.items()
        ]
        self._drawn_path: Arrows | None = None

    def grab(self, position: ArrayLike) -> None:
        """Hold the part at a position in the world."""
        pose = self.pose
        self._grip, self._rotation = Grip.at(pose, position), pose[:3, :3]
        self.begin()

    def pull(self, pointer: ArrayLike) -> None:
        """Set the target position of the held point, if there is one, in world coordinates."""
        if self._grip is not None:
            rotation = self._rotation if self.keeps_turn else None
            target = as_shape("pointer", pointer, 3).copy()
            self._wishes.put(Pull(self._grip, target, rotation))

    def release(self) -> None:
        """Release the part. It continues to its last target."""
        self._grip = None

    def put(self, pose: ArrayLike) -> None:
        """Set the target pose of the part."""
        self._wishes.put(Put(as_shape("pose", pose, 4, 4).copy()))

    @ordered
    def begin(self) -> None:
        """Begin a stroke: the moves that one `undo` reverts."""
        self._strokes.append(0)

    @ordered
    def undo(self) -> None:
        """Revert the last stroke. The part returns to the same pose, bit for bit."""
        while self._strokes and not self._strokes[-1]:
            self._strokes.pop()
        self._take_back(self._strokes.pop() if self._strokes else 0)

    @ordered
    def restart(self) -> None:
        """Revert all strokes."""
        count = sum(self._strokes)
        self._strokes.clear()
        self._take_back(count)

    def _take_back(self, moves: int) -> None:
        self._wishes.take()
        self._wish = self._led = self._followed = self.move = None
        if moves:
            self.pose = self.hand.undo(moves)
            del self._centers[-moves:]

    def advance(self) -> bool:
        """Move toward the newest target, by a few certified motions."""
        newest = self._wishes.take()
        if newest is not None:
            self._wish = newest
        if self._wish is None:
            return False
        before, self._followed = self.pose, self._wish
        self._led = self._wish.led(self._led, before, self.part.radius)
        target = self._led.target(before)
        move = self.hand.move(target, SUBSTEPS)
        self._note(move)
        # Contacts may have rotated the part, which changes its target. Then move once more.
        same_target = np.array_equal(self._led.target(move.pose), target)
        rests = move.status != MoveStatus.MOVING and (same_target or self._same(before, move.pose))
        if rests and self._led is self._wish:
            self._wish = None
        return True

    def _same(self, before: Floats, after: Floats) -> bool:
        """Return whether no point of the part has moved visibly."""
        shift = np.linalg.norm(after[:3, 3] - before[:3, 3]) / self.part.radius
        return bool(shift + np.abs(after[:3, :3] - before[:3, :3]).max() < _STILL)

    def _note(self, move: Move) -> None:
        self.move, self.pose = move, move.pose
        if not self._strokes:
            self._strokes.append(0)
        self._strokes[-1] += 1
        self._centers.append(self._center_at(move.pose))

    def _center_at(self, pose: Floats) -> Floats:
        return np.asarray(pose[:3, :3] @ self.center + pose[:3, 3])

    @property
    def centers(self) -> Floats:
        """Positions of the center of mass at the start and after each move, (k, 3)."""
        return np.array(self._centers)

    @property
    def path(self) -> MotionPath:
        """The certified motions so far, without motions that were reverted."""
        return self.hand.path

    def save(self, file: str | os.PathLike[str]) -> MotionPath:
        """Check the path again, motion by motion, and write it as .npz or .json."""
        path = self.path
        found = path.check(self.part, self.scene)
        if found is not None:  # a defect of the Manipulator
            raise RuntimeError(f"path: a certified motion is not free: {found!r}")
        path.save(file)
        return path

    def items(self) -> Sequence[Item]:
        """Return the bodies, the contacts and their force, the pull, and the path."""
        radius, wish = self.part.radius, self._followed
        items: list[Item] = [*self._fixed, Body("part", ORANGE, *self._mesh, self.pose)]
        if self.move is not None:
            items += self._contacts(self.move)
        if self._grip is not None and isinstance(wish, Pull) and wish.grip is self._grip:
            ends = wish.grip.position(self.pose)[None], wish.pointer[None]
            items.append(Arrows("pull", DARK, *ends, 0.006 * radius, heads=False))
        return [*items, *self._path()]

    def _contacts(self, move: Move) -> Iterator[Item]:
        """Yield the contacts, and the force. Its length is the deviation from the target."""
        contacts, radius = move.contacts, self.part.radius
        if len(contacts):
            ends = contacts.point_a + 0.15 * radius * contacts.normal
            yield Points("contacts/points", YELLOW, contacts.point_a, 0.03 * radius)
            yield Arrows("contacts/normals", DARK, contacts.point_a, ends, 0.008 * radius)
        if np.linalg.norm(move.wrench[:3]) > _SHORT * radius:
            start = self._center_at(self.pose)[None]
            yield Arrows("contacts/force", RED, start, start + move.wrench[:3], 0.016 * radius)

    def _path(self) -> Iterator[Item]:
        """Yield the path, as the same item until the path has another line."""
        points = self.centers
        points = points[: len(points) - (len(points) - 1) % _MOVES_PER_LINE : _MOVES_PER_LINE]
        if len(points) < 2:
            return
        if self._drawn_path is None or not np.array_equal(points[1:], self._drawn_path.end):
            size = 0.006 * self.part.radius
            self._drawn_path = Arrows("path", GREEN, points[:-1], points[1:], size, heads=False)
        yield self._drawn_path

    @property
    def notes(self) -> Sequence[str]:
        """Lines about the last move, the contacts, and the length of the path."""
        centers = self.centers
        length = float(np.linalg.norm(np.diff(centers, axis=0), axis=1).sum())
        path = f"Path: length {length:.3f}, {counted(len(centers) - 1, 'move')}, certified free"
        if self.move is None:
            return ["At rest", path]
        touching = ", ".join(self.move.contacts.touching) or "nothing"
        force = float(np.linalg.norm(self.move.wrench[:3]))
        points = counted(len(self.move.contacts), "point")
        held = f"Touches {touching} at {points}, force {force:.3g}"
        return [self.move.status.name.capitalize(), held, path]
