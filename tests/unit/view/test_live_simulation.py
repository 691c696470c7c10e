"""A simulation live: things are thrown and pulled, joints made active, and it goes back."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata import dynamics
from toccata.scenes import models, robots
from toccata.view._colors import GRAY
from toccata.view._items import Body
from toccata.view._live.grip import Grip
from toccata.view._live.simulation import SimulationSession
from toccata.view._live.spring import RATE, Spring

GRAVITY = 9.81


def room(**options: object) -> SimulationSession:
    """A cube of 8 kg above a floor."""
    world = dynamics.World(**options)
    world.add("floor", tc.Mesh(*models.box((9, 9, 1))), tc.pose((0, 0, -0.5)), fixed=True)
    world.add("cube", tc.Mesh(*models.box((0.2, 0.2, 0.2))), tc.pose((0, 0, 0.5)))
    return SimulationSession(world)


def snake(count: int = 6) -> SimulationSession:
    """A chain that hangs on its first link."""
    world = dynamics.World(step=1 / 60)
    body = dynamics.ArticulatedBody(robots.chain(count))
    world.add_articulated("snake", body, friction=0.3)
    return SimulationSession(world, {"snake": (0.3, 0.0)})


def play(session: SimulationSession, seconds: float) -> None:
    session.play()
    end = session.world.time + seconds
    while session.world.time < end - 1e-9:
        assert session.tick()


def position(session: SimulationSession, name: str) -> np.ndarray:
    return session.world.poses[session.world.names.index(name)][:3, 3]


def test_it_stays_until_it_is_told_to_play_and_pauses():
    session = room()
    assert not session.tick()
    assert session.world.time == 0
    play(session, 0.1)
    fallen = position(session, "cube")[2]
    assert fallen == pytest.approx(0.5 - GRAVITY * session.world.time**2 / 2, abs=0.01)
    session.pause()
    session.tick()
    assert not session.tick()
    assert position(session, "cube")[2] == fallen


def test_a_step_is_one_step():
    session = room()
    session.step()
    assert session.tick()
    assert session.world.time == pytest.approx(1 / 120)
    assert not session.playing


def test_a_tick_plays_as_many_seconds_as_it_has():
    session = room()
    session.play()
    session.tick()
    session.speed = 0.25
    times = []
    for _ in range(40):
        session.tick()
        times.append(session.world.time)
    # A machine that is busy may play less, never more.
    assert times[-1] - times[0] <= 39 / 60 / 4 + 1.01 / 120


def test_back_to_the_start_is_back_bit_by_bit():
    session = room()
    start = session.world.poses
    play(session, 0.5)
    session.throw((2, 0, 1), (-3, 0, 0))
    play(session, 0.2)
    assert len(session.world) == 3
    session.reset()
    session.tick()
    assert session.world.names == ("floor", "cube")
    np.testing.assert_array_equal(session.world.poses, start)
    assert not len(session.history) and not session.playing


def test_a_thrown_ball_flies_and_hits():
    session = room(gravity=(0, 0, 0))
    session.throw((1.5, 0, 0.5), (-4, 0, 0), 0.1)
    session.tick()
    assert session.world.names[-1] == "thrown 1"
    play(session, 1.0)
    assert position(session, "cube")[0] < -0.1, "the cube was hit"
    assert np.isfinite(session.history[:, 2]).any()


def test_there_has_to_be_room_for_a_ball():
    session = room()
    session.throw((0.1, 0, 0.5), (0, 0, 0))
    session.tick()
    assert len(session.world) == 2
    assert "There is no room for a ball at the camera" in session.notes


def test_old_balls_go_when_there_are_many():
    session = room(gravity=(0, 0, 0))
    for i in range(25):
        session.throw((3, 0, 1.0 + i), (0, 0, 0), 0.1)
    session.tick()
    thrown = [name for name in session.world.names if name.startswith("thrown")]
    assert len(thrown) == 20 and "thrown 25" in thrown and "thrown 5" not in thrown
    seen = {item.name for item in session.items()}
    assert "world/thrown 25" in seen and "world/thrown 5" not in seen


def test_a_spring_pulls_a_body_by_the_point_that_is_held():
    session = room(sleeping=False)
    session.grab("cube", (0.1, 0.1, 0.6))
    session.pull((0.5, 0.2, 1.5))
    play(session, 6.0)
    spring = session._spring
    assert isinstance(spring, Spring)
    # At rest the point hangs below the pointer by g / RATE², and the center below the point.
    np.testing.assert_allclose(spring.position(), (0.5, 0.2, 1.5 - GRAVITY / RATE**2), atol=0.01)
    np.testing.assert_allclose(position(session, "cube")[:2], (0.5, 0.2), atol=0.01)
    assert "spring" in {item.name for item in session.items()}
    session.release()
    play(session, 1.0)
    assert position(session, "cube")[2] < 0.2


def test_a_spring_knows_what_bodies_weigh_and_changes_nothing_by_asking():
    session = room()
    play(session, 0.1)
    before = session.world.velocities
    spring = Spring(session.world, "cube", Grip(np.zeros(3)), np.zeros(3))
    assert spring._mass == pytest.approx(8.0)
    np.testing.assert_array_equal(session.world.velocities, before)


def test_a_link_is_pulled():
    session = snake()
    play(session, 1.0)
    held = position(session, "snake/link5")
    session.grab("snake/link5", held)
    wanted = held + (0.05, 0.1, 0.1)
    session.pull(wanted)
    play(session, 3.0)
    after = np.linalg.norm(position(session, "snake/link5") - wanted)
    assert after < 0.5 * np.linalg.norm(held - wanted)


def test_what_does_not_move_is_not_pulled():
    session = room()
    session.grab("floor", (1, 1, 0))
    play(session, 0.1)
    assert "floor does not move" in session.notes
    assert session._spring is None


def test_the_number_of_active_joints_can_change_and_groups_have_colors():
    session = snake(8)
    play(session, 0.3)
    body = session.world.articulated["snake"]
    q, v = body.q, body.v
    session.activate(2)
    session.pause()
    session.tick()
    np.testing.assert_array_equal(body.q, q)
    np.testing.assert_allclose(body.v, v)
    play(session, 0.3)
    assert body.active.sum() <= 3  # contacts may make more
    found = {item.name: item.color for item in session.items() if isinstance(item, Body)}
    groups = dict(zip((f"world/snake/link{i}" for i in range(1, 8)), body.groups, strict=True))
    for a, group_a in groups.items():
        for b, group_b in groups.items():
            assert (found[a] == found[b]) == (group_a == group_b)
    assert found["world/snake/link0"] == GRAY, "it is fixed to the ground"
    assert f"{body.active.sum()} of 7 joints are active" in session.notes
    session.activate(None)
    play(session, 0.05)
    assert body.active.all()


def test_history_has_energy_and_least_distance():
    session = room()
    play(session, 1.0)
    rows = session.history
    assert rows[-1, 0] == pytest.approx(session.world.time)
    assert rows[-1, 1] == pytest.approx(session.world.energy)
    assert np.diff(rows[:, 0]).min() > 0
    assert rows[0, 1] == pytest.approx(8 * GRAVITY * 0.5, rel=0.01)
    assert (rows[np.isfinite(rows[:, 2]), 2] > 0).all(), "nothing ever touches"


def test_items_are_where_bodies_are_and_what_touches_is_marked():
    session = room(sleeping=False)
    first = {item.name: item for item in session.items()}
    play(session, 1.0)
    now = {item.name: item for item in session.items()}
    np.testing.assert_array_equal(now["world/cube"].pose[:3, 3], position(session, "cube"))
    assert now["world/cube"].vertices is first["world/cube"].vertices
    points = now["contacts/points"].positions
    assert len(points) >= 3 and np.abs(points[:, 2]).max() < 1e-3
    forces = now["contacts/forces"]
    assert ((forces.end - forces.start)[:, 2] >= 0).all(), "the floor presses upwards"
