"""Views and their items: rules, rotations, names and cameras."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import toccata as tc
from toccata.report._normals import smooth_mesh
from toccata.scenes.primitives import box
from toccata.view import Body, Outcome, Plot, Points, View
from toccata.view._camera import FIELD_OF_VIEW, camera_of, close_up, framed
from toccata.view._canvas import node_name
from toccata.view._colors import RED
from toccata.view._turns import as_wxyz

TIMES = np.linspace(0.0, 1.0, 5)


def moving_box() -> Body:
    poses = tc.Motion.linear(tc.pose((4, 0, 0)), tc.pose()).pose(TIMES)
    return Body("bodies/a", RED, *box((1.0, 1.0, 1.0)), poses)


def test_a_view_at_a_time_has_no_arrays_that_change():
    body = moving_box()
    late = Points("p", RED, np.zeros((3, 2, 3)) + np.arange(3)[:, None, None], 0.1, span=(0.5, 1))
    view = View("v", (body, late), TIMES)
    assert [item.name for item in view.at(1)] == ["bodies/a"]
    now, points = view.at(3)
    assert now.pose[0, 3] == 1.0 and now.changing == () and now.vertices is body.vertices
    assert points.positions.tolist() == [[1, 1, 1], [1, 1, 1]]  # the second of its own three rows
    assert view.row(0.6) == 2 and view.rows(late) == range(2, 5)


@pytest.mark.parametrize(
    ("items", "times", "message"),
    [
        ((moving_box(), moving_box()), TIMES, "items: expected different names, got 'bodies/a' tw"),
        ((moving_box(),), TIMES[:4], "bodies/a, pose: expected a row for each of 4 times, got 5"),
        (
            (Points("p", RED, np.zeros(3), 1.0),),
            TIMES,
            "p, positions: expected 2 or 3 axes",
        ),
        ((Points("p", RED, np.full((1, 3), np.nan), 1.0),), TIMES, "p, positions: expected finite"),
        ((), np.array([1.0, 0.0]), "times: expected increasing numbers, at least one"),
    ],
)
def test_bad_lists_are_refused(items, times, message):
    with pytest.raises(ValueError, match=message):
        View("v", items, times)


def test_plots_have_a_number_for_each_time():
    with pytest.raises(ValueError, match="distance, d: expected 5 numbers"):
        View("v", (), TIMES, plots=(Plot("distance", {"d": np.zeros(4)}),))


def test_turns_are_those_of_poses():
    quats = np.random.default_rng(0).normal(size=(200, 4))
    quats[:4] = np.eye(4)  # half turns, where the real part is zero
    poses = np.array([tc.pose(quat_wxyz=q) for q in quats])
    again = np.array([tc.pose(quat_wxyz=q) for q in as_wxyz(poses)])
    assert np.allclose(again, poses, atol=1e-14)


def test_boxes_stay_sharp_and_soups_are_joined():
    vertices, faces = box((1.0, 1.0, 1.0))
    split, corners, source = smooth_mesh(vertices, faces)
    assert np.array_equal(split[corners], vertices[faces])
    assert np.array_equal(vertices[source], split)
    assert len(split) == 4 * 6  # each corner of the box once for each of its sides
    soup = vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)
    assert len(smooth_mesh(*soup)[0]) == 24


def test_names_are_leaves_of_a_group():
    assert node_name("way") == "/way" and node_name("bodies/a") == "/bodies/a"
    assert node_name("bodies/left/hand").count("/") == 2


@given(st.lists(st.text("a/\\\u2215u2215\n\x1b\ud800(no name)"), unique=True, max_size=8))
@example(["", "\\(no name)", "a/b", "a\u2215b", "a\\u2215b", "\n", "\\n", "\ud800", "\\ud800"])
def test_names_of_others_never_share_a_node(names):
    nodes = [node_name(f"bodies/{name}") for name in names]
    assert len(set(nodes)) == len(names)
    for node in nodes:
        assert node.isprintable() and node.startswith("/bodies/") and node.count("/") == 2


def test_all_bodies_are_in_sight_at_all_times():
    view = View("v", (moving_box(),), TIMES)
    camera = camera_of(view)
    forward = (camera.target - camera.position) / np.linalg.norm(camera.target - camera.position)
    for row in range(5):
        body = view.at(row)[0]
        rays = body.vertices + body.pose[:3, 3] - camera.position
        cosine = rays @ forward / np.linalg.norm(rays, axis=1)
        assert (cosine > np.cos(FIELD_OF_VIEW)).all()  # a picture is wider than it is high
    assert np.allclose(camera.target[1:], 0, atol=0.6) and 0 < camera.target[0] < 4


def test_a_close_up_looks_along_the_surfaces_and_nothing_is_in_the_way():
    vertices, faces = box((1.0, 1.0, 1.0))
    placed = [(vertices + (1, 0, 0), faces), (vertices, faces)]
    point, normal = np.array([0.5, -0.5, 0.0]), np.array([1.0, 0.0, 0.0])
    camera = close_up(placed, point, normal, 0.5)
    towards = (camera.position - point) / np.linalg.norm(camera.position - point)
    assert np.array_equal(camera.target, point)
    assert abs(towards @ normal) < 0.35
    assert towards[1] < 0  # the only side from which the edge is seen


def test_the_camera_frames_the_motion_not_the_surroundings():
    """A floor of 100 lengths is there; the picture is filled by what moves over it."""
    floor = Body("bodies/floor", RED, *box((100.0, 100.0, 0.1)), tc.pose((0, 0, -0.55)))
    view = framed(View("v", (moving_box(), floor), TIMES))
    distance = np.linalg.norm(view.camera.position - view.camera.target)
    alone = framed(View("v", (moving_box(),), TIMES)).camera
    assert distance < 1.5 * np.linalg.norm(alone.position - alone.target)
    assert view["bodies/floor"].opacity == 1


@pytest.mark.parametrize("high", [True, False])
def test_a_wall_before_the_motion_is_see_through(high):
    wall = Body("bodies/wall", RED, *box((8.0, 0.1, 4.0 if high else 0.2)), tc.pose((2, -1, 0)))
    direction = np.array([0.0, -0.9, 0.1])
    view = framed(View("v", (moving_box(), wall), TIMES), direction=direction)
    assert (view["bodies/wall"].opacity < 1) == high and view["bodies/a"].opacity == 1


def test_close_ups_show_bodies_not_facets():
    """The jump to a contact spans about the size of the smaller body."""
    cube = tc.Mesh(*box((1.0, 1.0, 1.0)))
    motion = tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))
    contact = tc.first_contact(cube, cube, motion)
    view = tc.view.view_of(contact, bodies=(cube, cube), motions=motion)
    camera = view.marks[0].camera
    breadth = 2 * np.tan(FIELD_OF_VIEW / 2) * np.linalg.norm(camera.position - camera.target)
    assert 0.7 < breadth < 2.0


def test_times_in_words_are_rounded_down():
    view = View("v", (), TIMES)
    assert view.clock(0.54149999) == "t = 0.5414" and view.clock(np.nan) == "\N{EM DASH}"
    assert View("v", (), TIMES, unit="s").clock(1.9999) == "1.999 s"
    assert Outcome("FREE").touching == ()


def test_nothing_is_imported_before_it_is_asked_for():
    code = (
        "import sys, toccata; assert not {'viser', 'toccata.view'} & set(sys.modules);"
        "toccata.view.View; assert 'viser' not in sys.modules and 'toccata.view' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
