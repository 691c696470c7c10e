"""Shows a small roadmap planner that uses only edges that are proven free.

A bar has to pass through a window in a wall. Poses are drawn at random, and one batch query checks
all edges between neighbors. The script also counts the blocked edges that sampling accepts.
"""

import heapq
from itertools import pairwise

import numpy as np
import trimesh
from numpy.typing import NDArray

import toccata as tc

CLEARANCE = 0.02
COUNT, NEIGHBORS, SAMPLES = 300, 20, 8
Poses = NDArray[np.float64]

bar = trimesh.creation.box((1.2, 0.15, 0.15))
blocks = [((0.1, 1.0, 2.4), (0, -0.8, 0)), ((0.1, 1.0, 2.4), (0, 0.8, 0))]
blocks += [((0.1, 0.6, 0.9), (0, 0, 0.75)), ((0.1, 0.6, 0.9), (0, 0, -0.75))]
wall = trimesh.util.concatenate(
    [trimesh.creation.box(size, transform=tc.pose(center)) for size, center in blocks]
)


def free(start: Poses, end: Poses) -> NDArray[np.bool_]:
    """Return whether each motion keeps CLEARANCE; UNDECIDED counts as blocked."""
    found = tc.first_contact_batch(bar, wall, start, end, separation=CLEARANCE, tolerance=1e-4)
    return np.asarray(found.status == tc.Status.FREE)


def sampled_free(start: Poses, end: Poses) -> NDArray[np.bool_]:
    """Return whether SAMPLES poses of each motion are free; the motion between them may not be."""
    times = np.linspace(0.0, 1.0, SAMPLES)
    sampled = [tc.Motion.linear(a, b).pose(times) for a, b in zip(start, end, strict=True)]
    poses = np.concatenate(sampled)
    return np.asarray(free(poses, poses).reshape(-1, SAMPLES).all(axis=1))


def draw(rng: np.random.Generator) -> Poses:
    """Return free poses on both sides of the wall: the start, the goal, then random poses."""
    points = rng.uniform((-1.2, -0.4, -0.4), (1.2, 0.4, 0.4), (COUNT, 3))
    turns = rng.uniform(-1.0, 1.0, (COUNT, 3)) * (0.2, 1.0, 2.0)
    ends = [tc.pose((x, 0.0, 0.0), rotvec=(0, 0, np.pi / 2)) for x in (-1.2, 1.2)]
    drawn = [tc.pose(point, rotvec=turn) for point, turn in zip(points, turns, strict=True)]
    poses = np.stack(ends + drawn)
    return poses[free(poses, poses)]


def candidate_edges(poses: Poses) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return pairs (i, j) of neighbors, i < j, and the distance that the ends of the bar move."""
    tips = poses[:, :3, :3] @ np.array([(0.6, -0.6), (0, 0), (0, 0)]) + poses[:, :3, 3:]
    flat = tips.reshape(len(poses), -1)
    lengths = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    near = np.argsort(lengths, axis=1)[:, 1 : 1 + NEIGHBORS]
    pairs = np.stack([np.repeat(np.arange(len(poses)), NEIGHBORS), near.ravel()], axis=1)
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    return edges, lengths[edges[:, 0], edges[:, 1]]


def shortest(edges: NDArray[np.intp], lengths: NDArray[np.float64]) -> list[int]:
    """Return the nodes of the shortest path from 0 to 1 (Dijkstra), or none without a path."""
    graph: dict[int, list[tuple[float, int]]] = {}
    for (i, j), length in zip(edges.tolist(), lengths.tolist(), strict=True):
        graph.setdefault(i, []).append((length, j))
        graph.setdefault(j, []).append((length, i))
    queue: list[tuple[float, list[int]]] = [(0.0, [0])]
    seen: set[int] = set()
    while queue:
        cost, path = heapq.heappop(queue)
        if path[-1] == 1:
            return path
        if path[-1] in seen:
            continue
        seen.add(path[-1])
        for length, node in graph.get(path[-1], []):
            heapq.heappush(queue, (cost + length, [*path, node]))
    return []


def main() -> None:
    poses = draw(np.random.default_rng(3))
    edges, lengths = candidate_edges(poses)
    start, end = poses[edges[:, 0]], poses[edges[:, 1]]
    proven, sampled = free(start, end), sampled_free(start, end)
    print(f"{len(poses)} free poses, {len(edges)} edges, {proven.sum()} proven free")
    print(f"{SAMPLES} samples per edge accept {np.sum(sampled & ~proven)} blocked edges")
    path = shortest(edges[proven], lengths[proven])
    print("path:", " -> ".join(map(str, path)) or "none")
    for i, j in pairwise(path):
        contact = tc.first_contact(
            bar, wall, tc.Motion.linear(poses[i], poses[j]), separation=CLEARANCE, tolerance=1e-4
        )
        assert not contact, "the path has free edges only"


main()
