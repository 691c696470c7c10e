"""The exact oracle of linear features: known answers, samples, its parts against each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isclose, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import shared_data
from .deforming_cases import MAKERS, sample
from .linear_distance import Approach, closest_approach, distance_within, first_within
from .linear_features import KINDS, Kind, first_contact, first_contacts, touches, touching
from .polynomials import Poly, Root, multiply, roots, sign_at, sign_at_dyadic
from .size import cases

FACE = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]


def ask(kind: Kind, start: Any, end: Any) -> float | None:
    """Return the first contact time of integer points as a double, or None."""
    frames = [[[float(x) for x in row] for row in frame] for frame in (start, end)]
    found = first_contact(kind, *frames)
    assert touches(kind, *frames) == (found is not None)
    if found is None:
        return None
    lo, hi = found.bounds()
    assert lo <= hi and isclose(lo, hi, rel_tol=1e-15, abs_tol=1e-15)
    return (lo + hi) / 2


def falling(start: Any, end: Any, face: Any = FACE) -> float | None:
    return ask("vertex-face", [start, *face], [end, *face])


def crossing(a0: Any, a1: Any, b0: Any, b1: Any, move: Any) -> float | None:
    """Return two edges; the first one moves."""
    moved = [tuple(x + d for x, d in zip(p, move, strict=True)) for p in (a0, a1)]
    return ask("edge-edge", [a0, a1, b0, b1], [*moved, b0, b1])


# --- polynomials ------------------------------------------------------------------------------


def product(*factors: tuple[int, int]) -> Poly:
    """Return the polynomial with roots p / q."""
    result = [1]
    for p, q in factors:
        result = multiply(result, [-p, q - p])
    return result


coefficients = st.lists(st.integers(-50, 50), min_size=1, max_size=5)


@given(st.lists(st.tuples(st.integers(-2, 7), st.integers(1, 6)), min_size=1, max_size=5))
def test_rational_roots_are_found_once_and_in_order(factors: list[tuple[int, int]]) -> None:
    expected = sorted({Fraction(*f) for f in factors if 0 <= Fraction(*f) <= 1})
    found = roots(product(*factors))
    assert len(found) == len(expected)
    for root, value in zip(found, expected, strict=True):
        lo, hi = root.bounds()
        assert lo <= value <= hi and hi - lo < 1e-15
        p, q = value.as_integer_ratio()
        assert sign_at([-p, q - p], root) == 0, "a factor vanishes at its root, exactly"
        assert sign_at([-p * 1000 - 1, (q - p) * 1000 - 1], root) == -1


@given(coefficients, coefficients)
def test_signs_at_roots_agree_with_fine_brackets(p: Poly, q: Poly) -> None:
    for root in roots(p) if any(p) else ():
        sign = sign_at(q, root)
        root.refine(200)
        ends = (root.m, root.m if root.exact else root.m + 1)
        signs = {sign_at_dyadic(q, m, root.k) for m in ends}
        if sign:
            assert signs == {sign}
        else:
            assert not any(q) or any(r.compare(root) == 0 for r in roots(q))


@given(coefficients)
def test_no_root_is_missed(p: Poly) -> None:
    if not any(p):
        return
    signs = [sign_at_dyadic(p, m, 8) for m in range(257)]
    found = roots(p)
    changes = [m for m in range(256) if signs[m] * signs[m + 1] < 0]
    zeros = [m for m in range(257) if signs[m] == 0]
    assert len(found) >= len(changes) + len(zeros)
    for m in changes:
        assert any(m / 256 <= r.bounds()[1] and r.bounds()[0] <= (m + 1) / 256 for r in found)
    assert all(a.compare(b) < 0 and b.compare(a) > 0 for a, b in pairwise(found))


def test_numbers_are_ordered_exactly() -> None:
    half = roots([-1, 0, 1])[0]  # t^2 = (1 - t)^2
    root = roots([-1, -2, 1])[0]  # 2 t^2 = 1
    lo, hi = root.bounds()
    assert lo < sqrt(0.5) < hi or isclose(lo, sqrt(0.5), rel_tol=1e-15)
    assert root.compare(half) == 1 and half.compare(root) == -1
    again = roots(multiply([-1, -2, 1], [1, 5]))[0]
    assert root.compare(again) == 0
    assert Root.dyadic(0.5).compare(half) == 0
    assert Root.dyadic(float(np.nextafter(0.5, 1))).compare(half) == 1


# --- known answers ----------------------------------------------------------------------------


def test_a_vertex_that_falls_on_a_face_has_a_known_time() -> None:
    assert falling((1, 1, 1), (1, 1, -2)) == pytest.approx(1 / 3, abs=1e-15)
    assert falling((1, 1, 1), (1, 1, 0)) == 1.0
    assert falling((1, 1, 0), (1, 1, 5)) == 0.0
    assert falling((2, 2, 1), (2, 2, -1)) == 0.5, "on the rim"
    assert falling((0, 0, 1), (0, 0, -1)) == 0.5, "at a corner"
    assert falling((3, 2, 1), (3, 2, -1)) is None
    assert falling((1, 1, 2), (1, 1, 1)) is None


def test_a_vertex_in_the_plane_of_a_face_has_a_known_time() -> None:
    assert falling((-1, 1, 0), (1, 1, 0)) == 0.5
    assert falling((-1, -1, 0), (5, 5, 0)) == pytest.approx(1 / 6, abs=1e-15)
    assert falling((-2, 0, 0), (-1, 4, 0)) is None
    assert falling((-1, 1, 0), (0, 1, 0)) == 1.0


def test_faces_without_area_have_known_times() -> None:
    line, point = [(0, 0, 0), (2, 0, 0), (1, 0, 0)], [(1, 1, 1)] * 3
    assert falling((1, -1, 0), (1, 1, 0), line) == 0.5
    assert falling((3, -1, 0), (3, 1, 0), line) is None
    assert falling((-1, 0, 0), (3, 0, 0), line) == 0.25
    assert falling((0, 0, 0), (2, 2, 2), point) == 0.5
    assert falling((1, 1, 1), (1, 1, 1), point) == 0.0
    assert falling((0, 0, 0), (2, 2, 3), point) is None


def test_a_face_without_area_at_one_time_has_a_known_time() -> None:
    start = [(0, 0, 0), (-1, 0, -1), (1, 0, -1), (0, 0, 1)]
    end = [(0, 0, 0), (-1, 0, 1), (1, 0, 1), (0, 0, -1)]
    assert ask("vertex-face", start, end) == 0.0
    lifted = [(0, 1, 0), *end[1:]]
    assert ask("vertex-face", [(0, -1, 0), *start[1:]], lifted) == 0.5
    beside = [(2, 1, 0), *end[1:]]
    assert ask("vertex-face", [(2, -1, 0), *start[1:]], beside) is None


def test_edges_that_cross_have_a_known_time() -> None:
    a, b = ((-1, 0, 1), (1, 0, 1)), ((0, -1, 0), (0, 1, 0))
    assert crossing(*a, *b, (0, 0, -3)) == pytest.approx(1 / 3, abs=1e-15)
    assert crossing(*a, *b, (0, 0, -1)) == 1.0
    assert crossing(*a, (2, -1, 0), (2, 1, 0), (0, 0, -2)) is None
    assert crossing(*a, (1, 0, 0), (1, 1, 0), (0, 0, -2)) == 0.5, "end on end"


def test_parallel_edges_have_known_times() -> None:
    a = ((0, 0, 1), (1, 0, 1))
    assert crossing(*a, (0, 0, 0), (1, 0, 0), (0, 0, -2)) == 0.5
    assert crossing(*a, (1, 0, 0), (3, 0, 0), (0, 0, -2)) == 0.5
    assert crossing(*a, (2, 0, 0), (3, 0, 0), (0, 0, -2)) is None
    assert crossing(*a, (3, 0, 1), (5, 0, 1), (4, 0, 0)) == 0.5, "one after the other on a line"
    assert crossing(*a, (2, 0, 0), (2, 0, 0), (2, 0, -2)) == 0.5, "an edge without length"


def test_coinciding_points_have_known_times() -> None:
    p = (1, 2, 3)
    assert ask("edge-edge", [p] * 4, [p] * 4) == 0.0
    assert ask("edge-edge", [p, p, (0, 0, 0), (0, 0, 0)], [(0, 0, 0), (0, 0, 0), p, p]) == 0.5
    assert ask("vertex-face", [p] * 4, [(4, 4, 4)] * 4) == 0.0


def test_an_irrational_time_is_exact() -> None:
    # The face is in the plane z = t y, the vertex at y = 1 + t, z = 1: contact where t + t^2 = 1.
    start = [(0, 1, 1), (-4, 0, 0), (4, 0, 0), (0, 4, 0)]
    end = [(0, 2, 1), (-4, 0, 0), (4, 0, 0), (0, 4, 4)]
    assert ask("vertex-face", start, end) == pytest.approx((sqrt(5) - 1) / 2, abs=1e-15)


# --- real queries -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shared_data.parameters("queries"))
def test_contacts_agree_with_exact_data_of_others(name: str) -> None:
    queries = shared_data.queries(name)
    found = touching(queries.kind, queries.start, queries.end)
    assert (found == queries.collides).all()


# --- parts against each other -----------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
def test_contact_agrees_with_distance(name: str, kind: Kind) -> None:
    drawn = sample(name, kind, cases(80), seed=5)
    exact = first_contacts(kind, drawn.start, drawn.end)
    assert 0.02 < np.mean([t is not None for t in exact]) < 0.98
    for start, end, time in zip(drawn.start.tolist(), drawn.end.tolist(), exact, strict=True):
        assert touches(kind, start, end) == (time is not None)
        least, most = closest_approach(kind, start, end, 1e-2 * float(np.ptp(start)))
        if time is None:
            assert most > 0, "a distance of zero is a contact"
            continue
        assert least == 0, "apart, but touching"
        lo, hi = time.bounds()
        size = float(np.abs([start, end]).max())
        assert distance_within(kind, start, end, lo, Fraction(size) / 2**40)
        if lo == hi:
            assert distance_within(kind, start, end, lo, Fraction(0))
        for t in np.linspace(0, lo, 6)[:-1].tolist():
            assert lo == 0 or not distance_within(kind, start, end, t, Fraction(0)), "sooner"


@pytest.mark.parametrize("kind", KINDS)
def test_distances_agree_with_dense_samples(kind: Kind) -> None:
    drawn, rng = sample("anywhere", kind, 12, seed=6), np.random.default_rng(6)
    shares = rng.dirichlet([0.3] * 3, size=400) if kind == "vertex-face" else rng.random((400, 2))
    for start, end in zip(drawn.start, drawn.end, strict=True):
        approach = Approach(kind, start.tolist(), end.tolist())
        distances = []
        for m in range(17):
            x = start + (end - start) * (m / 16)
            if kind == "vertex-face":
                gaps = x[0] - shares @ x[1:]
            else:
                first = x[0] + shares[:, :1] * (x[1] - x[0])
                gaps = first - (x[2] + shares[:, 1:] * (x[3] - x[2]))
            sampled, exact = np.linalg.norm(gaps, axis=1).min(), approach.most(m, 4)
            assert exact * (1 - 1e-9) <= sampled <= exact + 0.35, "the sample is that coarse"
            assert approach.within(Fraction(exact), m, 4)
            assert not approach.within(Fraction(exact * (1 - 1e-9)), m, 4)
            distances.append(exact)
        least, most = closest_approach(kind, start.tolist(), end.tolist(), 1e-4)
        assert least <= min(distances) and most <= min(distances) * (1 + 1e-9) + 1e-4
        assert most - least <= 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_time_within_a_level_is_bracketed(kind: Kind) -> None:
    drawn = sample("aimed", kind, cases(30), seed=7)
    level, reached = Fraction(1, 16), 0
    for start, end in zip(drawn.start.tolist(), drawn.end.tolist(), strict=True):
        found = first_within(kind, start, end, level)
        inside = [distance_within(kind, start, end, k / 64, level) for k in range(65)]
        if found.free:
            assert not any(inside)
            continue
        if found.hi is not None:
            reached += 1
            assert found.lo <= found.hi < found.lo + Fraction(1, 10**9)
            assert Approach(kind, start, end).within(
                level, found.hi.numerator, found.hi.denominator.bit_length() - 1
            )
        assert not any(x for k, x in enumerate(inside) if k / 64 < found.lo)
    assert 0.2 < reached / len(drawn.start) < 0.95


def test_a_level_that_is_reached_exactly_is_bracketed() -> None:
    start = [[1.0, 1.0, 3.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]
    end = [[1.0, 1.0, 1.0], *start[1:]]
    found = first_within("vertex-face", start, end, Fraction(2))
    assert found.hi is not None and found.lo <= Fraction(1, 2) <= found.hi
    assert first_within("vertex-face", start, end, Fraction(1)).hi == 1
    assert first_within("vertex-face", start, end, Fraction(999, 1000)).free
    assert first_within("vertex-face", start, start, Fraction(3)).hi == 0
    assert closest_approach("vertex-face", start, end, 1e-9) == pytest.approx((1, 1))
