"""Discs and strokes drawn over a finished picture, with smooth edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def disc(image: Array, center: Array, radius: float, color: Array, opacity: float = 1.0) -> None:
    """Blend a disc into the (h, w, 3) `image`; lengths and positions are in pixels."""
    stroke(image, center, center, 2 * radius, color, opacity)


def stroke(
    image: Array, start: Array, end: Array, width: float, color: Array, opacity: float = 1.0
) -> None:
    """Blend a straight stroke with round ends into `image`."""
    reach = width / 2 + 1.0
    window = _window(image, np.minimum(start, end) - reach, np.maximum(start, end) + reach)
    if window is None:
        return
    part, x, y = window
    along = end - start
    length2 = float(along @ along)
    share = ((x - start[0]) * along[0] + (y - start[1]) * along[1]) / (length2 or 1.0)
    share = np.clip(share, 0.0, 1.0)
    distance = np.hypot(x - start[0] - share * along[0], y - start[1] - share * along[1])
    _blend(part, np.clip(width / 2 - distance + 0.5, 0.0, 1.0) * opacity, color)


def arrow(image: Array, start: Array, end: Array, width: float, head: float, color: Array) -> None:
    """Blend an arrow from `start` to `end`, its two head strokes reaching back by `head`."""
    along = end - start
    length = float(np.hypot(along[0], along[1]))
    stroke(image, start, end, width, color)
    if length == 0.0:
        return
    along = along / length
    across = np.array([-along[1], along[0]])
    for side in (-1.0, 1.0):
        stroke(image, end, end - head * (along + side * 0.7 * across), width, color)


def _window(image: Array, low: Array, high: Array) -> tuple[Array, Array, Array] | None:
    """Return the part of `image` in a box, and the pixel centers there; None if outside."""
    height, width, _ = image.shape
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    x0, y0 = max(0, int(max(low[0], -1.0))), max(0, int(max(low[1], -1.0)))
    x1, y1 = int(min(high[0] + 1, width)), int(min(high[1] + 1, height))
    if x1 <= x0 or y1 <= y0:
        return None
    x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    return image[y0:y1, x0:x1], x, y


def _blend(part: Array, cover: Array, color: Array) -> None:
    part += cover[..., None] * (color - part)
