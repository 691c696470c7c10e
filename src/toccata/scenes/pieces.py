"""Topology changes: cuts that give pieces vertices of their own, and elements that vanish."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .steps import Ids
from .surface import Faces, MeshArrays, as_mesh


@dataclass(frozen=True, slots=True)
class Pieces:
    """A mesh that was cut: for each vertex its piece, and the vertex of the old mesh it was."""

    mesh: MeshArrays
    piece: Ids
    origin: Ids


def split(mesh: MeshArrays, labels: NDArray[np.integer]) -> Pieces:
    """Cut a mesh between faces of different labels: each label gets its own copy of a vertex.

    Copies of a vertex coincide; whoever needs a gap moves them apart. Vertices keep their order.
    """
    vertices, faces = mesh
    size = int(labels.max()) + 1
    keys, corners = np.unique(faces.astype(np.int64) * size + labels[:, None], return_inverse=True)
    origin, piece = np.divmod(keys, size)
    return Pieces(as_mesh(vertices[origin], corners.reshape(-1, 3)), piece, origin)


def without(faces: Faces, lost: NDArray[np.bool_]) -> tuple[Faces, Ids]:
    """Drop the faces marked as lost, and vertices that no face uses; return faces and origin."""
    origin, corners = np.unique(faces[~lost], return_inverse=True)
    return corners.reshape(-1, 3).astype(np.int32), origin.astype(np.int64)
