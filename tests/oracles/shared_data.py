"""Data with exact answers that is kept outside of the project.

The data is searched in the folder TOCCATA_DATA, then in `shared/data` beside the project or above
it. Tests without their data are skipped with a message.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from .linear_features import Kind

Array = NDArray[np.float64]
MISSING = "shared/data is not at hand (set TOCCATA_DATA): exact answers of real steps are not used"


@dataclass(frozen=True)
class Queries:
    """Elementary queries and whether they touch, exactly."""

    kind: Kind
    start: Array
    end: Array
    collides: NDArray[np.bool_]


@dataclass(frozen=True)
class Frames:
    """One step of a simulation, with the exact number of touching pairs and their first time."""

    v0: Array
    v1: Array
    faces: NDArray[np.int32]
    contacts: dict[Kind, int]
    first: dict[Kind, float]


def folder() -> Path | None:
    """Return the folder of the data, None if it is not found."""
    root = Path(__file__).resolve().parents[2]
    folders = [path_of_data / "shared" / "data" for path_of_data in (root, *root.parents)]
    if named := os.environ.get("TOCCATA_DATA"):
        folders.insert(0, Path(named))
    return next((path_of_data for path_of_data in folders if path_of_data.is_dir()), None)


def names(part: str) -> list[str]:
    """Return the names of the files of one part, "queries" or "frames"; none if it is missing."""
    path_of_data = folder()
    return sorted(path.stem for path in (path_of_data / part).glob("*.npz")) if path_of_data else []


def parameters(part: str) -> list[object]:
    """Return the names of one part as parameters of a test, or one parameter that skips."""
    found: list[object] = list(names(part))
    return found or [pytest.param("missing", marks=pytest.mark.skip(reason=MISSING))]


def queries(name: str) -> Queries:
    """Load one set of queries."""
    with np.load(_path("queries", name)) as data:
        kind: Kind = "vertex-face" if name.endswith("_vf") else "edge-edge"
        return Queries(kind, data["start"], data["end"], data["collides"])


def frames(name: str) -> Frames:
    """Load one step."""
    with np.load(_path("frames", name)) as data:
        return Frames(
            data["v0"],
            data["v1"],
            data["faces"],
            {
                "vertex-face": int(data["contacts_vertex_face"]),
                "edge-edge": int(data["contacts_edge_edge"]),
            },
            {
                "vertex-face": float(data["first_vertex_face"]),
                "edge-edge": float(data["first_edge_edge"]),
            },
        )


def _path(part: str, name: str) -> Path:
    path_of_data = folder()
    assert path_of_data is not None, MISSING
    return path_of_data / part / f"{name}.npz"
