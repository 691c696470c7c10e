"""All exhibits as one page without scripts or network, with embedded pictures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from pathlib import Path

from toccata_bench.papers.exhibit import PAPERS
from toccata_bench.papers.shown import Shown
from toccata_bench.table import Table, cell

CSS = """
:root { color-scheme: light dark; --ink: #1d2330; --paper: #fff; --soft: #5b6577; --line: #dde2ec; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf2; --paper: #14171e; --soft: #a3adbf; --line: #323a48; }
}
body { margin: 0 auto; max-width: 1180px; padding: 2rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { line-height: 1.15; } h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
h3 { margin: 2rem 0 .3rem; } p { margin: .3rem 0; max-width: 52rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .4rem 0; }
dt, figcaption, .soft { color: var(--soft); } dd { margin: 0; max-width: 52rem; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .25rem .6rem; text-align: right; border-top: 1px solid var(--line); }
th { font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; white-space: nowrap; }
figure { margin: .8rem 0; } img { max-width: 100%; height: auto; border-radius: 8px; }
nav ul { columns: 3 14rem; padding-left: 1.1rem; } a { color: inherit; }
""".strip()


def write_page(path: Path, shown: Sequence[Shown], about: str) -> None:
    """Write the page: a list, then each exhibit with the paper's content beside ours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(shown, about), encoding="utf-8")


def page(shown: Sequence[Shown], about: str) -> str:
    """Return the page that `write_page` writes."""
    made = sum(one.made is not None for one in shown)
    papers = [name for name in PAPERS if any(one.exhibit.paper == name for one in shown)]
    parts = "\n".join(_paper(name, shown) for name in papers)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tables and figures of the papers</title>
<style>
{CSS}
</style>
</head>
<body>
<h1>Tables and figures of the papers</h1>
<p>Tables and figures of five papers on continuous collision detection, made again by Toccata:
{made} of {len(shown)} listed here. Every answer was verified before it was timed or drawn. Figures
of the papers are those of their machines and models; shapes and motions here are our own.</p>
<p class="soft">{escape(about)}</p>
<nav><ul>
{"".join(_link(one) for one in shown)}
</ul></nav>
{parts}
</body>
</html>
"""


def _link(one: Shown) -> str:
    mark = "" if one.made else " (not made)"
    return f'<li><a href="#{one.anchor}">{escape(one.exhibit.name)}</a>{mark}</li>\n'


def _paper(name: str, shown: Sequence[Shown]) -> str:
    own = "\n".join(_exhibit(one) for one in shown if one.exhibit.paper == name)
    return f'<h2 id="{name}">{escape(PAPERS[name])}</h2>\n{own}'


def _exhibit(one: Shown) -> str:
    exhibit = one.exhibit
    facts = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in one.facts())
    rest = ""
    if one.made:
        rest = "\n".join(map(_table, one.made.tables))
        rest += "\n".join(_figure(caption, path) for caption, path in one.files.items())
    return f"""<section id="{one.anchor}">
<h3>{exhibit.label}: {escape(exhibit.title)}</h3>
<dl>{facts}</dl>
{rest}
</section>"""


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell(value))}</td>" for value in row) + "</tr>"
        for row in table.rows
    )
    return f"""<div class="scroll"><table><caption>{escape(table.title)}</caption>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody></table></div>"""


def _figure(caption: str, path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    text = escape(caption)
    alt = escape(caption, quote=True)
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{alt}">'
        f"<figcaption>{text}</figcaption></figure>"
    )
