"""Surfaces given by Python functions, and what is refused."""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import surfaces


def towards() -> tc.Motion:
    """Move three units against the x axis."""
    return tc.Motion.twist(
        tc.pose((3.0, 0.1, 0.2)), linear=(-3.0, 0.0, 0.0), angular=(0.0, 0.0, 0.0)
    )


def _interval_cos(lo: float, hi: float) -> tuple[float, float]:
    ends = np.cos((lo, hi))
    whole = 2 * pi
    top = np.floor(hi / whole) * whole >= lo
    bottom = np.floor((hi - pi) / whole) * whole + pi >= lo
    return (-1.0 if bottom else ends.min() - 1e-15), (1.0 if top else ends.max() + 1e-15)


def _ball_enclosure(u0: float, u1: float, v0: float, v1: float) -> Any:
    def times(x: Any, y: Any) -> tuple[float, float]:
        products = np.outer(x, y)
        return products.min() - 1e-15, products.max() + 1e-15

    across = _interval_cos(v0, v1)
    x = times(_interval_cos(u0, u1), across)
    y = times(_interval_cos(u0 - pi / 2, u1 - pi / 2), across)
    return np.transpose((x, y, _interval_cos(v0 - pi / 2, v1 - pi / 2)))


def _ball_point(u: float, v: float) -> Any:
    return np.cos(u) * np.cos(v), np.sin(u) * np.cos(v), np.sin(v)


def _ball_value(lo: Any, hi: Any) -> tuple[float, float]:
    least = np.where((lo <= 0) & (hi >= 0), 0.0, np.minimum(lo**2, hi**2))
    return least.sum() - 1 - 1e-15, np.maximum(lo**2, hi**2).sum() - 1 + 1e-15


RANGES = (-pi, pi), (-pi / 2, pi / 2)
CUBE = np.array([(-1.1, -1.1, -1.1), (1.1, 1.1, 1.1)])


def custom_balls() -> dict[str, tuple[tc.Surface, float]]:
    """Unit spheres by functions, with the tolerance that each can serve in a short time."""
    Patch, Implicit = surfaces.ParametricSurface, surfaces.ImplicitSurface
    return {
        "bend": (Patch(_ball_point, _ball_enclosure, *RANGES, bend=(1.0, 1.0)), 1e-6),
        "no bend": (Patch(_ball_point, _ball_enclosure, *RANGES), 1e-3),
        "gradient": (Implicit(_ball_value, CUBE, gradient=lambda a, b: (2 * a, 2 * b)), 1e-6),
        "no gradient": (Implicit(_ball_value, CUBE), 0.2),
    }


@pytest.mark.slow
def test_surfaces_given_by_functions() -> None:
    exact = (3 - sqrt(4 - 0.1**2 - 0.2**2)) / 3
    motion = towards()
    for name, (ball, tolerance) in custom_balls().items():
        found = tc.first_contact(ball, surfaces.sphere(1.0), motion, tolerance=tolerance)
        assert found.status is tc.Status.CONTACT, name
        assert exact - tolerance < found.toc <= exact + 1e-9, name
        distances = np.linalg.norm(ball.triangulate(16).vertices, axis=1)
        assert np.quantile(abs(distances - 1), 0.9) < 1e-4, name


@pytest.mark.slow
def test_threads_wait_for_each_other_and_agree() -> None:
    ball = surfaces.ParametricSurface(_ball_point, _ball_enclosure, *RANGES, bend=(1.0, 1.0))
    ends = (np.tile(towards().pose(t), (20, 1, 1)) for t in (0.0, 1.0))
    batch = tc.first_contact_batch(ball, ball, *ends, tolerance=1e-3, threads=4)
    assert (batch.toc == batch.toc[0]).all()
    assert (batch.status == tc.Status.CONTACT).all()


@pytest.mark.slow
def test_too_fine_a_tolerance_is_undecided_not_endless() -> None:
    ball = surfaces.ParametricSurface(_ball_point, _ball_enclosure, *RANGES)
    found = tc.first_contact(ball, surfaces.sphere(1.0), towards(), tolerance=1e-9)
    assert found.status in (tc.Status.UNDECIDED, tc.Status.CONTACT)
    assert 0 < found.safe_until <= (3 - sqrt(4 - 0.1**2 - 0.2**2)) / 3 + 1e-9


def test_bad_input() -> None:
    cases: list[tuple[str, Any]] = [
        ("radius", lambda: surfaces.sphere(0.0)),
        ("radius", lambda: surfaces.sphere(np.nan)),
        ("radius", lambda: surfaces.implicit_sphere(-1.0)),
        ("surface", lambda: surfaces.sphere(1e300)),
        ("major", lambda: surfaces.torus(inf, 1.0)),
        ("minor", lambda: surfaces.torus(1.0, 1.0)),
        ("minor", lambda: surfaces.implicit_torus(1.0, 0.0)),
        ("control_points", lambda: surfaces.bicubic_patch(np.zeros((3, 4, 3)))),
        ("control_points", lambda: surfaces.bicubic_patch(np.full((4, 4, 3), np.nan))),
        ("n", lambda: surfaces.sphere(1.0).triangulate(0)),
    ]
    patch, implicit = surfaces.ParametricSurface, surfaces.ImplicitSurface
    cases += [
        ("u_range", lambda: patch(_ball_point, _ball_enclosure, (1.0, 0.0), RANGES[1])),
        ("bend", lambda: patch(_ball_point, _ball_enclosure, *RANGES, bend=(-1.0, 1.0))),
        ("point", lambda: patch(lambda u, v: (u, v), _ball_enclosure, *RANGES)),
        ("enclose", lambda: patch(_ball_point, lambda *ends: (CUBE[1], CUBE[0]), *RANGES)),
        ("enclose", lambda: patch(lambda u, v: (5, 0, 0), _ball_enclosure, *RANGES)),
        ("box", lambda: implicit(_ball_value, CUBE[::-1])),
        ("box", lambda: implicit(_ball_value, CUBE[0])),
        ("value", lambda: implicit(lambda lo, hi: (np.nan, 0.0), CUBE)),
        ("surface", lambda: implicit(lambda lo, hi: (1.0, 2.0), CUBE)),
    ]
    cases += [
        ("enclose", lambda: patch(_ball_point, lambda *ends: ends, *RANGES)),
        ("gradient", lambda: implicit(_ball_value, CUBE, gradient=lambda lo, hi: (lo, hi, hi))),
    ]
    for name, make in cases:
        with pytest.raises(ValueError, match=f"^{name}: expected"):
            make()
    wrong: list[tuple[str, Any]] = [
        ("radius: expected a number, got 'x'", lambda: surfaces.sphere("x")),  # type: ignore[arg-type]
        ("point: expected a function, got 3", lambda: patch(3, _ball_enclosure, *RANGES)),
        ("enclose: expected a function, got None", lambda: patch(_ball_point, None, *RANGES)),
        ("enclose: expected two", lambda: patch(_ball_point, lambda *ends: None, *RANGES)),
        ("value: expected a function, got None", lambda: implicit(None, CUBE)),
        ("value: expected two numbers, got 0.0", lambda: implicit(lambda lo, hi: 0.0, CUBE)),
        ("gradient: expected a function, got 1", lambda: implicit(_ball_value, CUBE, gradient=1)),
        (
            "gradient: expected two",
            lambda: implicit(_ball_value, CUBE, gradient=lambda lo, hi: (1, 2)),
        ),
    ]
    for message, make in wrong:
        with pytest.raises(TypeError, match=f"^{message}"):
            make()
    with pytest.raises(TypeError, match="Surface"):
        tc.Surface()


def test_errors_of_functions_come_through() -> None:
    calls = {"left": inf}

    def enclose(*ends: float) -> Any:
        calls["left"] -= 1
        if calls["left"] < 0:
            raise KeyError("from the function")
        return _ball_enclosure(*ends)

    ball = surfaces.ParametricSurface(_ball_point, enclose, *RANGES)
    calls["left"] = 20
    motion = towards()
    with pytest.raises(KeyError, match="from the function"):
        tc.first_contact(ball, ball, motion, tolerance=1e-3)
    ends = (np.tile(motion.pose(t), (40, 1, 1)) for t in (0.0, 1.0))
    with pytest.raises(KeyError, match="from the function"):
        tc.first_contact_batch(ball, ball, *ends, tolerance=1e-3, threads=2)
