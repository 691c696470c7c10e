"""Sheet metal: outlines with a thickness, placed in a plane and bent.

A bend moves points along the thickness by a height that depends on their position in the plane.
Therefore it folds no panel, and keeps the distances of panels within the plane.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._outline import Cells, Outline, flat_mesh
from .surface import MeshArrays, Points, as_mesh, extrude, shifted

Floats = NDArray[np.float64]
Bend = Callable[[Floats, Floats], Floats]
"""Function from both coordinates in the plane, (n,) each, to heights, (n,)."""

# Axes of both coordinates of an outline, then the axis of its thickness.
_PLANES = {"xy": (0, 1, 2), "yz": (1, 2, 0), "xz": (0, 2, 1)}


class Layer(NamedTuple):
    """Start and end of a panel along its thickness."""

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
    """Move a solid with its thickness along z from the plane xy to another plane."""
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
    """Return the mirror image at the plane y = 0."""
    points: Points = solid[0] * (1.0, -1.0, 1.0)
    return as_mesh(points, solid[1][:, ::-1])


def both_sides(solid: MeshArrays) -> tuple[MeshArrays, MeshArrays]:
    """Return a part of the left side, and its mirror image."""
    return solid, mirrored(solid)
