"""The reference of the deforming benchmark: distances and first contacts of pairs, in numpy."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata_bench.deforming import reference
from toccata_bench.deforming.distance import Kind, distance

KINDS: list[Kind] = ["vertex-face", "edge-edge"]
CUT: dict[Kind, int] = {"vertex-face": 1, "edge-edge": 2}


def planted(kind: Kind, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random motions that touch at a known time, though perhaps before it too."""
    rng = np.random.default_rng(seed)
    start, end, times = (
        rng.normal(size=(count, 4, 3)),
        rng.normal(size=(count, 4, 3)),
        rng.random(count),
    )
    middle = reference.at(start, end, times)
    weights = rng.dirichlet(np.ones(3), count)
    share = rng.random((2, count, 1))
    if kind == "vertex-face":
        offset = np.einsum("nk,nkd->nd", weights, middle[:, 1:]) - middle[:, 0]
    else:
        ends = middle[:, 1] - middle[:, 0], middle[:, 3] - middle[:, 2]
        offset = middle[:, 2] + share[1] * ends[1] - middle[:, 0] - share[0] * ends[0]
    cut = CUT[kind]
    start[:, :cut] += offset[:, None]
    end[:, :cut] += offset[:, None]
    return start, end, times


@pytest.mark.parametrize("kind", KINDS)
def test_distances_agree_with_a_fine_grid(kind: Kind) -> None:
    corners = np.random.default_rng(1).normal(size=(50, 4, 3))
    u, v = (x.ravel() for x in np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201)))
    a, b, c, d = (corners[:, i, None] for i in range(4))
    u, v = u[:, None], v[:, None]
    if kind == "vertex-face":
        inside = (u + v <= 1.0).ravel()
        between = (b + u * (c - b) + v * (d - b) - a)[:, inside]
    else:
        between = a + u * (b - a) - c - v * (d - c)
    sampled = np.linalg.norm(between, axis=2).min(axis=1)
    found = distance(kind, corners)
    assert (found <= sampled + 1e-12).all() and (found >= sampled - 0.05).all()


def test_distances_of_degenerate_features() -> None:
    point, line = np.zeros(3), np.array([1.0, 0.0, 0.0])
    flat = np.array([[[0.0, 2.0, 0.0], point, point, line]])
    assert distance("vertex-face", flat)[0] == pytest.approx(2.0)
    parallel = np.array([[point, line, point + [0, 3, 0], line + [0, 3, 0]]])
    assert distance("edge-edge", parallel)[0] == pytest.approx(3.0)
    assert distance("edge-edge", np.array([[point, point, line, line]]))[0] == pytest.approx(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_finds_planted_contacts(kind: Kind) -> None:
    start, end, times = planted(kind, 2000, 7)
    found = reference.touch_times(kind, start, end)
    assert (found <= times + 1e-6).all()
    assert not reference.apart(kind, start, end).any()
    assert distance(kind, reference.at(start, end, found)).max() < 1e-8
    # Nothing is nearer before: sampled until shortly before the first contact.
    shares = np.linspace(0.0, 1.0, 40, endpoint=False)
    before = [distance(kind, reference.at(start, end, s * found)) for s in shares]
    assert np.median(np.min(before, axis=0)) > 1e-3
    assert (np.abs(found - times) < 1e-6).mean() > 0.5, "too few contacts are the planted ones"


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_agrees_with_the_elementary_tests(kind: Kind) -> None:
    rng = np.random.default_rng(3)
    start, end = rng.normal(size=(2, 3000, 4, 3))
    touches = reference.touch_times(kind, start, end)
    work = tc.elementary.vertex_face if kind == "vertex-face" else tc.elementary.edge_edge
    found = work(start, end)
    assert 0.05 < np.isfinite(touches).mean() < 0.95, "sample too one-sided"
    assert not (np.isfinite(touches) & ~found.collides).any()
    assert (found.toc <= touches + 1e-12).all()
