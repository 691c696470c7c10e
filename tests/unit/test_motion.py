"""Poses and motions against scipy: ends, pivots, screw axes, turns, splines, errors."""

from __future__ import annotations

from math import inf, nan, pi
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.shapes import random_pose
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

import toccata as tc

Array = NDArray[np.float64]
EYE = np.eye(4)
TIMES = np.linspace(0.0, 1.0, 11)


def two_poses(seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return random_pose(rng, 2.0), random_pose(rng, 2.0)


def turned(rotation: Array, by: Array) -> Array:
    result: Array = Rotation.from_rotvec(by).as_matrix() @ rotation
    return result


# Poses


def test_a_pose_is_a_translation_and_a_rotation() -> None:
    assert np.array_equal(tc.pose(), EYE)
    assert tc.pose((1, 2, 3))[:3, 3].tolist() == [1, 2, 3]
    rng = np.random.default_rng(0)
    for scale in (1e-12, 1e-3, 1.0, 100.0):
        rotvec = rng.normal(size=3) * scale
        expected = Rotation.from_rotvec(rotvec).as_matrix()
        assert np.allclose(tc.pose(rotvec=rotvec)[:3, :3], expected, atol=1e-14)
    assert np.array_equal(tc.pose(rotvec=(0, 0, 0)), EYE)


@pytest.mark.parametrize("length", [1.0, 1e-300, 1e300])
def test_quaternions_of_both_orders_and_any_length(length: float) -> None:
    quat = np.array([0.1, -0.5, 0.7, 0.3])
    expected = Rotation.from_quat(quat).as_matrix()
    xyzw = tc.pose((1, 2, 3), quat_xyzw=quat * length)
    assert np.allclose(xyzw[:3, :3], expected, atol=1e-14)
    assert np.allclose(tc.pose((1, 2, 3), quat_wxyz=quat[[3, 0, 1, 2]] * length), xyzw, atol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"translation": (0, 0)}, r"^translation: expected shape \(3,\), got \(2,\)"),
        ({"translation": (0, nan, 0)}, r"^translation: expected finite numbers, got nan"),
        ({"rotvec": (0, 0, 0, 1)}, r"^rotvec: expected shape \(3,\), got \(4,\)"),
        ({"rotvec": (0, inf, 0)}, r"^rotvec: expected finite numbers, got inf"),
        ({"quat_xyzw": (0, 0, 0)}, r"^quat_xyzw: expected shape \(4,\)"),
        ({"quat_xyzw": (0, 0, 0, 0)}, r"^quat_xyzw: expected .* length above 0, got zeros"),
        ({"quat_wxyz": np.zeros(4)}, r"^quat_wxyz: expected .* length above 0, got zeros"),
        ({"rotvec": (0, 0, 1), "quat_wxyz": (1, 0, 0, 0)}, r"expected at most one, got several"),
    ],
)
def test_poses_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.pose(**arguments)


# What all motions share


def every_kind() -> dict[str, tuple[tc.Motion, Array, Array]]:
    start, end = two_poses(1)
    spin, way = np.array([2.0, 5.0, -9.0]), np.array([1.0, 2.0, 3.0])
    after = EYE.copy()
    after[:3, :3] = turned(start[:3, :3], spin)
    after[:3, 3] = start[:3, 3] + way
    middle = tc.pose((0, 1, 0), rotvec=(0, 2, 1))
    return {
        "fixed": (tc.Motion.fixed(start), start, start),
        "linear": (tc.Motion.linear(start, end), start, end),
        "pivot": (tc.Motion.linear(start, end, pivot=(5, 0, 1)), start, end),
        "screw": (tc.Motion.screw(start, end), start, end),
        "twist": (tc.Motion.twist(start, linear=way, angular=spin), start, after),
        "spline": (tc.Motion.spline((0, 0.3, 1), (start, middle, end)), start, end),
    }


KINDS = every_kind()


@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_meets_its_ends_and_stays_rigid(kind: str) -> None:
    motion, start, end = KINDS[kind]
    assert np.allclose(motion.pose(0), start, atol=1e-12)
    assert np.allclose(motion.pose(1), end, atol=1e-12)
    for pose in motion.pose(TIMES):
        assert np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-12)
        assert np.linalg.det(pose[:3, :3]) == pytest.approx(1.0)
        assert pose[3].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_poses_of_many_times_are_those_of_single_times(kind: str) -> None:
    motion = KINDS[kind][0]
    many = motion.pose(TIMES)
    assert many.shape == (11, 4, 4) and many.dtype == np.float64
    for t, pose in zip(TIMES, many, strict=True):
        assert motion.pose(float(t)).shape == (4, 4)
        assert np.array_equal(motion.pose(t), pose)
    grid = motion.pose(TIMES[:10].reshape(2, 5))
    assert grid.shape == (2, 5, 4, 4) and np.array_equal(grid.reshape(10, 4, 4), many[:10])
    assert motion.pose([]).shape == (0, 4, 4)


@pytest.mark.parametrize("kind", ["linear", "screw"])
def test_half_a_turn_and_no_turn_at_all(kind: str) -> None:
    make = getattr(tc.Motion, kind)
    for angle in (0.0, 1e-200, 1e-9, pi):
        end = tc.pose((1, 2, 3), rotvec=(0, 0, angle))
        motion = make(EYE, end)
        assert np.allclose(motion.pose(1), end, atol=1e-12)
        upright = motion.pose(TIMES)[:, :3, 2]
        assert np.allclose(upright, (0, 0, 1), atol=1e-12), "the axis must not move"


# Each kind


def test_linear_moves_the_origin_straight_and_turns_evenly() -> None:
    start, end = two_poses(2)
    motion = tc.Motion.linear(start, end)
    by = Rotation.from_matrix(end[:3, :3] @ start[:3, :3].T).as_rotvec()
    for t in TIMES:
        pose = motion.pose(t)
        assert np.allclose(pose[:3, 3], (1 - t) * start[:3, 3] + t * end[:3, 3], atol=1e-12)
        assert np.allclose(pose[:3, :3], turned(start[:3, :3], t * by), atol=1e-12)


def test_a_pivot_is_the_body_point_that_moves_straight() -> None:
    start, end = two_poses(3)
    pivot = np.array([1.0, -2.0, 0.5, 1.0])
    motion = tc.Motion.linear(start, end, pivot=pivot[:3])
    plain = tc.Motion.linear(start, end)
    for t in TIMES:
        straight = (1 - t) * start @ pivot + t * end @ pivot
        assert np.allclose(motion.pose(t) @ pivot, straight, atol=1e-12)
        assert np.allclose(motion.pose(t)[:3, :3], plain.pose(t)[:3, :3], atol=1e-12)
    assert not np.allclose(motion.pose(0.5), plain.pose(0.5), atol=0.1)


def test_a_screw_is_the_exponential_of_one_twist() -> None:
    for seed in range(5):
        start, end = two_poses(seed)
        motion, rates = tc.Motion.screw(start, end), logm(end @ np.linalg.inv(start))
        for t in TIMES:
            assert np.allclose(motion.pose(t), expm(t * rates) @ start, atol=1e-10)


def test_a_screw_axis_slides_along_itself() -> None:
    start, end = two_poses(4)
    whole = end @ np.linalg.inv(start)
    by = Rotation.from_matrix(whole[:3, :3]).as_rotvec()
    axis = by / np.linalg.norm(by)
    pitch = float(axis @ whole[:3, 3])
    across = whole[:3, 3] - pitch * axis
    point = np.linalg.lstsq(np.eye(3) - whole[:3, :3], across, rcond=None)[0]
    motion = tc.Motion.screw(start, end)
    for t in TIMES:
        moved = motion.pose(t) @ np.linalg.inv(start)
        for on_axis in (point, point + 3 * axis):
            there = moved[:3, :3] @ on_axis + moved[:3, 3]
            assert np.allclose(there, on_axis + t * pitch * axis, atol=1e-11)


def test_a_nearly_straight_screw_is_straight() -> None:
    end = tc.pose((1, 2, 3), rotvec=(0, 0, 1e-10))
    screw, linear = tc.Motion.screw(EYE, end), tc.Motion.linear(EYE, end)
    assert np.allclose(screw.pose(TIMES), linear.pose(TIMES), atol=1e-9)


def test_a_twist_may_turn_many_times() -> None:
    start = two_poses(5)[0]
    way, spin = np.array([1.0, 0.0, -2.0]), np.array([0.0, 0.0, 2 * pi * 3.25])
    motion = tc.Motion.twist(start, linear=way, angular=spin)
    for t in TIMES:
        pose = motion.pose(t)
        assert np.allclose(pose[:3, 3], start[:3, 3] + t * way, atol=1e-12)
        assert np.allclose(pose[:3, :3], turned(start[:3, :3], t * spin), atol=1e-12)
    once = motion.pose(1 / 3.25)[:3, :3]
    assert np.allclose(once, start[:3, :3], atol=1e-12), "back after a whole turn"
    assert not np.allclose(motion.pose(0.5 / 3.25)[:3, :3], start[:3, :3], atol=0.5)


def knots(seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return np.array([0.0, 0.1, 0.45, 0.7, 1.0]), np.array([random_pose(rng, 1.0) for _ in range(5)])


def test_a_spline_passes_through_its_poses() -> None:
    times, poses = knots(6)
    assert np.allclose(tc.Motion.spline(times, poses).pose(times), poses, atol=1e-12)


def test_a_spline_has_no_kinks() -> None:
    times, rng = knots(7)[0], np.random.default_rng(7)
    way, axis = np.cumsum(rng.uniform(0.1, 1.0, (5, 3)), axis=0), rng.normal(size=3)
    poses = [tc.pose(p, rotvec=axis * k * k / 16) for k, p in enumerate(way)]
    motion, h = tc.Motion.spline(times, poses), 1e-6
    for t in times[1:-1]:
        before = (motion.pose(t) - motion.pose(t - h)) / h
        after = (motion.pose(t + h) - motion.pose(t)) / h
        assert np.abs(before[:3, 3]).min() > 0.1, "stands still: proves nothing"
        assert np.abs(before[:3, :3]).max() > 0.1, "does not turn: proves nothing"
        # Second derivatives of a few hundred, times h, are what a difference may be off.
        assert np.allclose(before, after, atol=2e-3)


def test_a_spline_through_two_poses_is_linear() -> None:
    start, end = two_poses(8)
    spline, linear = tc.Motion.spline((0, 1), (start, end)), tc.Motion.linear(start, end)
    assert np.allclose(spline.pose(TIMES), linear.pose(TIMES), atol=1e-12)


# Errors

MIRRORED = np.diag([-1.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tc.Motion.fixed(np.eye(3)), r"^pose: expected shape \(4, 4\), got \(3, 3\)"),
        (lambda: tc.Motion.fixed(MIRRORED), r"^pose: expected a rigid pose, got .*mirrors"),
        (lambda: tc.Motion.linear(EYE, 2 * EYE), r"^end: expected a rigid pose, got .*last row"),
        (lambda: tc.Motion.linear(nan * EYE, EYE), r"^start: expected finite numbers.*row 0"),
        (lambda: tc.Motion.linear(EYE, EYE, pivot=(1, 2)), r"^pivot: expected shape \(3,\)"),
        (lambda: tc.Motion.screw(MIRRORED, EYE), r"^start: expected a rigid pose"),
        (lambda: tc.Motion.twist(EYE, (0, 0), (0, 0, 0)), r"^linear: expected shape \(3,\)"),
        (lambda: tc.Motion.twist(EYE, (0, 0, 0), (0, inf, 0)), r"^angular: expected finite"),
        (lambda: tc.Motion.spline((0, 1), (EYE, MIRRORED)), r"^poses: row 1: expected a rigid"),
        (
            lambda: tc.Motion.spline((0, 1), (EYE,) * 2, kind="cubic"),
            r"^kind: expected one of smooth, linear, got 'cubic'",
        ),
        (lambda: tc.Motion.spline((0, 1), (EYE,)), r"^times: expected as many times as poses"),
        (lambda: tc.Motion.spline((0,), (EYE,)), r"^times: expected .* at least two"),
        (lambda: tc.Motion.spline((0, 0.5), (EYE, EYE)), r"^times: expected to run from 0 to 1"),
        (lambda: tc.Motion.spline((0, 1, 1), (EYE,) * 3), r"^times: expected strictly rising"),
        (lambda: tc.Motion.spline((0, nan, 1), (EYE,) * 3), r"^times: expected finite numbers"),
        (lambda: tc.Motion.fixed(EYE).pose(1.5), r"^t: expected times in 0\.\.1, got 1\.5"),
        (lambda: tc.Motion.fixed(EYE).pose([0, -0.1]), r"^t: expected times in 0\.\.1"),
        (lambda: tc.Motion.fixed(EYE).pose(nan), r"^t: expected finite numbers, got nan"),
    ],
)
def test_motions_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_wrong_types_are_refused() -> None:
    cases: list[tuple[str, Any]] = [
        (r"^t: expected numbers, got 'now'$", lambda: tc.Motion.fixed(EYE).pose("now")),
        (r"^pose: expected numbers, got None$", lambda: tc.Motion.fixed(None)),
        (r"^end: expected numbers, got complex128$", lambda: tc.Motion.linear(EYE, EYE * 1j)),
        (r"^linear: expected numbers, got None$", lambda: tc.Motion.twist(EYE, None, (0, 0, 0))),
        (r"^kind: expected one of smooth, linear, got 3$", lambda: spline_of_kind(3)),
        (r"^translation: expected numbers, got strings$", lambda: tc.pose(["a", "b", "c"])),
    ]
    for message, make in cases:
        with pytest.raises(TypeError, match=message):
            make()


def spline_of_kind(kind: Any) -> tc.Motion:
    return tc.Motion.spline((0, 1), (EYE,) * 2, kind=kind)


def test_a_motion_has_a_kind() -> None:
    with pytest.raises(TypeError, match=r"call Motion\.fixed, linear, screw, twist or spline"):
        tc.Motion()


def test_a_motion_prints_its_ends() -> None:
    moving = tc.Motion.linear(tc.pose((0, 0, 1)), tc.pose((0.5, 0, 0)))
    assert repr(moving) == "Motion(from [0, 0, 1] to [0.5, 0, 0])"
    assert repr(tc.Motion.fixed(tc.pose((1, 2, 3)))) == "Motion(fixed at [1, 2, 3])"
