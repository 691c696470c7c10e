"""Paths on which each robot, and the world, has a clock of its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, Slerp

import toccata as tc
from toccata._robot.internal import path_of
from toccata._robot.path import _part
from toccata.scenes.primitives import box

Way = tuple[np.ndarray, np.ndarray]
KINDS = ["linear", "cubic"]


def cart() -> tc.Robot:
    """Return a unit cube on a rail along x."""
    rail = tc.Joint("slide", "prismatic", "rail", "cart", axis=(1, 0, 0))
    return tc.Robot([tc.Link("rail"), tc.Link("cart", tc.Mesh(*box()))], [rail])


def two_carts() -> tc.Robot:
    """Return two carts, 9 between them, that drive towards each other as their numbers grow."""
    turned = tc.pose((10.0, 0.0, 0.0), rotvec=(0.0, 0.0, np.pi))
    return tc.combine({"left": cart(), "right": cart().placed(turned)})


def place_of(way: Way, kind: str) -> Callable[[Any], Any]:
    """Return where a cart is at a time, by another library."""
    times, rows = way
    if kind == "linear":
        return lambda t: np.interp(t, times, rows[:, 0])
    spline = CubicSpline(times, rows[:, 0], bc_type="clamped")
    return lambda t: spline(np.clip(t, times[0], times[-1]))


def first_meeting(gap: Callable[[Any], Any], start: float, end: float) -> float:
    """Return the first time at which a gap closes; infinity if it never does."""
    times = np.linspace(start, end, 200_001)
    closed = np.flatnonzero(gap(times) <= 0)
    return times[closed[0]] if len(closed) else np.inf


def ways(seed: int) -> tuple[Way, Way]:
    rng = np.random.default_rng(seed)

    def one(start: float) -> Way:
        count = int(rng.integers(2, 6))
        times = start + np.cumsum(rng.uniform(0.2, 1.0, count))
        return times, np.cumsum(rng.uniform(-0.5, 2.2, count))[:, None]

    return one(-1.0), one(rng.uniform(-1.0, 1.0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["auto", "interval"])
def test_carts_meet_when_both_clocks_say_so(kind: Any, method: Any) -> None:
    both, met = two_carts(), 0
    for seed in range(40):
        left, right = ways(seed)
        start, end = min(left[0][0], right[0][0]), max(left[0][-1], right[0][-1])
        x, y = place_of(left, kind), place_of(right, kind)
        expected = first_meeting(lambda t, x=x, y=y: 9 - x(t) - y(t), start, end)
        c = both.first_contact_path({"left": left, "right": right}, spline=kind, method=method)
        time = start + c.toc * (end - start)
        assert bool(c) == (expected < np.inf)
        if not c:
            continue
        met += 1
        assert abs(time - expected) < 1e-4
        np.testing.assert_allclose(c.q, [x(time), y(time)], atol=1e-9)
    assert 5 < met < 35, "sample too one-sided to prove anything"


def test_the_order_of_the_mapping_does_not_matter() -> None:
    left, right = ways(3)
    both = two_carts()
    a = both.first_contact_path({"left": left, "right": right})
    b = both.first_contact_path({"right": right, "left": left})
    assert a.toc == b.toc and a.piece == b.piece


def test_one_clock_for_all_is_the_plain_path() -> None:
    both, times = two_carts(), [0.0, 0.5, 2.0]
    rows = np.array([[0.0, 0.0], [2.0, 1.0], [6.0, 6.0]])
    for kind in ("linear", "cubic", "quintic"):
        plain = both.first_contact_path(rows, times=times, spline=kind)
        apart = {"left": (times, rows[:, :1]), "right": (times, rows[:, 1:])}
        c = both.first_contact_path(apart, spline=kind)
        assert c.toc == plain.toc and c.piece == plain.piece == 1
        assert np.array_equal(c.q, plain.q)


def test_velocities_are_given_by_name() -> None:
    both, times = two_carts(), [0.0, 1.0]
    ways = {name: (times, [[0.0], [6.0]]) for name in ("left", "right")}
    speeds = {"left": [[6.0], [6.0]], "right": [[6.0], [6.0]]}
    c = both.first_contact_path(ways, spline="cubic", velocities=speeds)
    assert abs(c.toc - 0.75) < 1e-5
    with pytest.raises(
        TypeError, match=r"velocities: expected a mapping with an entry for each of left, right"
    ):
        both.first_contact_path(ways, spline="cubic", velocities=[[6.0], [6.0]])


def test_times_a_rounding_apart_are_all_kept() -> None:
    both, third = two_carts(), 0.1 + 0.2
    assert third != 0.3
    left = ([0.0, third, 1.0], [[0.0], [4.0], [4.0]])
    right = ([0.0, 0.3, 1000.0], [[0.0], [4.5], [0.0]])
    c = both.first_contact_path({"left": left, "right": right})
    assert not c
    right = ([0.0, 0.3, 1000.0], [[0.0], [5.5], [0.0]])
    c = both.first_contact_path({"left": left, "right": right})
    assert abs(c.toc * 1000 - 0.3 * 9 / 9.5) < 1e-5


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_a_world_on_its_own_clock_stands_still_before_and_after(method: Any) -> None:
    robot, world = cart(), tc.Scene()
    move = tc.Motion.linear(tc.pose((10.0, 0.0, 0.0)), tc.pose((4.0, 0.0, 0.0)))
    world.add("door", tc.Mesh(*box()), move)

    def asked(rows: Any, times: Any, span: Any) -> float:
        c = robot.first_contact_path(rows, world, times=times, world_times=span, method=method)
        start, end = min(times[0], span[0]), max(times[-1], span[1])
        return start + c.toc * (end - start)

    # The door is at 10 until 5, and at 4 from 7 on: faces meet a cube apart.
    assert abs(asked([[0], [10]], [0, 5], (5, 7)) - 4.5) < 1e-4
    assert abs(asked([[0], [6]], [0, 5], (5, 7)) - (5 + 3 / 3)) < 1e-4, "the robot stands still"
    assert asked([[0], [2.5]], [0, 5], (5, 7)) == np.inf
    assert abs(asked([[0], [6]], [7, 10], (5, 7)) - (7 + 1.5)) < 1e-4, "after the door"
    assert abs(asked([[0], [5], [0]], [0, 4, 10], (2, 6)) - 5.5) < 1e-4, "both move"


def test_robots_and_world_have_three_clocks() -> None:
    both, world = two_carts(), tc.Scene()
    poses = np.array([tc.pose((5.0, y, 0.0)) for y in (8.0, 2.0, 0.0)])
    world.add("gate", tc.Mesh(*box()), tc.Motion.spline([0, 0.25, 1], poses, kind="linear"))
    # The gate comes down to touch height at y = 1 when half of its second part is over.
    ways = {"left": ([0, 1], [[0], [4.25]]), "right": ([2, 3], [[0], [0.5]])}
    c = both.first_contact_path(ways, world, world_times=(10, 18))
    assert (c.link_a, c.link_b) == ("left/cart", "gate")
    assert abs(c.toc * 18 - (12 + 6 / 2)) < 1e-4
    far = both.clearance_path(ways, world, world_times=(10, 11.5), limit=2.0)
    assert far.lower == 0


def test_clearance_has_clocks_too() -> None:
    both = two_carts()
    ways = {"left": ([0, 1], [[0], [3]]), "right": ([1, 2], [[0], [4]])}
    near = both.clearance_path(ways)
    assert near.lower <= 2 <= near.upper and near.upper - near.lower <= near.tolerance
    np.testing.assert_allclose(near.q, [3, 4], atol=1e-3)


def test_floating_joints_turn_at_a_constant_rate_whatever_cuts_them() -> None:
    links = [tc.Link("ground"), tc.Link("body", tc.Mesh(*box()))]
    free = tc.Robot(links, [tc.Joint("free", "floating", "ground", "body")])
    both = tc.combine({"free": free, "cart": cart()})
    rng = np.random.default_rng(2)
    turns = Rotation.random(3, random_state=4)
    rows = np.hstack([rng.normal(size=(3, 3)), turns.as_quat()])
    times = np.array([0.0, 1.0, 1.5])
    knots = np.linspace(-0.5, 2.0, 23)
    ways = {"free": (times, rows), "cart": (knots, knots[:, None])}
    curve, _ = path_of(both, ways, {})
    at = np.unique(np.concatenate([times, knots]))
    inside = np.clip(at, 0, 1.5)
    apart = Rotation.from_quat(curve.rows[:, 3:7]).inv() * Slerp(times, turns)(inside)
    assert apart.magnitude().max() < 1e-14
    for k in range(3):
        np.testing.assert_allclose(curve.rows[:, k], np.interp(at, times, rows[:, k]), atol=1e-14)
    with pytest.raises(ValueError, match=r"expected linear .* floating joint 'free"):
        both.first_contact_path(ways, spline="cubic")


def test_roundings_at_cuts_are_as_small_as_promised() -> None:
    both, rng = two_carts(), np.random.default_rng(6)
    for _ in range(20):
        times = np.cumsum(rng.uniform(0.01, 1, 6))
        rows = rng.normal(size=(6, 1)) * 10.0 ** rng.integers(-3, 4)
        knots = np.sort(rng.uniform(times[0], times[-1], 9))
        ways = {"left": (times, rows), "right": (knots, np.zeros((9, 1)))}
        curve, _ = path_of(both, ways, {})
        for u, got in zip(np.unique(np.concatenate([times, knots])), curve.rows[:, 0], strict=True):
            i = min(int(np.searchsorted(times, u, "right")) - 1, 4)
            a, b = (Fraction(float(x)) for x in rows[i : i + 2, 0])
            t0, t1 = (Fraction(float(x)) for x in times[i : i + 2])
            exact = a + (Fraction(float(u)) - t0) / (t1 - t0) * (b - a)
            assert abs(Fraction(float(got)) - exact) <= (abs(a) + abs(b)) * Fraction(1, 2**50)


def test_cut_polynomials_are_as_near_as_promised() -> None:
    rng = np.random.default_rng(9)
    for _ in range(50):
        powers = rng.normal(size=(6, 1)) * 10.0 ** rng.integers(-4, 4, (6, 1))
        t0, t1 = np.sort(rng.uniform(0, 1, 2))
        got = [Fraction(float(x)) for x in _part(powers, t0, t1)[:, 0]]
        exact = [Fraction(float(x)) for x in powers[:, 0]]
        lo, length = Fraction(float(t0)), Fraction(float(t1)) - Fraction(float(t0))
        apart = Fraction(0)
        for k in range(6):
            shifted = sum(comb(j, k) * lo ** (j - k) * exact[j] for j in range(k, 6))
            apart += abs(got[k] - length**k * shifted)
        assert apart <= sum(abs(x) for x in exact) * Fraction(1, 2**48)


def test_waypoints_outside_of_the_limits_are_warned_of() -> None:
    rail = tc.Joint("slide", "prismatic", "rail", "cart", axis=(1, 0, 0), lower=0, upper=3)
    robot = tc.Robot([tc.Link("rail"), tc.Link("cart", tc.Mesh(*box()))], [rail])
    with pytest.warns(
        UserWarning, match=r"Q: row 1 is outside of the limits of slide, and so is 1 more row"
    ):
        assert not robot.first_contact_path([[0], [4], [-1]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not robot.first_contact_path([[0], [3]])
    both = tc.combine({"a": robot, "b": cart().placed(tc.pose((0.0, 5.0, 0.0)))})
    ways = {"a": ([0, 1], [[0], [5]]), "b": ([0, 1], [[0], [5]])}
    with pytest.warns(UserWarning, match=r"Q, 'a': row 1 is outside of the limits of a/slide$"):
        assert both.clearance_path(ways).lower > 3.9


def test_bad_input_is_named() -> None:
    both, rows = two_carts(), [[0.0], [1.0]]
    good = ([0, 1], rows)
    cases: list[tuple[Any, dict[str, Any], str]] = [
        ({"left": good}, {}, r"Q: expected an entry for each robot, got none for 'right'"),
        (
            {"left": good, "up": good},
            {},
            r"Q: expected robots among left, right, got an entry for 'up'",
        ),
        (
            {"left": ([0, 0], rows), "right": good},
            {},
            r"times, 'left': expected increasing numbers, got 0.0 \(row 1\)",
        ),
        ({"left": ([0, np.nan], rows), "right": good}, {}, r"times, 'left': expected"),
        ({"left": ([0, 1, 2], rows), "right": good}, {}, r"times, 'left': expected shape"),
        ({"left": ([0, 1], [[0, 1]] * 2), "right": good}, {}, r"Q, 'left': expected shape"),
        ({"left": ([0], [[0]]), "right": good}, {}, r"Q, 'left': expected at least two"),
        ({"left": good, "right": good}, {"times": [0, 1]}, r"times: expected None, since Q has"),
        (
            {"left": good, "right": good},
            {"world_times": (2, 2)},
            r"world_times: expected increasing numbers, got 2.0 and 2.0",
        ),
        ({"left": good, "right": good}, {"world_times": 3}, r"world_times: expected shape"),
        (np.zeros((2, 2)), {"world_times": (0, 1)}, r"times: expected times of the waypoints"),
    ]
    late = {"left": good, "right": ([-1e308, 1e307], rows)}
    cases.append((late, {}, r"times: expected numbers below 1e\+300, got"))
    for ways, how, message in cases:
        with pytest.raises(ValueError, match=message):
            both.first_contact_path(ways, **how)
    with pytest.raises(TypeError, match=r"Q, 'left': expected \(times, configurations\), got list"):
        both.first_contact_path({"left": rows[0], "right": good})
    with pytest.raises(ValueError, match=r"Q: expected an array, because the robot"):
        cart().first_contact_path({"left": good})
