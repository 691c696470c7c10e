"""All that was made as Markdown: docs/papers.md."""

from __future__ import annotations

from collections.abc import Sequence

from toccata_bench.papers.exhibit import PAPERS
from toccata_bench.papers.shown import Shown
from toccata_bench.table import Table, cell

PREAMBLE = """# Tables and figures of the papers

    toccata bench papers --out figures

makes the tables and figures of the five papers again, as far as that can be done, in some
minutes: pictures, tables, and a page `figures/index.html` that shows ours beside theirs.
`--quick` takes fewer trials and smaller models, `--only tang-2013/figure-7,he-2015` makes some,
`--list` names all. With `--markdown` it prints this page; its figures come from such runs, paper
by paper, and the pictures here are copies of some that it wrote.

What holds for all of them:

* **Answers first.** What is timed or drawn is verified before: rigid bodies by coal (the dynamics
  scene and figure 4 of Tang et al. by another method), robots by samples of pinocchio and coal
  (tables of stages, and active joints: by the other methods), steps of meshes by all methods and
  by distances that share no code with the core, simulations by an audit of their logs. A wrong
  answer ends the run.
* **Models and motions are our own**, by code, with the papers' counts of triangles, links and
  bodies; those of the papers are not public, or not at hand. So times compare orders of
  magnitude, and ratios within a table compare better.
* **Other machines.** The papers' processors had 1 to 3.3 GHz; all of ours is one thread on the
  machine below, which was shared and busy: times move by half and more from run to run.
  [Benchmarks](benchmarks.md) has longer runs of the same tables.
* **Sketches** have no data. Where a paper has one, ours is drawn from a real case, or shows the
  numbers behind it.

Figures 4, 5 and 6 of Redon et al. 2004 and figures 4, 6 and 7 of He et al. 2015 are made by
Python code that stands in for the core's own: volumes and clusters of the core cannot be asked
for."""

PICTURES = {
    "redon-2002": {"figure-5": "The door on its way into the car; dots are contacts"},
    "redon-2004": {
        "figure-1": "A motion that is free at both ends, and its first contact",
        "figure-4": "What a swept volume consists of",
    },
    "kim-2008": {"figure-2": "Active joints of an assembly tree, and ways to two links"},
    "tang-2013": {"figure-6": "Front nodes", "figure-8-1": "The mannequin among chessmen"},
    "he-2015": {"figure-4": "Leaf clusters and intermediate clusters"},
}
"""Pictures that docs/papers has, and their captions."""


def listing(shown: Sequence[Shown], about: str) -> str:
    """Return a section for each paper: what is made of each table and figure, then the tables."""
    papers = [name for name in PAPERS if any(one.exhibit.paper == name for one in shown)]
    return "\n\n".join([PREAMBLE, f"Machine: {about}.", *(_paper(name, shown) for name in papers)])


def _paper(name: str, shown: Sequence[Shown]) -> str:
    own = [one for one in shown if one.exhibit.paper == name]
    rows = [_row(one) for one in own]
    head = ["| | the paper | ours | where they differ, and why |", "|---|---|---|---|"]
    tables = [_table(table) for one in own if one.made for table in one.made.tables]
    pictures = [
        f"![{caption}](papers/{name}/{file}.png)\n\n*{caption}.*\n"
        for file, caption in PICTURES[name].items()
    ]
    parts = [f"## {name}", "", f"{PAPERS[name]}.", "", *head, *rows, "", *pictures, *tables]
    return "\n".join(parts).rstrip()


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
