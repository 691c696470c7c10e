"""Rotations as unit quaternions."""

from __future__ import annotations

import numpy as np

from toccata._arrays import Floats


def as_wxyz(poses: Floats) -> Floats:
    """Return (..., 4) unit quaternions, real part first, of (..., 4, 4) poses.

    Each is made from the largest of its numbers, so that none is divided by a small one.
    """
    r = poses[..., :3, :3]
    x, y, z = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z], axis=-1)
    differences = (
        r[..., 2, 1] - r[..., 1, 2],
        r[..., 0, 2] - r[..., 2, 0],
        r[..., 1, 0] - r[..., 0, 1],
    )
    sums = r[..., 0, 1] + r[..., 1, 0], r[..., 0, 2] + r[..., 2, 0], r[..., 1, 2] + r[..., 2, 1]
    (wx, wy, wz), (xy, xz, yz) = differences, sums
    w2, x2, y2, z2 = np.moveaxis(squares, -1, 0)
    rows = np.stack(
        [
            np.stack([w2, wx, wy, wz], axis=-1),
            np.stack([wx, x2, xy, xz], axis=-1),
            np.stack([wy, xy, y2, yz], axis=-1),
            np.stack([wz, xz, yz, z2], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    chosen = np.take_along_axis(rows, best, axis=-2)[..., 0, :]
    return np.asarray(chosen / np.linalg.norm(chosen, axis=-1, keepdims=True))
