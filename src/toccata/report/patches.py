"""Which faces of a mesh hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def patches(faces: NDArray[np.integer], count: int) -> Ids:
    """Return for each face the number of its patch; faces of one share vertices, step by step.

    Every vertex learns the smallest number among its neighbours, and then that of the vertex of
    that number, so that the rounds are few.
    """
    label = np.arange(count)
    corners = np.asarray(faces, dtype=np.int64)
    while True:
        least = label[corners].min(axis=1)
        before = label.copy()
        for column in corners.T:
            np.minimum.at(label, column, least)
        label = label[label]
        if (label == before).all():
            break
    return np.unique(label[corners[:, 0]], return_inverse=True)[1]
