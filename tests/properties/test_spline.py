"""Splines pass through their poses, never beyond them, and keep the contract of all motions.

Poses are compared with the definition in many digits. The contract is checked with poses of the
package and distances of another library.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles.shapes import pose, random_rotation, sphere, tetrahedron
from oracles.size import cases
from oracles.spline import Spline

import toccata as tc
from toccata._motion import PoseSpline
from toccata._options import Method
from toccata._robot.options import RobotMethod

from .asking import METHODS, HitRate, mesh, naming

TIMES = (0.0, 0.2, 0.55, 0.8, 1.0)
TOLERANCE, ACCURACY = 1e-3, 1e-13
SAMPLES = np.linspace(0, 1, 1501)
Array = NDArray[np.float64]


def random_keys(rng: np.random.Generator) -> Array:
    """Return poses along a path past the origin."""
    miss = rng.uniform(0, 1.6)
    points = [(3 - 6 * t, miss, 0) + rng.normal(size=3) * 0.2 for t in TIMES]
    return np.array([pose(at, random_rotation(rng)) for at in points])


KINDS: tuple[PoseSpline, ...] = ("smooth", "linear")


@pytest.mark.parametrize("kind", KINDS)
def test_a_spline_passes_through_its_poses(kind: PoseSpline) -> None:
    rng = np.random.default_rng(61)
    for _ in range(cases(10)):
        keys = random_keys(rng)
        spline = tc.Motion.spline(TIMES, keys, kind=kind)
        assert spline.pose(np.array(TIMES)) == pytest.approx(keys, abs=1e-12)


def uneven(seed: int) -> tuple[Array, Array]:
    """Return times with gaps that differ by up to 10^6, and poses that turn or stay."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 7))
    gaps = 10.0 ** rng.uniform(-6, 0, count)
    times = np.concatenate([[0.0], np.cumsum(gaps) / gaps.sum()])
    times[-1] = 1.0
    axis, yaw = rng.normal(size=3), np.cumsum(rng.uniform(-3.1, 3.1, count + 1))
    axis /= np.linalg.norm(axis)
    flat = rng.random() < 0.5
    keys = [
        tc.pose(rng.normal(size=3), rotvec=axis * yaw[k] if flat else rng.normal(size=3))
        for k in range(count + 1)
    ]
    for k in range(1, count + 1):
        if rng.random() < 0.3:
            keys[k] = keys[k - 1]
    return times, np.array(keys)


def angles(rotations: Array) -> Array:
    """Return the angles between successive rotations."""
    apart = np.linalg.norm(rotations[1:] - rotations[:-1], axis=(1, 2))
    return 2 * np.arcsin(np.minimum(apart / np.sqrt(8), 1.0))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_spline_never_goes_beyond_its_poses(kind: PoseSpline, seed: int) -> None:
    times, keys = uneven(seed)
    spline = tc.Motion.spline(times, keys, kind=kind)
    for i, (start, end) in enumerate(pairwise(times)):
        # The end belongs to the next piece; short pieces magnify the rounding of a time.
        inner = start + (end - start) * np.linspace(0, 1, 200)
        seen = spline.pose(np.clip(inner, start, np.nextafter(end, 0)))
        slack = 1e-12 + 1e-15 / (end - start)
        lo, hi = np.minimum(keys[i], keys[i + 1]), np.maximum(keys[i], keys[i + 1])
        assert (seen[:, :3, 3] >= lo[:3, 3] - slack).all()
        assert (seen[:, :3, 3] <= hi[:3, 3] + slack).all()
        steps = np.diff(seen[:, :3, 3], axis=0) * np.sign(keys[i + 1] - keys[i])[:3, 3]
        assert (steps >= -slack).all(), "monotone"
        between = angles(np.stack([keys[i], keys[i + 1]])[:, :3, :3])[0]
        assert angles(seen[:, :3, :3]).sum() == pytest.approx(between, abs=1e-7 + 2 * slack)
        if (keys[i] == keys[i + 1]).all():
            assert (seen == seen[0]).all(), "stands still"


def test_a_spline_between_equal_poses_stays() -> None:
    keys = [tc.pose((x, 0, 0), rotvec=(0, 0, x)) for x in (0, 1, 1, 2)]
    spline = tc.Motion.spline((0, 0.3, 0.6, 1), keys)
    assert (spline.pose(np.linspace(0.3, 0.6, 99)) == spline.pose(0.3)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_spline_agrees_with_its_definition(kind: PoseSpline) -> None:
    for seed in range(12):
        times, keys = uneven(seed)
        spline, truth = tc.Motion.spline(times, keys, kind=kind), Spline(times, keys, kind)
        least = np.diff(times).min()
        for t in np.random.default_rng(seed).uniform(0, 1, 6):
            assert spline.pose(t) == pytest.approx(truth.pose(t), abs=1e-13 + 1e-15 / least)


def test_a_linear_spline_is_linear_between_its_poses() -> None:
    keys = random_keys(np.random.default_rng(64))
    spline = tc.Motion.spline(TIMES, keys, kind="linear")
    for k in range(len(TIMES) - 1):
        piece = tc.Motion.linear(keys[k], keys[k + 1])
        for u in (0.1, 0.5, 0.9):
            t = TIMES[k] + u * (TIMES[k + 1] - TIMES[k])
            assert spline.pose(t) == pytest.approx(piece.pose(u), abs=1e-12)


def test_a_smooth_spline_keeps_turning_about_one_axis() -> None:
    keys = [tc.pose((x, 0, 0), rotvec=(0, 0, x)) for x in (0, 1, 2, 3)]
    spline = tc.Motion.spline((0, 1 / 3, 2 / 3, 1), keys)
    for t in np.linspace(0, 1, 17):
        assert spline.pose(t) == pytest.approx(tc.pose((3 * t, 0, 0), rotvec=(0, 0, 3 * t)))


def test_a_spline_is_rigid_and_has_no_corners() -> None:
    rng = np.random.default_rng(62)
    h = 1e-6
    for _ in range(cases(10)):
        spline = tc.Motion.spline(TIMES, random_keys(rng))
        for pose_at in spline.pose(np.linspace(0, 1, 50)):
            assert pose_at[:3, :3] @ pose_at[:3, :3].T == pytest.approx(np.eye(3), abs=1e-12)
        for t in TIMES[1:-1]:
            before = (spline.pose(t) - spline.pose(t - h)) / h
            after = (spline.pose(t + h) - spline.pose(t)) / h
            assert before == pytest.approx(after, abs=1e-3)


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_a_robot_meets_a_body_on_a_linear_spline(method: RobotMethod) -> None:
    post = tc.Link("post", tc.Mesh(*tetrahedron()))
    joint = tc.Joint("joint", "prismatic", "base", "post", axis=(0, 0, 1))
    robot = tc.Robot([tc.Link("base"), post], [joint])
    rng, ball = np.random.default_rng(65), mesh(sphere(6, 8))
    found = HitRate()
    for _ in range(12):
        motion = tc.Motion.spline(TIMES, random_keys(rng), kind="linear")
        world = tc.Scene()
        world.add("ball", ball, motion)
        alone = tc.first_contact(post.mesh, ball, np.eye(4), motion, tolerance=TOLERANCE)
        c = robot.first_contact([0.0], [0.0], world, method=method, tolerance=TOLERANCE)
        assert bool(c) == bool(alone)
        found.add(bool(c))
        if c:
            assert abs(c.toc - alone.toc) < 1e-2, "both within the tolerance"
    found.check(0.2)


class Sampler:
    """Distances of two meshes at poses, by coal."""

    def __init__(self, a: Any, b: Any) -> None:
        self.sampling = pytest.importorskip("oracles.sampling", reason="sampling needs coal")
        self.models = self.sampling.model(*a), self.sampling.model(*b)

    def distances(self, motion: tc.Motion, times: Array) -> Array:
        """Return the distances to the second mesh at rest at the given times."""
        rest = np.eye(4)
        poses = motion.pose(times)
        return np.array([self.sampling.distance(*self.models, p, rest) for p in poses])


@cache
def sampler() -> Sampler:
    return Sampler(sphere(6, 8), tetrahedron())


@cache
def sampled_splines() -> list[tuple[tc.Motion, Array]]:
    """Splines and their distances at `SAMPLES`, which all methods share."""
    rng = np.random.default_rng(63)
    splines = [
        tc.Motion.spline(TIMES, random_keys(rng), kind=KINDS[k % 2]) for k in range(cases(30))
    ]
    return [(spline, sampler().distances(spline, SAMPLES)) for spline in splines]


@pytest.mark.parametrize("separation", [0.0, 0.05])
@pytest.mark.parametrize("method", METHODS)
def test_a_spline_keeps_the_contract(method: Method, separation: float) -> None:
    rate = HitRate()
    a, b = mesh(sphere(6, 8)), mesh(tetrahedron())
    within = max(0.0, separation - ACCURACY)
    for k, (spline, sampled) in enumerate(sampled_splines()):
        contact = tc.first_contact(
            a, b, spline, method=method, separation=separation, tolerance=TOLERANCE
        )
        rate.add(bool((sampled <= separation).any()))
        with naming(f"example {k}"):
            assert contact.status is not tc.Status.UNDECIDED
            assert (sampled[contact.safe_until > SAMPLES] > within).all(), "late"
            assert contact or (sampled > within).all(), "missed"
            # Between two samples the bodies approach by at most 0.02.
            if sampled.min() > separation + TOLERANCE + 0.02:
                assert not contact, "never within s + e"
            if contact:
                at_toc = sampler().distances(spline, np.array([contact.toc]))[0]
                assert at_toc <= separation + TOLERANCE + ACCURACY
    rate.check()
