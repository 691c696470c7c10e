"""Controls of a robot: a slider for each joint, and a path to play."""

from __future__ import annotations

from typing import Any

import numpy as np

from toccata._robot.internal import quaternions
from toccata._robot.robot import Robot
from toccata._text import visible
from toccata.view._live.arm import ArmSession
from toccata.view._live.page import LivePage, Panel

_STEPS = 1000
"""Steps of a slider."""
_FAR = 10.0
"""Range of joints without limits, in sizes of the robot."""


class ArmPanel(Panel):
    """Controls of a robot; the sliders follow it when it plays a path."""

    def __init__(self, page: LivePage) -> None:
        super().__init__(page)
        assert isinstance(page.session, ArmSession)
        self.session = page.session
        self._wanted = self.session.state.q.copy()
        stops = self.gui.add_checkbox(
            "Stop at contacts", self.session.stops, hint="otherwise links in contact turn red"
        )
        stops.on_update(lambda event: setattr(self.session, "stops", stops.value))
        self._time = self._add_player() if self.session.player is not None else None
        self._shown = 0.0
        self.button("Reset sliders to the robot", lambda _: self._forget())
        self._sliders = self._add_sliders()
        for name in (*self.session.robot.link_names, *self._bodies()):
            self._clickable(name)

    def _bodies(self) -> list[str]:
        found = (item.name for item in self.session.items())
        return [name[len("world/") :] for name in found if name.startswith("world/")]

    def _clickable(self, name: str) -> None:
        group = "robot" if name in self.session.robot.link_names else "world"
        handle = self.page.canvas.handle(f"{group}/{name}")

        async def picked(event: Any) -> None:
            self.session.pick(name)

        handle.on_click(picked)

    def _add_player(self) -> Any:
        time = self.gui.add_slider("Time", 0.0, 1.0, 1e-3, 0.0)
        self.button("Play", lambda _: self.session.play())
        self.button("Pause", lambda _: self.session.pause())

        async def sought(event: Any) -> None:
            if event.client is not None:  # a reader, and not the path
                self.session.seek(time.value)

        time.on_update(sought)
        return time

    def _add_sliders(self) -> dict[int, Any]:
        robot, found = self.session.robot, {}
        members = robot.members or {"Joints": slice(0, robot.dof)}
        for member, numbers in members.items():
            with self.gui.add_folder(visible(member)):
                for i in range(*numbers.indices(robot.dof)):
                    if not _is_quaternion(robot, i) and robot.lower[i] < robot.upper[i]:
                        found[i] = self._add_slider(i)
        return found

    def _add_slider(self, i: int) -> Any:
        robot = self.session.robot
        lower, upper = _range(robot, i, self.session.size)
        now = float(np.clip(self._wanted[i], lower, upper))
        step = (upper - lower) / _STEPS
        name = visible(robot.coordinate_names[i])
        slider = self.gui.add_slider(name, lower, upper, step, now)

        async def moved(event: Any) -> None:
            if event.client is not None:
                self._wanted[i] = slider.value
                self.session.want(self._wanted)

        slider.on_update(moved)
        return slider

    def _forget(self) -> None:
        """Want the robot where it is."""
        self._wanted = self.session.state.q.copy()
        self._show_wanted()
        self.session.want(self._wanted)

    def _show_wanted(self) -> None:
        for i, slider in self._sliders.items():
            slider.value = float(np.clip(self._wanted[i], slider.min, slider.max))

    def write(self) -> None:
        """Let sliders follow a path that plays, and say how the robot stands."""
        super().write()
        player = self.session.player
        if player is None or self._time is None:
            return
        if player.time != self._shown:
            self._time.value = self._shown = player.time
            self._wanted = self.session.state.q.copy()
            self._show_wanted()


def _is_quaternion(robot: Robot, i: int) -> bool:
    return any(part.start <= i < part.stop for part in quaternions(robot))


def _range(robot: Robot, i: int, size: float) -> tuple[float, float]:
    """Return the limits of a coordinate; infinite ones become π for angles, else a far value."""
    lower, upper = float(robot.lower[i]), float(robot.upper[i])
    turns = any(
        joint.kind in ("continuous", "revolute") and joint.name == robot.coordinate_names[i]
        for joint in robot.joints
    )
    far = np.pi if turns else _FAR * size
    low = lower if np.isfinite(lower) else min(-far, upper - far)
    high = upper if np.isfinite(upper) else max(far, lower + far)
    return low, high
