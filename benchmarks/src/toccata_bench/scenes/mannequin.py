"""A mannequin of 15 links and about 20,000 triangles that exercises and walks.

It stands for the mannequin of Tang, Manocha, Kim 2013, section 6.2. It stands along z and looks
along x. Lengths are in meters. The root floats, and ball joints are three revolute joints.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toccata.scenes._tree import Limits, TreeBuilder, posed
from toccata.scenes._tube import limb, pillow
from toccata.scenes.surface import MeshArrays, shifted, turned

if TYPE_CHECKING:
    from toccata._robot import Robot

Floats = NDArray[np.float64]

HIP_HEIGHT = 0.96
"""Height of the pelvis of the standing mannequin; its soles are 2 cm above the floor."""

_SEGMENTS, _ROWS = 24, 29
_BALL: dict[str, Limits] = {"x": (-pi, pi), "y": (-pi, pi), "z": (-pi / 2, pi / 2)}
_HINGE: dict[str, Limits] = {"y": (-2.6, 2.6)}


def mannequin() -> Robot:
    """Return the mannequin. In the zero configuration, arms and legs are straight down."""
    tree = TreeBuilder("ground")
    tree.floating("root", "ground", "pelvis", _pillow((0.105, 0.16, 0.10)))
    tree.turning("waist", ("pelvis", "chest"), (0.0, 0.0, 0.10), _BALL, _chest())
    head = shifted(_pillow((0.10, 0.08, 0.13)), (0.01, 0.0, 0.17))
    tree.turning("neck", ("chest", "head"), (0.0, 0.0, 0.46), _BALL, head)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _arm(tree, side, sign)
        _leg(tree, side, sign)
    return tree.robot()


def _arm(tree: TreeBuilder, side: str, sign: float) -> None:
    upper, fore, hand = (f"{side}_{part}" for part in ("upper_arm", "forearm", "hand"))
    shoulder = (0.0, sign * 0.235, 0.37)
    tree.turning(f"{side}_shoulder", ("chest", upper), shoulder, _BALL, _hanging(0.27, 0.052, 0.04))
    tree.turning(
        f"{side}_elbow", (upper, fore), (0.0, 0.0, -0.28), _HINGE, _hanging(0.23, 0.04, 0.028)
    )
    palm = shifted(_pillow((0.045, 0.018, 0.09), 3.0), (0.0, 0.0, -0.11))
    tree.turning(f"{side}_wrist", (fore, hand), (0.0, 0.0, -0.25), _BALL, palm)


def _leg(tree: TreeBuilder, side: str, sign: float) -> None:
    thigh, shin, foot = (f"{side}_{part}" for part in ("thigh", "shin", "foot"))
    hip = (0.0, sign * 0.095, -0.06)
    tree.turning(f"{side}_hip", ("pelvis", thigh), hip, _BALL, _hanging(0.40, 0.078, 0.055))
    tree.turning(
        f"{side}_knee", (thigh, shin), (0.0, 0.0, -0.42), _HINGE, _hanging(0.36, 0.055, 0.037)
    )
    sole = shifted(_pillow((0.125, 0.042, 0.034), 4.0), (0.065, 0.0, -0.046))
    tree.turning(f"{side}_ankle", (shin, foot), (0.0, 0.0, -0.38), _BALL, sole)


def _pillow(half: tuple[float, float, float], power: float = 2.5) -> MeshArrays:
    return pillow(half, power, _SEGMENTS, _ROWS)


def _chest() -> MeshArrays:
    """Return a trunk that narrows towards the waist."""
    vertices, faces = shifted(_pillow((0.115, 0.175, 0.225), 3.0), (0.0, 0.0, 0.225))
    vertices[:, 1] *= 0.75 + 0.55 * vertices[:, 2]
    return vertices, faces


def _hanging(length: float, start: float, end: float) -> MeshArrays:
    """Return a limb that hangs down from its joint."""
    return turned(limb(length, start, end, _SEGMENTS, _ROWS), "x", pi)


def walking(robot: Robot, frames: int = 64, lanes: tuple[float, ...] = (0.0,)) -> Floats:
    """Return (frames * lanes, dof) configurations of walks from x = -4.6 to 4.6 at each y.

    Arms and legs swing in opposite directions, with two steps in 1.4 m. The pelvis sways.
    """
    rows = [
        _stride(robot, x, y) for y in lanes for x in np.linspace(-4.6, 4.6, frames, endpoint=False)
    ]
    return np.array(rows)


def _stride(robot: Robot, x: float, y: float) -> Floats:
    phase = 2 * pi * x / 1.4
    swing, sway = np.sin(phase), np.sin(phase + pi / 2)
    angles = {
        "root/x": x,
        "root/y": y + 0.02 * sway,
        "root/z": HIP_HEIGHT - 0.025 * swing**2,
        "waist_z": 0.12 * swing,
        "neck_z": -0.12 * swing,
    }
    for side, sign in (("left", 1.0), ("right", -1.0)):
        ahead, lift = sign * swing, max(0.0, sign * sway)
        angles[f"{side}_hip_y"] = -0.42 * ahead - 0.35 * lift
        angles[f"{side}_knee"] = 0.08 + 0.75 * lift
        angles[f"{side}_ankle_y"] = 0.42 * ahead - 0.45 * lift
        angles[f"{side}_shoulder_y"] = 0.5 * ahead
        angles[f"{side}_shoulder_x"] = sign * 0.07
        angles[f"{side}_elbow"] = -0.35
    return posed(robot, angles)


def exercising(robot: Robot, frames: int = 240) -> Floats:
    """Return (frames, dof) configurations: jumping jacks, bends to the toes, crossing arms.

    Links overlap in frames in which hands clap, or arms meet the trunk or each other.
    """
    return np.array([_exercise(robot, 4 * pi * k / frames) for k in range(frames)])


def _exercise(robot: Robot, phase: float) -> Floats:
    """Return a configuration in which each part of the body has its own rhythm."""
    jack, bend, cross = (0.5 - 0.5 * np.cos(rate * phase) for rate in (3.0, 1.0, 2.5))
    angles = {
        "root/z": HIP_HEIGHT + 0.08 * jack,
        "waist_y": 0.9 * bend,
        "waist_z": 0.35 * np.sin(1.5 * phase),
        "neck_y": -0.3 * bend,
        "neck_z": 0.5 * np.sin(2.0 * phase),
    }
    for side, sign in (("left", 1.0), ("right", -1.0)):
        angles[f"{side}_shoulder_x"] = sign * (0.05 + 2.75 * jack)
        angles[f"{side}_shoulder_y"] = -0.9 * bend
        angles[f"{side}_shoulder_z"] = sign * -1.3 * cross
        angles[f"{side}_elbow"] = -0.2 - 1.1 * cross
        angles[f"{side}_wrist_x"] = sign * 0.3 * np.sin(phase)
        angles[f"{side}_hip_x"] = sign * 0.3 * jack
        angles[f"{side}_hip_y"] = -0.5 * bend
        angles[f"{side}_knee"] = 0.6 * bend
        angles[f"{side}_ankle_y"] = -0.1 * bend
    return posed(robot, angles)
