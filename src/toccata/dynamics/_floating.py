"""Robots with a floating base."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from toccata._arrays import Floats
from toccata._robot.internal import with_parts
from toccata._robot.parts import Joint, Link
from toccata._robot.robot import Robot


def floated(robot: Robot) -> Robot:
    """Return the robot with a floating joint between the world and its base.

    The seven coordinates of this joint come first. Links, ignored pairs and padding stay.
    """
    children = {joint.child for joint in robot.joints}
    bases = [name for name in robot.links if name not in children]
    if len(bases) != 1:
        raise ValueError(f"floating: expected a robot with one base, got {', '.join(bases)}")
    ground = _new_name("ground", robot.links)
    name = _new_name("floating", [joint.name for joint in robot.joints])
    joint = Joint(name, "floating", ground, bases[0])
    links = [Link(ground), *robot.links.values()]
    return with_parts(robot, links, [joint, *robot.joints])


def _new_name(name: str, taken: Container[str]) -> str:
    while name in taken:
        name += "_"
    return name


def pose_numbers(pose: Floats) -> Floats:
    """Return the coordinates of a floating joint at a pose: position, quaternion x, y, z, w."""
    r = pose[:3, :3]
    # The eigenvector of the largest eigenvalue is the quaternion of the nearest rotation.
    k = np.array(
        [
            [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
            [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
            [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], np.trace(r)],
        ]
    )
    quaternion = np.linalg.eigh(k)[1][:, -1]
    return np.concatenate([pose[:3, 3], quaternion * (1 if quaternion[3] >= 0 else -1)])
