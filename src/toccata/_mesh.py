"""Triangle meshes."""

from __future__ import annotations

import os
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._arrays import (
    MOST_INDEX,
    Floats,
    as_faces,
    as_rows,
    as_unchecked,
    came,
    with_rows,
)
from toccata._native import core
from toccata._text import counted
from toccata.typing import BodyLike


class Mesh:
    """A triangle soup with the hierarchy that queries traverse; immutable.

    Queries convert a `trimesh.Trimesh` on every call; for repeated queries make a `Mesh`.

    Args:
        vertices: finite coordinates, (n, 3), at most 1e15 in absolute value.
        faces: vertex indices, (m, 3), 1 to 2^28 - 1 rows, in any order and orientation. Triangles
            may overlap or be degenerate (segments, points).
        solid: True for a closed mesh that bounds a solid: a body that starts inside the solid is an
            initial overlap. Every edge needs an even number of faces; vertices with equal
            coordinates count as one. Closed surfaces may overlap: the solid is their union. A
            closed surface inside another one bounds a cavity if it has the opposite orientation.
            "auto" makes closed orientable components solid, and other components surfaces.
            Integers, (m,), are the number of the solid that each face bounds; 0 means no solid.

    """

    __slots__ = ("_core",)

    def __init__(
        self,
        vertices: ArrayLike,
        faces: ArrayLike,
        solid: bool | Literal["auto"] | ArrayLike = False,
    ) -> None:
        """Check the arrays, copy them and build the hierarchy."""
        positions, triangles = as_unchecked("vertices", vertices, -1, 3), as_faces("faces", faces)
        automatic = isinstance(solid, str) and as_solid(solid) == "auto"
        numbers = _as_solids(True if automatic else solid, len(triangles))
        self._core = core.Mesh(positions, triangles, numbers, automatic)

    @classmethod
    def _where_closed(
        cls, vertices: Floats, faces: NDArray[Any], numbers: NDArray[np.int32]
    ) -> Mesh:
        """Return a mesh in which closed components of faces with equal numbers bound a solid."""
        mesh = object.__new__(cls)
        positions, triangles = as_unchecked("vertices", vertices, -1, 3), as_faces("faces", faces)
        mesh._core = core.Mesh(positions, triangles, numbers, True)
        return mesh

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the arrays; the hierarchy is rebuilt with the same bits."""
        solid = np.array(self._core.solids) if self.solid else False
        return Mesh, (np.array(self.vertices), np.array(self.faces), solid)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        solid: bool | Literal["auto"] | ArrayLike = "auto",
        *,
        scale: float = 1.0,
    ) -> Mesh:
        """Read all triangles of a file: obj, gltf, glb, dae, 3mf, or a format of trimesh.

        Args:
            path: the file.
            solid: as for `Mesh`. "auto" makes closed parts solid; True refuses an open mesh.
            scale: factor of all lengths: 0.001 converts millimeters to meters.

        """
        vertices, faces = read_triangles(path, scale=scale)
        try:
            return cls(vertices, faces, solid)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{os.fspath(path)}: {error}") from error

    @property
    def vertices(self) -> Floats:
        """Coordinates, (n, 3), read-only."""
        return self._core.vertices

    @property
    def faces(self) -> NDArray[np.int32]:
        """Vertex indices, (m, 3), read-only."""
        return self._core.faces

    @property
    def solid(self) -> bool:
        """True if any face of the mesh bounds a solid; `solid_faces` lists these faces."""
        return self._core.solid

    @property
    def solid_faces(self) -> NDArray[np.int32]:
        """Number of the solid that each face bounds, or 0, (m,), read-only."""
        if self.solid:
            return self._core.solids
        none = np.zeros(len(self.faces), dtype=np.int32)
        none.flags.writeable = False
        return none

    @property
    def radius(self) -> float:
        """Radius of a ball that contains the mesh."""
        return self._core.radius

    @property
    def nbytes(self) -> int:
        """Memory held by the mesh and its hierarchy, in bytes."""
        return self._core.nbytes

    def __repr__(self) -> str:
        solid = ", solid" if self.solid else ""
        vertices = counted(len(self.vertices), "vertex", "vertices")
        triangles = counted(len(self.faces), "triangle")
        return f"Mesh({vertices}, {triangles}{solid})"


def as_solid(value: object) -> bool | Literal["auto"]:
    """Check the option `solid` of loaders."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if value == "auto":
        return "auto"
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"solid: expected True, False or 'auto', got {came(value)}")


def _as_solids(solid: bool | ArrayLike, count: int) -> NDArray[np.int32]:
    """Return the solid of each face, or an empty array if no face bounds a solid."""
    if isinstance(solid, bool | np.bool_ | int):
        return np.full(count if solid else 0, 1, dtype=np.int32)
    numbers = with_rows("solid", solid)
    if numbers.dtype == np.bool_:
        numbers = numbers.astype(np.int32)
    return as_rows("solid", numbers, count, least=0, most=MOST_INDEX)


def read_triangles(
    path: str | os.PathLike[str], caller: str = "Mesh.load", scale: float = 1.0
) -> tuple[Any, Any]:
    """Return the vertices and faces of all parts of a mesh file, in the frame of the file."""
    from toccata._files import read_parts
    from toccata._files.part import joined, placed

    all_parts = joined([placed(part) for part in read_parts(path, caller, scale)])
    return all_parts.vertices, all_parts.faces


def as_mesh(name: str, value: BodyLike) -> Mesh:
    """Return `value` if it is a Mesh, or convert a trimesh.Trimesh."""
    if isinstance(value, Mesh):
        return value
    if hasattr(value, "vertices") and hasattr(value, "faces"):
        try:
            return Mesh(value.vertices, value.faces)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from error
    raise TypeError(f"{name}: expected a toccata.Mesh or trimesh.Trimesh, got {came(value)}")
