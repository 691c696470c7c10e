"""Pushing bodies apart that overlap a little, before a simulation starts."""

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
    """Move bodies with mass along straight lines until all are apart; return the longest way.

    Raises ValueError, and moves nothing, if a pair does not come apart within the limit.
    """
    start = world.save()
    began = dict(zip(world.names, world.poses, strict=True))
    try:
        for _ in range(_ROUNDS * max(len(world), 1)):
            pair = world._touching()
            if pair is None:
                break
            _push_pair(world, *pair[:2], within)
        else:
            raise ValueError("world: expected bodies that come apart, but they push each other")
    except ValueError:
        world.restore(start)
        raise
    ends = zip(world.names, world.poses, strict=True)
    return max((float(np.linalg.norm((p - began[n])[:3, 3])) for n, p in ends), default=0.0)


def overlap(world: World, name_a: str, name_b: str) -> float | None:
    """Return how far one of two bodies in contact has to be moved to be free, if not far."""
    moved = name_a if name_a in world._free else name_b
    other = name_b if moved == name_a else name_a
    way = _way_apart(world, moved, other, _limit(world, moved, other))
    return None if way is None else float(np.linalg.norm(way)) - world.shell(name_a, name_b)


def _push_pair(world: World, name_a: str, name_b: str, within: float | None) -> None:
    free = [name for name in (name_a, name_b) if name in world._free]
    if not free:
        raise ValueError(
            f"world: expected bodies that come apart, got {name_a!r} and {name_b!r} in contact, "
            "neither of them a free body"
        )
    moved = free[0]
    other = name_b if moved == name_a else name_a
    limit = _limit(world, moved, other) if within is None else within
    way = _way_apart(world, moved, other, limit)
    if way is None:
        raise ValueError(
            f"world: expected bodies that come apart within {limit:.3g}, got {name_a!r} and "
            f"{name_b!r} deeper in each other"
        )
    poses = dict(zip(world.names, world.poses, strict=True))
    for name in free:
        pose = poses[name].copy()
        pose[:3, 3] += way * ((1 if name == moved else -1) / len(free))
        world.move(name, pose)


def _limit(world: World, moved: str, other: str) -> float:
    """Return how far bodies are moved at most, unless something else is asked for."""
    names = [name for name in (moved, other) if name in world._free] or [moved, other]
    return _LIMIT_IN_RADII * min(_radius(world.meshes[name]) for name in names)


def _way_apart(world: World, moved: str, other: str, limit: float) -> Floats | None:
    """Return the shortest way of one body to a shell away from another, if there is one."""
    poses, meshes = dict(zip(world.names, world.poses, strict=True)), world.meshes
    bodies = [(meshes[name], poses[name]) for name in (moved, other)]
    return _shortest_way(bodies[0], bodies[1], limit, world.shell(moved, other))


def _radius(mesh: Mesh) -> float:
    middle = (mesh.vertices.max(axis=0) + mesh.vertices.min(axis=0)) / 2
    return float(np.linalg.norm(mesh.vertices - middle, axis=1).max())


def _shortest_way(
    moved: tuple[Mesh, Floats], other: tuple[Mesh, Floats], limit: float, shell: float
) -> Floats | None:
    """Return the shortest translation to a distance of a shell, of several directions.

    A body is put at the limit, if it is free there, and moved back until it meets the other one.
    """
    best: Floats | None = None
    for direction in _directions(moved, other):
        far = moved[1].copy()
        far[:3, 3] += direction * (limit + 2 * shell)
        if distance(moved[0], other[0], far, other[1]).lower <= 1.1 * shell:
            continue
        back = Motion.linear(far, moved[1])
        found = first_contact(
            moved[0], other[0], back, other[1], separation=shell, tolerance=shell / 20
        )
        way = direction * ((limit + 2 * shell) * (1 - min(found.safe_until, 1.0)))
        if best is None or np.linalg.norm(way) < np.linalg.norm(best):
            best = way
    return best


def _directions(moved: tuple[Mesh, Floats], other: tuple[Mesh, Floats]) -> list[Floats]:
    """Return the axes of the world, those of both bodies, and the line between their middles."""
    axes = [*np.eye(3), *moved[1][:3, :3].T, *other[1][:3, :3].T]
    middles = [p[:3, :3] @ m.vertices.mean(axis=0) + p[:3, 3] for m, p in (moved, other)]
    line = middles[0] - middles[1]
    size = np.linalg.norm(line)
    both = [sign * axis for axis in axes for sign in (1.0, -1.0)]
    return [*both, line / size] if size > 0 else both
