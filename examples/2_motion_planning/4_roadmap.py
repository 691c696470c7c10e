"""Shows a roadmap of 10,000 nodes and more than 100,000 certified edges, and queries on it.

An arm stands among pipes. A Parquet file contains the candidate edges, `toccata.scale` checks them
on all cores, and the verdicts are arrays. An interrupted run continues where it stopped, and
`executor="dask"` or `"ray"` uses a cluster. `4_roadmap.py 300` makes a small roadmap.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

import toccata as tc
from toccata import scale
from toccata.scenes.pipes import pipes
from toccata.scenes.robots import puma

NEIGHBORS, QUERIES = 26, 5
Floats = NDArray[np.float64]
Edges = NDArray[np.intp]

robot, world = puma(), pipes()


def free_nodes(count: int, seed: int = 1) -> Floats:
    """Return free configurations, each checked as a motion that starts and ends there."""
    drawn = robot.random_configurations(10 * count, seed=seed)
    found = robot.first_contact_batch(drawn, drawn, world)
    return drawn[found.status == tc.Status.FREE][:count]


def candidates(nodes: Floats) -> Edges:
    """Return pairs of neighbors, i < j."""
    _, near = cKDTree(nodes).query(nodes, NEIGHBORS + 1)
    pairs = np.column_stack([np.repeat(np.arange(len(nodes)), NEIGHBORS), near[:, 1:].ravel()])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def certified(nodes: Floats, edges: Edges, folder: Path) -> Edges:
    """Check edges as a dataset in files, and return those that are proven free."""
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


def lengths_of(nodes: Floats, edges: Edges) -> Floats:
    """Return the lengths of edges in radians."""
    return np.linalg.norm(nodes[edges[:, 0]] - nodes[edges[:, 1]], axis=1)


def connections(nodes: Floats, q: Floats, number: int) -> Edges:
    """Return the free edges from a configuration with this node number to its neighbors."""
    _, near = cKDTree(nodes).query(q, NEIGHBORS)
    found = robot.first_contact_batch(np.repeat(q[None], len(near), axis=0), nodes[near], world)
    free = near[found.status == tc.Status.FREE]
    return np.column_stack([np.full(len(free), number), free])


def shortest(nodes: Floats, edges: Edges, start: Floats, goal: Floats) -> Floats | None:
    """Return the configurations of the shortest path (Dijkstra), or None without a path."""
    count = len(nodes)
    points = np.concatenate([nodes, [start, goal]])
    all_edges = [edges, connections(nodes, start, count), connections(nodes, goal, count + 1)]
    edges = np.concatenate(all_edges)
    weights = lengths_of(points, edges), tuple(edges.T)
    graph = csr_array(weights, shape=(count + 2, count + 2))
    distances, before = dijkstra(graph, directed=False, indices=count, return_predecessors=True)
    if np.isinf(distances[count + 1]):
        return None
    path = [count + 1]
    while path[-1] != count:
        path.append(before[path[-1]])
    return points[path[::-1]]


def main(count: int) -> None:
    nodes = free_nodes(count)
    with tempfile.TemporaryDirectory() as folder:
        edges = certified(nodes, candidates(nodes), Path(folder))
    print(f"{len(nodes):,} nodes, {len(edges):,} certified edges")
    ends = free_nodes(2 * QUERIES, seed=2)
    for start, goal in zip(ends[:QUERIES], ends[QUERIES:], strict=True):
        path = shortest(nodes, edges, start, goal)
        if path is None:
            print("no path")
            continue
        assert not robot.first_contact_path(path, world), "the path has free edges only"
        length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        print(f"a path of {len(path) - 1} edges, {length:.2f} rad, proven free")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
