"""A hand of 21 links and about 8,000 triangles that grasps a ball of 2,000.

It stands for the hand of Tang, Manocha, Kim 2013, section 6.2. Lengths are in meters. In the zero
configuration, the hand lies flat along x with the palm down. The root floats.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toccata.scenes._tree import Limits, TreeBuilder, posed
from toccata.scenes._tube import limb, pillow
from toccata.scenes.surface import MeshArrays, along, shifted, turned

if TYPE_CHECKING:
    from toccata._robot import Robot
    from toccata._scene import Scene

Floats = NDArray[np.float64]

BALL_RADIUS = 0.034
FINGERS = {"index": 0.033, "middle": 0.011, "ring": -0.011, "little": -0.033}
"""Position of each finger across the palm."""

_SEGMENTS, _ROWS = 16, 13
_LENGTHS = {"proximal": 0.044, "middle": 0.027, "distal": 0.02}
_SHARES = {"index": 0.95, "middle": 1.05, "ring": 1.0, "little": 0.8}
_FLEX: dict[str, Limits] = {"y": (-0.2, 1.7)}
_SPREAD: dict[str, Limits] = {"z": (-0.3, 0.3)}
_WRIST: dict[str, Limits] = {"y": (-1.2, 1.2), "z": (-0.5, 0.5)}


def hand() -> Robot:
    """Return forearm, palm, four fingers of four links and a thumb of three."""
    tree = TreeBuilder("ground")
    forearm = shifted(along(limb(0.16, 0.034, 0.024, _SEGMENTS, _ROWS), "x"), (-0.26, 0.0, 0.0))
    tree.floating("root", "ground", "forearm", forearm)
    palm = pillow((0.047, 0.044, 0.012), 4.0, _SEGMENTS, _ROWS)
    tree.turning(
        "wrist", ("forearm", "palm"), (-0.06, 0.0, 0.0), _WRIST, shifted(palm, (0.06, 0, 0))
    )
    for name, y in FINGERS.items():
        _finger(tree, name, y)
    _thumb(tree)
    return tree.robot()


def _finger(tree: TreeBuilder, name: str, y: float) -> None:
    knuckle = f"{name}_knuckle"
    tree.turning(f"{name}_spread", ("palm", knuckle), (0.112, y, 0.0), _SPREAD, _bone(0.012, 0.008))
    parent, reach = knuckle, 0.02
    for part, length in _LENGTHS.items():
        child, size = f"{name}_{part}", _SHARES[name] * length
        offset = (reach, 0.0, 0.0)
        tree.turning(f"{name}_{part}_flex", (parent, child), offset, _FLEX, _bone(size, 0.0085))
        parent, reach = child, size + 0.006


def _thumb(tree: TreeBuilder) -> None:
    """Add the thumb at the side of the palm; its first joint swings it below."""
    base: dict[str, Limits] = {"x": (-1.9, 0.2), "z": (-0.9, 0.6)}
    parts = [("metacarpal", 0.036, 0.011), ("proximal", 0.03, 0.0095), ("distal", 0.022, 0.0085)]
    parent, offset = "palm", (0.03, 0.058, -0.004)
    limits = base
    for part, length, radius in parts:
        child = f"thumb_{part}"
        shape = turned(_bone(length, radius), "z", pi / 4)
        tree.turning(f"thumb_{part}_flex", (parent, child), offset, limits, shape)
        step = (length + 0.006) / np.sqrt(2.0)
        parent, offset, limits = child, (step, step, 0.0), {"z": (-1.4, 0.3)}


def _bone(length: float, radius: float) -> MeshArrays:
    """Return a link of a finger along x, slightly thinner at its end."""
    return along(limb(length, radius, 0.92 * radius, _SEGMENTS, _ROWS), "x")


def ball() -> Scene:
    """Return the ball to grasp, at the origin: 1,984 triangles."""
    from toccata._mesh import Mesh
    from toccata._scene import Scene

    scene = Scene()
    scene.add("ball", Mesh(*pillow((BALL_RADIUS,) * 3, 2.0, 32, 32)))
    return scene


def approaches(robot: Robot, count: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Return both ends (count, dof) of motions of the open hand, palm first, to the ball.

    Each motion has its own direction and ends inside the ball.
    """
    rng = np.random.default_rng(seed)
    starts, ends = [], []
    for _ in range(count):
        direction = _random_quaternion(rng)
        spread = rng.uniform(-0.1, 0.1)
        starts.append(_over(robot, direction, rng.uniform(0.08, 0.14), _open(spread)))
        ends.append(_over(robot, direction, rng.uniform(0.0, 0.02), _open(spread)))
    return np.array(starts), np.array(ends)


def closings(robot: Robot, count: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Return both ends of motions in which the fingers of a hand close on the ball.

    Every finger has its own speed.
    """
    rng = np.random.default_rng(seed)
    starts, ends = [], []
    for _ in range(count):
        direction, height = _random_quaternion(rng), rng.uniform(0.055, 0.065)
        starts.append(_over(robot, direction, height, _open(0.0)))
        ends.append(_over(robot, direction, height, _closed(rng)))
    return np.array(starts), np.array(ends)


def _open(spread: float) -> dict[str, float]:
    angles = {f"{name}_spread": y / 0.033 * (0.1 + spread) for name, y in FINGERS.items()}
    return angles | {f"{name}_proximal_flex": 0.15 for name in FINGERS} | {
        "thumb_metacarpal_flex_x": -0.6
    }  # fmt: skip


def _closed(rng: np.random.Generator) -> dict[str, float]:
    angles = {f"{name}_{part}_flex": rng.uniform(0.9, 1.5) for name in FINGERS for part in _LENGTHS}
    thumb = {
        "thumb_metacarpal_flex_x": rng.uniform(-1.5, -1.0),
        "thumb_proximal_flex": rng.uniform(-1.2, -0.3),
        "thumb_distal_flex": rng.uniform(-1.2, -0.3),
    }
    return angles | thumb


def _over(robot: Robot, direction: Floats, height: float, angles: dict[str, float]) -> Floats:
    """Return the hand with its palm `height` away from the ball, seen along a direction."""
    q = posed(robot, angles)
    q[:3] = _rotate(direction, np.array([-0.03, 0.0, height]))
    q[3:7] = direction
    return q


def _random_quaternion(rng: np.random.Generator) -> Floats:
    numbers = rng.normal(size=4)
    return np.asarray(numbers / np.linalg.norm(numbers))


def _rotate(quaternion: Floats, vector: Floats) -> Floats:
    """Rotate a vector by a quaternion x, y, z, w."""
    axis, real = quaternion[:3], quaternion[3]
    aside = 2.0 * np.cross(axis, vector)
    return np.asarray(vector + real * aside + np.cross(axis, aside))
