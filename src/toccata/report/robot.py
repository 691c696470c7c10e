"""Pictures of robots: one robot in several configurations, among what stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import as_shape
from toccata.report.camera import fit_camera, view_direction
from toccata.report.entry import MeshArrays
from toccata.report.picture import Body, render, to_image
from toccata.report.png import Image
from toccata.report.shade import Look
from toccata.report.stage import COLOUR_A, COLOUR_B

if TYPE_CHECKING:
    from toccata.robot import Robot

Array = NDArray[np.float64]

_LAST = np.array([0.36, 0.62, 0.32])
_BETWEEN = np.array([0.86, 0.84, 0.80])


def robot_picture(
    robot: Robot,
    configurations: ArrayLike,
    world: Sequence[MeshArrays] = (),
    *,
    size: tuple[int, int] = (960, 720),
    view: tuple[float, float] = (35.0, 24.0),
) -> Image:
    """Return (h, w, 3) uint8: the robot at (n, dof) configurations, and the meshes of a world.

    The first configuration is orange, the last green, those between are pale. `view` is the
    azimuth and the elevation of the eye in degrees.
    """
    rows = as_shape("configurations", configurations, -1, robot.dof)
    placed = [part for i in range(len(rows)) for part in _robot_at(robot, rows, i)]
    around = [(Body.of(mesh, COLOUR_B), np.eye(4)) for mesh in world]
    points = np.concatenate([body.at(pose) for body, pose in placed + around])
    camera = fit_camera(points, view_direction(*view), size)
    reach = 0.02 * float(np.linalg.norm(np.ptp(points, axis=0)))
    return to_image(render(placed + around, camera, Look(reach)).colours)


def _robot_at(robot: Robot, rows: Array, i: int) -> list[tuple[Body, Array]]:
    colour = COLOUR_A if i == 0 else _LAST if i == len(rows) - 1 else _BETWEEN
    poses = robot.forward_kinematics(rows[i])
    meshes = ((name, robot.links[name].mesh) for name in robot.link_names)
    return [(Body.of((mesh.vertices, mesh.faces), colour), poses[name]) for name, mesh in meshes]
