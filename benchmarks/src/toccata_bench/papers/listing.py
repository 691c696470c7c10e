"""All that was made as Markdown: the lists and tables of docs/papers.md."""

from __future__ import annotations

from collections.abc import Sequence

from toccata_bench.papers.exhibit import PAPERS
from toccata_bench.papers.shown import Shown
from toccata_bench.table import Table, cell


def listing(shown: Sequence[Shown], about: str) -> str:
    """Return a section for each paper: what is made of each table and figure, then the tables."""
    papers = [name for name in PAPERS if any(one.exhibit.paper == name for one in shown)]
    return "\n\n".join([about, *(_paper(name, shown) for name in papers)])


def _paper(name: str, shown: Sequence[Shown]) -> str:
    own = [one for one in shown if one.exhibit.paper == name]
    rows = [_row(one) for one in own]
    head = ["| | the paper | ours | where they differ, and why |", "|---|---|---|---|"]
    tables = [_table(table) for one in own if one.made for table in one.made.tables]
    return "\n".join([f"## {name}", "", f"{PAPERS[name]}.", "", *head, *rows, "", *tables])


def _row(one: Shown) -> str:
    exhibit = one.exhibit
    ours = one.made.ours if one.made else "**not made**"
    differs = exhibit.differs if one.made or not one.missing else one.missing
    first = f"{exhibit.label}: {exhibit.title}"
    return "| " + " | ".join((first, exhibit.theirs, ours, differs)) + " |"


def _table(table: Table) -> str:
    """Return a table without alignment, so that a new run changes as few characters as can be."""
    lines = [table.header, *([cell(value) for value in row] for row in table.rows)]
    bars = ["| " + " | ".join(line) + " |" for line in lines]
    rule = "|---|" + "---:|" * (len(table.header) - 1)
    return "\n".join([f"### {table.title}", "", bars[0], rule, *bars[1:], ""])
