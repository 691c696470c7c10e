"""First contact of robots where the answer is known in closed form, and in all shapes of calls."""

from __future__ import annotations

import warnings
from math import asin, atan2, pi, sqrt
from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted


def one_body(mesh: tuple[np.ndarray, np.ndarray], name: str = "post") -> tc.Scene:
    scene = tc.Scene()
    scene.add(name, tc.Mesh(*mesh))
    return scene


def slide() -> tc.Robot:
    """Return a unit cube on a rail along x."""
    cube = tc.Mesh(*box())
    rail = tc.Joint("rail", "prismatic", "base", "cart", axis=(1, 0, 0), lower=-9, upper=9)
    return tc.Robot([tc.Link("base"), tc.Link("cart", cube)], [rail])


def test_prismatic_arm_meets_a_wall_when_its_front_does() -> None:
    wall = one_body(shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0)))  # from x = 4 on
    contact = slide().first_contact([0.0], [5.0], wall, tolerance=1e-6)
    exact = (4.0 - 0.5) / 5.0
    assert contact.status == tc.Status.CONTACT and contact
    assert exact - 1e-6 / 5 <= contact.toc <= exact
    assert (contact.link_a, contact.link_b) == ("cart", "post")
    np.testing.assert_allclose(contact.q, [5 * contact.toc])
    assert contact.point_a[0] == pytest.approx(4.0, abs=2e-6)
    np.testing.assert_allclose(contact.normal, [-1, 0, 0], atol=1e-9)


def test_separation_brings_the_contact_forward() -> None:
    wall = one_body(shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0)))
    contact = slide().first_contact([0.0], [5.0], wall, tolerance=1e-6, separation=0.25)
    assert contact.toc == pytest.approx((3.5 - 0.25) / 5.0, abs=1e-6)


def test_one_link_swings_against_a_post() -> None:
    robot = planar_arm((1.0,), 0.1)
    # The upper side of the bar is at height 0.05; the corner of the post at (0, 0.5) comes first.
    post = shifted(box((0.2, 0.2, 1.0)), (0.1, 0.6, 0.0))
    contact = robot.first_contact([0.0], [pi / 2], one_body(post), tolerance=1e-7)
    # The side y = 0.05 of the turned bar passes (0.2, 0.5), the corner it meets first.
    reach = sqrt(0.2**2 + 0.5**2)
    exact = (atan2(0.5, 0.2) - asin(0.05 / reach)) / (pi / 2)
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12


@pytest.mark.parametrize("elbow", [0.4, -1.1])
def test_two_links_turn_like_one_when_the_elbow_rests(elbow: float) -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    q0, q1 = np.array([0.0, elbow]), np.array([1.5, elbow])
    # A thin post beyond the first link, at the radius of a point of the second link's upper side.
    along, up = 0.6, 0.05
    x, y = (
        1 + along * np.cos(elbow) - up * np.sin(elbow),
        along * np.sin(elbow) + up * np.cos(elbow),
    )
    radius, start = np.hypot(x, y), atan2(y, x)
    needle = np.array([[radius * np.cos(1.0), radius * np.sin(1.0), z] for z in (-1.0, 1.0, 1.0)])
    contact = robot.first_contact(q0, q1, one_body((needle, np.array([[0, 1, 2]]))), tolerance=1e-7)
    exact = (1.0 - start) / 1.5
    if elbow > 0:
        assert contact.link_a == "link2"
        assert exact - 1e-6 <= contact.toc <= exact + 1e-9
    else:
        assert contact.toc <= exact + 1e-9  # the far end may come first


def test_elbow_alone_moves_only_the_second_link() -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    # A needle at distance r from the elbow: the side at 0.05 meets it asin(0.05 / r) before.
    r, angle = 0.5, 1.2
    tip = np.array([1 + r * np.cos(angle), r * np.sin(angle)])
    needle = np.array([[*tip, -1.0], [*tip, 1.0], [*tip, 1.0]])
    scene = one_body((needle, np.array([[0, 1, 2]])))
    contact = robot.first_contact([0.0, 0.0], [0.0, 2.0], scene, tolerance=1e-7)
    exact = (angle - asin(0.05 / r)) / 2.0
    assert exact - 1e-6 <= contact.toc <= exact + 1e-12
    assert (contact.link_a, contact.link_b) == ("link2", "post")


def test_arm_touches_itself_when_it_folds() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    q1 = np.array([0.7, 2.4, 2.4])  # more than an equilateral triangle: link 3 crosses link 1
    contact = robot.first_contact([0.7, 0.0, 0.0], q1)
    assert contact.status == tc.Status.CONTACT
    assert {contact.link_a, contact.link_b} == {"link1", "link3"}
    # It does not matter how the arm as a whole turns meanwhile.
    turning = robot.first_contact([-2.0, 0.0, 0.0], [3.0, *q1[1:]])
    assert turning.toc == pytest.approx(contact.toc, abs=1e-5)
    assert not robot.first_contact([0.7, 0.0, 0.0], q1, self_contact=False)


def test_links_that_travel_together_never_touch() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    near = 2 * pi / 3 - 0.21  # close to touching, at rest relative to each other
    free = robot.first_contact([0.0, near, near], [6.0, near, near], separation=0.0)
    assert free.status == tc.Status.FREE and np.isnan(free.q).all() and free.toc == np.inf
    assert free.stats.elementary_tests < 100


def test_zero_motion_is_a_test_of_one_pose() -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    far = one_body(shifted(box(), (9.0, 0.0, 0.0)))
    hit = one_body(shifted(box(), (1.5, 0.5, 0.0)))
    q = [0.0, 0.0]
    assert robot.first_contact(q, q, far).status == tc.Status.FREE
    overlap = robot.first_contact(q, q, hit)
    assert overlap.status == tc.Status.INITIAL_OVERLAP and overlap.toc == 0
    assert np.isnan(overlap.normal).all()


def test_full_turns_sweep_the_whole_circle() -> None:
    robot = planar_arm((1.0,), 0.1)
    behind = one_body(shifted(box((0.1, 0.1, 0.1)), (-0.8, 0.0, 0.0)))
    for turns in (1.0, 5.0, -3.0):
        contact = robot.first_contact([0.0], [2 * pi * turns], behind)
        assert contact.status == tc.Status.CONTACT
        assert 0.4 < contact.toc * abs(turns) < 0.5
    assert robot.motion_is_free([0.0], [2.0], behind)


def test_a_fast_link_does_not_jump_over_a_wire() -> None:
    robot = puma()
    q0, q1 = np.zeros(6), np.array([pi, 0.0, 0.0, 0.0, 0.0, 0.0])
    reach = robot.forward_kinematics(q0 + 0.37 * (q1 - q0))["forearm"][:3, 3]
    wire = one_body(shifted(box((0.002, 0.002, 4.0)), reach))
    contact = robot.first_contact(q0, q1, wire)
    assert contact.status == tc.Status.CONTACT and 0.2 < contact.toc < 0.37
    assert not robot.motion_is_free(q0, q1, wire)


def test_a_body_of_the_world_may_move() -> None:
    scene = tc.Scene()
    away = tc.Motion.linear(tc.pose((3.0, 0.0, 0.0)), tc.pose((9.0, 0.0, 0.0)))
    toward = tc.Motion.linear(tc.pose((0.0, 9.0, 0.0)), tc.pose((0.0, -9.0, 0.0)))
    scene.add("away", tc.Mesh(*box()), away)
    assert slide().motion_is_free([0.0], [5.0], scene)
    scene.add("toward", tc.Mesh(*box()), toward)
    contact = slide().first_contact([0.0], [0.0], scene, tolerance=1e-6)
    assert contact.link_b == "toward" and contact.toc == pytest.approx(8 / 18, abs=1e-6)


def test_a_link_inside_a_solid_is_an_overlap() -> None:
    scene = tc.Scene()
    scene.add("room", tc.Mesh(*box((30.0, 30.0, 30.0)), solid=True))
    contact = slide().first_contact([0.0], [1.0], scene)
    assert contact.status == tc.Status.INITIAL_OVERLAP
    assert (contact.link_a, contact.link_b) == ("cart", "room")


def test_an_exhausted_budget_is_undecided() -> None:
    robot, scene = puma(), wires(12)
    q0 = np.zeros(6)
    contact = robot.first_contact(q0, q0 + 2.0, scene, budget=3)
    assert contact.status == tc.Status.UNDECIDED and contact
    assert contact.toc == contact.safe_until < 1 and contact.link_a is None
    assert not robot.motion_is_free(q0, q0 + 2.0, scene, budget=3)


def test_batch_and_threads_give_what_single_queries_give() -> None:
    robot, scene = puma(), wires(12)
    Q0 = robot.random_configurations(60, 1)
    Q1 = Q0 + np.random.default_rng(2).uniform(-1, 1, Q0.shape)
    batch = robot.first_contact_batch(Q0, Q1, scene, threads=1)
    threaded = robot.first_contact_batch(Q0, Q1, scene, threads=4)
    assert len(batch) == 60 and 0.2 < (batch.status == tc.Status.FREE).mean() < 0.8
    for field in (
        "status",
        "toc",
        "point_a",
        "normal",
        "triangle_b",
        "link_a",
        "link_b",
        "q",
    ):
        np.testing.assert_array_equal(getattr(batch, field), getattr(threaded, field))
    for i in range(60):
        single = robot.first_contact(Q0[i], Q1[i], scene)
        assert (single.status, single.toc) == (batch.status[i], batch.toc[i])
        np.testing.assert_array_equal(single.point_a, batch.point_a[i])
        assert robot.motion_is_free(Q0[i], Q1[i], scene) == (not single)
        pair = [None if k < 0 else batch.names[k] for k in (batch.link_a[i], batch.link_b[i])]
        assert pair == [single.link_a, single.link_b]


def test_link_motions_are_motions_like_others() -> None:
    robot, scene = puma(), wires(6)
    q0, q1 = robot.random_configurations(2, 8)
    motion = robot.link_motion("hand", q0, q1)
    for t in (0.0, 0.3, 1.0):
        pose = robot.forward_kinematics(robot.interpolate(q0, q1, t))["hand"]
        np.testing.assert_allclose(motion.pose(t), pose, atol=1e-12)
    mesh = robot.links["hand"].mesh
    alone = tc.Robot([tc.Link("base"), tc.Link("hand")], [tc.Joint("j", "fixed", "base", "hand")])
    assert alone.dof == 0
    for wire in scene._bodies.values():
        answers = [
            tc.first_contact(mesh, wire[0], motion, method=method).toc
            for method in ("auto", "hca", "c2a", "interval")
        ]
        assert np.ptp([min(toc, 2.0) for toc in answers]) < 1e-4


@pytest.mark.parametrize("link", ["base", "shelf", "arm", "tool", "tip"])
def test_link_motions_are_those_of_the_links_own_frames(link: str) -> None:
    """Fixed joints lie above the shelf and the tool; nothing moves the shelf."""
    bar = tc.Mesh(*box((0.2, 0.2, 0.2)))
    place = tc.pose((0.5, 0.25, -0.75), rotvec=(0.3, -0.2, 0.9))
    robot = tc.Robot(
        [tc.Link(name, bar) for name in ("base", "shelf", "arm", "tool", "tip")],
        [
            tc.Joint("bolt", "fixed", "base", "shelf", place),
            tc.Joint("turn", "continuous", "base", "arm", place, axis=(0, 1, 0)),
            tc.Joint("weld", "fixed", "arm", "tool", place),
            tc.Joint("slide", "prismatic", "tool", "tip", place, lower=-1, upper=1),
        ],
    )
    q0, q1 = np.array([0.3, -0.5]), np.array([2.4, 0.8])
    motion = robot.link_motion(link, q0, q1)
    for t in np.linspace(0, 1, 9):
        pose = robot.forward_kinematics(robot.interpolate(q0, q1, t))[link]
        np.testing.assert_allclose(motion.pose(t), pose, atol=1e-12)
    if link in ("tool", "tip"):
        post = tc.Mesh(*box((0.1, 0.1, 0.1)))
        scene = tc.Scene()
        scene.add("post", post, robot.forward_kinematics(robot.interpolate(q0, q1, 0.6))[link])
        alone = tc.first_contact(robot.links[link].mesh, post, motion, scene._bodies["post"][1])
        whole = robot.first_contact(q0, q1, scene, self_contact=False)
        assert alone.status == tc.Status.CONTACT and alone.toc == pytest.approx(whole.toc, abs=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "c2a"}, "method: expected one of auto"),
        ({"q0": [0.0]}, r"q0: expected shape \(6,\)"),
        ({"q1": [np.nan] * 6}, "q1: expected finite"),
        ({"tolerance": -1.0}, "tolerance"),
    ],
)
def test_invalid_arguments_are_refused(change: dict[str, object], message: str) -> None:
    question: dict[str, object] = {"q0": np.zeros(6), "q1": np.ones(6), "world": None, **change}
    with pytest.raises(ValueError, match=message):
        puma().first_contact(**question)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^world: expected a toccata\.Mesh"):
        puma().first_contact(np.zeros(6), np.ones(6), "pipes")


def test_batches_need_as_many_ends_as_starts() -> None:
    with pytest.raises(ValueError, match="Q1: expected shape"):
        puma().first_contact_batch(np.zeros((3, 6)), np.zeros((2, 6)))


def test_paths_stop_at_the_first_contact() -> None:
    wall = one_body(shifted(box((1.0, 5.0, 5.0)), (4.5, 0.0, 0.0)))
    robot = slide()
    path = np.array([[0.0], [2.0], [-1.0], [5.0], [9.0]])
    contact = robot.first_contact_path(path, wall, tolerance=1e-6)
    exact = (2 + (3.5 + 1.0) / 6.0) / 4
    assert exact - 1e-6 <= contact.toc <= exact and contact.safe_until == contact.toc
    assert contact.q == pytest.approx([3.5], abs=2e-6)
    free = robot.first_contact_path(path[:3], wall)
    assert free.status == tc.Status.FREE and free.toc == np.inf
    with pytest.raises(ValueError, match="Q: expected at least two"):
        robot.first_contact_path(path[:1], wall)


def test_a_held_body_moves_along() -> None:
    robot = planar_arm((1.0, 1.0), 0.1)
    holding = robot.attached(
        "link2", "tool", tc.Mesh(*box((0.1, 0.1, 0.8))), tc.pose((1.1, 0, 0.5))
    )
    assert holding.tests("link1", "tool") and not holding.tests("link2", "tool")
    post = one_body(shifted(box((0.1, 0.1, 0.1)), (0.0, 2.1, 0.8)))  # above what the arm reaches
    q0, q1 = np.zeros(2), np.array([pi / 2, 0.0])
    assert robot.motion_is_free(q0, q1, post)
    assert holding.first_contact(q0, q1, post).link_a == "tool"


def test_meshes_and_trimesh_scenes_are_worlds() -> None:
    trimesh = pytest.importorskip("trimesh")
    robot = slide()
    for world in (tc.Mesh(*shifted(box(), (3, 0, 0))), trimesh.Trimesh(*shifted(box(), (3, 0, 0)))):
        assert not robot.motion_is_free([0.0], [5.0], world)
        assert robot.first_contact([0.0], [5.0], world).link_b == "world"
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.Trimesh(*box()), node_name="far", transform=tc.pose((3, 0, 0)))
    scene.add_geometry(trimesh.Trimesh(*box()), node_name="side", transform=tc.pose((0, 3, 0)))
    contact = robot.first_contact([0.0], [5.0], scene, tolerance=1e-6)
    assert contact.link_b == "far" and contact.toc == pytest.approx(0.4, abs=1e-6)


def test_a_world_that_grows_is_seen_as_it_is() -> None:
    robot, scene = slide(), tc.Scene()
    assert robot.motion_is_free([0.0], [5.0], scene)
    scene.add("late", tc.Mesh(*shifted(box(), (3, 0, 0))))
    assert robot.first_contact([0.0], [5.0], scene).link_b == "late"


def test_links_that_start_in_contact_may_move_apart() -> None:
    wall = one_body(shifted(box((1.0, 5.0, 5.0)), (1.0, 0.0, 0.0)))  # touches the cart at x = 0.5
    robot = slide()
    assert robot.first_contact([0.0], [-2.0], wall).status == tc.Status.INITIAL_OVERLAP
    assert not robot.first_contact([0.0], [-2.0], wall, initial="ignore_separating")
    assert robot.first_contact([0.0], [2.0], wall, initial="ignore_separating")


def test_a_link_in_contact_may_turn_away_but_not_come_back() -> None:
    robot = planar_arm((1.0,), 0.1)
    # Under the bar and in touch with it; the bar comes down on it again after a turn.
    block = one_body(shifted(box((0.2, 0.2, 1.0)), (0.6, -0.15, 0.0)))
    assert robot.first_contact([0.0], [1.0], block).status == tc.Status.INITIAL_OVERLAP
    away = robot.first_contact([0.0], [1.0], block, initial="ignore_separating")
    assert away.status == tc.Status.FREE
    into = robot.first_contact([0.0], [-1.0], block, initial="ignore_separating")
    assert into and into.toc < 1e-3
    round_again = robot.first_contact([0.0], [2 * pi], block, initial="ignore_separating")
    assert round_again.status == tc.Status.CONTACT and 0.8 < round_again.toc < 1


def test_links_in_contact_with_each_other_may_move_apart() -> None:
    robot = planar_arm((1.0, 1.0, 1.0), 0.1)
    folded = robot.first_contact([0, 0, 0], [0, 2.4, 2.4], tolerance=1e-6)
    q = folded.q
    parting = robot.first_contact(q, q * 0.5, tolerance=1e-6, initial="ignore_separating")
    assert robot.first_contact(q, q * 0.5, tolerance=1e-6).status == tc.Status.INITIAL_OVERLAP
    assert parting.status == tc.Status.FREE
    assert robot.first_contact(q, q * 1.1, tolerance=1e-6, initial="ignore_separating")


def turning_bar() -> tc.Robot:
    """Return a bar that floats, from its origin to x = 2."""
    bar = tc.Mesh(*shifted(box((2.0, 0.1, 0.1)), (1.0, 0.0, 0.0)))
    joint = tc.Joint("free", "floating", "base", "bar")
    return tc.Robot([tc.Link("base"), tc.Link("bar", bar)], [joint])


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("back", [False, True])
def test_half_a_turn_has_the_same_direction_in_both_queries(side: float, back: bool) -> None:
    """Half a turn has two ways: `motion_is_free` must look at the one that is asked about."""
    ends = [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0]]
    q0, q1 = reversed(ends) if back else ends
    world = one_body(shifted(box((0.2, 0.2, 0.2)), (0.0, 1.5 * side, 0.0)))
    robot = turning_bar()
    assert robot.motion_is_free(q0, q1, world) == (not robot.first_contact(q0, q1, world))
    both = one_body(shifted(box((0.2, 4.0, 0.2)), (0.5, 0.0, 0.0)))
    assert not robot.motion_is_free(q0, q1, both)


@pytest.mark.parametrize("where", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_a_thin_wall_anywhere_on_the_motion_is_found(where: float) -> None:
    wall = one_body(shifted(box((1e-3, 5.0, 5.0)), (8.0 * where, 0.0, 0.0)))
    assert not slide().motion_is_free([0.0], [8.0], wall)
    assert not slide().motion_is_free([8.0], [0.0], wall)


def test_a_world_a_thousand_times_larger_is_warned_of_once(tmp_path: Path) -> None:
    robot, q = planar_arm((0.3, 0.3)), np.zeros(2)
    table = "v 2000 0 0\nv 3200 0 0\nv 2000 800 0\nf 1 2 3\n"
    (tmp_path / "table.obj").write_text(table)
    world = tc.Scene.load(tmp_path / "table.obj")
    with pytest.warns(UserWarning, match=r"^world: .* millimeters.*scale=0\.001") as caught:
        robot.first_contact(q, q + 0.1, world)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot.first_contact(q, q + 0.1, world, separation=0.01)
        world.move("table.obj", tc.pose((0, 0, 1)))
        robot.motion_is_free(q, q + 0.1, world)
        robot.clearance(q, q + 0.1, world)
        for scale in (0.001, 0.1):  # metres, or a hall of some size
            robot.first_contact(q, q + 0.1, tc.Scene.load(tmp_path / "table.obj", scale=scale))
    for ask in (robot.placed(tc.pose((1, 0, 0))).clearance, planar_arm((0.3, 0.3)).motion_is_free):
        with pytest.warns(UserWarning, match=r"^world: .* millimeters"):
            ask(q, q + 0.1, tc.Scene.load(tmp_path / "table.obj"))
