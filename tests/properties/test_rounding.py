"""Proofs include rounding: the adversarial set against the multi-precision oracle.

The tolerances here are a quarter of the clearances, so the oracle allows one answer only.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from oracles import adversarial
from oracles.cases import Case, fixed, twist
from oracles.contract import assert_contract
from oracles.exact import distance_at
from oracles.shapes import box, pose, random_rotation, tetrahedron, triangle
from oracles.size import cases
from oracles.truth import Truth, exact_truth

import toccata as tc
from toccata._options import Method

from .asking import METHODS, HitRate, ask, naming

RESOLUTION = 1e-17


def judge(case: Case) -> Truth:
    return exact_truth(*case.bodies(), case.separation, case.tolerance, RESOLUTION)


def check(cases: Iterable[Case], rate: HitRate | None = None) -> None:
    for k, case in enumerate(cases):
        truth = judge(case)
        if rate is not None:
            rate.add(truth.hit)
        for method in METHODS:
            with naming(f"example {k}, {method}"):
                assert_contract(ask(case, method=method), truth)


@pytest.mark.parametrize("clearance", adversarial.CLEARANCES)
@pytest.mark.parametrize("name", adversarial.GRAZING)
def test_grazing_is_decided_by_the_last_digits(name: str, clearance: float) -> None:
    case = adversarial.GRAZING[name](clearance)
    truth = judge(case)
    assert truth.hit or truth.near.free, "the clearance must decide"
    if name != "nearly_parallel_edges":
        assert truth.hit == (clearance < 0)
    for method in METHODS:
        with naming(method):
            assert_contract(ask(case, method=method), truth)


@pytest.mark.parametrize("clearance", [1e-9, -1e-9])
@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("method", METHODS)
def test_grazing_is_decided_in_all_units(method: Method, scale: float, clearance: float) -> None:
    spoke = triangle((0, 0, 0), (scale, 0, 0), (scale / 2, 0, scale / 8))
    wall, at = box((8 * scale, scale, 8 * scale)), pose((0, scale * (1.5 + clearance), 0))
    path = twist(np.eye(4), (0, 0, 0), (0, 0, 3))
    case = Case(spoke, wall, path, fixed(at), tolerance=scale * 1e-9 / 4)
    truth = judge(case)
    assert truth.hit == (clearance < 0)
    assert_contract(ask(case, method=method), truth)


@pytest.mark.parametrize("seed", range(2))
def test_random_bodies_that_graze_a_separation_are_decided(seed: int) -> None:
    rng, rate = np.random.default_rng(seed), HitRate()
    drawn = (adversarial.grazing_anyhow(rng, (1e-9, -1e-9)[k % 2]) for k in range(cases(12)))
    check((case for case in drawn if case is not None), rate)
    assert 0 < rate.hits < rate.total, "both sides of the clearance must occur"


@pytest.mark.parametrize("width", [1e-3, 1e-9, 1e-15, 1e-300, 0.0])
def test_slivers_keep_the_contract(width: float) -> None:
    rng, rate = np.random.default_rng(41), HitRate()
    check((case for _ in range(cases(2)) for case in adversarial.slivers(rng, width)), rate)
    rate.check()


def test_points_and_segments_are_legal_triangles() -> None:
    rng = np.random.default_rng(42)
    check(case for _ in range(cases(3)) for case in adversarial.degenerate(rng))


def test_features_of_size_one_at_a_million_keep_the_contract() -> None:
    rng, rate = np.random.default_rng(43), HitRate()
    check((case for _ in range(cases(3)) for case in adversarial.far_away(rng)), rate)
    rate.check()


def test_fast_bodies_do_not_tunnel() -> None:
    rng, rate = np.random.default_rng(44), HitRate()
    check((case for _ in range(cases(3)) for case in adversarial.fast(rng)), rate)
    rate.check()


@pytest.mark.slow
def test_many_random_bodies_that_graze_a_separation_are_decided() -> None:
    rng, rate = np.random.default_rng(45), HitRate()
    drawn = (adversarial.grazing_anyhow(rng, (1e-9, -1e-9)[k % 2]) for k in range(cases(16)))
    check((case for case in drawn if case is not None), rate)
    assert 0.2 < rate.hits / rate.total < 0.8, "both sides of the clearance must occur"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("offset", [1e8, 1e10, 1e12])
def test_the_default_tolerance_respects_rounding(offset: float, method: Method) -> None:
    """Boxes far from the origin, by vertices or by poses, that meet at t = 0.5 are decided."""
    vertices, faces = box((2, 2, 2))
    away = np.array([offset, -offset, offset])
    move = [pose(at) for at in ((0.1, 0, 4), (0.1, 0, 0))]
    far = tc.Mesh(vertices + away, faces)
    by_vertices = tc.first_contact(far, far, tc.Motion.linear(*move), method=method)
    here, start, end = tc.Mesh(vertices, faces), move[0].copy(), move[1].copy()
    start[:3, 3] += away
    end[:3, 3] += away
    by_poses = tc.first_contact(here, here, tc.Motion.linear(start, end), pose(away), method=method)
    for answer in (by_vertices, by_poses):
        assert answer.status is tc.Status.CONTACT
        assert 0.5 - (answer.tolerance + 1e-12 * offset) / 4 <= answer.toc <= 0.5 + 1e-12 * offset


def at_rest(rng: np.random.Generator) -> Case:
    """Draw two bodies at rest, apart from each other."""
    a, b = (tetrahedron() if rng.random() < 0.5 else box() for _ in range(2))
    apart = rng.normal(size=3)
    apart *= rng.uniform(2, 4) / np.linalg.norm(apart)
    rest = (fixed(pose(at, random_rotation(rng))) for at in (apart, (0.0, 0.0, 0.0)))
    return Case(a, b, *rest, tolerance=2.0**-30)


@pytest.mark.parametrize("method", METHODS)
def test_distances_are_decided_by_their_last_digit(method: Method) -> None:
    rng = np.random.default_rng(46)
    for k in range(cases(30)):
        case = at_rest(rng)
        distance = distance_at(*case.bodies(), 0)
        below = float(np.nextafter(float(distance), 0)) - case.tolerance
        assert distance - below > case.tolerance, "in many digits"
        with naming(f"example {k}"):
            apart = ask(case, method=method, separation=below)
            assert apart.status is tc.Status.FREE, "farther apart than s + e"
            above = float(np.nextafter(float(distance), 9))
            within = ask(case, method=method, separation=above)
            assert within.status is tc.Status.INITIAL_OVERLAP


@pytest.mark.parametrize("method", METHODS)
def test_a_slow_approach_of_fast_bodies_is_found(method: Method) -> None:
    """Single precision resolves their speeds to 0.06; they approach at 1."""
    rng = np.random.default_rng(47)
    cube = tc.Mesh(*box())
    for k in range(cases(20)):
        turn, gap = random_rotation(rng), rng.uniform(0.1, 0.9)
        flight = turn @ (rng.normal(size=3) * 1e6)
        start = turn @ (1 + gap, 0.2, 0.3)
        a = tc.Motion.twist(pose(start, turn), linear=flight - turn[:, 0], angular=(0, 0, 0))
        b = tc.Motion.twist(pose((0, 0, 0), turn), linear=flight, angular=(0, 0, 0))
        found = tc.first_contact(cube, cube, a, b, method=method, tolerance=1e-4)
        with naming(f"example {k}"):
            assert gap - 1e-4 - 1e-8 <= found.toc <= gap + 1e-8
