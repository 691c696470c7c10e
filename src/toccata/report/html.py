"""A report as one HTML file: no network, every picture and every player inside."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from toccata.report import numbers
from toccata.report.entry import Entry
from toccata.report.page_style import CSS
from toccata.report.player import FRAMES, SCRIPT, player_html
from toccata.report.plot import plot_svg
from toccata.report.png import encode_png
from toccata.report.stage import set_up
from toccata.report.story import Panel, tell

_STATUS = {
    "FREE": "free",
    "CONTACT": "contact",
    "UNDECIDED": "undecided",
    "INITIAL_OVERLAP": "touching at start",
    "DONE": "no penetration",
    "STOPPED": "stopped early",
}
_KINDS = {
    "two bodies": "Two bodies",
    "scene": "A scene of many bodies",
    "robot": "A robot",
    "step": "A step of a deforming mesh",
    "sequence": "A sequence of a deforming mesh",
    "simulation": "A simulation",
    "log": "A log of poses",
}
_PAINTED = ("two bodies", "scene", "robot")
"""Kinds in which the two that touch have colors of their own."""
_COLUMNS = ("Kind", "Name", "Status", "When", "What touches", "Milliseconds")


def write_report(
    path: str | os.PathLike[str],
    entries: Iterable[Entry],
    title: str = "First contacts",
    size: tuple[int, int] = (480, 360),
    frames: int = FRAMES,
) -> None:
    """Write a page with a table, and for each entry pictures of `size` and a player of `frames`."""
    page = report_html(list(entries), title, size, frames)
    # Names of files may have characters that no encoding has: a browser shows them as unknown.
    Path(path).write_text(page, encoding="utf-8", errors="xmlcharrefreplace")


def report_html(
    entries: Sequence[Entry], title: str, size: tuple[int, int], frames: int = FRAMES
) -> str:
    """Return the page that `write_report` writes."""
    sections = "\n".join(_section(i, entry, size, frames) for i, entry in enumerate(entries))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{CSS}
</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
{_INTRODUCTION}
</header>
<main>
{_table(entries)}
{sections}
</main>
<script>
{SCRIPT}
</script>
</body>
</html>
"""


_INTRODUCTION = """<p>When do moving things first touch, where, and is it certain that they do not
touch before? Toccata computed the answers below, and proved each of them.</p>
<p class="soft">In the pictures, <span class="swatch of-a"></span> touches
<span class="swatch of-b"></span> at the <span class="swatch of-contact"></span> disc, whose arrow
is the normal; the lens shows the place from nearby, the two triangles that touch paler than the
others. A dashed line is the way of a body.</p>"""


def _table(entries: Sequence[Entry]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    rows = "\n".join(_row(i, entry) for i, entry in enumerate(entries))
    return f"""<div class="scroll"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>"""


def _row(index: int, entry: Entry) -> str:
    cells = (
        escape(entry.kind),
        f'<a href="#entry-{index}">{escape(entry.name)}</a>',
        _status(entry),
        escape(entry.told(entry.toc)),
        escape(touching(entry)),
        numbers.milliseconds(entry.milliseconds),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def touching(entry: Entry) -> str:
    """Return what touches in words, a dash if nothing does."""
    return " and ".join(entry.touching) or numbers.NONE


def _section(index: int, entry: Entry, size: tuple[int, int], frames: int) -> str:
    stage = set_up(entry, size)
    figures = "\n".join(_figure(entry, panel) for panel in tell(stage))
    plots = "\n".join(plot_svg(entry, plot) for plot in entry.plots)
    return f"""<section id="entry-{index}">
<p class="kind">{escape(_KINDS.get(entry.kind, entry.kind))}</p>
<h2>{escape(entry.name)}</h2>
<p>{escape(entry.description)}</p>
<div class="panels">
{figures}
</div>
{_timeline(entry)}
<div class="more">
{player_html(stage, frames)}
<div class="notes">{_facts(entry)}
<div>{plots}</div></div>
</div>
</section>"""


def _figure(entry: Entry, panel: Panel) -> str:
    height, width, _ = panel.image.shape
    data = base64.b64encode(encode_png(panel.image)).decode("ascii")
    moment = panel.moment
    alt = escape(f"{entry.name}: {moment.caption}, {moment.note}", quote=True)
    who = _who(entry) if moment.marks else ""
    return f"""<figure><img src="data:image/png;base64,{data}" width="{width}" height="{height}" \
alt="{alt}"><figcaption><b>{escape(moment.caption)}</b>, {escape(moment.note)}{who}\
</figcaption></figure>"""


def _who(entry: Entry) -> str:
    """Name the two bodies that touch, each with its color."""
    if entry.kind not in _PAINTED or len(entry.touching) != 2:
        return ""
    a, b = (escape(name) for name in entry.touching)
    return (
        f'<br><span class="swatch of-a"></span>&nbsp;{a} touches '
        f'<span class="swatch of-b"></span>&nbsp;{b}'
    )


def _timeline(entry: Entry) -> str:
    """A bar over the time: what is certified is filled, contacts are marks."""
    spans = "".join(
        f'<span class="safe" style="left:{100 * entry.share(a):.3f}%;'
        f'width:{100 * (entry.share(b) - entry.share(a)):.3f}%"></span>'
        for a, b in entry.safe
        if b > a
    )
    hits = sorted({round(100 * entry.share(mark.time), 1) for mark in entry.marks})
    if entry.kind == "simulation":
        hits = []
    marks = "".join(f'<span class="mark" style="left:{x}%"></span>' for x in hits)
    words = _certified(entry)
    begin, end = (escape(entry.told(time)) for time in entry.span)
    return f"""<div class="bar" role="img" aria-label="{escape(words, quote=True)}">\
{spans}{marks}<span class="now"></span></div>
<div class="scale"><span>{begin}</span><span>{escape(words)}</span><span>{end}</span></div>"""


def _certified(entry: Entry) -> str:
    begin, end = entry.span
    if entry.safe and entry.safe[0][1] >= end:
        return "certified free all the time"
    if len(entry.safe) > 1:
        return "green: certified free, step by step"
    until = entry.safe[0][1] if entry.safe else begin
    return f"certified free before {entry.told(until)}"


def _facts(entry: Entry) -> str:
    facts = [("Status", _status(entry))]
    if entry.touching:
        label = "First impact" if entry.kind == "simulation" else "What touches"
        facts.append((label, escape(f"{touching(entry)}, {entry.told(entry.toc)}")))
    facts += [(escape(name), escape(value)) for name, value in entry.facts]
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f"<dl>{items}</dl>"


def _status(entry: Entry) -> str:
    words = _STATUS.get(entry.status, entry.status.lower())
    return f'<span class="status {escape(entry.status.lower(), quote=True)}">{escape(words)}</span>'
