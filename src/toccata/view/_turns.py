"""Rotations as unit quaternions."""

from __future__ import annotations

import numpy as np

from toccata._arrays import Floats


def as_wxyz(poses: Floats) -> Floats:
    """Return unit quaternions of (..., 4, 4) poses as (..., 4), real part first.

    The largest component of each quaternion determines the others, to avoid small divisors.
    """
    r = poses[..., :3, :3]
    x, y, z = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    squares = [1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z]
    ww, xx, yy, zz = squares
    wx, wy, wz = (r[..., i, j] - r[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    xy, xz, yz = (r[..., i, j] + r[..., j, i] for i, j in ((0, 1), (0, 2), (1, 2)))
    rows = [ww, wx, wy, wz, wx, xx, xy, xz, wy, xy, yy, yz, wz, xz, yz, zz]  # 4 q qᵀ
    products = np.stack(rows, axis=-1).reshape(*ww.shape, 4, 4)
    best = np.argmax(np.stack(squares, axis=-1), axis=-1)[..., None, None]
    chosen = np.take_along_axis(products, best, axis=-2)[..., 0, :]
    return np.asarray(chosen / np.linalg.norm(chosen, axis=-1, keepdims=True))
