"""The left front door of the car: 16,000 triangles, in meters.

It corresponds to the door of Redon, Kheddar, Coquillart 2002, figures 4 and 6; the shapes are our
own. Its parts are closed and overlap where the parts of a real door are welded.
"""

import numpy as np

from ._car import FRONT_DOOR, LEDGE, side_bend
from ._outline import Cells, Outline, cut, disc, inset, polygon, rectangle, shared
from ._panel import Layer, bent, panel, placed
from ._refine import refined
from ._tube import tube
from .primitives import box, torus
from .surface import MeshArrays, shifted, union

GAP = 0.006
"""Gap in meters around the door in its opening."""
ORIGIN = (0.15, 0.80, 0.80)
"""Origin of the mounted door in the frame of the car."""
SERVICE = rectangle((-0.02, 0.61), (0.195, 0.74), 0.03)
"""Hole in the inner panel through which a window motor fits; coordinates x and z of the car."""

_CELLS = Cells((-0.4, 0.28), (0.75, 1.5), 0.0276)
_BELT = 0.93
_OUTER, _INNER = inset(FRONT_DOOR, GAP), inset(FRONT_DOOR, LEDGE + GAP)


def _below(height: float) -> Outline:
    return rectangle((-1.0, 0.0), (1.0, height))


def _above(height: float) -> Outline:
    return rectangle((-1.0, height), (1.0, 2.0))


def car_door(count: int = 16_000) -> MeshArrays:
    """Return the door with exactly `count` triangles (even), about its own origin."""
    parts = [*_sheets(), *(_beside(part) for part in _fittings())]
    return refined(shifted(union(*parts), -np.asarray(ORIGIN)), count)


def _sheets() -> list[MeshArrays]:
    """Return the skin, the frame in two steps, and the inner panel with holes."""
    window = shared(inset(FRONT_DOOR, 0.08), _above(_BELT))
    cavity = [
        shared(inset(_OUTER, 0.055), _below(0.86)),
        shared(inset(_INNER, 0.042), _below(0.86)),
    ]
    holes = [
        SERVICE,
        disc((0.40, 0.49), 0.08),
        disc((-0.20, 0.50), 0.05),
        disc((0.44, 0.74), 0.05),
        polygon([(0.0, 0.42), (0.24, 0.42), (0.20, 0.52), (0.04, 0.52)], 0.03),
    ]
    inner = cut(shared(inset(_INNER, 0.012), _below(0.90)), *holes)
    sheets = [
        (shared(inset(_OUTER, 0.004), _below(0.90)), Layer(-0.006, -0.002)),
        (cut(_OUTER, window, cavity[0]), Layer(-0.028, 0.0)),
        (cut(_INNER, window, cavity[1]), Layer(-0.105, -0.022)),
        (inner, Layer(-0.100, -0.097)),
    ]
    return [panel(outline, _CELLS, layer, "xz", side_bend) for outline, layer in sheets]


def _beside(solid: MeshArrays) -> MeshArrays:
    """Move a fitting into the door; its axes are x and z of the car, then the outward direction."""
    return bent(placed(solid, "xz"), "xz", side_bend)


def _bar(*corners: tuple[float, float, float], radius: float, bend: float = 0.02) -> MeshArrays:
    return tube(corners, radius, bend, 12, 4, 0.05)


def _fittings() -> list[MeshArrays]:
    """Return a beam, the window guides, the lock, the handle, and a speaker ring."""
    guides = [_bar((x, 0.39, -0.06), (x, 0.92, -0.06), radius=0.008) for x in (-0.235, 0.505)]
    handle = [
        (-0.20, 0.82, -0.004), (-0.20, 0.82, 0.035), (-0.06, 0.82, 0.035), (-0.06, 0.82, -0.004),
    ]  # fmt: skip
    return [
        _bar((-0.29, 0.46, -0.035), (0.57, 0.57, -0.035), radius=0.015),
        *guides,
        _bar(*handle, radius=0.009),
        shifted(box((0.06, 0.10, 0.05)), (-0.250, 0.72, -0.05)),
        shifted(torus(0.085, 0.006, 32, 8), (0.40, 0.49, -0.101)),
    ]
