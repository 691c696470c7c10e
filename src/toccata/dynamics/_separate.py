"""Separation of slightly overlapping bodies before a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._proximity import distance
from toccata._query import first_contact

if TYPE_CHECKING:
    from toccata.dynamics._world import World

_LIMIT_IN_RADII = 0.05
_ROUNDS = 50


def push_apart(world: World, within: float | None) -> float:
    """Move bodies with mass until all bodies are apart; return the longest displacement.

    Raises ValueError and moves no body if a pair does not come apart within the limit.
    """
    start, before = world.save(), world.poses
    try:
        for _ in range(_ROUNDS * max(len(world), 1)):
            pair = world._touching()
            if pair is None:
                break
            _push_pair(world, *pair[:2], within)
        else:
            wanted = "world: expected bodies that come apart"
            raise ValueError(f"{wanted}, got bodies that push each other back")
    except ValueError:
        world.restore(start)
        raise
    moved = np.linalg.norm((world.poses - before)[:, :3, 3], axis=1)
    return float(moved.max(initial=0.0))


def overlap(world: World, name_a: str, name_b: str) -> float | None:
    """Return how far a body must move to leave another body, or None if it is too deep inside."""
    moved, other = (name_a, name_b) if name_a in world._bodies.free else (name_b, name_a)
    shift = _shift_apart(world, moved, other, _limit(world, moved, other))
    return None if shift is None else float(np.linalg.norm(shift)) - world.shell(name_a, name_b)


def _push_pair(world: World, name_a: str, name_b: str, within: float | None) -> None:
    free = [name for name in (name_a, name_b) if name in world._bodies.free]
    got = f"got {name_a!r} and {name_b!r}"
    if not free:
        got += " in contact, both without mass"
        raise ValueError(f"world: expected bodies that come apart, {got}")
    moved, other = (name_a, name_b) if name_a == free[0] else (name_b, name_a)
    limit = _limit(world, moved, other) if within is None else within
    shift = _shift_apart(world, moved, other, limit)
    if shift is None:
        wanted = f"bodies that come apart within {limit:.3g}"
        raise ValueError(f"world: expected {wanted}, {got}, which overlap more deeply")
    for name in free:
        pose = _pose(world, name).copy()
        pose[:3, 3] += shift * ((1 if name == moved else -1) / len(free))
        world.move(name, pose)


def _pose(world: World, name: str) -> Floats:
    return np.asarray(world.poses[world.names.index(name)])


def _limit(world: World, moved: str, other: str) -> float:
    """Return the default limit of displacements, a twentieth of the smaller radius."""
    names = [name for name in (moved, other) if name in world._bodies.free] or [moved, other]
    return _LIMIT_IN_RADII * min(_radius(world.meshes[name]) for name in names)


def _shift_apart(world: World, moved: str, other: str, limit: float) -> Floats | None:
    """Return the shortest translation that brings a body to the shell of another body.

    In each of several directions, the body starts at the limit if it is free there, and moves back
    until it meets the other body. Return None if the body is free in no direction.
    """
    (mesh_a, pose_a), (mesh_b, pose_b) = bodies = [
        (world.meshes[name], _pose(world, name)) for name in (moved, other)
    ]
    shell = world.shell(moved, other)
    best: Floats | None = None
    for direction in _directions(*bodies):
        far = pose_a.copy()
        far[:3, 3] += direction * (limit + 2 * shell)
        if distance(mesh_a, mesh_b, far, pose_b).lower <= 1.1 * shell:
            continue
        back = Motion.linear(far, pose_a)
        found = first_contact(mesh_a, mesh_b, back, pose_b, separation=shell, tolerance=shell / 20)
        shift = direction * ((limit + 2 * shell) * (1 - min(found.safe_until, 1.0)))
        if best is None or np.linalg.norm(shift) < np.linalg.norm(best):
            best = shift
    return best


def _radius(mesh: Mesh) -> float:
    middle = (mesh.vertices.max(axis=0) + mesh.vertices.min(axis=0)) / 2
    return float(np.linalg.norm(mesh.vertices - middle, axis=1).max())


def _directions(moved: tuple[Mesh, Floats], other: tuple[Mesh, Floats]) -> list[Floats]:
    """Return the axes of the world and of both bodies, and the line between their centers."""
    axes = [*np.eye(3), *moved[1][:3, :3].T, *other[1][:3, :3].T]
    centers = [p[:3, :3] @ m.vertices.mean(axis=0) + p[:3, 3] for m, p in (moved, other)]
    line = centers[0] - centers[1]
    size = np.linalg.norm(line)
    both = [sign * axis for axis in axes for sign in (1.0, -1.0)]
    return [*both, line / size] if size > 0 else both
