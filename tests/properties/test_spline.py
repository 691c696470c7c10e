"""Splines: through the poses, smooth, and under the same contract as any other motion.

There is no closed form to compare with, so the poses are the library's own; that they pass through
the given ones and have no corners is checked first. Distances are another library's.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.shapes import pose, random_rotation, sphere, tetrahedron

import toccata as tc
from toccata.query import Method

from .asking import METHODS, HitRate, mesh, naming

TIMES = (0.0, 0.2, 0.55, 0.8, 1.0)
TOLERANCE, ACCURACY = 1e-3, 1e-13
SAMPLES = np.linspace(0, 1, 1501)
Array = NDArray[np.float64]


def random_keys(rng: np.random.Generator) -> Array:
    """Poses along a way past the origin."""
    miss = rng.uniform(0, 1.6)
    way = [(3 - 6 * t, miss, 0) + rng.normal(size=3) * 0.2 for t in TIMES]
    return np.array([pose(at, random_rotation(rng)) for at in way])


def test_a_spline_passes_through_its_poses() -> None:
    rng = np.random.default_rng(61)
    for _ in range(10):
        keys = random_keys(rng)
        spline = tc.Motion.spline(TIMES, keys)
        assert spline.pose(np.array(TIMES)) == pytest.approx(keys, abs=1e-12)


def test_a_spline_is_rigid_and_has_no_corners() -> None:
    rng = np.random.default_rng(62)
    h = 1e-6
    for _ in range(10):
        spline = tc.Motion.spline(TIMES, random_keys(rng))
        for pose_at in spline.pose(np.linspace(0, 1, 50)):
            assert pose_at[:3, :3] @ pose_at[:3, :3].T == pytest.approx(np.eye(3), abs=1e-12)
        for t in TIMES[1:-1]:
            before = (spline.pose(t) - spline.pose(t - h)) / h
            after = (spline.pose(t + h) - spline.pose(t)) / h
            assert before == pytest.approx(after, abs=1e-3)


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
    splines = [tc.Motion.spline(TIMES, random_keys(rng)) for _ in range(30)]
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
            # Between two samples the bodies come at most 0.02 nearer.
            if sampled.min() > separation + TOLERANCE + 0.02:
                assert not contact, "never within s + e"
            if contact:
                at_toc = sampler().distances(spline, np.array([contact.toc]))[0]
                assert at_toc <= separation + TOLERANCE + ACCURACY
    rate.check()
