"""Proximities against rational arithmetic over all triangle pairs of small soups."""

from fractions import Fraction

import numpy as np
import pytest
from oracles.proximities import Feature, common_middle, pairs_within
from oracles.size import SEED, cases

import toccata as tc

SAME = 1e-9
SURFACE = tc.FEATURES.index("surface")


def soup(rng, count, size):
    """Return triangles with small whole coordinates; many share vertices, planes or directions."""
    vertices = rng.integers(0, size, (count + 3, 3))
    faces = rng.integers(0, len(vertices), (count, 3))
    return vertices, faces


def triangles(vertices, faces) -> list[Feature]:
    points = [tuple(map(Fraction, map(int, v))) for v in vertices]
    return [tuple(points[i] for i in face) for face in faces]


def check(a, b, distance, pose):
    """Compare the rows of two soups at one pose with the oracle."""
    rows = tc.proximities(tc.Mesh(*a), tc.Mesh(*b), pose, pose, distance=float(distance))
    wanted = pairs_within(triangles(*a), triangles(*b), distance)
    points = np.array([[*near.point_a, *near.point_b] for _, near in wanted], dtype=float).reshape(
        -1, 6
    )
    placed = points.reshape(-1, 2, 3) @ pose[:3, :3].T + pose[:3, 3]
    moved = placed.reshape(-1, 6)
    features = rows.kind != SURFACE
    found = np.hstack([rows.point_a, rows.point_b])[features]
    apart = np.abs(found[:, None] - moved[None]).max(axis=2, initial=0.0)
    hits = apart < SAME
    assert hits.any(axis=0).all(), "missing"
    assert hits.any(axis=1).all(), "not near"
    twins = np.abs(found[:, None] - found[None]).max(axis=2, initial=0.0) < SAME
    assert twins.sum() == len(found), "listed twice"
    for row, kind in enumerate(rows.kind[features]):
        assert kind in {wanted[i][0] for i in np.flatnonzero(hits[row])}
    check_surfaces(rows, a, b, pose)
    return len(wanted)


def check_surfaces(rows, a, b, pose):
    """Check that triangles that cross have a row, or another row has the same points."""
    soup_a, soup_b = triangles(*a), triangles(*b)
    middles = [resting for s in soup_a for t in soup_b if (resting := common_middle(s, t))]
    wanted = np.array(middles, dtype=float).reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]
    touching = rows.point_a[rows.distance < SAME]
    hits = np.abs(touching[:, None] - wanted[None]).max(axis=2, initial=0.0) < SAME
    assert hits.any(axis=0).all(), "missing"
    for k in np.flatnonzero(rows.kind == SURFACE):
        assert (np.abs(wanted - rows.point_a[k]).max(axis=1) < SAME).any(), "not there"
        ends = a[0][rows.vertices_a[k]], b[0][rows.vertices_b[k]]
        assert common_middle(*(triangles(corners, [(0, 1, 2)])[0] for corners in ends))


def turned(rng):
    return tc.pose(translation=rng.normal(size=3), rotvec=rng.normal(size=3))


@pytest.mark.parametrize("offset", [(0, 0, 3), (0, 0, 1), (2, 1, 0), (0, 0, 0)])
def test_rows_agree_with_brute_force(offset):
    rng = np.random.default_rng([SEED, *offset])
    listed = 0
    for case in range(cases(12)):
        a, b = soup(rng, 3 + case % 4, 2 + case % 3), soup(rng, 3, 3)
        b = b[0] + np.array(offset), b[1]
        for pose in (np.eye(4), turned(rng)):
            listed += check(a, b, Fraction(37, 16), pose)
    assert listed > 0


def sheet(rng, rows, columns, heights):
    """Return a grid of whole numbers with random heights, each cell cut along a diagonal."""
    x, y = np.meshgrid(range(rows + 1), range(columns + 1), indexing="ij")
    vertices = np.stack([x, y, rng.integers(0, heights, x.shape)], axis=-1).reshape(-1, 3)
    cells = (x * (columns + 1) + y)[:-1, :-1].ravel()
    across = columns + 2
    lower = np.stack([cells, cells + across - 1, cells + across], axis=1)
    upper = np.stack([cells, cells + across, cells + 1], axis=1)
    return vertices, np.vstack([lower, upper])


def brick(size):
    vertices = np.array(np.meshgrid(*([0, s] for s in size), indexing="ij")).reshape(3, 8).T
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [(a, b, c) for a, b, c, _ in quads] + [(a, c, d) for a, _, c, d in quads]
    return vertices, np.array(faces)


@pytest.mark.parametrize("heights", [1, 2, 3])
def test_rows_of_conforming_sheets_agree_with_brute_force(heights):
    rng = np.random.default_rng([SEED, heights])
    listed = 0
    for _ in range(cases(4)):
        a, b = sheet(rng, 1, 2, heights), sheet(rng, 2, 1, heights)
        a = a[0] + np.array((int(rng.integers(0, 2)), 0, int(rng.integers(0, 4)))), a[1]
        for pose in (np.eye(4), turned(rng)):
            listed += check(a, b, Fraction(37, 16), pose)
    assert listed > 0


@pytest.mark.parametrize("size", [(3, 1, 2), (2, 2, 1), (1, 1, 4)])
def test_rows_of_bricks_over_sheets_agree_with_brute_force(size):
    rng = np.random.default_rng([SEED, *size])
    for _ in range(cases(2)):
        a, b = brick(size), sheet(rng, 1, 2, 2)
        a = a[0] + np.array((0, int(rng.integers(0, 2)), int(rng.integers(-1, 4)))), a[1]
        for pose in (np.eye(4), turned(rng)):
            check(a, b, Fraction(37, 16), pose)
            check(b, a, Fraction(53, 16), pose)


def slivers(rng):
    """Return a flat floor with faces that are as thin as rounding, and thicker."""

    def lines():
        base = rng.uniform(-2, 2, 5)
        return np.unique(np.concatenate([[-3], base, base + 10.0 ** rng.uniform(-13, -3, 5), [3]]))

    x, y = np.meshgrid(lines(), lines(), indexing="ij")
    numbers = np.arange(x.size).reshape(x.shape)
    a, b, c, d = (
        part.ravel()
        for part in (numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:])
    )
    faces = np.vstack([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return tc.Mesh(np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1), faces)


def test_no_corner_over_slivers_is_missed():
    rng = np.random.default_rng([SEED, 1])
    vertices, faces = brick((1, 1, 1))
    for _ in range(cases(60)):
        height, ground = 10.0 ** rng.uniform(-9, 1), turned(rng)
        ground[:3, 3] *= 10.0 ** rng.uniform(-2, 3)
        x, y = rng.uniform(-0.5, 0.5, 2)
        resting = ground @ tc.pose((x, y, height), rotvec=(0, 0, rng.uniform(0, 7)))
        cube = tc.Mesh(vertices, faces)
        rows = tc.proximities(cube, slivers(rng), resting, ground, distance=1.01 * height)
        corners = vertices[vertices[:, 2] == 0] @ resting[:3, :3].T + resting[:3, 3]
        apart = np.abs(rows.point_a[:, None] - corners[None]).max(axis=2, initial=0.0)
        assert (apart.min(axis=0) < 1e-12 * (10 + np.abs(corners).max())).all()
