"""Triangle meshes."""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import MOST_INDEX, Floats, as_faces, as_rows, as_unchecked, moved, with_rows
from toccata._native import core


class Mesh:
    """Any triangle soup, with the hierarchy that queries walk; immutable.

    Args:
        vertices: (n, 3) coordinates.
        faces: (m, 3) vertex numbers. Degenerate triangles (segments, points) are legal.
        solid: True if the mesh is closed: starting wholly inside it is an initial overlap too. Or
            (m,) numbers: faces of one number above 0 bound a solid, those of 0 bound none.

    """

    __slots__ = ("_core",)

    def __init__(
        self, vertices: ArrayLike, faces: ArrayLike, solid: bool | ArrayLike = False
    ) -> None:
        """Check the arrays, copy them and build the hierarchy."""
        places, triangles = as_unchecked("vertices", vertices, -1, 3), as_faces("faces", faces)
        self._core = core.Mesh(places, triangles, _as_solids(solid, len(triangles)))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the arrays; the hierarchy is built again, with the same bits."""
        solid = np.array(self._core.solids) if self.solid else False
        return Mesh, (np.array(self.vertices), np.array(self.faces), solid)

    @classmethod
    def load(cls, path: str | os.PathLike[str], solid: bool | ArrayLike = False) -> Mesh:
        """Read a file of any format that trimesh reads (obj, ply, stl, glb, ...)."""
        return cls(*read_triangles(path), solid=solid)

    @property
    def vertices(self) -> Floats:
        """(n, 3) coordinates, read-only."""
        return self._core.vertices

    @property
    def faces(self) -> NDArray[np.int32]:
        """(m, 3) vertex numbers, read-only."""
        return self._core.faces

    @property
    def solid(self) -> bool:
        """Whether faces of the mesh bound a solid."""
        return self._core.solid

    @property
    def solid_faces(self) -> NDArray[np.int32]:
        """(m,) number of the solid that each face bounds, 0 for none; read-only."""
        if self.solid:
            return self._core.solids
        none = np.zeros(len(self.faces), dtype=np.int32)
        none.flags.writeable = False
        return none

    @property
    def radius(self) -> float:
        """Radius of a ball around the mesh."""
        return self._core.radius

    @property
    def nbytes(self) -> int:
        """Memory held by the mesh and its hierarchy, in bytes."""
        return self._core.nbytes

    def __repr__(self) -> str:
        solid = ", solid" if self.solid else ""
        return f"Mesh({len(self.vertices)} vertices, {len(self.faces)} triangles{solid})"


def _as_solids(solid: bool | ArrayLike, count: int) -> NDArray[np.int32]:
    """Return a number for each face, or none at all if no face bounds a solid."""
    if isinstance(solid, bool | np.bool_ | int):
        return np.full(count if solid else 0, 1, dtype=np.int32)
    numbers = with_rows("solid", solid)
    if numbers.dtype == np.bool_:
        numbers = numbers.astype(np.int32)
    return as_rows("solid", numbers, count, least=0, most=MOST_INDEX)


def read_triangles(path: str | os.PathLike[str]) -> tuple[ArrayLike, ArrayLike]:
    """Return vertices and faces of a mesh file."""
    try:
        import trimesh
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Mesh.load needs trimesh: pip install 'toccata[io]'") from error
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(f"{name}: no such file")
    try:
        mesh: Any = trimesh.load(name, force="mesh", process=False)
        if len(mesh.faces) == 0:
            raise ValueError("no triangles")
        return mesh.vertices, mesh.faces
    except Exception as error:  # every reader of trimesh fails in its own way
        raise ValueError(f"{name}: expected a file that trimesh reads ({error})") from error


def as_mesh(name: str, value: Any, *, solid: bool = False, pose: Floats | None = None) -> Mesh:
    """Return `value` itself if it is a Mesh, or one made from a trimesh.Trimesh at a pose."""
    if isinstance(value, Mesh):
        return value
    if hasattr(value, "vertices") and hasattr(value, "faces"):
        try:
            vertices = as_unchecked("vertices", value.vertices, -1, 3)
            placed = vertices if pose is None else moved(vertices, pose)
            return Mesh(placed, value.faces, solid=solid)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    raise ValueError(
        f"{name}: expected a toccata.Mesh or trimesh.Trimesh, got {type(value).__name__}"
    )
