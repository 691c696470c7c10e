"""Sheet metal: outlines that are thickened, placed in one of three planes, and bent.

A bend moves points along the thickness by a height that depends on where they are in the plane, so
it neither folds a panel nor brings two of them nearer to each other within the plane.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .outline import Cells, Outline, flat_mesh
from .surface import MeshArrays, Points, as_mesh, extrude, shifted

Floats = NDArray[np.float64]
Bend = Callable[[Floats, Floats], Floats]
"""Coordinates (n,) and (n,) in the plane -> heights (n,)."""

# Coordinates that an outline has in a plane, then that of its thickness.
_PLANES = {"xy": (0, 1, 2), "yz": (1, 2, 0), "xz": (0, 2, 1)}


class Layer(NamedTuple):
    """Where the thickness of a panel starts and ends."""

    low: float
    high: float


def panel(
    outline: Outline, cells: Cells, layer: Layer, plane: str, bend: Bend | None
) -> MeshArrays:
    """Return a closed panel in the plane xy, yz or xz."""
    flat = flat_mesh(outline, cells)
    half = (layer.high - layer.low) / 2
    rows = max(1, round(2 * half / cells.size))
    solid = shifted(extrude(flat, half, rows), (0.0, 0.0, layer.low + half))
    return bent(placed(solid, plane), plane, bend) if bend else placed(solid, plane)


def placed(solid: MeshArrays, plane: str) -> MeshArrays:
    """Put what was made in the plane xy, with its thickness along z, into another plane."""
    vertices, faces = solid
    points = np.empty_like(vertices)
    points[:, _PLANES[plane]] = vertices
    return as_mesh(points, faces[:, ::-1] if plane == "xz" else faces)


def bent(solid: MeshArrays, plane: str, bend: Bend) -> MeshArrays:
    """Bend a solid across a plane."""
    vertices = solid[0].copy()
    u, v, w = _PLANES[plane]
    vertices[:, w] += bend(vertices[:, u], vertices[:, v])
    return vertices, solid[1]


def mirrored(solid: MeshArrays) -> MeshArrays:
    """Return the other side of a car: y becomes -y."""
    points: Points = solid[0] * (1.0, -1.0, 1.0)
    return as_mesh(points, solid[1][:, ::-1])


def both_sides(solid: MeshArrays) -> tuple[MeshArrays, MeshArrays]:
    """Return a part of the left side and its mirror image."""
    return solid, mirrored(solid)
