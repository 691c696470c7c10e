"""Random changes of topology: cuts, splits, losses, additions, and where each vertex comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .brute_force import Array, Contacts, Ids, Pair, Step


@dataclass(frozen=True)
class Mesh:
    """One frame of a mesh; vertices of one root at one place are still one vertex."""

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


def split(rng: np.random.Generator, faces: Ids, origin: Ids) -> tuple[Ids, Ids]:
    """Give some faces at a vertex a copy of it."""
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
    for face, centre in zip(mesh.faces, middle, strict=True):
        target[face] += centre
        count[face] += 1
    used = count > 0
    result = mesh.vertices.copy()
    result[used] += amount * (target[used] / count[used, None] - result[used])
    return result


def without_shared(step: Step, found: Contacts, identity: Ids) -> Contacts:
    """Leave out pairs that share a vertex under another number."""
    kept: Contacts = {"vertex-face": {}, "edge-edge": {}}
    for kind, times in found.items():
        cut = 1 if kind == "vertex-face" else 2
        for pair, time in times.items():
            ids = identity[step.corners(kind, np.array([pair]))[0]]
            if not set(ids[:cut].tolist()) & set(ids[cut:].tolist()):
                kept[kind][pair] = time
    return kept


def pierced_unshared(step: Step, pairs: set[Pair], identity: Ids) -> set[Pair]:
    """Leave out edges and faces that share a vertex under another number."""
    edges = step.edges
    return {
        (e, f)
        for e, f in pairs
        if not set(identity[edges[e]].tolist()) & set(identity[step.faces[f]].tolist())
    }


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
