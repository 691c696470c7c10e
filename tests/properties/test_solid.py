"""Solids: the inside does not depend on the orientation, order or sharing of faces."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.inside import is_inside
from oracles.shapes import box, pose, random_rotation, sphere, tetrahedron
from oracles.size import SEED, cases

import toccata as tc
from toccata._options import Method
from toccata.scenes import models

from .asking import METHODS

Array = NDArray[np.float64]
Arrays = tuple[Array, NDArray[np.int64]]
TOLERANCE = 1e-9
OVERLAP, FREE = tc.Status.INITIAL_OVERLAP, tc.Status.FREE


def shapes() -> list[Arrays]:
    """Closed shapes in random places and sizes, some with flat and thin parts."""
    rng = np.random.default_rng(71)
    base = [box((2, 3, 1)), tetrahedron(), sphere(5, 7), models.torus(1.0, 0.25, 7, 5),
            models.icosphere(1.0, 1), box((2, 2, 1e-4))]  # fmt: skip
    return [
        (np.asarray(v, dtype=float) @ random_rotation(rng).T * 2.0 ** rng.integers(-3, 4),
         np.asarray(f, dtype=np.int64))
        for v, f in base
    ]  # fmt: skip


def scrambled(shape: Arrays, rng: np.random.Generator, *, joined: bool) -> Arrays:
    """Reverse and reorder faces and vertices; faces share vertices or have separate ones."""
    vertices, faces = shape
    faces = np.array([np.roll(f, rng.integers(3)) for f in rng.permutation(faces)])
    over = rng.random(len(faces)) < 0.5
    faces[over] = faces[over][:, ::-1]
    if not joined:
        return vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3)
    new_ids = rng.permutation(len(vertices))
    moved = np.empty_like(vertices)
    moved[new_ids] = vertices
    return moved, new_ids[faces]


def points_about(shape: Arrays, rng: np.random.Generator) -> Array:
    """Return points around a shape, in line with its corners and edges, and close to its faces."""
    vertices, faces = shape
    size = np.ptp(vertices, axis=0)
    around = rng.uniform(vertices.min(axis=0) - size / 4, vertices.max(axis=0) + size / 4, (12, 3))
    level = vertices[rng.integers(len(vertices), size=6)]  # rays along the axes meet these corners
    level[:, 0] += rng.uniform(-1, 1, 6) * size[0]
    face = vertices[faces[rng.integers(len(faces), size=6)]]
    normal = np.cross(face[:, 1] - face[:, 0], face[:, 2] - face[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    side = np.array([[-1e-6], [1e-6]] * 3)
    return np.concatenate([around, level, face.mean(axis=1) + side * normal])


def grain(point: Array) -> tc.Mesh:
    return tc.Mesh([point], [(0, 0, 0)])


@pytest.mark.parametrize("number", range(6))
def test_the_inside_agrees_with_rational_arithmetic(number: int) -> None:
    rng = np.random.default_rng(number)
    shape = shapes()[number]
    solids = [tc.Mesh(*shape, solid=True)]
    solids += [tc.Mesh(*scrambled(shape, rng, joined=k % 2 == 0), solid=True) for k in range(4)]
    found = []
    for point in points_about(shape, rng):
        inside = is_inside(*shape, point)
        contacts = [
            tc.first_contact(grain(point), solid, np.eye(4), tolerance=TOLERANCE)
            for solid in solids
        ]
        surface = tc.first_contact(grain(point), tc.Mesh(*shape), np.eye(4), tolerance=TOLERANCE)
        expected = OVERLAP if inside or surface else FREE
        assert [c.status for c in contacts] == [expected] * len(solids)
        found.append(inside)
    assert found.count(True) >= 3 and found.count(False) >= 3


def test_scaling_by_a_power_of_two_changes_no_answer() -> None:
    rng = np.random.default_rng(5)
    shape = shapes()[3]
    points = points_about(shape, rng)
    for exponent in (-200, -60, 40):
        scale = 2.0**exponent
        solid = tc.Mesh(shape[0] * scale, shape[1], solid=True)
        for point in points:
            here = tc.first_contact(grain(point), tc.Mesh(*shape, solid=True), np.eye(4))
            there = tc.first_contact(grain(point * scale), solid, np.eye(4))
            assert here.status is there.status


@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_lifts_off_a_solid_is_free_in_any_order(method: Method) -> None:
    rng = np.random.default_rng(8)
    block = tc.Mesh(*box((2, 2, 2)), solid=True)
    lift = tc.Motion.twist(tc.pose((0.1, 0.2, 1.125)), (0, 0, 1), (0, 0, 0))
    for _ in range(5):
        arrays = scrambled((box((0.25, 0.25, 0.25))[0], np.asarray(box()[1])), rng, joined=True)
        for solid in (False, True):
            small = tc.Mesh(*arrays, solid=solid)
            for a, b, motions in ((small, block, (lift,)), (block, small, (np.eye(4), lift))):
                c = tc.first_contact(a, b, *motions, initial="ignore_separating", method=method)
                assert c.status is FREE


@pytest.mark.parametrize("method", METHODS)
def test_a_sheet_that_lifts_off_a_solid_is_free_and_one_inside_overlaps(method: Method) -> None:
    # All corners are on the surface: on one face, or on three faces around the inside.
    block = tc.Mesh(*box((2, 2, 2)), solid=True)
    up = tc.Motion.twist(np.eye(4), (0.0, 0.0, 1.0), (0, 0, 0))
    back = tc.Motion.twist(np.eye(4), (-0.1, -0.1, -0.1), (0, 0, 0))
    for order in ((0, 1, 2), (1, 2, 0), (2, 1, 0)):
        lying = tc.Mesh(np.array([(0, 0, 1.0), (0.5, 0, 1), (0, 0.5, 1)])[list(order)], [(0, 1, 2)])
        across = tc.Mesh(
            np.array([(1, 1, 0.5), (1, 0.5, 1), (0.5, 1, 1)])[list(order)], [(0, 1, 2)]
        )
        ask = {"initial": "ignore_separating", "method": method}
        assert tc.first_contact(lying, block, up, **ask).status is FREE
        assert tc.first_contact(across, block, back, **ask).status is OVERLAP


@pytest.mark.parametrize("method", METHODS)
def test_a_box_that_sank_in_by_less_than_the_tolerance_may_leave(method: Method) -> None:
    # As after rounding to single precision in files.
    plate, cube = tc.Mesh(*box((4, 4, 2)), solid=True), tc.Mesh(*box((2, 2, 2)), solid=True)
    for depth in (1e-9, 0.0, 5e-7):
        start = tc.pose((0.1, 0.2, 2 - depth))
        for rise, status in ((0.5, FREE), (-0.5, OVERLAP)):
            moving = tc.Motion.twist(start, (0, 0, rise), (0, 0, 0))
            ask = {"initial": "ignore_separating", "method": method, "tolerance": 1e-6}
            for a, b, motions in ((cube, plate, (moving,)), (plate, cube, (np.eye(4), moving))):
                found = tc.first_contact(a, b, *motions, **ask).status
                assert found is status or (rise < 0 and found is tc.Status.CONTACT)


@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_touches_a_solid_from_within_is_an_overlap(method: Method) -> None:
    block = tc.Mesh(*box((2, 2, 2)), solid=True)
    corner = np.array([(1, 1, 1), (0.9, 0.9, 0.95), (0.9, 0.95, 0.9), (0.95, 0.9, 0.9)])
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    inward = tc.Motion.twist(np.eye(4), (-0.25, -0.25, -0.25), (0, 0, 0))
    for seed in range(6):
        small = tc.Mesh(*scrambled((corner, faces), np.random.default_rng(seed), joined=True))
        c = tc.first_contact(small, block, inward, initial="ignore_separating", method=method)
        assert c.status is OVERLAP


def test_equal_solids_overlap() -> None:
    for moving in (np.eye(4), tc.Motion.twist(np.eye(4), (0.3, 0.2, 0.1), (0, 0, 0))):
        for shape in (box((2, 2, 2)), tetrahedron()):
            solid = tc.Mesh(*shape, solid=True)
            c = tc.first_contact(solid, solid, moving, initial="ignore_separating")
            assert c.status is OVERLAP


def test_solids_are_numbered_by_face() -> None:
    rng = np.random.default_rng(9)
    parts = [shapes()[k] for k in (0, 3, 4)]
    apart = [(v + (40.0 * k, 0, 0), f) for k, (v, f) in enumerate(parts)]
    starts = np.cumsum([0, *(len(v) for v, _ in apart)])
    vertices = np.concatenate([v for v, _ in apart])
    faces = np.concatenate([f + n for (_, f), n in zip(apart, starts[:-1], strict=True)])
    numbers = np.repeat((3, 0, 1), [len(f) for _, f in apart])
    order = rng.permutation(len(faces))
    mesh = tc.Mesh(vertices, faces[order], solid=numbers[order])
    assert mesh.solid and np.array_equal(mesh.solid_faces, numbers[order])
    for k, shape in enumerate(apart):
        for point in points_about(shape, rng)[:18]:
            inside = is_inside(*shape, point) and k != 1
            near = tc.first_contact(grain(point), tc.Mesh(*shape), pose(), tolerance=TOLERANCE)
            c = tc.first_contact(grain(point), mesh, pose(), tolerance=TOLERANCE)
            assert c.status is (OVERLAP if inside or near else FREE)


def test_closed_components_of_a_soup_are_solid_and_open_ones_are_not() -> None:
    """Components overlap, miss a face, or have all faces twice; each is tested separately."""
    rng = np.random.default_rng(SEED + 17)
    dot = tc.Mesh(np.zeros((1, 3)), [(0, 0, 0)])
    inside = 0
    for _ in range(cases(40)):
        parts: list[Arrays] = []
        closed: list[Arrays] = []
        for i in rng.permutation(len(shapes()))[: rng.integers(1, 5)]:
            vertices, faces = shapes()[i]
            part = vertices + rng.uniform(-1, 1, 3) * np.ptp(vertices, axis=0), faces
            kind = rng.integers(4)
            if kind == 0:
                part = part[0], np.delete(faces, rng.integers(len(faces)), axis=0)
            elif kind == 1:  # a front and a back
                sheet = faces[: rng.integers(1, len(faces))]
                part = part[0], np.concatenate([sheet, sheet[:, ::-1]])
            else:
                closed.append(part)
            parts.append(scrambled(part, rng, joined=bool(rng.integers(2))))
        starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
        faces = np.concatenate([f + at for (_, f), at in zip(parts, starts, strict=False)])
        mesh = tc.Mesh(np.concatenate([v for v, _ in parts]), faces, solid="auto")
        assert np.count_nonzero(mesh.solid_faces) == sum(len(faces) for _, faces in closed)
        for point in np.concatenate([points_about(part, rng)[:9] for part in parts]):
            sides = [is_inside(*part, point) for part in closed]
            found = tc.first_contact(dot, mesh, tc.pose(point), tolerance=TOLERANCE)
            if None in sides or found.distance == 0 < len(found.feature or ""):
                continue  # on a surface
            inside += any(sides)
            assert found.status is (OVERLAP if any(sides) else FREE)
    assert inside > cases(40)
