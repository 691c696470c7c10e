"""method="interval" on flat, thin and small bodies: closed forms, within a small budget."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.models import club, unit
from toccata.scenes.primitives import box

HERE = np.eye(4)


def ask(*bodies_and_motions: Any, budget: int = 20_000, **options: Any) -> tc.Contact:
    """Ask, with a fiftieth of the default budget."""
    return tc.first_contact(*bodies_and_motions, method="interval", budget=budget, **options)


def sheet(n: int) -> tc.Mesh:
    """Return a square of 2 n^2 triangles."""
    line = np.linspace(-1.0, 1.0, n + 1)
    corner = np.array([i * (n + 1) + j for i in range(n) for j in range(n)])
    lower = np.stack([corner, corner + 1, corner + n + 2], axis=1)
    upper = np.stack([corner, corner + n + 2, corner + n + 1], axis=1)
    return tc.Mesh([(x, y, 0.0) for x in line for y in line], np.vstack([lower, upper]))


@pytest.mark.parametrize("n", [1, 2, 20])
def test_a_sheet_falls_on_a_sheet_and_turns(n: int) -> None:
    motion = tc.Motion.twist(tc.pose((0.1, 0.2, 2.0)), (0, 0, -3), (0, 0, 2))
    c = ask(sheet(n), sheet(n), motion, tolerance=1e-6)
    assert c.status == tc.Status.CONTACT
    assert 2 / 3 - 1e-6 <= c.toc <= 2 / 3


@pytest.mark.parametrize("angle", [6.2, 2 * pi, 50.0])
def test_a_point_runs_around_beside_a_wall(angle: float) -> None:
    point = tc.Mesh([(0, -1, 0)], [(0, 0, 0)])
    wall = tc.Mesh([(1.1, -5, -5), (1.1, 5, -5), (1.1, 0, 5)], [(0, 1, 2)])
    motion = tc.Motion.twist(HERE, (0, 0, 0), (0, 0, angle))
    assert ask(point, wall, motion, tolerance=1e-6).toc == inf


def test_two_triangles_pass() -> None:
    a = tc.Mesh([(2, -3, 0), (3, -3, 0), (0, 2, 0)], [(0, 1, 2)])
    b = tc.Mesh([(-1, 0, 0), (-3, 3, 0), (-2, 2, 0)], [(0, 1, 2)])
    up = tc.Motion.linear(tc.pose((-2, 1, -2)), tc.pose((-2, 1, 8)))
    assert ask(a, b, up, tc.Motion.linear(HERE, tc.pose((0, 0, 5))), tolerance=1e-6).toc == inf


def test_a_box_slides_at_the_separation() -> None:
    cube = tc.Mesh(*box((2, 2, 2)))
    path = tc.Motion.linear(tc.pose((-4, 0, 2.25)), tc.pose((4, 0, 2.25)))
    c = ask(cube, cube, path, separation=0.25)
    assert c.status == tc.Status.CONTACT
    assert 0.2498 < c.toc <= 0.25


def test_a_box_slides_just_above_the_separation() -> None:
    cube = tc.Mesh(*box((2, 2, 2)))
    path = tc.Motion.linear(tc.pose((-4, 0, 2.25002)), tc.pose((4, 0, 2.25002)))
    assert ask(cube, cube, path, separation=0.25, tolerance=1e-5).toc == inf


def test_needles_cross_on_a_long_path() -> None:
    needle = tc.Mesh([(-1, 0, 0), (1, 0, 0), (0, 0, 1e-9)], [(0, 1, 2)])
    path = tc.Motion.linear(tc.pose((0.3, 0.4, 1e5)), tc.pose((0.5, 0.3, -6e4)))
    c = ask(needle, needle, path, tc.pose(rotvec=(0, 0, pi / 2)))
    assert c.status == tc.Status.CONTACT
    assert c.toc == pytest.approx(0.625, abs=1e-9)


def test_many_points_in_one_place_fall_on_a_box() -> None:
    points = tc.Mesh([(0, 0, 0)], np.zeros((5000, 3), dtype=int))
    small, path = (
        tc.Mesh(*box((0.2, 0.2, 0.2))),
        tc.Motion.linear(*map(tc.pose, [(0, 0, 1), (0, 0, -1)])),
    )
    c = ask(points, small, path)
    assert c.status == tc.Status.CONTACT
    assert c.toc == pytest.approx(0.45, abs=1e-6)


def test_a_long_body_spins_beside_small_triangles() -> None:
    """Its center stays where it is, its ends pass fast, never nearer than 0.05."""
    rod = tc.Mesh([(-1, 0, 0), (1, 0, 0), (0, 1e-3, 0)], [(0, 1, 2)])
    spin = tc.Motion.twist(tc.pose((2.05, 0, 0)), (0, 0, 0), (0.3, 45, 2))
    assert ask(rod, tc.Mesh(*unit(*club())), spin).toc == inf
