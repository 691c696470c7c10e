"""Leaf and intermediate clusters of the faces of a step."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata_bench.scenes import deforming


@pytest.fixture(scope="module")
def steps() -> list[deforming.Step]:
    return list(deforming.scene("airbag", 3000).steps())


def check_counts(answer: tc.StepContacts, faces: int) -> None:
    clusters, stats = answer.clusters, answer.stats
    assert clusters is not None
    for ids, count in (
        (clusters.patch, stats.leaf_clusters),
        (clusters.cluster, stats.intermediate_clusters),
    ):
        assert ids.shape == (faces,) and ids.dtype == np.int32
        assert np.array_equal(np.unique(ids), np.arange(count))
    both = np.unique(np.stack([clusters.patch, clusters.cluster]), axis=1)
    assert both.shape[1] == stats.leaf_clusters, "each leaf is in one intermediate cluster"
    assert stats.intermediate_clusters < stats.leaf_clusters < faces / 4
    assert stats.triangles_per_cluster == faces / stats.intermediate_clusters


@pytest.mark.parametrize("method", ["clusters", "auto"])
def test_each_face_has_a_leaf_and_an_intermediate_cluster(steps: Any, method: Any) -> None:
    for step in steps:
        answer = tc.deforming_contacts(step.v0, step.v1, step.faces, method=method)
        check_counts(answer, len(step.faces))


def test_a_sequence_follows_faces_that_move_to_other_clusters(steps: Any) -> None:
    model = tc.DeformingMesh(steps[0].v0, steps[0].faces)
    answers = [model.step(step.v1) for step in steps]
    for answer in answers:
        check_counts(answer, len(steps[0].faces))


def test_an_answer_keeps_its_clusters_when_the_sequence_goes_on(steps: Any) -> None:
    model, other = (tc.DeformingMesh(steps[0].v0, steps[0].faces) for _ in range(2))
    first, same = model.step(steps[0].v1), other.step(steps[0].v1)
    read = same.clusters
    for step in steps[1:]:
        model.step(step.v1)
    assert read is not None and first.clusters is not None
    assert np.array_equal(first.clusters.patch, read.patch)
    assert np.array_equal(first.clusters.cluster, read.cluster)
    copied = pickle.loads(pickle.dumps(first)).clusters
    assert copied is not None and np.array_equal(copied.cluster, read.cluster)


def test_leaf_clusters_are_connected(steps: Any) -> None:
    trimesh = pytest.importorskip("trimesh")
    step = steps[-1]
    answer = tc.deforming_contacts(step.v0, step.v1, step.faces, method="clusters")
    assert answer.clusters is not None
    adjacent = trimesh.Trimesh(step.v0, step.faces, process=False).face_adjacency
    for ids in (answer.clusters.patch, answer.clusters.cluster):
        inside = adjacent[ids[adjacent[:, 0]] == ids[adjacent[:, 1]]]
        parts = trimesh.graph.connected_components(inside, nodes=np.arange(len(ids)))
        assert len(parts) == ids.max() + 1


def test_the_plain_hierarchy_has_no_clusters(steps: Any) -> None:
    step = steps[0]
    answer = tc.deforming_contacts(step.v0, step.v1, step.faces, method="bvh")
    assert answer.clusters is None
    assert answer.stats.leaf_clusters == answer.stats.intermediate_clusters == 0


def test_loose_edges_are_in_no_cluster() -> None:
    v0 = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (3, 0, 0), (3, 1, 0)], float)
    answer = tc.deforming_contacts(v0, v0, [(0, 1, 2)], edges=[(3, 4)], method="clusters")
    assert answer.clusters is not None
    assert answer.clusters.patch.tolist() == answer.clusters.cluster.tolist() == [0]


def test_faces_that_are_turned_over_cost_no_clusters(steps: Any) -> None:
    """Adjacent faces are oriented consistently before clusters are made."""
    step = steps[-1]
    some = np.random.default_rng(5).random(len(step.faces)) < 0.01
    flipped = np.where(some[:, None], step.faces[:, [0, 2, 1]], step.faces)
    answers = [
        tc.deforming_contacts(step.v0, step.v1, faces, method="clusters", contacts="all")
        for faces in (step.faces, flipped)
    ]
    assert answers[0].stats.intermediate_clusters == answers[1].stats.intermediate_clusters
    assert np.array_equal(answers[0].vertex_face, answers[1].vertex_face)
    assert np.array_equal(answers[0].edge_edge, answers[1].edge_edge)


@pytest.mark.parametrize("separation", [0.0, 1e-3])
def test_balls_and_fragments_are_single_clusters(separation: float) -> None:
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=4)
    piece = trimesh.creation.icosahedron()
    places = np.stack(np.meshgrid(*[np.arange(6.0)] * 3), axis=-1).reshape(-1, 1, 3)
    pieces = (0.3 * piece.vertices + places).reshape(-1, 3)
    faces = piece.faces + 12 * np.arange(len(places)).reshape(-1, 1, 1)
    for vertices, of_model, count in (
        (ball.vertices, ball.faces, 1),
        (ball.vertices, ball.faces[:, ::-1], 1),
        (pieces, faces.reshape(-1, 3), len(places)),
    ):
        end = 1.1 * vertices + 0.02 * np.sin(3 * vertices[:, ::-1])
        answer = tc.deforming_contacts(
            vertices, end, of_model, method="clusters", separation=separation
        )
        assert not answer and answer.stats.intermediate_clusters == count
