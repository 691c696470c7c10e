"""Random motions of a model against another one, after Tang et al. 2013, section 6.1.

Models have bounding radius 1. One model moves straight between two random free poses and turns by
up to half a turn about a random axis. All motions of clubs collide. Two thirds of the motions of
other models collide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import toccata as tc

from ._arguments import as_count, look_up
from .models import BENCHMARK_PAIRS
from .surface import MeshArrays, unit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLEARANCE = 1e-2
"""Least distance at both end poses."""
MARGIN = 1e-3
"""Least distance of free motions at all times, above any sensible tolerance."""
# Offsets of the path from the center of b, which give many motions of the wanted kind.
_OFFSETS = {True: (0.0, 1.0), False: (0.6, 2.1)}
_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Trials:
    """Two models with bounding radius 1, and n motions of `a`; `b` stays at the identity."""

    a: MeshArrays
    b: MeshArrays
    start: Floats
    end: Floats
    collides: Flags


def trials(
    pair: str | tuple[MeshArrays, MeshArrays],
    count: int = 200,
    seed: int = 2013,
    colliding: float | None = None,
) -> Trials:
    """Draw `count` motions in random order; a fraction `colliding` of them collides.

    The same arguments always give the same motions.
    """
    if colliding is None:
        colliding = 1.0 if pair == "club-club" else 2 / 3
    models = pair if isinstance(pair, tuple) else look_up("pair", pair, BENCHMARK_PAIRS)()
    a, b = (unit(*model) for model in models)
    hits = round(colliding * as_count("count", count, 0))
    random = np.random.default_rng(seed)
    meshes = tc.Mesh(*a), tc.Mesh(*b)
    parts = [
        _collect(meshes, random, hits, collides=True),
        _collect(meshes, random, count - hits, collides=False),
    ]
    order = random.permutation(count)
    start, end = (np.concatenate([part[k] for part in parts])[order] for k in range(2))
    return Trials(a, b, start, end, order < hits)


def _collect(
    meshes: tuple[tc.Mesh, tc.Mesh], random: np.random.Generator, count: int, collides: bool
) -> tuple[Floats, Floats]:
    """Draw candidates until `count` of them have free ends and collide, or do not collide."""
    kept = [(np.empty((0, 4, 4)), np.empty((0, 4, 4)))]
    missing = count
    for _ in range(_ROUNDS):
        if missing <= 0:
            break
        start, end = _candidates(random, 8 + 2 * missing, _OFFSETS[collides])
        good = np.flatnonzero(_ends_free(meshes, start, end))
        good = good[_matches(meshes, start[good], end[good], collides)][:missing]
        kept.append((start[good], end[good]))
        missing -= len(good)
    if missing > 0:
        kind = "colliding" if collides else "free"
        raise RuntimeError(f"trials: expected {count} {kind} motions, got {count - missing}")
    return np.concatenate([k[0] for k in kept]), np.concatenate([k[1] for k in kept])


def _ends_free(meshes: tuple[tc.Mesh, tc.Mesh], start: Floats, end: Floats) -> Flags:
    poses = np.concatenate([start, end])
    free = _free(meshes, poses, poses, CLEARANCE)
    return free[: len(start)] & free[len(start) :]


def _matches(meshes: tuple[tc.Mesh, tc.Mesh], start: Floats, end: Floats, collides: bool) -> Flags:
    if collides:
        return ~_free(meshes, start, end, 0.0)
    return _free(meshes, start, end, MARGIN)


def _free(meshes: tuple[tc.Mesh, tc.Mesh], start: Floats, end: Floats, separation: float) -> Flags:

    found = tc.first_contact_batch(*meshes, start, end, separation=separation, tolerance=1e-5)
    free: Flags = np.asarray(found.status) == tc.Status.FREE.value
    return free


def _candidates(
    random: np.random.Generator, count: int, offset: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Draw motions between poses at most 2.5 from the center of b, with a random offset from it."""
    forward, sideways = _directions(random, count), _directions(random, count)
    sideways = _normalized(np.cross(forward, sideways))
    nearest = random.uniform(*offset, (count, 1))
    start, end = (np.tile(np.eye(4), (count, 1, 1)) for _ in range(2))
    for pose, sense in ((start, -1.0), (end, 1.0)):
        distance = random.uniform(np.maximum(1.0, nearest), 2.5)
        along = sense * np.sqrt(distance**2 - nearest**2)
        pose[:, :3, 3] = nearest * sideways + along * forward
    # Uniform rotations, by the axes and angles of uniform unit quaternions.
    quaternion = _normalized(random.standard_normal((count, 4)))
    half = np.arctan2(np.linalg.norm(quaternion[:, 1:], axis=1), quaternion[:, 0])
    start[:, :3, :3] = _rotations(quaternion[:, 1:], 2 * half)
    turn = _rotations(_directions(random, count), random.uniform(0.0, np.pi, count))
    end[:, :3, :3] = turn @ start[:, :3, :3]
    return start, end


def _directions(random: np.random.Generator, count: int) -> Floats:
    return _normalized(random.standard_normal((count, 3)))


def _normalized(vectors: Floats) -> Floats:
    unit_vectors: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit_vectors


def _rotations(axes: Floats, angles: Floats) -> Floats:
    """Return rotation matrices about axes of any length, (n, 3, 3), by Rodrigues' formula."""
    x, y, z = _normalized(axes).T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    rotations: Floats = np.eye(3) + s * cross + (1 - c) * (cross @ cross)
    return rotations
