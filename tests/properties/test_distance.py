"""Distances: certified bounds against rational arithmetic, and against coal on larger models."""

from fractions import Fraction

import numpy as np
import pytest
from oracles.proximities import common_middle, least_distance2
from oracles.size import SEED, cases

import toccata as tc
from toccata.scenes.models import BENCHMARK_PAIRS
from toccata.scenes.trials import trials

from .test_proximities import soup, triangles, turned


def exact_distance2(a, b):
    """Return the squared distance of two soups, and whether triangles pass through each other."""
    pairs = [(s, t) for s in triangles(*a) for t in triangles(*b)]
    least = min(least_distance2(s, t) for s, t in pairs)
    return least, any(common_middle(s, t) for s, t in pairs)


def check_bounds(d, distance2, through):
    assert 0 <= d.lower <= d.upper
    assert Fraction(d.lower) ** 2 <= distance2 <= Fraction(d.upper) ** 2
    if through:
        assert (d.lower, d.upper, d.distance) == (0, 0, 0)
    if distance2 > 0:
        assert np.linalg.norm(d.normal) == pytest.approx(1.0)
        along = (d.point_a - d.point_b) @ d.normal
        assert along == pytest.approx(d.distance, rel=1e-9)
    else:
        assert np.isnan(d.normal).all()


@pytest.mark.parametrize("shift", [0, 1, 3, 40])
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_bounds_contain_the_exact_distance(shift, far):
    rng = np.random.default_rng([SEED, shift])
    for case in range(cases(8)):
        a, b = soup(rng, 3 + case % 5, 4), soup(rng, 4, 3)
        b = b[0] + (0, 0, shift), b[1]
        exact = exact_distance2(a, b)
        for pose in (np.eye(4), turned(rng)):
            pose[:3, 3] += far
            d = tc.distance(tc.Mesh(*a), tc.Mesh(*b), pose, pose)
            check_bounds(d, *exact)
            size = 1e-13 * (10 + shift) + 1e-14 * far
            assert d.upper - d.lower < 100 * size


@pytest.mark.parametrize("name", BENCHMARK_PAIRS)
def test_distances_agree_with_coal(name):
    coal = pytest.importorskip("coal")
    drawn = trials(name, count=cases(8), seed=11)
    meshes = tc.Mesh(*drawn.a), tc.Mesh(*drawn.b)
    found = tc.distance_batch(*meshes, drawn.start)
    models = [model_of(coal, mesh) for mesh in meshes]
    for k, pose in enumerate(drawn.start):
        transform = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.enable_signed_distance = False
        rest = coal.Transform3s.Identity()
        measured = coal.distance(models[0], transform, models[1], rest, request, result)
        assert found.lower[k] - 1e-9 <= max(measured, 0.0) <= found.upper[k] + 1e-9


def model_of(coal, mesh):
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addVertices(np.ascontiguousarray(mesh.vertices))
    model.addTriangles(np.ascontiguousarray(mesh.faces, dtype=np.int64))
    model.endModel()
    return model
