"""Equipment of a machine room: pumps, tanks, cabinets, valves, and pipes between them.

An assembly is a list of parts, each a named shape at a pose. Shapes are made once and shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from toccata.scenes._tube import tube, turned_part
from toccata.scenes.primitives import box, capsule, torus
from toccata.scenes.surface import MeshArrays, along, shifted, turned, union

Pose = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Part:
    """A shape by name, at a pose."""

    shape: str
    pose: Pose

    def moved(self, pose: Pose) -> Part:
        """Return the part after a motion of its assembly by `pose`."""
        return Part(self.shape, pose @ self.pose)


def at(x: float, y: float, z: float, axis: str = "z", angle: float = 0.0) -> Pose:
    """Return a rotation about a coordinate axis followed by a translation."""
    pose = np.eye(4)
    pose[:3, :3] = turned((np.eye(3), np.empty((0, 3), np.int32)), axis, angle)[0].T
    pose[:3, 3] = (x, y, z)
    return pose


def _rod(radius: float, length: float, sides: int) -> MeshArrays:
    """Return a cylinder with long triangles, as CAD programs make them."""
    half = length / 2
    return turned_part([(0.0, -half), (radius, -half), (radius, half), (0.0, half)], sides)


def _motor() -> MeshArrays:
    """Return an electric motor along x with cooling fins around it."""
    fins = [
        turned(shifted(box((0.2, 0.012, 0.03)), (0.0, 0.0, 0.1)), "x", 2 * pi * k / 16)
        for k in range(16)
    ]
    return union(along(_rod(0.09, 0.26, 32), "x"), *fins)


def _volute() -> MeshArrays:
    """Return the casing of a pump: a thick ring and its hub, with the axis along x."""
    return union(along(torus(0.08, 0.045, 26, 13), "x"), along(_rod(0.07, 0.09, 20), "x"))


def _handwheel() -> MeshArrays:
    """Return a wheel about z with four spokes."""
    spokes = [along(_rod(0.006, 0.13, 8), axis) for axis in "xy"]
    return union(torus(0.07, 0.009, 36, 8), *spokes)


def _valve() -> MeshArrays:
    """Return the body of a valve on a pipe along x, with its bonnet up z."""
    body = [(0, -0.09), (0.05, -0.09), (0.05, -0.075), (0.032, -0.06), (0.055, 0.0), (0.032, 0.06),
            (0.05, 0.075), (0.05, 0.09), (0, 0.09)]  # fmt: skip
    return union(along(turned_part(body, 24), "x"), shifted(_rod(0.025, 0.1, 16), (0, 0, 0.08)))


def _flange() -> MeshArrays:
    """Return a disc with a collar, about x."""
    outline = [
        (0, -0.03), (0.032, -0.03), (0.036, -0.008), (0.055, -0.008), (0.055, 0.008), (0, 0.008),
    ]  # fmt: skip
    return along(turned_part(outline, 36), "x")


def _gauge() -> MeshArrays:
    """Return a round dial that looks along x."""
    outline = [(0, 0), (0.04, 0), (0.045, 0.02), (0.035, 0.025), (0, 0.022)]
    return along(turned_part(outline, 20), "x")


def _handle() -> MeshArrays:
    """Return a bow along z."""
    corners = [(0, 0, -0.06), (0.03, 0, -0.06), (0.03, 0, 0.06), (0, 0, 0.06)]
    return tube(corners, 0.006, 0.015, 8, 4)


def _beam() -> MeshArrays:
    """Return an I-section along x."""
    flange = box((4.8, 0.1, 0.01))
    web = shifted(box((4.8, 0.01, 0.16)), (0, 0, 0.085))
    return union(flange, web, shifted(flange, (0, 0, 0.17)))


def _tray() -> MeshArrays:
    """Return a cable tray along x: a bottom and two sides."""
    sides = (shifted(box((2.4, 0.005, 0.05)), (0, y, 0.025)) for y in (-0.1, 0.1))
    return union(box((2.4, 0.2, 0.005)), *sides)


SHAPES: dict[str, Callable[[], MeshArrays]] = {
    "bolt": lambda: union(_rod(0.006, 0.03, 14), shifted(_rod(0.01, 0.008, 6), (0, 0, 0.014))),
    "flange": _flange,
    "pipe": lambda: along(_rod(0.03, 0.5, 36), "x"),
    "elbow": lambda: tube([(-0.1, 0, 0), (0, 0, 0), (0, 0, 0.1)], 0.03, 0.09, 16, 8),
    "valve": _valve,
    "handwheel": _handwheel,
    "motor": _motor,
    "volute": _volute,
    "bed": lambda: box((0.62, 0.24, 0.06)),
    "tank": lambda: capsule(0.7, 0.22, 40),
    "leg": lambda: _rod(0.02, 0.3, 16),
    "rung": lambda: along(_rod(0.01, 0.26, 12), "y"),
    "rail": lambda: _rod(0.012, 1.4, 12),
    "gauge": _gauge,
    "cabinet": lambda: box((0.4, 0.6, 1.5)),
    "door": lambda: box((0.02, 0.54, 1.4)),
    "handle": _handle,
    "lamp": lambda: along(capsule(0.01, 0.015, 16), "x"),
    "beam": _beam,
    "tray": _tray,
    "wall": lambda: box((5.6, 0.1, 2.6)),
    "floor": lambda: box((5.6, 5.6, 0.1)),
}
"""Functions that make the shapes, in meters, by name."""


def bolted_flange(pose: Pose) -> list[Part]:
    """Return a flange about x with four bolts."""
    bolts = [
        at(0.0, 0.045 * np.cos(a), 0.045 * np.sin(a)) @ at(0, 0, 0, "y", pi / 2)
        for a in 2 * pi * (np.arange(4) + 0.5) / 4
    ]
    return [Part("flange", pose), *(Part("bolt", pose @ bolt) for bolt in bolts)]


def pump(pose: Pose) -> list[Part]:
    """Return a pump on its bed: motor, casing, suction and discharge pipe."""
    parts = [
        Part("bed", at(0, 0, 0.03)),
        Part("motor", at(-0.12, 0, 0.2)),
        Part("volute", at(0.16, 0, 0.2)),
        Part("pipe", at(0.16, 0.1, 0.5, "y", pi / 2)),
        Part("elbow", at(0.16, 0.1, 0.85, "y", -pi / 2)),
        *(Part("bolt", at(x, y, 0.07)) for x in (-0.28, 0.28) for y in (-0.1, 0.1)),
        *bolted_flange(at(0.16, 0.1, 0.26, "y", pi / 2)),
    ]
    return [part.moved(pose) for part in parts]


def tank(pose: Pose) -> list[Part]:
    """Return a standing tank with legs, gauge, ladder and a flange on top."""
    angles = 2 * pi * np.arange(3) / 3
    parts = [
        Part("tank", at(0, 0, 0.75)),
        *(Part("leg", at(0.17 * np.cos(a), 0.17 * np.sin(a), 0.15)) for a in angles),
        Part("gauge", at(0.23, 0, 1.0)),
        *(Part("rail", at(-0.26, y, 0.72)) for y in (-0.13, 0.13)),
        *(Part("rung", at(-0.26, 0, 0.15 + 0.2 * k)) for k in range(6)),
        *bolted_flange(at(0, 0, 1.36, "y", -pi / 2)),
    ]
    return [part.moved(pose) for part in parts]


def cabinet(pose: Pose) -> list[Part]:
    """Return a switch cabinet with its door and lamps."""
    parts = [
        Part("cabinet", at(0, 0, 0.75)),
        Part("door", at(0.215, 0, 0.75)),
        Part("handle", at(0.225, 0.2, 0.8)),
        *(Part("lamp", at(0.24, -0.15 + 0.1 * k, 1.3)) for k in range(4)),
        *(Part("gauge", at(0.225, -0.15 + 0.15 * k, 1.12)) for k in range(3)),
    ]
    return [part.moved(pose) for part in parts]


def pipe_run(pose: Pose, pieces: int, valves: bool) -> list[Part]:
    """Return a pipe along x: pieces of half a meter, flanges, and a valve on every second piece."""
    parts = []
    for k in range(pieces):
        x = 0.54 * (k - (pieces - 1) / 2)
        parts += [Part("pipe", at(x, 0, 0)), *bolted_flange(at(x + 0.27, 0, 0))]
        if valves and k % 2 == 0:
            parts += [Part("valve", at(x, 0, 0)), Part("handwheel", at(x, 0, 0.16))]
    return [part.moved(pose) for part in parts]
