"""Held points of a part, and targets that users set for the part.

Browsers report the pointer about 20 times per second, but parts move 60 times per second. Each tick
therefore moves the part to an intermediate target, which covers half of the remaining displacement.
A small displacement is covered completely.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._motion import Motion

_SHARE = 0.5
"""Fraction of the remaining displacement that one tick covers."""
_NEAR = 1e-3
"""Remaining displacement that one tick covers completely, as a fraction of the part's radius."""


@dataclass(frozen=True, slots=True, eq=False)
class Grip:
    """A held point in coordinates of the body. The pointer moves ahead of this point."""

    point: Floats

    @classmethod
    def at(cls, pose: Floats, position: ArrayLike) -> Grip:
        """Return the grip on a body with a given pose at a position in the world."""
        arm = as_shape("position", position, 3) - pose[:3, 3]
        return cls(pose[:3, :3].T @ arm)

    def position(self, pose: Floats) -> Floats:
        """Return the position of the held point for a pose of the body."""
        return np.asarray(pose[:3, :3] @ self.point + pose[:3, 3])

    def target(self, rotation: Floats, pointer: ArrayLike) -> Floats:
        """Return the pose with a given (3, 3) rotation and the held point at the pointer."""
        pose = np.eye(4)
        pose[:3, :3] = rotation
        pose[:3, 3] = as_shape("pointer", pointer, 3) - rotation @ self.point
        return pose


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A target for the held point: the position of the pointer."""

    grip: Grip
    pointer: Floats
    rotation: Floats | None
    """Target rotation of the part, (3, 3). If None, contacts may rotate the part."""

    def target(self, pose: Floats) -> Floats:
        """Return the target pose for a part with a given pose."""
        turned = pose[:3, :3] if self.rotation is None else self.rotation
        return self.grip.target(turned, self.pointer)

    def led(self, before: Wish | None, pose: Floats, radius: float) -> Pull:
        """Return the intermediate target of this tick; `before` is the previous one."""
        same = isinstance(before, Pull) and before.grip is self.grip
        start = before.pointer if same else self.grip.position(pose)  # type: ignore[union-attr]
        left = self.pointer - start
        if np.linalg.norm(left) < _NEAR * radius:
            return self
        return replace(self, pointer=start + _SHARE * left)


@dataclass(frozen=True, slots=True, eq=False)
class Put:
    """A target pose for the part."""

    pose: Floats

    def target(self, pose: Floats) -> Floats:
        """Return the target pose, which does not depend on the current pose."""
        return self.pose

    def led(self, before: Wish | None, pose: Floats, radius: float) -> Put:
        """Return the intermediate target of this tick; `before` is the previous one."""
        start = before.pose if isinstance(before, Put) else pose
        shift = np.linalg.norm(self.pose[:3, 3] - start[:3, 3]) / radius
        if shift + np.abs(self.pose[:3, :3] - start[:3, :3]).max() < _NEAR:
            return self
        return Put(Motion.linear(start, self.pose).pose(_SHARE))


Wish = Pull | Put
