"""Our numbers beside those of a paper, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toccata_bench.papers.exhibit import three
from toccata_bench.table import Table

Row = Sequence[float | None]


def beside(
    title: str, columns: Sequence[str], ours: Mapping[str, Row], theirs: Mapping[str, Row]
) -> Table:
    """Return a table with two columns for each: ours, and the paper's."""
    header = ["", *(f"{column}, {who}" for column in columns for who in ("ours", "paper"))]
    rows: list[list[object]] = []
    for name, values in ours.items():
        published = theirs.get(name, [None] * len(columns))
        pairs = zip(values, published, strict=True)
        rows.append([name, *(three(value) for pair in pairs for value in pair)])
    return Table(title, header, rows)


def spread(values: Sequence[float | None]) -> str:
    """Format the range of some numbers."""
    known = [value for value in values if value is not None]
    if not known:
        return "-"
    low, high = three(min(known)), three(max(known))
    return f"{low}" if low == high else f"{low} to {high}"


def gains(ours: Mapping[str, Row], theirs: Mapping[str, Row], column: int) -> str:
    """Format the range of factors by which our numbers are below a column of the paper."""
    both = [(theirs[name][column], row[column]) for name, row in ours.items() if name in theirs]
    return spread([paper / own for paper, own in both if paper is not None and own])
