"""A part in hand: the held point follows the pointer, nothing penetrates, all can be taken back."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata.dynamics import MotionPath, MoveStatus
from toccata.scenes import models
from toccata.view._items import Arrows, Body, Points
from toccata.view._live.grip import Grip
from toccata.view._live.hand import HandSession

SIDE = 0.4


def workshop() -> HandSession:
    """A cube above a floor, with a wall at x = 1."""
    scene = tc.Scene()
    scene.add("floor", tc.Mesh(*models.box((4, 4, 1))), tc.pose((0, 0, -0.5)))
    scene.add("wall", tc.Mesh(*models.box((0.2, 4, 2))), tc.pose((1.1, 0, 1)))
    return HandSession(tc.Mesh(*models.box((SIDE, SIDE, SIDE))), scene, tc.pose((0, 0, 0.5)))


def settle(session: HandSession, most: int = 200) -> int:
    """Tick until nothing moves; in each tick, the part is apart from everything."""
    for count in range(most):
        if not session.tick():
            return count
        for name in session.scene.names:
            body = session.scene[name]
            apart = tc.distance(session.part, body.mesh, session.pose, body.motion.pose(0.0))
            assert apart.lower > 0, f"touches {name}"
    raise AssertionError(f"still moving after {most} ticks")


def test_a_grip_holds_a_point_of_the_body():
    pose = tc.pose((1, 2, 3), rotvec=(0.3, -0.4, 0.5))
    grip = Grip.at(pose, (1.5, 2.2, 2.9))
    np.testing.assert_allclose(grip.position(pose), (1.5, 2.2, 2.9))
    turned = tc.pose(rotvec=(0, 0, 1.0))[:3, :3]
    target = grip.target(turned, (7, 8, 9))
    np.testing.assert_allclose(grip.position(target), (7, 8, 9))
    np.testing.assert_array_equal(target[:3, :3], turned)


def test_the_held_point_follows_the_pointer_where_nothing_is_near():
    session = workshop()
    held = np.array((0.2, 0.1, 0.6))
    session.grab(held)
    for step in np.linspace(0.05, 0.3, 6):
        session.pull(held + (0, step, step))
        settle(session)
        position = session.pose[:3, :3] @ (held - (0, 0, 0.5)) + session.pose[:3, 3]
        np.testing.assert_allclose(position, held + (0, step, step), atol=1e-6)


def test_it_slides_along_what_it_touches():
    session = workshop()
    session.grab((0.0, 0.0, 0.5))
    session.pull((0.3, 0.0, -2.0))  # below the floor
    settle(session)
    assert session.move is not None
    assert session.move.status == MoveStatus.BLOCKED
    np.testing.assert_allclose(session.pose[:2, 3], (0.3, 0.0), atol=1e-4)
    assert session.pose[2, 3] == pytest.approx(SIDE / 2, abs=2 * session.hand.shell)
    session.pull((3.0, 0.5, -2.0))  # behind the wall as well
    settle(session)
    assert session.pose[0, 3] == pytest.approx(1.0 - SIDE / 2, abs=2 * session.hand.shell)
    assert set(session.move.contacts.touching) == {"floor", "wall"}


def test_only_the_newest_wish_counts():
    session, other = workshop(), workshop()
    for one, pointers in ((session, [(9, 9, 9), (0.1, 0.2, 0.7)]), (other, [(0.1, 0.2, 0.7)])):
        one.grab((0.0, 0.0, 0.5))
        for position in pointers:
            one.pull(position)
        settle(one)
    np.testing.assert_array_equal(session.pose, other.pose)
    assert len(session.centers) == len(other.centers)


def test_between_two_wishes_it_moves_smoothly():
    session = workshop()
    session.grab((0.0, 0.0, 0.5))
    session.pull((0.0, 0.4, 0.5))
    ticks = settle(session)
    assert ticks >= 5
    steps = np.diff(session.centers[:, 1])
    assert (steps >= 0).all() and steps.max() <= 0.2 + 1e-9
    session.begin()
    session.put(tc.pose((0.4, 0.0, 0.6), rotvec=(0, 0, 1.0)))
    assert settle(session) >= 5


def test_a_released_part_goes_on_to_where_it_was_wanted_and_no_farther():
    session = workshop()
    session.grab((0.0, 0.0, 0.5))
    session.pull((0.2, 0.0, 0.8))
    session.release()
    session.pull((0.5, 0.5, 0.9))  # of a pointer that holds nothing
    settle(session)
    np.testing.assert_allclose(session.pose[:3, 3], (0.2, 0.0, 0.8), atol=1e-6)


def test_contacts_turn_a_part_that_need_not_keep_its_orientation():
    start = tc.pose((0, 0, 0.6), rotvec=(0.0, 0.3, 0.0))
    scene = tc.Scene()
    scene.add("floor", tc.Mesh(*models.box((4, 4, 1))), tc.pose((0, 0, -0.5)))
    tilt = {}
    for keeps in (True, False):
        session = HandSession(tc.Mesh(*models.box((SIDE, SIDE, SIDE))), scene, start)
        session.keeps_turn = keeps
        session.grab((0.0, 0.0, 0.6))
        session.pull((0.0, 0.0, SIDE / 2))
        settle(session)
        tilt[keeps] = np.arccos(session.pose[2, 2])
    assert tilt[False] < 0.01, "it lies flat on the floor"
    assert tilt[True] > 0.1, "it is held tilted, as far as the pull admits"


def test_a_gizmo_puts_and_turns_it():
    session = workshop()
    target = tc.pose((0.1, -0.2, 0.9), rotvec=(0.2, 0.1, -0.7))
    session.begin()
    session.put(target)
    settle(session)
    np.testing.assert_allclose(session.pose, target, atol=1e-6)


def test_undo_takes_back_stroke_by_stroke_bit_by_bit():
    session = workshop()
    seen = [session.pose]
    for position in ((0.3, 0.0, -1.0), (3.0, 0.0, -1.0), (0.0, 0.5, 2.0)):
        session.grab(session.pose[:3, 3])
        session.pull(position)
        settle(session)
        session.release()
        seen.append(session.pose)
    for pose in seen[-2::-1]:
        session.undo()
        session.tick()
        np.testing.assert_array_equal(session.pose, pose)
    session.undo()  # nothing is left: no error
    session.tick()
    assert len(session.path) == 0
    assert len(session.centers) == 1


def test_restart_takes_back_everything_and_the_hand_goes_on():
    session = workshop()
    start = session.pose
    for position in ((0.3, 0.0, -1.0), (3.0, 0.0, -1.0)):
        session.grab(session.pose[:3, 3])
        session.pull(position)
        settle(session)
    session.restart()
    session.tick()
    np.testing.assert_array_equal(session.pose, start)
    session.grab((0.0, 0.0, 0.5))
    session.pull((0.0, 0.1, 0.5))
    assert settle(session) == len(session.centers) - 1
    np.testing.assert_allclose(session.pose[:3, 3], (0.0, 0.1, 0.5), atol=1e-6)


def test_the_way_is_exported_as_a_certified_path(tmp_path):
    session = workshop()
    session.grab((0.0, 0.0, 0.5))
    session.pull((3.0, 0.4, -1.0))
    settle(session)
    session.save(tmp_path / "way.npz")
    path = MotionPath.load(tmp_path / "way.npz")
    assert len(path) > 1
    assert path.check(session.part, session.scene) is None
    np.testing.assert_allclose(path.start[0], session.hand.path.start[0])
    np.testing.assert_allclose(path.end[-1], session.pose, atol=1e-12)


def test_items_show_the_part_contacts_force_pull_and_way():
    session = workshop()
    before = {item.name: item for item in session.items()}
    assert set(before) == {"scene/floor", "scene/wall", "part"}
    session.grab((0.0, 0.0, 0.5))
    for x in np.linspace(0.0, 3.0, 30):
        session.pull((x, 0.0, -1.0))
        session.tick()
    items = {item.name: item for item in session.items()}
    part, points, force = items["part"], items["contacts/points"], items["contacts/force"]
    assert isinstance(part, Body) and isinstance(points, Points) and isinstance(force, Arrows)
    np.testing.assert_array_equal(part.pose, session.pose)
    assert part.vertices is before["part"].vertices, "meshes must not be sent again"
    assert items["scene/floor"] is before["scene/floor"]
    on_part = points.positions @ np.eye(3) - session.pose[:3, 3]
    assert (np.abs(on_part).max(axis=1) <= SIDE / 2 + 1e-6).all()
    pushed = (force.end - force.start)[0]
    assert pushed[0] < 0 and pushed[2] > 0, "away from the wall, and up from the floor"
    np.testing.assert_allclose(items["pull"].end[0], (3.0, 0.0, -1.0))
    np.testing.assert_allclose(items["path"].start[0], (0, 0, 0.5))
    assert any("Blocked" in note or "Moving" in note for note in session.notes)
    session.release()
    assert "pull" not in {item.name for item in session.items()}


def test_bad_positions_are_refused():
    session = workshop()
    with pytest.raises(ValueError, match="position: expected shape"):
        session.grab((1, 2))
    session.grab((0, 0, 0.5))
    with pytest.raises(ValueError, match="pointer: expected shape"):
        session.pull((1, 2, 3, 4))
