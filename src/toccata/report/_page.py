"""Views as HTML: one page with the player, or a report of several views with stills.

A page contains its pictures, data, style and script, and loads nothing. A policy in its head allows
only the player's script, by its hash, so that names from files cannot run as scripts.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np

from toccata._text import json_in_html
from toccata.report._pack import packed
from toccata.report._plot import plot_svg
from toccata.report._png import Image, encode_png
from toccata.report._still import SIZE, moments, still, stills
from toccata.report._words import STATUS, escaped, headline, touching
from toccata.view import _numbers
from toccata.view._items import Item, Mark, Outcome, View, as_view, as_views

_COLUMNS = ("Kind", "Name", "Answer", "Time", "In contact", "Milliseconds")
_SPEEDS = (0.1, 0.25, 0.5, 1, 2, 4)
_FEW_JUMPS = 2
_LETTER = 0.015
"""Width of a letter relative to the time line, for names of marks that must not overlap."""


def save_page(view: View, path: str | os.PathLike[str]) -> None:
    """Write a page that shows one view."""
    _write(path, page_html(view))


def write_report(
    path: str | os.PathLike[str],
    views: Iterable[View],
    title: str = "Toccata report",
    size: tuple[int, int] = SIZE,
) -> None:
    """Write a page with a table, and with stills of a `size`, a player and facts for each view."""
    _write(path, report_html(views, title, size))


def _write(path: str | os.PathLike[str], page: str) -> None:
    # File names may contain lone surrogates, which UTF-8 cannot encode.
    Path(path).write_text(page, encoding="utf-8", errors="xmlcharrefreplace")


def page_html(view: View) -> str:
    """Return the page that `save_page` writes."""
    as_view("view", view)
    head = f'<header class="about">{_about(view, "h1")}</header>'
    body = _player(view, still(view, size=(640, 480)), head)
    return _document(view.title, body, "full")


def report_html(views: Iterable[View], title: str, size: tuple[int, int] = SIZE) -> str:
    """Return the page that `write_report` writes."""
    shown = as_views("views", views)
    alone = len(shown) == 1 and shown[0].title == title
    head = "" if alone else f"<header><h1>{escaped(title)}</h1></header>"
    tag, table = ("h1", "") if alone else ("h2", _table(shown) if len(shown) > 1 else "")
    sections = "\n".join(_section(i, view, size, tag) for i, view in enumerate(shown))
    return _document(title, f"{head}\n<main>\n{table}\n{sections}\n</main>", "report")


def _document(title: str, body: str, kind: str) -> str:
    folder = files("toccata.report")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    script = folder.joinpath("player.js").read_text(encoding="utf-8")
    known = base64.b64encode(sha256(script.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{known}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(title)}</title>
<style>
{style}</style>
</head>
<body class="{kind}">
{body}
<script>{script}</script>
</body>
</html>
"""


def _about(view: View, tag: str) -> str:
    kind = f'<p class="kind">{escaped(view.kind)}</p>' if view.kind != view.title else ""
    words, outcome = headline(view), view.outcome
    answer = ""
    if words and outcome is not None:
        answer = f'<p class="answer {escaped(outcome.status.lower())}">{escaped(words)}</p>'
    more = f"<p>{escaped(view.description)}</p>" if view.description else ""
    return f"{kind}<{tag}>{escaped(view.title)}</{tag}>{answer}{more}"


# Sections -------------------------------------------------------------------------------------


def _table(views: Sequence[View]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    rows = "\n".join(_row(i, view) for i, view in enumerate(views))
    return f"""<div class="scroll"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>"""


def _row(index: int, view: View) -> str:
    outcome, status = view.outcome or Outcome(""), _numbers.NONE
    if view.outcome is not None:
        kind, words = outcome.status.lower(), STATUS.get(outcome.status, outcome.status.lower())
        status = f'<span class="status {escaped(kind)}">{escaped(words)}</span>'
    cells = (
        escaped(view.kind),
        f'<a href="#view-{index}">{escaped(view.title)}</a>',
        status,
        escaped(view.clock(outcome.time)),
        escaped(touching(outcome)),
        _numbers.milliseconds(outcome.milliseconds),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _section(index: int, view: View, size: tuple[int, int], tag: str) -> str:
    shown, images = moments(view), stills(view, size)
    figures = "\n".join(
        _figure(view, moment.caption, float(view.times[moment.row]), image)
        for moment, image in zip(shown, images, strict=True)
    )
    key = next((i for i, moment in enumerate(shown) if moment.mark is not None), 0)
    return f"""<section id="view-{index}">
<header>{_about(view, tag)}</header>
<div class="stills of-{len(shown)}">
{figures}
</div>
{_player(view, images[0 if view.moves else key], "")}
</section>"""


def _figure(view: View, caption: str, time: float, image: Image) -> str:
    when = f", {view.clock(time)}" if view.moves else ""
    alt = escaped(f"{view.title}: {caption}{when}")
    return (
        f"<figure>{image_html(image, alt)}<figcaption><b>{escaped(caption)}</b>{escaped(when)}"
        "</figcaption></figure>"
    )


def image_html(image: Image, alt: str, more: str = "") -> str:
    """Return an image element with the alternative text `alt` and further attributes."""
    height, width, _ = image.shape
    data = base64.b64encode(encode_png(image)).decode("ascii")
    size = f'width="{width}" height="{height}"'
    return f'<img {more}src="data:image/png;base64,{data}" {size} alt="{alt}">'


def _player(view: View, poster: Image, head: str) -> str:
    """Return the picture with its controls, and the facts beside them."""
    plots = "\n".join(plot_svg(view, plot) for plot in view.plots if view.moves)
    data = json_in_html(packed(view))
    return f"""<div class="player" tabindex="-1">
<div class="stage">{image_html(poster, escaped(view.title), 'class="poster" ')}{_HINT}</div>
{_bar(view)}
<aside>{head}{_legend(view)}{plots}{_facts(view)}</aside>
<script type="application/json">{data}</script>
</div>"""


_HINT = (
    '<p class="hint">drag to rotate, <span class="ctrl">ctrl-</span>scroll to zoom, '
    "shift-drag to move</p>"
    '<p class="hint no-gl">a still picture, because this browser has no WebGL</p>'
)


def _bar(view: View) -> str:
    jumps = _jumps(view)
    if not view.moves:
        close = any(mark.camera for mark in view.marks)
        return f'<div class="bar"><div class="jumps">{jumps}</div></div>' if close else ""
    begin, end = float(view.times[0]), float(view.times[-1])
    options = "".join(
        f'<option value="{x}"{" selected" if x == 1 else ""}>{x:g}\N{MULTIPLICATION SIGN}</option>'
        for x in _SPEEDS
    )
    return f"""<div class="bar">
<button type="button" class="play" aria-label="play or pause" title="play or pause"></button>
<div class="line">{_safe(view)}<input type="range" min="{begin!r}" max="{end!r}" step="any" \
value="{begin!r}" aria-label="time">{_marks(view)}</div>
<output class="clock">{escaped(view.clock(begin))}</output>
<div class="jumps">{jumps}
<select class="speed" aria-label="speed" title="speed">{options}</select></div>
</div>"""


def _safe(view: View) -> str:
    """Return bands over the times that are certified free."""
    spans = () if view.outcome is None else view.outcome.safe
    return "".join(
        f'<span class="safe" title="certified free" style="--from:{view.share(a):.4f};'
        f'--to:{view.share(b):.4f}"></span>'
        for a, b in spans
        if b > a
    )


def _marks(view: View) -> str:
    found, free = [], -1.0
    by_time: dict[float, list[Mark]] = {}
    for mark in sorted(view.marks, key=lambda mark: mark.time):
        by_time.setdefault(round(view.share(mark.time), 4), []).append(mark)
    for share, marks in by_time.items():
        words = ", ".join(mark.name for mark in marks)
        side = "left" if share < 0.15 else "right" if share > 0.85 else ""
        width = _LETTER * min(len(words), 32)
        begin = share - {"left": 0.0, "right": width}.get(side, width / 2)
        name = ""
        if begin >= free:
            name, free = f"<b>{escaped(words)}</b>", begin + width
        color = f"--at:{share:.4f};color:rgb{marks[-1].color}"
        found.append(f'<span class="mark {side}" style="{color}"><i></i>{name}</span>')
    return "".join(found)


def _jumps(view: View) -> str:
    """Return a button for the close-up of each mark, or a list if there are many."""
    known = [(i, mark) for i, mark in enumerate(view.marks) if mark.camera is not None]
    whole = '<button type="button" class="jump" value="-1">Whole scene</button>'
    if len(known) > _FEW_JUMPS:
        options = "".join(f'<option value="{i}">{escaped(mark.name)}</option>' for i, mark in known)
        first = '<option value="">Look closer \N{HORIZONTAL ELLIPSIS}</option>'
        return f'<select class="jump" aria-label="look closer">{first}{options}</select>{whole}'
    return "".join(
        f'<button type="button" class="jump" value="{i}">{escaped(mark.name)}</button>'
        for i, mark in known
    ) + (whole if known or view.moves else "")


def _legend(view: View) -> str:
    """Return a line for each legend, with the first and the last color of its first item."""
    lines: dict[str, Item] = {}
    for item in view.items:
        lines.setdefault(item.legend, item)
    rows = [f"<li>{_swatch(item)}{escaped(words)}</li>" for words, item in lines.items() if words]
    return f'<ul class="legend">{"".join(rows)}</ul>' if rows else ""


def _swatch(item: Item) -> str:
    rows = np.atleast_2d(np.asarray(item.color))
    color, last = (tuple(int(x) for x in rows[row]) for row in (0, -1))
    kind = "ghost" if getattr(item, "opacity", 1.0) < 1 else type(item).__name__.lower()
    colors = [color] if color == last else [color, last]
    return "".join(f'<span class="swatch {kind}" style="--color:rgb{c}"></span>' for c in colors)


def _facts(view: View) -> str:
    facts = [*view.facts]
    if view.outcome is not None and np.isfinite(view.outcome.milliseconds):
        facts.append(("Computed in", f"{_numbers.milliseconds(view.outcome.milliseconds)} ms"))
    items = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>" for name, value in facts)
    return f"<dl>{items}</dl>" if items else ""
