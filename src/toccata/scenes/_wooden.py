"""A wooden man, an artist's mannequin, of 29 pieces, 28 hinges and 16,000 triangles.

The model follows Kim, Redon, Kim 2008, section 4; the shapes are our own. The man stands along z
and looks along x. His root, the pelvis, is at the origin; lengths are in meters. All pieces are
surfaces of revolution, some of them flattened. Within the limits of the joints, pieces that share a
hinge stay millimeters apart, and pieces two hinges apart some centimeters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np

from toccata._robot import Robot

from ._tree import TreeBuilder
from ._tube import limb, smooth, turned_part
from .surface import MeshArrays, along, shifted, turned

DENSITY = 700.0
"""Density of dry wood in kilograms per cubic meter."""
_SEGMENTS = 20
Profile = Sequence[tuple[float, float]]

_PELVIS = [(0.0, -0.09), (0.07, -0.085), (0.125, -0.05), (0.15, 0.0), (0.135, 0.05), (0.08, 0.085),
           (0.0, 0.09)]  # fmt: skip
_CHEST = [(0.0, 0.005), (0.08, 0.01), (0.105, 0.05), (0.135, 0.16), (0.16, 0.27), (0.145, 0.34),
          (0.08, 0.375), (0.0, 0.38)]  # fmt: skip
_HEAD = [(0.0, 0.01), (0.04, 0.015), (0.065, 0.06), (0.095, 0.13), (0.09, 0.19), (0.055, 0.235),
         (0.0, 0.245)]  # fmt: skip


def wooden_man(floating: bool = False) -> Robot:
    """Return the man; in the zero configuration, his arms and legs point straight down.

    The pelvis is fixed, or floats with a joint "root" that has the first seven coordinates.
    """
    pelvis = _flat(_lathe(_PELVIS, 22), 0.7)
    tree = TreeBuilder("ground") if floating else TreeBuilder("pelvis", pelvis)
    if floating:
        tree.floating("root", "ground", "pelvis", pelvis)
    tree.turning("waist", ("pelvis", "waist"), (0.0, 0.0, 0.155), {"y": (-0.3, 0.6)}, _ball(0.055))
    chest = _flat(_lathe(_CHEST, 26), 0.7)
    tree.turning("chest", ("waist", "chest"), (0.0, 0.0, 0.065), {"z": (-0.8, 0.8)}, chest)
    neck = limb(0.05, 0.038, 0.032, _SEGMENTS, 11)
    tree.turning("neck", ("chest", "neck"), (0.0, 0.0, 0.43), {"y": (-0.5, 0.5)}, neck)
    head = _flat(_lathe(_HEAD, 20), 1.15)
    tree.turning("head", ("neck", "head"), (0.0, 0.0, 0.09), {"z": (-1.2, 1.2)}, head)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _arm(tree, side, sign)
        _leg(tree, side, sign)
    return tree.robot()


def _arm(tree: TreeBuilder, side: str, sign: float) -> None:
    """Add an arm, with three hinges at the shoulder, one at the elbow and two at the wrist."""
    link = [f"{side}_{name}" for name in _ARM]
    y = sign * 0.205
    spool = along(shifted(limb(0.02, 0.03, 0.03, _SEGMENTS, 10), (0.0, 0.0, -0.01)), "y")
    tree.turning(link[0], ("chest", link[0]), (0.0, y, 0.31), {"y": (-2.6, 0.9)}, spool)
    raised = (-0.1, 2.4) if sign > 0 else (-2.4, 0.1)
    out = (0.0, sign * 0.085, 0.0)
    tree.turning(link[1], (link[0], link[1]), out, {"x": raised}, _ball(0.038, 10))
    upper = _hanging(0.17, 0.036, 0.03, 21, 0.038)
    tree.turning(link[2], (link[1], link[2]), (0.0, 0.0, -0.045), {"z": (-1.2, 1.2)}, upper)
    fore = _hanging(0.19, 0.033, 0.024, 21)
    tree.turning(link[3], (link[2], link[3]), (0.0, 0.0, -0.28), {"y": (-2.0, 0.0)}, fore)
    wrist = _hanging(0.012, 0.02, 0.02, 9, 0.022)
    tree.turning(link[4], (link[3], link[4]), (0.0, 0.0, -0.22), {"z": (-1.3, 1.3)}, wrist)
    hand = _flat(_hanging(0.1, 0.022, 0.04, 13), 1.0, 0.5)
    tree.turning(link[5], (link[4], link[5]), (0.0, 0.0, -0.085), {"x": (-0.9, 0.9)}, hand)


def _leg(tree: TreeBuilder, side: str, sign: float) -> None:
    """Add a leg, with three hinges at the hip, one at the knee and two at the ankle."""
    link = [f"{side}_{name}" for name in _LEG]
    spread = (-0.15, 0.7) if sign > 0 else (-0.7, 0.15)
    hip = (0.0, sign * 0.095, -0.125)
    tree.turning(link[0], ("pelvis", link[0]), hip, {"x": spread}, _ball(0.04, 10))
    below = (0.0, 0.0, -0.09)
    tree.turning(link[1], (link[0], link[1]), below, {"y": (-1.4, 0.6)}, _ball(0.042, 10))
    thigh = _hanging(0.22, 0.052, 0.042, 21, 0.054)
    tree.turning(link[2], (link[1], link[2]), (0.0, 0.0, -0.05), {"z": (-0.6, 0.6)}, thigh)
    shank = _hanging(0.28, 0.046, 0.03, 21)
    tree.turning(link[3], (link[2], link[3]), (0.0, 0.0, -0.375), {"y": (0.0, 2.0)}, shank)
    tree.turning(
        link[4], (link[3], link[4]), (0.0, 0.0, -0.345), {"x": (-0.4, 0.4)}, _ball(0.03, 9)
    )
    sole = along(limb(0.15, 0.042, 0.05, _SEGMENTS, 13), "x")
    foot = shifted(_flat(sole, 1.0, 1.0, 0.55), (-0.035, 0.0, -0.035))
    tree.turning(link[5], (link[4], link[5]), (0.0, 0.0, -0.035), {"y": (-0.6, 0.6)}, foot)


_ARM = ("shoulder", "arm_ball", "upper_arm", "forearm", "wrist", "hand")
_LEG = ("hip", "leg_ball", "thigh", "shank", "ankle", "foot")


def _lathe(profile: Profile, strips: int) -> MeshArrays:
    """Return a surface of revolution with 40 * strips triangles."""
    return turned_part(smooth(profile, strips + 1), _SEGMENTS)


def _ball(radius: float, rows: int = 11) -> MeshArrays:
    """Return a ball with 40 * (rows - 1) triangles."""
    polar = np.linspace(-pi / 2, pi / 2, rows + 1)
    profile = radius * np.stack([np.cos(polar), np.sin(polar)], axis=1)
    profile[[0, -1], 0] = 0.0
    return turned_part(profile, _SEGMENTS)


def _hanging(length: float, start: float, end: float, rows: int, below: float = 0.0) -> MeshArrays:
    """Return a limb that hangs down, with its first ball `below` the joint."""
    mesh = turned(limb(length, start, end, _SEGMENTS, rows), "x", pi)
    return shifted(mesh, (0.0, 0.0, -below))


def _flat(mesh: MeshArrays, x: float, y: float = 1.0, z: float = 1.0) -> MeshArrays:
    """Scale a mesh along the axes."""
    return mesh[0] * (x, y, z), mesh[1]
