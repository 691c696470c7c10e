"""Points, normals and weights of listed pairs; steps that are checked without taking them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from oracles.deforming_meshes import deforming_mesh

import toccata as tc
from toccata import _step_result

FLOOR = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], float)
ABOVE = np.array([[1, 1, 1], [1, 2, 2], [2, 1, 2]], float)
V0 = np.concatenate([FLOOR, ABOVE])
FACES = np.array([[0, 1, 2], [3, 4, 5]])


def fallen(depth: float) -> np.ndarray:
    """Let the upper triangle fall; its lowest vertex is vertex 3."""
    return V0 - np.repeat([0.0, depth], 3)[:, None] * (0, 0, 1)


def corners(step: tc.StepContacts, faces: np.ndarray) -> np.ndarray:
    """Return the vertices of the weights of each pair."""
    a, b = step.vertex_face.T
    of_faces = np.concatenate([a[:, None], faces[b]], axis=1)
    return np.concatenate([of_faces, step.edges[step.edge_edge].reshape(-1, 4)])


def test_a_vertex_meets_a_face() -> None:
    step = tc.deforming_contacts(V0, fallen(2), FACES, separation=0.25)
    assert step.points_a == pytest.approx(np.array([[1, 1, 0.25]]), abs=1e-4)
    assert step.points_b == pytest.approx(np.array([[1, 1, 0]]), abs=1e-4)
    assert step.normals == pytest.approx(np.array([[0, 0, 1]]), abs=1e-9)
    assert step.weights == pytest.approx(np.array([[1, -0.5, -0.25, -0.25]]), abs=1e-9)
    assert np.array_equal(step.points_a[0], step.point_a)
    assert np.array_equal(step.points_b[0], step.point_b)
    assert np.array_equal(step.normals[0], step.normal)


def test_two_edges_meet() -> None:
    v0 = np.array([[-1, 0, 0], [1, 0, 0], [0.5, -1, 1], [0.5, 3, 1]], float)
    v1 = v0 - np.repeat([0.0, 2.0], 2)[:, None] * (0, 0, 1)
    step = tc.deforming_contacts(v0, v1, [], edges=[[0, 1], [2, 3]])
    assert step.weights == pytest.approx(np.array([[0.25, 0.75, -0.75, -0.25]]), abs=1e-9)
    assert step.points_a == pytest.approx(np.array([[0.5, 0, 0]]), abs=1e-4)
    assert step.normals == pytest.approx(np.array([[0, 0, -1]]), abs=1e-9)


def test_features_that_start_within_the_separation_have_a_normal() -> None:
    """A response needs it; features that touch at the start have none."""
    step = tc.deforming_contacts(V0, fallen(2), FACES, separation=1.5, contacts="all")
    assert step.status is tc.Status.INITIAL_OVERLAP and step.toc == 0
    first = step.vertex_face.tolist().index([3, 0])
    assert step.normals[first].tolist() == [0, 0, 1] and np.isfinite(step.normal).all()
    touching = tc.deforming_contacts(fallen(1), fallen(1), FACES)
    assert touching.toc == 0 and np.isnan(touching.normals).all()
    assert touching.points_a == pytest.approx(np.array([[1, 1, 0]]), abs=1e-12)
    near = tc.deforming_contacts(fallen(1 - 1e-15), fallen(1), FACES, separation=1e-3)
    assert near.toc == 0 and np.isnan(near.normals).all(), "rounding hides it"


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1.0, 1e12])
def test_lengths_of_any_size(scale: float) -> None:
    step = tc.deforming_contacts(scale * V0, scale * fallen(2), FACES, separation=0.25 * scale)
    assert step.weights == pytest.approx(np.array([[1, -0.5, -0.25, -0.25]]), abs=1e-9)
    assert step.points_b / scale == pytest.approx(np.array([[1, 1, 0]]), abs=1e-4)
    assert step.normals == pytest.approx(np.array([[0, 0, 1]]), abs=1e-9)


def test_a_free_step_has_no_rows() -> None:
    step = tc.deforming_contacts(V0, fallen(0.5), FACES, contacts="all")
    shapes = [part.shape for part in (step.points_a, step.points_b, step.normals, step.weights)]
    assert shapes == [(0, 3), (0, 3), (0, 3), (0, 4)]


@pytest.mark.parametrize("few", [0, 10**9])
def test_answers_keep_their_points(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays may be edited after the query, whether pairs are gathered at once or on demand."""
    monkeypatch.setattr(_step_result, "_FEW", few)
    mesh = deforming_mesh("folded", 3)
    wanted = tc.deforming_contacts(mesh.v0, mesh.v1, mesh.faces, contacts="all")
    v0, v1 = mesh.v0.copy(), mesh.v1.copy()
    model = tc.DeformingMesh(v0, mesh.faces)
    checked, taken = model.check(v1, contacts="all"), model.step(v1, contacts="all")
    v0[:] = v1[:] = 7
    model.advance(v1)
    for step in (checked, taken):
        assert len(step.weights) == len(step.vertex_face) + len(step.edge_edge) > 0
        for name in ("points_a", "points_b", "normals", "weights"):
            assert getattr(step, name).tobytes() == getattr(wanted, name).tobytes()
    copy = pickle.loads(pickle.dumps(checked))
    assert copy.weights.tobytes() == wanted.weights.tobytes()


# Steps that are not taken -------------------------------------------------------------------------


def test_a_check_stays_and_an_advance_moves() -> None:
    model = tc.DeformingMesh(V0, FACES)
    for depth, hits in ((2, True), (0.5, False), (2, True)):
        assert bool(model.check(fallen(depth))) is hits
        assert np.array_equal(model.vertices, V0)
    moved = fallen(0.5)
    model.advance(moved)
    moved[:] = 9
    assert np.array_equal(model.vertices, fallen(0.5))
    assert model.step(fallen(2)).toc == pytest.approx(1 / 3, abs=1e-5)


def test_a_crack_is_followed_by_checks_and_advances() -> None:
    model = tc.DeformingMesh(FLOOR, [[0, 1, 2]])
    twice, faces = np.array([0, 1, 2, 1, 2, 0]), [[0, 1, 2], [3, 4, 5]]
    model.retopologize(FLOOR[twice], faces, twice)
    closed = FLOOR[twice] + 1
    model.advance(closed)
    assert model.check(closed + 1).status is tc.Status.FREE
    assert tc.DeformingMesh(closed, faces).check(closed + 1).toc == 0


@pytest.mark.parametrize(
    ("name", "frame", "message"),
    [
        ("check", V0[:5], r"^v1: expected 6 rows, one per vertex of the mesh, got 5$"),
        ("advance", V0[:5], r"^v: expected 6 rows, one per vertex of the mesh, got 5$"),
        ("check", np.full((6, 3), np.nan), r"^v1: expected finite numbers, got nan"),
        ("advance", np.full((6, 3), np.nan), r"^v: expected finite numbers, got nan"),
        ("advance", np.zeros((6, 2)), r"^v: expected shape \(n, 3\), got \(6, 2\)$"),
    ],
)
def test_a_frame_that_cannot_be_leaves_the_model_as_it_was(
    name: str, frame: np.ndarray, message: str
) -> None:
    model = tc.DeformingMesh(V0, FACES)
    with pytest.raises(ValueError, match=message):
        getattr(model, name)(frame)
    assert np.array_equal(model.vertices, V0)
