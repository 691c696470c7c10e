"""A part to mount among bodies that stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._car import car_skeleton
from ._door import ORIGIN, car_door
from .surface import MeshArrays

if TYPE_CHECKING:
    from toccata._scene import Scene

Pose = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Mounting:
    """A part with a free start, a free target, and a free path between them."""

    part: MeshArrays
    fixed: Mapping[str, MeshArrays]
    """Bodies that stay, by name, in world coordinates."""
    start: Pose
    target: Pose
    via: tuple[Pose, ...] = ()
    """Poses between start and target; `Motion.linear` from each to the next is free."""

    def scene(self) -> Scene:
        """Return the bodies that stay, for `dynamics.Manipulator` or `dynamics.assemble`."""
        from toccata import Mesh, Scene, pose

        scene = Scene()
        for name, mesh in self.fixed.items():
            scene.add(name, Mesh(*mesh), pose())
        return scene


def door_mounting() -> Mounting:
    """Return a car door of 16,000 triangles and its opening in a body of 29,000.

    It starts beside the car, turned by 0.35 about z and slightly tilted. Seated, it has a few
    millimeters of room all around (Redon, Kheddar, Coquillart 2002, figures 1 and 5).
    """
    from toccata import pose

    seat = np.asarray(ORIGIN)
    start = pose(seat + (0.12, 0.75, 0.05), rotvec=(0.06, 0.0, 0.35))
    before = pose(seat + (0.0, 0.20, 0.0))
    return Mounting(car_door(), {"car": car_skeleton()}, start, pose(seat), (before,))
