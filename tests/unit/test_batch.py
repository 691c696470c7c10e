"""A batch is many single questions, answered row by row."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.shapes import random_pose, random_rotation

import toccata as tc
from toccata._options import Method
from toccata._result import feature_name
from toccata.scenes import models

METHODS: tuple[Method, ...] = ("auto", "hca", "c2a", "interval")
KINDS: tuple[Literal["linear", "screw"], ...] = ("linear", "screw")
A = tc.Mesh(*models.icosphere(0.5, 2))
B = tc.Mesh(*models.torus(1.0, 0.25, 24, 12), solid=True)
EYE = np.eye(4)
NUMBERS = ("toc", "safe_until", "distance", "triangle_a", "triangle_b")
VECTORS = ("point_a", "point_b", "normal")

Poses = NDArray[np.float64]


def sample(count: int, seed: int = 0) -> tuple[Poses, Poses]:
    """Ways past and through the origin; some start inside of what is there."""
    rng = np.random.default_rng(seed)
    starts, ends = [], []
    for k in range(count):
        start, end = random_pose(rng, 0.0), random_pose(rng, 0.0)
        across = random_rotation(rng)
        miss = 0.9 * (k % 3)
        start[:3, 3] = across @ (-2.5 if k % 10 else 0.75, miss, 0.0)
        end[:3, 3] = across @ (2.0, miss, 0.5)
        starts.append(start)
        ends.append(end)
    return np.array(starts), np.array(ends)


def assert_row(batch: tc.Batch, k: int, single: tc.Contact) -> None:
    """Assert that a row is a single answer to the last bit."""
    assert batch.status[k] == single.status
    for name in NUMBERS:
        assert np.array_equal(getattr(batch, name)[k], getattr(single, name), equal_nan=True)
    for name in VECTORS:
        assert np.array_equal(getattr(batch, name)[k], getattr(single, name), equal_nan=True)
    assert feature_name(batch.feature[k]) == single.feature


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_single_answers(kind: Literal["linear", "screw"], method: Method) -> None:
    start, end = sample(40)
    batch = tc.first_contact_batch(A, B, start, end, motion=kind, method=method)
    assert len(batch) == 40
    for k in range(40):
        motion = getattr(tc.Motion, kind)(start[k], end[k])
        assert_row(batch, k, tc.first_contact(A, B, motion, method=method))
    assert 0.3 < (batch.status != tc.Status.FREE).mean() < 0.7, "too one-sided to prove anything"
    assert set(batch.status.tolist()) >= {0, 1, 2}, "an answer of each kind"


def test_b_may_move_too() -> None:
    start, end = sample(20)
    start_b, end_b = sample(20, seed=1)
    both = tc.first_contact_batch(A, B, start, end, start_b, end_b)
    resting = tc.first_contact_batch(A, B, start, end, start_b)
    for k in range(20):
        motion = tc.Motion.linear(start[k], end[k])
        motion_b = tc.Motion.linear(start_b[k], end_b[k])
        assert_row(both, k, tc.first_contact(A, B, motion, motion_b))
        assert_row(resting, k, tc.first_contact(A, B, motion, start_b[k]))
    assert not np.array_equal(both.toc, resting.toc)


def test_options_reach_every_row() -> None:
    start, end = sample(20)
    options: dict[str, Any] = {"tolerance": 1e-2, "separation": 0.3, "method": "c2a", "w": 0.1}
    batch = tc.first_contact_batch(A, B, start, end, **options)
    for k in range(20):
        single = tc.first_contact(A, B, tc.Motion.linear(start[k], end[k]), **options)
        assert_row(batch, k, single)
    scarce = tc.first_contact_batch(A, B, start, end, budget=1)
    undecided = scarce.status == tc.Status.UNDECIDED
    assert undecided.any()
    assert (scarce.toc[undecided] == scarce.safe_until[undecided]).all()


def test_overlooked_starts() -> None:
    plate = tc.Mesh(*models.box((4.0, 4.0, 0.2)))
    box = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
    start, up = [tc.pose((0, 0, 0.6))] * 2, [tc.pose((0, 0, 2)), tc.pose((0, 0, 0))]
    batch = tc.first_contact_batch(box, plate, start, up, initial="ignore_separating")
    assert batch.status[0] == tc.Status.FREE and batch.status[1] != tc.Status.FREE


def test_columns_have_their_types_and_shapes() -> None:
    batch = tc.first_contact_batch(A, B, *sample(7))
    for name in NUMBERS[:3]:
        assert getattr(batch, name).shape == (7,) and getattr(batch, name).dtype == np.float64
    for name in VECTORS:
        assert getattr(batch, name).shape == (7, 3) and getattr(batch, name).dtype == np.float64
    assert batch.status.dtype == np.uint8 and batch.feature.dtype == np.uint8
    assert batch.triangle_a.dtype == np.int32 and batch.triangle_b.dtype == np.int32


def test_what_is_unknown_is_not_a_number() -> None:
    batch = tc.first_contact_batch(A, B, *sample(40))
    unknown = batch.triangle_a < 0
    assert unknown.any() and not unknown.all()
    for name in VECTORS:
        assert np.isnan(getattr(batch, name)[unknown]).all()
    assert np.isfinite(batch.point_a[~unknown]).all()


def test_no_rows_is_no_error() -> None:
    nothing = np.empty((0, 4, 4))
    batch = tc.first_contact_batch(A, B, nothing, nothing)
    assert len(batch) == 0 and batch.point_a.shape == (0, 3)
    assert len(tc.first_contact_batch(A, B, nothing, nothing, nothing, nothing)) == 0


def test_threads_do_not_change_the_bits() -> None:
    start, end = sample(100)
    one = tc.first_contact_batch(A, B, start, end, threads=1)
    for threads in (2, 3, 10**9):
        many = tc.first_contact_batch(A, B, start, end, threads=threads)
        for name in ("status", "feature", *NUMBERS, *VECTORS):
            assert getattr(one, name).tobytes() == getattr(many, name).tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start_a": EYE}, r"^start_a: expected shape \(n, 4, 4\), got \(4, 4\)"),
        ({"end_a": [EYE]}, r"^end_a: expected 2 rows, as many as start_a, got 1"),
        ({"start_b": [EYE] * 3}, r"^start_b: expected 2 rows, as many as start_a, got 3"),
        (
            {"start_b": [EYE] * 2, "end_b": [EYE]},
            r"^end_b: expected 2 rows, as many as start_a, got 1",
        ),
        ({"end_b": [EYE] * 2}, r"^end_b: requires start_b"),
        ({"start_a": [EYE, 2 * EYE]}, r"^start_a: row 1: expected a rigid pose"),
        ({"end_a": [EYE, np.diag([1, 1, -1, 1])]}, r"^end_a: row 1: expected a rigid pose"),
        ({"end_a": [EYE, np.nan * EYE]}, r"^end_a: expected finite numbers.*row 1"),
        ({"motion": "twist"}, r"^motion: expected one of linear, screw, got 'twist'"),
        ({"method": "magic"}, r"^method: expected one of"),
        ({"threads": 0}, r"^threads: expected a finite number of at least 1, got 0"),
        ({"tolerance": 1e-30}, r"^tolerance: expected more than .* rounding error"),
    ],
)
def test_batches_are_refused(arguments: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"start_a": [EYE] * 2, "end_a": [EYE] * 2}
    with pytest.raises(ValueError, match=message):
        tc.first_contact_batch(A, B, **usual | arguments)
