"""Input from hypothesis: legal input keeps the contract, bad input is refused."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import size
from oracles.cases import Case, Path, fixed, linear, screw, twist
from oracles.contract import assert_contract, assert_not_late
from oracles.shapes import Shape, box, pose, random_rotation, sphere, tetrahedron, wedge
from oracles.truth import Truth, exact_truth

import toccata as tc
from toccata._options import Method

from .asking import METHODS, HitRate, ask, naming

Array = NDArray[np.float64]

# Samples of hypothesis depend on the loaded modules and are less even than drawn samples.
LEAST = 0.1

# Small dyadic numbers make coincidences (equal, parallel, touching); the others make rounding.
coordinates = st.one_of(
    st.integers(-4, 4).map(lambda k: k / 4),
    st.floats(-1, 1, allow_nan=False, width=32),
    st.sampled_from([1e-9, -1e-9, 1 / 3, 1e-300, 0.1]),
)
vectors = st.tuples(coordinates, coordinates, coordinates)
SMALL = (box(), tetrahedron(), wedge(), sphere(3, 4))


@st.composite
def soups(draw: st.DrawFn, degenerate: bool) -> Shape:
    """Draw a few triangles over few vertices, with shared, repeated and degenerate triangles."""
    points = draw(st.lists(vectors, max_size=4))
    if not points or not degenerate:
        points = [(-1.5, -1.5, 0.0), (1.5, -1.5, 0.0), (0.0, 1.5, 0.5), *points]
    corner = st.integers(0, len(points) - 1)
    faces = draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=4))
    if len(points) >= 3:
        faces = [(0, 1, 2), *faces]
    return np.array(points, dtype=float), np.array(faces, dtype=np.int32)


def bodies(rng: np.random.Generator) -> st.SearchStrategy[Shape]:
    """Draw soups, and some closed shapes."""
    if rng.random() < 0.25:
        return st.sampled_from(SMALL)
    return soups(bool(rng.random() < 0.2))


@st.composite
def rotations(draw: st.DrawFn) -> Array:
    """Draw rotations: exact right angles, and any others."""
    if draw(st.booleans()):
        order = draw(st.permutations(range(3)))
        signs = draw(st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3))
        matrix: Array = np.eye(3)[list(order)] * np.array(signs)
        return matrix if np.linalg.det(matrix) > 0 else -matrix
    return random_rotation(np.random.default_rng(draw(st.integers(0, 2**32))))


@st.composite
def paths(draw: st.DrawFn, start: Array, end: Array) -> Path:
    """Draw any motion except half turns between two poses, whose direction rounding decides."""
    kind = draw(st.sampled_from(["linear", "screw", "twist"]))
    half_turn = np.trace(end[:3, :3] @ start[:3, :3].T) < -0.99
    if kind == "twist" or half_turn:
        return twist(start, end[:3, 3] - start[:3, 3], np.multiply(draw(vectors), 4))
    return linear(start, end, draw(vectors)) if kind == "linear" else screw(start, end)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw two soups; the first flies past or through the second."""
    separation = draw(st.sampled_from([0.0, 0.0, 0.125]))
    tolerance = draw(st.sampled_from([1e-2, 1e-4, 1e-6]))
    # Hypothesis repeats values, which makes one-sided samples, so the aim is random.
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    miss = np.array([0.0, 0.0, rng.choice([0, 1, 1]) * rng.uniform(1, 4)])
    away = np.array([rng.choice([4.0, 4.0, 4.0, 0.5]), 0, 0])
    ends = [
        pose(side + miss + np.array(draw(vectors)), draw(rotations())) for side in (away, -away)
    ]
    rest = pose(draw(vectors), draw(rotations()))
    drift = pose(draw(vectors), draw(rotations()))
    path_b = fixed(rest) if draw(st.booleans()) else draw(paths(rest, drift))
    a, b = (draw(bodies(rng)) for _ in range(2))
    return Case(a, b, draw(paths(*ends)), path_b, separation, tolerance)


def judge(case: Case) -> Truth:
    return exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-14)


def test_every_legal_query_keeps_the_contract() -> None:
    """All methods are tested, also with a budget that may run out."""
    rate = HitRate()

    @settings(max_examples=size.cases(40))
    @given(case=cases(), budget=st.integers(1, 50))
    def check(case: Case, budget: int) -> None:
        truth = judge(case)
        rate.add(truth.hit)
        for method in METHODS:
            with naming(method):
                assert_contract(ask(case, method=method), truth)
                scarce = ask(case, method=method, budget=budget)
                assert_contract(scarce, truth, may_be_undecided=True)

    check()
    rate.check(LEAST)


def test_lengths_of_any_size_keep_the_contract() -> None:
    """Lengths from 1e-30 to 1e12: scaling by a power of two is exact, so the answer stays."""
    rate = HitRate()

    @settings(max_examples=size.cases(30))
    @given(case=cases(), exponent=st.integers(-100, 40), method=st.sampled_from(METHODS))
    def check(case: Case, exponent: int, method: Method) -> None:
        truth, contact = judge(case), _ask_scaled(case, 2.0**exponent, method)
        rate.add(truth.hit)
        assert_not_late(contact, truth)
        assert not (truth.near.free and contact), "the bodies stay farther apart than s + e"
        assert contact.toc >= truth.near.lo

    check()
    rate.check(LEAST)


def _ask_scaled(case: Case, factor: float, method: Method) -> Any:
    a, b = (tc.Mesh(points * factor, faces) for points, faces in (case.shape_a, case.shape_b))
    return tc.first_contact(
        a,
        b,
        _scaled(case.path_a, factor),
        _scaled(case.path_b, factor),
        separation=case.separation * factor,
        tolerance=case.tolerance * factor,
        method=method,
    )


def _scaled(path: Path, factor: float) -> Any:
    lengths = np.ones((4, 4))
    lengths[:3, 3] = factor
    values = [x * lengths if np.shape(x) == (4, 4) else x for x in path.arguments]
    if path.kind == "twist":
        return tc.Motion.twist(values[0], linear=np.multiply(values[1], factor), angular=values[2])
    if path.kind == "linear":
        return tc.Motion.linear(values[0], values[1], pivot=np.multiply(values[2], factor))
    return getattr(tc.Motion, path.kind)(*values)


anything = st.one_of(
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.none(),
    st.text(max_size=3),
    st.lists(st.floats(), max_size=5),
    st.lists(st.lists(st.floats(width=16), min_size=3, max_size=3), max_size=4),
    st.sampled_from([np.eye(4), np.eye(3), np.zeros((2, 3)), np.array(["x"]), object()]),
)


triples = st.lists(st.tuples(*3 * [st.integers(-1, 6)]), min_size=1, max_size=4)
positions = st.lists(st.tuples(*3 * [st.floats(-10, 10)]), min_size=6, max_size=8)


def test_any_mesh_is_made_or_refused() -> None:
    rate = HitRate()

    @settings(max_examples=size.cases(100))
    @given(st.one_of(st.tuples(anything, anything), st.tuples(positions, triples)))
    def check(arguments: Any) -> None:
        try:
            mesh = tc.Mesh(*arguments)
        except (ValueError, TypeError) as refusal:
            rate.add(False)
            named = [name for name in ("vertices", "faces") if name in str(refusal)]
            if not named:
                raise AssertionError("the refusal names no argument") from refusal
            return
        rate.add(True)
        assert np.isfinite(mesh.vertices).all()
        assert len(mesh.faces)
        assert mesh.faces.min() >= 0
        assert mesh.faces.max() < len(mesh.vertices)

    check()
    rate.check(LEAST)


def test_any_motion_is_made_or_refused() -> None:
    rate, good = HitRate(), np.eye(4)

    @settings(max_examples=size.cases(100))
    @given(
        value=st.one_of(anything, vectors, st.builds(pose, vectors)),
        kind=st.sampled_from(["fixed", "linear", "screw", "twist"]),
    )
    def check(value: Any, kind: str) -> None:
        calls = {
            "fixed": lambda: tc.Motion.fixed(value),
            "linear": lambda: tc.Motion.linear(good, good, pivot=value),
            "screw": lambda: tc.Motion.screw(good, value),
            "twist": lambda: tc.Motion.twist(good, linear=value, angular=(0, 0, 1)),
        }
        try:
            motion = calls[kind]()
        except (ValueError, TypeError):
            rate.add(False)
            return
        rate.add(True)
        assert np.isfinite(motion.pose(0.5)).all()

    check()
    rate.check(LEAST)


@settings(max_examples=size.cases(100))
@given(
    tolerance=st.floats(),
    separation=st.floats(),
    method=st.sampled_from([*METHODS, "none"]),
    initial=st.sampled_from(["report", "ignore_separating", "none"]),
    budget=st.one_of(st.none(), st.integers(-5, 10**6)),
)
def test_any_options_are_accepted_or_refused(
    tolerance: float, separation: float, method: Any, initial: Any, budget: int | None
) -> None:
    mesh = tc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    move = tc.Motion.linear(pose((0, 0, 2)), pose((0, 0, -2)))
    legal = 0 < tolerance < inf and 0 <= separation < inf and "none" not in (method, initial)
    legal = legal and (budget is None or budget > 0)
    try:
        contact = tc.first_contact(
            mesh,
            mesh,
            move,
            tolerance=tolerance,
            separation=separation,
            method=method,
            initial=initial,
            budget=budget,
        )
    except ValueError as refusal:
        # A legal tolerance may still be too fine for doubles at these coordinates.
        if legal and "rounding" not in str(refusal):
            raise AssertionError("refused legal options") from refusal
        return
    assert legal
    assert not isnan(contact.toc)
    assert contact, "the triangles pass through each other"
