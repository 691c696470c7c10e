"""Sequences of a model with cuts between steps, against brute force and fresh models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from oracles import shared_data
from oracles.brute_force import Ids, Step
from oracles.deforming_meshes import deforming_mesh
from oracles.size import cases
from oracles.topology_edits import Edit, Mesh, edited, fresh, moved, rooted

import toccata as tc
from toccata_bench.scenes import deforming

from .asking import naming
from .following import (
    assert_certified,
    assert_like_fresh,
    assert_same_contacts,
    assert_same_first,
    fresh_answer,
)
from .stepping import Truth, assert_all_contacts, assert_summary, solved

SEEDS = range(cases(8))
# Steps in order: H hardly moves, M moves on, B returns to the start of the last step, so that open
# cracks close; E is an edit before a step.
PLOT = ("H", "H", "EM", "B", "H", "M", "EH", "M", "B", "H")


@dataclass(frozen=True)
class Scene:
    """A step, the edit before it or None, and the original vertex of each vertex."""

    truth: Truth
    edit: Edit | None
    roots: Ids


@cache
def history(seed: int) -> list[Scene]:
    """Draw a mesh that creeps, is cut, creeps on and finally touches itself."""
    rng = np.random.default_rng((9, seed))
    base = deforming_mesh(("folded", "tube", "spiral", "fan", "two_balls")[seed % 5], seed)
    mesh, size = fresh(base.v0, base.faces), float(np.ptp(base.v0, axis=0).max())
    scenes: list[Scene] = []
    for act in PLOT[: 6 + seed % 5]:
        edit = edited(rng, mesh) if "E" in act else None
        mesh = edit.mesh if edit else mesh
        if act == "B":
            end = scenes[-1].truth.step.v0
        else:
            end = moved(rng, mesh, size * (0.02 if "M" in act else 1e-4))
        step = Step(mesh.vertices, end, mesh.faces)
        scenes.append(Scene(solved(step, mesh.identity), edit, mesh.roots))
        mesh = Mesh(end, mesh.faces, mesh.roots)
    return scenes


def test_samples_contain_contacts_and_free_steps() -> None:
    scenes = [scene for seed in SEEDS for scene in history(seed)]
    assert 0.2 < np.mean([scene.truth.count > 0 for scene in scenes]) < 0.8
    assert 0.15 < np.mean([scene.edit is not None for scene in scenes]) < 0.5
    split = [len(np.unique(scene.roots)) < len(scene.roots) for scene in scenes]
    assert np.mean(split) > 0.3, "hardly a vertex was split"


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_between_cuts_agree_with_brute_force_and_fresh_models(seed: int) -> None:
    scenes = history(seed)
    step = scenes[0].truth.step
    models = [tc.DeformingMesh(step.v0, step.faces) for _ in range(2)]
    for k, scene in enumerate(scenes):
        step = scene.truth.step
        if scene.edit is not None:
            for model in models:
                model.retopologize(step.v0, step.faces, scene.edit.origin)
        every = models[0].step(step.v1, method="auto", contacts="all", threads=1 + k % 3)
        first = models[1].step(step.v1, method="auto", threads=1 + k % 2)
        with naming(f"{seed}, step {k}"):
            assert_all_contacts(every, scene.truth)
            assert_summary(first, scene.truth)
            assert_like_fresh(step, first, every, scene.roots)


@pytest.mark.parametrize("name", ["cloth-ball", "airbag", "nidus", "shell"])
def test_proposed_and_corrected_steps_agree_with_fresh_models(name: str) -> None:
    """As in a simulation, a step is proposed and then shortened to a frame without contact."""
    models: list[tc.DeformingMesh] = []
    roots = np.empty(0, dtype=np.int64)
    hits = []
    for one in deforming.scene(name, 1000).steps():
        if one.origin is not None:
            roots = rooted(roots, one.origin)
            for model in models:
                model.retopologize(one.v0, one.faces, one.origin)
        elif not models:
            roots = np.arange(len(one.v0))
            models = [tc.DeformingMesh(one.v0, one.faces) for _ in range(2)]
        for frame in (one.v0, one.v1):
            step = Step(models[0].vertices, frame, one.faces.astype(np.int64))
            first = models[0].step(frame, method="auto")
            every = models[1].step(frame, method="auto", contacts="all")
            hits.append(bool(every))
            with naming(f"{name} {one.label}"):
                assert_like_fresh(step, first, every, roots)
    assert 0.2 < np.mean(hits) < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in shared_data.names("frames") if "ball" not in n])
def test_real_steps_forward_and_backward_agree_with_fresh_models(name: str) -> None:
    """A step of a simulation is done, undone, and done again in two halves."""
    frames = shared_data.frames(name)
    model = tc.DeformingMesh(frames.v0, frames.faces)
    half = frames.v0 + 0.5 * (frames.v1 - frames.v0)
    for k, frame in enumerate((frames.v1, frames.v0, half, frames.v1)):
        step = Step(model.vertices, frame, frames.faces.astype(np.int64))
        question = {"method": "auto", "contacts": "all" if k % 2 == 0 else "first"}
        answer = model.step(frame, **question)  # type: ignore[arg-type]
        other = fresh_answer(step, **question)
        compare = assert_same_contacts if k % 2 == 0 else assert_same_first
        compare(answer, other, step)
        assert_certified(answer, step)
