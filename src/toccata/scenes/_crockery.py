"""Plates and pots on a round table, all surfaces of revolution: 44,000 triangles."""

from __future__ import annotations

import numpy as np

from ._tube import smooth, turned_part
from ._world_scene import WorldBody, static
from .surface import MeshArrays

PLATES, POTS = 12, 8
_COLUMNS, _APART = 5, 0.36
_SEGMENTS = 40
_ABOVE = 1e-3
"""Distance in meters between the table and the plates and pots."""

# Profiles (radius, height) from the middle of the bottom, around the rim, to the inner middle.
_PLATE = [(0.0, 0.0), (0.07, 0.0), (0.085, 0.012), (0.15, 0.035), (0.153, 0.042), (0.147, 0.046),
          (0.08, 0.026), (0.0, 0.02)]  # fmt: skip
_POT = [(0.0, 0.0), (0.085, 0.0), (0.12, 0.06), (0.13, 0.13), (0.10, 0.21), (0.115, 0.25),
        (0.107, 0.258), (0.098, 0.25), (0.083, 0.21), (0.112, 0.13), (0.1, 0.07), (0.07, 0.02),
        (0.0, 0.018)]  # fmt: skip
_TABLE = [(0.0, -0.1), (1.4, -0.1), (1.45, -0.05), (1.4, 0.0), (0.0, 0.0)]


def plate() -> MeshArrays:
    """Return a plate with its bottom at the origin, 1,600 triangles."""
    return turned_part(smooth(_PLATE, 21), _SEGMENTS)


def pot() -> MeshArrays:
    """Return a pot with its bottom at the origin, 2,880 triangles."""
    return turned_part(smooth(_POT, 37), _SEGMENTS)


def table() -> MeshArrays:
    """Return a round table with its top at z = 0, 1,760 triangles."""
    return turned_part(smooth(_TABLE, 23), _SEGMENTS)


def laid_table(rng: np.random.Generator) -> dict[str, WorldBody]:
    """Return the table with rows of plates and pots in random order, each slightly displaced."""
    found = {"table": static(table())}
    kinds = rng.permutation([*["plate"] * PLATES, *["pot"] * POTS])
    meshes = {"plate": plate(), "pot": pot()}
    rows = len(kinds) // _COLUMNS
    for i, kind in enumerate(kinds):
        row, column = divmod(i, _COLUMNS)
        middle = np.array([row - (rows - 1) / 2, column - (_COLUMNS - 1) / 2]) * _APART
        x, y = middle + rng.uniform(-0.02, 0.02, 2)
        found[f"{kind}{i}"] = static(meshes[str(kind)], (x, y, _ABOVE))
    return found
