"""Topology changes beyond cuts: cracks across triangles, and elements that vanish."""

import numpy as np
from numpy.typing import NDArray

from toccata.scenes._pieces import Pieces
from toccata.scenes._steps import Floats, Ids
from toccata.scenes.surface import Faces, MeshArrays, Points, as_mesh

# Least distance of a crack from the ends of an edge, and its width, as fractions of the edge.
_MARGIN, _WIDTH = 0.1, 0.15


def without(faces: Faces, lost: NDArray[np.bool_]) -> tuple[Faces, Ids]:
    """Drop lost faces and vertices without faces; return faces and original vertices."""
    origin, corners = np.unique(faces[~lost], return_inverse=True)
    return corners.reshape(-1, 3).astype(np.int32), origin.astype(np.int64)


def cracked(mesh: MeshArrays, sites: Points) -> Pieces:
    """Break a mesh around the origin at the planes between directions `sites`.

    Each vertex belongs to its nearest site. A triangle that a crack crosses loses a strip, so the
    pieces do not touch. New vertices come last and have origin -1.
    """
    vertices, faces = mesh
    label = (vertices @ sites.T).argmax(axis=1)
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64), axis=1)
    sides = sides[label[sides[:, 0]] != label[sides[:, 1]]]
    keys = np.unique(sides[:, 0] * len(vertices) + sides[:, 1])
    ends = np.stack(np.divmod(keys, len(vertices)), axis=1)
    shares = _crossing(vertices[ends], sites[label[ends]])
    near = ends.repeat(2, axis=0)
    start, along = vertices[near[:, 0]], vertices[near[:, 1]] - vertices[near[:, 0]]
    points = np.concatenate([vertices, start + shares.reshape(-1, 1) * along])
    source = np.append(np.arange(len(vertices)), ends)
    origin = np.where(np.arange(len(points)) < len(vertices), source, -1)
    return Pieces(as_mesh(points, _cut_faces(faces, label, keys)), label[source], origin, source)


def _crossing(ends: Floats, sites: Floats) -> Floats:
    """Return the fractions (k, 2) of edges (k, 2, 3) at which both rims of a crack cross them."""
    normal = sites[:, 0] - sites[:, 1]
    heights = np.einsum("ijk,ik->ij", ends, normal)
    middle = heights[:, 0] / (heights[:, 0] - heights[:, 1])
    low = _MARGIN + _WIDTH / 2
    middle = np.clip(middle, low, 1 - low)
    rims: Floats = middle[:, None] + _WIDTH / 2 * np.array([-1.0, 1.0])
    return rims


def _cut_faces(faces: Faces, label: Ids, keys: Ids) -> Ids:
    """Return the triangles with one label, then the remaining corners of the other triangles."""
    names = label[faces]
    same = names == np.roll(names, -1, axis=1)
    whole, apart = same.all(axis=1), ~same.any(axis=1)
    # In a triangle with two labels, the corner with its own label comes first.
    lone = np.flatnonzero(~whole & ~apart)
    first = (same[lone].argmax(axis=1) + 2) % 3
    a, b, c = (faces[lone, (first + k) % 3].astype(np.int64) for k in range(3))

    def near(p: Ids, q: Ids) -> Ids:
        """Return the new vertex next to p on its edge to q."""
        key = np.minimum(p, q) * len(label) + np.maximum(p, q)
        return len(label) + 2 * np.searchsorted(keys, key) + (p > q)

    parts = [faces[whole], (a, near(a, b), near(a, c))]
    parts += [(near(b, a), b, c), (near(b, a), c, near(c, a))]
    p, q, r = faces[apart].T.astype(np.int64)
    parts += [(i, near(i, j), near(i, k)) for i, j, k in ((p, q, r), (q, r, p), (r, p, q))]
    return np.concatenate([parts[0], *(np.stack(part, axis=1) for part in parts[1:])])
