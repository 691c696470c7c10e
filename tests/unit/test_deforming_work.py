"""How much work a step takes, by its counters: what is proven apart is not looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata_bench.scenes import deforming


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


def step_of(name: str, label: str, triangles: int) -> deforming.Step:
    return next(step for step in deforming.scene(name, triangles).steps() if step.label == label)


@pytest.mark.parametrize("label", ["pull", "wring"])
def test_an_early_contact_ends_the_work_early(label: str) -> None:
    """Rods touch all along, a little later than at first: elements are looked at up to then."""
    step = step_of("rods", label, 1000)
    found = tc.deforming_contacts(step.v0, step.v1, step.faces, threads=1)
    assert 0 < found.toc < 1e-4
    assert found.stats.elementary_tests < 0.2 * len(step.faces)


METHODS = ("auto", "clusters", "bvh")


def told(step: tc.StepContacts) -> tuple[Any, ...]:
    pairs = step.vertex_face, step.edge_edge, step.vertex_face_toc, step.edge_edge_toc
    work = step.stats.bv_tests, step.stats.elementary_tests
    return step.status, step.toc, step.safe_until, work, *(array.tobytes() for array in pairs)


@pytest.mark.parametrize("method", METHODS)
def test_all_tests_of_a_step_share_one_budget(method: Any) -> None:
    """A hundred planes are plenty for each pair, and too few for all of them together."""
    wring = step_of("rods", "wring", 1000)

    def ask(budget: int | None) -> tc.StepContacts:
        return tc.deforming_contacts(wring.v0, wring.v1, wring.faces, method=method, budget=budget)

    full, enough = ask(None), ask(10**6)
    assert full.status is tc.Status.CONTACT and told(enough)[:3] == told(full)[:3]
    short = [ask(budget) for budget in (1, 10, 100)]
    assert short[-1].status is tc.Status.UNDECIDED
    for answer in short:
        assert answer and 0 < answer.safe_until == answer.toc <= full.toc


@pytest.mark.parametrize("which", ["first", "all"])
@pytest.mark.parametrize("method", METHODS)
def test_what_is_left_of_a_budget_does_not_depend_on_threads(method: Any, which: Any) -> None:
    """Nor on the threads of the step before, whose tree a sequence keeps."""
    wring = step_of("rods", "wring", 1000)
    before = wring.v0 - 0.5 * (wring.v1 - wring.v0)
    for budget in (1, 30, 300):
        answers = set()
        for threads in (1, 2, 5):
            model = tc.DeformingMesh(before, wring.faces)
            model.step(wring.v0, threads=threads)
            options: Any = {"budget": budget, "contacts": which, "method": method}
            answers.add(told(model.step(wring.v1, threads=threads, **options)))
        assert len(answers) == 1
