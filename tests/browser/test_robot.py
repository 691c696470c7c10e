"""A robot among pipes in a browser: sliders move it, contacts stop it, clicks ask about pairs."""

from __future__ import annotations

import numpy as np
import pytest

import toccata as tc
from browser.person import hue_mask
from toccata.view._colors import ORANGE, RED
from toccata.view._demos import live_robot
from toccata.view._items import Label


@pytest.fixture(scope="module")
def robot():
    with live_robot(port=0) as page:
        yield page
        assert page.error is None


URDF = """<robot name="crane"><link name="base"/>
  <link name="cart"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="hook"><collision><origin xyz="0 0 -2"/>
    <geometry><capsule radius="0.2" length="1"/></geometry></collision></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="1" upper="5" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="cart"/><child link="hook"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.fixture(scope="module")
def someone(person, robot):
    """Who sees the robot."""
    one = person(robot.address, robot.server)
    one.until(lambda: hue_mask(one.see(), ORANGE).sum() > 500, "the robot to be drawn")
    return one


def test_the_name_of_a_urdf_shows_a_robot_that_can_be_moved(person, tmp_path):
    """As `toccata view crane.urdf wall.stl` does."""
    trimesh = pytest.importorskip("trimesh")
    (tmp_path / "crane.urdf").write_text(URDF)
    wall = trimesh.creation.box((0.2, 4, 4))
    wall.apply_translation((4, 0, 0))
    wall.export(tmp_path / "wall.stl")
    with tc.view.open_page([tmp_path / "crane.urdf", tmp_path / "wall.stl"], port=0) as page:
        one = person(page.address, page.server)
        one.until(lambda: hue_mask(one.see(), ORANGE).sum() > 500, "the robot to be drawn")
        session = page.session
        np.testing.assert_array_equal(session.state.q, [1, 0])  # within the limits
        one.reads("Clearance 2.4")  # from the cart's front at 1.5 to the wall
        one.see("robot-5-urdf")
        one.write("rail", 4.5)
        one.until(lambda: session.state.rejected is not None, "the robot to be stopped")
        assert 3.3 < session.state.q[0] < 3.4
        one.reads("of the motion: cart and wall.stl")
        one.see("robot-6-urdf-stopped")
        assert page.error is None
        one.close()


def test_sliders_move_the_robot_until_it_would_touch(someone, robot):
    session = robot.session
    someone.see("robot-1-start")
    someone.slide("joint1", "ArrowRight", 20)
    step = (session.robot.upper[0] - session.robot.lower[0]) / 1000
    someone.until(lambda: abs(session.state.q[0] - 20 * step) < 1e-6, "the joint to turn")
    np.testing.assert_array_equal(session.state.q[1:], 0)
    someone.reads("Clearance")

    # A number is typed beside the slider: far beyond the pipe that is in the way.
    someone.write("joint1", 2.5)
    someone.until(lambda: session.state.rejected is not None, "the robot to be stopped")
    assert session.state.q[0] < 2.4 and session.state.clearance > 0
    assert session.state.rejected[0] == pytest.approx(2.5)
    someone.reads("forearm and pipes")
    someone.until(lambda: hue_mask(someone.see(), RED).sum() > 50, "the link to turn red")
    someone.see("robot-2-stopped")
    labels = [item.text for item in session.items() if isinstance(item, Label)]
    assert labels == ["forearm"]

    someone.press("Reset sliders to the robot")
    someone.until(lambda: session.state.rejected is None, "the ghost to go")


def test_a_path_plays_up_to_the_contact(someone, robot):
    session = robot.session
    player = session.player
    assert player.contact
    someone.press("Play")
    someone.until(lambda: player.time > 0 and not player.playing, "the path to end")
    assert player.time == player.contact.safe_until
    np.testing.assert_allclose(session.state.q, player.contact.q, atol=1e-6)
    someone.reads(f"{player.contact.link_a} and {player.contact.link_b}")
    someone.until(lambda: hue_mask(someone.see(), RED).sum() > 30, "the link to turn red")
    someone.see("robot-3-path")


def test_two_clicks_ask_why_a_pair_is_not_tested(someone, robot):
    session = robot.session
    for name, height in (("base", 0.5), ("shoulder", 0.68)):  # of the axis of the first joint
        place = someone.where((0.0, 0.0, height))
        someone.click(place, lambda name=name: name in session.picked, f"{name} to be picked")
    someone.reads("base and shoulder are not tested: adjacent: joined by joint1")
    someone.page.wait_for_timeout(200)
    someone.see("robot-4-why")
