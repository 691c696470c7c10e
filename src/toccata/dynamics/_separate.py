"""Separation of bodies that overlap a little before a simulation starts."""

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
    """Move bodies with mass until all are apart; return the longest displacement.

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
            wanted = "world: expected bodies that come apart"
            raise ValueError(f"{wanted}, got bodies that push each other back")
    except ValueError:
        world.restore(start)
        raise
    ends = zip(world.names, world.poses, strict=True)
    return max((float(np.linalg.norm((p - began[n])[:3, 3])) for n, p in ends), default=0.0)


def overlap(world: World, name_a: str, name_b: str) -> float | None:
    """Return the distance a body must move to be free of another one; None if that is far."""
    moved = name_a if name_a in world._bodies.free else name_b
    other = name_b if moved == name_a else name_a
    shift = _shift_apart(world, moved, other, _limit(world, moved, other))
    return None if shift is None else float(np.linalg.norm(shift)) - world.shell(name_a, name_b)


def _push_pair(world: World, name_a: str, name_b: str, within: float | None) -> None:
    free = [name for name in (name_a, name_b) if name in world._bodies.free]
    if not free:
        raise ValueError(
            f"world: expected bodies that come apart, got {name_a!r} and {name_b!r} in contact, "
            "neither of them with mass"
        )
    moved = free[0]
    other = name_b if moved == name_a else name_a
    limit = _limit(world, moved, other) if within is None else within
    shift = _shift_apart(world, moved, other, limit)
    if shift is None:
        raise ValueError(
            f"world: expected bodies that come apart within {limit:.3g}, got {name_a!r} and "
            f"{name_b!r} deeper in each other"
        )
    poses = dict(zip(world.names, world.poses, strict=True))
    for name in free:
        pose = poses[name].copy()
        pose[:3, 3] += shift * ((1 if name == moved else -1) / len(free))
        world.move(name, pose)


def _limit(world: World, moved: str, other: str) -> float:
    """Return the default limit of displacements: a twentieth of the smaller radius."""
    names = [name for name in (moved, other) if name in world._bodies.free] or [moved, other]
    return _LIMIT_IN_RADII * min(_radius(world.meshes[name]) for name in names)


def _shift_apart(world: World, moved: str, other: str, limit: float) -> Floats | None:
    """Return the shortest translation that takes a body to a shell's distance from another."""
    poses, meshes = dict(zip(world.names, world.poses, strict=True)), world.meshes
    bodies = [(meshes[name], poses[name]) for name in (moved, other)]
    return _shortest_shift(bodies[0], bodies[1], limit, world.shell(moved, other))


def _radius(mesh: Mesh) -> float:
    middle = (mesh.vertices.max(axis=0) + mesh.vertices.min(axis=0)) / 2
    return float(np.linalg.norm(mesh.vertices - middle, axis=1).max())


def _shortest_shift(
    moved: tuple[Mesh, Floats], other: tuple[Mesh, Floats], limit: float, shell: float
) -> Floats | None:
    """Return the shortest translation to a shell's distance along several directions, if any.

    The body starts at the limit, if it is free there, and moves back until it meets the other one.
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
        shift = direction * ((limit + 2 * shell) * (1 - min(found.safe_until, 1.0)))
        if best is None or np.linalg.norm(shift) < np.linalg.norm(best):
            best = shift
    return best


def _directions(moved: tuple[Mesh, Floats], other: tuple[Mesh, Floats]) -> list[Floats]:
    """Return the axes of the world and of both bodies, and the line between their centers."""
    axes = [*np.eye(3), *moved[1][:3, :3].T, *other[1][:3, :3].T]
    centers = [p[:3, :3] @ m.vertices.mean(axis=0) + p[:3, 3] for m, p in (moved, other)]
    line = centers[0] - centers[1]
    size = np.linalg.norm(line)
    both = [sign * axis for axis in axes for sign in (1.0, -1.0)]
    return [*both, line / size] if size > 0 else both
