"""He et al. 2015, section 4: the core's clusters in colors, and how they grow and merge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes.surface import Faces, Points
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
from toccata_bench.scenes import deforming

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Box = tuple[Floats, Floats]
SIZE = (520, 400)
PLAIN = 16
"""Most triangles around and including the first one, if six meet in each corner."""
_LOOPS = (RED, BLUE, GREEN, YELLOW)
_COLORS = ("tab:red", "tab:blue")


@dataclass(frozen=True)
class Clusters:
    """A mesh with the leaf cluster and the intermediate cluster of each triangle."""

    vertices: Points
    faces: Faces
    patch: NDArray[np.int32]
    cluster: NDArray[np.int32]

    @cached_property
    def adjacent(self) -> Ids:
        """Pairs of triangles with a common side, (k, 2)."""
        sides = np.sort(self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        _, number = np.unique(sides, axis=0, return_inverse=True)
        order = np.argsort(number.ravel(), kind="stable")
        same = np.diff(number.ravel()[order]) == 0
        pairs: Ids = np.stack([order[:-1][same], order[1:][same]], axis=1) // 3
        return pairs

    def loops(self, patch: int) -> list[Ids]:
        """Return the loops of a leaf cluster around its middle triangle, across sides."""
        inside = self.patch == patch
        pairs = self.adjacent[inside[self.adjacent].all(axis=1)]
        middles = self.vertices[self.faces].mean(axis=1)
        own = np.flatnonzero(inside)
        first = own[np.linalg.norm(middles[own] - middles[own].mean(axis=0), axis=1).argmin()]
        left, loop, found = inside.copy(), np.array([first]), []
        while len(loop):
            found.append(loop)
            left[loop] = False
            reached = pairs[np.isin(pairs, loop).any(axis=1)].ravel()
            loop = np.unique(reached[left[reached]])
        return found

    def seams(self) -> Ids:
        """Return pairs of adjacent leaf clusters of one intermediate cluster, (k, 2)."""
        pairs = self.adjacent
        merged = self.cluster[pairs[:, 0]] == self.cluster[pairs[:, 1]]
        leaves = np.sort(self.patch[pairs[merged]], axis=1)
        found: Ids = np.unique(leaves[leaves[:, 0] != leaves[:, 1]], axis=0).astype(np.int64)
        return found

    def box(self, faces: Ids) -> Box:
        """Return the box around some triangles."""
        points = self.vertices[self.faces[faces]].reshape(-1, 3)
        return points.min(axis=0), points.max(axis=0)


def clusters(setup: Setup) -> Clusters:
    """Return the core's clusters of the first step of the airbag."""

    def work() -> Clusters:
        step = next(iter(deforming.scene("airbag").steps()))
        answer = tc.deforming_contacts(step.v0, step.v1, step.faces, method="clusters")
        assert answer.clusters is not None
        return Clusters(step.v0, step.faces, answer.clusters.patch, answer.clusters.cluster)

    found: Clusters = setup.once("clusters of the airbag", work)
    return found


def figure_4(setup: Setup) -> Made:
    """Draw leaf clusters, and the intermediate clusters that they form."""
    found = clusters(setup)
    mesh = found.vertices, found.faces
    images = [
        picture(put(mesh, hues(ids.astype(np.int64))), (35, 30), SIZE)
        for ids in (found.patch, found.cluster)
    ]
    said = (
        f"{found.patch.max() + 1} leaf and {found.cluster.max() + 1} intermediate clusters of the"
        " airbag's first step"
    )
    caption = "leaf clusters and intermediate clusters of the airbag in colors"
    return Made(said, [], {caption: side_by_side(*images)})


def figure_5(setup: Setup) -> Made:
    """Draw the boxes of intermediate clusters, and those of the leaf clusters in one of them."""
    found = clusters(setup)
    counts = [len(np.unique(found.patch[found.cluster == k])) for k in _all(found)]
    largest = int(np.argmax(counts))
    leaves = np.unique(found.patch[found.cluster == largest])
    levels = [found.box(np.flatnonzero(found.cluster == k)) for k in _all(found)]
    below = [found.box(np.flatnonzero(found.patch == k)) for k in leaves]
    said = (
        f"{len(levels)} volumes of intermediate clusters; the one with most leaves has"
        f" {len(leaves)}"
    )
    caption = "boxes of all intermediate clusters, and of the leaf clusters in one of them"
    return Made(said, [], {caption: _levels(levels, below)})


def _all(found: Clusters) -> range:
    return range(int(found.cluster.max()) + 1)


def _levels(above: list[Box], below: list[Box]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    for axis, boxes, color in zip(figure.subplots(1, 2), (above, below), _COLORS, strict=True):
        for box in boxes:
            _rectangle(axis, box, [0, 2], color)
        axis.autoscale_view()
        axis.set_aspect("equal")
        axis.axis("off")
    return figure


def figure_6(setup: Setup) -> Made:
    """Draw the loops of a leaf cluster around its middle triangle."""
    found = clusters(setup)
    by_size = np.argsort(-np.bincount(found.patch), kind="stable")[:20]
    all_loops = [found.loops(int(patch)) for patch in by_size]
    plain = [loops for loops in all_loops if sum(map(len, loops[:3])) <= PLAIN]  # not at a pole
    loops = (plain or all_loops)[0]
    colors = np.tile(GRAY, (len(found.faces), 1))
    for number, loop in enumerate(loops):
        colors[loop] = _LOOPS[number] if number < len(_LOOPS) else PALE
    own = np.concatenate(loops)
    beside = found.adjacent[np.isin(found.adjacent, own).any(axis=1)].ravel()
    shown = np.unique([*own, *beside])
    view = _from_outside(found, int(loops[0][0]))
    image = picture(put((found.vertices, found.faces[shown]), colors[shown]), view, SIZE)
    said = f"this leaf has {len(own)} triangles in {len(loops)} loops"
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
    """Draw two merged leaves with their boxes, and the box without the last loop of the second."""
    found = clusters(setup)
    sizes, seams = np.bincount(found.patch), found.seams()
    pair = seams[sizes[seams].min(axis=1).argmax()]
    loops = found.loops(int(pair[1]))
    whole, rest = (found.box(np.flatnonzero(found.patch == leaf)) for leaf in pair)
    inner = found.box(np.concatenate(loops[:-1] or loops))
    said = (
        f"leaves of {sizes[pair[0]]} and {sizes[pair[1]]} triangles; the last loop of the second"
        f" leaf has {len(loops[-1])} triangles"
    )
    caption = "two leaves; their boxes; their boxes without the last loop of the second"
    return Made(said, [], {caption: _boxes(found, pair, (whole, rest, inner))})


def _boxes(found: Clusters, pair: Ids, boxes: tuple[Box, Box, Box]) -> Any:
    """Draw both leaves and boxes along the two longest axes of the leaves."""
    from matplotlib.figure import Figure

    whole, rest, inner = boxes
    axes = np.sort(np.argsort(np.maximum(whole[1], rest[1]) - np.minimum(whole[0], rest[0]))[1:])
    figure = Figure(figsize=(9.0, 3.0), layout="constrained")
    shown: Any = (
        [],
        zip((whole, rest), _COLORS, strict=True),
        zip((whole, inner), _COLORS, strict=True),
    )
    for axis, some in zip(figure.subplots(1, 3), shown, strict=True):
        for leaf, color in zip(pair, _COLORS, strict=True):
            faces = found.faces[found.patch == leaf]
            axis.triplot(*found.vertices[:, axes].T, faces, color=color, linewidth=0.5)
        for box, color in some:
            _rectangle(axis, box, list(axes), color)
        axis.set_aspect("equal")
        axis.axis("off")
    return figure


def _rectangle(axis: Any, box: Box, axes: list[int], color: str) -> None:
    from matplotlib.patches import Rectangle

    low, high = (corner[axes] for corner in box)
    corner, size = (float(low[0]), float(low[1])), high - low
    axis.add_patch(Rectangle(corner, *map(float, size), fill=False, edgecolor=color))
