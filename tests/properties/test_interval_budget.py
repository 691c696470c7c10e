"""method="interval" answers within its budget also for flat, thin and small bodies.

Windows used to be halved down to the tolerance before boxes were looked at again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from oracles.shapes import box

import toccata as tc

HALF_TURN = tc.pose(rotvec=(0, 0, math.pi / 2))


def sheet(count: int) -> tc.Mesh:
    grid = np.linspace(-1, 1, count + 1)
    vertices = [(x, y, 0.0) for x in grid for y in grid]
    row, column = np.divmod(np.arange(count * count), count)
    first = row * (count + 1) + column
    next_row = first + count + 1
    faces = [(first, first + 1, next_row + 1), (first, next_row + 1, next_row)]
    return tc.Mesh(vertices, np.concatenate([np.column_stack(three) for three in faces]))


def triangle(*corners: tuple[float, float, float]) -> tc.Mesh:
    return tc.Mesh(corners, [(0, 1, 2)])


def fall(height: float, to: float, at: tuple[float, float] = (0.1, 0.2)) -> tc.Motion:
    return tc.Motion.linear(tc.pose((*at, height)), tc.pose((*at, to)))


POINT, WALL = tc.Mesh([(0, -1, 0)], [(0, 0, 0)]), triangle((1.1, -5, -5), (1.1, 5, -5), (1.1, 0, 5))
NEEDLE = triangle((-1, 0, 0), (1, 0, 0), (0, 0, 1e-9))
BOX = tc.Mesh(*box())
ABOVE = 2 * float(BOX.vertices[:, 2].max()) + 0.25
CASES: dict[str, tuple[tuple[Any, ...], dict[str, float], float]] = {
    "sheet turns as it falls": (
        (sheet(2), sheet(2), tc.Motion.twist(tc.pose((0.1, 0.2, 2)), (0, 0, -3), (0, 0, 2))),
        {"tolerance": 1e-6},
        2 / 3,
    ),
    "sheets fall flat": ((sheet(40), sheet(40), fall(1, -1)), {}, 0.5),
    "point turns beside a wall": (
        (POINT, WALL, tc.Motion.twist(np.eye(4), (0, 0, 0), (0, 0, 2 * math.pi))),
        {"tolerance": 1e-6},
        math.inf,
    ),
    "boxes slide above the separation": (
        (BOX, BOX, tc.Motion.linear(tc.pose((-4, 0, ABOVE + 2e-5)), tc.pose((4, 0, ABOVE + 2e-5)))),
        {"separation": 0.25, "tolerance": 1e-5},
        math.inf,
    ),
    "needles cross on a long way": (
        (NEEDLE, NEEDLE, fall(1e5, -6e4, (0.3, 0.4)), HALF_TURN),
        {},
        0.625,
    ),
    "points at one place fall on a box": (
        (tc.Mesh([(0, 0, 0)], np.zeros((20_000, 3), int)), tc.Mesh(*box()), fall(2, -2, (0, 0))),
        {},
        0.5 - float(BOX.vertices[:, 2].max()) / 4,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_flat_thin_and_small_bodies_are_decided(name: str) -> None:
    question, options, toc = CASES[name]
    answer = tc.first_contact(*question, method="interval", **options)
    assert answer.status is (tc.Status.FREE if toc == math.inf else tc.Status.CONTACT)
    assert answer.toc == pytest.approx(toc, abs=1e-5)
