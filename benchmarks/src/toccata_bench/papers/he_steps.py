"""He, Ortiz, Enquobahrie, Manocha 2015: meshes that deform and change their topology."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata.report._png import Image
from toccata_bench.deforming import sources, steps, tables
from toccata_bench.papers.beside import spread
from toccata_bench.papers.drawing import (
    STEEL,
    View,
    hues,
    picture,
    put,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.papers.published import HE_1, HE_1_COLUMNS, HE_2
from toccata_bench.plots import new_figure
from toccata_bench.record import Record
from toccata_bench.scenes import deforming
from toccata_bench.table import Table

Floats = NDArray[np.float64]

MODELS: dict[str, tuple[str, int, int]] = {
    "Nidus": ("nidus", 32_798, 8_000),
    "Airbag": ("airbag", 9_076, 9_076),
    "Lion": ("shell", 400_000, 30_000),
    "Bunny/Dragon": ("shatter", 264_000, 20_000),
    "Car Crash": ("crash", 1_100_000, 20_000),
}
"""Model, triangles, and triangles of a quick run for each row of the tables.

The lion has 1.6 million triangles in the paper; a quarter of it keeps the run short.
"""
WIDE = (360, 280)
DRAWN = 60_000
"""Most triangles of a picture."""


def measured(setup: Setup, row: str) -> list[Record]:
    """Return a record for each step of a model, verified and timed; a quick run has the last."""

    def work() -> list[Record]:
        name, usual, quick = MODELS[row]
        model = sources.model(name, setup.size(usual, quick))
        return [_step(step) for step in model.steps[setup.size(0, -1) :]]

    found: list[Record] = setup.once(f"steps {row}", work)
    return found


def _step(step: sources.Step) -> Record:
    answers = steps.verify_step(step)
    return {
        "triangles": len(step.faces),
        "cut": step.roots is not None,
        "pairs": len(answers["all"].vertex_face) + len(answers["all"].edge_edge),
        "first": steps.time_step(step, "first"),
        "peer": {},
        "peer_at_least": {},
    }


def table_1(setup: Setup) -> Made:
    """Return times and tests of the plain hierarchy and of clusters."""
    rows: list[list[object]] = []
    speedups, published, fewer = [], [], []
    for row, (plain, clustered) in HE_1.items():
        found = measured(setup, row)
        totals = {}
        for method, paper, label in (
            ("bvh", plain, "Self-CCD"),
            ("clusters", clustered, "their method"),
        ):
            _, *cells = tables.stage_row(row, method, found, "first")
            own = [float(str(value)) for value in cells[:5]]
            totals[method] = own
            pairs = zip(own, paper, strict=True)
            flat = [three(value) for pair in pairs for value in pair]
            rows.append([f"{row}: {method} / {label}", *flat])
        speedups.append(totals["bvh"][3] / totals["clusters"][3])
        published.append((plain[3] or 0) / (clustered[3] or 1))
        fewer.append(totals["bvh"][4] / totals["clusters"][4])
    header = ["", *(f"{name}, {who}" for name in HE_1_COLUMNS for who in ("ours", "paper"))]
    table = Table("Table 1, first contact, milliseconds per step", header, rows)
    gains = ", ".join(
        f"{row} {three(own)} ({three(paper)})"
        for row, own, paper in zip(HE_1, speedups, published, strict=True)
    )
    said = (
        f"gain of clusters over the plain hierarchy by row, the paper's in parentheses: {gains};"
        f" {spread(fewer)} times fewer BV tests"
    )
    return Made(said, [table])


def table_2(setup: Setup) -> Made:
    """Return the sizes of the models and of their clusters."""
    rows: list[list[object]] = []
    for row, paper in HE_2.items():
        found = measured(setup, row)
        counts = [step["first"]["clusters"] for step in found]
        means = [
            float(np.mean([one[key] for one in counts]))
            for key in ("leaf_clusters", "intermediate_clusters")
        ]
        # Not the mean of ratios, in which one step with few clusters would outweigh all others.
        means.append(float(np.mean([step["triangles"] for step in found])) / means[1])
        largest = max(step["triangles"] for step in found)
        pairs = [(f"{mean:.0f}", f"{value}") for mean, value in zip(means, paper[1:], strict=True)]
        rows.append([row, f"{largest:,}", paper[0], *(text for pair in pairs for text in pair)])
    names = ("triangles", "leaf clusters", "intermediate clusters", "triangles each")
    header = ["", *(f"{name}, {who}" for name in names for who in ("ours", "paper"))]
    each = ", ".join(f"{row[0]} {row[3]} in {row[5]}" for row in rows)
    return Made(
        f"leaf clusters in intermediate clusters: {each}",
        [Table("Table 2, models and clusters", header, rows)],
    )


def figure_3(setup: Setup) -> Made:
    """Return the times of the stages."""
    found = {row: measured(setup, row) for row in MODELS}
    stages = ("clustering", "hierarchy", "traversal")
    shares = {}
    for row, some in found.items():
        ms = [
            1e3 * np.mean([step["first"]["clusters"][f"seconds_{stage}"] for step in some])
            for stage in stages
        ]
        shares[row] = [100 * one / sum(ms) for one in ms]
    rows: list[list[object]] = [[row, *map(three, values)] for row, values in shares.items()]
    table = Table("Figure 3, share of the stages, per cent", ["", *stages], rows)
    first = [values[0] for values in shares.values()]
    pictures = {"share of the stages in a step": _bars(shares)}
    return Made(f"clustering takes {spread(first)} % of a step", [table], pictures)


def _bars(shares: dict[str, list[float]]) -> Any:
    figure, axis = new_figure(7.0, 2.6)
    left = np.zeros(len(shares))
    for k, (stage, color) in enumerate(
        (("clustering", "tab:green"), ("hierarchy", "tab:blue"), ("traversal + tests", "tab:red"))
    ):
        values = np.array([one[k] for one in shares.values()])
        axis.barh(list(shares), values, left=left, color=color, label=stage)
        left += values
    axis.set(xlabel="per cent of a step")
    axis.invert_yaxis()
    figure.legend(fontsize="small", loc="outside upper center", ncols=3)
    return figure


def frames(name: str, triangles: int, view: View, most: int) -> tuple[Image, str]:
    """Draw the starts of some steps of a model, and the end of the last one."""
    shown, faces = [], []
    for step in deforming.scene(name, triangles).steps():
        shown.append(step.v0)
        faces.append(step.faces)
        last = step.v1, step.faces
    keep = np.unique(np.linspace(0, len(shown) - 1, most - 1).round().astype(int))
    chosen = [(shown[k], faces[k]) for k in keep] + [last]
    seen = [part for points, some in chosen for part in put((points, some), STEEL)]
    images = [picture(put(one, _by_part(one[0], one[1])), view, WIDE, seen) for one in chosen]
    counts = sorted({len(some) for some in faces})
    text = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return side_by_side(*images), f"{text} triangles in {len(shown)} steps"


def _by_part(points: Floats, faces: NDArray[np.integer]) -> Floats:
    """Return a color for each connected part."""
    parts = _parts(faces, len(points))
    return np.asarray(0.45 * hues(parts % 12) + 0.55 * STEEL)


def _parts(faces: NDArray[np.integer], count: int) -> NDArray[np.int64]:
    """Number the connected parts of a mesh, by the least vertex of each."""
    label = np.arange(count)
    while True:
        least = label[faces].min(axis=1)
        before = label.copy()
        for k in range(3):
            np.minimum.at(label, faces[:, k], least)
        label = label[label]
        if np.array_equal(before, label):
            break
    return np.unique(label[faces[:, 0]], return_inverse=True)[1].astype(np.int64)


def sequence(setup: Setup, name: str, triangles: int, view: View, row: str) -> Made:
    """Draw a model step by step, and report the times of its steps."""
    image, sizes = frames(name, min(triangles, setup.size(DRAWN, 10_000)), view, 4)
    seconds = [step["first"]["auto"]["seconds"] for step in measured(setup, row)]
    size = max(step["triangles"] for step in measured(setup, row))
    said = f"a first contact takes {spread([1e3 * s for s in seconds])} ms with {size:,} triangles"
    return Made(said, [], {f"drawn with {sizes}; connected parts have colors": image})


def figure_1(setup: Setup) -> Made:
    """Draw the airbag."""
    return sequence(setup, "airbag", 9_076, (35, 30), "Airbag")


def figure_2(setup: Setup) -> Made:
    """Draw the crash."""
    return sequence(setup, "crash", DRAWN, (-50, 22), "Car Crash")


def figure_9(setup: Setup) -> Made:
    """Draw the nidus, which deforms and is then cut."""
    made = sequence(setup, "nidus", 32_798, (40, 25), "Nidus")
    found = measured(setup, "Nidus")
    parts = []
    for name, cut in (("deformed", False), ("cut", True)):
        ms = [1e3 * step["first"]["auto"]["seconds"] for step in found if step["cut"] == cut]
        if ms:
            parts.append(f"{name}: {spread(ms)} ms per first contact")
    made.ours = f"{'; '.join(parts)}, with {found[-1]['triangles']:,} triangles"
    return made


def figure_8(setup: Setup) -> Made:
    """Draw all models."""
    views: dict[str, View] = {
        "cloth-ball": (40, 30),
        "shell": (40, 20),
        "rods": (40, 20),
        "crumpled-ball": (40, 20),
    }
    images, sizes = [], []
    for name, view in views.items():
        step = list(deforming.scene(name, setup.size(DRAWN, 10_000)).steps())[-1]
        mesh = step.v0, step.faces
        images.append(picture(put(mesh, _by_part(*mesh)), view, WIDE))
        sizes.append(f"{name} {len(step.faces):,}")
    return Made(f"triangles: {', '.join(sizes)}", [], {"; ".join(sizes): side_by_side(*images)})
