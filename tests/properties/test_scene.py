"""Ignored pairs, sequences and all contacts keep the contract.

Random scenes are in `test_fuzz_scenes`.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles.cases import Case, passing_by
from oracles.contract import assert_contract, placed_triangle
from oracles.shapes import box, pose, sphere, tetrahedron, wedge
from oracles.size import cases
from oracles.triangles import closest, point_triangle_distance
from oracles.truth import exact_truth

import toccata as tc
from toccata._options import Method

from .asking import METHODS, HitRate, ask, mesh, motion, naming

SHAPES = (box(), tetrahedron(), wedge(), sphere(3, 4))
TOLERANCE = 1e-3


def test_ignored_pairs_are_not_tested() -> None:
    scene = tc.Scene()
    scene.add("left", mesh(box()), tc.Motion.linear(pose((-3, 0, 0)), pose((3, 0, 0))))
    scene.add("middle", mesh(box()))
    scene.add("right", mesh(box()), pose((2, 0, 0)))
    first = scene.first_contact(tolerance=TOLERANCE)
    assert {first.body_a, first.body_b} == {"left", "middle"}
    assert 2 / 6 - TOLERANCE / 6 <= first.toc <= 2 / 6
    scene.ignore("left", "middle")
    second = scene.first_contact(tolerance=TOLERANCE)
    assert {second.body_a, second.body_b} == {"left", "right"}
    assert 4 / 6 - TOLERANCE / 6 <= second.toc <= 4 / 6
    scene.ignore("right", "left")
    assert scene.first_contact(tolerance=TOLERANCE).status is tc.Status.FREE


def test_an_empty_scene_is_free() -> None:
    scene = tc.Scene()
    assert not scene.first_contact()
    scene.add("alone", mesh(box()))
    assert not scene.first_contact()


def test_a_sequence_with_coherence_keeps_the_contract() -> None:
    rng, rate = np.random.default_rng(52), HitRate()
    sequence = tc.ContactSequence(mesh(box()), mesh(wedge()))
    for k in range(cases(20)):
        case = passing_by(rng, box(), wedge(), 0.9)
        truth = exact_truth(*case.bodies(), 0.0, TOLERANCE, 1e-14)
        rate.add(truth.hit)
        paths = (motion(case.path_a), motion(case.path_b))
        with naming(f"example {k}"):
            assert_contract(sequence.first_contact(*paths, tolerance=TOLERANCE), truth)
    rate.check()


@pytest.mark.parametrize("method", METHODS)
def test_all_contacts_are_all_points_within_reach_at_that_time(method: Method) -> None:
    rng, touching = np.random.default_rng(53), 0
    for k in range(4):
        case = passing_by(rng, SHAPES[k], SHAPES[k - 1], 0.3, tolerance=0.02)
        contact = ask(case, method=method, contacts="all")
        if contact.status is not tc.Status.CONTACT:
            continue
        touching += 1
        found = {(c.triangle_a, c.triangle_b): c for c in contact.contacts}
        distances = pair_distances(case, contact.toc)
        reach = case.separation + case.tolerance
        assert found.keys() <= {pair for pair, d in distances.items() if d <= reach + 1e-12}
        left_out = {p for p, d in distances.items() if d <= reach - 1e-12} - found.keys()
        for pair in left_out:
            assert any(has_points(case, pair, c) for c in contact.contacts), pair
        points = np.array([(*c.point_a, *c.point_b) for c in contact.contacts])
        apart = np.abs(points[:, None] - points).max(axis=-1) + np.eye(len(points))
        assert apart.min() > 1e-15, "each pair of points once"
    assert touching >= 2


def has_points(case: Case, pair: tuple[int, int], contact: tc.Contact) -> bool:
    """Return whether points of a contact lie on two other triangles."""
    points = (contact.point_a, contact.point_b)
    return all(
        float(point_triangle_distance(p, placed_triangle(body, k, contact.toc))) < 1e-9
        for body, k, p in zip(case.bodies(), pair, points, strict=True)
    )


def pair_distances(case: Case, t: float) -> dict[tuple[int, int], float]:
    a, b = case.bodies()
    placed = [[placed_triangle(body, k, t) for k in range(len(body.faces))] for body in (a, b)]
    return {
        (i, j): float(closest(x, y).distance)
        for i, x in enumerate(placed[0])
        for j, y in enumerate(placed[1])
    }
