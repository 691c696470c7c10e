"""Many pairs of different bodies at once: each row has the bits of the single call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.shapes import random_pose

import toccata as tc
from toccata import surfaces
from toccata.scenes import models

MESHES: list[Any] = [
    tc.Mesh(*models.box((1.0, 0.5, 0.7))),
    tc.Mesh(*models.icosphere(0.4, 1)),
    tc.Mesh(*models.torus(0.6, 0.2, 9, 7)),
    surfaces.sphere(0.5),
    tc.Mesh(*models.box((1.0, 1.0, 1.0)), solid=True),
]
COUNT = 40


def poses(rng: np.random.Generator) -> Any:
    return np.stack([random_pose(rng, 1.5) for _ in range(COUNT)])


def drawn(seed: int) -> tuple[dict[str, Any], Any, Any]:
    """Arrays, and the motions that they mean."""
    rng = np.random.default_rng(seed)
    a, b, c, d = (poses(rng) for _ in range(4))
    c[:, 0, 3] += 1.5
    v, w, x, y = rng.normal(size=(4, COUNT, 3))
    zero = (0, 0, 0)
    kinds: list[tuple[dict[str, Any], Any, Any]] = [
        ({"start_a": a, "end_a": b}, list(map(tc.Motion.linear, a, b)), [None] * COUNT),
        (
            {"start_a": a, "end_a": b, "start_b": c, "end_b": d, "motion": "screw"},
            list(map(tc.Motion.screw, a, b)),
            list(map(tc.Motion.screw, c, d)),
        ),
        (
            {"start_a": a, "linear_a": v, "angular_a": w, "start_b": b, "angular_b": y},
            list(map(tc.Motion.twist, a, v, w)),
            [tc.Motion.twist(s, zero, t) for s, t in zip(b, y, strict=True)],
        ),
        (
            {"start_a": a, "start_b": b, "linear_b": x},
            list(a),
            [tc.Motion.twist(s, t, zero) for s, t in zip(b, x, strict=True)],
        ),
    ]
    return kinds[seed % 4]


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_single_calls(seed: int) -> None:
    arrays, motions_a, motions_b = drawn(seed)
    rng = np.random.default_rng(seed)
    body_a, body_b = rng.integers(0, len(MESHES), (2, COUNT))
    options: dict[str, Any] = {"separation": 0.01, "tolerance": 1e-4}
    found = [
        tc.first_contact_pairs(MESHES, body_a, body_b, **arrays, threads=threads, **options)
        for threads in (1, 3)
    ]
    for k in range(COUNT):
        mesh_a, mesh_b = MESHES[body_a[k]], MESHES[body_b[k]]
        c = tc.first_contact(mesh_a, mesh_b, motions_a[k], motions_b[k], **options)
        for many in found:
            assert many.status[k] == c.status and many.toc[k] == c.toc
            assert many.safe_until[k] == c.safe_until and many.triangle_b[k] == c.triangle_b
            for name in ("point_a", "point_b", "normal", "distance"):
                assert getattr(many, name)[k].tobytes() == np.float64(getattr(c, name)).tobytes()
    assert 0 < found[0].collides.sum() < COUNT, "too one-sided to prove anything"


def test_no_rows_are_no_answers() -> None:
    none = np.empty((0, 4, 4))
    assert len(tc.first_contact_pairs(MESHES, [], [], none, none)) == 0


def test_bad_rows_are_refused() -> None:
    start = np.stack([np.eye(4)] * 2)
    bad = start.copy()
    bad[1, 0, 0] = -1
    ids, zero = ([0, 1], [0, 1]), np.zeros((2, 3))
    cases: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        (r"^body_b: expected shape \(2,\), got \(1,\)", ([0, 1], [0], start), {}),
        (r"^body_a: row 1 is 5, expected 0\.\.4", ([0, 5], [0, 1], start), {}),
        (r"^start_a: expected 2 rows, got 1", (*ids, start[:1]), {}),
        (r"^start_a: row 1: expected a rigid pose", (*ids, bad), {}),
        (r"^end_b: row 1: expected a rigid pose", (*ids, start), {"start_b": start, "end_b": bad}),
        (r"^linear_b: requires start_b", (*ids, start), {"linear_b": zero}),
        (r"^end_a: cannot be combined with linear_a", (*ids, start, start), {"linear_a": zero}),
        (r"^motion: expected one of linear, screw", (*ids, start), {"motion": "hop"}),
    ]
    for message, arguments, options in cases:
        with pytest.raises(ValueError, match=message):
            tc.first_contact_pairs(MESHES, *arguments, **options)
    wrong: list[tuple[str, tuple[Any, ...]]] = [
        (r"^body_a: expected integers, got float64", (MESHES, [0.5, 1], [0, 1], start)),
        (r"^body_a: expected integers, got '0'", (MESHES, "0", [0, 1], start)),
        (r"^meshes: expected a sequence of bodies, got None", (None, *ids, start)),
        (r"^meshes, 1: expected a toccata\.Mesh", ([MESHES[0], "box"], *ids, start)),
    ]
    for message, given in wrong:
        with pytest.raises(TypeError, match=message):
            tc.first_contact_pairs(*given)
