"""Targets of a part in hand: a held point at a pointer, or the part at a pose.

Browsers report the pointer about 20 times a second, and parts move 60 times. A part therefore
follows a wish that is led towards the newest one: each tick adds half of the remaining
displacement, and all of it once little remains.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from toccata._arrays import Floats
from toccata._motion import Motion
from toccata.view._live.grip import Grip

_SHARE = 0.5
"""Fraction of the remaining displacement that one tick adds."""
_NEAR = 1e-3
"""Remaining displacement that is added at once, as a fraction of the part's radius."""


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A held point shall be at a pointer."""

    grip: Grip
    pointer: Floats
    rotation: Floats | None
    """That the part shall have; None: the one it has, so that contacts may turn it."""

    def target(self, pose: Floats) -> Floats:
        """Return the pose that is wanted of a part at a pose."""
        turned = pose[:3, :3] if self.rotation is None else self.rotation
        return self.grip.target(turned, self.pointer)

    def led(self, before: Wish | None, pose: Floats, radius: float) -> Pull:
        """Return the wish of this tick for a part at a pose; `before` is the last one."""
        same = isinstance(before, Pull) and before.grip is self.grip
        start = before.pointer if same else self.grip.position(pose)  # type: ignore[union-attr]
        left = self.pointer - start
        if np.linalg.norm(left) < _NEAR * radius:
            return self
        return replace(self, pointer=start + _SHARE * left)


@dataclass(frozen=True, slots=True, eq=False)
class Put:
    """The part shall be at a pose."""

    pose: Floats

    def target(self, pose: Floats) -> Floats:
        """Return the pose that is wanted, wherever the part is."""
        return self.pose

    def led(self, before: Wish | None, pose: Floats, radius: float) -> Put:
        """Return the wish of this tick for a part at a pose; `before` is the last one."""
        start = before.pose if isinstance(before, Put) else pose
        shift = np.linalg.norm(self.pose[:3, 3] - start[:3, 3]) / radius
        if shift + np.abs(self.pose[:3, :3] - start[:3, :3]).max() < _NEAR:
            return self
        return Put(Motion.linear(start, self.pose).pose(_SHARE))


Wish = Pull | Put
