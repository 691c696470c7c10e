"""A view that is played in a live page: its time, and the controls of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from toccata._text import visible
from toccata.view.camera import sight_of
from toccata.view.items import Item, Mark, Plot, View
from toccata.view.live.page import LivePage, Panel
from toccata.view.live.session import Session
from toccata.view.server import look, set_sight

GHOSTS = ("start", "end")
"""Groups that are in the way when one looks closely."""

_MOST_NAMES = 6
"""Of marks: more of them would be written over each other."""


class Recording(Session):
    """Time that runs along a view."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view, self.title = view, view.title
        self.time = float(view.times[0])
        self.playing, self.speed = False, 1.0
        self.close = False
        """Whether ghosts are left out."""
        self._last = time.monotonic()

    @property
    def row(self) -> int:
        """Of the times of the view: the one that is shown."""
        return self.view.row(self.time)

    def go(self, to: float) -> None:
        """Go to a time and stay there."""
        self.playing = False
        self.time = float(np.clip(to, self.view.times[0], self.view.times[-1]))

    def play(self) -> None:
        """Go on; from the start if it is at the end."""
        if self.time >= self.view.times[-1]:
            self.time = float(self.view.times[0])
        self.playing, self._last = True, time.monotonic()

    def advance(self) -> bool:
        """Let the time pass that has passed."""
        now = time.monotonic()
        passed, self._last = now - self._last, now
        if not self.playing:
            return False
        first, last = float(self.view.times[0]), float(self.view.times[-1])
        self.time += self.speed * passed * (last - first) / self.view.seconds
        if self.time >= last:
            self.time, self.playing = last, False
        return True

    def items(self) -> Sequence[Item]:
        """Return what is seen at this time."""
        items = self.view.at(self.row)
        if not self.close:
            return items
        return [item for item in items if item.name.partition("/")[0] not in GHOSTS]

    @property
    def notes(self) -> Sequence[str]:
        """What the view is about, and the time."""
        unit = f" {self.view.unit}" if self.view.unit else ""
        when = [f"t = {self.time:.4g}{unit}"] if len(self.view.times) > 1 else []
        return [*self.view.notes, *when]


class RecordingPanel(Panel):
    """Time slider with marks, play and pause, jumps, speed, and plots."""

    def __init__(self, page: LivePage) -> None:
        super().__init__(page)
        assert isinstance(page.session, Recording)
        self.session = page.session
        view = self.session.view
        self._sight = sight_of(view)
        set_sight(page.server, self._sight)
        self._slider: Any = None
        if len(view.times) > 1:
            self._add_time(view)
        for mark in view.marks:
            if mark.camera is not None:
                self.button(f"To {mark.name}", partial(self._jump, mark))
        self.button("Whole scene", lambda _: self._whole())
        self._plots = [self._add_plot(view, plot) for plot in view.plots if len(view.times) > 1]

    def _add_time(self, view: View) -> None:
        first, last = float(view.times[0]), float(view.times[-1])
        named: dict[float, list[str]] = {}
        for mark in view.marks if len(view.marks) <= _MOST_NAMES else ():
            named.setdefault(mark.time, []).append(mark.name)
        marks = tuple((time, visible(", ".join(names))) for time, names in named.items())
        step = (last - first) / 1e4
        self._slider = self.gui.add_slider("time", first, last, step, first, marks=marks)
        self._play = self.button("Play", lambda _: self._toggle())
        speed = self.gui.add_slider("speed", 0.05, 4.0, 0.05, 1.0)
        speed.on_update(lambda _: setattr(self.session, "speed", speed.value))

        async def moved(event: Any) -> None:
            if event.client is not None:  # by a reader, not by time
                self.session.order(lambda: self.session.go(self._slider.value))

        self._slider.on_update(moved)

    def _toggle(self) -> None:
        session = self.session
        session.order((lambda: session.go(session.time)) if session.playing else session.play)

    def _jump(self, mark: Mark, _: Any = None) -> None:
        assert mark.camera is not None
        camera = mark.camera

        def jump() -> None:
            self.session.close = True
            self.session.go(mark.time)
            look(self.page.server, camera)

        self.session.order(jump)

    def _whole(self) -> None:
        self.session.order(lambda: setattr(self.session, "close", False))
        look(self.page.server, self._sight.camera)

    def _add_plot(self, view: View, plot: Plot) -> tuple[Plot, Any]:
        series: list[Any] = [{"label": visible(view.unit or "t")}]
        for name, color in zip(plot.series, plot.colors, strict=True):
            stroke = "rgb({}, {}, {})".format(*color)
            series.append({"label": visible(name), "stroke": stroke, "width": 2})
        series.append({"label": "now", "stroke": "#1d2330", "points": {"show": True, "size": 8}})
        numbers = np.concatenate(list(plot.series.values()))
        numbers = numbers[np.isfinite(numbers)]
        lo, hi = min(0.0, numbers.min(initial=0.0)), numbers.max(initial=1e-12)
        scales: Any = {"x": {"time": False}, "y": {"range": (lo, 1.05 * hi)}}
        made = self.gui.add_uplot(
            self._data(plot), tuple(series), title=visible(plot.name), height=170, scales=scales
        )
        return plot, made

    def _data(self, plot: Plot) -> tuple[Any, ...]:
        """Return the numbers of a plot, and a point on the first series where time stands."""
        values = [np.where(np.isfinite(v), v, np.nan) for v in plot.series.values()]
        now = np.full(len(values[0]), np.nan)
        row = self.session.row
        now[row] = values[0][row]
        return self.session.view.times, *values, now

    def write(self) -> None:
        """Follow the time in words, slider and plots."""
        super().write()
        if self._slider is not None:
            self._slider.value = self.session.time
            label = "Pause" if self.session.playing else "Play"
            if self._play.label != label:
                self._play.label = label
        for plot, made in self._plots:
            made.data = self._data(plot)
