"""A roadmap of 10,000 nodes and more than 100,000 certified edges, and queries on it.

An arm stands among pipes. Candidate edges go into a Parquet file, `toccata.scale` checks them with
all cores of the machine, and verdicts come back as arrays. A run of hours would go on where it was
ended, and `executor="dask"` or `"ray"` would take a cluster. `12_roadmap.py 300` makes a small one.
"""

import heapq
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import toccata as tc
from toccata import scale
from toccata.scenes.pipes import pipes
from toccata.scenes.robots import puma

NEIGHBOURS, QUERIES = 26, 5
Floats = NDArray[np.float64]
Edges = NDArray[np.intp]

robot, world = puma(), pipes()


def free_nodes(count: int) -> Floats:
    """Return configurations without contact: a motion that goes nowhere is free there."""
    drawn = robot.random_configurations(3 * count, seed=1)
    found = robot.first_contact_batch(drawn, drawn, world)
    return drawn[found.status == tc.Status.FREE][:count]


def candidates(nodes: Floats) -> Edges:
    """Return pairs of neighbours, i < j."""
    _, near = cKDTree(nodes).query(nodes, NEIGHBOURS + 1)
    pairs = np.column_stack([np.repeat(np.arange(len(nodes)), NEIGHBOURS), near[:, 1:].ravel()])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def certified(nodes: Floats, edges: Edges, folder: Path) -> Edges:
    """Return the edges that are proven free, by way of files as large as they may be."""
    columns = {"i": edges[:, 0], "j": edges[:, 1]}
    columns |= {"q0": list(nodes[edges[:, 0]]), "q1": list(nodes[edges[:, 1]])}
    pq.write_table(pa.table(columns), folder / "motions.parquet")
    summary = scale.check_motions(
        folder / "motions.parquet",
        folder / "verdicts",
        robot=robot,
        world=world,
        ask="free",
        rows_per_part=20_000,
    )
    print(summary)
    verdicts = scale.load(folder / "verdicts", ["i", "j", "status"])
    free = verdicts["status"] == tc.Status.FREE
    return np.column_stack([verdicts["i"], verdicts["j"]])[free]


def graph_of(nodes: Floats, edges: Edges) -> dict[int, list[tuple[float, int]]]:
    """Return the neighbours of each node with their distances."""
    lengths = np.linalg.norm(nodes[edges[:, 0]] - nodes[edges[:, 1]], axis=1)
    graph: dict[int, list[tuple[float, int]]] = {}
    for (i, j), length in zip(edges.tolist(), lengths.tolist(), strict=True):
        graph.setdefault(i, []).append((length, j))
        graph.setdefault(j, []).append((length, i))
    return graph


def joined(nodes: Floats, q: Floats) -> dict[int, float]:
    """Return the nodes that a configuration is connected with, and how far they are."""
    distances, near = cKDTree(nodes).query(q, NEIGHBOURS)
    found = robot.first_contact_batch(np.repeat(q[None], len(near), axis=0), nodes[near], world)
    free = found.status == tc.Status.FREE
    return dict(zip(near[free].tolist(), distances[free].tolist(), strict=True))


def shortest(
    graph: dict[int, list[tuple[float, int]]], first: dict[int, float], last: dict[int, float]
) -> list[int]:
    """Return the nodes of a shortest way by Dijkstra's algorithm; empty if there is none."""
    queue = [(cost, node, -1) for node, cost in first.items()]
    heapq.heapify(queue)
    before: dict[int, int] = {}
    while queue:
        cost, node, came_from = heapq.heappop(queue)
        if node in before:
            continue
        before[node] = came_from
        if node == -2:  # the goal
            return way_to(before)
        for length, other in graph.get(node, []):
            heapq.heappush(queue, (cost + length, other, node))
        if node in last:
            heapq.heappush(queue, (cost + last[node], -2, node))
    return []


def way_to(before: dict[int, int]) -> list[int]:
    way = [before[-2]]
    while before[way[-1]] >= 0:
        way.append(before[way[-1]])
    return way[::-1]


def main(count: int) -> None:
    nodes = free_nodes(count)
    with tempfile.TemporaryDirectory() as folder:
        edges = certified(nodes, candidates(nodes), Path(folder))
    graph = graph_of(nodes, edges)
    print(f"{len(nodes):,} nodes, {len(edges):,} certified edges")
    ends = robot.random_configurations(20 * QUERIES, seed=2)
    ends = ends[robot.first_contact_batch(ends, ends, world).status == tc.Status.FREE]
    for start, goal in zip(ends[:QUERIES], ends[QUERIES : 2 * QUERIES], strict=True):
        way = shortest(graph, joined(nodes, start), joined(nodes, goal))
        if not way:
            print("no way")
            continue
        path = np.concatenate([start[None], nodes[way], goal[None]])
        assert not robot.first_contact_path(path, world), "a way consists of free edges"
        length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        print(f"a way over {len(way)} nodes, {length:.2f} rad, free as a whole")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
