"""A small roadmap planner: every edge is a motion, and an edge is used only if it is proven free.

A bar has to get through a window in a wall. Configurations are drawn at random; all edges between
neighbours are asked in one batch. What sampling along the edges would have let pass is counted.
"""

import heapq
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes import models
from toccata.scenes.surface import shifted, union

CLEARANCE = 0.02
COUNT, NEIGHBOURS, SAMPLES = 300, 20, 8
Poses = NDArray[np.float64]

bar = tc.Mesh(*models.bar(length=1.2, width=0.15))
side, lintel = models.box((0.1, 1.0, 2.4)), models.box((0.1, 0.6, 0.9))
wall = tc.Mesh(
    *union(
        shifted(side, (0.0, -0.8, 0.0)),
        shifted(side, (0.0, 0.8, 0.0)),
        shifted(lintel, (0.0, 0.0, 0.75)),
        shifted(lintel, (0.0, 0.0, -0.75)),
    )
)


def free(start: Poses, end: Poses) -> NDArray[np.bool_]:
    """Whether each motion keeps its clearance. UNDECIDED is not FREE, so it counts as blocked."""
    found = tc.first_contact_batch(bar, wall, start, end, separation=CLEARANCE, tolerance=1e-4)
    return np.asarray(found.status == tc.Status.FREE)


def sampled_free(start: Poses, end: Poses) -> NDArray[np.bool_]:
    """The usual shortcut: test SAMPLES poses along the way and hope for the best."""
    times = np.linspace(0.0, 1.0, SAMPLES)
    ways = [tc.Motion.linear(a, b).pose(times) for a, b in zip(start, end, strict=True)]
    poses = np.concatenate(ways)
    return np.asarray(free(poses, poses).reshape(-1, SAMPLES).all(axis=1))


def draw(rng: np.random.Generator) -> Poses:
    """Free configurations on both sides; the first is the start, the second the goal."""
    places = rng.uniform((-1.2, -0.4, -0.4), (1.2, 0.4, 0.4), (COUNT, 3))
    turns = rng.uniform(-1.0, 1.0, (COUNT, 3)) * (0.2, 1.0, 2.0)
    ends = [tc.pose((x, 0.0, 0.0), rotvec=(0, 0, np.pi / 2)) for x in (-1.2, 1.2)]
    drawn = [tc.pose(place, rotvec=turn) for place, turn in zip(places, turns, strict=True)]
    poses = np.stack(ends + drawn)
    return poses[free(poses, poses)]


def candidate_edges(poses: Poses) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Pairs (i, j) of neighbours, i < j, with how far the bar's end points travel."""
    tips = poses[:, :3, :3] @ np.array([(0.6, -0.6), (0, 0), (0, 0)]) + poses[:, :3, 3:]
    flat = tips.reshape(len(poses), -1)
    lengths = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    near = np.argsort(lengths, axis=1)[:, 1 : 1 + NEIGHBOURS]
    pairs = np.stack([np.repeat(np.arange(len(poses)), NEIGHBOURS), near.ravel()], axis=1)
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    return edges, lengths[edges[:, 0], edges[:, 1]]


def shortest(edges: NDArray[np.intp], lengths: NDArray[np.float64]) -> list[int]:
    """Node numbers from 0 to 1 by Dijkstra's algorithm; empty if there is no way."""
    ways: dict[int, list[tuple[float, int]]] = {}
    for (i, j), length in zip(edges.tolist(), lengths.tolist(), strict=True):
        ways.setdefault(i, []).append((length, j))
        ways.setdefault(j, []).append((length, i))
    queue: list[tuple[float, list[int]]] = [(0.0, [0])]
    seen: set[int] = set()
    while queue:
        cost, path = heapq.heappop(queue)
        if path[-1] == 1:
            return path
        if path[-1] in seen:
            continue
        seen.add(path[-1])
        for length, node in ways.get(path[-1], []):
            heapq.heappush(queue, (cost + length, [*path, node]))
    return []


def main() -> None:
    poses = draw(np.random.default_rng(3))
    edges, lengths = candidate_edges(poses)
    start, end = poses[edges[:, 0]], poses[edges[:, 1]]
    proven, sampled = free(start, end), sampled_free(start, end)
    print(f"{len(poses)} free configurations, {len(edges)} edges, {proven.sum()} proven free")
    print(
        f"{SAMPLES} samples per edge would have let {np.sum(sampled & ~proven)} blocked ones pass"
    )
    path = shortest(edges[proven], lengths[proven])
    print("path:", " -> ".join(map(str, path)) or "none")
    for i, j in pairwise(path):
        contact = tc.first_contact(
            bar, wall, tc.Motion.linear(poses[i], poses[j]), separation=CLEARANCE, tolerance=1e-4
        )
        assert not contact, "a path consists of free edges"


main()
