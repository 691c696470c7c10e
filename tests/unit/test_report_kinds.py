"""Reports of every kind: what an entry says is what was answered, and it can be drawn."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata import dynamics, report
from toccata.pose_log import PoseLog
from toccata.report.html import report_html
from toccata.report.stage import set_up
from toccata.scenes import pipes
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted

SIZE = (160, 120)


def pixels(image: np.ndarray) -> dict[str, int]:
    """Count pixels by color: those of body a, body b, and the disc of a contact."""
    red, green, blue = np.moveaxis(image.astype(int), 2, 0)
    return {
        "orange": int(((red - blue > 60) & (red - green > 40)).sum()),
        "blue": int((blue - red > 60).sum()),
        "yellow": int(((red > 220) & (green > 180) & (blue < 90)).sum()),
    }


def page(entry: report.Entry) -> str:
    return report_html([entry], "One", SIZE, frames=3)


# Scenes


def three_boxes(end: float) -> tc.Scene:
    """A box that moves along x to `end`, one at x = 3, and one aside."""
    scene, mesh = tc.Scene(), tc.Mesh(*box((1.0, 1.0, 1.0)))
    scene.add("mover", mesh, tc.Motion.linear(tc.pose(), tc.pose((end, 0.0, 0.0))))
    scene.add("target", mesh, tc.pose((3.0, 0.0, 0.0)))
    scene.add("bystander", mesh, tc.pose((1.0, 3.0, 0.0)))
    return scene


def test_a_scene_names_and_paints_the_two_that_touch() -> None:
    scene = three_boxes(4.0)
    entry = report.of_scene(scene, scene.first_contact(), name="boxes")
    assert (entry.kind, entry.status) == ("scene", "CONTACT")
    assert set(entry.touching) == {"mover", "target"} and entry.toc == pytest.approx(0.5)
    assert entry.safe == ((0.0, pytest.approx(0.5)),)
    found = pixels(report.figure(entry, SIZE))
    assert min(found.values()) > 2
    assert "mover and target" in page(entry) or "target and mover" in page(entry)


def test_a_free_scene_shows_where_it_comes_closest() -> None:
    scene = three_boxes(1.5)
    entry = report.of_scene(scene, scene.first_contact(), name="boxes")
    assert entry.status == "FREE" and np.isnan(entry.toc) and entry.touching == ()
    assert entry.focus.time == pytest.approx(1.0)
    assert {entry.names[i] for i in entry.focus.bodies} == {"mover", "target"}
    assert entry.focus.point[0] == pytest.approx(2.25)


def test_all_contacts_of_a_scene_are_marked() -> None:
    scene = three_boxes(4.0)
    entry = report.of_scene(scene, scene.first_contact(contacts="all"), name="boxes")
    assert len(entry.marks) > 1


def test_curved_bodies_are_drawn() -> None:
    ball, motion = tc.surfaces.sphere(0.5), tc.Motion.linear(tc.pose(), tc.pose((4.0, 0.0, 0.0)))
    block = tc.Mesh(*box((1.0, 1.0, 1.0)))
    motions = motion, tc.Motion.fixed(tc.pose((3.0, 0.0, 0.0)))
    contact = tc.first_contact(ball, block, *motions)
    entry = report.of_bodies(ball, block, motions, contact, name="ball")
    assert pixels(report.figure(entry, SIZE))["orange"] > 20


# Robots


def arm_and_post() -> tuple[tc.Robot, tc.Scene]:
    """An arm along x that turns about z, and a post at y = 1."""
    world = tc.Scene()
    world.add("post", tc.Mesh(*box((0.2, 0.2, 1.0))), tc.pose((0.0, 1.0, 0.0)))
    return planar_arm((1.0, 0.5)), world


def test_a_robot_names_the_links_that_touch_and_its_joints() -> None:
    robot, world = arm_and_post()
    q0, q1 = [0.0, 0.0], [3.0, 0.0]
    contact = robot.first_contact(q0, q1, world)
    entry = report.of_robot(robot, ([0.0, 1.0], [q0, q1]), contact, world, name="arm")
    assert entry.touching == (contact.link_a, contact.link_b) and "post" in entry.touching
    assert entry.toc == contact.toc
    told = page(entry)
    assert f"{contact.link_a} touches" in told and "joint1" in told
    found = pixels(report.figure(entry, SIZE))
    assert min(found.values()) > 2
    plot = entry.plots[0]
    assert plot.values[np.searchsorted(plot.times, contact.toc)] < 0.02 < plot.values[0]


def test_a_path_is_followed_at_its_times() -> None:
    robot, _ = arm_and_post()
    rows, times = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]], [0.0, 0.2, 1.0]
    contact = robot.first_contact_path(rows, times=times)
    entry = report.of_robot(robot, (times, rows), contact, name="arm")
    assert entry.status == "FREE"
    for t, q in ((0.1, [0.5, 0.0]), (0.2, [1.0, 0.0]), (0.6, [1.0, 1.0]), (1.0, [1.0, 2.0])):
        poses = robot.forward_kinematics(q)
        for name, (_, pose) in zip(entry.names, entry.placed(t), strict=True):
            assert np.allclose(pose, poses[name])


def test_sampling_misses_the_motion_of_the_demo() -> None:
    motion = pipes.grazing_motion()
    contact = motion.robot.first_contact(motion.q0, motion.q1, motion.world)
    assert contact.status is tc.Status.CONTACT
    assert (contact.link_a, contact.link_b) == ("hand", "pipes")
    rows = motion.sampled(2000)
    assert not motion.robot.first_contact_batch(rows, rows, motion.world)
    inside = motion.at(contact.toc + 2e-4)
    assert motion.robot.first_contact(inside, inside, motion.world), "it is a real contact"


# Deforming meshes


def strip(height: float) -> tuple[np.ndarray, np.ndarray]:
    """Two triangles that share an edge, above a large one; the strip is at `height`."""
    upper = [[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height], [1.0, 1.0, height]]
    lower = [[-3.0, -3.0, 0.0], [5.0, -3.0, 0.0], [0.0, 5.0, 0.0]]
    return np.array(upper + lower), np.array([[0, 1, 2], [1, 3, 2], [4, 5, 6]])


def test_cut_edges_are_those_that_had_two_faces() -> None:
    _, faces = strip(1.0)
    cut, origin = np.array([[0, 1, 2], [7, 3, 8], [4, 5, 6]]), [0, 1, 2, 3, 4, 5, 6, 1, 2]
    seams = report.cut_edges(cut, faces, origin)
    assert sorted(map(tuple, seams.tolist())) == [(1, 2), (7, 8)]
    assert not len(report.cut_edges(faces, faces, range(7)))


def test_a_step_tells_its_first_contact_and_marks_all() -> None:
    (v0, faces), (v1, _) = strip(1.0), strip(-1.0)
    found = tc.deforming_contacts(v0, v1, faces, contacts="all")
    entry = report.of_steps([report.Step(v0, v1, faces, found)], name="strip")
    assert (entry.kind, entry.status) == ("step", "CONTACT")
    assert entry.toc == pytest.approx(0.5, abs=1e-4) and entry.told(0.25) == "t = 0.2500"
    assert len(entry.marks) == len(found.vertex_face) + len(found.edge_edge) > 1
    assert all(mark.point[2] == pytest.approx(0.0, abs=1e-3) for mark in entry.marks)
    assert pixels(report.figure(entry, SIZE))["yellow"] > 2


def test_a_cut_is_drawn_as_a_red_line() -> None:
    v0, faces = strip(1.0)
    found = tc.deforming_contacts(v0, v0 + 0.1, faces)
    images = [
        report.figure(report.of_steps([report.Step(v0, v0 + 0.1, faces, found, s)], name="x"), SIZE)
        for s in (np.empty((0, 2), dtype=int), np.array([[1, 2]]))
    ]
    reds = [(i[..., 0].astype(int) - i[..., 1:].max(axis=2) > 90).sum() for i in images]
    assert reds[0] == 0 and reds[1] > 3
    assert found.status is tc.Status.FREE and "t = 0.5" in page(
        report.of_steps([report.Step(v0, v0 + 0.1, faces, found)], name="x")
    )


def test_a_sequence_is_told_by_its_frames_and_what_was_not_checked_is_undecided() -> None:
    (v0, faces), (v1, _), (v2, _) = strip(1.0), strip(0.5), strip(-0.5)
    first = report.Step(v0, v1, faces, tc.deforming_contacts(v0, v1, faces))
    second = report.Step(v1, v2, faces, tc.deforming_contacts(v1, v2, faces))
    entry = report.of_steps([first, second], name="strip")
    assert (entry.kind, entry.status, entry.span) == ("sequence", "CONTACT", (0.0, 2.0))
    assert entry.toc == pytest.approx(1.5, abs=1e-4) and entry.told(1.25) == "frame 1.25"
    assert entry.safe == ((0, 1.0), (1, pytest.approx(1.5, abs=1e-4)))
    assert "certified free, step by step" in page(entry)
    unchecked = report.of_steps([first, report.Step(v1, v1, faces, None)], name="strip")
    assert unchecked.status == "UNDECIDED" and unchecked.safe[1] == (1, 1.0)


def test_steps_without_faces_are_refused() -> None:
    points = np.zeros((2, 3))
    found = tc.deforming_contacts(points, points + 1.0, [], points=[0, 1])
    with pytest.raises(ValueError, match="steps: expected meshes with faces"):
        report.of_steps([report.Step(points, points, [], found)], name="points")


# Simulations and logs


@pytest.fixture(scope="module")
def fall() -> report.Entry:
    """A ball that falls on a floor much larger than itself."""
    world = dynamics.World(step=1 / 60)
    world.add("floor", tc.Mesh(*shifted(box((40.0, 40.0, 1.0)), (0.0, 0.0, -0.5))), fixed=True)
    world.add("ball", tc.Mesh(*icosphere(0.2, 2)), tc.pose((0.0, 0.0, 0.7)))
    log = world.start_log()
    reports = [world.step() for _ in range(40)]
    return report.of_simulation(log, reports, name="fall", description="a ball falls")


def test_a_simulation_has_pictures_over_time_and_its_first_impact(fall: report.Entry) -> None:
    assert (fall.kind, fall.status) == ("simulation", "DONE")
    assert set(fall.touching) == {"ball", "floor"}
    assert fall.toc == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=0.03)
    times = [moment.time for moment in fall.moments]
    assert len(times) == 6 and times == sorted(times) and fall.toc in times
    assert report.figure(fall, SIZE).shape == (120, 6 * 160 + 5 * 6, 3)


def test_a_simulation_plots_energy_and_least_distance(fall: report.Entry) -> None:
    energy, least = fall.plots
    assert energy.title.startswith("Energy") and energy.values[-1] < 0.5 * energy.values[0]
    assert np.nanmin(least.values) > 0.0
    told = page(fall)
    assert told.count("<svg") == 2 and told.count("<polyline") == 2 and "no penetration" in told


def test_a_large_floor_is_seen_near_what_moves(fall: report.Entry) -> None:
    """Its two triangles reach behind the eye, and would not be drawn."""
    stage = set_up(fall, SIZE)
    row = fall.names.index("floor")
    floor, pose = stage.placed(0.0)[row]
    assert len(floor.faces) > 12 and np.ptp(floor.at(pose), axis=0).max() < 5.0
    assert np.ptp(fall.placed(0.0)[row][0].vertices, axis=0).max() == pytest.approx(40.0)


def test_an_audit_shows_the_first_contact_of_a_log() -> None:
    poses = np.tile(np.eye(4), (2, 2, 1, 1))
    poses[:, 0, 0, 3] = -2.0, 2.0
    cube = tc.Mesh(*box((1.0, 1.0, 1.0)))
    log = PoseLog(("thrown", "wall"), np.array([10.0, 12.0]), poses, (cube, cube))
    entry = report.of_audit(log, tc.audit(log), name="log")
    assert (entry.kind, entry.status, entry.span) == ("log", "CONTACT", (10.0, 12.0))
    assert entry.toc == pytest.approx(10.5) and entry.touching == ("thrown", "wall")
    assert [moment.caption for moment in entry.moments] == ["Start", "First contact", "End"]
    assert "certified free before 10.49" in page(entry) or "before 10.500 s" in page(entry)


@pytest.mark.parametrize("height", [1.3, 3.0])
def test_what_moves_is_in_sight_between_walls(height: float) -> None:
    """Low ones in the way are left out, those much larger than what moves are opened."""
    sides = [tc.Mesh(*box((0.1, 1.2, height))), tc.Mesh(*box((1.2, 0.1, height)))]
    cube, way = tc.Mesh(*box((0.4, 0.4, 0.4))), (tc.pose((0, 0, 0.6)), tc.pose((0, 0, -0.6)))
    seen = []
    for walls in (0, 4):
        scene = tc.Scene()
        scene.add("falling", cube, tc.Motion.linear(*way))
        scene.add("floor", tc.Mesh(*box((1.2, 1.2, 0.1))), tc.pose((0.0, 0.0, -0.6)))
        for k, at in enumerate([(-0.7, 0.0), (0.7, 0.0), (0.0, -0.7), (0.0, 0.7)][:walls]):
            scene.add(f"wall{k}", sides[k // 2], tc.pose((*at, height / 2 - 0.5)))
        entry = report.of_scene(scene, scene.first_contact(), name="bin")
        camera = set_up(entry, SIZE).camera
        image = report.figure(entry, SIZE)[:, : SIZE[0]]
        seen.append(pixels(image)["orange"] / camera.focal**2)
    assert seen[1] > 0.6 * seen[0], seen[1] / seen[0]
