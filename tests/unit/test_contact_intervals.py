"""Times between which bodies may be in contact: closed forms, and every sampled time."""

from __future__ import annotations

from math import asin, pi

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted
from toccata.surfaces import sphere

CUBE = tc.Mesh(*box())
TOLERANCE = 1e-7
FINE = 1.1e-6
"""Of the default resolution: how far after a contact its interval may end."""


def plate(x: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a plate of thickness 0.2 across x."""
    return shifted(box((0.2, 3.0, 3.0)), (x, 0.0, 0.0))


def plates(*xs: float) -> tc.Mesh:
    meshes = [plate(x) for x in xs]
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
    faces = [faces + start for (_, faces), start in zip(meshes, starts, strict=False)]
    return tc.Mesh(np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces))


def along_x(length: float) -> tc.Motion:
    return tc.Motion.linear(np.eye(4), tc.pose((length, 0.0, 0.0)))


def check(found: np.ndarray, exact: list[tuple[float, float]], speed: float = 10.0) -> None:
    assert found.shape == (len(exact), 2)
    for (begin, end), (first, last) in zip(found, exact, strict=True):
        assert first - 2 * TOLERANCE / speed - 1e-9 <= begin <= first + 1e-12
        assert last - 1e-12 <= end <= last + FINE + 2 * TOLERANCE / speed


def test_a_cube_passes_two_plates() -> None:
    found = tc.contact_intervals(CUBE, plates(3.0, 7.0), along_x(10.0), tolerance=TOLERANCE)
    check(found, [(0.24, 0.36), (0.64, 0.76)])


def test_what_is_apart_has_none() -> None:
    assert tc.contact_intervals(CUBE, plates(3.0), along_x(2.3)).shape == (0, 2)


def test_a_separation_widens_them() -> None:
    found = tc.contact_intervals(
        CUBE, plates(3.0), along_x(10.0), separation=0.5, tolerance=TOLERANCE
    )
    check(found, [(0.19, 0.41)])


def test_contact_at_both_ends() -> None:
    cage = plates(0.0, 5.0)
    found = tc.contact_intervals(CUBE, cage, along_x(5.0), tolerance=TOLERANCE)
    check(found, [(0.0, 0.12), (0.88, 1.0)], speed=5.0)
    still = tc.contact_intervals(CUBE, cage, np.eye(4))
    np.testing.assert_array_equal(still, [[0.0, 1.0]])


def test_touching_at_the_very_end() -> None:
    found = tc.contact_intervals(CUBE, plates(5.0), along_x(4.4), tolerance=TOLERANCE)
    check(found, [(1.0, 1.0)], speed=4.4)


def test_short_breaks_are_not_told() -> None:
    rows = plates(3.0, 4.3)  # free for 0.1 of 10: from 0.36 to 0.37
    fine = tc.contact_intervals(CUBE, rows, along_x(10.0), tolerance=TOLERANCE)
    check(fine, [(0.24, 0.36), (0.37, 0.49)])
    coarse = tc.contact_intervals(CUBE, rows, along_x(10.0), tolerance=TOLERANCE, resolution=0.02)
    assert coarse.shape == (1, 2) and coarse[0, 0] == fine[0, 0] and coarse[0, 1] >= 0.49


def test_what_is_inside_a_solid_is_in_contact() -> None:
    grain = tc.Mesh(*box((0.1, 0.1, 0.1)))
    solid = tc.Mesh(*shifted(box((2.0, 2.0, 2.0)), (5.0, 0.0, 0.0)), solid=True)
    shell = tc.Mesh(*shifted(box((2.0, 2.0, 2.0)), (5.0, 0.0, 0.0)))
    way = along_x(10.0)
    check(tc.contact_intervals(grain, solid, way, tolerance=TOLERANCE), [(0.395, 0.605)])
    check(
        tc.contact_intervals(grain, shell, way, tolerance=TOLERANCE),
        [(0.395, 0.405), (0.595, 0.605)],
    )
    within = tc.Motion.linear(tc.pose((4.8, 0.0, 0.0)), tc.pose((5.2, 0.0, 0.0)))
    np.testing.assert_array_equal(tc.contact_intervals(grain, solid, within), [[0.0, 1.0]])


def test_a_surface_has_them() -> None:
    ball = sphere(0.5)
    found = tc.contact_intervals(ball, plates(3.0), along_x(10.0), tolerance=TOLERANCE)
    check(found, [(0.24, 0.36)])


def test_a_propeller_strikes_every_half_turn() -> None:
    blade = tc.Mesh(*box((4.0, 0.2, 0.2)))
    post = tc.Mesh(*shifted(box((0.2, 0.2, 0.2)), (1.5, 0.0, 0.0)))
    found = tc.contact_intervals(blade, post, tc.Motion.twist(np.eye(4), (0, 0, 0), (0, 0, 6 * pi)))
    assert len(found) == 7  # the first begins at 0 and the last ends at 1
    middles = found[1:-1].mean(axis=1)
    np.testing.assert_allclose(middles, np.arange(1, 6) / 6, atol=1e-5)
    # The blade's side at y = 0.1 meets the post's corner.
    half = asin(0.1 / np.hypot(1.4, 0.1)) + asin(0.1 / np.hypot(1.4, 0.1))
    np.testing.assert_allclose(found[1:-1, 1] - found[1:-1, 0], 2 * half / (6 * pi), atol=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_every_sample_in_contact_lies_within_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    soup = rng.uniform(-1, 1, (40, 1, 3)) + rng.uniform(-0.2, 0.2, (40, 3, 3))
    a = tc.Mesh(soup[:20].reshape(-1, 3), np.arange(60).reshape(-1, 3))
    b = tc.Mesh(soup[20:].reshape(-1, 3), np.arange(60).reshape(-1, 3))
    way = tc.Motion.twist(tc.pose((-2, 0, 0)), (4, 0.5, 0), rng.normal(0, 4, 3))
    found = tc.contact_intervals(a, b, way)
    times = np.linspace(0, 1, 2001)
    poses = way.pose(times)
    touches = tc.first_contact_batch(a, b, poses, poses).status != tc.Status.FREE
    inside = ((found[:, 0] <= times[:, None]) & (times[:, None] <= found[:, 1])).any(axis=1)
    assert touches.any() and not touches.all()
    assert not (touches & ~inside).any()
    assert (found[1:, 0] - found[:-1, 1] >= 1e-3).all()
    for begin, end in found:  # each is as long as it must be
        around = touches[(times >= begin - 1e-3) & (times <= end + 1e-3)]
        assert around.any() or end - begin < 2e-3


def test_a_budget_leaves_the_rest_open() -> None:
    found = tc.contact_intervals(CUBE, plates(3.0, 7.0), along_x(10.0), budget=30)
    assert found[-1, 1] == 1.0 and found[0, 0] <= 0.24


@pytest.mark.parametrize("resolution", [0, -1.0, 2.0, np.nan, "fine", None])
def test_a_resolution_is_a_share_of_the_time(resolution: object) -> None:
    error = ValueError if isinstance(resolution, int | float) else TypeError
    with pytest.raises(error, match="resolution: expected a number"):
        tc.contact_intervals(CUBE, CUBE, np.eye(4), resolution=resolution)  # type: ignore[arg-type]


def cart() -> tc.Robot:
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0))
    return tc.Robot([tc.Link("base"), tc.Link("cart", CUBE)], [rail])


def test_a_cart_passes_two_plates() -> None:
    scene = tc.Scene()
    scene.add("near", tc.Mesh(*plate(3.0)))
    scene.add("far", tc.Mesh(*plate(7.0)))
    found = cart().contact_intervals([0.0], [10.0], scene, tolerance=TOLERANCE)
    check(found, [(0.24, 0.36), (0.64, 0.76)])
    # On a path that stops, goes back and leaves by leaps, on a clock of its own.
    path = np.array([[0.0], [5.0], [5.0], [0.0]])
    found = cart().contact_intervals_path(path, scene, times=[0, 1, 3, 4], tolerance=TOLERANCE)
    check(found, [(0.12, 0.18), (0.82, 0.88)], speed=20.0)


def test_intervals_of_a_spline_follow_it() -> None:
    scene = tc.Scene()
    scene.add("plate", tc.Mesh(*plate(3.0)))
    (found,) = cart().contact_intervals_path([[0.0], [10.0]], scene, spline="cubic")
    at = [10 * (3 * t * t - 2 * t**3) for t in found]  # from rest to rest
    np.testing.assert_allclose(at, [2.4, 3.6], atol=1e-4)


def test_links_that_meet_each_other_count() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    found = robot.contact_intervals([0, 0, 0], [0, 2 * pi, 2 * pi])
    first = robot.first_contact([0, 0, 0], [0, 2 * pi, 2 * pi])
    assert found[0, 0] == pytest.approx(first.toc, abs=1e-6) and found[-1, 1] < 1
    assert len(robot.contact_intervals([0, 0, 0], [0, 2 * pi, 2 * pi], self_contact=False)) == 0
