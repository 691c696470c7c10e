"""How near bodies and scenes come to each other: closed forms, options, and what is refused."""

from __future__ import annotations

import copy
import pickle
from math import inf
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import surfaces
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
LARGE = tc.Mesh(*models.box((100.0, 100.0, 100.0)))
BALL = surfaces.sphere(0.5)
PASSING = tc.Motion.linear(tc.pose((-3, 0.3, 1.5)), tc.pose((4, 0.1, 1.2)))


def test_a_box_that_passes_over_another() -> None:
    motion = tc.Motion.linear(tc.pose((-4, 0, 1.5)), tc.pose((3, 0, 1.25)))
    c = tc.clearance(BOX, BOX, motion)
    gap = 1.5 - 0.25 * 5 / 7 - 1  # when the edges are above each other
    least = gap * 7 / np.hypot(7, 0.25)  # a little later
    assert c.lower <= least <= c.upper <= c.lower + c.tolerance
    assert c.tolerance == pytest.approx(1e-4 * BOX.radius)
    assert tc.clearance(BOX, LARGE, tc.pose((90, 0, 0))).tolerance == c.tolerance
    assert c.time == pytest.approx(5 / 7, abs=1e-2)
    assert c.distance == pytest.approx(np.linalg.norm(c.point_a - c.point_b))
    assert c.distance <= c.upper
    assert c.body_a is None and c.body_b is None and c.stats.bv_tests > 0


def test_curved_bodies_have_closed_forms() -> None:
    motion = tc.Motion.linear(tc.pose((-3, 0, 1.3)), tc.pose((3, 0, 1.3)))
    c = tc.clearance(BALL, BALL, motion, tolerance=1e-2)
    assert c.lower <= 0.3 <= c.upper <= c.lower + 1e-2
    assert c.time == pytest.approx(0.5, abs=0.05)


def test_both_may_move_or_rest() -> None:
    up = tc.Motion.linear(tc.pose((0, 0, 3)), tc.pose((0, 0, 9)))
    down = tc.Motion.linear(tc.pose((0, 0, 0)), tc.pose((0, 0, -1)))
    assert tc.clearance(BOX, BOX, up, down).upper == pytest.approx(2, abs=1e-3)
    c = tc.clearance(BOX, BOX, tc.pose((0, 0, 3)))
    assert c.lower <= 2 <= c.upper <= c.lower + c.tolerance


def test_in_contact_there_is_no_clearance() -> None:
    c = tc.clearance(BOX, BOX, tc.Motion.linear(tc.pose((-3, 0, 0)), tc.pose((3, 0, 0))))
    assert c.lower == 0 and c.distance <= c.tolerance
    solid = tc.Mesh(*models.box((4.0, 4.0, 4.0)), solid=True)
    inside = tc.clearance(BOX, solid, np.eye(4))
    assert inside.lower == inside.upper == inside.distance == 0
    assert np.isnan(inside.point_a).all()


def test_limits_and_budgets() -> None:
    far = tc.clearance(BOX, BOX, tc.pose((9, 0, 0)), limit=2.0)
    assert far.lower >= 2.0 and far.upper == inf and np.isnan(far.time)
    near = tc.clearance(BOX, BOX, PASSING, limit=2.0)
    assert near.upper < 2.0
    torus = tc.Mesh(*models.torus(1.0, 0.3, 30, 20))
    turning = tc.Motion.twist(tc.pose((0.2, 0.1, 0.8)), (0.1, 0, 0), (0, 0, 3))
    scarce = tc.clearance(torus, torus, turning, budget=8)
    full = tc.clearance(torus, torus, turning)
    assert scarce.lower <= full.lower <= full.upper <= scarce.upper + 1e-12
    assert full.upper - full.lower <= full.tolerance < scarce.upper - scarce.lower


def scene() -> tc.Scene:
    result = tc.Scene()
    result.add("floor", BOX)
    result.add("passing", BOX, PASSING)
    result.add("post", BOX, tc.pose((0, 3, 1)))
    return result


def test_a_scene_has_the_least_of_all_pairs() -> None:
    bodies = scene()
    pairs = [("floor", "passing"), ("floor", "post"), ("passing", "post")]
    alone = {}
    for a, b in pairs:
        (x, m), (y, n) = bodies[a], bodies[b]
        alone[a, b] = tc.clearance(x, y, m, n)
    best = min(pairs, key=lambda pair: alone[pair].upper)
    c = bodies.clearance()
    assert (c.body_a, c.body_b) == best
    assert c.lower <= alone[best].upper and alone[best].lower <= c.upper
    assert c.upper - c.lower <= c.tolerance
    bodies.ignore(*best)
    del alone[best]
    second = min(alone.values(), key=lambda one: one.upper)
    assert bodies.clearance().lower <= second.upper and second.lower <= bodies.clearance().upper
    for copied in (copy.copy(c), pickle.loads(pickle.dumps(c))):
        assert copied.lower == c.lower and (copied.point_a == c.point_a).all()


def test_nobody_is_infinitely_far_away() -> None:
    bodies = tc.Scene()
    for name in ("a", "b"):
        assert bodies.clearance().lower == inf and bodies.clearance().body_a is None
        bodies.add(name, BOX, tc.pose((len(bodies) * 4.0, 0, 0)))
    bodies.ignore("a", "b")
    assert bodies.clearance().lower == inf


def test_sizes_far_from_one_give_the_same_answers() -> None:
    for k in (2.0**-60, 2.0**40):
        small = tc.Mesh(BOX.vertices * k, BOX.faces)
        start, end = (PASSING.pose(t) for t in (0.0, 1.0))
        start[:3, 3] *= k
        end[:3, 3] *= k
        a = tc.clearance(small, small, tc.Motion.linear(start, end))
        b = tc.clearance(BOX, BOX, PASSING)
        assert a.lower / k == pytest.approx(b.lower, rel=1e-12)
        assert a.upper / k == pytest.approx(b.upper, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": -1.0}, r"^tolerance: expected a finite number of more than 0, got -1"),
        ({"limit": -1.0}, r"^limit: expected a finite number of at least 0 or inf, got -1"),
        ({"budget": 0}, r"^budget: expected a finite number of at least 1"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.clearance(BOX, BOX, PASSING, **options)
    with pytest.raises(ValueError, match=message):
        scene().clearance(**options)
    with pytest.raises(TypeError, match=r"^unexpected option 'self_contact'"):
        scene().clearance(self_contact=True)  # type: ignore[call-arg]
