"""The projection on constraints against another solver, and against what tells a solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from oracles.size import SEED, cases

from toccata._native import core

daqp = pytest.importorskip("daqp")


class Problem(NamedTuple):
    metric: np.ndarray
    target: np.ndarray
    rows: np.ndarray
    bounds: np.ndarray


def random_problem(random: np.random.Generator, n: int, count: int) -> Problem:
    """Return rows of which half repeat others; most problems have a solution."""
    root = random.normal(size=(n, n))
    metric = root @ root.T / n + np.diag(random.uniform(0.3, 1, n))
    rows = random.normal(size=(count, n))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    inside = random.normal(size=n) if random.random() < 0.85 else None
    bounds = random.normal(size=count) * 0.3
    if inside is not None:
        bounds = rows @ inside - np.maximum(random.normal(size=count), 0)
    again = random.integers(0, max(count, 1), count)
    scale = 10.0 ** random.integers(-4, 5, count) if random.random() < 0.5 else np.ones(count)
    order = random.permutation(2 * count)
    rows = np.concatenate([rows, rows[again] * scale[:, None]])[order]
    bounds = np.concatenate([bounds, bounds[again] * scale])[order]
    return Problem(metric, random.normal(size=n) * 2, rows, bounds)


def by_daqp(p: Problem) -> tuple[np.ndarray, bool]:
    """Return its solution, with rows of length 1, and whether there is one."""
    sizes = np.linalg.norm(p.rows, axis=1)
    rows, bounds = p.rows / sizes[:, None], p.bounds / sizes
    upper = np.full(len(bounds), 1e30)
    x, _, flag, _ = daqp.solve(
        p.metric, -p.metric @ p.target, rows, upper, bounds, primal_tol=1e-11, dual_tol=1e-12
    )
    assert flag in (1, -1)
    return np.asarray(x), flag == 1


def is_solution(p: Problem, x: np.ndarray, active: np.ndarray, multipliers: np.ndarray) -> bool:
    """Whether the conditions hold that are true at the only solution."""
    sizes = np.linalg.norm(p.rows, axis=1)
    allowed = 1e-11 * sizes * (1 + np.linalg.norm(x))
    pull = p.metric @ (x - p.target)
    forces = p.rows[active].T * multipliers
    return bool(
        (p.rows @ x >= p.bounds - allowed).all()
        and (np.abs(p.rows @ x - p.bounds)[active] <= allowed[active]).all()
        and (multipliers >= 0).all()
        and len(active) <= len(x)
        and np.abs(pull - forces.sum(axis=1)).max() <= 1e-11 * (1 + np.abs(forces).sum())
    )


@pytest.mark.parametrize(
    ("n", "most", "count"), [(6, 12, 600), (6, 60, 300), (1, 5, 50), (3, 20, 50), (30, 60, 60)]
)
def test_projections_agree_with_daqp(n: int, most: int, count: int) -> None:
    random = np.random.default_rng((SEED, n, most))
    solver = core.Projector()
    solved = infeasible = missed = 0
    for _ in range(cases(count)):
        p = random_problem(random, n, int(random.integers(1, most)))
        status, x, active, multipliers, _ = solver.solve(*p)
        expected, has_solution = by_daqp(p)
        if status != "solved":
            assert status == "infeasible" and not has_solution
            infeasible += 1
            continue
        assert is_solution(p, x, active, multipliers)
        solved += 1
        if has_solution:
            assert np.abs(x - expected).max() <= 1e-10 * (1 + np.abs(expected).max())
        missed += not has_solution  # by daqp: where many rows meet in a point, one in a thousand
    assert solved > infeasible and (infeasible > 0 or count < 100)
    assert missed <= 0.005 * solved + 1


def test_hundreds_of_unknowns() -> None:
    random = np.random.default_rng(5)
    p = random_problem(random, 240, 200)
    status, x, active, multipliers, steps = core.Projector().solve(*p)
    assert status == "solved" and is_solution(p, x, active, multipliers) and steps < 2000
    expected, _ = by_daqp(p)
    assert np.abs(x - expected).max() <= 1e-9 * (1 + np.abs(expected).max())


def test_a_part_between_walls_stays_where_both_let_it() -> None:
    """A body of six freedoms, in a slot: thousands of rows of two planes, and what is left free."""
    random = np.random.default_rng(2)
    points = random.uniform(-1, 1, (4000, 3)) * (1, 1, 0.1)
    normals = np.where(random.random((4000, 1)) < 0.5, 1.0, -1.0) * [(0, 0, 1)]
    rows = np.hstack([normals, np.cross(points, normals)])
    target = np.array([0.5, 0.2, -0.3, 0.1, -0.2, 0.4])
    status, x, active, *_ = core.Projector().solve(np.eye(6), target, rows, np.zeros(4000))
    assert status == "solved"
    assert np.abs(x - [0.5, 0.2, 0, 0, 0, 0.4]).max() < 1e-12
    assert len(active) <= 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p._replace(metric=-p.metric), "metric: expected a positive definite"),
        (lambda p: p._replace(metric=p.metric[:2]), "metric: expected n x n"),
        (lambda p: p._replace(target=p.target * np.nan), "target: expected finite"),
        (lambda p: p._replace(rows=p.rows * np.inf), "rows: expected finite"),
        (lambda p: p._replace(bounds=p.bounds[:1]), "rows: expected n numbers"),
    ],
)
def test_bad_problems_are_refused(change: object, message: str) -> None:
    p = random_problem(np.random.default_rng(0), 3, 4)
    with pytest.raises(ValueError, match=message):
        core.Projector().solve(*change(p))  # type: ignore[operator]
