"""Paths of robots: straight pieces, cubic and quintic splines, worlds that move meanwhile."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracles.size import cases
from scipy.interpolate import BPoly, CubicHermiteSpline, CubicSpline
from scipy.optimize import brentq

import toccata as tc
from toccata._robot.internal import path_of
from toccata._robot.spline import make_curve
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted

rng = np.random.default_rng(7)
TIMES = np.array([3.0, 4.0, 4.5, 7.0, 8.0])
POINTS = rng.normal(size=(5, 3))


def slide() -> tc.Robot:
    """Return a unit cube on a rail along x."""
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0))
    return tc.Robot([tc.Link("base"), tc.Link("cart", tc.Mesh(*box()))], [rail])


def wall() -> tc.Scene:
    """Return a wall from x = 4 on."""
    scene = tc.Scene()
    scene.add("wall", tc.Mesh(*shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0))))
    return scene


def sampled(curve: object, derivative: int = 0) -> np.ndarray:
    """Return a derivative of our splines by their own times, at 20 times per piece."""
    rows = []
    for piece, powers in enumerate(curve.rows):
        span = np.diff(TIMES)[piece]
        t = np.linspace(0, 1, 20)
        p = np.polynomial.Polynomial
        columns = [p(powers[:, j]).deriv(derivative)(t) for j in range(3)]
        rows.append(np.array(columns).T / span**derivative)
    return np.concatenate(rows)


def at_times() -> np.ndarray:
    return np.concatenate([np.linspace(a, b, 20) for a, b in itertools.pairwise(TIMES)])


def test_smooth_cubics_are_clamped_splines() -> None:
    curve = make_curve("cubic", POINTS, TIMES)
    other = CubicSpline(TIMES, POINTS, bc_type="clamped")
    for derivative in range(3):
        np.testing.assert_allclose(
            sampled(curve, derivative), other(at_times(), derivative), atol=1e-9
        )


def test_cubics_with_velocities_are_hermite_splines() -> None:
    velocities = rng.normal(size=POINTS.shape)
    curve = make_curve("cubic", POINTS, TIMES, velocities)
    other = CubicHermiteSpline(TIMES, POINTS, velocities)
    np.testing.assert_allclose(sampled(curve), other(at_times()), atol=1e-10)


def test_quintics_meet_given_velocities_and_accelerations() -> None:
    velocities, accelerations = rng.normal(size=(2, *POINTS.shape))
    curve = make_curve("quintic", POINTS, TIMES, velocities, accelerations)
    for derivative, given in enumerate((POINTS, velocities, accelerations)):
        rows = sampled(curve, derivative)
        np.testing.assert_allclose(rows[::20], given[:-1], atol=1e-9)
        np.testing.assert_allclose(rows[19::20], given[1:], atol=1e-9)


def test_quintics_rest_at_both_ends_and_are_smooth_between() -> None:
    curve = make_curve("quintic", POINTS, TIMES)
    smooth = CubicSpline(TIMES, POINTS, bc_type="clamped")
    for derivative in (1, 2):
        rows = sampled(curve, derivative)
        np.testing.assert_allclose(rows[[0, -1]], 0, atol=1e-9)
        np.testing.assert_allclose(rows[19:-1:20], rows[20::20], atol=1e-9)
        np.testing.assert_allclose(rows[20::20], smooth(TIMES[1:-1], derivative), atol=1e-9)


def documented(
    kind: str, times: Any, points: Any, velocities: Any = None, accelerations: Any = None
) -> Any:
    """Return the curve that docs/robots.md defines, by another library."""
    clamped = CubicSpline(times, points, bc_type="clamped")
    bends = clamped(times, 2)
    bends[[0, -1]] = 0
    speeds = clamped(times, 1) if velocities is None else velocities
    if kind == "cubic":
        return CubicHermiteSpline(times, points, speeds)
    given = bends if accelerations is None else accelerations
    return BPoly.from_derivatives(times, np.stack([points, speeds, given], axis=1))


GIVEN = [
    ("cubic", ()),
    ("cubic", ("velocities",)),
    ("quintic", ()),
    ("quintic", ("velocities",)),
    ("quintic", ("accelerations",)),
    ("quintic", ("velocities", "accelerations")),
]


@pytest.mark.parametrize(("kind", "names"), GIVEN)
@pytest.mark.parametrize("count", [2, 3, 6])
def test_splines_follow_the_documented_curves(
    kind: str, names: tuple[str, ...], count: int
) -> None:
    """The curve of queries, at all times; the times of a contact; alone and by robots' clocks."""
    draw = np.random.default_rng(count)
    carts = tc.combine({"a": slide(), "b": slide().placed(tc.pose((0.0, 50.0, 0.0)))})
    for _ in range(cases(20)):
        tracks = {}
        for robot in ("a", "b"):
            times = draw.uniform(-2, 2) + np.cumsum(draw.uniform(0.1, 3.0, count))
            given = {name: draw.normal(size=(count, 1)) * 4 for name in names}
            tracks[robot] = times, draw.uniform(-3, 3, size=(count, 1)), given
        due = {name: documented(kind, t, q, **given) for name, (t, q, given) in tracks.items()}
        times, rows, given = tracks["a"]
        begin, end = times[[0, -1]]
        alone, _ = path_of(slide(), rows, {"spline": kind, "times": times, **given})
        ask = {name: {r: track[2][name] for r, track in tracks.items()} for name in names}
        clocks = {name: (t, q) for name, (t, q, _) in tracks.items()}
        both, _ = path_of(carts, clocks, {"spline": kind, **ask})
        first = min(t[0] for t, _, _ in tracks.values())
        last = max(t[-1] for t, _, _ in tracks.values())
        for curve, robots, span in ((alone, "a", (begin, end)), (both, "ab", (first, last))):
            for i, (lo, hi) in enumerate(itertools.pairwise(curve.ends)):
                for t in np.linspace(0, 1, 7):
                    now = span[0] + (lo + t * (hi - lo)) * (span[1] - span[0])
                    local = [np.clip(now, *tracks[robot][0][[0, -1]]) for robot in robots]
                    places = [due[r](c)[0] for r, c in zip(robots, local, strict=True)]
                    np.testing.assert_allclose(curve.at(i, t), places, atol=1e-8)


@pytest.mark.parametrize(("kind", "names"), GIVEN)
def test_queries_along_splines_agree_with_the_documented_curve(
    kind: str, names: tuple[str, ...]
) -> None:
    times, points = np.array([1.0, 1.5, 3.0, 3.4]), np.array([[0.0], [2.5], [1.0], [5.0]])
    rows = {"velocities": [[1.0], [9.0], [-2.0], [0.0]], "accelerations": [[0.0], [5.0], [3], [1]]}
    given = {name: np.array(rows[name], dtype=float) for name in names}
    due = documented(kind, times, points, **given)
    fine = np.linspace(1.0, 3.4, 240_001)
    place = due(fine)[:, 0]
    first = (fine[np.argmax(place >= 3.5)] - 1.0) / 2.4
    way = {"spline": kind, "times": times, **given}
    contact = slide().first_contact_path(points, wall(), tolerance=1e-7, **way)
    assert contact.toc == pytest.approx(first, abs=2e-5)
    assert contact.q == pytest.approx(due(1.0 + 2.4 * contact.toc), abs=1e-9)
    found = slide().contact_intervals_path(points, wall(), tolerance=1e-7, resolution=1e-5, **way)
    assert found[0, 0] == pytest.approx(first, abs=5e-5)
    far = tc.Scene()
    far.add("wall", tc.Mesh(*shifted(box((1.0, 5.0, 5.0)), (14.5, 0.0, 0.0))))
    clearance = slide().clearance_path(points, far, tolerance=1e-6, **way)
    assert clearance.lower == pytest.approx(13.5 - place.max(), abs=1e-5)


def test_two_points_by_a_quintic_are_the_motion_of_least_jerk() -> None:
    contact = slide().first_contact_path([[0.0], [5.0]], wall(), spline="quintic", tolerance=1e-7)
    exact = brentq(lambda t: 5 * (10 * t**3 - 15 * t**4 + 6 * t**5) - 3.5, 0, 1, xtol=1e-14)
    assert exact - 1e-7 <= contact.toc <= exact + 1e-12
    assert contact.q == pytest.approx([3.5], abs=2e-7) and contact.piece == 0


def test_a_cubic_overshoots_where_straight_pieces_do_not() -> None:
    path = [[0.0], [3.4], [3.4], [0.0]]
    straight = slide().first_contact_path(path, wall())
    smooth = slide().first_contact_path(path, wall(), spline="cubic", tolerance=1e-7)
    assert not straight and smooth.status == tc.Status.CONTACT and smooth.piece == 1
    other = CubicSpline(np.arange(4) / 3, path, bc_type="clamped")
    exact = brentq(lambda t: other(t)[0] - 3.5, 1 / 3, 0.5, xtol=1e-14)
    assert exact - 1e-6 <= smooth.toc <= exact + 1e-12
    assert smooth.q == pytest.approx(other(smooth.toc), abs=1e-9)
    assert smooth.link_b == "wall"


@pytest.mark.parametrize("spline", ["cubic", "quintic"])
def test_interval_follows_splines(spline: str) -> None:
    path = [[0.0], [0.6], [5.0]]
    auto, interval = (
        slide().first_contact_path(path, wall(), spline=spline, method=method, tolerance=1e-7)
        for method in ("auto", "interval")
    )
    assert auto.status is interval.status is tc.Status.CONTACT
    assert interval.toc == pytest.approx(auto.toc, abs=1e-6)
    assert interval.piece == auto.piece


def test_a_turning_link_meets_a_post_on_time() -> None:
    robot = planar_arm((1.0,), 0.1)
    tip = np.array([[0.6 * np.cos(1.2), 0.6 * np.sin(1.2), z] for z in (-1.0, 1.0, 1.0)])
    scene = tc.Scene()
    scene.add("needle", tc.Mesh(tip, np.array([[0, 1, 2]])))
    contact = robot.first_contact_path([[0.0], [2.0]], scene, spline="cubic", tolerance=1e-7)
    angle = 1.2 - np.arcsin(0.05 / 0.6)
    exact = brentq(lambda t: 2 * (3 * t**2 - 2 * t**3) - angle, 0, 1, xtol=1e-14)
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12


def test_times_stretch_the_pieces() -> None:
    path = [[0.0], [2.0], [7.0]]
    for spline in ("linear", "cubic", "quintic"):
        even = slide().first_contact_path(path, wall(), spline=spline, tolerance=1e-7)
        same = slide().first_contact_path(
            path, wall(), spline=spline, times=[2, 4, 6], tolerance=1e-7
        )
        assert same.toc == pytest.approx(even.toc, abs=1e-12)
    late = slide().first_contact_path(path, wall(), times=[0.0, 9.0, 10.0], tolerance=1e-7)
    assert late.toc == pytest.approx((9 + 1.5 / 5) / 10, abs=1e-7) and late.piece == 1


def test_velocities_count_in_the_unit_of_the_times() -> None:
    path, rates = [[0.0], [4.0]], [[2.0], [2.0]]
    straight = slide().first_contact_path(
        path, wall(), spline="cubic", times=[1.0, 3.0], velocities=rates, tolerance=1e-7
    )
    assert straight.toc == pytest.approx(3.5 / 4, abs=1e-7)


def test_work_is_counted_over_all_pieces() -> None:
    robot, scene = puma(12), wires(6)
    path = robot.random_configurations(4, 3) * 0.2
    whole = robot.first_contact_path(path, scene, separation=0.005)
    assert not whole and whole.piece is None and whole.safe_until == 1
    pieces = [
        robot.first_contact(start, end, scene, separation=0.005).stats
        for start, end in itertools.pairwise(path)
    ]
    assert whole.stats.bv_tests == sum(stats.bv_tests for stats in pieces) > 0
    assert whole.stats.broad_phase_pairs == sum(stats.broad_phase_pairs for stats in pieces)
    smooth = robot.first_contact_path(path, scene, spline="cubic", separation=0.005)
    assert smooth.stats.bv_tests > 0 and smooth.stats.seconds > 0


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_paths_answer_as_their_pieces_do(method: str) -> None:
    """The time over the whole path is rounded down, by a few units in the last place."""
    robot, scene = puma(12), wires(6)
    rng = np.random.default_rng(5)
    told = 0
    for seed in range(12):
        path = robot.random_configurations(6, seed) * 0.5
        times = np.cumsum(rng.uniform(0.1, 1.0, 6))
        whole = robot.first_contact_path(path, scene, times=times, method=method)
        pieces = []
        for ends in itertools.pairwise(path):
            pieces.append(robot.first_contact(*ends, scene, method=method))
            if pieces[-1]:
                break
        last, piece = pieces[-1], len(pieces) - 1
        assert bool(whole) == bool(last)
        assert whole.stats.bv_tests == sum(found.stats.bv_tests for found in pieces)
        if not last:
            assert whole.piece is None and np.isnan(whole.q).all() and whole.toc == np.inf
            continue
        told += 1
        ends = (times - times[0]) / (times[-1] - times[0])
        start, end = (Fraction(float(t)) for t in ends[piece : piece + 2])
        exact = start + Fraction(last.toc) * (end - start)
        assert exact - Fraction(1, 2**49) <= Fraction(whole.toc) <= exact
        assert whole.safe_until == whole.toc and whole.piece == piece
        assert (whole.link_a, whole.link_b) == (last.link_a, last.link_b)
        np.testing.assert_array_equal(whole.q, last.q)
        np.testing.assert_array_equal(whole.point_a, last.point_a)
        later = piece > 0 and last.status == tc.Status.INITIAL_OVERLAP
        assert whole.status == (tc.Status.CONTACT if later else last.status)
        assert whole.tolerance == last.tolerance
    assert told > 3


def test_waypoints_may_change_after_a_query() -> None:
    path = np.array([[0.0], [2.0], [7.0]])
    found = slide().first_contact_path(path, wall(), tolerance=1e-6)
    path[:] = 0
    assert found.q == pytest.approx([3.5], abs=1e-5)


def test_bodies_stand_still_beside_one_that_moves() -> None:
    """Only what moves is cut into pieces."""
    scene = wall()
    crossing = tc.Motion.linear(tc.pose((2.0, 9.0, 0.0)), tc.pose((2.0, -9.0, 0.0)))
    scene.add("crossing", tc.Mesh(*box()), crossing)
    path = np.concatenate([np.full((50, 1), 2.0), [[9.0]]])
    for separation, name in ((0.0, "crossing"), ({("cart", "wall"): 1.9}, "wall")):
        found = slide().first_contact_path(path, scene, separation=separation)
        assert found.link_b == name
    away = np.concatenate([np.full((50, 1), 0.0), [[9.0]]])
    assert slide().first_contact_path(away, scene).link_b == "wall"


def test_bodies_move_over_the_whole_path() -> None:
    crossing = tc.Motion.linear(tc.pose((0.0, 9.0, 0.0)), tc.pose((0.0, -9.0, 0.0)))
    turning = tc.Motion.spline(
        [0.0, 0.4, 1.0], [tc.pose((0.0, y, 0.0), rotvec=(0, 0, y)) for y in (9.0, 3.0, -9.0)]
    )
    for motion in (crossing, turning):
        scene = tc.Scene()
        scene.add("crossing", tc.Mesh(*box()), motion)
        once = slide().first_contact([0.0], [0.0], scene, tolerance=1e-6)
        for spline in ("linear", "cubic"):
            path = slide().first_contact_path(
                np.zeros((6, 1)), scene, spline=spline, tolerance=1e-6
            )
            assert path.toc == pytest.approx(once.toc, abs=1e-6)
            assert path.piece == int(once.toc * 5)
        away = slide().first_contact_path([[0.0], [5.0], [5.0], [5.0]], scene)
        assert not away


def test_clearance_of_paths() -> None:
    scene = tc.Scene()
    scene.add("wall", tc.Mesh(*shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0))))
    path = [[0.0], [3.0], [1.0], [3.2], [0.0]]
    straight = slide().clearance_path(path, scene, tolerance=1e-6)
    assert straight.lower <= 0.3 <= straight.upper <= straight.lower + 1e-6
    assert straight.time == pytest.approx(0.75, abs=1e-6) and straight.piece in (2, 3)
    smooth = slide().clearance_path(path, scene, spline="cubic", tolerance=1e-6)
    other = CubicSpline(np.arange(5) / 4, path, bc_type="clamped")
    exact = 3.5 - other(np.linspace(0, 1, 200001)).max()
    assert smooth.lower <= exact + 1e-9 and exact - 1e-9 <= smooth.upper
    assert smooth.upper - smooth.lower <= 1e-6
    assert smooth.q == pytest.approx(other(smooth.time), abs=1e-9)
    through = slide().clearance_path([[0.0], [9.0], [0.0]], scene, spline="quintic")
    assert through.lower == 0 and through.piece == 0


def floating() -> tc.Robot:
    joint = tc.Joint("free", "floating", "base", "body")
    return tc.Robot([tc.Link("base"), tc.Link("body", tc.Mesh(*box()))], [joint])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"spline": "septic"}, "spline: expected one of linear, cubic, quintic"),
        ({"times": [0.0, 1.0]}, r"times: expected shape \(3,\)"),
        ({"times": [0.0, 1.0, 1.0]}, r"times: expected increasing numbers, got 1.0 \(row 2\)"),
        ({"velocities": [[0.0]] * 3}, "velocities: straight pieces accept no velocities"),
        ({"spline": "cubic", "velocities": [[0.0]]}, r"velocities: expected shape \(3, 1\)"),
        (
            {"spline": "cubic", "accelerations": [[0.0]] * 3},
            "accelerations: only quintic splines accept",
        ),
        ({"spline": "quintic", "accelerations": [[np.nan]] * 3}, "accelerations: expected finite"),
        ({"spline": "cubic", "method": "hca"}, "method: expected auto or interval for a spline"),
        ({"spline": "cubic", "velocities": [[1e17]] * 3}, "spline: expected coefficients"),
    ],
)
def test_invalid_paths_are_refused(how: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        slide().first_contact_path([[0.0], [1.0], [2.0]], wall(), **how)  # type: ignore[arg-type]


def test_floating_joints_move_straight_only() -> None:
    robot = floating()
    path = np.array([robot.zero_configuration()] * 3)
    assert not robot.first_contact_path(path, wall())
    with pytest.raises(ValueError, match=r"expected linear .* floating joint 'free', got"):
        robot.first_contact_path(path, wall(), spline="cubic")
