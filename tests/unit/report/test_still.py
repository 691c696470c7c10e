"""Stills: what is drawn is what the view says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata import dynamics, report
from toccata.report._still import moments
from toccata.scenes import pipes
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted
from toccata.view import Arrows, Body, Mark, Points, View, view_of
from toccata.view._camera import framed
from toccata.view._colors import BLUE, ORANGE, RED, YELLOW

SIZE = (160, 120)
CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)))


def pixels(image: np.ndarray) -> dict[str, int]:
    """Count pixels by color: those of body a, body b, and the disc of a contact."""
    red, green, blue = np.moveaxis(image.astype(int), 2, 0)
    return {
        "orange": int(((red - blue > 60) & (red - green > 40)).sum()),
        "blue": int((blue - red > 60).sum()),
        "yellow": int(((red > 220) & (green > 180) & (blue < 90)).sum()),
    }


@pytest.fixture(scope="module")
def meeting() -> View:
    """A cube that meets another at 0.625."""
    motion = tc.Motion.linear(tc.pose((-2.0, 0, 0)), tc.pose((-0.4, 0, 0)))
    contact = tc.first_contact(CUBE, CUBE, motion)
    return view_of(contact, bodies=(CUBE, CUBE), motions=motion)


def test_a_figure_has_start_contact_and_end(meeting: View, tmp_path: Path) -> None:
    assert [one.caption for one in moments(meeting)] == ["Start", "First contact", "End"]
    image = report.figure(meeting, SIZE)
    assert image.shape == (120, 3 * 160 + 2 * 6, 3) and image.dtype == np.uint8
    panels = image[:, :160], image[:, 166:326], image[:, 332:]
    for panel in panels:
        found = pixels(panel)
        assert found["orange"] > 200 and found["blue"] > 200
        assert panel[0].min() > 200, "the picture is clipped"
    assert pixels(panels[0])["yellow"] == 0 < pixels(panels[1])["yellow"]
    report.save_png(tmp_path / "figure.png", image)
    assert (tmp_path / "figure.png").read_bytes()[:4] == b"\x89PNG"


def test_figures_are_deterministic(meeting: View) -> None:
    first, second = (report.figure(meeting, (80, 60)) for _ in range(2))
    assert np.array_equal(first, second)


def test_stills_show_the_rows_of_the_view(meeting: View) -> None:
    """Bodies are where the poses of the view are: nothing is evaluated again."""
    moved = View("v", (Body("bodies/a", ORANGE, *box((1, 1, 1)), tc.pose((9, 0, 0))),))
    image = report.still(View("v", moved.items, camera=meeting.camera), size=SIZE)
    assert pixels(image)["orange"] == 0
    assert pixels(report.still(framed(moved), size=SIZE))["orange"] > 200


def test_ghosts_are_pale_and_lines_end_behind_bodies() -> None:
    vertices, faces = box((1, 1, 1))
    ghost = Body("end/a", RED, vertices, faces, opacity=0.2)
    across = Arrows("way", RED, np.array([[-3.0, 0, 0]]), np.array([[3.0, 0, 0]]), 0.1, False)
    solid = Body("bodies/a", BLUE, vertices, faces)
    pale = report.still(framed(View("v", (ghost,))), size=SIZE).astype(int)
    assert 5 < (pale[..., 0] - pale[..., 2]).max() < 120
    views = [framed(View("v", (solid, *more))) for more in ((), (across,))]
    alone, lined = (report.still(view, size=SIZE).astype(int) for view in views)
    assert (alone[60, 80] == lined[60, 80]).all(), "the segment is inside"


@pytest.mark.parametrize("count", [2, 500])
def test_points_are_seen(count: int) -> None:
    points = np.random.default_rng(0).uniform(-1, 1, (count, 3)) * (1, 1, 0)
    plate = Body("bodies/plate", BLUE, *box((2, 2, 0.01)))
    view = framed(View("v", (plate, Points("contact/points", YELLOW, points, 0.02))))
    assert pixels(report.still(view, size=SIZE))["yellow"] > 5


def test_a_log_has_six_pictures_and_its_mark_is_one_of_them() -> None:
    poses = tc.Motion.linear(tc.pose(), tc.pose((3, 0, 0))).pose(np.linspace(0, 1, 61))
    view = View(
        "v", (Body("bodies/a", ORANGE, *box((1, 1, 1)), poses),), np.linspace(0, 3, 61), unit="s"
    )
    assert [one.row for one in moments(view)] == [0, 12, 24, 36, 48, 60]
    camera = framed(view).camera
    marked = View("v", view.items, view.times, marks=(Mark("hit", 0.65, RED, camera),), unit="s")
    assert [one.row for one in moments(marked)] == [0, 13, 24, 36, 48, 60]
    assert [one.caption for one in moments(marked)][1] == "hit"


def test_a_free_motion_shows_its_closest_approach() -> None:
    motion = tc.Motion.linear(tc.pose((-2.0, 1.5, 0.0)), tc.pose((2.0, 1.5, 0.0)))
    contact = tc.first_contact(CUBE, CUBE, motion)
    view = view_of(contact, bodies=(CUBE, CUBE), motions=motion)
    middle = moments(view)[1]
    assert middle.caption == "Closest approach" and 0.2 < view.times[middle.row] < 0.8
    assert pixels(report.figure(view, SIZE))["yellow"] == 0


def test_answers_without_a_point_are_drawn() -> None:
    small = tc.Mesh(*box((0.1, 0.1, 0.1)))
    solid = tc.Mesh(*box((1.0, 1.0, 1.0)), solid=True)
    contact = tc.first_contact(small, solid, tc.pose())
    view = view_of(contact, bodies=(small, solid), motions=tc.pose())
    assert contact.status is tc.Status.INITIAL_OVERLAP
    assert report.figure(view, (64, 48)).shape == (48, 64, 3)  # nothing moves: one still
    undecided = tc.first_contact(
        CUBE, CUBE, tc.Motion.linear(tc.pose((5, 0, 0)), tc.pose()), budget=1
    )
    motions = tc.Motion.linear(tc.pose((5, 0, 0)), tc.pose())
    tired = view_of(undecided, bodies=(CUBE, CUBE), motions=motions)
    assert [one.caption for one in moments(tired)].count("Undecided") == 1


def test_curved_bodies_are_drawn() -> None:
    ball, motion = tc.surfaces.sphere(0.5), tc.Motion.linear(tc.pose(), tc.pose((4.0, 0.0, 0.0)))
    motions = motion, tc.Motion.fixed(tc.pose((3.0, 0.0, 0.0)))
    contact = tc.first_contact(ball, CUBE, *motions)
    view = view_of(contact, bodies=(ball, CUBE), motions=motions)
    assert pixels(report.figure(view, SIZE))["orange"] > 20


def test_a_robot_and_its_contact_are_seen() -> None:
    robot, world = planar_arm((1.0, 0.5)), tc.Scene()
    world.add("post", tc.Mesh(*box((0.2, 0.2, 1.0))), tc.pose((0.0, 1.0, 0.0)))
    contact = robot.first_contact([0.0, 0.0], [3.0, 0.0], world)
    view = view_of(contact, robot=robot, path=[[0.0, 0.0], [3.0, 0.0]], world=world)
    assert "post" in view.outcome.touching  # type: ignore[union-attr]
    found = pixels(report.figure(view, SIZE))
    assert found["orange"] > 50 and found["yellow"] > 2


def test_sampling_misses_the_motion_of_the_demo() -> None:
    motion = pipes.grazing_motion()
    contact = motion.robot.first_contact(motion.q0, motion.q1, motion.world)
    assert contact.status is tc.Status.CONTACT
    assert (contact.link_a, contact.link_b) == ("hand", "pipes")
    rows = motion.sampled(2000)
    assert not motion.robot.first_contact_batch(rows, rows, motion.world)
    inside = motion.at(contact.toc + 2e-4)
    assert motion.robot.first_contact(inside, inside, motion.world), "it is a real contact"


def test_a_cut_is_drawn_as_a_red_line() -> None:
    v0 = np.array([[0.0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    faces = np.array([[0, 1, 2], [1, 3, 2]])
    found = tc.deforming_contacts(v0, v0 + 0.1, faces)
    images = [
        report.still(view_of(found, v0=v0, v1=v0 + 0.1, faces=faces, cuts=cuts), size=SIZE)
        for cuts in (None, np.array([[1, 2]]))
    ]
    reds = [(i[..., 0].astype(int) - i[..., 1:].max(axis=2) > 120).sum() for i in images]
    assert reds[0] == 0 and reds[1] > 3


@pytest.fixture(scope="module")
def fall() -> View:
    """A ball that falls on a floor much larger than itself."""
    world = dynamics.World(step=1 / 60)
    world.add("floor", tc.Mesh(*shifted(box((40.0, 40.0, 1.0)), (0.0, 0.0, -0.5))), fixed=True)
    world.add("ball", tc.Mesh(*icosphere(0.2, 2)), tc.pose((0.0, 0.0, 0.7)))
    log = world.start_log()
    reports = [world.step() for _ in range(40)]
    return view_of(log, reports=reports)


def test_a_simulation_shows_its_first_impact(fall: View) -> None:
    assert fall.outcome is not None and fall.outcome.status == "DONE"
    assert set(fall.outcome.touching) == {"ball", "floor"}
    assert fall.outcome.time == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=0.03)
    assert "First impact" in [one.caption for one in moments(fall)]
    energy, least = fall.plots
    assert energy.series["energy"][-1] < 0.5 * energy.series["energy"][0]
    assert np.nanmin(least.series["least distance"]) > 0.0 and least.logarithmic


def test_a_large_floor_is_seen_below_a_small_ball(fall: View) -> None:
    image = report.still(fall, size=SIZE)
    assert pixels(image)["orange"] > 100, "the camera is near the ball"
    assert image[-10:].mean() < 200, "the floor is there, though it reaches behind the eye"


@pytest.mark.parametrize("height", [1.3, 3.0])
def test_bodies_between_walls_are_in_sight(height: float) -> None:
    """Walls in the way are see-through."""
    sides = [tc.Mesh(*box((0.1, 1.2, height))), tc.Mesh(*box((1.2, 0.1, height)))]
    cube, way = tc.Mesh(*box((0.4, 0.4, 0.4))), (tc.pose((0, 0, 0.6)), tc.pose((0, 0, -0.6)))
    scene = tc.Scene()
    scene.add("falling", cube, tc.Motion.linear(*way))
    scene.add("floor", tc.Mesh(*box((1.2, 1.2, 0.1))), tc.pose((0.0, 0.0, -0.6)))
    for k, at in enumerate([(-0.7, 0.0), (0.7, 0.0), (0.0, -0.7), (0.0, 0.7)]):
        scene.add(f"wall{k}", sides[k // 2], tc.pose((*at, height / 2 - 0.5)))
    view = view_of(scene.first_contact(), scene=scene)
    assert any(item.opacity < 1 for item in view.of(Body) if "wall" in item.name)
    assert pixels(report.stills(view, SIZE)[0])["orange"] > 40
