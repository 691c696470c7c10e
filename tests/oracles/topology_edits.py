"""Random changes of topology, with the origin of vertices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .brute_force import Array, Contacts, Ids, Pair, Step, piercing
from .linear_features import Kind, first_after_start, first_contact, touches

CUTS: dict[Kind, int] = {"vertex-face": 1, "edge-edge": 2}
"""Index of the first vertex of the second feature among the four vertices of a pair."""


@dataclass(frozen=True)
class Mesh:
    """One frame of a mesh; vertices of one root at one position are still one vertex."""

    vertices: Array
    faces: Ids
    roots: Ids

    @property
    def identity(self) -> Ids:
        """A number for each vertex, equal for those that count as one."""
        keys = np.column_stack([self.roots, self.vertices])
        return np.unique(keys, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


@dataclass(frozen=True)
class Edit:
    """A new mesh and the old vertex that each of its vertices comes from, or -1."""

    mesh: Mesh
    origin: Ids


def fresh(vertices: Array, faces: Ids) -> Mesh:
    """Return a mesh whose vertices are all different."""
    return Mesh(vertices, faces, np.arange(len(vertices)))


def edited(rng: np.random.Generator, mesh: Mesh) -> Edit:
    """Make a few random changes at once."""
    faces = mesh.faces.copy()
    origin = np.arange(len(mesh.vertices))
    for _ in range(int(rng.integers(1, 4))):
        faces, origin = split(rng, faces, origin)
    if rng.random() < 0.5:
        faces, origin = cut(rng, mesh, faces, origin)
    lost = rng.random(len(faces)) < 0.1
    twice = faces[rng.integers(len(faces), size=int(rng.integers(0, 3)))]
    faces = np.concatenate([faces[~lost], twice])
    return _renumbered(rng, mesh, faces, origin)


def remeshed(rng: np.random.Generator, mesh: Mesh, *, grows: bool) -> Edit:
    """Refine, coarsen, split, turn over and thin out a mesh; without `grows`, do not refine."""
    faces, origin, vertices = mesh.faces, np.arange(len(mesh.vertices)), mesh.vertices
    for _ in range(int(rng.integers(1, 4)) if grows else 0):
        faces, origin, vertices = refined(rng, faces, origin, vertices)
    for _ in range(int(rng.integers(3))):
        a, b, _ = rng.permuted(rng.choice(faces))
        faces = _some(np.where(faces == a, b, faces), lambda f: (f != np.roll(f, 1, axis=1)).all(1))
    if rng.random() < 0.7:
        faces, copied = split(rng, faces, np.arange(len(origin)))
        origin, vertices = origin[copied], vertices[copied]
    turned = rng.random(len(faces)) < 0.3
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    faces = _some(faces, lambda f: rng.random(len(f)) < 0.9)
    order = rng.permutation(np.unique(faces))
    name = np.full(len(origin), -1)
    name[order] = np.arange(len(order))
    roots = rooted(mesh.roots, origin)
    return Edit(Mesh(vertices[order], name[faces], roots[order]), origin[order])


def refined(
    rng: np.random.Generator, faces: Ids, origin: Ids, vertices: Array
) -> tuple[Ids, Ids, Array]:
    """Split an edge at its middle, with all faces at the edge."""
    i, j, _ = rng.permuted(rng.choice(faces))
    middle = len(origin)
    both = (faces == i).any(axis=1) & (faces == j).any(axis=1)
    halves = [np.where(faces[both] == end, middle, faces[both]) for end in (i, j)]
    point = (vertices[i] + vertices[j]) / 2
    faces = np.concatenate([faces[~both], *halves])
    return faces, np.append(origin, -1), np.concatenate([vertices, [point]])


def _some(faces: Ids, wanted: Callable[[Ids], NDArray[np.bool_]]) -> Ids:
    """Return the faces that are wanted, or all faces if none is."""
    kept = wanted(faces)
    return faces[kept] if kept.any() else faces


def split(rng: np.random.Generator, faces: Ids, origin: Ids) -> tuple[Ids, Ids]:
    """Give some faces at a vertex a copy of the vertex."""
    vertex = int(rng.choice(faces.ravel()))
    moved = (faces == vertex) & (rng.random((len(faces), 1)) < 0.5)
    return np.where(moved, len(origin), faces), np.append(origin, origin[vertex])


def cut(rng: np.random.Generator, mesh: Mesh, faces: Ids, origin: Ids) -> tuple[Ids, Ids]:
    """Part the mesh along a random plane: each side has its own copy of the vertices between."""
    middle = mesh.vertices[origin][faces].mean(axis=1)
    side = (middle - middle.mean(axis=0)) @ rng.normal(size=3) > 0
    rim = np.intersect1d(faces[side], faces[~side])
    copy = np.arange(len(origin))
    copy[rim] = len(origin) + np.arange(len(rim))
    return np.where(side[:, None], copy[faces], faces), np.append(origin, origin[rim])


def opened(rng: np.random.Generator, mesh: Mesh, amount: float) -> Array:
    """Return a next frame in which every face shrinks towards its middle, so that cracks open."""
    middle = mesh.vertices[mesh.faces].mean(axis=1)
    target, count = np.zeros_like(mesh.vertices), np.zeros(len(mesh.vertices))
    for face, center in zip(mesh.faces, middle, strict=True):
        target[face] += center
        count[face] += 1
    used = count > 0
    result = mesh.vertices.copy()
    result[used] += amount * (target[used] / count[used, None] - result[used])
    return result


def moved(rng: np.random.Generator, mesh: Mesh, noise: float) -> Array:
    """Return the next frame: cracks stay closed or open, other vertices move."""
    end = opened(rng, mesh, float(rng.choice([0.0, 0.05])))
    # Vertices with equal ids stay one only if they move together.
    offsets = rng.normal(size=mesh.vertices.shape) * noise
    return end + (offsets[mesh.identity] if rng.random() < 0.5 else offsets)


def after_opening(step: Step, found: Contacts, identity: Ids) -> Contacts:
    """Leave out pairs that stay joined at a vertex, and pairs that touch only as a crack opens.

    Vertices of one identity are one at the start. If they are one at the end too, they stay one.
    """
    kept: Contacts = {"vertex-face": {}, "edge-edge": {}}
    for kind, times in found.items():
        for pair, time in times.items():
            corners = step.corners(kind, np.array([pair]))[0]
            meeting = meeting_of(step, corners, CUTS[kind], identity)
            if meeting == "apart":
                kept[kind][pair] = time
            elif meeting == "opens":
                frames = step.v0[corners].tolist(), step.v1[corners].tolist()
                if (later := first_after_start(kind, *frames)) is not None:
                    kept[kind][pair] = later
    return kept


def pierced_after_opening(step: Step, pairs: set[Pair], identity: Ids) -> set[Pair]:
    """Leave out edges and faces that share a vertex at the start.

    A crack opens between such an edge and its face. If the edge pierces the face at the end but did
    not touch it after the start, it has pierced the face from the start.
    """
    found = set()
    ended = piercing(replace(step, v0=step.v1))
    for e, f in pairs | ended:
        edge, face = step.edges[e], step.faces[f]
        meeting = meeting_of(step, np.concatenate([edge, face]), 2, identity)
        opened = meeting == "opens" and (e, f) in ended and not _touch_later(step, edge, face)
        if opened or (meeting == "apart" and (e, f) in pairs):
            found.add((e, f))
    return found


def meeting_of(step: Step, corners: Ids, cut: int, identity: Ids) -> str:
    """Return whether two features are "apart", "joined" at a vertex, or whether a crack "opens"."""
    shared = [(v, w) for v in corners[:cut] for w in corners[cut:] if identity[v] == identity[w]]
    if any((step.v1[v] == step.v1[w]).all() for v, w in shared):
        return "joined"
    return "opens" if shared else "apart"


def _touch_later(step: Step, edge: Ids, face: Ids) -> bool:
    queries: list[tuple[Kind, list[int]]] = [("vertex-face", [v, *face]) for v in edge]
    queries += [("edge-edge", [*edge, face[k], face[(k + 1) % 3]]) for k in range(3)]
    for kind, ids in queries:
        frames = step.v0[ids].tolist(), step.v1[ids].tolist()
        ask = first_after_start if touches(kind, frames[0], frames[0]) else first_contact
        if ask(kind, *frames) is not None:
            return True
    return False


def rooted(roots: Ids, origin: Ids) -> Ids:
    """Return the roots of new vertices; one that comes from none gets a root of its own."""
    own = int(roots.max(initial=-1)) + 1 + np.arange(len(origin))
    return np.where(origin >= 0, roots[np.maximum(origin, 0)], own)


def _renumbered(rng: np.random.Generator, mesh: Mesh, faces: Ids, origin: Ids) -> Edit:
    """Drop unused vertices, add a new triangle, shuffle the numbers."""
    used = np.unique(faces)
    name = np.full(len(origin), -1)
    name[used] = np.arange(len(used))
    faces, origin = name[faces], origin[used]
    vertices, roots = mesh.vertices[origin], mesh.roots[origin]
    corner = vertices[int(rng.integers(len(vertices)))]
    extra = corner + rng.normal(size=(3, 3)) * 0.3
    faces = np.concatenate([faces, [len(origin) + np.arange(3)]])
    vertices = np.concatenate([vertices, extra])
    roots = np.concatenate([roots, mesh.roots.max() + 1 + np.arange(3)])
    origin = np.concatenate([origin, [-1, -1, -1]])
    order = rng.permutation(len(vertices))
    new = Mesh(vertices[order], np.argsort(order)[faces], roots[order])
    return Edit(new, origin[order])
