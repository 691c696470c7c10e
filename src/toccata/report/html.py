"""A report as one HTML file: no scripts, no network, every picture inside."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from toccata.report import numbers
from toccata.report.entry import Entry, finite_vector, status_name
from toccata.report.page_style import CSS
from toccata.report.png import encode_png
from toccata.report.story import Panel, tell

_STATUS = {
    "FREE": "free",
    "CONTACT": "contact",
    "UNDECIDED": "undecided",
    "INITIAL_OVERLAP": "touching at start",
}
_COLUMNS = (
    ("Scene", ""),
    ("Triangles", "of a + of b"),
    ("Status", ""),
    ("Contact time", "share of the motion"),
    ("Distance", "then, in scene units"),
    ("Features", "that touch"),
    ("Certified free", "before this time"),
    ("Computed in", "milliseconds"),
)


def write_report(
    path: str | os.PathLike[str],
    entries: Iterable[Entry],
    title: str = "First contacts",
    size: tuple[int, int] = (480, 360),
) -> None:
    """Write a page with a table of all contacts, and three pictures of `size` for each scene."""
    Path(path).write_text(report_html(list(entries), title, size), encoding="utf-8")


def report_html(entries: Sequence[Entry], title: str, size: tuple[int, int]) -> str:
    """Return the page that `write_report` writes."""
    sections = "\n".join(_section(i, entry, tell(entry, size)) for i, entry in enumerate(entries))
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
{_introduction(entries)}
</header>
<main>
{_table(entries)}
{sections}
</main>
</body>
</html>
"""


def _introduction(entries: Sequence[Entry]) -> str:
    pairs = "one pair" if len(entries) == 1 else f"{len(entries)} pairs"
    return f"""<p>When do two moving bodies first touch, where, and is it certain that they do not
touch before? Toccata computed the answer for {pairs} of triangle models. Times run from 0, the
start of a motion, to 1, its end.</p>
<p class="soft"><span class="swatch of-a"></span> body a and <span class="swatch of-b"></span>
body b at the same three moments, seen from the same place. The dashed line is the path of a
body&rsquo;s centre, or of its tip if it turns on the spot. The
<span class="swatch of-contact"></span> disc marks the contact, its arrow the normal from b to a.
The lens looks along the touching surfaces from nearby; the two triangles that touch are
paler than the others.</p>"""


def _table(entries: Sequence[Entry]) -> str:
    head = "".join(
        f'<th scope="col"{_side(name)}>{name}<br><span class="soft">{hint}</span></th>'
        if hint
        else f'<th scope="col"{_side(name)}>{name}</th>'
        for name, hint in _COLUMNS
    )
    rows = "\n".join(_row(i, entry) for i, entry in enumerate(entries))
    return f"""<div class="scroll"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>"""


def _row(index: int, entry: Entry) -> str:
    contact = entry.contact
    faces_a, faces_b = numbers.count(len(entry.a[1])), numbers.count(len(entry.b[1]))
    cells = (
        f'<td><a href="#scene-{index}">{escape(entry.name)}</a></td>',
        f"<td>{faces_a} + {faces_b}</td>",
        f'<td class="left">{_status(entry)}</td>',
        f"<td>{numbers.time(contact.toc) if _touches(entry) else numbers.NONE}</td>",
        f"<td>{numbers.length(contact.distance) if _touches(entry) else numbers.NONE}</td>",
        f'<td class="left">{_feature(entry)}</td>',
        f"<td>{_certified(entry)}</td>",
        f"<td>{numbers.milliseconds(entry.milliseconds)}</td>",
    )
    return "<tr>" + "".join(cells) + "</tr>"


def _side(column: str) -> str:
    return ' class="left"' if column in ("Status", "Features") else ""


def _section(index: int, entry: Entry, panels: Sequence[Panel]) -> str:
    figures = "\n".join(_figure(entry, panel) for panel in panels)
    return f"""<section id="scene-{index}">
<h2>{escape(entry.name)}</h2>
<p>{escape(entry.description)}</p>
<div class="panels">
{figures}
</div>
{_timeline(entry)}
{_facts(entry)}
</section>"""


def _figure(entry: Entry, panel: Panel) -> str:
    height, width, _ = panel.image.shape
    data = base64.b64encode(encode_png(panel.image)).decode("ascii")
    moment = panel.moment
    alt = escape(f"{entry.name}: {moment.caption}, {moment.note}", quote=True)
    return f"""<figure><img src="data:image/png;base64,{data}" width="{width}" height="{height}" \
alt="{alt}"><figcaption><b>{moment.caption}</b>, {moment.note}</figcaption></figure>"""


def _timeline(entry: Entry) -> str:
    """A bar over the motion: the certified part is filled, the contact is a mark."""
    safe = min(max(float(entry.contact.safe_until), 0.0), 1.0)
    mark = ""
    if _touches(entry):
        mark = f'<span class="mark" style="left:{100 * entry.contact.toc:.3f}%"></span>'
    words = "the whole motion" if safe >= 1.0 else f"before {numbers.time(safe)}"
    return f"""<div class="bar" role="img" aria-label="Certified free: {words}">\
<span class="safe" style="width:{100 * safe:.3f}%"></span>{mark}</div>
<div class="scale"><span>0</span><span>certified free: {words}</span><span>1</span></div>"""


def _facts(entry: Entry) -> str:
    contact = entry.contact
    facts = [("Status", _status(entry))]
    if _touches(entry):
        facts += [
            ("Contact time", numbers.time(contact.toc)),
            ("Point", numbers.vector(finite_vector(contact.point_a))),
            ("Normal, b to a", numbers.vector(finite_vector(contact.normal))),
            ("Features", f"{_feature(entry)}, {_triangles(entry)}"),
        ]
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f"<dl>{items}</dl>"


def _triangles(entry: Entry) -> str:
    a, b = entry.contact.triangle_a, entry.contact.triangle_b
    return f"triangle {numbers.count(int(a))} of a and {numbers.count(int(b))} of b"


def _touches(entry: Entry) -> bool:
    return status_name(entry.contact) in ("CONTACT", "INITIAL_OVERLAP")


def _status(entry: Entry) -> str:
    name = status_name(entry.contact)
    words = _STATUS.get(name, name.lower())
    return f'<span class="status {escape(name.lower(), quote=True)}">{escape(words)}</span>'


def _feature(entry: Entry) -> str:
    feature = entry.contact.feature
    if not _touches(entry) or feature is None:
        return numbers.NONE
    return escape(str(getattr(feature, "value", feature)).replace("-", " \N{EN DASH} "))


def _certified(entry: Entry) -> str:
    safe = float(entry.contact.safe_until)
    if status_name(entry.contact) == "FREE":
        return "whole motion"
    return numbers.time(safe)
