"""Machine parts with flat faces, edges and bores: a gear, a hammer and a workpiece."""

from itertools import pairwise
from math import ceil, pi

import numpy as np
from numpy.typing import NDArray

from ._refine import refined
from .primitives import box, circle
from .surface import (
    MeshArrays,
    Points,
    along,
    as_mesh,
    extrude,
    patch_faces,
    shifted,
    skin,
    turned,
    union,
)

_TEETH, _BORE, _ROOT, _TIP = 20, 0.24, 0.80, 1.0


def gear(count: int = 25_600) -> MeshArrays:
    """Return a gear with exactly `count` triangles (even, at least 5,000).

    It has a hub, a web, a rim, and a bore along z, all with triangles of similar size.
    """
    spacings = np.geomspace(0.2, 0.004, 200)
    fitting = [h for h in spacings if _gear_count(*_gear_cells(h)) <= count]
    columns, rings, rows, layers = _gear_cells(fitting[-1])
    flat = _gear_outline(columns, rings, rows)
    radius = np.linalg.norm(flat[0][:, :2], axis=1)
    return refined(extrude(flat, _gear_half_height(radius), layers), count)


def _gear_cells(spacing: float) -> tuple[int, int, int, int]:
    """Return numbers of cells: columns of a tooth (even), rings, rows of a tooth, and layers."""
    columns = 2 * max(1, round(pi * _ROOT / (_TEETH * spacing)))
    rings = max(2, round((_ROOT - _BORE) / spacing))
    rows = max(1, round((_TIP - _ROOT) / spacing))
    return columns, rings, rows, max(1, round(0.28 / spacing))


def _gear_count(columns: int, rings: int, rows: int, layers: int) -> int:
    cells = _TEETH * (columns * rings + columns // 2 * rows)
    return 4 * cells + 2 * layers * _TEETH * (2 * columns + 2 * rows)


def _gear_outline(columns: int, rings: int, rows: int) -> MeshArrays:
    """Return the flat wheel: rings of cells, and a patch of cells for each tooth."""
    around = _TEETH * columns
    radii = np.linspace(_BORE, _ROOT, rings + 1)
    wheel = np.concatenate([circle(r, around) for r in radii])
    closed = np.append(np.arange(around), 0)
    ids = np.arange(rings + 1)[:, None] * around + closed
    points, faces = [wheel], [patch_faces(ids)[:, ::-1]]
    base = columns // 2
    for tooth in range(_TEETH):
        start = len(wheel) + tooth * rows * (base + 1)
        new = start + np.arange(rows * (base + 1)).reshape(rows, base + 1)
        foot = ids[-1, tooth * columns : tooth * columns + base + 1]
        faces.append(patch_faces(np.vstack([foot, new]))[:, ::-1])
        points.append(_tooth(2 * pi * tooth / _TEETH, rows, base))
    return as_mesh(np.concatenate(points), np.concatenate(faces))


def _tooth(angle: float, rows: int, columns: int) -> Points:
    """Return the points of a tooth above its foot, row by row; the flanks are convex."""
    up = (np.arange(rows) + 1)[:, None] / rows
    across = np.linspace(-0.5, 0.5, columns + 1)
    width = pi / _TEETH * (1 - 0.52 * up**1.5)
    turn = angle + pi / _TEETH / 2 + across * width
    radius = _ROOT + (_TIP - _ROOT) * up
    flat = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], axis=-1)
    return flat.reshape(-1, 3)


def _gear_half_height(radius: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return half of the thickness: a thick hub, a thin web, and a rim as thick as the teeth."""
    stations, heights = (0.0, 0.38, 0.44, 0.62, 0.68, 2.0), (0.18, 0.18, 0.07, 0.07, 0.14, 0.14)
    return np.interp(radius, stations, heights)


def hammer(count: int = 1_700) -> MeshArrays:
    """Return a hammer of exactly `count` triangles, an even number, with its handle along z."""
    return refined(union(_hammer_handle(), _hammer_head()), count)


def _oval(half: tuple[float, float], power: float, count: int, z: float) -> Points:
    """Return points on |x/a|^p + |y/b|^p = 1, where (a, b) is `half` and p is `power`.

    The curve is an ellipse at p = 2 and nearly a rectangle at p = 8.
    """
    angle = 2 * pi * (np.arange(count) + 0.5) / count
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    reach = (np.abs(direction) ** power).sum(axis=1) ** (-1 / power)
    return np.column_stack([direction * reach[:, None] * half, np.full(count, z)])


def _loft(stations: list[tuple[float, float, float, float]], count: int, step: float) -> MeshArrays:
    """Return a surface through ovals (height, half x, half y, power), with rings every `step`."""
    given = np.array(stations)
    heights = np.concatenate([
        np.linspace(low, high, 1 + ceil((high - low) / step))[:-1]
        for low, high in pairwise(given[:, 0])
    ])  # fmt: skip
    heights = np.append(heights, given[-1, 0])
    a, b, power = (np.interp(heights, given[:, 0], column) for column in given[:, 1:].T)
    rings = [_oval((a[k], b[k]), power[k], count, z) for k, z in enumerate(heights)]
    return skin([rings[0].mean(axis=0)[None], *rings, rings[-1].mean(axis=0)[None]])


def _hammer_handle() -> MeshArrays:
    stations = [
        (0.00, 0.040, 0.028, 2.4), (0.02, 0.055, 0.038, 2.4), (0.30, 0.060, 0.042, 2.4),
        (0.55, 0.048, 0.034, 2.4), (0.85, 0.036, 0.026, 2.4), (1.10, 0.040, 0.030, 2.4),
        (1.42, 0.044, 0.032, 2.4),
    ]  # fmt: skip
    return _loft(stations, count=10, step=0.06)


def _hammer_head() -> MeshArrays:
    stations = [
        (-0.34, 0.075, 0.010, 8.0), (-0.33, 0.085, 0.016, 8.0), (-0.10, 0.085, 0.080, 7.0),
        (0.08, 0.085, 0.085, 7.0), (0.10, 0.060, 0.060, 2.5), (0.19, 0.058, 0.058, 2.0),
        (0.21, 0.092, 0.092, 2.0), (0.31, 0.092, 0.092, 2.0), (0.33, 0.078, 0.078, 2.0),
    ]  # fmt: skip
    head = _loft(stations, count=20, step=0.06)
    return shifted(along(head, "x"), (0.0, 0.0, 1.30))


def workpiece(count: int = 2_600) -> MeshArrays:
    """Return an angle bracket with exactly `count` triangles, an even number.

    Its two drilled plates, ribs, boss and lip are closed parts that overlap where the parts of a
    real bracket are welded.
    """
    base = extrude(_drilled((3, 2), {(0, 0), (2, 0), (0, 1), (2, 1)}, 0.10), 0.06)
    upright = extrude(_drilled((3, 2), {(1, 1)}, 0.15), 0.06)
    upright = turned(shifted(upright, (0.0, 0.45, 0.0)), "x", pi / 2)
    boss = turned(extrude(_annulus(0.17, 0.215, 20), 0.11), "x", pi / 2)
    rib = extrude(as_mesh([(0, 0, 0), (0.55, 0, 0), (0, 0.62, 0)], [(0, 1, 2)]), 0.04)
    rib = shifted(along(rib, "x"), (0.0, -0.40, 0.04))
    return refined(
        union(
            base,
            shifted(upright, (0.0, -0.40, 0.0)),
            shifted(boss, (0.0, -0.40, 0.675)),
            shifted(rib, (0.25, 0.0, 0.0)),
            shifted(rib, (-0.25, 0.0, 0.0)),
            shifted(box((1.3, 0.06, 0.05)), (0.0, 0.40, 0.06)),
        ),
        count,
    )


def _annulus(inner: float, outer: float, count: int) -> MeshArrays:
    ids = np.arange(2)[:, None] * count + np.append(np.arange(count), 0)
    points = np.concatenate([circle(inner, count), circle(outer, count)])
    return as_mesh(points, patch_faces(ids)[:, ::-1])


def _drilled(cells: tuple[int, int], holes: set[tuple[int, int]], radius: float) -> MeshArrays:
    """Return a flat rectangle of square cells with side 0.45, some of them with a round hole."""
    parts = []
    for column, row in np.ndindex(*cells):
        cell = _holed_cell(radius) if (column, row) in holes else _plain_cell()
        offset = 0.45 * (np.array([column, row]) - (np.array(cells) - 1) / 2)
        parts.append(shifted(cell, (*offset, 0.0)))
    return _welded(union(*parts))


def _plain_cell() -> MeshArrays:
    x, y = np.meshgrid(*2 * [np.linspace(-0.225, 0.225, 5)])
    points = np.stack([x.ravel(), y.ravel(), np.zeros(25)], axis=1)
    return as_mesh(points, patch_faces(np.arange(25).reshape(5, 5)))


def _holed_cell(radius: float) -> MeshArrays:
    side = np.stack([np.full(4, 0.225), 0.225 * np.array([-1.0, -0.5, 0.0, 0.5])], axis=1)
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    flat = np.vstack([side @ np.linalg.matrix_power(quarter, k) for k in range(4)])
    rim = np.column_stack([flat, np.zeros(16)])
    hole = radius * rim / np.linalg.norm(rim, axis=1, keepdims=True)
    ids = np.arange(2)[:, None] * 16 + np.append(np.arange(16), 0)
    return as_mesh(np.concatenate([hole, rim]), patch_faces(ids)[:, ::-1])


def _welded(mesh: MeshArrays, digits: int = 9) -> MeshArrays:
    """Merge vertices that are equal after rounding to `digits` decimals."""
    _, first, ids = np.unique(
        mesh[0].round(digits) + 0.0, axis=0, return_index=True, return_inverse=True
    )
    return as_mesh(mesh[0][first], ids.reshape(-1)[mesh[1]])
