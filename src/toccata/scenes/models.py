"""Every model of the scenes, and the pairs that the benchmarks measure.

The counts are those of the models in Tang, Manocha, Kim 2013, figure 5 and table 1; the shapes are
our own. All are closed and face outward; hammer and workpiece are unions of closed parts.
"""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .machine import gear, hammer, workpiece
from .organic import club, torus_knot
from .primitives import bar, box, capsule, cylinder, icosphere, plate, sheet, torus
from .surface import MeshArrays, as_mesh, unit

__all__ = [
    "BENCHMARK_PAIRS",
    "MeshArrays",
    "bar",
    "box",
    "bunny",
    "capsule",
    "club",
    "cylinder",
    "gear",
    "hammer",
    "icosphere",
    "plate",
    "read_obj",
    "sheet",
    "torus",
    "torus_knot",
    "unit",
    "workpiece",
]

BENCHMARK_PAIRS: dict[str, Callable[[], tuple[MeshArrays, MeshArrays]]] = {
    "knot-knot": lambda: (torus_knot(), torus_knot()),
    "gear-gear": lambda: (gear(), gear()),
    "club-club": lambda: (club(), club()),
    "hammer-workpiece": lambda: (hammer(), workpiece()),
    "box-box": lambda: (box(), box()),
}
"""Name of a pair -> function that builds its models a and b, each in its own units."""


def bunny() -> MeshArrays | None:
    """Return the Stanford bunny (69.5k triangles, open below), or None where it is not at hand.

    It is looked for in the folder that TOCCATA_DATA names, then in `shared/data` beside the
    working folder or any folder above it.
    """
    here = Path.cwd()
    folders = [folder / "shared" / "data" for folder in (here, *here.parents)]
    if named := os.environ.get("TOCCATA_DATA"):
        folders.insert(0, Path(named))
    paths = (folder / "meshes" / "bunny.obj" for folder in folders)
    found = next((path for path in paths if path.is_file()), None)
    return read_obj(found) if found else None


def read_obj(path: Path) -> MeshArrays:
    """Read the vertices and triangles of a Wavefront file; everything else in it is skipped."""
    lines = [line.split() for line in path.read_text().splitlines()]
    vertices = [row[1:4] for row in lines if row[:1] == ["v"]]
    corners = [row[1:4] for row in lines if row[:1] == ["f"]]
    faces = [[int(corner.partition("/")[0]) - 1 for corner in row] for row in corners]
    return as_mesh(np.array(vertices, dtype=np.float64), faces)
