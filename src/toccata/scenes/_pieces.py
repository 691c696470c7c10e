"""Cuts of meshes along edges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._steps import Ids
from .surface import MeshArrays, as_mesh


@dataclass(frozen=True, slots=True)
class Pieces:
    """A mesh that was cut.

    Each vertex has the number of its `piece`, and as `origin` its index in the old mesh, or -1 if
    the vertex is new. `source` equals `origin`; for new vertices it is the nearest old vertex.
    """

    mesh: MeshArrays
    piece: Ids
    origin: Ids
    source: Ids


def split(mesh: MeshArrays, labels: NDArray[np.integer]) -> Pieces:
    """Cut a mesh between faces of different labels; each label gets its own copies of vertices.

    Copies of a vertex coincide until the caller moves them apart. Vertices keep their order.
    """
    vertices, faces = mesh
    size = int(labels.max()) + 1
    keys, corners = np.unique(faces.astype(np.int64) * size + labels[:, None], return_inverse=True)
    origin, piece = np.divmod(keys, size)
    return Pieces(as_mesh(vertices[origin], corners.reshape(-1, 3)), piece, origin, origin)
