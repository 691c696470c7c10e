"""Checked motions of two bodies and of scenes as views."""

import pickle

import numpy as np
import pytest

import toccata as tc
from toccata.report._page import page_html
from toccata.scenes.primitives import box
from toccata.scenes.robots import puma
from toccata.view import Arrows, Body, Points, view_of
from toccata.view._colors import BLUE, GRAY, ORANGE, RED, YELLOW

CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)), solid=True)
COMING = tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))  # touches at 0.8


def coming(**options):
    contact = tc.first_contact(CUBE, CUBE, COMING, **options)
    return contact, view_of(contact, bodies=(CUBE, CUBE), motions=(COMING, None))


def test_bodies_are_where_they_are_at_the_contact():
    contact, view = coming()
    row = view.row(contact.toc)
    assert view.times[row] == contact.toc == pytest.approx(0.8, abs=1e-5)
    assert np.array_equal(view["bodies/A"].pose[row], COMING.pose(contact.toc))
    assert view["bodies/A"].pose[row][0, 3] == pytest.approx(1.0, abs=1e-5)
    assert view["bodies/B"].pose.shape == (4, 4)
    assert view["bodies/A"].color == ORANGE and view["bodies/B"].color == BLUE
    assert len(view["bodies/A"].faces) == 12


def test_ghosts_are_at_both_ends_of_what_moves():
    _, view = coming()
    ghosts = {item.name: item for item in view.of(Body) if item.opacity < 1}
    assert ghosts.keys() == {"start/A", "end/A"}
    assert ghosts["start/A"].pose[0, 3] == 5 and ghosts["end/A"].pose[0, 3] == 0
    assert ghosts["end/A"].color == RED  # there the motion would have led


def test_the_contact_is_marked_in_space_and_time():
    contact, view = coming()
    points, normal = view["contact/points"], view["contact/normals"]
    assert points.color == YELLOW and points.span == (contact.toc, np.inf)
    assert np.array_equal(points.positions, [contact.point_a, contact.point_b])
    assert points.positions[:, 0] == pytest.approx(0.5, abs=1e-5)
    way = (normal.end - normal.start)[0]
    assert way / np.linalg.norm(way) == pytest.approx([1, 0, 0], abs=1e-6)
    assert [(mark.name, mark.time) for mark in view.marks] == [("First contact", contact.toc)]
    assert view.outcome.safe == ((0.0, contact.safe_until),)
    assert (view.outcome.status, view.outcome.touching) == ("CONTACT", ("A", "B"))


def test_the_two_triangles_are_outlined_and_move_with_their_bodies():
    contact, view = coming()
    row = view.row(contact.toc)
    for name, index in (("A", contact.triangle_a), ("B", contact.triangle_b)):
        outline = view[f"contact/triangle of {name}"]
        assert view.rows(outline).start == row, "outlined before the contact"
        outline = outline.at(0)
        pose = view[f"bodies/{name}"].at(row).pose
        corners = CUBE.vertices[CUBE.faces[index]] + pose[:3, 3]
        assert outline.start == pytest.approx(corners, abs=3e-3) and not outline.heads
        assert np.array_equal(outline.end, np.roll(outline.start, -1, axis=0))


def test_the_distance_is_that_of_the_closed_form():
    _, view = coming()
    (plot,) = view.plots
    assert plot.series["distance"] == pytest.approx(np.maximum(0, 4 - 5 * view.times), abs=1e-9)
    nearest = view["distance"]
    assert isinstance(nearest, Arrows) and not nearest.heads
    lengths = np.linalg.norm(nearest.end - nearest.start, axis=-1)[:, 0]
    assert lengths == pytest.approx(plot.series["distance"], abs=1e-9)


def test_the_jump_looks_along_the_touching_surfaces():
    contact, view = coming()
    camera = view.marks[-1].camera
    assert camera.target == pytest.approx((contact.point_a + contact.point_b) / 2)
    towards = camera.position - camera.target
    assert abs(towards[0]) / np.linalg.norm(towards) < 0.35  # across the normal, which is x


def test_a_free_motion_has_a_mark_where_it_is_nearest():
    motion = tc.Motion.linear(tc.pose((5, 3, 0)), tc.pose((-2, 3, 0)))
    contact = tc.first_contact(CUBE, CUBE, motion)
    view = view_of(contact, bodies=(CUBE, CUBE), motions=motion)
    nearest = view.marks[-1]
    assert [mark.name for mark in view.marks] == ["Closest approach"]
    assert -1 <= 5 - 7 * nearest.time <= 1 and nearest.camera is not None
    assert not list(view.of(Points)) and view.outcome.safe == ((0.0, 1.0),)
    assert view["end/A"].color == ORANGE


def test_what_is_undecided_is_no_contact():
    _, view = coming(budget=1)
    names = [mark.name for mark in view.marks]
    assert names == ["Undecided"]
    assert not list(view.of(Points)) and view.outcome.status == "UNDECIDED"


def test_a_start_inside_has_no_points():
    small = tc.Mesh(*box((0.1, 0.1, 0.1)))
    contact = tc.first_contact(small, CUBE, tc.pose())
    view = view_of(contact, bodies=(small, CUBE), motions=tc.pose())
    assert view.marks[-1].name == "Contact at the start" and view.marks[-1].camera is None
    assert not list(view.of(Points))


def test_curved_bodies_are_drawn():
    ball = tc.surfaces.sphere(0.5)
    motion = tc.Motion.linear(tc.pose((3, 0, 0)), tc.pose())
    contact = tc.first_contact(ball, CUBE, motion)
    view = view_of(contact, bodies=(ball, CUBE), motions=motion, names=("ball", "cube"))
    assert len(view["bodies/ball"].faces) > 1000
    assert contact.toc == pytest.approx(2 / 3, abs=1e-5) and contact.toc in view.times


def scene():
    made = tc.Scene()
    made.add("comes", CUBE, COMING)
    made.add("stays", CUBE)
    made.add("far", CUBE, tc.pose((0, 9, 0)))
    return made


def test_the_two_bodies_of_a_scene_in_contact_have_the_first_colors():
    given = scene()
    contact = given.first_contact()
    view = view_of(contact, scene=given)
    colors = {name: view[f"bodies/{name}"].color for name in given.names}
    assert {colors[name] for name in view.outcome.touching} == {ORANGE, BLUE}
    assert colors["far"] == GRAY
    assert view.plots[0].series["distance"][0] == pytest.approx(4.0)
    assert view.marks[-1].time == contact.toc and view.marks[-1].camera is not None


def test_a_free_scene_shows_where_it_comes_closest():
    given = scene()
    given.move("comes", tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((2, 0.2, 0.1))))
    view = view_of(given.first_contact(), scene=given)
    (mark,) = view.marks
    assert (mark.name, mark.time) == ("Closest approach", pytest.approx(1.0))
    assert mark.camera.target[0] == pytest.approx(1.0) and view.outcome.status == "FREE"


def test_many_contacts_of_a_scene_are_red_from_then_on():
    given = scene()
    view = view_of(given.contacts(), scene=given)
    row = view.row(0.8)
    colors = view["bodies/comes"].color
    assert (colors[row:] == RED).all() and (colors[: row - 1] != RED).any(axis=1).all()


def test_all_contacts_of_a_scene_are_marked():
    given = scene()
    found = given.contacts()
    view = view_of(found, scene=given)
    assert [mark.name for mark in view.marks] == ["comes and stays"]
    assert view["contact/comes and stays"].span[0] == found.toc[0]


def test_many_bodies_that_stay_are_one():
    given = tc.Scene()
    for i in range(100):
        given.add(f"b{i}", CUBE, tc.pose((2.0 * i, 0, 0)))
    (body,) = view_of(given).items
    assert len(body.faces) == 1200
    assert body.vertices[:, 0].max() == 198.5


def test_meshes_alone():
    view = view_of({"one": CUBE, "two": CUBE})
    assert [item.name for item in view.items] == ["bodies/one", "bodies/two"]
    assert len(view_of(CUBE).items) == 1 and len(view_of([CUBE, CUBE]).items) == 2


@pytest.mark.parametrize(
    ("what", "given", "message"),
    [
        (
            pickle.loads(pickle.dumps(tc.first_contact(CUBE, CUBE, COMING))),
            {},
            "bodies: this Contact needs `bodies` and `motions`, or `scene`",
        ),
        (
            tc.first_contact(CUBE, CUBE, COMING),
            {"bodies": (CUBE,), "motions": COMING},
            "bodies: expected the two bodies of the contact",
        ),
        (
            tc.first_contact(CUBE, CUBE, COMING),
            {"bodies": (CUBE, CUBE), "motions": (COMING,) * 3},
            "motions: expected one for each body, got 3",
        ),
        (
            scene(),
            {"world": 1},
            r"^given: expected no argument \(optional: contact\) for a Scene, got world$",
        ),
        (scene().contacts(), {}, "^given: expected scene for SceneContacts, got none$"),
        (
            tc.audit(
                {"names": ["a"], "times": [0, 1], "poses": np.tile(np.eye(4), (2, 1, 1, 1))},
                {"a": CUBE},
            ),
            {"meshes": {}, "wor": 1},
            r"^given: expected log \(optional: meshes, series\) for an Audit, got meshes, wor$",
        ),
    ],
)
def test_what_is_missing_is_told(what, given, message):
    with pytest.raises(ValueError, match=message):
        view_of(what, **given)


def test_a_thing_that_cannot_be_shown_is_refused():
    with pytest.raises(TypeError, match=r"what: expected an answer, a scene, .*, got int"):
        view_of(7)


def test_answers_of_single_queries_know_their_bodies():
    arm = puma()
    q0, q1 = np.zeros((2, arm.dof))
    q1 = q1 + 0.1
    vertices, faces = box((1, 1, 1))
    contact, step = (
        tc.first_contact(CUBE, CUBE, COMING),
        tc.deforming_contacts(vertices, vertices + 1, faces),
    )
    cases = (
        (contact, {"bodies": (CUBE, CUBE), "motions": COMING}),
        (arm.first_contact(q0, q1), {"robot": arm, "path": [q0, q1]}),
        (arm.first_contact_path([q0, q1, q0]), {"robot": arm, "path": [q0, q1, q0]}),
        (step, {"v0": vertices, "v1": vertices + 1, "faces": faces}),
    )
    for answer, given in cases:
        assert page_html(view_of(answer)) == page_html(view_of(answer, **given))
