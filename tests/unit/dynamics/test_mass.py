"""Mass properties against rational numbers, closed forms and trimesh."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import trimesh

import toccata as tc
from toccata.scenes import models

CLOSED = {
    "box": lambda: models.box((1.0, 2.0, 3.0)),
    "sphere": lambda: models.icosphere(1.5, 3),
    "torus": lambda: models.torus(),
    "knot": lambda: models.torus_knot(),
    "gear": lambda: models.gear(),
}


def close(got: tc.MassProperties, mass: float, center: Any, inertia: Any, error: float) -> bool:
    size = np.trace(inertia)
    return bool(
        abs(got.mass - mass) <= error * mass
        and np.linalg.norm(got.center - center) <= error * np.sqrt(size / mass)
        and np.abs(got.inertia - inertia).max() <= error * size
    )


def turned(seed: int) -> np.ndarray:
    """Return a rotation."""
    rows = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    return rows * np.sign(np.linalg.det(rows))


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("solid", [True, False])
def test_closed_meshes_agree_with_trimesh(name: str, solid: bool) -> None:
    vertices, faces = CLOSED[name]()
    vertices = vertices @ turned(3).T + (0.5, -1.0, 2.0)
    peer = trimesh.Trimesh(vertices, faces, process=False)
    assert peer.is_watertight
    peer.density = 7.0
    got = tc.MassProperties.of(tc.Mesh(vertices, faces, solid=solid), density=7.0)
    assert close(got, peer.mass, peer.center_mass, peer.moment_inertia, 1e-9)


@pytest.mark.parametrize("name", CLOSED)
def test_how_faces_are_turned_does_not_matter(name: str) -> None:
    vertices, faces = CLOSED[name]()
    expected = tc.MassProperties.of(tc.Mesh(vertices, faces))
    random = np.random.default_rng(1)
    flipped = np.where(random.random((len(faces), 1)) < 0.5, faces[:, ::-1], faces)
    got = tc.MassProperties.of(tc.Mesh(vertices, random.permutation(flipped), solid=True))
    assert close(got, expected.mass, expected.center, expected.inertia, 1e-12)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6])
def test_far_from_the_origin_nothing_is_lost(far: float) -> None:
    vertices, faces = models.box((1.0, 2.0, 3.0))
    vertices = vertices + (far, -far, 2 * far)  # exact: quarters are kept
    got = tc.MassProperties.of(tc.Mesh(vertices, faces))
    mass, middle = 6000.0, (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    size = np.ptp(vertices, axis=0)
    inertia = np.diag(mass / 12 * (size @ size - size**2))
    assert close(got, mass, middle, inertia, 1e-14)


def test_closed_forms_of_round_bodies() -> None:
    errors = []
    for level in (2, 3, 4):
        radius = 2.0
        got = tc.MassProperties.of(tc.Mesh(*models.icosphere(radius, level)), density=1.0)
        mass = 4 / 3 * np.pi * radius**3
        assert np.abs(got.center).max() < 1e-12
        errors.append([got.mass / mass - 1, got.inertia[0, 0] / (0.4 * mass * radius**2) - 1])
    # An inscribed polyhedron; halving its edges quarters what it lacks.
    ratios = np.array(errors)[1:] / np.array(errors)[:-1]
    assert (np.array(errors) < 0).all() and (np.abs(ratios - 0.25) < 0.02).all()


def torus(ring: float, tube: float, n: int) -> tc.Mesh:
    """Return 2n times n rectangles on a torus about the z axis, cut into triangles."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(2 * n), np.arange(n), indexing="ij"))
    u, v = np.pi * i / n, 2 * np.pi * j / n
    away = ring + tube * np.cos(v)
    vertices = np.column_stack([away * np.cos(u), away * np.sin(u), tube * np.sin(v)])
    here, next_i, next_j, both = (
        (i + di) % (2 * n) * n + (j + dj) % n for di, dj in ((0, 0), (1, 0), (0, 1), (1, 1))
    )
    halves = [np.column_stack(rows) for rows in ((here, next_i, both), (here, both, next_j))]
    return tc.Mesh(vertices, np.concatenate(halves))


def test_torus() -> None:
    ring, tube = 2.0, 0.5
    coarse, fine = (tc.MassProperties.of(torus(ring, tube, n), density=1.0) for n in (30, 60))
    assert np.abs(fine.center).max() < 1e-13
    mass = 2 * np.pi**2 * ring * tube**2
    axis, across = ring**2 + 0.75 * tube**2, ring**2 / 2 + 0.625 * tube**2
    inertia = mass * np.diag([across, across, axis])
    # What a polyhedron lacks is of second order: two of them tell the limit to fourth order.
    limit = [(4 * f - c) / 3 for f, c in ((fine.mass, coarse.mass), (fine.inertia, coarse.inertia))]
    assert coarse.mass < fine.mass < mass and limit[0] == pytest.approx(mass, rel=1e-5)
    assert np.abs(limit[1] - inertia).max() < 1e-5 * np.trace(inertia)


def exact_tetrahedron(corners: np.ndarray) -> tuple[Fraction, list[Fraction], list[list[Fraction]]]:
    """Return volume, center and inertia about it: integrals of monomials over a simplex."""
    p = [[Fraction(float(x)) for x in row] for row in corners]
    a, b, c = ([p[k][i] - p[0][i] for i in range(3)] for k in (1, 2, 3))
    det = sum(
        a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]) for i in range(3)
    )
    volume = abs(det) / 6
    center = [sum(q[i] for q in p) / 4 for i in range(3)]
    arms = [[q[i] - center[i] for i in range(3)] for q in p]
    second = [[volume / 20 * sum(q[i] * q[j] for q in arms) for j in range(3)] for i in range(3)]
    trace = second[0][0] + second[1][1] + second[2][2]
    inertia = [[(trace if i == j else 0) - second[i][j] for j in range(3)] for i in range(3)]
    return volume, center, inertia


@pytest.mark.parametrize("seed", range(20))
def test_tetrahedra_are_exact(seed: int) -> None:
    random = np.random.default_rng(seed)
    corners = random.normal(size=(4, 3)) * 10.0 ** random.integers(-3, 4) + random.normal(size=3)
    faces = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    got = tc.MassProperties.of(tc.Mesh(corners, faces, solid=True), density=1.0)
    volume, center, inertia = exact_tetrahedron(corners)
    expected = np.array([[float(x) for x in row] for row in inertia])
    assert close(got, float(volume), [float(x) for x in center], expected, 1e-12)


def test_soups_weigh_by_area() -> None:
    vertices, faces = models.box((1.0, 2.0, 3.0))
    tops = faces[1:]  # open
    got = tc.MassProperties.of(tc.Mesh(vertices, tops), density=2.0)
    corners = vertices[tops]
    areas = np.linalg.norm(np.cross(*(corners[:, k] - corners[:, 0] for k in (1, 2))), axis=1) / 2
    mass = 2.0 * areas.sum()
    center = np.average(corners.mean(axis=1), axis=0, weights=areas)
    # Squares are integrated over a triangle exactly by the middles of its edges.
    middles = (corners + corners[:, [1, 2, 0]]) / 2 - center
    second = np.einsum("f,fki,fkj->ij", 2.0 * areas / 3, middles, middles)
    assert close(got, mass, center, np.trace(second) * np.eye(3) - second, 1e-13)


def test_trimesh_is_taken() -> None:
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    assert tc.MassProperties.of(box).mass == pytest.approx(6000.0, rel=1e-14)


@pytest.mark.parametrize(
    ("vertices", "faces", "solid", "message"),
    [
        ([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)], False, "a volume or an area"),
        ([(1, 1, 1)], [(0, 0, 0)], False, "a volume or an area"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (2, 1, 0)], True, "with a volume"),
    ],
)
def test_what_weighs_nothing_is_refused(
    vertices: Any, faces: Any, solid: bool, message: str
) -> None:
    with pytest.raises(ValueError, match=f"mesh: expected .*{message}"):
        tc.MassProperties.of(tc.Mesh(vertices, faces, solid=solid))


@pytest.mark.parametrize(
    ("density", "error"),
    [(0.0, ValueError), (-1.0, ValueError), (np.nan, ValueError), (np.inf, ValueError)]
    + [("heavy", TypeError), (None, TypeError)],
)
def test_bad_densities_are_refused(density: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="density: expected"):
        tc.MassProperties.of(tc.Mesh(*models.box((1.0, 1.0, 1.0))), density=density)


GOOD = np.diag([1.0, 2.0, 2.5])


@pytest.mark.parametrize(
    ("mass", "center", "inertia", "message"),
    [
        (0.0, (0, 0, 0), GOOD, "mass: expected a finite number"),
        (np.nan, (0, 0, 0), GOOD, "mass: expected a finite number"),
        (1.0, (0, 0), GOOD, r"center: expected shape \(3,\), got \(2,\)"),
        (1.0, (0, np.inf, 0), GOOD, "center: expected finite"),
        (1.0, (0, 0, 0), GOOD[:2], r"inertia: expected shape \(3, 3\)"),
        (1.0, (0, 0, 0), GOOD * np.nan, "inertia: expected finite"),
        (1.0, (0, 0, 0), np.zeros((3, 3)), "inertia: expected a positive definite matrix"),
        (1.0, (0, 0, 0), np.diag([1.0, 1.0, -1.0]), "inertia: expected a positive definite matrix"),
        (1.0, (0, 0, 0), GOOD + np.eye(3, k=1), "inertia: expected a symmetric matrix"),
        (1.0, (0, 0, 0), np.diag([1.0, 2.0, 3.1]), "inertia: expected no principal moment above"),
    ],
)
def test_bad_numbers_are_refused(mass: Any, center: Any, inertia: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.MassProperties(mass, center, inertia)


def test_given_numbers_are_kept_and_locked() -> None:
    rotation = turned(1)
    center = np.array([1.0, 2.0, 3.0])
    given = tc.MassProperties(2.0, center, rotation @ GOOD @ rotation.T)
    center[0] = 9.0
    assert given.mass == 2.0 and given.center[0] == 1.0
    assert (given.inertia == given.inertia.T).all()
    with pytest.raises(AttributeError):
        given.mass = 3.0
    with pytest.raises(ValueError, match="read-only"):
        given.inertia[0, 0] = 5.0
    for again in (copy.deepcopy(given), pickle.loads(pickle.dumps(given))):
        assert again == given and hash(again) == hash(given) and again.inertia is not None
    assert given != tc.MassProperties(2.0, center, GOOD) and given != 2.0
    assert repr(given).startswith("MassProperties(mass=2.0, center=[1.0, 2.0, 3.0], inertia=[[")


def test_a_sheet_may_be_given() -> None:
    sheet = tc.MassProperties.of(tc.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
    assert tc.MassProperties(sheet.mass, sheet.center, sheet.inertia) == sheet
