"""Plots over time as inline SVG; the player moves their cursors."""

from __future__ import annotations

import numpy as np

from toccata._arrays import Floats
from toccata.report._words import escaped
from toccata.view import _numbers
from toccata.view._colors import BLUE, ORANGE, PALETTE, RED
from toccata.view._items import Plot, View

SERIES = (BLUE, ORANGE, *PALETTE[2:])
"""Colors of series."""
_WIDTH, _HEIGHT = 320.0, 110.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 66.0, 8.0, 10.0, 20.0


def plot_svg(view: View, plot: Plot) -> str:
    """Return a plot over the time of a view, with a cursor of class "now"."""
    times = view.times if plot.times is None else plot.times
    every = np.concatenate([*plot.series.values(), plot.dots[:, 1]])
    known = every[np.isfinite(every) & ((every > 0) | (not plot.logarithmic))]
    if len(known) < 2:
        return ""
    scale = _Scale(known, plot.logarithmic)
    span = float(times[0]), float(times[-1])
    lines = "".join(
        f'<polyline points="{_points(span, times, values, scale)}" stroke="rgb{SERIES[i]}"/>'
        for i, values in enumerate(plot.series.values())
    )
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>'
        for a, b in zip(_across(span, plot.dots[:, 0]), scale.down(plot.dots[:, 1]), strict=True)
    )
    foot = _HEIGHT - _BOTTOM
    low, high = (_numbers.length(value, 3) for value in scale.ends)
    begin, end = (escaped(view.clock(time, short=True)) for time in span)
    words = escaped(plot.name + (", logarithmic" if plot.logarithmic else ""))
    cursor = f'data-begin="{span[0]!r}" data-end="{span[1]!r}"'
    extent = f'data-left="{_LEFT:g}" data-breadth="{_WIDTH - _RIGHT - _LEFT:g}"'
    return f"""<figure class="plot"><figcaption>{words}{_key(plot)}</figcaption>
<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{words}" {cursor} {extent}>
<path class="axis" d="M{_LEFT:g} {_TOP:g}V{foot:g}H{_WIDTH - _RIGHT:g}"/>
<text x="{_LEFT - 6:g}" y="{_TOP + 6:g}" text-anchor="end">{high}</text>
<text x="{_LEFT - 6:g}" y="{foot:g}" text-anchor="end">{low}</text>
<text x="{_LEFT:g}" y="{_HEIGHT - 5:g}">{begin}</text>
<text x="{_WIDTH - _RIGHT:g}" y="{_HEIGHT - 5:g}" text-anchor="end">{end}</text>
{_hits(view, span, foot)}{lines}{dots}<path class="now" d="M{_LEFT:g} {_TOP:g}V{foot:g}"/>
</svg></figure>"""


def _key(plot: Plot) -> str:
    """Return the names of the series in their colors, and room for their values now."""
    names = plot.series if len(plot.series) > 1 else [""]
    parts = (
        f'<span class="series" style="--color:rgb{SERIES[i]}">{escaped(name)} '
        "<output></output></span>"
        for i, name in enumerate(names)
    )
    return "".join(parts)


def _points(span: tuple[float, float], times: Floats, values: Floats, scale: _Scale) -> str:
    known = np.isfinite(values) & ((values > 0) | (not scale.logarithmic))
    pairs = zip(_across(span, times[known]), scale.down(values[known]), strict=True)
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in pairs)


class _Scale:
    """Maps values to heights in the picture."""

    def __init__(self, values: Floats, logarithmic: bool) -> None:
        self.logarithmic = logarithmic
        low = float(values.min()) if logarithmic else min(0.0, float(values.min()))
        high = float(values.max())
        self.ends = low, high if high > low else low + 1.0

    def _map(self, values: Floats) -> Floats:
        return np.log(values) if self.logarithmic else values

    def down(self, values: Floats) -> Floats:
        low, high = self._map(np.array(self.ends))
        share = (self._map(np.asarray(values, dtype=np.float64)) - low) / (high - low)
        return np.asarray(_HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP))


def _across(span: tuple[float, float], times: Floats) -> Floats:
    begin, end = span
    share = (np.asarray(times) - begin) / ((end - begin) or 1.0)
    return np.asarray(_LEFT + share * (_WIDTH - _LEFT - _RIGHT))


def _hits(view: View, span: tuple[float, float], foot: float) -> str:
    """Return lines at the contacts of a view."""
    times = {mark.time for mark in view.marks if mark.color == RED}
    inside = sorted(time for time in times if span[0] <= time <= span[1])[:20]
    where = _across(span, np.array(inside))
    return "".join(f'<path class="hit" d="M{x:.1f} {_TOP:g}V{foot:g}"/>' for x in where)
