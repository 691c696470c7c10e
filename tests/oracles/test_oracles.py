"""The oracles against closed forms, against scipy and against each other."""

from __future__ import annotations

from math import acos, asin, pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from . import motion
from .body import Body
from .cases import passing_by
from .exact import distance_at, first_time_within, nearest_at
from .sampling import SampledPair, sampled_truth
from .shapes import Shape, box, pose, random_pose, random_rotation, sphere, tetrahedron, triangle
from .triangles import Triangle, closest
from .truth import exact_truth
from .vectors import mp, vec

linalg = pytest.importorskip("scipy.linalg", reason="poses are compared with scipy's exponential")
transform = pytest.importorskip("scipy.spatial.transform", reason="poses are compared with slerp")


def at_rest(shape: Shape, at: NDArray[np.float64] | None = None) -> Body:
    return Body(*shape, motion.fixed(np.eye(4) if at is None else at))


def random_body(rng: np.random.Generator, shape: Shape, spread: float = 1.0) -> Body:
    start, end = random_pose(rng, spread), random_pose(rng, spread)
    kind = (motion.linear, motion.screw)[int(rng.integers(2))]
    return Body(*shape, kind(start, end))


# --- motions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_linear_is_lerp_and_slerp(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end, pivot = random_pose(rng, 1), random_pose(rng, 1), rng.normal(size=3)
    moved = motion.linear(start, end, pivot)
    keys = transform.Rotation.from_matrix([start[:3, :3], end[:3, :3]])
    slerp = transform.Slerp([0, 1], keys)
    for t in (0.0, 0.3, 1.0):
        got = moved.pose(t)
        assert got[:3, :3] == pytest.approx(slerp(t).as_matrix(), abs=1e-13)
        ends = [p[:3, :3] @ pivot + p[:3, 3] for p in (start, end)]
        straight = (1 - t) * ends[0] + t * ends[1]
        assert got[:3, :3] @ pivot + got[:3, 3] == pytest.approx(straight, abs=1e-13)
        assert moved.quick_pose(t) == pytest.approx(got, abs=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_screw_is_the_exponential_of_the_logarithm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = random_pose(rng, 1), random_pose(rng, 1)
    moved = motion.screw(start, end)
    step = linalg.logm(end @ np.linalg.inv(start)).real
    for t in (0.0, 0.4, 1.0):
        assert moved.pose(t) == pytest.approx(linalg.expm(t * step) @ start, abs=1e-10)
        assert moved.quick_pose(t) == pytest.approx(moved.pose(t), abs=1e-12)


def test_twist_makes_any_number_of_turns() -> None:
    start = pose((1, 2, 3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    moved = motion.twist(start, (1, 0, -2), (0, 0, 7.5 * 2 * pi))
    got = moved.pose(1.0)
    assert got[:3, 3] == pytest.approx([2, 2, 1], abs=1e-14)
    assert got[:3, :3] == pytest.approx(-start[:3, :3] * [[1], [1], [-1]], abs=1e-12)


def test_a_screw_with_almost_no_turn_is_exact() -> None:
    start = np.eye(4)
    turn = np.eye(3)
    turn[0, 1], turn[1, 0] = -1e-12, 1e-12
    end = pose((1, 2, 3), turn)
    half = motion.screw(start, end).quick_pose(0.5)
    assert half[:3, 3] == pytest.approx([0.5, 1.0, 1.5], abs=1e-11)


def test_speed_bound_holds_for_finite_steps() -> None:
    rng = np.random.default_rng(5)
    body = random_body(rng, box())
    steps = np.linspace(0, 1, 200)
    paths = [body.vertices @ p[:3, :3].T + p[:3, 3] for p in map(body.motion.quick_pose, steps)]
    speeds = np.linalg.norm(np.diff(paths, axis=0), axis=2) * 199
    assert 0.3 * body.speed < speeds.max() <= body.speed


# --- triangles -------------------------------------------------------------------------------


def tri(*corners: tuple[float, float, float]) -> Triangle:
    a, b, c = (vec(corner) for corner in corners)
    return (a, b, c)


GROUND = tri((0, 0, 0), (4, 0, 0), (0, 4, 0))

DISTANCES = {
    "vertex over face": (tri((1, 1, 3), (2, 1, 5), (1, 2, 5)), 3.0),
    "vertex beside an edge": (tri((1, -3, 4), (1, -9, 4), (2, -9, 9)), 5.0),
    "vertex beside a vertex": (tri((-2, -3, 6), (-9, -9, 7), (-9, -8, 9)), 7.0),
    "edges across": (tri((2, -3, 2), (2, 1, -2), (9, -9, -9)), sqrt(0.5)),
    "parallel faces": (tri((0, 0, 2), (4, 0, 2), (0, 4, 2)), 2.0),
    "pierced by an edge": (tri((1, 1, -1), (1, 1, 1), (9, 9, 9)), 0.0),
    "coplanar inside": (tri((1, 1, 0), (2, 1, 0), (1, 2, 0)), 0.0),
    "coplanar apart": (tri((6, 0, 0), (8, 0, 0), (6, 1, 0)), 2.0),
    "a point": (tri((1, 1, 2), (1, 1, 2), (1, 1, 2)), 2.0),
    "a segment": (tri((1, 1, 1), (1, 1, 9), (1, 1, 5)), 1.0),
    "a segment through": (tri((1, 1, -1), (1, 1, 9), (1, 1, 9)), 0.0),
    "a touching vertex": (tri((1, 1, 0), (2, 1, 5), (1, 2, 5)), 0.0),
}


@pytest.mark.parametrize("name", DISTANCES)
def test_triangle_distances_agree_with_closed_forms(name: str) -> None:
    other, expected = DISTANCES[name]
    for a, b in ((other, GROUND), (GROUND, other), (other[1:] + other[:1], GROUND[::-1])):
        found = closest(a, b)
        assert float(found.distance) == pytest.approx(expected, abs=1e-15)
        gap = mp.norm([x - y for x, y in zip(found.point_a, found.point_b, strict=True)])
        assert abs(gap - found.distance) < 1e-40


def test_degenerate_triangles_have_known_distances() -> None:
    segment = tri((0, 0, 0), (2, 0, 0), (1, 0, 0))
    point = tri((1, 3, 4), (1, 3, 4), (1, 3, 4))
    assert float(closest(segment, point).distance) == 5.0
    assert float(closest(point, point).distance) == 0.0


def test_distances_agree_with_the_other_library() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        a, b = random_body(rng, box(), 1.5), random_body(rng, tetrahedron(), 1.5)
        pair = SampledPair(a, b)
        for t in (0.0, 0.5, 1.0):
            assert abs(pair.distance(t) - distance_at(a, b, t)) < pair.accuracy / 10


def test_the_nearest_pair_agrees_with_brute_force() -> None:
    rng = np.random.default_rng(12)
    for _ in range(5):
        a, b = random_body(rng, tetrahedron()), random_body(rng, tetrahedron())
        sides = [body.place(mp.mpf("0.5")) for body in (a, b)]
        every = (
            closest(tri(*(sides[0][k] for k in f)), tri(*(sides[1][k] for k in g))).distance
            for f in a.faces
            for g in b.faces
        )
        assert abs(min(every) - nearest_at(a, b, 0.5)[0].distance) < 1e-40


# --- first contact ---------------------------------------------------------------------------


def assert_brackets(body: Body, other: Body, level: float, expected: float) -> None:
    found = first_time_within(body, other, level)
    assert found.hi is not None
    assert found.lo - 1e-15 <= expected <= found.hi + 1e-15
    assert found.hi - found.lo < 1e-12


def test_boxes_that_meet_face_to_face_have_a_known_time() -> None:
    moving = Body(*box(), motion.linear(pose((3, 0.2, 0.1)), pose((0, 0.2, 0.1))))
    assert_brackets(moving, at_rest(box()), 0.0, 2 / 3)
    assert_brackets(moving, at_rest(box()), 0.5, 0.5)


def test_a_spoke_that_swings_onto_a_wall_has_a_known_time() -> None:
    spoke = triangle((0, 0, 0), (2, 0, 0), (2, 0, 0.1))
    wall = at_rest(box((20, 2, 20)), pose((0, 2, 0)))
    swing = Body(*spoke, motion.twist(np.eye(4), (0, 0, 0), (0, 0, 1)))
    assert_brackets(swing, wall, 0.0, asin(0.5))
    assert_brackets(swing, wall, 0.25, asin(0.375))


def test_a_screw_that_climbs_to_a_ceiling_has_a_known_time() -> None:
    quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    climb = Body(*tetrahedron(), motion.screw(pose((1, 0, 0)), pose((0, 1, 4), quarter)))
    ceiling = at_rest(box((20, 20, 1)), pose((0, 0, 3)))
    assert_brackets(climb, ceiling, 0.0, (2.5 - 0.5) / 4)


@pytest.mark.parametrize("clearance", [1e-3, 1e-6, 1e-9, 1e-12])
def test_grazing_is_resolved_on_both_sides(clearance: float) -> None:
    spoke = triangle((0, 0, 0), (1, 0, 0), (1, 0, 0))
    swing = Body(*spoke, motion.twist(np.eye(4), (0, 0, 0), (0, 0, 3)))
    over = at_rest(box((20, 1, 20)), pose((0, 1.5 + clearance, 0)))
    into = at_rest(box((20, 1, 20)), pose((0, 1.5 - clearance, 0)))
    assert first_time_within(swing, over, 0.0).free
    found = first_time_within(swing, into, 0.0)
    assert found.hi is not None
    assert float(found.lo) == pytest.approx((pi / 2 - acos(1 - clearance)) / 3, rel=1e-4)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_scaling_changes_no_time(scale: float) -> None:
    points, faces = box()
    moving = Body(
        points * scale, faces, motion.twist(pose((3 * scale, 0, 0)), (-3 * scale, 0, 0), (0, 0, 0))
    )
    assert_brackets(moving, at_rest((points * scale, faces)), 0.0, 2 / 3)


def test_two_turning_bodies_have_a_known_time() -> None:
    # Two hands, mirrored in the plane x = 0, point away from it and turn until their tips meet.
    hand = triangle((0, 0, 0), (1, 0, 0), (1, 0, 0.1))
    left = Body(
        *hand, motion.twist(pose((-0.5, 0, 0), np.diag([-1, -1, 1])), (0, 0, 0), (0, 0, -2.5))
    )
    right = Body(*hand, motion.twist(pose((0.5, 0, 0)), (0, 0, 0), (0, 0, 2.5)))
    assert_brackets(left, right, 0.0, acos(-0.5) / 2.5)
    assert_brackets(left, right, 0.25, acos(-0.375) / 2.5)


def test_the_oracles_agree_with_each_other() -> None:
    rng = np.random.default_rng(3)
    shapes = (box(), tetrahedron(), sphere(3, 4))
    hits = 0
    for k in range(40):
        a, b = (shapes[int(i)] for i in rng.integers(3, size=2))
        case = passing_by(rng, a, b, separation=(0.0, 0.05)[k % 2])
        fine = exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-13)
        coarse = sampled_truth(SampledPair(*case.bodies()), case.separation, case.tolerance)
        hits += fine.hit
        for one, other in ((fine, coarse), (coarse, fine)):
            assert not (one.near.free and other.near.hi is not None)
            assert one.near.hi is None or other.near.lo <= one.near.hi
            assert one.touch.hi is None or not other.touch.free
            assert one.touch.hi is None or other.touch.lo <= one.touch.hi
    assert 0.3 < hits / 40 < 0.7, "sample too one-sided to prove anything"


def test_random_rotations_are_rotations() -> None:
    rotation = random_rotation(np.random.default_rng(0))
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
