"""The strip of pictures that shows a scene at a glance."""

from __future__ import annotations

import numpy as np

from toccata.report.entry import Entry
from toccata.report.png import Image, save_png
from toccata.report.story import tell

__all__ = ["contact_figure", "save_png"]

_GUTTER = 6


def contact_figure(entry: Entry, size: tuple[int, int] = (480, 360)) -> Image:
    """Return start | contact | end side by side, (h, w, 3) uint8; `size` is that of one picture."""
    images = [panel.image for panel in tell(entry, size)]
    gutter = np.full((size[1], _GUTTER, 3), 255, dtype=np.uint8)
    return np.concatenate([images[0], gutter, images[1], gutter, images[2]], axis=1)
