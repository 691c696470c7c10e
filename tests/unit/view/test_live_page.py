"""Pages of live sessions without a browser: what viser would call, and what it would be told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import toccata as tc
from toccata import dynamics
from toccata._cli import main
from toccata._cli import view as cli_view
from toccata.scenes import models, robots
from toccata.view._live.arm import ArmSession
from toccata.view._live.arm_panel import ArmPanel
from toccata.view._live.hand import HandSession
from toccata.view._live.hand_panel import HandPanel
from toccata.view._live.page import LivePage, Panel
from toccata.view._live.session import Session
from toccata.view._live.simulation import SimulationSession
from toccata.view._live.simulation_panel import SimulationPanel
from toccata.view._turns import as_wxyz

pytest.importorskip("viser")
SOMEONE = SimpleNamespace(client=object())
"""An event that a reader caused, and not the program."""


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def told(page: LivePage, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Where browsers are told that a body is."""
    handle = page.canvas.handle(name)
    return np.asarray(handle.position), np.asarray(handle.wxyz)


def changed(handle: object, value: object) -> None:
    """Do what viser does when a reader changes a control."""
    handle._impl.value = value
    for callback in handle._impl.update_cb:
        result = callback(SOMEONE)
        if asyncio.iscoroutine(result):
            asyncio.run(result)


def cube_session() -> HandSession:
    scene = tc.Scene()
    scene.add("floor", tc.Mesh(*models.box((4, 4, 1))), tc.pose((0, 0, -0.5)))
    return HandSession(tc.Mesh(*models.box((0.4, 0.4, 0.4))), scene, tc.pose((0, 0, 0.5)))


def drag(phase: str, start: tuple, end: tuple) -> SimpleNamespace:
    return SimpleNamespace(phase=phase, start_position=start, end_position=end)


def test_a_dragged_part_is_where_browsers_are_told():
    with LivePage(cube_session(), HandPanel, port=0) as page:
        session, panel = page.session, page.panel
        assert page.server.get_host() == "127.0.0.1"
        assert page.address.startswith("http://127.0.0.1:")
        for event in (
            drag("start", (0.1, 0.1, 0.6), (0.1, 0.1, 0.6)),
            drag("update", (0.1, 0.1, 0.6), (0.3, 0.1, 0.7)),
            drag("end", (0.9, 0.9, 0.9), (0.5, 0.2, 0.8)),  # of `start`, only the first counts
        ):
            asyncio.run(panel._on_drag(event))
        until(lambda: np.allclose(session.pose[:3, 3], (0.4, 0.1, 0.7), atol=1e-6))
        until(lambda: np.allclose(told(page, "part")[0], session.pose[:3, 3], atol=1e-9))
        np.testing.assert_allclose(told(page, "part")[1], as_wxyz(session.pose), atol=1e-9)
        until(lambda: "certified" in panel._words.content)
        center = session.pose[:3, :3] @ session.center + session.pose[:3, 3]
        until(lambda: np.allclose(panel._gizmo.position, center, atol=1e-9))


def test_a_gizmo_turns_the_part_and_comes_back_to_it():
    with LivePage(cube_session(), HandPanel, port=0) as page:
        session, panel = page.session, page.panel
        wanted = tc.pose((0.1, 0.0, -0.3), rotvec=(0, 0, 0.5))  # into the floor
        gizmo = SimpleNamespace(wxyz=as_wxyz(wanted), position=wanted[:3, 3] + session.center)
        for phase in ("start", "update", "end"):
            asyncio.run(panel._on_gizmo(SimpleNamespace(phase=phase, target=gizmo)))
        until(lambda: session.move is not None and session._wish is None)
        assert session.pose[2, 3] > 0.2
        np.testing.assert_allclose(session.pose[:3, :3], wanted[:3, :3], atol=1e-3)
        center = session.pose[:3, :3] @ session.center + session.pose[:3, 3]
        until(lambda: np.allclose(panel._gizmo.position, center, atol=1e-9))


def test_a_way_is_sent_as_a_file_that_is_certified(tmp_path):
    sent, said = [], []
    reader = SimpleNamespace(
        send_file_download=lambda name, content, save_immediately: sent.append((name, content)),
        add_notification=lambda title, words, auto_close_seconds: said.append(words),
    )
    with LivePage(cube_session(), HandPanel, port=0) as page:
        page.panel._export_page(SimpleNamespace(client=reader))
        assert "No path yet" in said[0] and not sent
        page.session.grab((0, 0, 0.5))
        page.session.pull((0.5, 0, -1))
        until(lambda: page.session.move is not None and page.session._wish is None)
        page.panel._export(SimpleNamespace(client=reader))
        page.panel._export_page(SimpleNamespace(client=reader))
        (tmp_path / "path.npz").write_bytes(sent[0][1])
        path = dynamics.MotionPath.load(tmp_path / "path.npz")
        assert (
            path == page.session.path and path.check(page.session.part, page.session.scene) is None
        )
        assert sent[1][0] == "path.html" and b"<html" in sent[1][1]


def test_sliders_move_joints_and_follow_a_path():
    robot = robots.planar_arm()
    path = np.array([(0.0, 0.0), (0.5, 1.0)])
    with LivePage(ArmSession(robot, path=path), ArmPanel, port=0) as page:
        session, sliders = page.session, page.panel._sliders
        assert [slider.label for slider in sliders.values()] == ["joint1", "joint2"]
        assert (sliders[0].min, sliders[0].max) == (-np.pi, np.pi)
        changed(sliders[1], 0.25)
        until(lambda: np.allclose(session.state.q, (0, 0.25)))
        poses = robot.forward_kinematics((0, 0.25))
        until(lambda: np.allclose(told(page, "robot/link2")[1], as_wxyz(poses["link2"])))
        changed(page.panel._time, 0.5)
        until(lambda: np.allclose(session.state.q, (0.25, 0.5)))
        until(lambda: abs(sliders[0].value - 0.25) < 1e-9 and abs(sliders[1].value - 0.5) < 1e-9)
        session.play()
        until(lambda: page.panel._time.value == 1.0)
        np.testing.assert_allclose(session.state.q, path[-1])


def test_each_robot_of_a_combination_has_its_sliders_and_clicks_pick():
    one = robots.planar_arm()
    both = tc.combine({"left": one, "right": one.placed(tc.pose((0, 3, 0)))})
    with LivePage(ArmSession(both), ArmPanel, port=0) as page:
        labels = [slider.label for slider in page.panel._sliders.values()]
        assert labels == list(both.coordinate_names)
        for name in ("left/link1", "left/link2"):
            handle = page.canvas.handle(f"robot/{name}")
            for entry in handle._impl.click_cb:
                asyncio.run(entry.callback(SOMEONE))
        until(lambda: "not tested: adjacent" in page.session.why())


def test_a_floating_base_has_sliders_for_places_only():
    body = dynamics.ArticulatedBody(robots.chain(3), floating=True)
    with LivePage(ArmSession(body.robot), ArmPanel, port=0) as page:
        assert len(page.panel._sliders) == body.robot.dof - 4


LIMITED = """<robot name="limited"><link name="base"/>
  <link name="cart"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="mast"/>
  <link name="bar"><collision><origin xyz="0 0 3"/><geometry><box size="1 .1 .1"/></geometry>
  </collision></link><link name="tip"/>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="2" upper="3" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="cart"/><child link="mast"/>
    <axis xyz="0 0 1"/><limit upper="-1" effort="1" velocity="1"/></joint>
  <joint name="turn" type="revolute"><parent link="mast"/><child link="bar"/>
    <axis xyz="0 0 1"/><limit lower="4" effort="1" velocity="1"/></joint>
  <joint name="stuck" type="revolute"><parent link="bar"/><child link="tip"/>
    <axis xyz="0 0 1"/><limit lower="0.5" upper="0.5" effort="1" velocity="1"/></joint>
</robot>"""
SRDF = '<robot name="limited"><disable_collisions link1="cart" link2="bar"/></robot>'


@pytest.fixture
def limited(tmp_path):
    """A robot whose joints cannot be zero, with an SRDF and a wall, as files."""
    trimesh = pytest.importorskip("trimesh")
    (tmp_path / "limited.urdf").write_text(LIMITED)
    (tmp_path / "limited.srdf").write_text(SRDF)
    wall = trimesh.creation.box((0.1, 5, 5))
    wall.apply_translation((5, 0, 0))
    wall.export(tmp_path / "wall.stl")
    return tmp_path


def controls(page):
    """What a reader sees and can do."""
    page.panel.write()
    sliders = page.panel._sliders.values()
    return (
        [(slider.label, slider.min, slider.max, slider.value) for slider in sliders],
        [item.name for item in page.session.items()],
        page.panel._words.content,
    )


def test_a_urdf_is_the_page_of_its_robot(limited, monkeypatch):
    """However it is asked for: by the robot, the names of files, or the command line."""
    urdf, srdf, wall = (limited / f"{n}" for n in ("limited.urdf", "limited.srdf", "wall.stl"))
    robot = tc.Robot.from_urdf(urdf, srdf=srdf)
    with tc.view.open_page(robot, world=tc.Scene.load(wall), port=0) as page:
        expected = controls(page)
    assert "Clearance" in expected[2]
    with tc.view.open_page([urdf, wall], srdf=srdf, port=0) as page:
        assert controls(page) == expected
        assert page.session.robot.ignored_pairs == robot.ignored_pairs
    served = []

    def serve(page):
        with page:
            served.append(controls(page))

    monkeypatch.setattr(cli_view, "serve", serve)
    words = ["view", str(urdf), str(wall), "--srdf", str(srdf), "--port", "0"]
    assert main(words) == 0 and served == [expected]
    assert main([*words, "--ignore", "bar", "wall.stl"]) == 0
    assert not served[1][2].endswith(": bar and wall.stl")


def test_sliders_start_and_stay_within_the_limits(limited):
    with tc.view.open_page(limited / "limited.urdf", port=0) as page:
        session, sliders = page.session, page.panel._sliders
        np.testing.assert_array_equal(session.state.q, [2, -1, 4, 0.5])
        assert session.robot.within_limits(session.state.q)
        found = {one.label: (one.min, one.max, one.value) for one in sliders.values()}
        assert found["rail"] == (2, 3, 2)
        assert found["lift"][0] < -1 and found["lift"][1:] == (-1, -1)
        assert found["turn"] == (4, 4 + np.pi, 4)
        assert "stuck" not in found, "it cannot move"
        for i, slider in sliders.items():
            for value in (slider.min, slider.max):
                q = session.state.q.copy()
                q[i] = value
                assert session.robot.within_limits(q)


def test_options_of_robots_need_a_robot(limited, capsys):
    wall = str(limited / "wall.stl")
    for option in (["--srdf", "x"], ["--package-dir", "x"], ["--missing", "warn"]):
        assert main(["view", wall, *option]) == 2
        assert (
            f"{option[0]}: expected a URDF as the first file, got {wall}" in capsys.readouterr().err
        )
    assert main(["view", str(limited / "limited.urdf"), "--frames"]) == 2
    assert "--frames: cannot be combined with a URDF" in capsys.readouterr().err
    with pytest.raises(
        ValueError, match=r"given: a URDF can be combined with srdf, .* but not with frames"
    ):
        tc.view.open_page(limited / "limited.urdf", frames=True)
    with pytest.raises(
        ValueError, match=r"srdf: expected a URDF as the first file, got .*wall\.stl"
    ):
        tc.view.open_page(wall, srdf="x")


def test_geometry_that_is_missing_is_told_on_the_page(limited):
    urdf = limited / "limited.urdf"
    lost = '<link name="tip"><collision><geometry><mesh filename="no.stl"/></geometry></collision>'
    urdf.write_text(LIMITED.replace('<link name="tip"/>', f"{lost}</link>"))
    with (
        pytest.warns(UserWarning, match=r"tip \(no\.stl\)"),
        tc.view.open_page(urdf, missing="warn", port=0) as page,
    ):
        assert "Mesh files of tip are missing: no.stl" in controls(page)[2]


def test_a_world_is_played_and_balls_can_be_pulled_as_all_bodies():
    world = dynamics.World(gravity=(0, 0, 0))
    world.add("cube", tc.Mesh(*models.box((0.2, 0.2, 0.2))), tc.pose((0, 0, 0)))
    with LivePage(SimulationSession(world), SimulationPanel, port=0) as page:
        session, panel = page.session, page.panel
        camera = SimpleNamespace(position=(2.0, 0.0, 0.0), look_at=(0.0, 0.0, 0.0))
        panel._throw(SimpleNamespace(client=SimpleNamespace(camera=camera)))
        panel._toggle()
        until(lambda: panel._play.label == "Pause" and session.world.time > 0.02)
        ball = page.canvas.handle("world/thrown 1")
        until(lambda: bool(ball._impl.drag_cb))
        assert ball.position[0] < 2.0, "it flies towards what the camera looks at"
        until(lambda: len(panel._plots[0][1].data[0]) > 1)
        panel._toggle()
        until(lambda: panel._play.label == "Play")
        pulling = panel._pulling("cube")
        asyncio.run(pulling(drag("start", (0.1, 0, 0), (0.1, 0, 0))))
        until(lambda: session._spring is not None)
        asyncio.run(pulling(drag("end", (0.1, 0, 0), (0.1, 0, 0))))
        until(lambda: session._spring is None)


def test_a_session_that_fails_says_so_where_one_looks():
    class Failing(Session):
        title = "fails"

        def advance(self) -> bool:
            raise ValueError("no such thing")

        def items(self) -> tuple:
            return ()

    with LivePage(Failing(), Panel, port=0) as page:
        until(lambda: page.error is not None)
        with pytest.raises(ValueError, match="no such thing"):
            page.wait()
