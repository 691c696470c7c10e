"""Edges that pass through faces at the start: small faces, flat crossings, against exact signs."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.brute_force import crosses
from oracles.size import cases

import toccata as tc
from toccata._deforming import StepMethod

from .stepping import METHODS

Case = tuple[np.ndarray, bool]


@cache
def strands() -> list[Case]:
    """Draw a strand of length 1 and a face of any size, and whether they cross."""
    rng = np.random.default_rng(12)
    drawn = []
    for _ in range(cases(2000)):
        direction, size = rng.normal(size=3), 10.0 ** -rng.uniform(0, 11)
        face = rng.normal(size=3) + rng.normal(size=(3, 3)) * size
        at = rng.dirichlet((1, 1, 1)) @ face + rng.choice([0.0, 0.3]) * size
        edge = np.stack(
            [at - direction * rng.uniform(0.2, 1), at + direction * rng.uniform(0.2, 1)]
        )
        if rng.random() < 0.3:  # nearly in the plane of the face
            normal = np.cross(face[1] - face[0], face[2] - face[0])
            normal /= np.linalg.norm(normal)
            edge -= (1 - 10.0 ** -rng.uniform(8, 16)) * ((edge - at) @ normal)[:, None] * normal
        drawn.append((np.concatenate([face, edge]), crosses(edge, face)))
    return drawn


def test_samples_contain_crossings_and_misses() -> None:
    assert 0.3 < np.mean([crossing for _, crossing in strands()]) < 0.9


@pytest.mark.parametrize("method", METHODS)
def test_no_edge_through_a_face_is_missed(method: StepMethod) -> None:
    for points, crossing in strands():
        answer = tc.deforming_contacts(points, points, [[0, 1, 2]], edges=[[3, 4]], method=method)
        assert crossing <= bool(answer), points.tolist()
        if len(answer.initial_edge_face):
            assert crossing, points.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_a_crossing_below_rounding_is_found(method: StepMethod) -> None:
    """The edge leaves the plane of the face by 2^-49 at both ends."""
    tiny = 2.0**-49
    face = [[-0.5, -1, 0], [0.5, -1, 0], [0, 1, 0]]
    points = np.array([*face, [-1, 0.125, -tiny], [1, 0.125, tiny]])
    answer = tc.deforming_contacts(points, points, [[0, 1, 2]], edges=[[3, 4]], method=method)
    assert answer.status is tc.Status.INITIAL_OVERLAP
