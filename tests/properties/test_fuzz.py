"""Anything that hypothesis can think of: legal input keeps the contract, bad input is refused."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

import numpy as np
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles.cases import Case, Path, fixed, linear, screw, twist
from oracles.contract import assert_contract, assert_not_late
from oracles.shapes import Shape, pose
from oracles.truth import exact_truth

import toccata as tc

from .asking import METHODS, ask

Array = NDArray[np.float64]

# Small dyadic numbers make coincidences (equal, parallel, touching); the others make rounding.
coordinates = st.one_of(
    st.integers(-8, 8).map(lambda k: k / 4),
    st.floats(-2, 2, allow_nan=False, width=32),
    st.sampled_from([1e-9, -1e-9, 1 / 3, 1e-300, 0.1]),
)
vectors = st.tuples(coordinates, coordinates, coordinates)


@st.composite
def soups(draw: st.DrawFn) -> Shape:
    """Up to four triangles over few vertices: shared, repeated and degenerate ones included."""
    points = draw(st.lists(vectors, min_size=1, max_size=5))
    corner = st.integers(0, len(points) - 1)
    faces = draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=4))
    return np.array(points, dtype=float), np.array(faces, dtype=np.int32)


@st.composite
def rotations(draw: st.DrawFn) -> Array:
    """Right-angled ones, exactly, and any others."""
    if draw(st.booleans()):
        order = draw(st.permutations(range(3)))
        signs = draw(st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3))
        matrix = np.eye(3)[list(order)] * np.array(signs)
        return matrix if np.linalg.det(matrix) > 0 else -matrix
    w, x, y, z = draw(st.tuples(*[st.floats(-1, 1, width=32)] * 4))
    length = (w * w + x * x + y * y + z * z) ** 0.5
    assume(length > 0.1)
    w, x, y, z = w / length, x / length, y / length, z / length
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


poses = st.builds(pose, vectors, rotations())


@st.composite
def paths(draw: st.DrawFn) -> Path:
    """Any motion but those that turn by half a turn: their direction is a matter of rounding."""
    kind = draw(st.sampled_from(["fixed", "linear", "screw", "twist"]))
    start, end = draw(poses), draw(poses)
    if kind == "fixed":
        return fixed(start)
    if kind == "twist":
        return twist(start, draw(vectors), draw(vectors))
    assume(np.trace(end[:3, :3] @ start[:3, :3].T) > -0.99)
    return linear(start, end, draw(vectors)) if kind == "linear" else screw(start, end)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Two soups on two paths."""
    separation = draw(st.sampled_from([0.0, 0.0, 0.125, 1.0]))
    tolerance = draw(st.sampled_from([1e-2, 1e-4, 1e-6]))
    return Case(draw(soups()), draw(soups()), draw(paths()), draw(paths()), separation, tolerance)


@settings(max_examples=120)
@given(case=cases(), method=st.sampled_from(METHODS))
def test_every_legal_question_keeps_the_contract(case: Case, method: str) -> None:
    contact = ask(case, method=method)
    event(contact.status.name)
    truth = exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-14)
    assert_contract(contact, truth)


@settings(max_examples=60)
@given(case=cases(), method=st.sampled_from(METHODS), budget=st.integers(1, 50))
def test_no_budget_makes_a_false_answer(case: Case, method: str, budget: int) -> None:
    contact = ask(case, method=method, budget=budget)
    event(contact.status.name)
    truth = exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-14)
    assert_contract(contact, truth, may_be_undecided=True)


@settings(max_examples=60)
@given(case=cases(), exponent=st.integers(-100, 100), method=st.sampled_from(METHODS))
def test_no_size_breaks_an_answer(case: Case, exponent: int, method: str) -> None:
    """Lengths from 1e-30 to 1e30: scaling by a power of two is exact, so the answer stays."""
    factor = 2.0**exponent
    shapes = [tc.Mesh(points * factor, faces) for points, faces in (case.shape_a, case.shape_b)]
    contact = tc.first_contact(
        *shapes,
        _scaled(case.path_a, factor),
        _scaled(case.path_b, factor),
        separation=case.separation * factor,
        tolerance=case.tolerance * factor,
        method=method,
    )
    event(contact.status.name)
    truth = exact_truth(*case.bodies(), case.separation, case.tolerance, 1e-14)
    assert_not_late(contact, truth)
    assert not (truth.near.free and contact), "the bodies stay farther apart than s + e"
    assert contact.toc >= truth.near.lo


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


@settings(max_examples=300)
@given(vertices=anything, faces=anything)
def test_a_mesh_is_made_or_refused(vertices: Any, faces: Any) -> None:
    try:
        mesh = tc.Mesh(vertices, faces)
    except (ValueError, TypeError) as refusal:
        named = [name for name in ("vertices", "faces") if name in str(refusal)]
        if not named:
            raise AssertionError("the refusal names no argument") from refusal
        return
    assert np.isfinite(mesh.vertices).all()
    assert len(mesh.faces)
    assert mesh.faces.min() >= 0
    assert mesh.faces.max() < len(mesh.vertices)


@settings(max_examples=300)
@given(value=anything, kind=st.sampled_from(["fixed", "linear", "screw", "twist"]))
def test_a_motion_is_made_or_refused(value: Any, kind: str) -> None:
    good = np.eye(4)
    calls = {
        "fixed": lambda: tc.Motion.fixed(value),
        "linear": lambda: tc.Motion.linear(good, good, pivot=value),
        "screw": lambda: tc.Motion.screw(good, value),
        "twist": lambda: tc.Motion.twist(good, linear=value, angular=(0, 0, 1)),
    }
    try:
        motion = calls[kind]()
    except (ValueError, TypeError):
        return
    assert np.isfinite(motion.pose(0.5)).all()


@settings(max_examples=300)
@given(
    tolerance=st.floats(),
    separation=st.floats(),
    method=st.sampled_from([*METHODS, "none"]),
    initial=st.sampled_from(["report", "ignore_separating", "none"]),
    budget=st.one_of(st.none(), st.integers(-5, 10**6)),
)
def test_options_are_taken_or_refused(
    tolerance: float, separation: float, method: str, initial: str, budget: int | None
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
    except ValueError:
        assert not legal
        return
    assert legal
    assert not isnan(contact.toc)
    assert contact, "the triangles pass through each other"
