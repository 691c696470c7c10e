"""Contacts of deforming meshes during a step, in which vertices move linearly."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_faces, as_rows, as_shape, as_threads, as_unchecked, with_rows
from toccata._native import core
from toccata._options import StepMethod, StepOptions, step_options, takes
from toccata._shown import MOST_KEPT
from toccata._step_result import StepClusters, StepContacts, StepStats, moving
from toccata._topology import (
    Indices,
    check_known,
    group_pairs,
    identity,
    ignored_table,
    inherited_origins,
    loose_edges,
    numbered_groups,
    read_only,
)

__all__ = [
    "DeformingMesh",
    "StepClusters",
    "StepContacts",
    "StepMethod",
    "StepStats",
    "deforming_contacts",
]


@takes(StepOptions)
def deforming_contacts(
    v0: ArrayLike,
    v1: ArrayLike,
    faces: ArrayLike,
    *,
    edges: ArrayLike | None = None,
    points: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    ignored_groups: Iterable[tuple[int, int]] = (),
    **options: Unpack[StepOptions],
) -> StepContacts:
    """Return the first contact of a step, self-contact included, or all contacts.

    All vertices are tested against all faces, and all edges against all edges, except pairs that
    share a vertex. Vertices without a face, loose edge or point take no part. Several objects are
    passed as one array of vertices and one array of faces.

    Args:
        v0: vertices at the start of the step, (n, 3).
        v1: vertices at the end of the step, (n, 3). Each vertex moves on a straight line at
            constant speed.
        faces: vertex indices of the triangles, (m, 3); any triangle soup.
        edges: vertex indices of loose edges, such as strands, (k, 2).
        points: indices of loose vertices, such as particles, (k,).
        groups: group of each vertex, (n,), for `ignored_groups`.
        ignored_groups: pairs of groups whose features are not tested against each other. (g, g)
            ignores contacts within a group. Features with vertices of several groups are ignored
            only if each group of one feature is ignored with each group of the other. Each group
            needs at least one vertex.

    """
    model = object.__new__(DeformingMesh)  # the step checks v0
    exceptions = (groups, ignored_groups)
    model._begin(_frame("v0", v0), faces, (edges, points), exceptions, options.get("threads"))
    end = _frame("v1", v1)
    answer = model._contacts(end, step_options(options))
    if len(end) > MOST_KEPT:
        return answer
    return answer._keeping(model._vertices, _own(end), model.faces)


class DeformingMesh:
    """A mesh that deforms step by step. Its topology may change between steps.

    Its arrays are read-only copies. Copies and pickles keep the current frame and the ignored
    pairs, but no coherence: their first step takes as long as the first step of a new model.
    """

    faces: Indices
    edges: Indices
    _loose: Indices
    _vertices: Floats
    _group_names: Indices | None
    _ignored_groups: list[tuple[int, int]]

    __slots__ = (
        "_coherence",
        "_features",
        "_group",
        "_group_names",
        "_ignored",
        "_ignored_groups",
        "_loose",
        "_origin",
        "_threads",
        "_twins",
        "_vertices",
        "edges",
        "faces",
    )

    def __init__(
        self,
        v0: ArrayLike,
        faces: ArrayLike,
        *,
        edges: ArrayLike | None = None,
        points: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        ignored_groups: Iterable[tuple[int, int]] = (),
        threads: int | None = None,
    ) -> None:
        """Start with a first frame.

        Args:
            v0: vertices of the first frame, (n, 3).
            faces: vertex indices of the triangles, (m, 3).
            edges: loose edges, as for `deforming_contacts`.
            points: loose vertices, as for `deforming_contacts`.
            groups: group of each vertex, (n,), for `ignored_groups`.
            ignored_groups: pairs of groups, as for `deforming_contacts`.
            threads: number of threads that find the edges of the faces, here and after changes of
                topology; default: one per core.

        """
        exceptions = (groups, ignored_groups)
        self._begin(_checked("v0", v0), faces, (edges, points), exceptions, threads)

    def _begin(
        self,
        vertices: Floats,
        faces: ArrayLike,
        loose: tuple[ArrayLike | None, ArrayLike | None],
        exceptions: tuple[ArrayLike | None, Iterable[tuple[int, int]]],
        threads: int | None,
    ) -> None:
        """Set the first frame: vertices, faces, loose edges and points, and groups."""
        self._threads = as_threads(threads)
        self._coherence = core.StepMemory()
        self._group_names, self._ignored_groups = None, []
        self._set(vertices, faces, loose_edges(*loose, len(vertices)), *exceptions)
        self._origin = np.arange(len(vertices), dtype=np.int32)
        self._twins = np.empty(0, dtype=np.intp)

    def __getstate__(self) -> dict[str, Any]:
        """Return the mesh at its current frame; a copy starts without coherence."""
        made = ("_features", "_coherence", "edges")
        return {name: getattr(self, name) for name in self.__slots__ if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._vertices.flags.writeable = False
        self._coherence = core.StepMemory()
        count, faces = len(self._vertices), np.ascontiguousarray(self.faces)
        self._features = core.Features(count, faces, self._loose, self._threads)
        self.faces, self.edges = self._features.faces, read_only(self._features.edges())

    @property
    def vertices(self) -> Floats:
        """Vertices of the current frame, (n, 3), read-only."""
        return self._vertices

    def __repr__(self) -> str:
        counts = f"{len(self._vertices)} vertices, {len(self.faces)} faces"
        points = np.count_nonzero(self._loose[:, 0] == self._loose[:, 1])
        edges = len(self._loose) - points
        return f"DeformingMesh({counts}, {edges} loose edges, {points} points)"

    @takes(StepOptions)
    def step(self, v1: ArrayLike, **options: Unpack[StepOptions]) -> StepContacts:
        """Advance to the frame `v1` and return the contacts of the step.

        Method "auto" uses the coherence of the previous step. The model advances even if there is
        contact; `check` and `advance` do one without the other.

        Args:
            v1: vertices at the end of the step, (n, 3).

        """
        return self._advance(_frame("v1", v1), step_options(options))

    @takes(StepOptions)
    def check(self, v1: ArrayLike, **options: Unpack[StepOptions]) -> StepContacts:
        """Return the contacts of a step to the frame `v1`, and stay at the current frame.

        A line search checks several steps from one frame. Method "auto" uses the coherence of the
        previous query, whether it was a step or a check.

        Args:
            v1: vertices at the end of the step, (n, 3).

        """
        return self._contacts(_frame("v1", v1), step_options(options))

    def advance(self, v: ArrayLike) -> None:
        """Move to a frame without checking the step, for example after `check`.

        Args:
            v: vertices of the frame, (n, 3).

        """
        vertices = _checked("v", v)
        self._check_count("v", vertices)
        self._vertices = _own(vertices)

    def retopologize(
        self,
        vertices: ArrayLike,
        faces: ArrayLike,
        origin: ArrayLike,
        *,
        edges: ArrayLike | None = None,
        points: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        ignored_groups: Iterable[tuple[int, int]] | None = None,
    ) -> None:
        """Replace the mesh; the next step starts from the new one.

        Vertices with the same origin and equal coordinates count as one vertex while they stay
        together, so that a closed crack is no contact. An opening crack is no contact either:
        features that touch there at the start are reported only if they touch or cross afterwards.

        Args:
            vertices: vertices of the new mesh at the current time, (n, 3).
            faces: vertex indices of its triangles, (m, 3).
            origin: index of the old vertex from which each new vertex comes, or -1, (n,).
            edges: loose edges of the new mesh; default: none.
            points: loose vertices of the new mesh; default: none.
            groups: group of each vertex, (n,). Default: the group of its origin, or 0 without an
                origin.
            ignored_groups: pairs of groups, as for `deforming_contacts`. Default: the previous
                pairs, including groups that have no vertex any more.

        """
        new = _checked("vertices", vertices)
        old = as_rows("origin", origin, len(new), least=-1, most=len(self._vertices) - 1)
        known = old >= 0
        if groups is None and self._group_names is not None:
            inherited = np.zeros(len(new), dtype=np.int32)
            inherited[known] = self._group_names[self._group[old[known]]]
            groups = inherited
        self._set(new, faces, loose_edges(edges, points, len(new)), groups, ignored_groups)
        self._origin, self._twins = inherited_origins(self._origin, old)

    def _resume(self, origin: Indices, ignored_groups: list[tuple[int, int]]) -> None:
        """Restore origins and ignored groups after earlier changes of the mesh.

        Vertices with equal `origin` come from the same vertex. Ignored groups may have no vertex.
        """
        self._origin, self._twins = inherited_origins(
            origin, np.arange(len(origin), dtype=np.int32)
        )
        if self._group_names is not None:
            self._ignored_groups = ignored_groups
            self._ignored = ignored_table(self._group_names, ignored_groups)

    def _advance(self, end: Floats, options: core.StepOptions) -> StepContacts:
        """Advance to a frame that is already an array of floats."""
        answer = self._contacts(end, options)
        self._vertices = _own(end)
        return answer

    def _contacts(self, end: Floats, options: core.StepOptions) -> StepContacts:
        """Return the contacts of a step to a frame without taking the step."""
        self._check_count("v1", end)
        began = time.perf_counter()
        found = core.step_contacts(
            self._features,
            self._vertices,
            end,
            identity(self._vertices, self._origin, self._twins),
            self._group,
            self._ignored,
            options,
            self._coherence,
        )
        seconds = time.perf_counter() - began
        pairs = moving(found, (self._vertices, end), self.faces, self.edges)
        return StepContacts._lazy(found, self.edges, len(self.faces), seconds, pairs)

    def _check_count(self, name: str, vertices: Floats) -> None:
        if len(vertices) != len(self._vertices):
            wanted = f"{len(self._vertices)} rows, one per vertex of the mesh"
            raise ValueError(f"{name}: expected {wanted}, got {len(vertices)}")

    def _set(
        self,
        vertices: Floats,
        faces: ArrayLike,
        loose: Indices,
        groups: ArrayLike | None,
        ignored_groups: Iterable[tuple[int, int]] | None,
    ) -> None:
        """Set a mesh, or raise an error and stay unchanged."""
        triangles = as_faces("faces", with_rows("faces", faces, 3))
        features = core.Features(len(vertices), triangles, loose, self._threads)
        group, names = numbered_groups(groups, len(vertices))
        pairs = self._ignored_groups
        if ignored_groups is not None:
            pairs = group_pairs(ignored_groups)
            check_known(names, pairs)
        if groups is None and pairs:
            raise ValueError("ignored_groups: requires groups")
        self._ignored, self._ignored_groups = ignored_table(names, pairs), pairs
        self._group_names = None if groups is None else names
        self._vertices, self._features, self._group = _own(vertices), features, group
        # The core copies the faces, because callers may edit their array in place.
        self.faces, self.edges, self._loose = features.faces, read_only(features.edges()), loose


def _frame(name: str, vertices: ArrayLike) -> Floats:
    """Return the vertices of a frame, which the core will check; an empty list has no rows."""
    return as_unchecked(name, with_rows(name, vertices, 3), -1, 3)


def _checked(name: str, vertices: ArrayLike) -> Floats:
    """Return the vertices of a frame after checking that they are finite."""
    return as_shape(name, _frame(name, vertices), -1, 3)


def _own(vertices: Floats) -> Floats:
    """Return a read-only copy, because a simulation may update its array in place."""
    copy = core.copied(vertices)
    copy.flags.writeable = False
    return copy
