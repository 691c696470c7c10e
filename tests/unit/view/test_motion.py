"""Robots, logs and paths of parts as views."""

import numpy as np
import pytest

import toccata as tc
from toccata import dynamics
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm
from toccata.view import Body, Label, view_of
from toccata.view._colors import PALETTE, RED

CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)))


def swing():
    """An arm along x that turns by half a turn, and a post that its second bar meets on y."""
    arm, world = planar_arm(), tc.Scene()
    world.add("post", tc.Mesh(*box((0.1, 0.1, 1.0))), tc.pose((0, 1.5, 0)))
    ends = [[0.0, 0.0], [np.pi, 0.0]]
    return arm, world, ends, arm.first_contact(*ends, world)


def test_links_that_touch_are_red_from_then_on_and_have_their_names():
    arm, world, ends, contact = swing()
    view = view_of(contact, robot=arm, path=ends, world=world)
    row = view.row(contact.toc)
    assert view.times[row] == contact.toc < 0.5
    link = view["robot/link2"]
    assert (link.color[row:] == RED).all() and (link.color[:row] == PALETTE[0]).all()
    assert view["robot/link1"].color == PALETTE[0]
    assert np.allclose(link.pose[row], arm.forward_kinematics(contact.q)["link2"])
    (label,) = view.of(Label)
    assert label.text == "link2" and label.span[0] == contact.toc
    assert label.position[0] == pytest.approx(link.pose[row, :3, 3] + link.pose[row, :3, 0] / 2)
    assert view.outcome.touching == ("link2", "post") and view.outcome.time == contact.toc
    assert ("Robot", "2 joints, 2 links with collision geometry") in view.facts


def test_the_rejected_end_is_a_red_ghost():
    arm, world, ends, contact = swing()
    view = view_of(contact, robot=arm, path=ends, world=world)
    ghost = view["end/link2"]
    assert ghost.color == RED and ghost.opacity < 1
    assert ghost.pose == pytest.approx(arm.forward_kinematics(ends[1])["link2"])
    assert ghost.legend == "end of the motion, not reached"
    assert view["contact/triangle of post"].start.shape == (3, 3)


def test_clearance_is_plotted():
    arm, world, ends, contact = swing()
    view = view_of(contact, robot=arm, path=ends, world=world)
    clearance = view.plots[0].series["to the world"]
    assert clearance[view.row(contact.toc)] < 1e-5
    assert clearance[0] == pytest.approx(np.hypot(0.05, 1.45) - 0.05, abs=0.06)


def test_a_robot_alone_stays():
    view = view_of(planar_arm(), path=[0.3, 0.0])
    assert len(view.times) == 1 and len(view.items) == 2
    assert view["robot/link1"].pose.shape == (4, 4)
    assert view.facts[1:] == (("joint1", "0.3000"), ("joint2", "0.0000"))


def test_robots_beside_each_other_have_colors_and_clocks_of_their_own():
    pair = tc.combine({"left": planar_arm(), "right": planar_arm().placed(tc.pose((9, 0, 0)))})
    still, turn = [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]
    path = {"left": ([0, 1], still), "right": ([1, 2], turn)}
    contact = pair.first_contact_path(path)
    view = view_of(contact, robot=pair, path=path)
    left, right = view["robot/left/link1"], view["robot/right/link1"]
    assert left.color == PALETTE[0] and right.color == PALETTE[1]
    early, late = view.row(0.25), view.row(0.75)
    assert np.allclose(right.pose[early], right.pose[0])
    angle = np.arctan2(right.pose[late, 1, 0], right.pose[late, 0, 0])
    assert angle == pytest.approx(2 * (view.times[late] - 0.5), abs=1e-9)


def test_splines_and_clocks_of_the_world_are_followed():
    """The robot and the world are at every time where the query had them."""
    arm, world = planar_arm(), tc.Scene()
    moves = tc.Motion.linear(tc.pose((5, 0, 0)), tc.pose((9, 0, 0)))
    world.add("cart", CUBE, moves)
    Q, times = [[0.0, 0.0], [1.0, 0.5], [0.5, 1.0]], [0.0, 1.0, 2.0]
    way = {"times": times, "spline": "cubic", "world_times": (1.0, 5.0)}
    contact = arm.first_contact_path(Q, world, **way)
    view = view_of(contact, robot=arm, path=Q, world=world, **way)
    cart, link = view["world/cart"], view["robot/link2"]
    clock = np.clip((5 * view.times - 1.0) / 4.0, 0.0, 1.0)  # both together take from 0 to 5
    assert cart.pose[:, 0, 3] == pytest.approx(5 + 4 * clock, abs=1e-6)
    straight = arm.forward_kinematics([0.5, 0.25])["link2"]
    assert not np.allclose(link.pose[view.row(0.1)], straight, atol=1e-3)
    assert np.allclose(link.pose[view.row(0.4)], arm.forward_kinematics(Q[-1])["link2"])


def test_links_of_logged_robots_move_by_their_joints():
    """A radian between two rows: on a straight line the tip would come nearer to the joint."""
    from toccata.view._log import of_log

    world = dynamics.World(gravity=(0, 0, 0), step=0.5)
    body = dynamics.ArticulatedBody(planar_arm((1.0,)), gravity=(0, 0, 0))
    body.v = np.array([2.0])
    world.add_articulated("arm", body)
    log = world.start_log()
    world.step(4)
    link = next(item for item in of_log(log).of(Body) if item.name.endswith("link1"))
    tips = link.pose[:, :3, :3] @ np.array([1.0, 0, 0]) + link.pose[:, :3, 3]
    assert np.ptp(link.pose[:, 0, 0]) > 1.0
    assert np.linalg.norm(tips, axis=1) == pytest.approx(1.5, abs=1e-6)


def jumping_log():
    """A cube that is on one side of another in one row, and on the other in the next."""
    poses = np.tile(np.eye(4), (3, 2, 1, 1))
    poses[:, 0, 0, 3] = 3.0, 2.0, -2.0
    arrays = {"names": ["a", "b"], "times": [0.0, 1.0, 2.0], "poses": poses}
    for i in range(2):
        arrays |= {f"vertices_{i}": CUBE.vertices, f"faces_{i}": CUBE.faces}
    return arrays


def test_logs_are_shown_between_their_rows():
    from toccata._pose_log import PoseLog

    view = view_of(PoseLog.read(jumping_log()))
    a = view["bodies/a"]
    assert a.pose[:, 0, 3] == pytest.approx(np.interp(view.times, [0, 1, 2], [3, 2, -2]))
    assert view["bodies/b"].pose.shape == (4, 4) and view.unit == "s" and view.seconds == 2.0


def test_an_audit_marks_what_went_through_something():
    found = tc.audit(jumping_log())
    view = view_of(found, log=jumping_log())
    (mark,) = view.marks
    assert mark.name == "Tunnelling of a and b" and mark.color == RED and mark.camera is not None
    assert mark.time == found.time[0] == pytest.approx(1.25, abs=1e-4)
    row = view.row(mark.time)
    assert (view["bodies/a"].color[row:] == RED).all()
    assert (view["bodies/a"].color[:row] == PALETTE[0]).all()
    assert view["bodies/a"].pose[row, 0, 3] == pytest.approx(1.0, abs=1e-3)
    assert view["contact/a and b 0"].span[0] == mark.time


def test_a_simulation_has_groups_in_colors_and_plots(tmp_path):
    from toccata.scenes import worlds

    world = worlds.make_world(worlds.get("pendulum"), active=1)
    log = world.start_log()
    energy = [world.step() and world.energy for _ in range(6)]
    times = np.arange(1, 7) / 120
    log.save(tmp_path / "log.npz")
    view = view_of(str(tmp_path / "log.npz"))
    groups = np.load(tmp_path / "log.npz")["groups"]
    for i, name in enumerate(log.names):
        shown = np.atleast_2d(view[f"bodies/{name}"].color)[-1]
        if groups[-1, i] >= 0:
            assert tuple(shown) == PALETTE[groups[-1, i] % len(PALETTE)]
    plots = view_of(log, series={"energy": (times, energy)}).plots
    assert plots[0].series["energy"][-1] == pytest.approx(energy[-1])


def test_the_path_of_a_part():
    start, end = [tc.pose((4, 0, 0)), tc.pose((4, 3, 0))], [tc.pose((4, 3, 0)), tc.pose((3, 3, 0))]
    path = dynamics.MotionPath(start, end, np.zeros((2, 3)), [0.1, 0.1])
    scene = tc.Scene()
    scene.add("wall", CUBE)
    view = view_of(path, body=CUBE, scene=scene, target=tc.pose((3, 3, 0)))
    part = view["bodies/part"]
    assert np.allclose(part.pose[0], start[0]) and np.allclose(part.pose[-1], end[-1])
    assert part.pose[view.row(0.75), :3, 3] == pytest.approx([4, 3, 0])  # three of four lengths
    assert [(mark.name, mark.time) for mark in view.marks] == [("Motion 2", pytest.approx(0.75))]
    way = view["paths/part"]
    assert np.linalg.norm(way.end - way.start, axis=1).sum() == pytest.approx(4.0, rel=1e-3)
    distance = view.plots[0].series["distance"]
    assert distance[0] == pytest.approx(3.0) and distance[-1] == pytest.approx(np.sqrt(8))
    assert {item.name for item in view.of(Body)} == {
        "bodies/part", "scene/wall", "start/part", "end/part", "target/part"
    }  # fmt: skip


def test_a_part_that_got_nowhere():
    found = dynamics.assemble(CUBE, CUBE, tc.pose((0.5, 0, 0)), start=tc.pose((3, 0, 0)), effort=0)
    assert not found
    view = view_of(found, body=CUBE, scene=CUBE)
    assert view.outcome.status == "BLOCKED"
