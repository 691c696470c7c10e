"""The bare body of a car: 29,000 triangles, in meters.

It corresponds to the skeleton of Redon, Kheddar, Coquillart 2002, figures 1 and 3; the shapes are
our own. The car drives along x. Its left side is at y > 0, and the road at z = 0. Its parts are
closed and overlap where the parts of a real car are welded.
"""

import numpy as np
from numpy.typing import NDArray

from ._outline import Cells, Outline, cut, disc, inset, polygon, rectangle
from ._panel import Layer, both_sides, panel
from ._refine import refined
from ._tube import pillow, tube, turned_part
from .surface import MeshArrays, shifted, union

Floats = NDArray[np.float64]

SIDE_CELL, CELL = 0.0545, 0.11
"""Sizes of triangles in meters: small where doors have to fit, large elsewhere."""
SIDE = 0.85
"""Half of the largest width of the car in meters."""
SKIN = Layer(-0.041, 0.0)
"""Outer layer of a side, measured outward from its skin."""
FRAME = Layer(-0.12, -0.036)
"""Inner layer of a side, which carries the doors and extends into their openings."""
LEDGE = 0.03
"""Distance in meters by which the inner layer extends into an opening."""

FRONT_DOOR = polygon([(-0.34, 0.34), (0.62, 0.34), (0.66, 0.95), (0.12, 1.42), (-0.30, 1.44)], 0.11)
"""Opening of the front door in a side, coordinates x and z."""
_REAR_DOOR = polygon(
    [(-0.98, 0.34), (-0.46, 0.34), (-0.42, 1.44), (-1.00, 1.41), (-1.22, 0.98), (-1.22, 0.75)],
    0.11,
)
_QUARTER = polygon([(-1.66, 1.08), (-1.33, 1.08), (-1.14, 1.42), (-1.52, 1.42)], 0.04)
_BODY = polygon(
    [(-1.95, 0.45), (-1.00, 0.22), (0.78, 0.22), (0.86, 0.95), (0.14, 1.53), (-0.30, 1.56),
     (-1.60, 1.53), (-1.95, 1.02)], 0.05,
)  # fmt: skip
_WHEEL = (-1.50, 0.30)


def side_bend(x: Floats, z: Floats) -> Floats:
    """Return y of the left side at x and z; it curves inward at the top, bottom and both ends."""
    roof, sill = np.maximum(z - 0.95, 0.0), np.maximum(0.6 - z, 0.0)
    return np.asarray(SIDE - 0.42 * roof**2 - 0.25 * sill**2 - 0.03 * x**2)


def car_skeleton(count: int = 29_000) -> MeshArrays:
    """Return the body with exactly `count` triangles (even)."""
    parts = [*both_sides(union(*_side())), *_floor(), *_front(), *_rear(), *_roof()]
    return refined(union(*parts), count)


def _side() -> list[MeshArrays]:
    """Return the pillars, roof rail and sill of the left side in two layers, and a wheel house."""
    cells = Cells((-2.0, 0.15), (0.95, 1.62), SIDE_CELL)
    openings: list[Outline] = [FRONT_DOOR, _REAR_DOOR, _QUARTER]
    skin = cut(_BODY, *openings, disc(_WHEEL, 0.36))
    ledges = [inset(opening, LEDGE) for opening in openings]
    frame = cut(inset(_BODY, 0.01), *ledges, disc(_WHEEL, 0.35))
    house = pillow((0.37, 0.16, 0.30), 4.0, 24, 14)
    return [
        panel(skin, cells, SKIN, "xz", side_bend),
        panel(frame, cells, FRAME, "xz", side_bend),
        shifted(house, (_WHEEL[0], 0.56, 0.46)),
    ]


def _beam(*corners: tuple[float, float, float], radius: float = 0.045) -> MeshArrays:
    return tube(corners, radius, 0.12, 8, 4, 1.5 * CELL)


def _floor_bend(x: Floats, y: Floats) -> Floats:
    """Return the height of the floor, with a tunnel, a step behind the seats, and beads."""
    tunnel = 0.13 * np.exp(-((y / 0.13) ** 2)) / (1 + np.exp(-12 * (x + 0.9)))
    step = 0.14 / (1 + np.exp(14 * (x + 0.95)))
    return np.asarray(0.27 + tunnel + step + 0.006 * np.sin(24 * x) * np.cos(9 * y))


def _floor() -> list[MeshArrays]:
    """Return the floor with holes, and the beams below it and across it."""
    holes = [disc((x, y), 0.09) for x in (-0.6, 0.1) for y in (-0.45, 0.45)]
    plate = cut(rectangle((-1.9, -0.72), (0.80, 0.72), 0.06), *holes)
    sill = _beam((-0.95, 0.70, 0.27), (0.80, 0.70, 0.27))
    rail = _beam((-1.92, 0.48, 0.42), (-1.1, 0.48, 0.42), (-0.7, 0.45, 0.24), (0.75, 0.45, 0.24))
    across = [_beam((x, -0.68, 0.25), (x, 0.68, 0.25), radius=0.03) for x in (-0.75, -0.2, 0.3)]
    floor = panel(
        plate, Cells((-1.95, -0.8), (0.85, 0.8), CELL), Layer(-0.002, 0.002), "xy", _floor_bend
    )
    return [floor, *both_sides(sill), *both_sides(rail), *across]


def _front() -> list[MeshArrays]:
    """Return the bulkhead, rails, strut towers and radiator frame."""
    cells = Cells((-0.8, 0.2), (0.8, 1.1), CELL)
    holes = [disc((0.35, 0.7), 0.10), disc((-0.2, 0.75), 0.08)]
    bulkhead = cut(rectangle((-0.72, 0.25), (0.72, 1.0), 0.08), *holes)
    radiator = rectangle((-0.70, 0.33), (0.70, 0.92), 0.06)
    opening = cut(radiator, inset(radiator, 0.07))
    tower = [
        (0, 0.4), (0.12, 0.4), (0.12, 0.5), (0.10, 0.82), (0.08, 0.86), (0.03, 0.87), (0, 0.87),
    ]  # fmt: skip
    rail = _beam((0.70, 0.45, 0.24), (0.95, 0.45, 0.46), (1.95, 0.45, 0.48), radius=0.05)
    upper = _beam((0.80, 0.74, 0.95), (1.2, 0.72, 0.92), (1.84, 0.64, 0.82), radius=0.035)
    return [
        panel(bulkhead, cells, Layer(0.755, 0.760), "yz", None),
        panel(
            opening,
            cells._replace(size=SIDE_CELL),
            Layer(1.80, 1.84),
            "yz",
            lambda y, z: -0.10 * y**2,
        ),
        _beam((1.97, -0.66, 0.48), (1.97, 0.66, 0.48), radius=0.06),
        _beam((0.79, -0.74, 0.96), (0.79, 0.74, 0.96), radius=0.05),
        _beam((0.58, -0.70, 0.86), (0.58, 0.70, 0.86), radius=0.03),
        *both_sides(rail),
        *both_sides(upper),
        *both_sides(shifted(turned_part(tower, 24), (1.28, 0.58, 0.0))),
    ]


def _rear() -> list[MeshArrays]:
    """Return the tailgate frame, the shelf behind the seats, and the bumper beam."""
    cells = Cells((-0.85, 0.35), (0.85, 1.6), SIDE_CELL)
    right = [(0.76, 0.42), (0.76, 1.05), (0.62, 1.50)]
    gate = polygon([*right, *((-y, z) for y, z in reversed(right))], 0.08)
    shelf = cut(
        rectangle((-1.90, -0.70), (-1.25, 0.70), 0.05), rectangle((-1.75, -0.5), (-1.4, 0.5), 0.08)
    )
    return [
        panel(cut(gate, inset(gate, 0.10)), cells, Layer(-1.96, -1.89), "yz", _gate_bend),
        panel(shelf, Cells((-1.95, -0.75), (-1.2, 0.75), CELL), Layer(1.0, 1.006), "xy", None),
        _beam((-1.97, -0.66, 0.50), (-1.97, 0.66, 0.50), radius=0.05),
    ]


def _gate_bend(y: Floats, z: Floats) -> Floats:
    return np.asarray(0.62 * np.maximum(z - 1.0, 0.0) + 0.06 * y**2)


def _roof() -> list[MeshArrays]:
    """Return the roof headers above windscreen and tailgate, and the bows between them."""
    layer, parts = Layer(-0.045, -0.02), []
    for x in (0.08, -0.45, -0.95, -1.5):
        bow = rectangle((x - 0.045, -0.64), (x + 0.045, 0.64), 0.01)
        cells = Cells((x - 0.06, -0.7), (x + 0.06, 0.7), SIDE_CELL)
        parts.append(panel(bow, cells, layer, "xy", _crown))
    return parts


def _crown(x: Floats, y: Floats) -> Floats:
    return np.asarray(1.57 - 0.08 * y**2 - 0.03 * (x + 0.5) ** 2)
