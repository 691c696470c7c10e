"""Draws the chart of docs/benchmarks.md: python docs/make_benchmark_picture.py [file].

It reads the records of the benchmarks in benchmarks/results; a test checks that it is current.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"
WIDTH, LABEL, BAR, GAP, HEAD = 900, 265, 13, 10, 62
OURS, PEERS = "#d9741f", ("#7f95b2", "#b9c4d3", "#d8dee7")


@dataclass(frozen=True)
class Panel:
    """A title, the names of the bars (ours first), and their values by row."""

    title: str
    unit: str
    names: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]

    @property
    def height(self) -> float:
        """Height of the panel, in pixels."""
        return HEAD + len(self.rows) * (len(self.names) * BAR + GAP)


def read(name: str) -> Any:
    """Return the record of a benchmark."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def rigid() -> Panel:
    """Return times of whole motions, and of single poses and loops of Coal."""
    models = read("rigid")["models"].items()
    rows = {
        f"{name} ({one['triangles'][0] + one['triangles'][1]:,} triangles)": (
            one["batch_us"]["auto"],
            one["discrete"]["check_us"],
            one["peers_us"]["coal-loop-pruned"],
        )
        for name, one in models
    }
    names = "Toccata, a certified motion", "Coal, one pose", "Coal, conservative advancement"
    return Panel("Rigid bodies", "microseconds", names, rows)


def robots() -> Panel:
    """Return times of free motions, samplers and HPP, mean of all levels."""
    rows = {}
    for name, case in read("robots")["cases"].items():
        free = [level["free"] for level in case["levels"].values()]
        sampled = fmean(one["peers_us"]["10 mm"] for one in free)
        hpp = fmean(one["peers_us"]["hpp"] for one in free)
        rows[name] = fmean(one["is_free_us"]["auto"] for one in free), sampled, hpp
    names = "Toccata, motion_is_free", "Pinocchio + Coal, samples at 10 mm", "HPP, continuous"
    return Panel("Robots, free motions", "microseconds", names, rows)


def deforming() -> Panel:
    """Return times of single steps and of ipctk, mean of the steps of a model."""
    rows = {}
    for name, steps in read("deforming")["models"].items():
        if any(step["peer_at_least"] for step in steps):
            continue  # stopped early: a lower bound is not a time
        ours = fmean(1e3 * step["first"]["auto"]["seconds"] for step in steps)
        broad = fmean(1e3 * step["peer"]["broad"] for step in steps)
        tight = fmean(1e3 * step["peer"]["TightInclusionCCD"] for step in steps)
        rows[f"{name} ({steps[0]['triangles']:,} triangles)"] = ours, broad, tight
    names = "Toccata, first contact", "ipctk, broad phase alone", "ipctk, Tight Inclusion"
    return Panel("Deforming meshes, one step", "milliseconds", names, rows)


def text(x: float, y: float, words: str, anchor: str = "start", style: str = "") -> str:
    """Return a line of text."""
    how = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{style}"'
    return f"<text {how}>{escape(words)}</text>"


def bar(x: float, y: float, width: float, color: str) -> str:
    """Return a bar."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR - 2}" fill="{color}"/>'


def drawn(panel: Panel, top: float) -> list[str]:
    """Return the shapes of a panel whose top is at `top`; lengths are logarithms."""
    values = [value for row in panel.rows.values() for value in row]
    low, high = 0.6 * min(values), max(values)
    scale = (WIDTH - LABEL - 90) / math.log(high / low)
    shapes = [text(14, top + 20, f"{panel.title}, {panel.unit} (logarithmic)", style="b")]
    x = 14.0
    for name, color in zip(panel.names, (OURS, *PEERS), strict=False):
        shapes += [bar(x, top + 33, 12, color), text(x + 17, top + 43, name)]
        x += 17 + 7.1 * len(name) + 18
    y = top + HEAD
    for name, row in panel.rows.items():
        shapes.append(text(LABEL - 8, y + len(row) * BAR / 2 + 4, name, "end"))
        for k, (value, color) in enumerate(zip(row, (OURS, *PEERS), strict=False)):
            width = scale * math.log(value / low)
            shapes.append(bar(LABEL, y + k * BAR, width, color))
            shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
            shapes.append(text(LABEL + width + 5, y + k * BAR + 10, shown, style="s"))
        y += len(row) * BAR + GAP
    return shapes


def picture() -> str:
    """Return all panels, one below the other."""
    shapes, y = [], 6.0
    for panel in (rigid(), robots(), deforming()):
        shapes += drawn(panel, y)
        y += panel.height + 14
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:.0f}" '
            f'width="{WIDTH}" height="{y:.0f}" role="img" aria-label="Times '
            'compared with other libraries">',
            "<style>text { font: 13px sans-serif; fill: #1f2430 } .b { font-weight: 700 } "
            ".s { font-size: 11px; fill: #4a5160 }</style>",
            f'<rect width="{WIDTH}" height="{y:.0f}" rx="10" fill="#ffffff"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def main(path: str = "") -> None:
    """Save the chart."""
    target = Path(path) if path else Path(__file__).with_name("benchmarks.svg")
    target.write_text(picture(), encoding="utf-8")
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
