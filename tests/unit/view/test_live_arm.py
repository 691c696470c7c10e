"""A robot posed live: it stops before contacts, and says what touches and what is not tested."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import models, robots
from toccata.view._colors import RED
from toccata.view._items import Body
from toccata.view._live.arm import PICKED, ArmSession
from toccata.view._live.player import PathPlayer


def post() -> tc.Scene:
    """A post at a right angle to the arm, one and a half metres away."""
    world = tc.Scene()
    world.add("post", tc.Mesh(*models.box((0.1, 0.1, 1))), tc.pose((0, 1.5, 0)))
    return world


def arm() -> ArmSession:
    return ArmSession(robots.planar_arm(), post())


def colors(session: ArmSession) -> dict[str, object]:
    return {item.name: item.color for item in session.items() if isinstance(item, Body)}


def test_it_goes_where_it_is_wanted():
    session = arm()
    assert not session.tick()
    session.want((0.3, -0.2))
    assert session.tick()
    np.testing.assert_array_equal(session.state.q, (0.3, -0.2))
    assert session.state.rejected is None and not session.state.touching
    poses = session.robot.forward_kinematics((0.3, -0.2))
    seen = {item.name: item for item in session.items()}
    np.testing.assert_allclose(seen["robot/link2"].pose, poses["link2"])


def test_it_stops_before_a_contact_and_shows_the_rejected_end():
    session = arm()
    session.want((np.pi, 0.0))  # through the post
    session.tick()
    state = session.state
    # Side by side with the post: its face at x = 0.05, the bar's at half its width from the axis.
    exact = (
        np.pi / 2 - np.arcsin(0.05 / np.hypot(1.45, 0.05)) - np.arcsin(0.05 / np.hypot(1.45, 0.05))
    )
    assert state.q[0] == pytest.approx(exact, abs=0.01)
    assert 0 < state.clearance < 2 * session.shell
    assert state.touching == (("link2", "post"),)
    np.testing.assert_array_equal(state.rejected, (np.pi, 0.0))
    assert any("link2 and post" in note for note in session.notes)
    found = colors(session)
    assert found["robot/link2"] == RED and found["robot/link1"] != RED
    ghost = {name for name in found if name.startswith("rejected/")}
    assert ghost == {"rejected/link1", "rejected/link2"}
    names = [item.name for item in session.items()]
    assert "names/link2" in names and "clearance/line" in names


def test_it_can_be_pushed_for_ever_and_still_goes_away_again():
    session = arm()
    for _ in range(100):
        session.want((np.pi, 0.0))
        session.tick()
        assert session.state.clearance > 0
    session.want((1.0, 0.0))
    session.tick()
    np.testing.assert_array_equal(session.state.q, (1.0, 0.0))
    assert session.state.rejected is None


def test_it_passes_through_when_it_is_told_to_and_what_touches_is_red():
    session = arm()
    session.stops = False
    session.want((np.pi / 2, 0.0))
    session.tick()
    np.testing.assert_array_equal(session.state.q, (np.pi / 2, 0.0))
    assert session.state.touching == (("link2", "post"),)
    assert session.state.clearance == 0.0
    assert colors(session)["robot/link2"] == RED
    session.stops = True  # in contact already: it is let out, whichever way
    session.want((0.0, 0.0))
    session.tick()
    assert not session.state.touching


def test_clearance_is_that_of_the_nearest_pair():
    session = arm()
    exact = tc.distance(
        session.robot.links["link2"].mesh,
        post()["post"].mesh,
        session.robot.forward_kinematics((0.0, 0.0))["link2"],
        tc.pose((0, 1.5, 0)),
    )
    apart = session.robot.distances(np.zeros((1, 2)), session.world)
    assert session.state.clearance == pytest.approx(apart.distance.min(), rel=1e-3)
    assert session.state.clearance <= exact.distance
    assert session.state.nearest in apart.pairs


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "Click two links"),
        (("link1",), "Click a body other than link1"),
        (("link1", "link2"), "not tested: adjacent: joined by joint2"),
        (("link2", "post"), "are tested, "),
        (("post", "link2"), "are tested, "),
        (("link1", "link1"), "Click a body other than link1"),
        (("link1", "link2", "post"), "Click a body other than post"),
    ],
)
def test_why_a_pair_is_not_tested(names, said):
    session = arm()
    for name in names:
        session.pick(name)
    session.tick()
    assert said in session.why()
    assert said in session.notes[-1]


def test_reasons_given_by_hand_and_links_that_never_move_are_told():
    robot = robots.planar_arm((1.0, 1.0, 1.0))
    robot.ignore("link1", "link3", "a cable between them")
    robot.ignore("link1", "post", "the base stands there")
    fixed = robot.attached(
        "link3", "tool", tc.Mesh(*models.box((0.1, 0.1, 0.1))), tc.pose((2, 0, 0))
    )
    for model, pair, said in (
        (robot, ("link3", "link1"), "a cable between them"),
        (robot, ("link1", "post"), "the base stands there"),
        (fixed, ("tool", "link3"), "not tested"),
    ):
        session = ArmSession(model, post())
        for name in pair:
            session.pick(name)
        session.tick()
        assert said in session.why()


def test_why_a_link_touches_no_body(tmp_path):
    robot = robots.planar_arm()
    (tmp_path / "arm.srdf").write_text(
        '<robot name="arm"><disable_default_collisions link="link2"/></robot>'
    )
    robot._read_srdf(tmp_path / "arm.srdf")
    session = ArmSession(robot, post())
    for name in ("post", "link2"):
        session.pick(name)
    session.tick()
    assert session.why() == (
        "link2 and post are not tested: SRDF: disable_default_collisions of link2"
    )


def test_clicked_bodies_are_marked():
    session = arm()
    session.pick("link1")
    session.pick("post")
    session.tick()
    found = colors(session)
    assert found["robot/link1"] == PICKED and found["world/post"] == PICKED


def test_a_path_plays_up_to_the_first_contact():
    path = np.array([(0.0, 0.0), (0.8, 0.5), (np.pi, 0.0)])
    session = ArmSession(robots.planar_arm(), post(), path=path)
    np.testing.assert_array_equal(session.state.q, path[0])
    assert session.player is not None
    found = session.player.contact
    assert found and 0.5 < found.toc < 1
    session.play()
    ticks = 0
    while session.tick():
        ticks += 1
        assert ticks < 1000
    assert not session.player.playing
    assert session.player.time == found.safe_until
    np.testing.assert_allclose(session.state.q, found.q, atol=1e-6)
    assert session.state.touching[0] == (found.link_a, found.link_b)
    np.testing.assert_array_equal(session.state.rejected, path[-1])


def test_a_path_plays_to_its_end_when_it_may_pass_through():
    path = np.array([(0.0, 0.0), (np.pi, 0.0)])
    session = ArmSession(robots.planar_arm(), post(), path=path)
    session.stops = False
    session.play()
    touched = False
    while session.tick():
        touched |= ("link2", "post") in session.state.touching
    assert touched
    np.testing.assert_allclose(session.state.q, path[-1])
    session.play()  # from the start again
    session.tick()
    session.pause()
    session.tick()
    assert session.player is not None and 0 < session.player.time < 0.1
    session.seek(0.25)
    session.tick()
    np.testing.assert_allclose(session.state.q, (np.pi / 4, 0.0))


def test_a_player_is_where_the_path_is():
    robot = robots.planar_arm()
    rows = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 2.0)])
    player = PathPlayer(robot, rows, None, seconds=2.0)
    np.testing.assert_allclose(player.at(0.25), (0.5, 0.0))
    np.testing.assert_allclose(player.at(0.75), (1.0, 1.0))
    np.testing.assert_allclose(player.at(1.0), (1.0, 2.0))
    assert not player.advance(1.0, True)
    player.play()
    assert player.advance(0.5, True) and player.time == pytest.approx(0.25)


def test_several_robots_have_colors_of_their_own():
    one = robots.planar_arm()
    both = tc.combine({"left": one, "right": one.placed(tc.pose((0, 3, 0)))})
    session = ArmSession(both)
    found = colors(session)
    assert found["robot/left/link1"] == found["robot/left/link2"]
    assert found["robot/left/link1"] != found["robot/right/link1"]
    session.want((np.pi / 2, 0.0, -np.pi / 2, 0.0))
    session.tick()
    a, b = session.state.touching[0]
    assert {a.partition("/")[0], b.partition("/")[0]} == {"left", "right"}
