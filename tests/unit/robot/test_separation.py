"""A separation for each pair of bodies."""

from __future__ import annotations

from collections import UserDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._robot.options import options_in
from toccata._scene import as_world
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted


def slides() -> tc.Robot:
    """Return two unit cubes side by side, each on a rail along x."""
    cube = tc.Mesh(*box())
    aside = tc.pose((0.0, 2.0, 0.0))
    return tc.Robot(
        [tc.Link("base"), tc.Link("left", cube), tc.Link("right", cube)],
        [
            tc.Joint("one", "prismatic", "base", "left", axis=(1, 0, 0)),
            tc.Joint("two", "prismatic", "base", "right", aside, axis=(1, 0, 0)),
        ],
    )


def cart() -> tc.Robot:
    """Return a unit cube on a rail along x."""
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0))
    return tc.Robot([tc.Link("base"), tc.Link("cart", tc.Mesh(*box()))], [rail])


def wall(farther: float = 0.0) -> tc.Scene:
    """Return a wall from x = 4 on."""
    scene = tc.Scene()
    scene.add("wall", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (4.5 + farther, 0.0, 0.0))))
    return scene


def walls() -> tc.Scene:
    """Return a wall from x = 4 on, and one from x = -4 on the other side."""
    scene = tc.Scene()
    scene.add("front", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (4.5, 0.0, 0.0))))
    scene.add("back", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (-4.5, 0.0, 0.0))))
    return scene


@pytest.mark.parametrize("pair", [("right", "front"), ("front", "right")])
def test_a_pair_keeps_its_own_distance(pair: tuple[str, str]) -> None:
    robot, scene = slides(), walls()
    found = robot.first_contact([0, 0], [5, 5], scene, tolerance=1e-6, separation={pair: 0.5})
    assert found.toc == pytest.approx((3.5 - 0.5) / 5, abs=1e-6)
    assert (found.link_a, found.link_b) == ("right", "front")
    assert found.distance == pytest.approx(0.5, abs=2e-6)


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
@pytest.mark.parametrize("separation", [1e37, 1e39, 1e300])
def test_a_separation_may_be_beyond_all_boxes(method: Any, separation: float) -> None:
    found = slides().first_contact([0, 0], [1, 1], walls(), separation=separation, method=method)
    assert found.status is tc.Status.INITIAL_OVERLAP


def test_other_pairs_take_the_default() -> None:
    robot, scene = slides(), walls()
    own = {("left", "front"): 0.0, ("left", "right"): 0.0, "default": 0.25}
    found = robot.first_contact([0, 0], [5, 5], scene, tolerance=1e-6, separation=own)
    assert found.toc == pytest.approx((3.5 - 0.25) / 5, abs=1e-6)
    assert found.link_a == "right"
    own["right", "front"] = 0.0
    found = robot.first_contact([0, 0], [-5, -5], scene, tolerance=1e-6, separation=own)
    assert found.toc == pytest.approx((3.5 - 0.25) / 5, abs=1e-6) and found.link_b == "back"


def test_links_keep_their_distance_from_each_other() -> None:
    robot = slides()
    past = [-4.0, 0.0], [4.0, 0.0]  # the cubes pass each other at a distance of 1
    assert not robot.first_contact(*past, separation={("left", "right"): 0.99})
    found = robot.first_contact(*past, separation={("right", "left"): 1.25}, tolerance=1e-6)
    exact = (4 - 1 - np.sqrt(1.25**2 - 1)) / 8
    assert found.toc == pytest.approx(exact, abs=1e-6)


def test_all_queries_take_a_mapping() -> None:
    robot, scene = slides(), walls()
    own = {("right", "front"): 0.5}
    q0, q1 = [0.0, 0.0], [3.2, 3.2]
    assert robot.motion_is_free(q0, q1, scene)
    assert not robot.motion_is_free(q0, q1, scene, separation=own)
    batch = robot.first_contact_batch([q0, q0], [q1, [3.2, 0.0]], scene, separation=own)
    assert batch.status.tolist() == [tc.Status.CONTACT, tc.Status.FREE]
    path = robot.first_contact_path([q0, [3.2, 0.0], q1], scene, separation=own, tolerance=1e-6)
    assert path.toc == pytest.approx(0.5 + 0.5 * 3.0 / 3.2, abs=1e-6)


def test_one_number_for_all_pairs_is_one_number() -> None:
    robot, scene = puma(12), wires(6)
    starts = robot.random_configurations(30, 3)
    ends = starts + np.random.default_rng(4).uniform(-0.5, 0.5, starts.shape)
    one = robot.first_contact_batch(starts, ends, scene, separation=0.02)
    all_pairs = robot.first_contact_batch(starts, ends, scene, separation={"default": 0.02})
    assert 3 < (one.status == tc.Status.FREE).sum() < 27
    np.testing.assert_array_equal(one.status, all_pairs.status)
    np.testing.assert_array_equal(one.link_a, all_pairs.link_a)
    np.testing.assert_allclose(one.toc, all_pairs.toc, atol=1e-5)


def test_a_name_of_a_link_and_of_a_body_stands_for_both() -> None:
    robot, scene = slides(), tc.Scene()
    scene.add("right", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (4.5, 0.0, 0.0))))
    own = {("left", "right"): 0.5}
    found = robot.first_contact([0, -9], [5, -9], scene, separation=own, tolerance=1e-6)
    assert found.toc == pytest.approx((3.5 - 0.5) / 5, abs=1e-6)


@pytest.mark.parametrize(
    ("separation", "message"),
    [
        (
            {("link1", "door"): 0.1},
            r"separation, \('link1', 'door'\): expected a link .*, got 'door'",
        ),
        ({("link1", "link3"): -0.1}, r"separation, \('link1', 'link3'\): expected a finite"),
        ({("link1", "link3"): np.nan}, r"separation, \('link1', 'link3'\): expected a finite"),
        ({"default": -1.0}, "separation, 'default': expected a finite"),
        ({"link1": 1.0}, "separation: expected pairs of names or 'default', got 'link1'"),
        ({("link1",): 1.0}, "separation: expected pairs of names"),
        ({("link1", "link2"): 0.1}, "separation: expected a pair that is tested"),
        ({("link1", "link1"): 0.1}, "separation: expected a pair that is tested"),
        ({("post", "post"): 0.1}, "separation: expected a pair that is tested"),
        (
            {("link1", "link3"): 0.1, ("link3", "link1"): 0.2},
            "separation: expected one distance for .*, got two",
        ),
        (-1.0, "separation: expected a finite"),
    ],
)
def test_invalid_separations_are_refused(separation: object, message: str) -> None:
    scene = tc.Scene()
    scene.add("post", tc.Mesh(*shifted(box(), (9.0, 0.0, 0.0))))
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    with pytest.raises((TypeError, ValueError), match=message):
        robot.first_contact([0, 0, 0], [1, 0, 0], scene, separation=separation)  # type: ignore[arg-type]


def test_a_mapping_may_change_between_calls() -> None:
    """It is read once and remembered, as long as it says the same."""
    robot, scene = cart(), wall()
    q0, q1 = np.array([0.0]), np.array([3.0])  # it ends 0.5 before the wall
    apart: dict[Any, Any] = {("cart", "wall"): 0.4}
    for distance, free in ((0.4, True), (0.6, False), (0.4, True), (1, False), (0, True)):
        apart["cart", "wall"] = distance
        for view in (apart, MappingProxyType(apart), UserDict(apart)):
            for _ in range(2):
                assert robot.motion_is_free(q0, q1, scene, separation=view) == free
    apart["default"] = 0.6
    assert robot.motion_is_free(q0, q1, scene, separation=apart)
    del apart["cart", "wall"]
    assert not robot.motion_is_free(q0, q1, scene, separation=apart)
    place = np.array(0.4)  # changes in place
    apart["default"] = place
    assert robot.motion_is_free(q0, q1, scene, separation=apart)
    place[()] = 0.6
    assert not robot.motion_is_free(q0, q1, scene, separation=apart)
    place[()] = 0.4
    assert robot.motion_is_free(q0, q1, scene, separation=apart)
    place[()] = 0.6
    assert not robot.motion_is_free(q0, q1, scene, separation={"default": 0.6})
    for bad in (np.array([0.4, 0.5]), "far", -1.0, np.nan):
        apart["default"] = bad
        error = ValueError if isinstance(bad, float) else TypeError
        with pytest.raises(error, match="separation, 'default': expected"):
            robot.motion_is_free(q0, q1, scene, separation=apart)


def test_a_mapping_is_read_for_each_world_and_robot() -> None:
    apart = {("cart", "wall"): 0.6}
    q0, q1 = np.array([0.0]), np.array([3.0])
    near, far = wall(), wall(1.0)
    for _ in range(2):
        assert not cart().motion_is_free(q0, q1, near, separation=apart)
        assert cart().motion_is_free(q0, q1, far, separation=apart)
    robot = cart()
    assert not robot.motion_is_free(q0, q1, near, separation=apart)
    robot.ignore("cart", "wall")
    with pytest.raises(ValueError, match="expected a pair that is tested"):
        robot.motion_is_free(q0, q1, near, separation=apart)
    robot.unignore("cart", "wall")
    assert not robot.motion_is_free(q0, q1, near, separation=apart)


def test_a_mapping_is_read_once() -> None:
    robot, world = cart(), as_world(wall())
    apart = {("cart", "wall"): 0.6, "default": 0}
    first = options_in(world, robot._pairs, {"separation": apart})
    assert options_in(world, robot._pairs, {"separation": dict(apart)}) is first
    assert options_in(world, robot._pairs, {"separation": {**apart, "default": 0.1}}) is not first
