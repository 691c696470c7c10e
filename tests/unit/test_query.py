"""First contact of two bodies: what an answer holds, and what each option changes."""

from __future__ import annotations

import itertools
from dataclasses import FrozenInstanceError
from math import inf, isnan, nan
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from oracles.triangles import closest

import toccata as tc
from toccata._options import Method
from toccata.scenes import models

METHODS: tuple[Method, ...] = ("auto", "hca", "c2a", "interval")
BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
PLATE = tc.Mesh(*models.box((4.0, 4.0, 0.2)))
BALL = tc.Mesh(*models.icosphere(0.5, 3))


def falling(start: float, end: float) -> tc.Motion:
    return tc.Motion.linear(tc.pose((0, 0, start)), tc.pose((0, 0, end)))


def pair_distances(a: tc.Mesh, b: tc.Mesh, pose_a: Any) -> dict[tuple[int, int], float]:
    """Distances of all pairs of triangles at one time, b at rest, by the oracle."""
    moved = a.vertices @ pose_a[:3, :3].T + pose_a[:3, 3]
    return {
        (i, j): float(closest(x, y).distance)
        for i, x in enumerate(moved[a.faces])
        for j, y in enumerate(b.vertices[b.faces])
    }


# What an answer holds


@pytest.mark.parametrize("method", METHODS)
def test_a_contact_says_when_where_and_between_what(method: Method) -> None:
    c = tc.first_contact(BOX, PLATE, falling(2.6, -1.4), method=method)
    assert c.status is tc.Status.CONTACT and c
    assert 0.5 - c.tolerance / 4 - 1e-12 <= c.toc <= 0.5
    assert c.safe_until == c.toc
    assert 0 <= c.distance <= c.tolerance
    assert np.linalg.norm(c.point_a - c.point_b) == pytest.approx(c.distance, abs=1e-12)
    assert c.point_a[2] == pytest.approx(0.1, abs=2e-6)
    assert np.allclose(c.normal, (0, 0, 1), atol=1e-6), "the normal points from b to a"
    assert 0 <= c.triangle_a < 12 and 0 <= c.triangle_b < 12
    assert c.feature in tc.FEATURES
    assert c.contacts == () and c.body_a is None and c.body_b is None


@pytest.mark.parametrize("method", METHODS)
def test_free_is_the_only_false_answer(method: Method) -> None:
    c = tc.first_contact(BOX, PLATE, falling(2.6, 1.0), method=method)
    assert c.status is tc.Status.FREE and not c
    assert c.toc == inf and c.safe_until == 1.0 and isnan(c.distance)
    assert np.isnan([c.point_a, c.point_b, c.normal]).all()
    assert c.triangle_a == c.triangle_b == -1 and c.feature is None
    assert c.contacts == ()


@pytest.mark.parametrize("method", METHODS)
def test_crossing_at_the_start_is_an_overlap_without_a_normal(method: Method) -> None:
    c = tc.first_contact(BOX, PLATE, falling(0.3, 3.0), method=method)
    assert c.status is tc.Status.INITIAL_OVERLAP and c
    assert c.toc == 0 and c.safe_until == 0
    assert np.isnan(c.normal).all()


def test_an_answer_cannot_be_changed() -> None:
    c = tc.first_contact(BOX, PLATE, falling(2.6, 0.0))
    with pytest.raises(FrozenInstanceError):
        c.toc = inf  # type: ignore[misc]


@pytest.mark.parametrize("method", METHODS)
def test_work_is_counted(method: Method) -> None:
    began = perf_counter()
    stats = tc.first_contact(BALL, PLATE, falling(2.6, 0.0), method=method).stats
    assert 0 < stats.seconds < perf_counter() - began
    assert stats.elementary_tests > 0 and 0 < stats.front_nodes <= stats.bv_tests
    # Two ways to find a time: steps that cannot reach contact, and halves of a window.
    assert (stats.ca_iterations > 0) == (method != "interval")
    assert (stats.subdivisions > 0) == (method == "interval")
    assert stats.broad_phase_pairs == 1


@pytest.mark.parametrize("method", ["auto", "hca", "c2a", "interval"])
def test_stages_are_timed(method: Any) -> None:
    stats = tc.first_contact(BALL, PLATE, falling(2.6, 0.0), method=method).stats
    assert stats.seconds_broad_phase == 0
    stages = (stats.seconds_setup, stats.seconds_walk, stats.seconds_elementary)
    assert min(stages) > 0
    assert sum(stages) + stats.seconds_inside <= stats.seconds


def test_features_are_those_of_a_then_b() -> None:
    needle = tc.Mesh([[0, 0, 0], [0.1, 0, 1], [-0.1, 0, 1]], [[0, 1, 2]])
    floor = tc.Mesh([[-3, -3, 0], [3, -3, 0], [0, 3, 0]], [[0, 1, 2]])
    ridge = tc.Mesh([[0, -2, 0], [0, 2, 0], [0, 0, -1]], [[0, 1, 2]])
    roof = tc.Mesh([[-2, 0, 0], [2, 0, 0], [0, 0, 1]], [[0, 1, 2]])
    down = falling(1.0, -1.0)
    assert tc.first_contact(needle, floor, down).feature == "vertex-face"
    assert tc.first_contact(floor, needle, np.eye(4), down).feature == "face-vertex"
    assert tc.first_contact(roof, ridge, down).feature == "edge-edge"


# Bodies and motions


def test_b_may_move_too_and_poses_are_motions() -> None:
    up = tc.Motion.linear(tc.pose((0, 0, -1.0)), tc.pose((0, 0, 1.0)))
    both = tc.first_contact(BOX, PLATE, falling(1.6, -0.4), up)
    assert both.toc == pytest.approx(0.5, abs=1e-5)
    only_b = tc.first_contact(BOX, PLATE, tc.pose((0, 0, 0.6)), up)
    assert only_b.toc == pytest.approx(0.5, abs=1e-5)
    assert np.allclose(only_b.normal, (0, 0, 1), atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_swapping_the_bodies_turns_the_answer_round(method: Method) -> None:
    motion = tc.Motion.screw(tc.pose((0, 0, 2)), tc.pose((0, 1, -1), rotvec=(1, 2, 0)))
    one = tc.first_contact(BALL, PLATE, motion, method=method)
    two = tc.first_contact(PLATE, BALL, np.eye(4), motion, method=method)
    assert two.toc == pytest.approx(one.toc, abs=1e-5)
    assert np.allclose(two.normal, -one.normal, atol=1e-3)
    assert np.allclose(two.point_b, one.point_a, atol=1e-3)


# Options


def test_the_default_tolerance_is_a_millionth_of_the_smaller_body() -> None:
    c = tc.first_contact(BALL, PLATE, falling(2.6, 0.0))
    assert c.tolerance == pytest.approx(1e-6 * BALL.radius)
    assert tc.first_contact(PLATE, BALL, np.eye(4), falling(2.6, 0.0)).tolerance == c.tolerance
    assert tc.first_contact(BALL, PLATE, falling(2.6, 0.0), tolerance=0.25).tolerance == 0.25


def degenerate(*points: Any) -> tc.Mesh:
    """Return a mesh of one face that has these corners, the last one repeated."""
    return tc.Mesh(np.asarray(points, float), [[0, len(points) // 2, len(points) - 1]])


POINT = degenerate((0, 0, 0))
SEGMENT = degenerate((0, 0, 0), (1, 0, 0))


@pytest.mark.parametrize("place", [(0, 0, 0), (1e-9, 0, 0), (3.0, 4.0, -5.0), (1e7, 0, 1e7)])
def test_bodies_without_a_size_need_no_tolerance(place: Any) -> None:
    """Points and segments, at the origin and far away, in every setting."""
    at = tc.pose(place)
    for a, b in itertools.product((POINT, SEGMENT, degenerate(place), BOX), (POINT, SEGMENT)):
        for pose_a, pose_b in ((at, at), (np.eye(4), np.eye(4)), (at, np.eye(4))):
            distance = tc.distance(a, b, pose_a, pose_b)
            touch = distance.lower == 0
            c = tc.first_contact(a, b, pose_a, pose_b)
            assert c.tolerance > 0 and c.status is not tc.Status.UNDECIDED
            assert bool(c) or not touch or distance.distance > 0
            batch = tc.first_contact_batch(a, b, [pose_a], [pose_a], [pose_b], [pose_b])
            assert batch.status[0] == c.status and batch.tolerance[0] == c.tolerance
            assert tc.clearance(a, b, pose_a, pose_b).tolerance > 0
            tc.contact_intervals(a, b, pose_a, pose_b)
            tc.proximities(a, b, pose_a, pose_b, distance=1e-3)
            scene = tc.Scene()
            scene.add("a", a, pose_a)
            scene.add("b", b, pose_b)
            assert scene.first_contact().status is c.status
            assert scene.first_contact().tolerance > 0 and scene.clearance().tolerance > 0
            scene.contacts(), scene.distances(), scene.proximities(1e-3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [2.0, 1000.0])
def test_a_point_falls_on_a_plate(size: float, method: Method) -> None:
    """What rounding admits: far less than the plate, and nothing is undecided."""
    plate = tc.Mesh(*models.box((size, size, 2.0)))
    for body in (POINT, SEGMENT):
        for x, y in ((0.1, 0.3), (-0.45, 0.49), (1 / 3, 0.0)):
            motion = tc.Motion.linear(tc.pose((size * x, size * y, 5)), tc.pose((0, 0, 0)))
            c = tc.first_contact(body, plate, motion, method=method)
            assert c.status is tc.Status.CONTACT
            assert c.tolerance < 1e-11 * size if body is POINT else c.tolerance < 1e-6
            assert abs(c.toc - 0.8) <= c.tolerance / 5 + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_separation_is_reached_earlier(method: Method) -> None:
    c = tc.first_contact(BOX, PLATE, falling(2.6, -1.4), method=method, separation=1.0)
    assert 0.25 - c.tolerance / 4 - 1e-12 <= c.toc <= 0.25
    assert 1.0 - 1e-12 <= c.distance <= 1.0 + c.tolerance
    assert not tc.first_contact(BOX, PLATE, falling(2.6, 2.0), method=method, separation=1.0)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-2])
def test_all_contacts_of_a_box_that_lands_flat(tolerance: float) -> None:
    motion = falling(2.6, -1.4)
    c = tc.first_contact(BOX, PLATE, motion, contacts="all", tolerance=tolerance)
    found = {(one.triangle_a, one.triangle_b): one for one in c.contacts}
    truth = pair_distances(BOX, PLATE, motion.pose(c.toc))
    assert set(found) <= {pair for pair, distance in truth.items() if distance <= tolerance}
    assert list(found) == sorted(found), "in a fixed order"
    points = np.array([(*one.point_a, *one.point_b) for one in c.contacts])
    assert len(np.unique(points.round(12), axis=0)) == len(points), "each pair of points once"
    assert np.abs(points - (*c.point_a, *c.point_b)).max(axis=1).min() < 1e-12
    lower = motion.pose(c.toc)[:3, 3] + BOX.vertices[BOX.vertices[:, 2] < 0]
    assert all(np.abs(points[:, :3] - corner).max(axis=1).min() < 1e-9 for corner in lower[:1])
    for pair, one in found.items():
        assert one.status is tc.Status.CONTACT and one.toc == c.toc
        assert one.distance == pytest.approx(truth[pair], abs=1e-12)
        assert one.tolerance == tolerance


def is_lower(face: Any) -> bool:
    return bool((BOX.vertices[face, 2] < 0).all())


def test_all_contacts_of_a_free_motion_are_none() -> None:
    assert tc.first_contact(BOX, PLATE, falling(2.6, 2.0), contacts="all").contacts == ()


@pytest.mark.parametrize("w", [0.01, 0.3, 1.0])
def test_control_of_c2a_changes_the_work_and_not_the_answer(w: float) -> None:
    motion = tc.Motion.screw(tc.pose((0, 0, 2)), tc.pose((0, 1, -1), rotvec=(1, 2, 0)))
    usual = tc.first_contact(BALL, PLATE, motion, tolerance=1e-4)
    c = tc.first_contact(BALL, PLATE, motion, tolerance=1e-4, method="c2a", w=w)
    assert c.status is tc.Status.CONTACT
    assert c.toc == pytest.approx(usual.toc, abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_budget_that_runs_out_is_undecided(method: Method) -> None:
    motion = tc.Motion.screw(tc.pose((0, 0, 2)), tc.pose((0, 1, -1), rotvec=(1, 2, 0)))
    true_time = tc.first_contact(BALL, PLATE, motion).toc
    c = tc.first_contact(BALL, PLATE, motion, method=method, budget=1)
    assert c.status is tc.Status.UNDECIDED
    assert c, "it must not pass as free"
    assert c.toc == c.safe_until <= true_time + 1e-6
    more = tc.first_contact(BALL, PLATE, motion, method=method, budget=10**30)
    assert more.status is tc.Status.CONTACT


# Starting in contact


@pytest.mark.parametrize("method", METHODS)
def test_a_contact_that_opens_can_be_overlooked(method: Method) -> None:
    options: dict[str, Any] = {"method": method, "tolerance": 1e-4}
    resting, lifted = tc.pose((0, 0, 0.6 + 2e-5)), tc.pose((0, 0, 2.0))
    rising = tc.Motion.linear(resting, lifted)
    reported = tc.first_contact(BOX, PLATE, rising, **options)
    assert reported and reported.toc == 0
    ignored = tc.first_contact(BOX, PLATE, rising, initial="ignore_separating", **options)
    assert ignored.status is tc.Status.FREE
    sinking = tc.Motion.linear(resting, tc.pose((0, 0, 0.0)))
    assert tc.first_contact(BOX, PLATE, sinking, initial="ignore_separating", **options)


@pytest.mark.parametrize("method", METHODS)
def test_what_comes_after_an_overlooked_contact_is_found(method: Method) -> None:
    vertices, faces = models.box((4.0, 4.0, 0.2))
    slabs = np.vstack([vertices, vertices + (0, 0, 3.2)])
    room = tc.Mesh(slabs, np.vstack([faces, faces + 8]))  # floor, and ceiling from z = 3.1
    motion = falling(0.6, 3.6)  # the top of the box starts at 1.1
    c = tc.first_contact(BOX, room, motion, initial="ignore_separating", method=method)
    assert c.status is tc.Status.CONTACT
    assert c.toc == pytest.approx(2 / 3, abs=1e-5)
    assert c.triangle_b >= 12, "the ceiling"


# Solids

HOUSE = models.box((6.0, 6.0, 6.0))
SOLID = tc.Mesh(*HOUSE, solid=True)


def hollow() -> tc.Mesh:
    """A thick shell: the inner box is turned inside out."""
    vertices, faces = HOUSE
    inner = vertices * 0.5
    both = np.vstack([faces, faces[:, ::-1] + len(vertices)])
    return tc.Mesh(np.vstack([vertices, inner]), both, solid=True)


def test_starting_wholly_inside_a_solid_is_an_overlap() -> None:
    out = tc.Motion.linear(np.eye(4), tc.pose((10, 0, 0)))
    c = tc.first_contact(BALL, SOLID, out)
    assert c.status is tc.Status.INITIAL_OVERLAP and c.toc == c.safe_until == 0
    assert np.isnan(c.normal).all() and c.triangle_a == -1
    assert c.tolerance > 0 and c.stats.bv_tests > 0
    swapped = tc.first_contact(SOLID, BALL, np.eye(4), out)
    assert swapped.status is tc.Status.INITIAL_OVERLAP


def test_a_surface_has_no_inside() -> None:
    out = tc.Motion.linear(np.eye(4), tc.pose((10, 0, 0)))
    c = tc.first_contact(BALL, tc.Mesh(*HOUSE), out)
    assert c.status is tc.Status.CONTACT and c.toc == pytest.approx(0.25, abs=1e-2)


def test_starting_outside_a_solid_is_no_overlap() -> None:
    beside = tc.first_contact(BALL, SOLID, falling(4.0, 5.0))
    assert beside.status is tc.Status.FREE
    into = tc.first_contact(BALL, SOLID, falling(4.0, 0.0))
    assert into.status is tc.Status.CONTACT and into.toc == pytest.approx(0.125, abs=1e-2)
    assert tc.first_contact(BALL, SOLID, tc.pose((2.9, 2.9, 4.0))).status is tc.Status.FREE


def test_the_cavity_of_nested_shells_is_outside() -> None:
    shell = hollow()
    assert tc.first_contact(BALL, shell, np.eye(4)).status is tc.Status.FREE
    in_the_wall = tc.first_contact(BALL, shell, tc.pose((2.25, 0, 0)))
    assert in_the_wall.status is tc.Status.INITIAL_OVERLAP
    escaping = tc.first_contact(BALL, shell, tc.Motion.linear(np.eye(4), tc.pose((10, 0, 0))))
    assert escaping.status is tc.Status.CONTACT and escaping.toc == pytest.approx(0.1, abs=1e-2)


def test_one_part_inside_is_enough() -> None:
    vertices, faces = models.icosphere(0.5, 1)
    both = tc.Mesh(
        np.vstack([vertices + (20, 0, 0), vertices]), np.vstack([faces, faces + len(vertices)])
    )
    assert tc.first_contact(both, SOLID, np.eye(4)).status is tc.Status.INITIAL_OVERLAP
    assert tc.first_contact(both, SOLID, tc.pose((0, 9, 0))).status is tc.Status.FREE


# Errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "magic"}, r"^method: expected one of auto, hca, c2a, interval, got 'magic'"),
        ({"initial": "never"}, r"^initial: expected one of report, ignore_separating"),
        ({"contacts": "some"}, r"^contacts: expected one of first, all, got 'some'"),
        ({"tolerance": 0}, r"^tolerance: expected a finite number of more than 0, got 0"),
        ({"tolerance": nan}, r"^tolerance: expected a finite number"),
        ({"tolerance": 1e-30}, r"^tolerance: expected more than .* rounding error"),
        ({"separation": -1}, r"^separation: expected a finite number of at least 0, got -1"),
        ({"separation": inf}, r"^separation: expected a finite number"),
        ({"budget": 0}, r"^budget: expected a finite number of at least 1, got 0"),
        ({"method": "c2a", "w": 0}, r"^w: expected a finite number of more than 0, got 0"),
        ({"method": "c2a", "w": 2}, r"^w: expected a number in \(0, 1\], got 2"),
        ({"motion_b": 2 * np.eye(4)}, r"^motion_b: expected a Motion or a \(4, 4\) pose"),
    ],
)
def test_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.first_contact(BOX, PLATE, np.eye(4), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": None}, r"^method: expected one of .* got None"),
        ({"contacts": 1}, r"^contacts: expected one of first, all, got 1"),
        ({"budget": "all"}, r"^budget: expected a number, got 'all'"),
        ({"motion_b": "still"}, r"^motion_b: expected a Motion or a \(4, 4\) pose .*got 'still'"),
    ],
)
def test_options_of_wrong_types_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        tc.first_contact(BOX, PLATE, np.eye(4), **options)


def test_the_motion_of_a_is_required() -> None:
    with pytest.raises(TypeError, match=r"^motion_a: expected a Motion or a \(4, 4\) pose"):
        tc.first_contact(BOX, PLATE, None)
