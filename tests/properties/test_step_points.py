"""Closest points of listed pairs, against exact distances."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from oracles.brute_force import Array, Step
from oracles.linear_distance import distance_within
from oracles.linear_features import KINDS, Kind
from oracles.size import cases

import toccata as tc

from .asking import naming
from .stepping import ask, listed, truth_of

NAMES = ("soup", "lattice", "folded", "tube", "strands", "explosion", "cloth_on_a_ball")
SEEDS = range(cases(4))
# Relative to the size of the mesh; thin faces lose digits.
ROUNDING = 2.0**-30


def rows_of(step: Step, answer: tc.StepContacts) -> list[tuple[Kind, Array]]:
    """Return the kind and the vertices of each listed pair, at the time of the pair, (4, 3)."""
    rows: list[tuple[Kind, Array]] = []
    for kind in KINDS:
        pairs, times = listed(answer, kind)
        start, end = step.query(kind, np.asarray(pairs, dtype=np.int64).reshape(-1, 2))
        t = times[:, None, None]
        rows += [(kind, row) for row in start * (1 - t) + end * t]
    return rows


@pytest.mark.parametrize("separation", [0.0, 0.05])
@pytest.mark.parametrize("name", NAMES)
def test_points_are_closest_and_normals_separate(name: str, separation: float) -> None:
    normals = 0
    for seed in SEEDS:
        step = truth_of(name, seed).step
        answer = ask(step, contacts="all", separation=separation)
        with naming(f"{name} {seed}"):
            for row, (kind, points) in enumerate(rows_of(step, answer)):
                assert_closest(answer, row, kind, points)
                normals += assert_normal(answer, row, kind, points)
    few = 3 * len(SEEDS) if separation else 0
    assert normals > few or name == "lattice", "hardly a normal was checked"


def assert_closest(answer: tc.StepContacts, row: int, kind: Kind, points: Array) -> None:
    """Assert that the points lie on their features, and are the closest ones."""
    split = 1 if kind == "vertex-face" else 2
    size, weights = np.abs(points).max(), answer.weights[row]
    assert (weights[:split] >= 0).all() and (weights[split:] <= 1e-12).all()
    assert weights[:split].sum() == pytest.approx(1) and weights[split:].sum() == pytest.approx(-1)
    assert weights[:split] @ points[:split] == pytest.approx(answer.points_a[row], abs=1e-12 * size)
    assert -weights[split:] @ points[split:] == pytest.approx(
        answer.points_b[row], abs=1e-12 * size
    )
    distance = float(np.linalg.norm(answer.points_a[row] - answer.points_b[row]))
    below = Fraction(max(distance - ROUNDING * size, 0.0))
    if below > 0:
        at_rest = points.tolist()
        assert not distance_within(kind, at_rest, at_rest, 0.0, below), "others are closer"


def assert_normal(answer: tc.StepContacts, row: int, kind: Kind, points: Array) -> bool:
    """Assert that a normal is a unit vector that separates; return whether there is one."""
    split = 1 if kind == "vertex-face" else 2
    n, size = answer.normals[row], np.abs(points).max()
    between = answer.points_a[row] - answer.points_b[row]
    distance = float(np.linalg.norm(between))
    if np.isnan(n).any():
        assert distance <= ROUNDING * size, "a distance above rounding without a normal"
        return False
    assert np.linalg.norm(n) == pytest.approx(1)
    least = (points[:split] @ n).min() - (points[split:] @ n).max()
    assert least >= distance - ROUNDING * size, "the normal does not separate"
    return True
