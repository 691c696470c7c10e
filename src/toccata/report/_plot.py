"""Plots over time as inline SVG. The player moves their cursors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.report._words import escaped
from toccata.view import _numbers
from toccata.view._colors import BLUE, ORANGE, PALETTE, RED
from toccata.view._items import Plot, View

SERIES = (BLUE, ORANGE, *PALETTE[2:])
"""Colors of series."""
_WIDTH, _HEIGHT = 320.0, 110.0
_LEFT, _RIGHT, _TOP = 66.0, 8.0, 10.0
_FOOT, _BREADTH = _HEIGHT - 20.0, _WIDTH - _LEFT - _RIGHT


@dataclass(frozen=True, slots=True)
class _Axes:
    """The ranges of a plot, which map times and values to the picture."""

    begin: float
    end: float
    low: float
    high: float
    logarithmic: bool

    def across(self, times: Floats) -> Floats:
        share = (np.asarray(times) - self.begin) / ((self.end - self.begin) or 1.0)
        return np.asarray(_LEFT + share * _BREADTH)

    def down(self, values: Floats) -> Floats:
        ends = np.array([self.low, self.high])
        (low, high), at = (np.log(ends), np.log(values)) if self.logarithmic else (ends, values)
        return np.asarray(_FOOT - (at - low) / (high - low) * (_FOOT - _TOP))

    def points(self, times: Floats, values: Floats) -> Iterator[str]:
        known = _is_known(values, self.logarithmic)
        for x, y in zip(self.across(times[known]), self.down(values[known]), strict=True):
            yield f"{x:.1f},{y:.1f}"


def _is_known(values: Floats, logarithmic: bool) -> NDArray[np.bool_]:
    return np.isfinite(values) & ((values > 0) | (not logarithmic))


def plot_svg(view: View, plot: Plot) -> str:
    """Return a plot over the time of a view, with a cursor of class "now"."""
    times, log = view.times if plot.times is None else plot.times, plot.logarithmic
    every = np.concatenate([*plot.series.values(), plot.dots[:, 1]])
    known = every[_is_known(every, log)]
    if len(known) < 2:
        return ""
    begin, end = float(times[0]), float(times[-1])
    low, high = float(known.min()) if log else min(0.0, float(known.min())), float(known.max())
    axes = _Axes(begin, end, low, high if high > low else low + 1.0, log)
    lines = "".join(
        f'<polyline points="{" ".join(axes.points(times, values))}" stroke="rgb{SERIES[i]}"/>'
        for i, values in enumerate(plot.series.values())
    )
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
        for x, y in zip(axes.across(plot.dots[:, 0]), axes.down(plot.dots[:, 1]), strict=True)
    )
    contacts = {mark.time for mark in view.marks if mark.color == RED and begin <= mark.time <= end}
    hits = "".join(
        f'<path class="hit" d="M{x:.1f} {_TOP:g}V{_FOOT:g}"/>'
        for x in axes.across(np.array(sorted(contacts)[:20]))
    )
    lowest, highest = (_numbers.length(value, 3) for value in (axes.low, axes.high))
    first, last = (escaped(view.clock(time, short=True)) for time in (begin, end))
    words = escaped(plot.name + (", logarithmic" if log else ""))
    cursor = f'data-begin="{begin!r}" data-end="{end!r}"'
    extent = f'data-left="{_LEFT:g}" data-breadth="{_BREADTH:g}"'
    return f"""<figure class="plot"><figcaption>{words}{_key(plot)}</figcaption>
<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{words}" {cursor} {extent}>
<path class="axis" d="M{_LEFT:g} {_TOP:g}V{_FOOT:g}H{_WIDTH - _RIGHT:g}"/>
<text x="{_LEFT - 6:g}" y="{_TOP + 6:g}" text-anchor="end">{highest}</text>
<text x="{_LEFT - 6:g}" y="{_FOOT:g}" text-anchor="end">{lowest}</text>
<text x="{_LEFT:g}" y="{_HEIGHT - 5:g}">{first}</text>
<text x="{_WIDTH - _RIGHT:g}" y="{_HEIGHT - 5:g}" text-anchor="end">{last}</text>
{hits}{lines}{dots}<path class="now" d="M{_LEFT:g} {_TOP:g}V{_FOOT:g}"/>
</svg></figure>"""


def _key(plot: Plot) -> str:
    """Return the names of the series in their colors, with space for their current values."""
    names = plot.series if len(plot.series) > 1 else [""]
    return "".join(
        f'<span class="series" style="--color:rgb{SERIES[i]}">{escaped(name)} '
        "<output></output></span>"
        for i, name in enumerate(names)
    )
