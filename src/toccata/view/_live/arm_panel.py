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
"""Number of steps of a slider."""
_FAR = 10.0
"""Range of joints without limits, relative to the size of the robot."""


class ArmPanel(Panel):
    """Controls of a robot. While a path plays, the sliders show its configurations."""

    def __init__(self, page: LivePage) -> None:
        super().__init__(page)
        assert isinstance(page.session, ArmSession)
        self.session = page.session
        self._wanted = self.session.state.q.copy()
        hint = "If off, the robot passes through bodies, and links in contact are red."
        stops = self.gui.add_checkbox("Stop at contacts", self.session.stops, hint=hint)
        self.bind(stops, self.session, "stops")
        self._time = self._add_player() if self.session.player is not None else None
        self._shown = 0.0
        self.button("Reset sliders to the robot", lambda _: self._forget())
        self._sliders = self._add_sliders()
        for item in self.session.items():
            if item.group in ("robot", "world"):
                self._make_clickable(item.name)

    def _make_clickable(self, item: str) -> None:
        async def picked(event: Any) -> None:
            self.session.pick(item.partition("/")[2])

        self.page.canvas.handle(item).on_click(picked)

    def _add_player(self) -> Any:
        time = self.gui.add_slider("Time", 0.0, 1.0, 1e-3, 0.0)
        self.button("Play", lambda _: self.session.play())
        self.button("Pause", lambda _: self.session.pause())

        async def sought(event: Any) -> None:
            if event.client is not None:  # moved by a user, not by the path
                self.session.seek(time.value)

        time.on_update(sought)
        return time

    def _add_sliders(self) -> dict[int, Any]:
        robot, found = self.session.robot, {}
        rotations = {i for part in quaternions(robot) for i in range(part.start, part.stop)}
        members = robot.members or {"Joints": slice(0, robot.dof)}
        for member, numbers in members.items():
            with self.gui.add_folder(visible(member)):
                for i in range(*numbers.indices(robot.dof)):
                    if i not in rotations and robot.lower[i] < robot.upper[i]:
                        found[i] = self._add_slider(i)
        return found

    def _add_slider(self, i: int) -> Any:
        robot = self.session.robot
        lower, upper = _range(robot, i, self.session.size)
        now = float(np.clip(self._wanted[i], lower, upper))
        name = visible(robot.coordinate_names[i])
        slider = self.gui.add_slider(name, lower, upper, (upper - lower) / _STEPS, now)

        async def moved(event: Any) -> None:
            if event.client is not None:
                self._wanted[i] = slider.value
                self.session.want(self._wanted)

        slider.on_update(moved)
        return slider

    def _forget(self) -> None:
        """Set the target and the sliders to the current configuration."""
        self._show_state()
        self.session.want(self._wanted)

    def _show_state(self) -> None:
        self._wanted = self.session.state.q.copy()
        for i, slider in self._sliders.items():
            slider.value = float(np.clip(self._wanted[i], slider.min, slider.max))

    def write(self) -> None:
        """Update the status text, and the sliders while a path plays."""
        super().write()
        player = self.session.player
        if player is not None and self._time is not None and player.time != self._shown:
            self._time.value = self._shown = player.time
            self._show_state()


def _range(robot: Robot, i: int, size: float) -> tuple[float, float]:
    """Return the limits of a coordinate. Infinite limits become π for angles, else large values."""
    lower, upper = float(robot.lower[i]), float(robot.upper[i])
    turns = any(
        joint.kind in ("continuous", "revolute") and joint.name == robot.coordinate_names[i]
        for joint in robot.joints
    )
    far = np.pi if turns else _FAR * size
    low = lower if np.isfinite(lower) else min(-far, upper - far)
    high = upper if np.isfinite(upper) else max(far, lower + far)
    return low, high
