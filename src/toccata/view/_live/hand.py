"""A part in hand: it follows a pointer, slides along what it touches, and never penetrates."""

from __future__ import annotations

import os
from collections.abc import Sequence
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
from toccata.view._items import Item
from toccata.view._live.grip import Grip
from toccata.view._live.hand_items import HandItems
from toccata.view._live.session import Session
from toccata.view._live.threads import Newest
from toccata.view._live.wishes import Pull, Put, Wish

SUBSTEPS = 8
"""Most motions of one tick; the rest of a long path follows in the next ticks."""
_STILL = 1e-6
"""Displacement too small to be seen, as a fraction of the part's radius."""


class HandSession(Session):
    """A part that is dragged and turned among bodies that stay.

    `grab`, `pull`, `release` and `put` may be called by any thread: they only store what is wanted
    last. The part moves in `tick`.

    Args:
        part: a Mesh or a trimesh.Trimesh.
        scene: a Scene, or what else robots take for a world.
        pose: (4, 4) where the part starts, free of contact.
        options: of `dynamics.Manipulator`.

    """

    title = "A part in hand"

    def __init__(self, part: Any, scene: Any, pose: ArrayLike, **options: Any) -> None:
        super().__init__()
        self.part: Mesh = as_mesh("part", part)
        self.scene = scene
        self.hand = Manipulator(part, scene, pose, **options)
        self.center = np.array(MassProperties.of(self.part).center)
        self.pose = self.hand.pose
        """(4, 4) where the part is; replaced as a whole, so that any thread may read it."""
        self.move: Move | None = None
        """The last move, or None."""
        self.keeps_turn = True
        """True if a pulled part keeps its orientation; otherwise contacts may turn it."""
        self._wishes: Newest[Wish] = Newest()
        self._wish: Wish | None = None
        self._led: Wish | None = None
        self._followed: Wish | None = None
        self._grip: Grip | None = None
        self._rotation = self.pose[:3, :3]
        self._strokes: list[int] = []
        self._centers = [self._center_at(self.pose)]
        self._items = HandItems(self.part, as_world(scene), self.center)

    def grab(self, position: ArrayLike) -> None:
        """Hold the part, at its present pose, at a position in the world."""
        pose = self.pose
        self._grip, self._rotation = Grip.at(pose, position), pose[:3, :3]
        self.begin()

    def pull(self, pointer: ArrayLike) -> None:
        """Request the held point at a position in the world; do nothing if no point is held."""
        if self._grip is not None:
            rotation = self._rotation if self.keeps_turn else None
            target = as_shape("pointer", pointer, 3).copy()
            self._wishes.put(Pull(self._grip, target, rotation))

    def release(self) -> None:
        """Hold the part no longer; it goes on to where it was wanted last."""
        self._grip = None

    def put(self, pose: ArrayLike) -> None:
        """Want the part at a pose."""
        self._wishes.put(Put(as_shape("pose", pose, 4, 4).copy()))

    def begin(self) -> None:
        """Begin a stroke: what `undo` takes back at once."""
        self.order(lambda: self._strokes.append(0))

    def undo(self) -> None:
        """Take back the last stroke, bit by bit."""
        self.order(lambda: self._take_back(self._last_stroke()))

    def restart(self) -> None:
        """Take back everything."""
        self.order(lambda: self._take_back(sum(self._strokes)))

    def advance(self) -> bool:
        """Move towards the newest wish, by a few certified motions."""
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
        # Contacts may have turned the part, which changes its target: move once more.
        asked = np.array_equal(self._led.target(move.pose), target)
        rests = move.status != MoveStatus.MOVING and (asked or self._same(before, move.pose))
        if rests and self._led is self._wish:
            self._wish = None
        return True

    def _same(self, before: Floats, after: Floats) -> bool:
        """Return whether no point of the part has visibly moved."""
        shift = np.linalg.norm(after[:3, 3] - before[:3, 3]) / self.part.radius
        return bool(shift + np.abs(after[:3, :3] - before[:3, :3]).max() < _STILL)

    def _note(self, move: Move) -> None:
        self.move, self.pose = move, move.pose
        if not self._strokes:
            self._strokes.append(0)
        self._strokes[-1] += 1
        self._centers.append(self._center_at(move.pose))

    def _last_stroke(self) -> int:
        while self._strokes and not self._strokes[-1]:
            self._strokes.pop()
        return self._strokes[-1] if self._strokes else 0

    def _take_back(self, count: int) -> None:
        self._wishes.take()
        self._wish = self._led = self._followed = self.move = None
        if not count:
            return
        self.pose = self.hand.undo(count)
        del self._centers[-count:]
        while count:
            taken = min(count, self._strokes[-1])
            self._strokes[-1] -= taken
            count -= taken
            if not self._strokes[-1]:
                self._strokes.pop()

    def _center_at(self, pose: Floats) -> Floats:
        return np.asarray(pose[:3, :3] @ self.center + pose[:3, 3])

    @property
    def centers(self) -> Floats:
        """(k, 3) positions of the center of mass: at the start, and after each move."""
        return np.array(self._centers)

    @property
    def path(self) -> MotionPath:
        """All motions up to now, each certified; without those taken back."""
        return self.hand.path

    def save(self, file: str | os.PathLike[str]) -> MotionPath:
        """Prove the path again, motion by motion, and write it; .npz or .json."""
        path = self.path
        found = path.check(self.part, self.scene)
        if found is not None:  # the promise of Manipulator is broken
            raise RuntimeError(f"path: expected it to be free, got {found!r}")
        path.save(file)
        return path

    def items(self) -> Sequence[Item]:
        """Return the part, the bodies around it, contacts, their force, and the path."""
        held, wish = None, self._followed
        if self._grip is not None and isinstance(wish, Pull) and wish.grip is self._grip:
            held = wish.grip.position(self.pose), wish.pointer
        return self._items.all(self.pose, self.move, self.centers, held)

    @property
    def notes(self) -> Sequence[str]:
        """The status of the last move, the contacts, and the length of the path."""
        centers = self.centers
        length = float(np.linalg.norm(np.diff(centers, axis=0), axis=1).sum())
        lines = [f"Path: {length:.3f} long, {counted(len(centers) - 1, 'move')}, certified free"]
        if self.move is None:
            return ["At rest", *lines]
        touching = ", ".join(self.move.contacts.touching) or "nothing"
        force = float(np.linalg.norm(self.move.wrench[:3]))
        points = counted(len(self.move.contacts), "point")
        held = f"Touches {touching} at {points}, force {force:.3g}"
        return [self.move.status.name.capitalize(), held, *lines]
