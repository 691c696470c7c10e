"""Light on what the rasterizer saw. All colors here are linear light, not display values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata.report._cavity import cavity
from toccata.report._normals import unit
from toccata.report._raster import Visibility, doubled_area

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Directions to the lights in camera axes (right, down, forward): the light moves with the
# viewer, so every view is lit from the upper left with a weak fill from the lower right.
_KEY = unit(np.array([-0.55, -0.75, -0.65]))
_FILL = unit(np.array([0.6, 0.65, -0.5]))
_KEY_LIGHT = np.array([0.88, 0.85, 0.80])
_FILL_LIGHT = np.array([0.36, 0.35, 0.36])
_SKY_LIGHT = np.array([0.42, 0.44, 0.48])
_GROUND_LIGHT = np.array([0.32, 0.29, 0.28])
_GLOSS = 0.16
_EDGE_DIMMING = 0.2  # towards silhouettes, so that parts of one color stand apart


@dataclass(frozen=True, slots=True)
class Surface:
    """Triangles ready for the camera: corners in the picture, normals in camera axes, color."""

    corners: Array  # (m, 3, 3) x, y in pixels, inverse depth
    normals: Array  # (m, 3, 3) per corner
    colors: Array  # (m, 3)
    up: Array  # (3,) the vertical in camera axes


def to_linear(display: Array) -> Array:
    """Turn display values in [0, 1] (sRGB) into linear light."""
    return np.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)


def to_display(linear: Array) -> Array:
    """Turn linear light into display values in [0, 1] (sRGB)."""
    x = np.clip(linear, 0.0, 1.0)
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


def shade(view: Visibility, surface: Surface, backdrop: Array, reach: float = 0.0) -> Array:
    """Return the (h, w, 3) picture: lit surfaces before `backdrop`.

    Hollows up to `reach` deep, in units of the scene, look dark.
    """
    rows, columns = np.nonzero(view.triangle >= 0)
    triangle = view.triangle[rows, columns]
    centers = np.stack([columns, rows], axis=1).astype(np.float64) + 0.5
    weights = _flat_weights(surface.corners[triangle], centers) * surface.corners[triangle, :, 2]
    normals = np.einsum("pi,pij->pj", weights, surface.normals[triangle])
    # Both sides of a surface are drawn: turn the normal with the side that faces the eye.
    facing = np.where(doubled_area(surface.corners) < 0, 1.0, -1.0)[triangle]
    lit = _lit(unit(normals) * facing[:, None], surface.colors[triangle], surface.up)
    picture = backdrop.copy()
    if reach > 0:
        lit *= cavity(view, surface.corners, reach)[:, None]
    picture[rows, columns] = lit
    return picture


def _flat_weights(corners: Array, points: Array) -> Array:
    """Return the shares of the three corners at points of the picture.

    Times the corners' inverse depths, they are the shares in space, up to a common factor.
    """
    dx, dy = corners[..., 0] - points[:, :1], corners[..., 1] - points[:, 1:]
    pairs = ((1, 2), (2, 0), (0, 1))
    parts = np.stack([dx[:, i] * dy[:, j] - dx[:, j] * dy[:, i] for i, j in pairs], axis=1)
    return np.clip(parts / doubled_area(corners)[:, None], 0.0, 1.0)


def _lit(normals: Array, colors: Array, up: Array) -> Array:
    """Return the light sent to the eye: soft ambient, key and fill light, a slight gloss."""
    height = 0.5 + 0.5 * (normals @ up)[:, None]
    key = np.maximum(normals @ _KEY, 0.0)[:, None]
    fill = np.maximum(normals @ _FILL, 0.0)[:, None]
    light = _GROUND_LIGHT + height * (_SKY_LIGHT - _GROUND_LIGHT)
    light = light + key * _KEY_LIGHT + fill * _FILL_LIGHT
    light *= 1.0 - _EDGE_DIMMING * (1.0 + np.minimum(normals[:, 2:], 0.0))
    between = unit(_KEY + np.array([0.0, 0.0, -1.0]))
    gloss = _GLOSS * _power(np.maximum(normals @ between, 0.0))
    return np.asarray(colors * light + gloss[:, None])


def _power(x: Array) -> Array:
    """Return x to the 42nd, by squares: numpy's power takes ten times as long."""
    x2 = x * x
    x8 = (x2 * x2) ** 2
    x32 = (x8 * x8) ** 2
    return np.asarray(x32 * x8 * x2)
