"""How much work a step takes, by its counters: what is proven apart is not looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import deforming


def sheet(size: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return a wavy square sheet with edges of about 1."""
    x, y = np.meshgrid(np.arange(size + 1.0), np.arange(size + 1.0))
    vertices = np.stack([x, y, np.sin(0.4 * x) * np.cos(0.3 * y)], axis=-1).reshape(-1, 3)
    ids = np.arange(len(vertices)).reshape(size + 1, size + 1)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[:-1, 1:], ids[1:, 1:], ids[1:, :-1]))
    return vertices, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def work(method: Any, separation: float) -> Any:
    v0, faces = sheet(40)
    step = tc.deforming_contacts(
        v0, v0 + 0.2 * np.sin(v0[:, ::-1]), faces, method=method, separation=separation, threads=1
    )
    assert not step
    return step.stats


@pytest.mark.parametrize("separation", [0.0, 0.05, 0.3])
def test_cloth_with_a_thickness_gains_from_clusters_too(separation: float) -> None:
    plain, clusters, auto = (work(method, separation) for method in ("bvh", "clusters", "auto"))
    assert clusters.bv_tests < 0.2 * plain.bv_tests
    assert auto.bv_tests == clusters.bv_tests


def loose_triangles() -> tuple[Any, Any, Any]:
    """Return both frames and the faces of 500 triangles that hang together nowhere."""
    random = np.random.default_rng(3)
    corners = random.uniform(-1, 1, (500, 1, 3)) + 0.05 * random.normal(size=(500, 3, 3))
    v0, faces = corners.reshape(-1, 3), np.arange(1500).reshape(-1, 3)
    return v0, v0 + 0.1 * random.normal(size=(500, 3)).repeat(3, axis=0), faces


def test_auto_is_the_default() -> None:
    v0, v1, faces = loose_triangles()
    steps = tc.deforming_contacts(v0, v1, faces), tc.DeformingMesh(v0, faces).step(v1)
    assert [step.stats.leaf_clusters for step in steps] == [0, 0], "as the next test says"


def test_auto_makes_no_clusters_of_what_hangs_together_nowhere() -> None:
    v0, v1, faces = loose_triangles()
    auto, clusters = (
        tc.deforming_contacts(v0, v1, faces, method=method, contacts="all")
        for method in ("auto", "clusters")
    )
    assert auto.stats.leaf_clusters == 0 < clusters.stats.leaf_clusters
    assert np.array_equal(auto.edge_edge, clusters.edge_edge) and len(auto.edge_edge)


def test_an_early_contact_ends_the_work_early() -> None:
    """Rods touch all along, a little later than at first: elements are looked at up to then."""
    pull = next(step for step in deforming.scene("rods", 1000).steps() if step.label == "pull")
    found = tc.deforming_contacts(pull.v0, pull.v1, pull.faces, threads=1)
    assert 0 < found.toc < 1e-4
    assert found.stats.elementary_tests < len(pull.faces)
