"""The answer to a step of a deforming mesh."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._lazy import Filler, fillers
from toccata._native import core
from toccata._result import Answer, Status, feature_name

Indices = NDArray[np.int32]
Codes = NDArray[np.uint8]
_NO_PAIRS = np.empty((0, 4, 3))
_FEW = 8
"""Least number of vertices of a mesh per listed pair for which the pairs are gathered at once."""


@dataclass(frozen=True, slots=True)
class StepStats:
    """Work of a step, in the quantities that the paper tabulates, and its time."""

    bv_tests: int
    elementary_tests: int
    leaf_clusters: int
    """Patches, each grown around an observation point; 0 if the method made no clusters."""
    intermediate_clusters: int
    """Clusters of merged patches."""
    triangles_per_cluster: float
    """Triangles per intermediate cluster."""
    seconds_clustering: float
    seconds_hierarchy: float
    seconds_traversal: float
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class StepClusters:
    """Clusters of a step, each proven free of self-contact during the step.

    Both arrays number the clusters from 0. Faces of one leaf cluster are in one intermediate
    cluster. In a sequence, faces may have moved to other leaf clusters since these were grown.
    """

    patch: Indices
    """Leaf cluster of each face, (m,)."""
    cluster: Indices
    """Intermediate cluster of each face, (m,)."""


@dataclass(frozen=True, slots=True, eq=False)
class StepContacts(Answer):
    """Contacts of a deforming mesh during a step.

    First check `starts_overlapping`. Edges that pierce faces at the start are listed in
    `initial_edge_face`, and the times and the status ignore them if another pair is in contact or
    undecided. Such a step may have the status CONTACT and `toc` > 0. Without another pair, the
    status is INITIAL_OVERLAP, never FREE.

    Before `safe_until`, each vertex is farther than the separation from each face, and each edge
    from each other edge, except pairs that share a vertex. `toc` is the time of the earliest
    contact: infinite with status FREE, otherwise equal to `safe_until`.

    If the separation exceeds the length of edges, nearby features that share no vertex are an
    INITIAL_OVERLAP. Features along an opening crack are reported only if they touch, whatever the
    separation.
    """

    feature: str | None
    """Kind of the earliest contact: "vertex-face" or "edge-edge"."""
    pair: tuple[int, int] | None
    """Vertex and face of the earliest contact, or two rows of `edges`."""
    point_a: Floats
    """Points of the earliest contact in world coordinates, at `toc`; NaN if unknown."""
    point_b: Floats
    normal: Floats
    """Unit vector from b to a; NaN if unknown, as for features that touch at the start."""
    edges: Indices
    """Tested edges as pairs of vertices, (e, 2), with the lower vertex first, sorted."""
    vertex_face: Indices
    """Pairs of a vertex and a face in contact, (k, 2): with `contacts="all"` all pairs that touch
    during the step, otherwise at most the earliest."""
    vertex_face_toc: Floats
    vertex_face_status: Codes
    """Codes of `Status`, (k,); the time of an UNDECIDED pair is its safe time."""
    edge_edge: Indices
    """Pairs of edges in contact, rows of `edges`, (k, 2); listed like `vertex_face`."""
    edge_edge_toc: Floats
    edge_edge_status: Codes
    points_a: Floats
    """Points of all listed pairs in world coordinates, each at the time of its pair, (k, 3). The
    rows are those of `vertex_face`, followed by those of `edge_edge`."""
    points_b: Floats
    normals: Floats
    """Unit vectors from b to a, (k, 3); NaN for features that touch at the start."""
    weights: Floats
    """Weights of the four vertices of each pair, (k, 4): the vertex and the corners of the face, or
    the ends of both edges. Weighted sums of their positions are `points_a - points_b`: weights of a
    are at least 0, weights of b at most 0, and both have the sum 1, up to their signs."""
    initial_edge_face: Indices
    """Edges, as rows of `edges`, and faces that they pierce at the start, (k, 2)."""
    clusters: StepClusters | None
    """Leaf and intermediate cluster of each face; None if the method made no clusters."""
    stats: StepStats

    def _details(self) -> list[str]:
        parts = []
        if self.pair is not None:
            words = "vertex {} and face {}" if self.feature == "vertex-face" else "edges {} and {}"
            parts.append(words.format(*self.pair))
        listed = len(self.vertex_face) + len(self.edge_edge)
        if listed > 1:
            parts.append(f"{listed} pairs listed")
        if len(self.initial_edge_face):
            parts.append(f"{len(self.initial_edge_face)} initial edge-face pairs")
        return parts

    @property
    def starts_overlapping(self) -> bool:
        """True if contact at the start is not excluded: an edge pierces a face, or `toc` is 0."""
        return bool(len(self.initial_edge_face)) or self.toc == 0

    _fillers: ClassVar[dict[str, Filler]] = fillers(
        ("status toc safe_until tolerance", lambda found, *_: _numbers(found)),
        ("points_a points_b normals weights", lambda found, *more: _witnesses(found, more[-1])),
        ("feature pair", lambda found, *_: _first(found)),
        ("point_a point_b normal", lambda found, *_: map(np.array, found.points)),
        ("edges", lambda found, edges, *_: (edges,)),
        ("vertex_face vertex_face_toc vertex_face_status", lambda found, *_: found.vertex_face()),
        ("edge_edge edge_edge_toc edge_edge_status", lambda found, *_: found.edge_edge()),
        ("initial_edge_face", lambda found, *_: (found.initial_edge_face(),)),
        ("clusters", lambda found, *_: (_clusters(found),)),
        ("stats", lambda found, _, faces, seconds, *__: (_stats(found.stats, faces, seconds),)),
    )


Moving = Callable[[], tuple[Floats, Floats]]
"""Function that returns the vertices of listed pairs at the start and the end, (k, 4, 3)."""


def moving(
    found: core.StepContacts, frames: tuple[Floats, Floats], faces: Indices, edges: Indices
) -> Moving:
    """Return the vertices of listed pairs, at once or on demand.

    The vertices of few pairs are gathered at once, so that answers in a long list do not keep both
    frames of the whole mesh.
    """
    if not found.pair_count:
        return lambda: (_NO_PAIRS, _NO_PAIRS)
    start, end = frames
    if _FEW * found.pair_count <= len(start):
        rows = _gathered(found, (start, end), faces, edges)
        return lambda: rows
    own = start, core.copied(end)  # callers may update their array in place
    return lambda: _gathered(found, own, faces, edges)


def _gathered(
    found: core.StepContacts, frames: tuple[Floats, Floats], faces: Indices, edges: Indices
) -> tuple[Floats, Floats]:
    a, b = found.vertex_face()[0].T
    of_faces = np.concatenate([a[:, None], faces[b]], axis=1)
    corners = np.concatenate([of_faces, edges[found.edge_edge()[0]].reshape(-1, 4)])
    start, end = (frame[corners] for frame in frames)
    return start, end


def _witnesses(found: core.StepContacts, moving: Moving) -> Iterable[Floats]:
    """Return the points, normals and weights of all listed pairs."""
    start, end = moving()
    kinds = core.PairKind.vertex_face, core.PairKind.edge_edge
    times = found.vertex_face()[1], found.edge_edge()[1]
    split = len(times[0])
    parts = [
        core.witnesses(kind, start[rows], end[rows], toc)
        for kind, rows, toc in zip(kinds, (slice(split), slice(split, None)), times, strict=True)
    ]
    return map(np.concatenate, zip(*parts, strict=True))


def _numbers(found: core.StepContacts) -> tuple[Any, ...]:
    return Status(int(found.status)), found.toc, found.safe_until, found.tolerance


def _first(found: core.StepContacts) -> tuple[str | None, tuple[int, int] | None]:
    feature = feature_name(found.feature)
    return feature, None if feature is None else tuple(found.pair)


def _clusters(found: core.StepContacts) -> StepClusters | None:
    ids: Any = found.clusters()
    return None if ids is None else StepClusters(*ids)


def _stats(found: core.StepStats, faces: int, seconds: float) -> StepStats:
    clusters = found.intermediate_clusters
    return StepStats(
        found.bv_tests,
        found.elementary_tests,
        found.leaf_clusters,
        clusters,
        faces / clusters if clusters else 0.0,
        found.seconds_clustering,
        found.seconds_hierarchy,
        found.seconds_traversal,
        seconds,
    )
