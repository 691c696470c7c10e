"""The clearance of a robot's motion where it is known in closed form, in all shapes of calls."""

from __future__ import annotations

from math import hypot, pi

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted
from toccata.surfaces import sphere

TOLERANCE = 1e-6


def slide(width: float = 1.0) -> tc.Robot:
    """Return a cube on a rail along x."""
    cube = tc.Mesh(*box((width, width, width)))
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0))
    return tc.Robot([tc.Link("base"), tc.Link("cart", cube)], [rail])


def world(**bodies: tuple[np.ndarray, np.ndarray]) -> tc.Scene:
    scene = tc.Scene()
    for name, mesh in bodies.items():
        scene.add(name, tc.Mesh(*mesh))
    return scene


def check(found: tc.RobotClearance, exact: float, tolerance: float = TOLERANCE) -> None:
    assert found.lower <= exact + 1e-12 and exact - 1e-12 <= found.upper
    assert found.upper - found.lower <= tolerance == found.tolerance
    assert found.distance <= found.upper
    if exact > 0:
        gap = np.linalg.norm(found.point_a - found.point_b)
        assert gap == pytest.approx(found.distance, abs=1e-9)


def test_a_cart_passes_a_block() -> None:
    scene = world(block=shifted(box(), (2.0, 1.3, 0.0)))
    found = slide().clearance([0.0], [5.0], scene, tolerance=TOLERANCE)
    check(found, 0.3)
    assert (found.link_a, found.link_b) == ("cart", "block")
    assert 1.0 / 5 - 1e-3 <= found.time <= 3.0 / 5 + 1e-3
    np.testing.assert_allclose(found.q, [5 * found.time])
    assert found.point_a[1] == pytest.approx(0.5) and found.point_b[1] == pytest.approx(0.8)


def test_a_cart_stops_before_a_wall() -> None:
    scene = world(wall=shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0)))  # from x = 4 on
    found = slide().clearance([0.0], [2.75], scene, tolerance=TOLERANCE)
    check(found, 4.0 - 0.5 - 2.75)
    assert found.time == 1.0


def test_one_link_swings_past_a_corner() -> None:
    robot = planar_arm((1.0,), 0.1)
    corner = (0.9, 0.9)
    post = shifted(box((0.2, 0.2, 1.0)), (corner[0] + 0.1, corner[1] + 0.1, 0.0))
    found = robot.clearance([0.0], [pi / 2], world(post=post), tolerance=TOLERANCE)
    # The corners of the bar's end are the farthest out, and pass the post on the same ray.
    tip = max(vertex[0] for vertex in robot.links["link1"].mesh.vertices)
    check(found, hypot(*corner) - hypot(tip, 0.05))
    assert found.time == pytest.approx(0.5, abs=0.05)


def test_a_needle_goes_through_the_gap_that_is_left() -> None:
    robot = planar_arm((1.0,), 0.1)
    radius = 0.6
    needles = [
        np.array([[radius * np.cos(a), radius * np.sin(a), z] for z in (-1.0, 1.0, 1.0)])
        for a in (-0.3, 1.4)
    ]
    faces = np.array([[0, 1, 2]])
    scene = world(low=(needles[0], faces), high=(needles[1], faces))
    found = robot.clearance([0.0], [1.0], scene, tolerance=TOLERANCE)
    # The nearer needle is 0.3 away from the side at the start, or 0.4 at the end.
    check(found, radius * np.sin(0.3) - 0.05)
    assert found.link_b == "low" and found.time == 0


def test_an_arm_folds_onto_itself() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    found = robot.clearance([0.3, 0.0, 0.0], [0.9, 2.0, 1.2], tolerance=TOLERANCE)
    assert (found.link_a, found.link_b) == ("link1", "link3")
    poses = robot.forward_kinematics(found.q)
    for link, point in (("link1", found.point_a), ("link3", found.point_b)):
        local = np.linalg.inv(poses[link]) @ np.append(point, 1.0)
        mesh = robot.links[link].mesh.vertices
        assert (local[:3] >= mesh.min(axis=0) - 1e-9).all()
        assert (local[:3] <= mesh.max(axis=0) + 1e-9).all()
    near = robot.first_contact(
        [0.3, 0.0, 0.0], [0.9, 2.0, 1.2], separation=found.upper + 1e-6, tolerance=1e-7
    )
    far = robot.first_contact(
        [0.3, 0.0, 0.0], [0.9, 2.0, 1.2], separation=found.lower - 1e-6, tolerance=1e-7
    )
    assert near and not far
    alone = robot.clearance([0.3, 0, 0], [0.9, 2, 1.2], self_contact=False)
    assert alone.lower == alone.upper == np.inf and np.isnan(alone.q).all() and alone.link_a is None


def test_contact_has_no_clearance() -> None:
    scene = world(wall=shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0)))
    found = slide().clearance([0.0], [9.0], scene)
    assert found.lower == 0 and found.upper <= found.tolerance
    assert (found.link_a, found.link_b) == ("cart", "wall")
    # A wire that a fast link crosses between any two samples.
    thin = world(wire=shifted(box((0.002, 0.002, 4.0)), (0.5, 0.4321, 0.0)))
    assert planar_arm((1.0,), 0.1).clearance([0.0], [6.0], thin).lower == 0


def test_a_solid_around_the_robot_leaves_no_clearance() -> None:
    scene = tc.Scene()
    scene.add("room", tc.Mesh(*box((30.0, 30.0, 30.0)), solid=True))
    found = slide().clearance([0.0], [1.0], scene)
    assert found.lower == found.upper == found.distance == 0 and found.link_b == "room"
    hollow = world(room=box((30.0, 30.0, 30.0)))
    check(slide().clearance([0.0], [1.0], hollow, tolerance=TOLERANCE), 13.5)


def test_distances_beyond_the_limit_are_not_resolved() -> None:
    scene = world(block=shifted(box(), (2.0, 1.3, 0.0)))
    far = slide().clearance([0.0], [5.0], scene, limit=0.2)
    assert far.lower >= 0.2 and far.upper > 0.2
    near = slide().clearance([0.0], [5.0], scene, limit=0.4, tolerance=TOLERANCE)
    check(near, 0.3)


def test_bodies_of_the_world_may_move() -> None:
    scene = tc.Scene()
    crossing = tc.Motion.linear(tc.pose((3.0, 9.0, 0.0)), tc.pose((3.0, -9.0, 0.0)))
    scene.add("crossing", tc.Mesh(*box()), crossing)
    found = slide().clearance([0.0], [1.5], scene, tolerance=TOLERANCE)
    # Once beside each other, the nearest edges are at (2 - 1.5 t, 10 - 18 t): a straight line.
    check(found, (2.0 * 18 - 1.5 * 10) / hypot(18, 1.5))


def test_curved_bodies_are_measured() -> None:
    scene = tc.Scene()
    scene.add("ball", sphere(0.5), tc.pose((2.0, 1.3, 0.0)))
    check(slide().clearance([0.0], [5.0], scene, tolerance=1e-4), 0.3, 1e-4)


def test_bodies_that_rest_relative_to_each_other_are_measured() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    still = robot.clearance([0.0, 1.0, 1.0], [0.0, 1.0, 1.0], tolerance=TOLERANCE)
    turning = robot.clearance([-2.0, 1.0, 1.0], [2.0, 1.0, 1.0], tolerance=TOLERANCE)
    check(turning, still.distance)


def test_a_budget_that_runs_out_widens_the_bounds() -> None:
    robot, scene = puma(12), wires(4)
    starts = robot.random_configurations(20, 3)
    hasty = [robot.clearance(q, q + 0.4, scene, budget=5) for q in starts]
    full = [robot.clearance(q, q + 0.4, scene) for q in starts]
    for few, all_steps in zip(hasty, full, strict=True):
        assert few.lower <= all_steps.upper and all_steps.lower <= few.upper
    assert any(few.upper - few.lower > few.tolerance for few in hasty)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"tolerance": 0.0}, "tolerance: expected a finite number of more than 0"),
        ({"tolerance": 1e-18}, "tolerance: expected more than"),
        ({"limit": -1.0}, "limit: expected a finite number of at least 0"),
        ({"limit": np.nan}, "limit: expected a finite number"),
        ({"budget": 0}, "budget: expected"),
        ({"q1": [np.nan]}, "q1: expected finite"),
    ],
)
def test_invalid_arguments_are_refused(how: dict[str, object], message: str) -> None:
    scene = world(block=shifted(box(), (2.0, 1.3, 0.0)))
    question: dict[str, object] = {"q0": [0.0], "q1": [5.0], "world": scene, **how}
    with pytest.raises(ValueError, match=message):
        slide().clearance(**question)  # type: ignore[arg-type]
