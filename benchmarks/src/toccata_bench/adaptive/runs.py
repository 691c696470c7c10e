"""Simulations of Kim et al. 2008 and the queries of a simulator during collisions."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.dynamics import ArticulatedBody, step_bodies
from toccata.scenes import articulated, worlds
from toccata.scenes.worlds import WorldScene
from toccata_bench.adaptive import replay
from toccata_bench.adaptive.replay import METHODS, Motions
from toccata_bench.adaptive.scenes import EXPERIMENTS, quick_levels
from toccata_bench.progress import progress
from toccata_bench.record import Record

Floats = NDArray[np.float64]

ERROR_TIME = 0.5
"""Seconds for which a motion is compared with the motion with all joints active."""
_DYNAMICS_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Motions that a simulation queries, positions of links, and time of the dynamics alone."""

    motions: Motions
    positions: Floats
    """Positions (steps, links, 3) at the start of each step."""
    dynamics_us: float


def simulate(name: str, seed: int, level: int, steps: int | None = None) -> Run:
    """Simulate a scene with `level` active joints per body, chosen again every ten steps.

    In each step the dynamics proposes a motion of these joints, which a simulator would query.
    Contacts act on the bodies but activate no joints.
    """
    scene = EXPERIMENTS[name].build(seed)
    proposing = worlds.make_bodies(scene)
    every = np.ones(len(next(iter(proposing.values())).joint_names), dtype=bool)
    world = worlds.make_world(scene, sleeping=False, active=every)
    robot, around = asked(scene)
    start, end, counted, positions = [], [], [], []
    for _ in range(steps or scene.steps):
        start.append(np.concatenate([body.q for body in world.articulated.values()]))
        end.append(propose(world.articulated, proposing, scene.step, level))
        positions.append(origins(robot, start[-1]))
        touched = len(world.contacts) > 0
        report = world.step()
        counted.append(touched or report.impacts > 0)
    motions = Motions(robot, around, np.array(start), np.array(end), np.array(counted))
    return Run(motions, np.array(positions), dynamics_time(scene, level))


def propose(
    now: dict[str, ArticulatedBody], bodies: dict[str, ArticulatedBody], time: float, level: int
) -> Floats:
    """Return the configurations after a step without contacts; the bodies get its active joints."""
    for name, body in bodies.items():
        body.q, body.v = now[name].q, now[name].v
    step_bodies(bodies.values(), time, active=level)
    for name, body in bodies.items():
        now[name]._core.set_active(body.active.astype(np.uint8))
    return np.concatenate([body.q for body in bodies.values()])


def asked(scene: WorldScene) -> tuple[tc.Robot, tc.Scene | None]:
    """Return all robots of a scene as one robot, and the bodies around them."""
    robots = {name: given.robot for name, given in scene.robots.items()}
    robot = next(iter(robots.values())) if len(robots) == 1 else tc.combine(robots)
    return robot, WorldScene(bodies=scene.bodies).scene() if scene.bodies else None


def origins(robot: tc.Robot, q: Floats) -> Floats:
    """Return the origins (links, 3) of links with geometry."""
    poses = robot.forward_kinematics(q)
    return np.array([poses[name][:3, 3] for name in robot.link_names])


def dynamics_time(scene: WorldScene, active: int) -> float:
    """Return the time of a step of all bodies without contacts in microseconds.

    It includes the choice of the active joints.
    """
    bodies = list(worlds.make_bodies(scene).values())
    begin = process_time()
    step_bodies(bodies, scene.step, active=active, n=_DYNAMICS_STEPS)
    return 1e6 * (process_time() - begin) / _DYNAMICS_STEPS


def measure_scene(name: str, runs: int, steps: int | None, quick: bool = False) -> Record:
    """Return a record for each number of active joints, with means over all runs."""
    experiment = EXPERIMENTS[name]
    levels = quick_levels(experiment) if quick else experiment.levels
    found: dict[int, list[Record]] = {level: [] for level in levels}
    for seed in range(runs):
        progress(f"{name}, run {seed + 1} of {runs}")
        full = simulate(name, seed, experiment.joints, steps)
        for level in levels:
            run = full if level == experiment.joints else simulate(name, seed, level, steps)
            if run.motions.counted.any():
                found[level].append(_measured(run, full, f"{name}, seed {seed}, {level} active"))
    means = {str(level): _mean(rows) for level, rows in found.items() if rows}
    return {"runs": runs, "joints": experiment.joints, "levels": means}


def _measured(run: Run, full: Run, name: str) -> Record:
    count = round(ERROR_TIME / articulated.STEP)
    apart = np.linalg.norm(run.positions[:count] - full.positions[:count], axis=2)
    return replay.measure(run.motions, name) | {
        "motions": int(run.motions.counted.sum()),
        "dynamics_us": run.dynamics_us,
        "error": float(apart.mean()),
    }


def _mean(rows: list[Record]) -> Record:
    """Return means over runs, weighted by motions; the number of motions is their sum."""
    weights = np.array([row["motions"] for row in rows], dtype=float)
    found: Record = {
        method: {
            key: float(np.average([row[method][key] for row in rows], weights=weights))
            for key in rows[0][method]
        }
        for method in METHODS
    }
    for key in ("dynamics_us", "error"):
        found[key] = float(np.mean([row[key] for row in rows]))
    return found | {"motions": int(weights.sum())}
