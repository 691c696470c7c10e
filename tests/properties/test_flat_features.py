"""Features that become parallel, collinear or one point as they touch are decided finely too.

Coordinates are small integers, so the distance at the contact is exactly zero. Close to the
contact, rounding decides which points are closest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.linear_contract import Question, assert_answer
from oracles.linear_features import KINDS, Kind
from oracles.size import cases

import toccata as tc

Array = NDArray[np.float64]
ASK = {"vertex-face": tc.elementary.vertex_face, "edge-edge": tc.elementary.edge_edge}
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
ROW = 60
TIMES = (1, 2, 4)  # the features meet at 1 / time


def _along_one_line(rng: np.random.Generator, at: Array) -> None:
    direction = rng.integers(-3, 4, (len(at), 1, 3))
    at[:] = at[:, :1] + direction * rng.integers(-3, 4, (len(at), 4, 1))


def _parallel(rng: np.random.Generator, at: Array) -> None:
    at[:, 3] = at[:, 2] + (at[:, 1] - at[:, 0]) * rng.integers(-2, 3, (len(at), 1))


def _one_vertex(rng: np.random.Generator, at: Array) -> None:
    at[:, 2] = at[:, 0]


def _one_point(rng: np.random.Generator, at: Array) -> None:
    at[:, 3] = at[:, 2]


def _anyhow(rng: np.random.Generator, at: Array) -> None:
    pass


MEETINGS = (_along_one_line, _parallel, _one_vertex, _one_point, _anyhow)


def drawn(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Draw pairs that move in a line, a plane or in space, and meet in a special position."""
    start, at = rng.integers(-6, 7, (2, n, 4, 3)).astype(float)
    MEETINGS[int(rng.integers(len(MEETINGS)))](rng, at)
    flat = int(rng.integers(1, 4))
    start[:, :, flat:] = at[:, :, flat:] = rng.integers(-3, 4)
    if rng.random() < 0.3:
        at[:, :, 1:] = at[:, :1, 1:]
    end = start + (at - start) * TIMES[int(rng.integers(len(TIMES)))]
    turn = np.eye(3)[rng.permutation(3)] if rng.random() < 0.6 else rng.integers(-2, 3, (3, 3))
    return start @ turn, end @ turn


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("separation", [0.0, 1e-8, 1e-3, 0.25])
def test_every_query_is_decided(kind: Kind, separation: float) -> None:
    rng = np.random.default_rng(31)
    contacts = 0
    for _ in range(cases(200)):
        start, end = drawn(rng, ROW)
        tolerance = TOLERANCES[int(rng.integers(len(TOLERANCES)))]
        options: Any = {"tolerance": tolerance, "separation": separation}
        answer = ASK[kind](start, end, **options)
        contacts += int((answer.status == tc.Status.CONTACT).sum())
        undecided = np.flatnonzero(answer.status == tc.Status.UNDECIDED)
        for row in [*undecided[:1], *rng.integers(ROW, size=1 if separation else 8)]:
            question = Question(kind, start[row].tolist(), end[row].tolist(), separation, tolerance)
            assert_answer(question, int(answer.status[row]), float(answer.toc[row]))
        assert undecided.size == 0
    assert contacts > 0.1 * ROW * cases(200)


# Contact at 1/2, 1 and 1/2: collinear, a vertex of one edge on the end of the other, and parallel.
EDGES = [
    ([(2, 4, 1), (4, 4, 1), (1, 4, 3), (3, 4, 2)], [(1, 4, 2), (1, 4, 4), (3, 4, 1), (2, 4, 3)]),
    (
        [(2, -1, 0), (1, 2, 0), (0, 1, 0), (0, 0, 0)],
        [(2, -2, 0), (-1, 1, 0), (-1, 1, 0), (0, 0, 0)],
    ),
    (
        [(1, -1, 2), (-1, -1, 4), (1, -1, 4), (-1, -1, 6)],
        [(1, -1, -2), (-1, -1, -4), (1, -1, -4), (-1, -1, -6)],
    ),
]


@pytest.mark.parametrize(("start", "end"), EDGES)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_edges_that_become_parallel_keep_the_contract(
    start: Any, end: Any, tolerance: float
) -> None:
    pair = np.array([start], float), np.array([end], float)
    answer = tc.elementary.edge_edge(*pair, tolerance=tolerance)
    assert answer.status[0] == tc.Status.CONTACT
    question = Question("edge-edge", pair[0][0].tolist(), pair[1][0].tolist(), 0.0, tolerance)
    assert_answer(question, int(answer.status[0]), float(answer.toc[0]))


@pytest.mark.parametrize("method", ["auto", "clusters", "bvh"])
def test_steps_with_the_default_tolerance_are_decided(method: Any) -> None:
    rng = np.random.default_rng(32)
    pairs = [(np.array(start, float), np.array(end, float)) for start, end in EDGES]
    while len(pairs) < cases(200):
        start, end = drawn(rng, 4)
        pairs += zip(start, end, strict=True)
    for start, end in pairs:
        for elements in ({"edges": [(0, 1), (2, 3)]}, {"faces": [(1, 2, 3)]}):
            faces = elements.pop("faces", [])
            step = tc.deforming_contacts(start, end, faces, method=method, **elements)
            assert step.status is not tc.Status.UNDECIDED, (start, end)
