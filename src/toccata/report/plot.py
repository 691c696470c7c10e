"""Small plots as inline SVG."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from toccata.report import numbers
from toccata.report.entry import Entry, Plot, Span

Array = NDArray[np.float64]

_WIDTH, _HEIGHT = 480.0, 132.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 12.0, 12.0, 24.0


def plot_svg(entry: Entry, plot: Plot) -> str:
    """Return a plot over the time of an entry; a line with class "now" stands at its start."""
    known = np.isfinite(plot.values)
    if known.sum() < 2:
        return ""
    values = plot.values[known]
    scale = _Scale(values, plot.logarithmic)
    span = plot.span or entry.span
    x = _across(span, plot.times[known])
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, scale.down(values), strict=True))
    low, high = (numbers.length(value) for value in scale.ends)
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>'
        for a, b in zip(_across(span, plot.dots[:, 0]), scale.down(plot.dots[:, 1]), strict=True)
    )
    foot = _HEIGHT - _BOTTOM
    begin, end = (escape(entry.told(time)) for time in span)
    words = plot.title + (", logarithmic" if plot.logarithmic else "")
    return f"""<figure class="plot"><figcaption>{escape(words)}</figcaption>
<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(words, quote=True)}">
<path class="axis" d="M{_LEFT:g} {_TOP:g}V{foot:g}H{_WIDTH - _RIGHT:g}"/>
<text x="{_LEFT - 6:g}" y="{_TOP + 6:g}" text-anchor="end">{high}</text>
<text x="{_LEFT - 6:g}" y="{foot:g}" text-anchor="end">{low}</text>
<text x="{_LEFT:g}" y="{_HEIGHT - 6:g}">{begin}</text>
<text x="{_WIDTH - _RIGHT:g}" y="{_HEIGHT - 6:g}" text-anchor="end">{end}</text>
{_hit(entry, span, foot)}<polyline points="{line}"/>{dots}
{_needle(foot) if span == entry.span else ""}
</svg></figure>"""


def _needle(foot: float) -> str:
    """Return the line that a player moves."""
    place = f'data-left="{_LEFT:g}" data-breadth="{_WIDTH - _RIGHT - _LEFT:g}"'
    line = f'd="M0 {_TOP:g}V{foot:g}" transform="translate({_LEFT:g} 0)"'
    return f'<path class="now" {place} {line}/>'


class _Scale:
    """From values to heights in the picture."""

    def __init__(self, values: Array, logarithmic: bool) -> None:
        self._map = np.log if logarithmic else np.asarray
        low = float(values.min()) if logarithmic else min(0.0, float(values.min()))
        high = float(values.max())
        self.ends = low, high if high > low else low + 1.0

    def down(self, values: Array) -> Array:
        low, high = (float(self._map(end)) for end in self.ends)
        share = (self._map(np.asarray(values, dtype=np.float64)) - low) / (high - low)
        return np.asarray(_HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP))


def _across(span: Span, times: Array) -> Array:
    begin, end = span
    return np.asarray(_LEFT + (times - begin) / (end - begin) * (_WIDTH - _LEFT - _RIGHT))


def _hit(entry: Entry, span: Span, foot: float) -> str:
    """Mark the first contact."""
    if not np.isfinite(entry.toc) or entry.kind == "simulation":
        return ""
    x = float(_across(span, np.array([entry.toc]))[0])
    return f'<path class="hit" d="M{x:.1f} {_TOP:g}V{foot:g}"/>'
