"""Sequences of frames across changes of topology, against brute force and `DeformingMesh`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from oracles.brute_force import Array, Ids, Step
from oracles.deforming_meshes import deforming_mesh
from oracles.size import cases
from oracles.topology_edits import Mesh, edited, fresh, moved, remeshed

import toccata as tc

from .asking import naming
from .stepping import Truth, assert_all_contacts, assert_summary, bits, solved

SEEDS = range(cases(12))
NAMES = ("folded", "tube", "two_balls", "fan", "lattice", "spiral")
# Steps in order: H hardly moves, M moves on; E is an edit before a step, R a new triangulation.
PLOT = ("H", "RH", "M", "EM", "H", "RM", "RH")


@dataclass(frozen=True)
class Scene:
    """A frame, the step that leads to it, and the roots of its vertices."""

    frame: tc.Frame
    truth: Truth
    roots: Ids


@cache
def history(seed: int) -> tuple[tc.Frame, list[Scene]]:
    """Draw a first frame and the steps after it; vertices appear with and without a start."""
    rng = np.random.default_rng((21, seed))
    base = deforming_mesh(NAMES[seed % len(NAMES)], seed)
    mesh, size = fresh(base.v0, base.faces), float(np.ptp(base.v0, axis=0).max())
    first, scenes = tc.Frame(mesh.vertices, mesh.faces), []
    for act in PLOT:
        origin = None
        if act[0] in "ER":
            edit = edited(rng, mesh) if act[0] == "E" else remeshed(rng, mesh, grows=True)
            mesh, origin = edit.mesh, edit.origin
        end = moved(rng, mesh, size * (0.03 if "M" in act else 1e-4))
        start = None
        if origin is not None and rng.random() < 0.5:
            start = mesh.vertices
        elif origin is not None:
            mesh = at_rest(mesh, origin, end)
        truth = solved(Step(mesh.vertices, end, mesh.faces), mesh.identity)
        scenes.append(Scene(tc.Frame(end, mesh.faces, origin, start), truth, mesh.roots))
        mesh = Mesh(end, mesh.faces, mesh.roots)
    return first, scenes


def at_rest(mesh: Mesh, origin: Ids, end: Array) -> Mesh:
    """Return the mesh at the start of a step in which vertices without an origin stand still."""
    return replace(mesh, vertices=np.where(origin[:, None] < 0, end, mesh.vertices))


def test_samples_contain_contacts_and_all_kinds_of_changes() -> None:
    scenes = [scene for seed in SEEDS for scene in history(seed)[1]]
    assert 0.2 < np.mean([s.truth.count > 0 for s in scenes]) < 0.8
    changes = [s for s in scenes if s.frame.origin is not None]
    assert 0.4 < len(changes) / len(scenes) < 0.7
    assert 0.2 < np.mean([s.frame.start is None for s in changes]) < 0.8
    assert np.mean([(np.asarray(s.frame.origin) < 0).any() for s in changes]) > 0.6
    assert np.mean([len(np.unique(s.roots)) < len(s.roots) for s in scenes]) > 0.3


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_across_changes_agree_with_brute_force(seed: int) -> None:
    first, scenes = history(seed)
    frames = [first, *(scene.frame for scene in scenes)]
    every = [step for _, step in tc.sequence_contacts(frames, contacts="all", threads=2)]
    firsts = [step for _, step in tc.sequence_contacts(frames, method="bvh")]
    for k, scene in enumerate(scenes):
        with naming(f"{seed}, step {k}"):
            assert_all_contacts(every[k], scene.truth)
            assert_summary(firsts[k], scene.truth)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sequence_is_a_model_that_changes(seed: int) -> None:
    first, scenes = history(seed)
    frames = [first, *(scene.frame for scene in scenes)]
    model = tc.DeformingMesh(first.vertices, first.faces)
    for scene, (_, step) in zip(scenes, tc.sequence_contacts(frames), strict=True):
        if scene.frame.origin is not None:
            parts = scene.truth.step.v0, scene.frame.faces, scene.frame.origin
            model.retopologize(*parts)
        assert step is not None and bits(step) == bits(model.step(scene.frame.vertices))


# Origins by equal positions ---------------------------------------------------------------------


@cache
def stills(seed: int) -> tuple[list[tc.Frame], list[Scene], list[bool]]:
    """Draw frames without origins, in which the mesh changes while nothing moves.

    Also return for each step whether old vertices of several roots were at one position before the
    last change of topology.
    """
    rng = np.random.default_rng((22, seed))
    is_grid = seed % 2 == 1
    base = grid(rng) if is_grid else deforming_mesh(("tube", "folded")[seed % 4 > 0], seed)
    mesh, size = fresh(base.v0, base.faces), float(np.ptp(base.v0, axis=0).max())
    frames, scenes, unclear = [tc.Frame(mesh.vertices, mesh.faces)], [], [False]
    for act in "SMSHSMSH":
        if act == "S":
            shared = unclear[-1] or touching(mesh)
            mesh = remeshed(rng, mesh, grows=False).mesh
            end = mesh.vertices
        else:
            shared = unclear[-1]
            end = moved(rng, mesh, size * (0.03 if act == "M" else 0.0))
        if is_grid and act == "M":
            end = mesh.vertices + rng.integers(-1, 2, size=end.shape)
        unclear.append(shared)
        frames.append(tc.Frame(end, mesh.faces))
        truth = solved(Step(mesh.vertices, end, mesh.faces), mesh.identity)
        scenes.append(Scene(frames[-1], truth, mesh.roots))
        mesh = Mesh(end, mesh.faces, mesh.roots)
    return frames, scenes, unclear[1:]


def grid(rng: np.random.Generator) -> Step:
    """Return triangles over a small grid; some of their vertices are at one position."""
    points = rng.integers(-2, 3, size=(12, 3)).astype(float)
    points[rng.integers(12)] = points[rng.integers(12)]
    faces = np.array([rng.choice(12, size=3, replace=False) for _ in range(12)])
    return Step(points, points, faces)


def touching(mesh: Mesh) -> bool:
    """Return whether vertices of different roots are at one position."""
    positions = np.unique(mesh.vertices, axis=0)
    return len(positions) < len(np.unique(mesh.identity))


def test_samples_contain_unclear_and_clear_positions() -> None:
    unclear = [one for seed in SEEDS for one in stills(seed)[2]]
    assert 0.05 < np.mean(unclear) < 0.6
    counts = [scene.truth.count > 0 for seed in SEEDS for scene in stills(seed)[1]]
    assert 0.2 < np.mean(counts) < 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_origins_by_positions_miss_nothing(seed: int) -> None:
    """The contacts are those of the true origins, and others where positions are unclear."""
    frames, scenes, unclear = stills(seed)
    changes: list[tc.TopologyChange] = []
    steps = tc.sequence_contacts(frames, find_origins=True, changes=changes.append, contacts="all")
    for k, ((_, step), scene) in enumerate(zip(steps, scenes, strict=True)):
        with naming(f"{seed}, step {k}"):
            assert step is not None
            if not unclear[k]:
                assert_all_contacts(step, scene.truth)
            for kind, pairs in scene.truth.contacts.items():
                listed = step.vertex_face if kind == "vertex-face" else step.edge_edge
                assert pairs.keys() <= {(int(a), int(b)) for a, b in listed}
    assert {change.known_by for change in changes} == {"positions"}
    assert [change.frame for change in changes if change.new == 0] or any(unclear)
