"""Pictures of robots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import Floats, as_shape
from toccata.report._png import Image
from toccata.report._still import still
from toccata.view._camera import framed, view_direction
from toccata.view._colors import BLUE, ORANGE, PALETTE
from toccata.view._items import Body, View

if TYPE_CHECKING:
    from toccata._robot import Robot

_GREEN, _SAND = PALETTE[2], (219, 214, 204)


def robot_picture(
    robot: Robot,
    configurations: ArrayLike,
    world: Sequence[tuple[Floats, NDArray[np.integer]]] = (),
    *,
    size: tuple[int, int] = (960, 720),
    view: tuple[float, float] = (35.0, 24.0),
) -> Image:
    """Return a picture, (h, w, 3) uint8, of a robot at configurations (n, dof) among meshes.

    The first configuration is orange, the last one is green, and the others are pale. `view` is the
    azimuth and the elevation of the eye in degrees.
    """
    rows = as_shape("configurations", configurations, -1, robot.dof)
    items = [Body(f"world/{i}", BLUE, *mesh) for i, mesh in enumerate(world)]
    for i, q in enumerate(rows):
        color = ORANGE if i == 0 else _GREEN if i == len(rows) - 1 else _SAND
        for name, pose in robot.forward_kinematics(q).items():
            mesh = robot.links[name].mesh
            if name in robot.link_names and mesh is not None:
                items.append(Body(f"{i}/{name}", color, mesh.vertices, mesh.faces, pose))
    shown = framed(View("Robot", tuple(items)), direction=view_direction(*view))
    return still(shown, size=size)
