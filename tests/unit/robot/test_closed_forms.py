"""Robots whose first contact is known in closed form, all joints moving at once."""

from __future__ import annotations

from math import acos, atan2, hypot, pi
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted


def wall(x: float) -> tc.Scene:
    """Return a wall that fills all from `x` on."""
    scene = tc.Scene()
    scene.add("wall", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (x + 0.5, 0.0, 0.0))))
    return scene


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("x", [1.0, 1.5, 1.85])
@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_an_arm_unfolds_against_a_wall(x: float, turn: float, method: Any) -> None:
    """The elbow turns twice as fast as the shoulder, back: the tip stays on the x axis."""
    robot = planar_arm((1.0, 1.0), 0.1)
    first, last = 1.4, 0.1
    q0, q1 = (turn * angle * np.array([1.0, -2.0]) for angle in (first, last))
    contact = robot.first_contact(q0, q1, wall(x), tolerance=1e-7, method=method)
    # The corner (0.9, 0.05) of the second bar is at x = 1.9 cos a + 0.05 sin a.
    angle = atan2(0.05, 1.9) + acos(x / hypot(1.9, 0.05))
    exact = (first - angle) / (first - last)
    assert contact.status == tc.Status.CONTACT and contact.link_a == "link2"
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12
    np.testing.assert_allclose(contact.q, turn * angle * np.array([1.0, -2.0]), atol=1e-5)


def test_an_arm_that_stops_short_is_free() -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    q0, q1 = np.array([1.4, -2.8]), np.array([0.1, -0.2])
    reach = 1.9 * np.cos(0.1) + 0.05 * np.sin(0.1)
    assert not robot.first_contact(q0, q1, wall(reach + 1e-5), tolerance=1e-6)
    assert robot.first_contact(q0, q1, wall(reach - 1e-5), tolerance=1e-6)


def gantry() -> tc.Robot:
    """Return a rail along x that carries a slide along (0, 0.6, 0.8) with a small ball's box."""
    tip = tc.Mesh(*box((0.2, 0.2, 0.2)))
    joints = [
        tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0)),
        tc.Joint("slide", "prismatic", "cart", "tip", tc.pose((0.0, 0.0, 1.0)), (0.0, 0.6, 0.8)),
    ]
    return tc.Robot([tc.Link("base"), tc.Link("cart"), tc.Link("tip", tip)], joints)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("normal", [(1.0, 0.0, 0.0), (1.0, 2.0, 2.0), (-0.5, 1.0, 0.3)])
def test_two_slides_meet_a_slanted_plate(normal: tuple[float, float, float], method: Any) -> None:
    n = np.array(normal) / np.linalg.norm(normal)
    across = np.linalg.svd(n[None])[2][1:] * 50.0
    place = 3.0 * n
    corners = place + np.array([across[0], -across[0] + across[1], -across[0] - across[1]])
    scene = tc.Scene()
    scene.add("plate", tc.Mesh(corners, [[0, 1, 2]]))
    q0, q1 = np.array([0.0, -1.0]), np.array([6.0, 8.0]) * np.sign([n[0], 1.0])
    places = [np.array([q[0], 0.6 * q[1], 1.0 + 0.8 * q[1]]) for q in (q0, q1)]
    reach = 0.1 * np.abs(n).sum()  # of the box along the normal
    start, end = (float(n @ p) for p in places)
    exact = (3.0 - reach - start) / (end - start)
    assert 0 < exact < 1
    contact = gantry().first_contact(q0, q1, scene, tolerance=1e-7, method=method)
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12
    np.testing.assert_allclose(contact.normal, -n, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_mimic_closes_twice_as_fast(method: Any) -> None:
    """Two fingers along y face each other; the second mirrors the first by -1."""
    finger = tc.Mesh(*box((0.1, 1.0, 0.1)))
    slide = {"kind": "prismatic", "parent": "palm"}
    joints = [
        tc.Joint("left", child="a", axis=(1, 0, 0), **slide),  # type: ignore[arg-type]
        tc.Joint("right", child="b", axis=(1, 0, 0), mimic=tc.Mimic("left", -1.0, 1.0), **slide),  # type: ignore[arg-type]
    ]
    robot = tc.Robot([tc.Link("palm"), tc.Link("a", finger), tc.Link("b", finger)], joints)
    contact = robot.first_contact([0.0], [0.5], tolerance=1e-7, method=method)
    # Middles at x and 1 - x, half widths 0.05: they meet at x = 0.45.
    assert contact.toc == pytest.approx(0.9, abs=1e-6) and contact.toc <= 0.9
    assert {contact.link_a, contact.link_b} == {"a", "b"}


def rectangles(angles: np.ndarray, width: float) -> np.ndarray:
    """Return (n, 4, 2) corners of the bars of a planar arm with unit links."""
    heading = np.cumsum(angles)
    along = np.stack([np.cos(heading), np.sin(heading)], axis=1)
    starts = np.vstack([np.zeros(2), np.cumsum(along, axis=0)[:-1]])
    across = width / 2 * np.stack([-along[:, 1], along[:, 0]], axis=1)
    near, far = starts + width * along, starts + (1 - width) * along
    return np.stack([near - across, near + across, far + across, far - across], axis=1)


def gaps(corners: np.ndarray) -> np.ndarray:
    """Return (n, n) largest gaps over the separating axes of pairs of rectangles."""
    sides = np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1]], axis=1)
    axes = sides / np.linalg.norm(sides, axis=2, keepdims=True)
    spread = np.einsum("nkd,iad->iank", corners, axes)  # of all rectangles along each one's axes
    low, high = spread.min(axis=3), spread.max(axis=3)
    i = np.arange(len(corners))
    own_low, own_high = low[i, :, i][:, :, None], high[i, :, i][:, :, None]
    apart = np.maximum(low - own_high, own_low - high).max(axis=1)
    return np.maximum(apart, apart.T)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bend", [0.10, -0.08])
def test_a_chain_of_a_hundred_links_rolls_up(bend: float, method: Any) -> None:
    """Judged by separating axes in the plane, which are exact for rectangles."""
    count, width = 100, 0.1
    robot = planar_arm((1.0,) * count, width)
    q1 = np.full(count, bend)
    contact = robot.first_contact(np.zeros(count), q1, tolerance=1e-6, method=method)
    assert contact.status == tc.Status.CONTACT
    neighbours = np.abs(np.subtract.outer(np.arange(count), np.arange(count))) <= 1
    for t in np.linspace(0.0, contact.toc, 100, endpoint=False):
        apart = np.where(neighbours, np.inf, gaps(rectangles(t * q1, width)))
        assert apart.min() > 0, f"missed a contact at {t}"
    i, j = (int(str(name).removeprefix("link")) - 1 for name in (contact.link_a, contact.link_b))
    assert gaps(rectangles(contact.toc * q1, width))[i, j] <= 1e-6 + 1e-9
    assert 2 * pi / count / abs(bend) * 0.9 < contact.toc < 1.0, "less than a turn cannot close"


@pytest.mark.parametrize(("way", "gap"), [(1.0, 0.5), (1.0, 0.01), (1e-4, 1e-5), (3.2e-5, 1e-6)])
@pytest.mark.parametrize("method", ["auto", "interval"])
def test_a_slow_start_does_not_hide_a_fast_end(way: float, gap: float, method: Any) -> None:
    """A ram moves by `way` t^5: bounds over the first eighth of it do not hold after that.

    Small gaps are below what single precision tells, so that triangles alone decide; the oblique
    place leaves nothing to boxes along the axes.
    """
    place, cube = tc.pose((0.1, 0.2, 0.3), rotvec=(0.4, 1.1, -0.7)), tc.Mesh(*box((1.0, 1.0, 1.0)))
    slide = tc.Joint("slide", "prismatic", "base", "ram", place, axis=(1.0, 0.0, 0.0))
    robot = tc.Robot([tc.Link("base"), tc.Link("ram", cube)], [slide])
    world = tc.Scene()
    world.add("wall", cube, place @ tc.pose((1 + gap, 0.3, 0.2)))
    c = robot.first_contact_path(
        [[0.0], [way]],
        world,
        spline="quintic",
        velocities=[[0.0], [5 * way]],
        accelerations=[[0.0], [20 * way]],
        tolerance=1e-9,
        method=method,
    )
    assert c.status is tc.Status.CONTACT
    assert ((gap - 1e-9) / way) ** 0.2 - 1e-9 <= c.toc <= (gap / way) ** 0.2 + 1e-12


def ram_beside_a_fan(gap: float, times: tuple[float, ...], ways: tuple[float, ...]) -> Any:
    """A block that stands, a fan far from it, and a ram, `gap` apart, that moves in by `ways`."""
    place, cube = tc.pose((0.1, 0.2, 0.3), rotvec=(0.4, 1.1, -0.7)), tc.Mesh(*box((1.0, 1.0, 1.0)))
    fix = tc.Joint("fix", "fixed", "base", "block", place)
    turn = tc.Joint("turn", "continuous", "base", "fan", tc.pose((9.0, 0.0, 0.0)))
    robot = tc.Robot([tc.Link("base"), tc.Link("block", cube), tc.Link("fan", cube)], [fix, turn])
    poses = np.array([place @ tc.pose((1 + gap - way, 0.3, 0.2)) for way in ways])
    world = tc.Scene()
    world.add("ram", cube, tc.Motion.spline(times, poses, kind="linear"))
    return robot, world


@pytest.mark.parametrize(("gap", "way"), [(1e-6, 0.5), (1e-3, 0.5), (0.1, 0.5), (0.6, 2.0)])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_rests_at_first_is_met(gap: float, way: float, method: Any) -> None:
    """The fan's turns end the window of a bound long before the ram moves.

    Across a large gap, bounding volumes are apart, too.
    """
    robot, world = ram_beside_a_fan(gap, (0.0, 0.5, 1.0), (0.0, 0.0, way))
    c = robot.first_contact([0.0], [40.0], world, method=method, tolerance=1e-9)
    assert c.status is tc.Status.CONTACT and {c.link_a, c.link_b} == {"block", "ram"}
    exact = 0.5 + 0.5 * gap / way
    assert exact - 2e-9 <= c.toc <= exact + 1e-12
    assert not robot.motion_is_free([0.0], [40.0], world, method=method, tolerance=1e-9)


@pytest.mark.parametrize("turn", [1.5, 3.0, 6.0])
@pytest.mark.parametrize("method", METHODS)
def test_a_probe_is_not_used_as_a_bound(turn: float, method: Any) -> None:
    """Where a later time was tried, the ram rests; bounds from there on have to be asked anew.

    With 3 radians the first window ends at 0.5, which is also the first time that is tried.
    """
    robot, world = ram_beside_a_fan(0.1, (0.0, 0.55, 0.57, 0.59, 1.0), (0.0, 0.0, 0.5, 0.0, 0.0))
    assert not robot.motion_is_free([0.0], [turn], world, method=method, tolerance=1e-9)
