"""Parts that move in each other: a nut on a bolt, and gears on pins in a box."""

from collections.abc import Callable
from math import cos, pi

import numpy as np
from numpy.typing import NDArray

from toccata.scenes._world_scene import WorldBody, WorldScene, floor, place, static
from toccata.scenes.primitives import box, circle, cylinder
from toccata.scenes.surface import (
    MeshArrays,
    Points,
    as_mesh,
    extrude,
    grid_faces,
    patch_faces,
    skin,
)

Floats = NDArray[np.float64]
_PITCH, _CORE, _DEPTH = 0.010, 0.018, 0.004
CLEARANCE = 0.0005
"""Distance of the threads of bolt and nut along the radius, in meters."""
_SIDES, _ROWS = 36, 10
"""Points around a thread, and rows for each turn."""


def _thread(angle: Floats, height: Floats) -> Floats:
    """Return the radius of the bolt: flats at root and crest, slopes of 45 degrees or less."""
    phase = (height / _PITCH - angle / (2 * pi)) % 1.0
    up = np.interp(phase, [0.0, 0.10, 0.50, 0.60, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0])
    return np.asarray(_CORE + _DEPTH * up)


def _rings(radius: Callable[[Floats, Floats], Floats], heights: Floats) -> list[Points]:
    """Return points around z, a ring for each height."""
    angle = 2 * pi * np.arange(_SIDES) / _SIDES
    return [
        np.column_stack([circle(1.0, _SIDES)[:, :2] * radius(angle, z)[:, None], 0 * angle + z])
        for z in heights
    ]


def bolt(length: float = 0.12) -> MeshArrays:
    """Return a threaded rod along z from 0 to `length`, closed."""
    heights = np.linspace(0.0, length, round(_ROWS * length / _PITCH) + 1)
    poles = [np.array([[0.0, 0.0, z]]) for z in (0.0, length)]
    return skin([poles[0], *_rings(_thread, heights), poles[1]])


def nut(turns: int = 3) -> MeshArrays:
    """Return a hexagon with the thread of the bolt in its bore, from z = 0 up, closed."""
    height = turns * _PITCH
    heights = np.linspace(0.0, height, _ROWS * turns + 1)
    inner = _rings(lambda angle, z: _thread(angle, z) + CLEARANCE, heights)
    outer = _rings(_hexagon, np.array([height, height / 2, 0.0]))
    points = np.concatenate([*inner, *outer])
    return as_mesh(points, grid_faces(len(inner) + len(outer), _SIDES)[:, ::-1])


def _hexagon(angle: Floats, _: Floats) -> Floats:
    turn = (angle + pi / 6) % (pi / 3) - pi / 6
    return np.asarray(0.036 * cos(pi / 6) / np.cos(np.abs(turn) - pi / 6))


def nut_on_bolt() -> WorldScene:
    """A nut runs down the thread of a bolt by its weight, in contact and without friction."""
    at = place((0.0, 0.0, 9 * _PITCH))
    return WorldScene(
        bodies={
            "floor": floor(1.0, friction=0.0),
            "bolt": static(bolt(), (0.0, 0.0, _PITCH), friction=0.0),
            "nut": WorldBody(mesh=nut(), pose=at, density=7800.0, friction=0.0),
        },
        steps=360,
    )


_TEETH, _MODULE, _PRESSURE = 20, 0.005, pi / 9
_PITCH_RADIUS = _TEETH * _MODULE / 2
_BORE, _PLAY, _BACKLASH = 0.012, 0.0005, 0.0006


def spur_gear(teeth: int = _TEETH, thickness: float = 0.02) -> MeshArrays:
    """Return a gear with involute flanks and a bore along z, closed; a tooth points along x."""
    outline = _gear_outline(teeth)
    angle = np.arctan2(outline[:, 1], outline[:, 0])
    bore = _BORE * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = [bore, (bore + outline) / 2, outline]
    count = len(outline)
    ids = np.arange(3)[:, None] * count + np.append(np.arange(count), 0)
    points = np.column_stack([np.concatenate(rings), np.zeros(3 * count)])
    return extrude(as_mesh(points, patch_faces(ids)[:, ::-1]), thickness / 2)


def _gear_outline(teeth: int) -> Floats:
    """Return points around a gear, counter-clockwise: root, flank, tip, flank of each tooth."""
    pitch = teeth * _MODULE / 2
    base = pitch * cos(_PRESSURE)
    radii = np.linspace(max(base, pitch - 1.0 * _MODULE), pitch + _MODULE, 6)
    # Half angle of a tooth at a radius: the half angle at the pitch circle plus the involute.
    half = (
        (pi / 2 * _MODULE - _BACKLASH) / 2 / pitch
        + _involute(base / pitch)
        - _involute(base / radii)
    )
    root = pitch - 1.25 * _MODULE
    right = np.stack([radii, -half], axis=1)
    left = np.stack([radii, half], axis=1)[::-1]
    foot = half[0] + 0.25 * (pi / teeth - half[0])
    tooth = np.concatenate([[(root, -foot)], right, [(radii[-1], 0.0)], left, [(root, foot)]])
    turns = 2 * pi * np.arange(teeth)[:, None] / teeth
    angle = (turns + tooth[:, 1]).ravel()
    radius = np.tile(tooth[:, 0], teeth)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def _involute(ratio: float | Floats) -> Floats:
    """Return tan a - a at the pressure angle a whose cosine is the ratio of base to radius."""
    angle = np.arccos(np.minimum(ratio, 1.0))
    return np.asarray(np.tan(angle) - angle)


def gear_box(bodies: int = 3) -> WorldScene:
    """A driven gear turns a row of others on pins in a box, tooth by tooth."""
    wheel, pin = spur_gear(), cylinder(_BORE - _PLAY, 0.05, 24)
    apart, lift = 2 * _PITCH_RADIUS, 0.0125
    found = {
        "bottom": floor(2.0, friction=0.1),
        "lid": static(box((2.0, 2.0, 0.02)), (0.0, 0.0, 0.065), friction=0.1),
    }
    for k in range(bodies):
        x = apart * (k - (bodies - 1) / 2)
        # Teeth of neighbors interlock: every second gear is turned by half a tooth.
        turn = (0.0, 0.0, pi / _TEETH * (k % 2))
        found[f"pin{k}"] = static(pin, (x, 0.0, 0.0275), friction=0.1)
        found[f"gear{k}"] = WorldBody(
            mesh=wheel,
            pose=place((x, 0.0, lift), turn),
            friction=0.1,
            density=7800.0,
            turning=None if k else (0.0, 0.0, 2.0),
        )
    return WorldScene(bodies=found, steps=240)
