"""He et al. 2015, section 4: clusters in colors, and how they grow and merge."""

from __future__ import annotations

from typing import Any

import numpy as np

from toccata_bench.papers.drawing import (
    BLUE,
    GRAY,
    GREEN,
    PALE,
    RED,
    YELLOW,
    View,
    hues,
    picture,
    put,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup
from toccata_bench.papers.he_steps import measured
from toccata_bench.papers.loops import Clusters
from toccata_bench.scenes import deforming

DEPTH = 2.0
"""Depth of observation points behind the first triangle, in lengths of an edge."""
SIZE = (520, 400)
PLAIN = 16
"""Most triangles around and including the first one, if six meet in each corner."""
_LOOPS = (RED, BLUE, GREEN, YELLOW)


def clusters(setup: Setup, depth: float = DEPTH) -> Clusters:
    """Return the clusters of the airbag, made as in the paper except for the depth."""

    def work() -> Clusters:
        step = next(iter(deforming.scene("airbag").steps()))
        sides = step.v0[step.faces[:, 0]] - step.v0[step.faces[:, 1]]
        edge = float(np.linalg.norm(sides, axis=1).mean())
        return Clusters((step.v0, step.faces), depth * edge)

    found: Clusters = setup.once(f"clusters, depth {depth}", work)
    return found


def figure_4(setup: Setup) -> Made:
    """Draw leaf clusters, and the intermediate clusters that they form."""
    found, printed = clusters(setup), clusters(setup, 0.0)
    mesh = found.vertices, found.faces
    images = [
        picture(put(mesh, hues(ids)), (35, 30), SIZE) for ids in (found.leaf_of, found.cluster_of)
    ]
    own = measured(setup, "Airbag")[0]["first"]["clusters"]
    said = (
        f"{len(found.leaves)} leaf and {found.count} intermediate clusters of the airbag;"
        f" {len(printed.leaves):,} and {printed.count:,} with the observation points of eq. 3;"
        f" {own['leaf_clusters']} and {own['intermediate_clusters']} proven by the core"
    )
    caption = "leaf clusters and intermediate clusters of the airbag in colors"
    return Made(said, [], {caption: side_by_side(*images)})


def figure_6(setup: Setup) -> Made:
    """Draw the growth of a leaf cluster: its first triangle and the loops around it."""
    found = clusters(setup)
    plain = [leaf for leaf in found.leaves if len(leaf.faces(2)) <= PLAIN]  # not at a pole
    largest = max(plain, key=lambda leaf: len(leaf.faces(6)))
    colors = np.tile(GRAY, (len(found.faces), 1))
    for number, loop in enumerate(largest.loops):
        colors[loop] = _LOOPS[number] if number < len(_LOOPS) else PALE
    shown = np.unique([*largest.faces(), *found.around(largest.faces())])
    view = _from_outside(found, largest.loops[0][0])
    image = picture(put((found.vertices, found.faces[shown]), colors[shown]), view, SIZE)
    said = f"this leaf has {len(largest.loops)} loops and {len(largest.faces())} triangles"
    caption = "T0 red, T1 blue, T2 green, T3 yellow, other loops pale, neighbors gray"
    return Made(said, [], {caption: image})


def _from_outside(found: Clusters, face: int) -> View:
    """Return a view along the normal of a face, a little aside."""
    a, b, c = found.vertices[found.faces[face]]
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n)
    turn, lift = np.degrees(np.arctan2(n[1], n[0])), np.degrees(np.arcsin(np.clip(n[2], -1, 1)))
    return float(turn) + 15.0, float(np.clip(lift - 15.0, -80.0, 80.0))


def figure_7(setup: Setup) -> Made:
    """Draw two merged leaves; their boxes meet, but not without the last loop of one."""
    found = clusters(setup)
    sizes = np.bincount(found.leaf_of)
    number, other = max(found.joins, key=lambda pair: min(sizes[list(pair)]))
    whole, rest, inner = found.box(number), found.box(other), found.box(other, inner=True)
    said = (
        f"leaves of {sizes[number]} and {sizes[other]} triangles; the last loop of the second leaf"
        f" has {len(found.leaves[other].loops[-1])} triangles"
    )
    caption = "two leaves; their boxes; their boxes without the last loop of the second"
    return Made(said, [], {caption: _boxes(found, (number, other), (whole, rest, inner))})


def _boxes(found: Clusters, pair: tuple[int, int], boxes: Any) -> Any:
    """Draw both leaves and boxes in a plane in which the last boxes are apart."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    whole, rest, inner = boxes
    gaps = np.maximum(whole[0] - inner[1], inner[0] - whole[1])
    axes = [
        int(np.argmax(gaps)),
        int(np.argmax(np.where(gaps == gaps.max(), -1.0, rest[1] - rest[0]))),
    ]
    figure = Figure(figsize=(9.0, 3.0), layout="constrained")
    shown: Any = (
        [],
        [(whole, "tab:red"), (rest, "tab:blue")],
        [(whole, "tab:red"), (inner, "tab:blue")],
    )
    for axis, some in zip(figure.subplots(1, 3), shown, strict=True):
        for leaf, color in zip(pair, ("tab:red", "tab:blue"), strict=True):
            faces = found.faces[found.leaf_of == leaf]
            axis.triplot(*found.vertices[:, axes].T, faces, color=color, linewidth=0.5)
        for (low, high), color in some:
            width, height = (high - low)[axes]
            axis.add_patch(Rectangle(low[axes], width, height, fill=False, edgecolor=color))
        axis.set_aspect("equal")
        axis.axis("off")
    return figure
