"""Topology changes: cuts along rings of edges, cracks across triangles, elements that vanish."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .steps import Ids
from .surface import MeshArrays, as_mesh


@dataclass(frozen=True, slots=True)
class Pieces:
    """A mesh that was cut: for each vertex its piece, and which vertex of the old mesh it was.

    `source` is the same, but for a vertex that was none (origin -1) the one next to it.
    """

    mesh: MeshArrays
    piece: Ids
    origin: Ids
    source: Ids


def split(mesh: MeshArrays, labels: NDArray[np.integer]) -> Pieces:
    """Cut a mesh between faces of different labels: each label gets its own copy of a vertex.

    Copies of a vertex coincide; whoever needs a gap moves them apart. Vertices keep their order.
    """
    vertices, faces = mesh
    size = int(labels.max()) + 1
    keys, corners = np.unique(faces.astype(np.int64) * size + labels[:, None], return_inverse=True)
    origin, piece = np.divmod(keys, size)
    return Pieces(as_mesh(vertices[origin], corners.reshape(-1, 3)), piece, origin, origin)
