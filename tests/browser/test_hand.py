"""The car door in a browser: dragged, turned, taken back and exported."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from browser.person import hue_mask
from toccata.dynamics import MotionPath, MoveStatus
from toccata.scenes.mounting import door_mounting
from toccata.view._colors import ORANGE
from toccata.view._demos import live_door


@pytest.fixture(scope="module")
def page():
    with live_door(port=0) as page:
        yield page
        assert page.error is None


@pytest.fixture(scope="module")
def someone(person, page):
    """Who sees the door."""
    one = person(page.address, page.server)
    one.until(lambda: hue_mask(one.see(), ORANGE).sum() > 1500, "the door to be drawn")
    return one


@pytest.fixture
def door(page, someone):
    """The door beside the car, where it starts."""
    start = door_mounting().start
    page.session.restart()
    someone.until(lambda: np.array_equal(page.session.pose, start), "the door to go back")
    someone.page.wait_for_timeout(200)
    return page.session


def middle(mask):
    """Return the mean pixel of a mask, x and y."""
    y, x = np.nonzero(mask)
    return np.array([x.mean(), y.mean()])


def on_panel(session):
    """A place on the outside of the door's panel, well below the window."""
    pose = session.pose
    points = session.part.vertices @ pose[:3, :3].T + pose[:3, 3]
    low = points[:, 2].min() + 0.25 * np.ptp(points[:, 2])
    near = points[np.argsort(np.abs(points[:, 2] - low))[:200]]
    return near[np.argmax(near[:, 1])]


def test_the_door_follows_the_mouse_and_stays_out_of_the_car(someone, door):
    before = someone.see("door-1-start")
    start, held = door.pose, on_panel(door)
    at, place = someone.where(start[:3, 3]), someone.where(held)
    someone.drag(place, (place[0] - 40, place[1] - 30))
    someone.until(lambda: arrived(door), "the door to come to the pointer")
    moved = someone.where(door.pose[:3, 3])
    # The held point is where the pointer is, so that all of the door has moved as much, nearly.
    assert np.hypot(moved[0] - at[0] + 40, moved[1] - at[1] + 30) < 10
    now = someone.see("door-2-dragged")
    shift = middle(hue_mask(now, ORANGE)) - middle(hue_mask(before, ORANGE))
    assert np.hypot(*(shift - (-40, -30))) < 20

    touched = False
    for share in np.linspace(0, 1, 6):  # on into the car, through whatever is there
        someone.page.mouse.move(place[0] - 40 - 120 * share, place[1] - 30 + 30 * share)
        someone.page.wait_for_timeout(25)
        touched |= door.move is not None and len(door.move.contacts) > 0
    someone.page.wait_for_timeout(300)
    someone.see("door-3-against-the-car")
    someone.drop()
    assert touched, "it never came to the car"
    assert tc.distance(door.part, door.scene["car"].mesh, door.pose).lower > 0
    assert door.path.check(door.part, door.scene) is None
    someone.reads("certified free")

    someone.press("Undo")
    someone.until(lambda: np.array_equal(door.pose, start), "the door to go back")
    someone.page.wait_for_timeout(300)
    back = someone.see("door-4-undone")
    assert np.hypot(*(middle(hue_mask(back, ORANGE)) - middle(hue_mask(before, ORANGE)))) < 3


def arrived(door):
    return door.move is not None and door.move.status == MoveStatus.REACHED and door._wish is None


def test_the_gizmo_shifts_and_turns_the_door(someone, door):
    start = door.pose
    center = start[:3, :3] @ door.center + start[:3, 3]
    size = 0.6 * door.part.radius  # of the gizmo
    x, _, up = start[:3, :3].T
    someone.drag(*(someone.where(center + a * up) for a in (0.9 * size, 0.9 * size + 0.15)))
    someone.until(lambda: door.pose[2, 3] > start[2, 3] + 0.1, "the door to be shifted")
    someone.page.wait_for_timeout(300)
    someone.see("gizmo-1-shifted")
    someone.drop()
    someone.until(lambda: door._wish is None, "the door to rest")
    shift = door.pose[:3, 3] - start[:3, 3]
    assert shift @ up == pytest.approx(0.15, abs=0.03)
    assert np.linalg.norm(shift - (shift @ up) * up) < 1e-3
    np.testing.assert_allclose(door.pose[:3, :3], start[:3, :3], atol=1e-6)

    someone.page.wait_for_timeout(300)
    center = center + shift
    angles = np.radians(np.linspace(45, 65, 4))  # along the arc about x
    _, y, z = start[:3, :3].T
    arc = [someone.where(center + 0.65 * size * (np.cos(a) * y + np.sin(a) * z)) for a in angles]
    someone.page.mouse.move(*arc[0])
    someone.page.mouse.down()
    for place in arc:
        someone.page.mouse.move(*place)
        someone.page.wait_for_timeout(30)
    someone.until(lambda: turn(start, door.pose)[1] > 0.1, "the door to be turned")
    someone.page.wait_for_timeout(300)
    someone.see("gizmo-2-turned")
    someone.drop()
    axis, angle = turn(start, door.pose)
    assert abs(axis @ x) > 0.99
    assert angle == pytest.approx(np.radians(20), abs=0.1)


def turn(before, after):
    """Return axis and angle from one pose to another."""
    r = after[:3, :3] @ before[:3, :3].T
    axis = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    sine = np.linalg.norm(axis) / 2
    return axis / max(2 * sine, 1e-12), np.arctan2(sine, (np.trace(r) - 1) / 2)


def test_the_way_is_exported_as_a_path_and_as_a_page_that_plays_from_disk(
    person, someone, door, tmp_path
):
    start = door.pose
    door.grab(start[:3, 3])
    door.pull(start[:3, 3] + (-0.1, -1.2, 0.0))
    door.release()
    someone.reads("Blocked")

    with someone.page.expect_download() as saved:
        someone.press("Export path")
    saved.value.save_as(tmp_path / "path.npz")
    path = MotionPath.load(tmp_path / "path.npz")
    assert path.check(door.part, door.scene) is None
    np.testing.assert_allclose(path.end[-1], door.pose, atol=1e-9)

    with someone.page.expect_download() as saved:
        someone.press("Export page")
    saved.value.save_as(tmp_path / "path.html")
    reader = person((tmp_path / "path.html").as_uri(), offline=True)
    reader.until(lambda: hue_mask(reader.see(), ORANGE).sum() > 1000, "the door in the file")
    first = reader.see("page-1-start")
    reader.page.locator("button.play").click()
    reader.until(lambda: moved(first, reader.see()), "the door to move in the file")
    reader.see("page-2-playing")
    reader.close()


def moved(first, now):
    """Whether orange is elsewhere."""
    before, after = (hue_mask(picture, ORANGE) for picture in (first, now))
    return (before != after).sum() > 0.3 * before.sum()
