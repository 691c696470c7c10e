"""A car door to mount in the body of a car."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata._mesh import Mesh
from toccata._motion import pose
from toccata._scene import Scene

from ._car import car_skeleton
from ._door import ORIGIN, car_door
from .surface import MeshArrays

Pose = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Mounting:
    """A part with a start, a target, and a path between them, all free of contact."""

    part: MeshArrays
    fixed: Mapping[str, MeshArrays]
    """Fixed bodies by name, in world coordinates."""
    start: Pose
    target: Pose
    via: tuple[Pose, ...] = ()
    """Intermediate poses; `Motion.linear` from each pose to the next one is free."""

    def scene(self) -> Scene:
        """Return the fixed bodies, for `dynamics.Manipulator` or `dynamics.assemble`."""
        scene = Scene()
        for name, mesh in self.fixed.items():
            scene.add(name, Mesh(*mesh), pose())
        return scene


def door_mounting() -> Mounting:
    """Return a car door of 16,000 triangles and a car body of 29,000.

    The door starts beside the car, turned by 0.35 radians about z and slightly tilted. Mounted, it
    has a few millimeters of room on all sides (Redon, Kheddar, Coquillart 2002, figures 1 and 5).
    """
    seat = np.asarray(ORIGIN)
    start = pose(seat + (0.12, 0.75, 0.05), rotvec=(0.06, 0.0, 0.35))
    before = pose(seat + (0.0, 0.20, 0.0))
    return Mounting(car_door(), {"car": car_skeleton()}, start, pose(seat), (before,))
