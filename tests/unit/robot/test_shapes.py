"""Primitive shapes as meshes: closed, around the exact shape, and hardly larger."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

from toccata._robot import shapes
from toccata._robot.pinocchio import coal_mesh

LENGTH = 0.3
Support = Callable[[np.ndarray], np.ndarray]
Build = Callable[[float, float], Any]


def flat(v: np.ndarray) -> np.ndarray:
    return np.linalg.norm(v[:, :2], axis=1)


def cone_support(r: float, n: np.ndarray) -> np.ndarray:
    return np.maximum(r * flat(n) - LENGTH / 2 * n[:, 2], LENGTH / 2 * n[:, 2])


def radii(r: float) -> np.ndarray:
    return r * np.array([1.0, 0.4, 2.0])


# How far each shape reaches along unit vectors.
SHAPES: dict[str, tuple[Build, Callable[[float, np.ndarray], np.ndarray]]] = {
    "sphere": (shapes.sphere, lambda r, n: np.full(len(n), r)),
    "ellipsoid": (
        lambda r, e: shapes.ellipsoid(radii(r), e),
        lambda r, n: np.linalg.norm(n * radii(r), axis=1),
    ),
    "cylinder": (
        lambda r, e: shapes.cylinder(r, LENGTH, e),
        lambda r, n: r * flat(n) + LENGTH / 2 * np.abs(n[:, 2]),
    ),
    "capsule": (
        lambda r, e: shapes.capsule(r, LENGTH, e),
        lambda r, n: r + LENGTH / 2 * np.abs(n[:, 2]),
    ),
    "cone": (lambda r, e: shapes.cone(r, LENGTH, e), cone_support),
    "box": (
        lambda r, _: shapes.box(np.array([r, 0.2, LENGTH])),
        lambda r, n: np.abs(n) @ np.array([r, 0.2, LENGTH]) / 2,
    ),
}


@pytest.mark.parametrize("error", [1e-2, 2e-4])
@pytest.mark.parametrize("radius", [0.003, 0.15])
@pytest.mark.parametrize("name", SHAPES)
def test_meshes_contain_the_shape_within_the_error(name: str, radius: float, error: float) -> None:
    build, support = SHAPES[name]
    vertices, faces = build(radius, error)
    edges = np.concatenate([faces[:, [i, (i + 1) % 3]] for i in range(3)])
    there, back = ({(a, b) for a, b in part.tolist()} for part in (edges, edges[:, ::-1]))
    assert len(there) == len(edges) and there == back, "not closed"
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = (normals * corners[:, 0]).sum(axis=1)
    assert (heights >= support(radius, normals) - 1e-15).all(), "a face cuts into the shape"
    # Convex bodies: what sticks out farthest does so along some direction.
    directions = np.random.default_rng(1).normal(size=(400, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    excess = (vertices @ directions.T).max(axis=0) - support(radius, directions)
    assert excess.max() <= error * (1 + 1e-9)


# Exact: sizes, how far a shape reaches along a vector (the flat part, and the length of a vector
# whose square is added under the root), and whether a point sticks out by no more than the error.
Exact = tuple[Fraction, ...]


def squares(*numbers: Fraction) -> Fraction:
    return sum((x * x for x in numbers), Fraction(0))


def reach(name: str, size: Exact, n: Exact) -> list[tuple[Fraction, Fraction]]:
    """Return pairs (a, b): the shape reaches to the largest a + sqrt(b) along n."""
    x, y, z = n
    if name in ("sphere", "ellipsoid"):
        return [(Fraction(0), squares(*(a * b for a, b in zip(n, size, strict=True))))]
    radius, half = size
    if name == "cone":
        return [(-half * z, radius**2 * squares(x, y)), (half * z, Fraction(0))]
    return [(half * abs(z), radius**2 * squares(*(n if name == "capsule" else (x, y))))]


def sticks_out_by(name: str, size: Exact, v: Exact, error: Fraction) -> bool:
    """Whether a corner is at most `error` away from the shape."""
    x, y, z = v
    if name in ("sphere", "ellipsoid"):
        scaled = squares(*(a / b for a, b in zip(v, size, strict=True)))
        shrink = 1 / Fraction(sqrt(scaled)) * (1 - Fraction(1, 2**50))
        assert scaled * shrink**2 <= 1  # v * shrink is in the shape
        return squares(*v) * (1 - shrink) ** 2 <= error**2
    radius, half = size
    if name == "capsule":
        return squares(x, y, max(abs(z) - half, Fraction(0))) <= (radius + error) ** 2
    tip = name == "cone" and z == half
    return abs(z) == half and squares(x, y) <= (Fraction(0) if tip else (radius + error) ** 2)


EXACT: dict[str, Callable[[float, float, float], tuple[Any, tuple[float, ...]]]] = {
    "sphere": lambda r, h, e: (shapes.sphere(r, e), (r, r, r)),
    "ellipsoid": lambda r, h, e: (shapes.ellipsoid(np.array([r, r / 3, h]), e), (r, r / 3, h)),
    "cylinder": lambda r, h, e: (shapes.cylinder(r, 2 * h, e), (r, h)),
    "capsule": lambda r, h, e: (shapes.capsule(r, 2 * h, e), (r, h)),
    "cone": lambda r, h, e: (shapes.cone(r, 2 * h, e), (r, h)),
}


@pytest.mark.parametrize(
    ("radius", "half", "error"),
    [
        (0.1, 0.15, 1e-3),
        (0.1, 0.07, 3.0),
        (2.0, 0.6, 1e-4),
        (1e-9, 1e-10, 1e-12),
        (1000.0, 300.0, 1.0),
        (3e-5, 1e6, 1e-6),
        (0.1, 4e5, 1e-4),
        (3e7, 1.0, 10.0),
        (1e200, 1e180, 1e197),
    ],
)
@pytest.mark.parametrize("name", EXACT)
def test_meshes_contain_their_shapes_in_exact_arithmetic(
    name: str, radius: float, half: float, error: float
) -> None:
    largest = max(radius, half) if name == "ellipsoid" else radius
    if name not in ("cylinder", "cone") and largest / error > 1e5:
        with pytest.raises(ValueError, match="primitive_error: expected"):
            EXACT[name](radius, half, error)
        return
    (vertices, faces), size = EXACT[name](radius, half, error)
    exact = tuple(Fraction(float(x)) for x in size)
    rng = np.random.default_rng(5)  # large meshes: some of the corners and faces
    for i in rng.permutation(len(vertices))[:2000]:
        corner = tuple(Fraction(float(x)) for x in vertices[i])
        assert sticks_out_by(name, exact, corner, Fraction(error))
    for i in rng.permutation(len(faces))[:2000]:
        a, b, c = ([Fraction(float(x)) for x in vertices[k]] for k in faces[i])
        u, v = ([q - p for p, q in zip(a, end, strict=True)] for end in (b, c))
        n = tuple(u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2] for k in range(3))
        height = sum((p * q for p, q in zip(n, a, strict=True)), Fraction(0))
        for offset, square in reach(name, exact, n):
            assert height >= offset and (height - offset) ** 2 >= square, "a face cuts the shape"


@pytest.mark.parametrize("radius", [1e3, 1e9, 1e12, 1e300])
@pytest.mark.parametrize("name", ["sphere", "ellipsoid", "capsule"])
def test_shapes_of_too_many_triangles_are_refused(name: str, radius: float) -> None:
    with pytest.raises(ValueError, match="primitive_error: expected"):
        EXACT[name](radius, 1.0, 1e-4)


@pytest.mark.parametrize("name", ["cylinder", "cone"])
def test_large_round_shapes_are_built_or_refused(name: str) -> None:
    (_, faces), _ = EXACT[name](1e3, 1.0, 1e-4)
    assert len(faces) < 30_000
    with pytest.raises(ValueError, match=r"a radius of 1e\+07 .* more than 1000000"):
        EXACT[name](1e7, 1.0, 1e-5)
    with pytest.raises(ValueError, match=r"expected more than 0.227 .the rounding error at"):
        EXACT[name](1e12, 1.0, 1e-4)


def test_a_capsule_without_length_is_a_sphere() -> None:
    np.testing.assert_array_equal(shapes.capsule(0.1, 0.0, 1e-3)[0], shapes.sphere(0.1, 1e-3)[0])


@pytest.mark.parametrize(
    "build",
    [
        lambda: shapes.capsule(-1.0, 1.0, 1e-3),
        lambda: shapes.capsule(1.0, -1.0, 1e-3),
        lambda: shapes.cone(1.0, 0.0, 1e-3),
        lambda: shapes.cylinder(np.nan, 1.0, 1e-3),
        lambda: shapes.ellipsoid(np.array([1.0, 0.0, 1.0]), 1e-3),
    ],
)
def test_sizes_are_positive(build: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="expected a positive number"):
        build()


def hull(coal: Any) -> Any:
    points = np.random.default_rng(3).normal(size=(12, 3)) * 0.2
    model = coal.BVHModelOBBRSS()
    model.beginModel(10, 30)
    for i in range(10):
        model.addTriangle(*points[i : i + 3])
    model.endModel()
    model.buildConvexHull(True, "Qt")
    return model.convex


@pytest.mark.parametrize(
    "make",
    [
        lambda coal: coal.Box(0.2, 0.3, 0.4),
        lambda coal: coal.Sphere(0.2),
        lambda coal: coal.Ellipsoid(0.1, 0.2, 0.3),
        lambda coal: coal.Cylinder(0.1, 0.4),
        lambda coal: coal.Capsule(0.1, 0.4),
        lambda coal: coal.Cone(0.2, 0.4),
        hull,
    ],
    ids=["box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "convex"],
)
def test_shapes_of_coal_are_where_coal_has_them(make: Callable[[Any], Any]) -> None:
    coal = pytest.importorskip("coal")
    shape, error, probe = make(coal), 1e-3, 1e-6
    mesh = coal_mesh(shape, error)
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = (normals * corners[:, 0]).sum(axis=1)
    inside, outside = 0, 0
    for point in np.random.default_rng(2).uniform(-0.4, 0.4, (1500, 3)):
        at = coal.Transform3s(np.eye(3), point)
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        gap = coal.distance(shape, coal.Transform3s(), coal.Sphere(probe), at, request, result)
        ours = bool((normals @ point <= heights).all())
        if gap < -2 * probe:
            inside += 1
            assert ours, "the mesh leaves out a part of the shape"
        elif gap > 2 * error:
            outside += 1
            assert not ours, "the mesh sticks out"
    assert inside > 20 and outside > 20


def test_meshes_and_triangles_of_coal_are_exact() -> None:
    coal = pytest.importorskip("coal")
    corners = np.arange(9.0).reshape(3, 3) ** 2
    triangle = coal_mesh(coal.TriangleP(*corners), 1e-3)
    np.testing.assert_array_equal(triangle.vertices[triangle.faces[0]], corners)
    model = coal.BVHModelOBBRSS()
    model.beginModel(1, 3)
    model.addTriangle(*corners)
    model.endModel()
    mesh = coal_mesh(model, 1e-3)
    np.testing.assert_array_equal(mesh.vertices[mesh.faces[0]], corners)
    assert not triangle.solid and not mesh.solid and coal_mesh(coal.Box(1, 1, 1), 1e-3).solid
