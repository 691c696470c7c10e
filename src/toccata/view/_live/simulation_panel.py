"""Controls of a simulation: play, throw, pull, active joints, and plots."""

from __future__ import annotations

from typing import Any

import numpy as np

from toccata.view._live.page import LivePage, Panel
from toccata.view._live.simulation import SimulationSession


class SimulationPanel(Panel):
    """Controls of a simulation. Users can drag every body that moves."""

    def __init__(self, page: LivePage) -> None:
        super().__init__(page)
        assert isinstance(page.session, SimulationSession)
        self.session = page.session
        self._play = self.button("Play", lambda _: self._toggle())
        self.button("Step", lambda _: self.session.step())
        self.button("Back to the start", lambda _: self.session.reset())
        speed = self.gui.add_slider("Speed", 0.05, 2.0, 0.05, self.session.speed)
        self.bind(speed, self.session, "speed")
        if self.session.joints:
            self._add_active(self.session.joints)
        self._force = self.gui.add_slider("Throwing speed, m/s", 1.0, 30.0, 0.5, 8.0)
        self.button(
            "Throw a ball", self._throw, "throws a ball from the camera along the line of sight"
        )
        self._plots = [self._add_plot("Energy", 1), self._add_plot("Least distance", 2)]
        self._known: set[str] = set()
        self.drawn()

    def _toggle(self) -> None:
        (self.session.pause if self.session.playing else self.session.play)()

    def _add_active(self, count: int) -> None:
        hint = "number of active joints of each articulated body"
        slider: Any = self.gui.add_slider("Active joints", 0, count, 1, count, hint=hint)

        async def chosen(event: Any) -> None:
            if event.client is not None:
                self.session.activate(None if slider.value == count else slider.value)

        slider.on_update(chosen)

    def _throw(self, event: Any) -> None:
        camera = event.client.camera
        direction = np.asarray(camera.look_at) - np.asarray(camera.position)
        direction = direction / np.linalg.norm(direction)
        self.session.throw(camera.position, self._force.value * direction)

    def _add_plot(self, name: str, column: int) -> Any:
        empty = np.array([0.0]), np.array([0.0])
        series: Any = ({"label": "s"}, {"label": name, "stroke": "#4082bd", "width": 2})
        return column, self.gui.add_uplot(
            empty, series, title=name, height=140, scales={"x": {"time": False}}
        )

    def drawn(self) -> None:
        """Make new bodies draggable."""
        for name in self.session.world.names:
            if name not in self._known and (handle := self.page.canvas.handle(f"world/{name}")):
                self._known.add(name)
                handle.on_drag("left")(self._pulling(name))

    def _pulling(self, name: str) -> Any:
        # A coroutine, because viser does not keep the order of other callbacks.
        async def on_drag(event: Any) -> None:
            if event.phase == "start":
                self.session.grab(name, event.start_position)
            self.session.pull(event.end_position)
            if event.phase == "end":
                self.session.release()

        return on_drag

    def write(self) -> None:
        """Update the status text and the plots, at most ten times per second."""
        super().write()
        label = "Pause" if self.session.playing else "Play"
        if self._play.label != label:
            self._play.label = label
        rows = self.session.history
        for column, plot in self._plots:
            known = rows[np.isfinite(rows[:, column])]
            if len(known):
                plot.data = known[:, 0].copy(), known[:, column].copy()
