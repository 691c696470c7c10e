"""A mesh whose topology changes between steps, against a fresh one and against brute force."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.brute_force import Ids, Step
from oracles.deforming_meshes import deforming_mesh, sheet
from oracles.linear_features import KINDS
from oracles.size import cases
from oracles.topology_edits import Edit, Mesh, edited, fresh, opened

import toccata as tc
from toccata._deforming import StepMethod

from .asking import naming
from .stepping import METHODS, Truth, assert_all_contacts, bits, listed, solved

Times = tuple[list[Mesh], list[Edit], list[Truth]]


@cache
def history(seed: int) -> Times:
    """Draw a mesh, three changes with a step after each, and the exact contacts of these steps."""
    rng = np.random.default_rng((5, seed))
    base = deforming_mesh(("folded", "tube", "spiral", "two_balls")[seed % 4], seed)
    mesh = fresh(base.v0, base.faces)
    meshes, edits, truths = [mesh], [], []
    for _ in range(3):
        edit = edited(rng, mesh)
        size = np.ptp(base.v0, axis=0).max()
        end = opened(rng, edit.mesh, float(rng.choice([0.0, 0.1])))
        end = end + rng.normal(size=end.shape) * size * rng.choice([0.0, 0.01, 0.03])
        step = Step(edit.mesh.vertices, end, edit.mesh.faces)
        truths.append(solved(step, edit.mesh.identity))
        edits.append(edit)
        mesh = Mesh(end, edit.mesh.faces, edit.mesh.roots)
        meshes.append(mesh)
    return meshes, edits, truths


SEEDS = range(cases(12))


def test_samples_contain_contacts_and_free_steps() -> None:
    truths = [truth for seed in SEEDS for truth in history(seed)[2]]
    assert 0.1 < np.mean([truth.count > 0 for truth in truths]) < 0.9
    shared = [len(np.unique(edit.mesh.identity)) for s in SEEDS for edit in history(s)[1]]
    whole = [len(edit.mesh.vertices) for s in SEEDS for edit in history(s)[1]]
    split = [a < b for a, b in zip(shared, whole, strict=True)]
    assert np.mean(split) > 0.8, "hardly a vertex was split"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", SEEDS)
def test_contacts_after_edits_agree_with_brute_force(seed: int, method: StepMethod) -> None:
    meshes, edits, truths = history(seed)
    model = tc.DeformingMesh(meshes[0].vertices, meshes[0].faces)
    for k, (edit, truth) in enumerate(zip(edits, truths, strict=True)):
        model.retopologize(edit.mesh.vertices, edit.mesh.faces, edit.origin)
        assert np.array_equal(model.vertices, edit.mesh.vertices)
        assert np.array_equal(model.faces, edit.mesh.faces)
        answer = model.step(truth.step.v1, method=method, contacts="all")
        with naming(f"edit {k}"):
            assert_all_contacts(answer, truth)
        assert np.array_equal(model.vertices, truth.step.v1)


@pytest.mark.parametrize("method", METHODS)
def test_a_fresh_model_agrees_except_at_shared_vertices(method: StepMethod) -> None:
    left_out = 0
    for seed in SEEDS:
        meshes, edits, truths = history(seed)
        model = tc.DeformingMesh(meshes[0].vertices, meshes[0].faces)
        for edit, truth in zip(edits, truths, strict=True):
            step = truth.step
            model.retopologize(step.v0, step.faces, edit.origin)
            ours = model.step(step.v1, method=method, contacts="all")
            other = tc.deforming_contacts(
                step.v0, step.v1, step.faces, method=method, contacts="all"
            )
            for kind in KINDS:
                sides = []
                for answer in (ours, other):
                    rows, times = listed(answer, kind)
                    kept = _kept(step, kind, rows, edit.mesh.identity)
                    left_out += int((~kept).sum())
                    sides.append((rows[kept], times[kept]))
                for mine, theirs in zip(*sides, strict=True):
                    assert np.array_equal(mine, theirs)
    assert left_out > 0


def _kept(step: Step, kind: str, rows: Ids, identity: Ids) -> Ids:
    corners = identity[step.corners(kind, np.asarray(rows, dtype=np.int64))]  # type: ignore[arg-type]
    cut = 1 if kind == "vertex-face" else 2
    return ~(corners[:, :cut, None] == corners[:, None, cut:]).any(axis=(1, 2))  # type: ignore[no-any-return]


@pytest.mark.parametrize("method", METHODS)
def test_setting_the_same_mesh_changes_no_answer(method: StepMethod) -> None:
    for seed in SEEDS[:4]:
        step = history(seed)[2][0].step
        model = tc.DeformingMesh(step.v0, step.faces)
        model.retopologize(step.v0, step.faces, np.arange(len(step.v0)))
        again = model.step(step.v1, method=method, contacts="all")
        plain = tc.deforming_contacts(step.v0, step.v1, step.faces, method=method, contacts="all")
        assert bits(again) == bits(plain)


# --- one crack, step by step ------------------------------------------------------------------


def strip(seed: int = 0) -> tuple[Mesh, Edit]:
    """Return a wavy strip, and the strip cut across with separate vertices on both sides."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(7.0), np.arange(4.0))
    vertices = np.stack([x.ravel(), y.ravel(), np.sin(x.ravel())], axis=1)
    vertices += rng.normal(size=vertices.shape) * 0.05
    whole = fresh(vertices, sheet(4, 7))
    left = vertices[whole.faces].mean(axis=1)[:, 0] < 3
    rim = np.intersect1d(whole.faces[left], whole.faces[~left])
    copy = np.arange(len(vertices))
    copy[rim] = len(vertices) + np.arange(len(rim))
    faces = np.where(left[:, None], copy[whole.faces], whole.faces)
    origin = np.concatenate([np.arange(len(vertices)), rim])
    return whole, Edit(Mesh(vertices[origin], faces, origin), origin)


def shifted(mesh: Mesh, amount: float) -> np.ndarray:
    """Move the left part along x."""
    left = np.unique(mesh.faces[mesh.vertices[mesh.faces].mean(axis=1)[:, 0] < 3])
    moved = mesh.vertices.copy()
    moved[left, 0] += amount
    return moved


@pytest.mark.parametrize("method", METHODS)
def test_a_crack_that_opens_is_free_and_crossing_it_is_a_contact(method: StepMethod) -> None:
    whole, edit = strip()
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    assert model.step(whole.vertices, method=method).status is tc.Status.FREE
    model.retopologize(edit.mesh.vertices, edit.mesh.faces, edit.origin)
    still = model.step(edit.mesh.vertices, method=method, contacts="all")
    assert still.status is tc.Status.FREE, "a crack that stays closed is no contact"
    apart = shifted(edit.mesh, -0.5)
    opening = model.step(apart, method=method, contacts="all")
    assert opening.status is tc.Status.FREE and len(opening.vertex_face) == 0
    assert model.step(apart, method=method).status is tc.Status.FREE
    closing = model.step(edit.mesh.vertices, method=method)
    assert closing.status is tc.Status.CONTACT, "sides that were apart may touch again"
    assert 0.9 < closing.toc <= 1
    assert model.step(apart, method=method).status is tc.Status.FREE, "closed, and opens again"
    through = model.step(shifted(edit.mesh, 1.5), method=method)
    assert through.status is tc.Status.CONTACT and 0.2 < through.toc <= 0.25


@pytest.mark.parametrize("method", METHODS)
def test_the_same_crack_without_an_origin_is_a_contact(method: StepMethod) -> None:
    whole, edit = strip()
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    unknown = np.where(np.arange(len(edit.origin)) < len(whole.vertices), edit.origin, -1)
    model.retopologize(edit.mesh.vertices, edit.mesh.faces, unknown)
    answer = model.step(shifted(edit.mesh, -0.5), method=method, contacts="all")
    assert answer.status is tc.Status.INITIAL_OVERLAP and len(answer.vertex_face) > 0


@pytest.mark.parametrize("method", METHODS)
def test_a_crack_hides_no_other_contact(method: StepMethod) -> None:
    """One side of the crack folds over onto the strip."""
    whole, edit = strip()
    end = edit.mesh.vertices.copy()
    left = np.unique(edit.mesh.faces[edit.mesh.vertices[edit.mesh.faces].mean(axis=1)[:, 0] < 3])
    end[left, 0] = 6 - 0.8 * end[left, 0]
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    model.retopologize(edit.mesh.vertices, edit.mesh.faces, edit.origin)
    step = Step(edit.mesh.vertices, end, edit.mesh.faces)
    truth = solved(step, edit.mesh.identity)
    assert truth.count > 20
    assert_all_contacts(model.step(end, method=method, contacts="all"), truth)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("names", [(0, 1), (5, 7), (2, 1), (-3, 0)])
def test_groups_follow_vertices_through_edits(method: StepMethod, names: tuple[int, int]) -> None:
    whole, edit = strip()
    g, h = names
    groups = np.where(whole.vertices[:, 0] > 2.5, h, g)
    through = shifted(edit.mesh, 1.5)
    for ignored, status in (([names], tc.Status.FREE), ([], tc.Status.CONTACT)):
        model = tc.DeformingMesh(
            whole.vertices, whole.faces, groups=groups, ignored_groups=[*ignored, (g, g), (h, h)]
        )
        model.retopologize(edit.mesh.vertices, edit.mesh.faces, edit.origin)
        model.step(shifted(edit.mesh, -0.5), method=method)
        assert model.step(through, method=method).status is status


def test_a_bad_origin_is_refused() -> None:
    whole, edit = strip()
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    wrong = edit.origin.copy()
    wrong[3] = len(whole.vertices)
    for origin in (edit.origin[:-1], wrong, np.full(len(wrong), -2)):
        with pytest.raises(ValueError, match="origin"):
            model.retopologize(edit.mesh.vertices, edit.mesh.faces, origin)
    with pytest.raises(ValueError, match="faces"):
        model.retopologize(edit.mesh.vertices, edit.mesh.faces + 1000, edit.origin)


def test_a_frame_of_another_size_is_refused() -> None:
    whole, edit = strip()
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    with pytest.raises(ValueError, match="v1"):
        model.step(edit.mesh.vertices)


def test_a_refused_change_leaves_the_model_as_it_was() -> None:
    whole, edit = strip()
    model = tc.DeformingMesh(whole.vertices, whole.faces)
    for arguments in (
        (edit.mesh.vertices, edit.mesh.faces + 1000, edit.origin),
        (edit.mesh.vertices, edit.mesh.faces, edit.origin[:-1]),
        (np.full((2, 3), np.nan), edit.mesh.faces, [0, 1]),
    ):
        with pytest.raises(ValueError, match=r"faces|origin|vertices"):
            model.retopologize(*arguments)
        assert model.vertices.shape == whole.vertices.shape
        assert model.step(whole.vertices).status is tc.Status.FREE


def test_an_empty_model_may_ignore_groups() -> None:
    """A model may start empty and still ignore groups."""
    whole, _ = strip()
    model = tc.DeformingMesh(np.empty((0, 3)), [], groups=[], ignored_groups=[(0, 0)])
    model.retopologize(whole.vertices, whole.faces, np.full(len(whole.vertices), -1))
    flat = whole.vertices * (1.0, 1.0, 0.0) + (0.0, 0.0, 1.0)
    assert model.step(flat[::-1]).status is tc.Status.FREE


def test_the_memory_of_a_model_does_not_grow_with_edits():
    # The mesh is replaced many times: ids that only grow would overflow and use memory.
    rng = np.random.default_rng(5)
    model = tc.DeformingMesh(rng.normal(size=(40, 3)), [(0, 1, 2)])
    for _ in range(60):
        model.retopologize(rng.normal(size=(40, 3)), [(0, 1, 2)], rng.integers(-1, 40, 40))
        assert model._origin.max() < 40
    model._origin = np.full(40, 2**31 - 20, dtype=np.int32)  # as after two billion vertices
    for _ in range(3):
        model.retopologize(rng.normal(size=(40, 3)), [(0, 1, 2)], np.full(40, -1))
    assert sorted(model._origin) == list(range(40))
