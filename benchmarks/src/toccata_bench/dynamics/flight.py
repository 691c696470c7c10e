"""The row "Bunny Dynamics" of table 1 in Tang, Manocha, Kim 2013: queries of a simulation.

Bunnies of 26,400 triangles fly and collide. In each step, the first contact of each pair is queried
for constant velocities, as in a simulator.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

import toccata as tc
from toccata.scenes.worlds import make_world, mass_properties
from toccata_bench.clock import best_in_turn
from toccata_bench.dynamics.frames import Floats
from toccata_bench.protocol import METHODS
from toccata_bench.record import Record
from toccata_bench.scenes import worlds
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

STEPS = 120
SHARE = 1e-4
"""Tolerance as a fraction of the radius of a bunny. Bodies rest at a thousandth of the radius."""
PUBLISHED = {"c2a-uncontrolled": 0.41, "c2a": 0.22, "hca": 0.15}
"""Milliseconds per query in the paper, on its machine and in its simulation."""


@dataclass(frozen=True, slots=True, eq=False)
class PairQuery:
    """A query of two bunnies that move during a step."""

    mesh: tc.Mesh
    motions: tuple[tc.Motion, tc.Motion]

    def ask(self, method: str) -> tc.Contact:
        """Return the answer of one method."""
        given = {"tolerance": SHARE * self.mesh.radius, **METHODS[method]}
        return tc.first_contact(self.mesh, self.mesh, *self.motions, **given)


def pair_queries(steps: int = STEPS) -> list[PairQuery]:
    """Simulate, and return a query for each pair of bunnies in each step."""
    scene = worlds.get("bunny-dynamics")
    world = make_world(scene, sleeping=False)
    moving = [k for k, name in enumerate(world.names) if scene.bodies[name].moves]
    mesh = world.meshes[world.names[moving[0]]]
    center = mass_properties(scene.bodies[world.names[moving[0]]]).center
    found = []
    for _ in range(steps):
        motions = {
            k: free_motion(world.poses[k], world.velocities[k], center, scene.step) for k in moving
        }
        found += [PairQuery(mesh, (motions[a], motions[b])) for a, b in combinations(moving, 2)]
        world.step()
    return found


def free_motion(pose: Floats, velocity: Floats, center: Floats, duration: float) -> tc.Motion:
    """Return the motion of a body with constant spin and constant velocity of its center."""
    turn = tc.pose(rotvec=velocity[3:] * duration)[:3, :3]
    end = np.array(pose)
    end[:3, :3] = turn @ pose[:3, :3]
    middle = pose[:3, :3] @ center + pose[:3, 3] + velocity[:3] * duration
    end[:3, 3] = middle - end[:3, :3] @ center
    return tc.Motion.linear(pose, end, pivot=center)


def measure_flight(steps: int = STEPS) -> Record:
    """Verify that all methods agree, then return microseconds per query."""
    queries = pair_queries(steps)
    hits = [bool(query.ask("auto")) for query in queries]
    for method in METHODS:
        for k, (query, hit) in enumerate(zip(queries, hits, strict=True)):
            if bool(query.ask(method)) != hit:
                raise WrongAnswer(f"bunny dynamics, query {k}: {method} and auto disagree")
    kinds = {
        "colliding": [query for query, hit in zip(queries, hits, strict=True) if hit],
        "free": [query for query, hit in zip(queries, hits, strict=True) if not hit],
    }
    record: Record = {kind: {"queries": len(some)} for kind, some in kinds.items()}
    for kind, some in kinds.items():
        if some:
            works = [lambda m=method, s=some: [q.ask(m) for q in s] for method in METHODS]
            times = best_in_turn(works, limit=20.0)
            each = (1e6 * took / len(some) for took in times)
            record[kind]["mean_us"] = dict(zip(METHODS, each, strict=True))
    return record


def flight_table(record: Record) -> Table:
    """Return the table: a row for each method, as in the paper."""
    counts = {kind: one["queries"] for kind, one in record.items()}
    rows: list[list[object]] = [
        ["queries", counts["colliding"], counts["free"], sum(counts.values()), None]
    ]
    for method in METHODS:
        some = {kind: record[kind].get("mean_us", {}).get(method) for kind in counts}
        known = [(counts[kind], took) for kind, took in some.items() if took is not None]
        mean = sum(n * took for n, took in known) / sum(n for n, _ in known)
        rows.append([method, some["colliding"], some["free"], mean, PUBLISHED.get(method)])
    title = "Bunny dynamics, table 1 of Tang et al. 2013, microseconds per query"
    return Table(title, ["", "colliding", "free", "average", "paper, average, ms"], rows)
