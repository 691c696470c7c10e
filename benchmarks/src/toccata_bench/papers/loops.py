"""Clusters as He et al. 2015 print them (sections 4.1 and 4.2), in plain Python, for pictures.

Unlike the core's clusters, these clusters have no proof, because triangles that face away from a
point may still meet (docs/methods.md). They reproduce the paper's figures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from toccata.scenes.surface import MeshArrays

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


@dataclass(slots=True)
class Leaf:
    """A leaf cluster: its loops of triangles, from the first one outwards."""

    loops: list[list[int]]
    point: Floats = field(default_factory=lambda: np.zeros(3))
    """The observation point that merging uses: the mean of the outermost vertices (eq. 5)."""

    def faces(self, most: int | None = None) -> list[int]:
        """Return the triangles of all loops, or of the first ones."""
        return [face for loop in self.loops[:most] for face in loop]


class Clusters:
    """Leaf clusters of a mesh, and intermediate clusters that join neighbors."""

    def __init__(self, mesh: MeshArrays, depth: float = 0.0) -> None:
        """Cluster a mesh with observation points at a depth behind the middle of a triangle.

        Depth 0 gives the points of eq. 3. Then even a slightly concave triangle ends a cluster.
        """
        self.vertices, self.faces = mesh
        self._depth = depth
        corners = self.vertices[self.faces]
        self._first = corners[:, 0]
        self._normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        self._around = _faces_at(self.faces, len(self.vertices))
        self.leaf_of = np.full(len(self.faces), -1)
        self.leaves: list[Leaf] = []
        self.joins: list[tuple[int, int]] = []
        for face in range(len(self.faces)):
            if self.leaf_of[face] < 0:
                self._grow(face)
        self.cluster_of = self._merge()

    @property
    def count(self) -> int:
        """The number of intermediate clusters."""
        return int(self.cluster_of.max()) + 1

    def around(self, faces: list[int]) -> list[int]:
        """Return the triangles that share a vertex with any of the given triangles."""
        corners = np.unique(self.faces[faces])
        return sorted({face for corner in corners for face in self._around[corner]})

    def _grow(self, seed: int) -> None:
        """Add loops while all of their triangles face away from the middle of the seed."""
        normal = self._normals[seed] / max(float(np.linalg.norm(self._normals[seed])), 1e-300)
        point = self.vertices[self.faces[seed]].mean(axis=0) - self._depth * normal
        leaf = Leaf([[seed]])
        number = len(self.leaves)
        self.leaf_of[seed] = number
        while ring := self._next_loop(leaf.loops[-1]):
            if not self._faces_away(ring, point):
                break
            leaf.loops.append(ring)
            self.leaf_of[ring] = number
        leaf.point = self.vertices[np.unique(self.faces[leaf.loops[-1]])].mean(axis=0)
        leaf.point -= self._depth * normal
        self.leaves.append(leaf)

    def _next_loop(self, loop: list[int]) -> list[int]:
        """Return the triangles around a loop that belong to no cluster yet."""
        return [face for face in self.around(loop) if self.leaf_of[face] < 0]

    def _faces_away(self, faces: list[int], point: Floats) -> bool:
        """Return whether all triangles face away from the point (eq. 2, with room for rounding)."""
        arms = self._first[faces] - point
        sides = (self._normals[faces] * arms).sum(axis=1)
        scale = np.linalg.norm(self._normals[faces], axis=1) * np.linalg.norm(arms, axis=1)
        return bool((sides >= -1e-9 * scale).all())

    def _merge(self) -> Ids:
        """Join each leaf with the cluster of a neighbor if algorithms 1 and 2 allow it."""
        boxes = [self.box(k) for k in range(len(self.leaves))]
        joined = np.full(len(self.leaves), -1)
        members: list[list[int]] = []
        for number in range(len(self.leaves)):
            for other in self._neighbors(number):
                if joined[other] >= 0 and self._may_join(
                    number, other, members[joined[other]], boxes
                ):
                    joined[number] = joined[other]
                    members[joined[other]].append(number)
                    self.joins.append((number, other))
                    break
            else:
                joined[number] = len(members)
                members.append([number])
        return np.asarray(joined[self.leaf_of])

    def _neighbors(self, number: int) -> list[int]:
        """Return the leaves that share a vertex with the outermost loop of a leaf."""
        beside = self.around(self.leaves[number].loops[-1])
        return sorted({int(self.leaf_of[face]) for face in beside} - {number})

    def _may_join(
        self, number: int, other: int, members: list[int], boxes: list[tuple[Floats, Floats]]
    ) -> bool:
        """Return whether outer loops face away from the point and other boxes are apart."""
        one, two = self.leaves[number], self.leaves[other]
        if not self._faces_away(one.loops[-1] + two.loops[-1], one.point):
            return False
        inner = self.box(other, inner=True)
        rest = [boxes[k] for k in members if k != other]
        return not any(_overlap(boxes[number], box) for box in (inner, *rest))

    def box(self, number: int, inner: bool = False) -> tuple[Floats, Floats]:
        """Return the box around a leaf or its inner loops; an empty box meets nothing."""
        faces = self.leaves[number].faces(-1 if inner else None)
        if not faces:
            return np.full(3, np.inf), np.full(3, -np.inf)
        points = self.vertices[self.faces[faces]].reshape(-1, 3)
        return points.min(axis=0), points.max(axis=0)


def _overlap(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> bool:
    return bool((a[0] <= b[1]).all() and (b[0] <= a[1]).all())


def _faces_at(faces: NDArray[np.integer], count: int) -> list[list[int]]:
    """Return the faces around each vertex."""
    found: list[list[int]] = [[] for _ in range(count)]
    for face, corners in enumerate(faces.tolist()):
        for corner in corners:
            found[corner].append(face)
    return found
