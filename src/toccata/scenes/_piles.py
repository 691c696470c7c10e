"""Worlds of simple bodies: a heap of rings, a stack of bricks and a brick wall."""

from math import ceil, sqrt

import numpy as np

from ._world_scene import WorldBody, WorldScene, floor, place, random_turns, static
from .primitives import box, torus
from .surface import MeshArrays, skin

RING = (0.2, 0.08)
"""Major and minor radius of the rings of the heap, in meters."""
_SECTIONS, _SPACING, _LAYERS = 15, 0.6, 8
GAP = 0.002
"""Distance in meters between bricks at the start, by which they fall."""
_BRICK = (0.24, 0.12, 0.08)


def heap(bodies: int = 200, seed: int = 0) -> WorldScene:
    """Rings of 240 triangles fall into a bin in eight layers and random orientations.

    The bin grows with the number of bodies, so that all heaps have the same height.
    """
    ring, turns = torus(*RING, _SECTIONS, 8), random_turns(seed, bodies)
    pieces = ring_pieces(ring, _SECTIONS)
    cells = ceil(bodies / _LAYERS)
    columns = ceil(sqrt(cells))
    rows = ceil(cells / columns)
    corner = -_SPACING / 2 * np.array([columns - 1, rows - 1, -1])
    found = _bin(columns * _SPACING, rows * _SPACING)
    for k in range(bodies):
        layer, cell = divmod(k, cells)
        at = corner + _SPACING * np.array([cell % columns, cell // columns, layer])
        found[f"ring{k}"] = WorldBody(mesh=ring, pose=place(at, turns[k]), pieces=pieces)
    return WorldScene(bodies=found, steps=240)


def ring_pieces(ring: MeshArrays, sections: int) -> tuple[MeshArrays, ...]:
    """Cut a ring between its sections, so that the convex hulls of the pieces nearly fill it."""
    rings = np.split(ring[0], sections)
    ends = zip(rings, [*rings[1:], rings[0]], strict=True)
    return tuple(skin([a.mean(axis=0)[None], a, b, b.mean(axis=0)[None]]) for a, b in ends)


def _bin(width: float, depth: float) -> dict[str, WorldBody]:
    """Return a floor, and four walls around a rectangle with a slit above the floor."""
    thick, slit, height = 0.2, 0.01, _LAYERS * _SPACING
    x, y = (width + thick) / 2 + slit, (depth + thick) / 2 + slit
    along_x = box((width, thick, height))
    along_y = box((thick, depth + 2 * thick + 4 * slit, height))
    middle = height / 2 + slit
    return {
        "floor": floor(max(width, depth) + 2.0),
        "wall -x": static(along_y, (-x, 0.0, middle)),
        "wall +x": static(along_y, (x, 0.0, middle)),
        "wall -y": static(along_x, (0.0, -y, middle)),
        "wall +y": static(along_x, (0.0, y, middle)),
    }


def bricks(bodies: int = 10) -> WorldScene:
    """A stack of bricks has to stay upright."""
    return WorldScene(bodies={"floor": floor(4.0), **_pile(bodies)}, steps=240)


def _pile(count: int) -> dict[str, WorldBody]:
    brick, height = box(_BRICK), _BRICK[2] + GAP
    lowest = GAP + _BRICK[2] / 2
    return {
        f"brick{k}": WorldBody(mesh=brick, pose=place((0.0, 0.0, lowest + k * height)))
        for k in range(count)
    }


def brick_wall(bodies: int = 100) -> WorldScene:
    """A brick wall has to stay; every second row is shifted by a quarter of a brick."""
    brick, found = box(_BRICK), {"floor": floor(8.0)}
    columns = max(1, round(sqrt(bodies)))
    length, height = _BRICK[0] + GAP, _BRICK[2] + GAP
    for k in range(bodies):
        row, column = divmod(k, columns)
        x = (column - (columns - 1) / 2 + (row % 2 - 0.5) / 4) * length
        z = GAP + _BRICK[2] / 2 + row * height
        found[f"brick{k}"] = WorldBody(mesh=brick, pose=place((x, 0.0, z)))
    return WorldScene(bodies=found, steps=240)
