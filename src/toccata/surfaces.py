"""Curved surfaces as bodies: parametric patches x = P(u, v) and implicit surfaces f(x) = 0.

Queries accept a Surface wherever they accept a Mesh. Contacts are certified against the surface
itself, not against a triangulation. In answers, `triangle_a` and `triangle_b` are indices of cells
of the surface, and the feature is "surface". Surfaces are never solid: a body that starts wholly
inside a surface does not touch it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_number, as_shape, as_whole, came
from toccata._mesh import Mesh
from toccata._native import core
from toccata._surface_checks import (
    as_box,
    as_function,
    as_interval,
    as_pair,
    as_range,
    check_patch,
)

__all__ = [
    "ImplicitSurface",
    "ParametricSurface",
    "Surface",
    "bicubic_patch",
    "implicit_sphere",
    "implicit_torus",
    "sphere",
    "torus",
]

Point = Callable[[Any, Any], Any]
"""Function (u, v) -> (x, y, z)."""


class Surface(Mesh):
    """A curved body, made by the functions and classes of `toccata.surfaces`.

    A surface has no vertices and faces; `triangulate` returns a mesh close to it.
    """

    __slots__ = ("_functions", "_made", "_name", "_point", "_ranges")
    _made: tuple[Any, tuple[Any, ...]]
    """Function and arguments that rebuild the surface."""

    def __init__(self) -> None:
        """Raise TypeError: functions of `toccata.surfaces` make surfaces."""
        raise TypeError("Surface: call a function or class of toccata.surfaces")

    def _set(
        self,
        native: core.Mesh,
        name: str,
        point: Point | None = None,
        ranges: tuple[Floats, ...] = (),
        functions: tuple[Any, ...] = (),
    ) -> None:
        self._core = native
        self._name, self._point, self._ranges = name, point, ranges
        self._functions = functions  # keeps them alive for the core

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the arguments. A surface of Python functions pickles if its functions do."""
        return self._made

    def triangulate(self, n: int = 64) -> Mesh:
        """Return a mesh close to the surface, with about 2 n^2 triangles, for pictures and tests.

        Its vertices lie on the surface. Triangles of an `ImplicitSurface` may overlap or leave
        gaps.
        """
        count = as_whole("n", n)
        if self._point is None:
            quads = core.surface_quads(self._core, count * count)
            corners = np.arange(4 * len(quads), dtype=np.int32).reshape(-1, 4)
            return Mesh(quads.reshape(-1, 3), _two_triangles(corners))
        u, v = (np.linspace(lo, hi, count + 1) for lo, hi in self._ranges)
        vertices = np.array([[self._point(s, t) for t in v] for s in u], dtype=np.float64)
        number = np.arange((count + 1) ** 2, dtype=np.int32).reshape(count + 1, count + 1)
        cells = (number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:])
        corners = np.stack(cells, axis=-1).reshape(-1, 4)
        return Mesh(vertices.reshape(-1, 3), _two_triangles(corners))

    def __repr__(self) -> str:
        return f"Surface({self._name})"


def _two_triangles(corners: Any) -> Any:
    return corners[:, [0, 1, 3, 0, 3, 2]].reshape(-1, 3)


def _surface(
    made: tuple[Any, tuple[Any, ...]],
    native: core.Mesh,
    name: str,
    point: Point,
    ranges: tuple[tuple[float, float], tuple[float, float]],
) -> Surface:
    surface = object.__new__(Surface)
    surface._set(native, name, point, tuple(np.array(pair) for pair in ranges))
    surface._made = made
    return surface


_TURN = (-np.pi, np.pi)
_GLOBE = (_TURN, (-np.pi / 2, np.pi / 2))


def _sphere_point(radius: float) -> Point:
    return lambda u, v: (
        radius * np.cos(u) * np.cos(v),
        radius * np.sin(u) * np.cos(v),
        radius * np.sin(v),
    )


def _torus_point(major: float, minor: float) -> Point:
    return lambda u, v: (
        (major + minor * np.cos(v)) * np.cos(u),
        (major + minor * np.cos(v)) * np.sin(u),
        minor * np.sin(v),
    )


def sphere(radius: float) -> Surface:
    """Return a sphere around the origin, parameterized by longitude and latitude."""
    radius = as_number("radius", radius, least=0, open_end=True)
    native, name = core.sphere(radius), f"sphere, {radius:g}"
    return _surface((sphere, (radius,)), native, name, _sphere_point(radius), _GLOBE)


def implicit_sphere(radius: float) -> Surface:
    """Return the sphere x^2 + y^2 + z^2 = radius^2 as an implicit surface."""
    radius = as_number("radius", radius, least=0, open_end=True)
    native, name = core.implicit_sphere(radius), f"implicit sphere, {radius:g}"
    return _surface((implicit_sphere, (radius,)), native, name, _sphere_point(radius), _GLOBE)


def torus(major: float, minor: float) -> Surface:
    """Return a torus about z: a tube of radius `minor` around a circle of radius `major`."""
    ring = _ring(major, minor)
    native, name = core.torus(*ring), f"torus, {ring[0]:g}, {ring[1]:g}"
    return _surface((torus, ring), native, name, _torus_point(*ring), (_TURN, _TURN))


def implicit_torus(major: float, minor: float) -> Surface:
    """Return the torus (sqrt(x^2 + y^2) - major)^2 + z^2 = minor^2 as an implicit surface."""
    ring = _ring(major, minor)
    native, name = core.implicit_torus(*ring), f"implicit torus, {ring[0]:g}, {ring[1]:g}"
    return _surface((implicit_torus, ring), native, name, _torus_point(*ring), (_TURN, _TURN))


def _ring(major: float, minor: float) -> tuple[float, float]:
    major = as_number("major", major, least=0, open_end=True)
    minor = as_number("minor", minor, least=0, open_end=True)
    if not minor < major:
        raise ValueError(f"minor: expected a radius below major = {major!r}, got {minor!r}")
    return major, minor


def bicubic_patch(control_points: ArrayLike) -> Surface:
    """Return a bicubic Bezier patch.

    Args:
        control_points: control points, (4, 4, 3); the first index belongs to u in [0, 1], the
            second to v in [0, 1].

    """
    net = np.array(as_shape("control_points", control_points, 4, 4, 3))

    def bernstein(t: float) -> Floats:
        return np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])

    def point(u: float, v: float) -> Floats:
        return np.asarray(bernstein(u) @ np.moveaxis(net, 2, 0) @ bernstein(v))

    native, unit = core.bicubic_patch(net), (0.0, 1.0)
    return _surface((bicubic_patch, (net,)), native, "bicubic patch", point, (unit, unit))


class ParametricSurface(Surface):
    """A patch x = P(u, v) given by Python functions.

    Queries call the functions for cells of the patch, one thread at a time, so they are slow. The
    functions must not start queries themselves.

    Args:
        point: P, as point(u, v) -> (x, y, z); for pictures, and to check `enclose`.
        enclose: an inclusion function of P: enclose(u_lo, u_hi, v_lo, v_hi) -> (lo, hi), the
            corners of a box that contains P(u, v) for all parameters in the ranges, rounding
            included.
        u_range: lowest and highest u.
        v_range: lowest and highest v.
        bend: bounds on the lengths of the second derivatives of P in u and in v. Without bounds,
            queries converge slowly and need a coarse tolerance.

    """

    __slots__ = ()

    def __init__(
        self,
        point: Callable[[float, float], ArrayLike],
        enclose: Callable[[float, float, float, float], Any],
        u_range: ArrayLike,
        v_range: ArrayLike,
        *,
        bend: ArrayLike | None = None,
    ) -> None:
        """Check the functions on a grid and cut the patch into cells."""
        as_function("point", point)
        as_function("enclose", enclose)
        ranges = (as_range("u_range", u_range), as_range("v_range", v_range))
        bends = np.full(2, np.inf) if bend is None else as_shape("bend", bend, 2)
        if not (bends >= 0).all():
            raise ValueError(f"bend: expected two numbers of at least 0, got {came(bend)}")

        def over(u_lo: float, u_hi: float, v_lo: float, v_hi: float) -> tuple[float, ...]:
            return as_box("enclose", enclose(u_lo, u_hi, v_lo, v_hi))

        check_patch(point, over, *ranges)
        native = core.parametric_surface(
            over, as_pair(bends), as_pair(ranges[0]), as_pair(ranges[1])
        )
        self._set(native, "parametric", point, ranges, (over,))
        given = (point, enclose, *map(np.array, ranges), None if bend is None else np.array(bends))
        self._made = _parametric, given


class ImplicitSurface(Surface):
    """The zeros of a continuous function f within a box, given by Python functions.

    The rules of `ParametricSurface` for its functions apply here, too. Contact can be proven only
    at zeros where f changes its sign.

    Args:
        value: an interval extension of f: value(lo, hi) -> (f_lo, f_hi), bounds of f over the box
            with these corners, rounding included. For equal corners the bounds should be tight.
        box: lowest and highest corner of the box that contains the surface, (2, 3).
        gradient: an interval extension of the gradient: gradient(lo, hi) -> (g_lo, g_hi), three
            numbers each. Without a gradient, queries converge slowly and need a coarse tolerance.

    """

    __slots__ = ()

    def __init__(
        self,
        value: Callable[[Floats, Floats], Any],
        box: ArrayLike,
        *,
        gradient: Callable[[Floats, Floats], Any] | None = None,
    ) -> None:
        """Check the functions at the middle and cut the surface into cells."""
        as_function("value", value)
        as_function("gradient", gradient, optional=True)
        corners = as_shape("box", box, 2, 3)
        if not (corners[0] < corners[1]).all():
            raise ValueError(f"box: expected the lower, then the upper corner, got {came(box)}")

        def over(*ends: float) -> tuple[float, float]:
            return as_interval("value", value(np.array(ends[:3]), np.array(ends[3:])))

        def slope(*ends: float) -> tuple[float, ...]:
            assert gradient is not None
            return as_box("gradient", gradient(np.array(ends[:3]), np.array(ends[3:])))

        low, high = over(*corners.ravel())
        at_middle = over(*np.tile(corners.mean(axis=0), 2))
        if not low <= at_middle[0] <= at_middle[1] <= high:
            raise ValueError(
                f"value: the bounds over the box, {(low, high)}, do not contain the bounds at its "
                f"middle, {at_middle}"
            )
        bounds = None if gradient is None else slope
        native = core.implicit_surface(over, bounds, corners.ravel().tolist())
        self._set(native, "implicit", functions=(over, bounds))
        self._made = _implicit, (value, np.array(corners), gradient)


def _parametric(point: Any, enclose: Any, u_range: Any, v_range: Any, bend: Any) -> Surface:
    return ParametricSurface(point, enclose, u_range, v_range, bend=bend)


def _implicit(value: Any, box: Any, gradient: Any) -> Surface:
    return ImplicitSurface(value, box, gradient=gradient)
