"""Inputs: steps of real simulations, generated models, and sets of elementary queries.

Frames and queries with exact answers are not part of the package (`toccata_bench.data`).
"""

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata_bench.data import find_data
from toccata_bench.deforming.distance import Array, Kind

Ids = NDArray[np.int64]
KINDS: dict[str, Kind] = {"vf": "vertex-face", "ee": "edge-edge"}
# Kinds of steps of a generated model, in order. Studies use the last step of a model.
ORDER = ("free", "few", "many")
# These sets come from simulations; all others are degenerate by design.
SIMULATIONS = ("armadillo-rollers", "cloth-ball", "cloth-funnel")


@dataclass(frozen=True, slots=True)
class Step:
    """Two frames of one mesh, and exact answers about the step between them."""

    label: str
    v0: Array
    v1: Array
    faces: NDArray[np.int32]
    first: float | None = None
    """Exact first contact, inf for none; None if it is not known."""
    contacts: dict[Kind, int] = field(default_factory=dict)
    """Exact numbers of touching pairs, if they are known."""
    roots: NDArray[np.integer[Any]] | None = None
    """Original vertex of each vertex after a cut, -1 if no other vertex shares it."""

    def cut(self, end: float) -> "Step":
        """Return the step until the time `end`, without known answers."""
        ended = self.v0 + end * (self.v1 - self.v0)
        return Step(self.label, self.v0, ended, self.faces, roots=self.roots)

    def identity(self, frame: Array) -> Ids:
        """Return an id for each vertex; both sides of a closed crack share it."""
        if self.roots is None:
            return np.arange(len(frame))
        own = int(self.roots.max(initial=-1)) + 1 + np.arange(len(frame))
        roots = np.where(self.roots >= 0, self.roots, own)
        keys = np.column_stack([roots.astype(np.float64), frame])
        same: Ids = np.unique(keys, axis=0, return_inverse=True)[1].ravel()
        return same


@dataclass(frozen=True, slots=True)
class Model:
    """A named sequence of steps."""

    name: str
    steps: list[Step]
    generated: bool

    @property
    def triangles(self) -> int:
        """Largest number of triangles of a step."""
        return max(len(step.faces) for step in self.steps)


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Elementary queries of one kind with their exact answers."""

    name: str
    kind: Kind
    start: Array
    end: Array
    collides: NDArray[np.bool_]

    @property
    def simulated(self) -> bool:
        """True if the queries come from a simulation."""
        return self.name.startswith(SIMULATIONS)

    def subset(self, keep: NDArray[Any]) -> "QuerySet":
        """Return some of the queries."""
        chosen = self.start[keep], self.end[keep], self.collides[keep]
        return QuerySet(self.name, self.kind, *map(np.ascontiguousarray, chosen))


def missing() -> list[str]:
    """Return a note for each kind of data that is not found."""
    hint = "not found: set TOCCATA_DATA, or put the files into shared/data of the working folder"
    return [f"SKIPPED {name}: {hint}" for name in ("frames", "queries") if find_data(name) is None]


def frame_names() -> list[str]:
    """Return the names of the steps of real simulations that are found."""
    frames = find_data("frames")
    return sorted(f"frames/{path.stem}" for path in frames.glob("*.npz")) if frames else []


def frame(name: str) -> Model:
    """Load one step of a real simulation with its exact answers."""
    frames = find_data("frames")
    assert frames is not None, "the caller asks for names that were listed"
    with np.load(frames.parent / f"{name}.npz") as data:
        first = min(float(data["first_vertex_face"]), float(data["first_edge_edge"]), inf)
        contacts: dict[Kind, int] = {
            "vertex-face": int(data["contacts_vertex_face"]),
            "edge-edge": int(data["contacts_edge_edge"]),
        }
        step = Step(name, data["v0"], data["v1"], data["faces"], first, contacts)
    return Model(name, [step], generated=False)


def model_names() -> list[str]:
    """Return the names of the generated models."""
    from toccata_bench.scenes import deforming

    return list(deforming.NAMES)


def model(name: str, triangles: int | None = None) -> Model:
    """Build a generated model with about `triangles`; keep its last step of each kind."""
    from toccata_bench.scenes import deforming

    kept: dict[str, Step] = {}
    roots: Ids | None = None
    count = 0
    for one in deforming.scene(name, triangles=triangles).steps():
        if one.origin is not None:
            roots = follow(roots if roots is not None else np.arange(count), one.origin)
        count = len(one.v0)
        label = f"{name} {one.label}"
        told = None if roots is None else shared(roots)
        kept[one.kind] = Step(label, one.v0, one.v1, one.faces, roots=told)
    return Model(name, [kept[kind] for kind in ORDER if kind in kept], generated=True)


def follow(roots: Ids, origin: Ids) -> Ids:
    """Return the original vertices of new vertices; vertices without origin get new ids."""
    known = origin >= 0
    fresh = int(roots.max(initial=-1)) + 1 + np.arange(len(origin))
    found: Ids = np.where(known, roots[np.where(known, origin, 0)], fresh)
    return found


def shared(roots: Ids) -> NDArray[np.int32]:
    """Number the original vertices that several vertices share, and return -1 for all others."""
    number, count = np.unique(roots, return_inverse=True, return_counts=True)[1:]
    several = count > 1
    numbers = np.where(several, np.cumsum(several) - 1, -1)
    return numbers[number].astype(np.int32)


def query_sets() -> list[QuerySet]:
    """Load all sets of elementary queries that are found."""
    queries = find_data("queries")
    found = []
    for path in sorted(queries.glob("*_??.npz")) if queries else []:
        kind = KINDS[path.stem[-2:]]
        with np.load(path) as data:
            found.append(QuerySet(path.stem, kind, data["start"], data["end"], data["collides"]))
    return found
