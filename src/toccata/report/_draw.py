"""Marks over a finished picture: discs, strokes, arrows, contacts and a lens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.report._picture import Picture
from toccata.report._projection import Projection
from toccata.view._colors import DARK, YELLOW

Array = NDArray[np.float64]

INK, SPARK, PAPER = np.array(DARK) / 255, np.array(YELLOW) / 255, np.ones(3)
NORMAL_LENGTH = 0.1
"""Least length of an arrow perpendicular to the line of sight, relative to the height of the
picture. It keeps arrows visible in scenes of any size, and is the same in the player."""


def disc(image: Array, center: Array, radius: float, color: Array, opacity: float = 1.0) -> None:
    """Blend a disc into the (h, w, 3) `image`. Lengths and positions are in pixels."""
    stroke(image, center, center, 2 * radius, color, opacity)


def stroke(
    image: Array, start: Array, end: Array, width: float, color: Array, opacity: float = 1.0
) -> None:
    """Blend a straight stroke with round ends into `image`."""
    low, high = np.minimum(start, end) - width / 2 - 1.0, np.maximum(start, end) + width / 2 + 1.0
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return
    size = image.shape[1::-1]
    x0, y0 = np.maximum(np.clip(low, -1.0, size).astype(int), 0)
    x1, y1 = np.clip(high + 1, -1.0, size).astype(int)
    if x1 <= x0 or y1 <= y0:
        return
    x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    along = end - start
    length2 = float(along @ along)
    share = ((x - start[0]) * along[0] + (y - start[1]) * along[1]) / (length2 or 1.0)
    share = np.clip(share, 0.0, 1.0)
    distance = np.hypot(x - start[0] - share * along[0], y - start[1] - share * along[1])
    coverage = np.clip(width / 2 - distance + 0.5, 0.0, 1.0) * opacity
    part = image[y0:y1, x0:x1]
    part += coverage[..., None] * (color - part)


def draw_contact(colors: Array, camera: Projection, point: Array, normal: Array) -> None:
    """Draw a bright disc at `point`, and an arrow along the unit `normal` unless it is zero."""
    scale = camera.scale
    if normal.any():
        depth = 1.0 / camera.project(point[None])[0, 2]
        length = NORMAL_LENGTH * 360 * camera.scale * depth / camera.focal
        draw_arrow(colors, camera, np.stack([point, point + length * normal]))
    spot(colors, camera.project(point[None])[0, :2], 4.6 * scale, SPARK)


def draw_arrow(colors: Array, camera: Projection, ends: Array) -> None:
    """Draw a dark arrow with a light rim between two points, (2, 3)."""
    scale = camera.scale
    start, end = camera.project(ends)[:, :2]
    along = end - start
    length = float(np.hypot(along[0], along[1]))
    head = min(8.0 * scale, 0.6 * length)
    along = along / (length or 1.0)
    across = np.array([-along[1], along[0]])
    tips = [end - head * (along + side * 0.7 * across) for side in (-1.0, 1.0)] if length else []
    for width, color in ((5.2 * scale, PAPER), (2.6 * scale, INK)):
        stroke(colors, start, end, width, color)
        for tip in tips:
            stroke(colors, end, tip, width, color)


def spot(colors: Array, center: Array, radius: float, color: Array) -> None:
    """Draw a disc with a dark rim."""
    rim = 0.25 * radius + 0.5
    disc(colors, center, radius + rim, INK)
    disc(colors, center, radius, color)


def draw_lens(picture: Picture, target: Array, close_up: Array) -> None:
    """Paste the square `close_up` of `target` as a round lens into a free corner of the picture."""
    image = picture.colors
    scale, radius = len(image) / 360, len(close_up) / 2
    center = _free_corner(picture, radius, target)
    towards = center - target
    begin = target + towards * min(1.0, 8.0 * scale / float(np.hypot(*towards)))
    stroke(image, begin, center, 3.0 * scale, PAPER, 0.8)
    stroke(image, begin, center, 1.2 * scale, INK)
    disc(image, center, radius + 3.5 * scale, PAPER)
    disc(image, center, radius + 1.5 * scale, INK)
    x0, y0 = (np.rint(center - radius)).astype(int)
    part = image[y0 : y0 + len(close_up), x0 : x0 + len(close_up)]
    y, x = np.indices(part.shape[:2]) + 0.5 - radius
    coverage = np.clip(radius - np.hypot(x, y), 0.0, 1.0)[..., None]
    part += coverage * (close_up - part)


def _free_corner(picture: Picture, radius: float, target: Array) -> Array:
    """Return the center of a disc in a corner. The disc covers few bodies, and not the target.

    If several corners are free, the corner closest to `target` is taken.
    """
    height, width, _ = picture.colors.shape
    factor = picture.view.triangle.shape[0] // height
    seen = picture.view.triangle[::factor, ::factor] >= 0
    y, x = np.indices(seen.shape)
    inset = radius + 10.0 * height / 360

    def cost(corner: Array) -> float:
        distance = float(np.hypot(*(corner - target)))
        covered = float(seen[np.hypot(x - corner[0], y - corner[1]) < radius].mean())
        return float(4.0 * covered + 0.3 * distance / width + 10.0 * (distance < 1.4 * radius))

    corners = [(x, y) for y in (inset, height - inset) for x in (width - inset, inset)]
    return min((np.array(corner) for corner in corners), key=cost)
