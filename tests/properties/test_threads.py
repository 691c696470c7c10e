"""The same input gives the same bits on any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from oracles.cases import passing_by
from oracles.shapes import pose, random_rotation, sphere

import toccata as tc
from toccata._options import Method
from toccata.scenes import models
from toccata.scenes.robots import chain

from .asking import METHODS, HitRate, ask, bits, mesh

ARRAYS = (
    "status",
    "toc",
    "safe_until",
    "distance",
    "point_a",
    "point_b",
    "normal",
    "triangle_a",
    "triangle_b",
)


@pytest.mark.parametrize("method", METHODS)
def test_eight_threads_on_shared_meshes_give_the_bits_of_one(method: Method) -> None:
    rng, rate = np.random.default_rng(31), HitRate()
    shape_a, shape_b = sphere(12, 16), models.unit(*models.torus())
    meshes = (mesh(shape_a), mesh(shape_b))
    cases = [passing_by(rng, shape_a, shape_b) for _ in range(64)]
    alone = [ask(case, meshes, method=method) for case in cases]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda case: ask(case, meshes, method=method), cases * 2))
    assert [bits(c) for c in together] == [bits(c) for c in alone] * 2
    for contact in alone:
        rate.add(bool(contact))
    rate.check()


def batch_poses(count: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(32)
    start, end = [], []
    for _ in range(count):
        turn, miss = random_rotation(rng), rng.uniform(0, 2.4)
        start.append(pose(turn @ [-2, miss, 0], random_rotation(rng)))
        end.append(pose(turn @ [2, miss, 0], random_rotation(rng)))
    return np.array(start), np.array(end)


def batch_bits(batch: Any) -> dict[str, bytes]:
    return {name: np.ascontiguousarray(getattr(batch, name)).tobytes() for name in ARRAYS}


@pytest.mark.parametrize("motion", ["linear", "screw"])
@pytest.mark.parametrize("method", METHODS)
def test_a_batch_has_the_same_bits_for_any_number_of_threads(method: Method, motion: Any) -> None:
    a, b = mesh(sphere(12, 16)), mesh(models.unit(*models.torus()))
    start, end = batch_poses(200)
    results = [
        tc.first_contact_batch(a, b, start, end, motion=motion, method=method, threads=n)
        for n in (1, 2, 8, None)
    ]
    first = batch_bits(results[0])
    for result in results[1:]:
        assert batch_bits(result) == first
    assert 0.3 <= (results[0].status != tc.Status.FREE.value).mean() <= 0.7


@pytest.mark.parametrize("method", METHODS)
def test_the_rows_of_a_batch_do_not_depend_on_each_other(method: Method) -> None:
    a, b = mesh(sphere(12, 16)), mesh(models.unit(*models.torus()))
    start, end = batch_poses(50)
    whole = tc.first_contact_batch(a, b, start, end, method=method, tolerance=1e-3, threads=8)
    order = np.random.default_rng(33).permutation(50)
    mixed = tc.first_contact_batch(
        a, b, start[order], end[order], method=method, tolerance=1e-3, threads=2
    )
    for name in ARRAYS:
        assert getattr(whole, name)[order].tobytes() == getattr(mixed, name).tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_has_the_bits_of_single_queries(method: Method) -> None:
    a, b = mesh(sphere(12, 16)), mesh(models.unit(*models.torus()))
    start, end = batch_poses(50)
    batch = tc.first_contact_batch(a, b, start, end, method=method, tolerance=1e-3, threads=8)
    for k in range(50):
        motion = tc.Motion.linear(start[k], end[k])
        single = tc.first_contact(a, b, motion, method=method, tolerance=1e-3)
        assert single.status.value == batch.status[k]
        assert single.toc == batch.toc[k]


def test_meshes_and_motions_may_be_built_in_threads() -> None:
    rng = np.random.default_rng(34)
    cases = [passing_by(rng, sphere(6, 8), sphere(5, 7)) for _ in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ask, cases))
    assert [bits(c) for c in together] == [bits(ask(case)) for case in cases]


def robot_questions(method: Any) -> tuple[Any, list[Any]]:
    """Return a sequence of a robot, and motions of two numbers each."""
    rng, (points, faces) = np.random.default_rng(0), models.icosphere(0.15, 3)
    robot, world = chain(24), tc.Scene()
    for k in range(6):
        world.add(f"ball {k}", tc.Mesh(points + rng.uniform(-1.2, 1.2, 3) + (1, 0, 0), faces))
    rows = []
    for q in robot.random_configurations(6, 1) * 0.5:
        for _ in range(10):
            end = q.copy()
            end[rng.permutation(robot.dof)[:2]] += rng.normal(size=2) * 0.4
            rows.append((q, end))
    sequence = tc.RobotSequence(robot, world, method=method)
    return (lambda row: sequence.first_contact(*row)), rows


def body_questions() -> tuple[Any, list[Any]]:
    """Return a sequence of two bodies, and motions."""
    sequence = tc.ContactSequence(mesh(sphere(12, 16)), mesh(models.unit(*models.torus())))
    rows = [tc.Motion.linear(*ends) for ends in zip(*batch_poses(40), strict=True)]
    return sequence.first_contact, rows


def scene_questions() -> tuple[Any, list[Any]]:
    """Return a sequence of a scene, and separations."""
    scene = tc.Scene()
    for k in range(6):
        ends = tc.pose((3 * k, 0, 1.5)), tc.pose((3 * k, 0, 1.05 + 0.02 * k))
        scene.add(f"ball {k}", mesh(sphere(12, 16)), tc.Motion.linear(*ends))
        scene.add(f"post {k}", mesh(sphere(8, 8)), tc.pose((3 * k, 0, 0)))
    sequence = tc.SceneSequence(scene)
    return (lambda s: sequence.first_contact(separation=s)), list(np.linspace(0, 0.4, 40))


@pytest.mark.parametrize("of", ["adaptive", "auto", "hca", "bodies", "scene"])
def test_threads_may_share_a_sequence(of: str) -> None:
    """One query at a time uses the coherence, and the others work without it."""
    made = {"bodies": body_questions, "scene": scene_questions}
    ask_one, rows = made[of]() if of in made else robot_questions(of)
    alone = [ask_one(row).status for row in rows]
    assert len(set(alone)) > 1
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda row: ask_one(row).status, rows * 50))
    assert together == alone * 50
