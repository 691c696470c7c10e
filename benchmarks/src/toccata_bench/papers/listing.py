"""Exhibits as Markdown: docs/papers.md, and the tables of benchmarks/results/papers.md."""

from __future__ import annotations

from collections.abc import Sequence

from toccata_bench.papers.deviations import DEVIATIONS
from toccata_bench.papers.exhibit import PAPERS
from toccata_bench.papers.shown import Shown
from toccata_bench.table import Table, cell

PREAMBLE = """# Papers

Toccata implements the systems of five papers. This page lists the deviations from each paper, and
compares its tables and figures with ours. The page is generated:

    toccata bench papers --out figures --markdown docs/papers.md

The command takes some minutes, and a quarter of an hour for figure 4 of Kim et al. It writes
pictures, a page `figures/index.html` with the exhibits of the papers beside ours, and
[the tables](../benchmarks/results/papers.md) as `figures/tables.md`. `--quick` runs fewer trials,
`--only tang-2013/figure-7,he-2015` makes only these exhibits, and `--list` names all exhibits.

- **Answers are verified** before they are timed or drawn. Coal verifies rigid bodies; another
  method verifies the dynamics scene and figure 4 of Tang et al. Samples by Pinocchio and Coal
  verify robots; the other methods verify the tables of stages and active joints. All methods and
  independent distances verify deforming steps. Audits of the logs verify simulations. A wrong
  answer ends the run.
- **Models and motions are our own**, because the originals are not public. Code makes them with the
  papers' counts of triangles, links and bodies. Compare only the orders of magnitude of times.
  Ratios within a table are more comparable.
- **Machines differ.** The papers used processors of 1 to 3.3 GHz. We used one thread of the machine
  below, which was shared and busy. Times vary by half and more. [Benchmarks](benchmarks.md) has
  longer runs.
- **Sketches** in the papers have no data. Our figures are drawn from a real case, or show the
  numbers behind the sketch.

The core does not expose its volumes. Figures 4, 5 and 6 of Redon et al. 2004 therefore use Python
code."""

TABLES = """# Papers: results

Made by

    toccata bench papers --out figures

[Papers](../../docs/papers.md) explains the tables and how ours differ. "Paper" columns are the
published numbers, on the machines of their time."""

PICTURES = {
    "redon-2002": {"figure-5": "The door on its way into the car; dots are contacts"},
    "redon-2004": {
        "figure-1": "A motion that is free at both ends, and its first contact",
        "figure-4": "Parts of a swept volume",
    },
    "kim-2008": {"figure-2": "Active joints of an assembly tree, and the paths to two links"},
    "tang-2013": {"figure-6": "Front nodes", "figure-8-1": "The mannequin among chessmen"},
    "he-2015": {"figure-4": "Leaf clusters and intermediate clusters"},
}
"""Pictures that docs/papers has, and their captions."""


def listing(shown: Sequence[Shown], about: str) -> str:
    """Return docs/papers.md: deviations and exhibits of each paper."""
    parts = [PREAMBLE, f"Machine: {about}."]
    return "\n\n".join([*parts, *(_paper(name, shown) for name in _papers(shown))])


def tables(shown: Sequence[Shown], about: str) -> str:
    """Return benchmarks/results/papers.md: the tables of each paper."""
    parts = [TABLES, f"Machine: {about}."]
    for name in _papers(shown):
        made = [one.made for one in shown if one.exhibit.paper == name and one.made]
        found = [_table(table) for one in made for table in one.tables]
        if found:
            parts.append("\n".join([f"## {name}", "", *found]).rstrip())
    return "\n\n".join(parts) + "\n"


def _papers(shown: Sequence[Shown]) -> list[str]:
    return [name for name in PAPERS if any(one.exhibit.paper == name for one in shown)]


def _paper(name: str, shown: Sequence[Shown]) -> str:
    rows = [_row(one) for one in shown if one.exhibit.paper == name]
    head = ["| exhibit | the paper | ours | differences |", "|---|---|---|---|"]
    pictures = [
        f"![{caption}](papers/{name}/{file}.png)\n\n*{caption}.*\n"
        for file, caption in PICTURES[name].items()
    ]
    deviations = ["Deviations:", "", DEVIATIONS[name]]
    parts = [f"## {name}", "", f"{PAPERS[name]}.", "", *deviations, "", *head, *rows, "", *pictures]
    return "\n".join(parts).rstrip()


def _row(one: Shown) -> str:
    exhibit = one.exhibit
    ours = one.made.ours if one.made else "**not made**"
    differs = exhibit.differs if one.made or not one.missing else one.missing
    first = f"{exhibit.label}: {exhibit.title}"
    return "| " + " | ".join((first, exhibit.theirs, ours, differs)) + " |"


def _table(table: Table) -> str:
    """Return a table without alignment, so that a new run changes few characters."""
    lines = [table.header, *([cell(value) for value in row] for row in table.rows)]
    bars = ["| " + " | ".join(line) + " |" for line in lines]
    rule = "|---|" + "---:|" * (len(table.header) - 1)
    return "\n".join([f"### {table.title}", "", bars[0], rule, *bars[1:], ""])
