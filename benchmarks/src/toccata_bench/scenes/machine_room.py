"""A machine room around a robot: 1,180 bodies and about 187,000 triangles.

It stands for the auxiliary machine room of Redon et al. 2004, section 6, figure 7. Equipment lines
the walls and hangs from the ceiling. The arm stands in the middle, where a circle of 0.45 m is
free.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from toccata_bench.scenes.equipment import (
    SHAPES,
    Part,
    at,
    bolted_flange,
    cabinet,
    pipe_run,
    pump,
    tank,
)

if TYPE_CHECKING:
    from toccata._scene import Scene

BODIES = 1_180


def machine_room() -> Scene:
    """Return the room; equal parts share their mesh."""
    from toccata._mesh import Mesh
    from toccata._scene import Scene

    parts = _parts()
    meshes = {name: Mesh(*SHAPES[name]()) for name in {part.shape for part in parts}}
    scene = Scene()
    for i, part in enumerate(parts):
        scene.add(f"{part.shape}{i}", meshes[part.shape], part.pose)
    return scene


def _parts() -> list[Part]:
    """Return exactly `BODIES` parts of the room; bolts make up the number."""
    parts = [*_shell(), *_near(), *_along_walls(), *_overhead()]
    spare = BODIES - len(parts)
    rows = [at(-2.6 + 0.05 * (k % 100), 2.62, 0.3 + 0.15 * (k // 100)) for k in range(spare)]
    return [*parts, *(Part("bolt", pose) for pose in rows)]


def _shell() -> list[Part]:
    """Return floor, ceiling and walls; the floor is slightly below the foot of the robot."""
    walls = [Part("wall", at(0, 0, 1.25, "z", k * pi / 2) @ at(0, 2.75, 0)) for k in range(4)]
    return [Part("floor", at(0, 0, -0.06)), Part("floor", at(0, 0, 2.6)), *walls]


def _near() -> list[Part]:
    """Return equipment within reach of the arm: pumps, tanks, and pipes with valves."""
    parts = []
    for k in range(3):
        turn = at(0, 0, 0, "z", pi / 6 + 2 * pi * k / 3)
        parts += pump(turn @ at(0.78, 0, 0, "z", pi / 2))
        parts += tank(turn @ at(-1.05, 0, 0, "z", pi))
    for k in range(4):
        turn = at(0, 0, 0, "z", k * pi / 2)
        parts += pipe_run(turn @ at(0, 0.72, 0.35 + 0.08 * k), 4, True)
        parts += pipe_run(turn @ at(0.1, 0.62, 1.35 + 0.1 * k), 4, True)
        parts += pipe_run(turn @ at(0.55, 0.55, 0.9, "y", pi / 2), 3, False)
    return parts


def _along_walls() -> list[Part]:
    """Return cabinets, tanks and pumps in a row along each wall."""
    parts = []
    for k in range(4):
        turn = at(0, 0, 0, "z", k * pi / 2)
        for i in range(3):
            parts += cabinet(turn @ at(2.4, -0.7 + 0.7 * i, 0, "z", pi))
        parts += tank(turn @ at(2.3, 1.6, 0))
        parts += pump(turn @ at(2.2, -1.6, 0))
        parts += pipe_run(turn @ at(0, 2.5, 1.8), 8, k < 2)
    return parts


def _overhead() -> list[Part]:
    """Return beams, trays and more pipes under the ceiling."""
    parts = [Part("beam", at(0, -2.4 + 0.6 * k, 2.35)) for k in range(9)]
    parts += [Part("tray", at(x, y, 2.2)) for x in (-1.25, 1.25) for y in (-1.8, -0.9, 0.9, 1.8)]
    for k in range(4):
        parts += pipe_run(at(0, -1.5 + k, 2.05, "z", 0.0), 8, False)
    parts += [part for k in range(6) for part in bolted_flange(at(-2.65, -1.2 + 0.4 * k, 1.9))]
    return parts
