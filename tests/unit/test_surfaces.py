"""Curved surfaces against closed forms and against fine triangulations of themselves."""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import Any

import numpy as np
import pytest
from oracles.size import SEED, cases

import toccata as tc
from toccata import surfaces
from toccata.scenes import primitives

METHODS = ("auto", "hca", "c2a", "interval")
NET = np.array(
    [
        [(i / 3, j / 3, -0.6 if {i, j} <= {1, 2} else 0.25 * ((i + j) % 2)) for j in range(4)]
        for i in range(4)
    ]
)
GROUND = tc.Mesh(*primitives.box((4.0, 4.0, 1.0)))
"""Its top is at z = 0.5."""

# A surface, and how far a triangulation with n = 96 can be from it: h^2 / 8 times the bend, in u
# and in v. That of the patch has second differences of at most 1.7 in u and in v.
SHAPES = {
    "sphere": (lambda: surfaces.sphere(1.0), ((2 * pi) ** 2 + pi**2) / 8),
    "implicit sphere": (lambda: surfaces.implicit_sphere(1.0), ((2 * pi) ** 2 + pi**2) / 8),
    "torus": (lambda: surfaces.torus(1.0, 0.25), (2 * pi) ** 2 * (1.25 + 0.25) / 8),
    "implicit torus": (lambda: surfaces.implicit_torus(1.0, 0.25), (2 * pi) ** 2 * 1.5 / 8),
    "bicubic": (lambda: surfaces.bicubic_patch(NET), 6 * (1.7 + 1.7) / 8),
}
FINE = 96


@pytest.fixture(scope="module")
def shapes() -> dict[str, tuple[tc.Surface, tc.Mesh, float]]:
    made = {}
    for name, (make, error) in SHAPES.items():
        surface = make()
        made[name] = surface, surface.triangulate(FINE), 1.01 * error / FINE**2
    return made


def drop(start: Any, move: Any, turn: Any = (0.0, 0.0, 0.0)) -> tc.Motion:
    return tc.Motion.twist(start, linear=move, angular=turn)


def random_motions(rng: np.random.Generator, count: int, spread: float) -> list[tc.Motion]:
    def vector(size: float) -> Any:
        return rng.uniform(-size, size, 3)

    return [
        drop(tc.pose(vector(spread), rotvec=vector(2.0)), vector(spread), vector(4.0))
        for _ in range(count)
    ]


def distance_to_box(point: Any, half: Any) -> float:
    return float(np.linalg.norm(np.maximum(np.abs(point) - half, 0.0)))


def touching_place(rng: np.random.Generator, half: Any) -> tuple[Any, Any]:
    """Draw a point on a face, an edge or a corner of a box, and a direction out of it."""
    side, on = rng.choice((-1.0, 1.0), 3), np.zeros(3, bool)
    on[rng.permutation(3)[: rng.integers(1, 4)]] = True
    out = np.where(on, rng.uniform(0.1, 1.0, 3) * side, 0.0)
    return np.where(on, side, rng.uniform(-1.0, 1.0, 3)) * half, out / np.linalg.norm(out)


def assert_bracketed(first: Any, second: Any, slack: float) -> None:
    """Two ways to ask the same question, whose geometries differ by at most `slack`.

    `first` and `second` answer for a separation; what one calls free at the larger separation, the
    other must call free at none.
    """
    for x, y in ((first, second), (second, first)):
        wide, narrow = x(slack), y(0.0)
        assert wide.status is not tc.Status.UNDECIDED
        assert narrow.status is not tc.Status.UNDECIDED
        assert wide.toc <= narrow.toc


@pytest.mark.parametrize("method", METHODS)
def test_sphere_on_sphere_is_a_root_of_a_quadratic(method: str) -> None:
    ball, other = surfaces.sphere(1.0), surfaces.implicit_sphere(0.5)
    exact = (3 - sqrt(1.5**2 - 0.3**2 - 0.4**2)) / 4
    motion = drop(tc.pose((3.0, 0.3, 0.4)), (-4.0, 0.0, 0.0))
    found = tc.first_contact(ball, other, motion, method=method, tolerance=1e-7)
    assert found.status is tc.Status.CONTACT
    assert exact - 1e-7 < found.toc <= exact
    assert found.feature == "surface"
    line = np.array([sqrt(2.0), 0.3, 0.4]) / 1.5
    np.testing.assert_allclose(found.normal, line, atol=1e-3)
    np.testing.assert_allclose(found.point_b, line / 2, atol=1e-3)
    assert abs(np.linalg.norm(found.point_b) - 0.5) < 1e-12
    assert 0 <= found.triangle_a < 2048


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("separation", [0.0, 0.125])
def test_sphere_on_plane(method: str, separation: float) -> None:
    motion = drop(tc.pose((0.3, 0.2, 3.5)), (0.0, 0.0, -4.0), (1.0, 2.0, 3.0))
    for ball in (surfaces.sphere(0.75), surfaces.implicit_sphere(0.75)):
        found = tc.first_contact(
            ball, GROUND, motion, method=method, tolerance=1e-6, separation=separation
        )
        exact = (3.0 - 0.75 - separation) / 4
        assert found.status is tc.Status.CONTACT
        assert exact - 1e-6 < found.toc <= exact
        assert separation <= found.distance <= separation + 1e-6
        np.testing.assert_allclose(found.normal, (0, 0, 1), atol=1e-3)


@pytest.mark.parametrize("kind", ["sphere", "implicit_sphere"])
@pytest.mark.parametrize("method", METHODS)
def test_a_ball_comes_to_a_large_plate(method: str, kind: str) -> None:
    """Anywhere on plates up to 3000 times as large, at tolerances down to 1e-9 of the ball."""
    rng = np.random.default_rng([SEED, METHODS.index(method), len(kind)])
    for k in range(cases(24)):
        radius = 10.0 ** rng.choice((-3, 0, 3))
        half = radius * 10.0 ** rng.uniform((0, -1, 1), (3, 1, 3.2))
        plate, ball = tc.Mesh(*primitives.box(2 * half)), getattr(surfaces, kind)(radius)
        separation = float(radius * rng.choice((0.0, 1e-3, 0.5)))
        tolerance = max(radius * 10.0 ** rng.uniform(-9, -3), 1e-11 * half.max())
        place, out = touching_place(rng, half)
        nearest = radius + separation
        sideways = np.cross(out, rng.normal(size=3)) * radius * rng.integers(2)
        start = place + out * (nearest + 3 * radius) + sideways
        way = place + out * (nearest - 0.1 * min(radius, half.min())) - start
        turn, frame = rng.uniform(-3, 3, 3), tc.pose(rotvec=rng.uniform(-1, 1, 3) * (k % 3))
        to_world = frame[:3, :3]
        motion = drop(frame @ tc.pose(start), to_world @ way, turn)
        how: Any = {"method": method, "separation": separation, "tolerance": tolerance}
        found = tc.first_contact(ball, plate, motion, frame, **how)
        assert found.status is tc.Status.CONTACT, (k, found)
        rounding = 1e-12 * half.max()
        left = distance_to_box(start + found.toc * way, half) - nearest
        assert -rounding <= left <= tolerance + rounding
        assert abs(np.linalg.norm(found.normal) - 1) < 1e-12
        # Straight over the place, a ball that stops beyond the tolerance is free.
        start = place + out * (nearest + 3 * radius)
        way = place + out * (nearest + 1.5 * tolerance + rounding) - start
        motion = drop(frame @ tc.pose(start), to_world @ way, turn)
        assert not tc.first_contact(ball, plate, motion, frame, **how)


def ring(major: float, minor: float, down: Any) -> float:
    """Return how far a torus reaches into a direction."""
    return float(major * np.hypot(down[0], down[1]) + minor * np.linalg.norm(down))


def bowl(size: float, bend: float) -> tc.Surface:
    """Return z = bend (x^2 + y^2) over [-1, 1]^2, scaled, as a patch."""
    line, square = np.array((-1.0, -1 / 3, 1 / 3, 1.0)), np.array((1.0, -1 / 3, -1 / 3, 1.0))
    x, y = np.meshgrid(line, line, indexing="ij")
    net = np.stack((x, y, bend * (square[:, None] + square)), axis=-1)
    return surfaces.bicubic_patch(size * net)


def depth_of_bowl(size: float, bend: float, down: Any) -> float:
    """Return how far the bowl reaches into a direction with a negative z."""
    depth = 0.0
    for along in down[:2]:
        lowest = np.clip(-along / (2 * down[2] * bend), -1, 1) if bend > 0 else 0.0
        depth += max(along * t + down[2] * bend * t * t for t in (-1.0, 1.0, lowest))
    return float(size * depth)


@pytest.mark.parametrize("kind", ["torus", "implicit_torus", "bowl", "flat"])
def test_other_surfaces_come_to_a_large_plate(kind: str) -> None:
    rng = np.random.default_rng([SEED, len(kind)])
    for k in range(cases(24)):
        size = 10.0 ** rng.choice((-3, 0, 3))
        half = size * 10.0 ** rng.uniform((1, 0, 1), (3, 0.1, 3.2))
        plate = tc.Mesh(*primitives.box(2 * half[[0, 2, 1]]))  # its top is at z = half[1]
        # A torus that lies flat touches along a circle, which takes very many cells.
        turn = (
            rng.uniform(0.2, 0.5, 3)
            if kind.endswith("torus")
            else rng.uniform(-0.5, 0.5, 3) * (k % 3)
        )
        pose = tc.pose(rotvec=turn)
        down = pose[:3, :3].T @ (0.0, 0.0, -1.0)
        if kind.endswith("torus"):
            minor = size * rng.uniform(0.1, 0.9)
            body, reach = getattr(surfaces, kind)(size, minor), ring(size, minor, down)
        else:
            bend = rng.uniform(0.1, 1.0) if kind == "bowl" else 0.0
            body, reach = bowl(size, bend), depth_of_bowl(size, bend, down)
        tolerance = max(size * 10.0 ** rng.uniform(-9, -3), 1e-11 * half.max())
        pose[:2, 3] = rng.uniform(-1, 1, 2) * (half[[0, 2]] - 3 * size)
        pose[2, 3] = half[1] + reach + 2 * size
        fall = 2.1 * size
        found = tc.first_contact(
            body, plate, drop(pose, (0.0, 0.0, -fall)), tolerance=tolerance, method=METHODS[k % 4]
        )
        assert found.status is tc.Status.CONTACT, (k, found)
        rounding = 1e-12 * half.max()
        assert -rounding <= 2 * size - found.toc * fall <= tolerance + rounding


def test_a_ball_that_misses_by_a_little_is_free() -> None:
    motion = drop(tc.pose((-3.0, 0.0, 1.5 + 1e-5)), (6.0, 0.0, 0.0), (0.0, 0.5, 0.0))
    for method in METHODS:
        for ball in (surfaces.sphere(1.0), surfaces.implicit_sphere(1.0)):
            found = tc.first_contact(ball, GROUND, motion, method=method, tolerance=5e-6)
            assert found.status is tc.Status.FREE
            assert found.toc == inf


@pytest.mark.parametrize("name", SHAPES)
def test_surface_against_its_triangulation(name: str, shapes: Any) -> None:
    surface, fine, error = shapes[name]
    rng = np.random.default_rng(5)
    found = []
    for k, motion in enumerate(random_motions(rng, 60, 3.4)):
        options: Any = {"tolerance": 1e-5, "method": METHODS[k % 4]}

        def ask(body: Any, s: float, motion: Any = motion, options: Any = options) -> Any:
            return tc.first_contact(body, GROUND, motion, separation=s, **options)

        assert_bracketed(
            lambda s, ask=ask: ask(surface, s), lambda s, ask=ask: ask(fine, s), error + 2e-5
        )
        found.append(ask(surface, 0.0).status)
    hits = 1 - found.count(tc.Status.FREE) / len(found)
    assert 0.3 <= hits <= 0.7, "sample too one-sided to prove anything"
    assert found.count(tc.Status.CONTACT) >= 10


@pytest.mark.parametrize("kind", ["sphere", "torus"])
def test_parametric_and_implicit_agree(kind: str, shapes: Any) -> None:
    one, two = shapes[kind][0], shapes["implicit " + kind][0]
    patch = shapes["bicubic"][0]
    rng = np.random.default_rng(8)
    hits = []
    for k, motion in enumerate(random_motions(rng, 24, 1.8)):
        options: Any = {"tolerance": 1e-5, "method": METHODS[k % 4]}

        def ask(body: Any, s: float, motion: Any = motion, options: Any = options) -> Any:
            return tc.first_contact(body, patch, motion, separation=s, **options)

        assert_bracketed(lambda s, ask=ask: ask(one, s), lambda s, ask=ask: ask(two, s), 2e-5)
        hits.append(bool(ask(one, 0.0)))
    assert 0.3 <= np.mean(hits) <= 0.7, "sample too one-sided to prove anything"


@pytest.mark.parametrize("method", METHODS)
def test_a_ring_turns_while_it_passes_through_another(method: str) -> None:
    ring = surfaces.torus(1.0, 0.25)
    path = drop(tc.pose((0.05, 0.0, -2.0)), (0.0, 0.0, 4.0), (9.0, 5.0, 0.0))
    # The hole has radius 0.75; a ring of outer radius 0.6 fits through it however it turns.
    narrow = tc.first_contact(surfaces.torus(0.5, 0.1), ring, path, method=method)
    assert narrow.status is tc.Status.FREE
    wide = surfaces.torus(0.7, 0.2)
    found = tc.first_contact(wide, ring, path, method=method, tolerance=1e-6)
    assert found.status is tc.Status.CONTACT
    error = 1.01 * (2 * pi) ** 2 * (0.9 + 0.2 + 1.25 + 0.25) / 8 / FINE**2
    meshes = wide.triangulate(FINE), ring.triangulate(FINE)
    assert tc.first_contact(*meshes, path, separation=error + 2e-5).toc <= found.toc
    earlier = tc.first_contact(wide, ring, path, method=method, separation=error + 2e-5)
    assert earlier.toc <= tc.first_contact(*meshes, path).toc


def test_a_patch_dropped_on_a_box(shapes: Any) -> None:
    patch, fine, error = shapes["bicubic"]
    motion = drop(tc.pose((0.1, 0.2, 2.0), rotvec=(0.3, 0.1, 0.2)), (0.0, 0.0, -3.0))
    for method in METHODS:
        found = tc.first_contact(patch, GROUND, motion, method=method, tolerance=1e-6)
        assert found.status is tc.Status.CONTACT
        heights = (motion.pose(found.toc)[2, :3] @ fine.vertices.T) + motion.pose(found.toc)[2, 3]
        assert -1e-12 < heights.min() - 0.5 < error + 2e-6
        np.testing.assert_allclose(found.normal, (0, 0, 1), atol=1e-3)


def test_initial_overlap() -> None:
    ball = surfaces.sphere(1.0)
    for method in METHODS:
        for place in ((1.0, 0.2, 0.1), (2.0, 0.0, 0.0)):
            found = tc.first_contact(
                ball, ball, drop(tc.pose(place), (1.0, 0.0, 0.0)), method=method
            )
            assert found.status is tc.Status.INITIAL_OVERLAP
            assert found.toc == 0
            assert np.isnan(found.normal).all()
    # A ball that lies wholly inside of a box touches it only if the box is solid.
    inside = drop(tc.pose((0.0, 0.0, 0.0)), (0.01, 0.0, 0.0))
    small = surfaces.implicit_torus(0.2, 0.1)
    solid = tc.Mesh(*primitives.box((4.0, 4.0, 1.0)), solid=True)
    assert tc.first_contact(small, GROUND, inside).status is tc.Status.FREE
    assert tc.first_contact(small, solid, inside).status is tc.Status.INITIAL_OVERLAP


@pytest.mark.parametrize("method", METHODS)
def test_what_starts_in_touch_and_separates_can_be_ignored(method: str) -> None:
    options: Any = {"method": method, "initial": "ignore_separating", "tolerance": 1e-6}
    ball = surfaces.sphere(1.0)
    away = drop(tc.pose((2.0, 0.0, 0.0)), (0.3, 0.1, 0.0))
    assert tc.first_contact(ball, ball, away, **options).status is tc.Status.FREE
    into = drop(tc.pose((2.0, 0.0, 0.0)), (-0.3, 0.1, 0.0))
    assert tc.first_contact(ball, ball, into, **options).status is tc.Status.INITIAL_OVERLAP
    # Up from the ground, and against a second ball there.
    up = drop(tc.pose((0.0, 0.0, 1.5)), (0.0, 0.0, 2.0))
    ceiling = tc.Mesh(
        *(
            np.concatenate([GROUND.vertices, GROUND.vertices + (0.0, 0.0, 4.0)]),
            np.concatenate([GROUND.faces, GROUND.faces + 8]),
        )
    )
    found = tc.first_contact(ball, ceiling, up, **options)
    assert found.status is tc.Status.CONTACT
    assert found.toc == pytest.approx(0.5, abs=1e-6)


def test_batches_do_not_depend_on_threads(shapes: Any) -> None:
    torus = shapes["torus"][0]
    rng = np.random.default_rng(3)
    ends = [
        np.array([tc.pose(rng.uniform(-2, 2, 3), rotvec=rng.uniform(-2, 2, 3)) for _ in range(40)])
        for _ in range(2)
    ]
    one, two = (
        tc.first_contact_batch(torus, shapes["sphere"][0], *ends, threads=threads, tolerance=1e-4)
        for threads in (1, 2)
    )
    assert one.toc.tobytes() == two.toc.tobytes()
    assert one.point_a.tobytes() == two.point_a.tobytes()
    assert set(one.status) >= {tc.Status.CONTACT, tc.Status.INITIAL_OVERLAP}


def test_all_contacts_and_scenes(shapes: Any) -> None:
    torus = shapes["torus"][0]
    motion = drop(tc.pose((0.0, 0.0, 2.0)), (0.0, 0.0, -2.0))
    found = tc.first_contact(torus, GROUND, motion, tolerance=1e-4, contacts="all")
    assert len(found.contacts) > 30  # pieces all around the ring
    points = np.array([one.point_a for one in found.contacts])
    np.testing.assert_allclose(np.hypot(points[:, 0], points[:, 1]), 1.0, atol=0.02)
    scene = tc.Scene()
    scene.add("ground", GROUND)
    scene.add("ring", torus, motion)
    scene.add("ball", shapes["sphere"][0], tc.pose((9.0, 0.0, 0.0)))
    contact = scene.first_contact(tolerance=1e-4)
    assert (contact.body_a, contact.body_b) == ("ground", "ring")
    assert contact.toc == pytest.approx(found.toc, abs=1e-4)


def test_triangulations_lie_on_the_surface() -> None:
    sphere = surfaces.sphere(2.0).triangulate(12)
    np.testing.assert_allclose(np.linalg.norm(sphere.vertices, axis=1), 2.0)
    assert len(sphere.faces) == 2 * 12 * 12
    assert "sphere" in repr(surfaces.implicit_sphere(1.0))
