"""What a step of a deforming mesh found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata._native import core
from toccata.result import FEATURES, Status

Indices = NDArray[np.int32]
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class StepStats:
    """Work done in a step, in the quantities that the paper tabulates, and the time it took."""

    bv_tests: int
    elementary_tests: int
    leaf_clusters: int
    intermediate_clusters: int
    triangles_per_cluster: float
    seconds_clustering: float
    seconds_hierarchy: float
    seconds_traversal: float
    seconds: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StepContacts:
    """Contacts of a deforming mesh during a step.

    Before `safe_until` each vertex is farther than the separation from each face, and each edge
    from each edge, but for pairs that share a vertex. `toc` is the earliest contact: infinite when
    FREE, equal to `safe_until` otherwise.

    Edges that pierce faces at the start, listed in `initial_edge_face`, are in contact all the
    same: the status is that of the earliest contact of the rest, or INITIAL_OVERLAP if there is
    none. `starts_overlapping` tells whether the start was clean.
    """

    status: Status
    toc: float
    safe_until: float
    tolerance: float
    feature: str | None
    """ "vertex-face" or "edge-edge": the earliest contact."""
    pair: tuple[int, int] | None
    """Its vertex and face, or its two edges."""
    point_a: Floats | None
    """World, at the time of the earliest contact."""
    point_b: Floats | None
    normal: Floats | None
    """Unit vector from b to a."""
    edges: Indices
    """(e, 2) vertices of the edges that took part, lower one first, sorted."""
    vertex_face: Indices
    """(k, 2) vertex and face: all contacts if asked for, otherwise the earliest at most."""
    vertex_face_toc: Floats
    vertex_face_status: Codes
    """(k,) codes of `Status`: a pair that is UNDECIDED is listed too, with its safe time."""
    edge_edge: Indices
    """(k, 2) rows of `edges`."""
    edge_edge_toc: Floats
    edge_edge_status: Codes
    initial_edge_face: Indices
    """(k, 2) edges that pierce faces at the start already."""
    stats: StepStats

    def __bool__(self) -> bool:
        """Whether contact cannot be excluded: a budget that ran out must not pass as free."""
        return self.status is not Status.FREE

    def __repr__(self) -> str:
        found = f"status={self.status.name}, toc={self.toc:g}, safe_until={self.safe_until:g}"
        if self.pair is not None:
            found += f", feature={self.feature!r}, pair={self.pair}"
        counts = f"{len(self.vertex_face)} vertex-face, {len(self.edge_edge)} edge-edge"
        return f"StepContacts({found}, {counts}, {len(self.initial_edge_face)} initial edge-face)"

    @property
    def starts_overlapping(self) -> bool:
        """Whether something touches at the start, or cannot be told not to.

        So it is if edges pierce faces there, also when `toc` is that of a later contact, or if the
        earliest contact is at 0.
        """
        return bool(len(self.initial_edge_face)) or self.toc == 0


def as_step_contacts(
    found: core.StepContacts, edges: Indices, face_count: int, seconds: float
) -> StepContacts:
    """Return what the core found, for a mesh with so many faces."""
    has_pair = found.feature != 0
    clusters = found.stats.leaf_clusters
    stats = StepStats(
        found.stats.bv_tests,
        found.stats.elementary_tests,
        clusters,
        found.stats.intermediate_clusters,
        face_count / clusters if clusters else 0.0,
        found.stats.seconds_clustering,
        found.stats.seconds_hierarchy,
        found.stats.seconds_traversal,
        seconds,
    )
    vertex_face, vertex_face_toc, vertex_face_status = found.vertex_face()
    edge_edge, edge_edge_toc, edge_edge_status = found.edge_edge()
    return StepContacts(
        Status(int(found.status)),
        found.toc,
        found.safe_until,
        found.tolerance,
        FEATURES[found.feature],
        tuple(found.pair) if has_pair else None,
        np.array(found.point_a) if has_pair else None,
        np.array(found.point_b) if has_pair else None,
        np.array(found.normal) if has_pair else None,
        edges,
        vertex_face,
        vertex_face_toc,
        vertex_face_status,
        edge_edge,
        edge_edge_toc,
        edge_edge_status,
        found.initial_edge_face(),
        stats,
    )
