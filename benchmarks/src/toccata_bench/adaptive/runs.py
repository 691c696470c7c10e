"""Runs of the simulations of Kim et al. 2008: what a simulator asks while bodies collide."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes import articulated, worlds
from toccata.scenes.worlds import WorldScene
from toccata_bench.adaptive import replay
from toccata_bench.adaptive.replay import METHODS, Motions
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.running import progress

Floats = NDArray[np.float64]
Record = dict[str, Any]

ERROR_TIME = 0.5
"""Seconds in which the motion is compared with that of all joints."""
_DYNAMICS_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One simulation: its motions, where links were, and what the dynamics alone took."""

    motions: Motions
    places: Floats
    """(steps, links, 3) at the start of each step."""
    dynamics_us: float


def simulate(name: str, seed: int, active: int, steps: int | None = None) -> Run:
    """Simulate a scene with so many active joints of each body."""
    scene = EXPERIMENTS[name].build(seed)
    world = worlds.make_world(scene, sleeping=False, active=active)
    robot, around = asked(scene)
    start, end, counted, places = [], [], [], []
    for _ in range(steps or scene.steps):
        q, v = state(world, scene)
        start.append(q)
        end.append(moved(scene, q, v))
        places.append(origins(robot, q))
        touched = len(world.contacts) > 0
        report = world.step()
        counted.append(touched or report.impacts > 0)
    motions = Motions(robot, around, np.array(start), np.array(end), np.array(counted))
    return Run(motions, np.array(places), dynamics_time(scene, active))


def asked(scene: WorldScene) -> tuple[tc.Robot, tc.Scene | None]:
    """Return all robots of a scene as one, and what they move among."""
    robots = {name: given.robot for name, given in scene.robots.items()}
    robot = next(iter(robots.values())) if len(robots) == 1 else tc.combine(robots)
    return robot, WorldScene(bodies=scene.bodies).scene() if scene.bodies else None


def state(world: Any, scene: WorldScene) -> tuple[Floats, Floats]:
    """Return configuration and velocities of all robots, side by side."""
    bodies = [world.articulated[name] for name in scene.robots]
    return tuple(np.concatenate([getattr(body, key) for body in bodies]) for key in "qv")  # type: ignore[return-value]


def moved(scene: WorldScene, q: Floats, v: Floats) -> Floats:
    """Return where all robots are after a step with these velocities."""
    ends, at_q, at_v = [], 0, 0
    for given in scene.robots.values():
        floats = given.robot.joints[0].kind == "floating"
        own = q[at_q : at_q + given.robot.dof]
        rates = v[at_v : at_v + given.robot.dof - floats]
        ends.append(_moved(own, rates * scene.step, floats))
        at_q, at_v = at_q + len(own), at_v + len(rates)
    return np.concatenate(ends)


def _moved(q: Floats, change: Floats, floats: bool) -> Floats:
    """Add rates times a time; a floating base turns about axes of the world."""
    if not floats:
        return np.asarray(q + change)
    turned = _product(_quaternion(change[3:6]), q[3:7])
    return np.concatenate([q[:3] + change[:3], turned, q[7:] + change[6:]])


def _quaternion(vector: Floats) -> Floats:
    """Return the quaternion x, y, z, w of a rotation vector."""
    angle = float(np.linalg.norm(vector))
    return np.append(0.5 * np.sinc(angle / (2 * np.pi)) * vector, np.cos(angle / 2))


def _product(a: Floats, b: Floats) -> Floats:
    """Return the quaternion of b, then a."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])


def origins(robot: tc.Robot, q: Floats) -> Floats:
    """Return (links, 3) where the origins of links with geometry are."""
    poses = robot.forward_kinematics(q)
    return np.array([poses[name][:3, 3] for name in robot.link_names])


def dynamics_time(scene: WorldScene, active: int) -> float:
    """Return microseconds of a step of all bodies without contacts, active joints chosen in it."""
    bodies = list(worlds.make_bodies(scene).values())
    begin = process_time()
    for body in bodies:
        body.step(scene.step, active=active, n=_DYNAMICS_STEPS)
    return 1e6 * (process_time() - begin) / _DYNAMICS_STEPS


def measure_scene(name: str, runs: int, steps: int | None, quick: bool = False) -> Record:
    """Return the row of figure 4 for each number of active joints, means over all runs."""
    experiment = EXPERIMENTS[name]
    levels = sorted({1, experiment.quarter, experiment.joints}) if quick else experiment.levels
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
    apart = np.linalg.norm(run.places[:count] - full.places[:count], axis=2)
    return replay.measure(run.motions, name) | {
        "motions": int(run.motions.counted.sum()),
        "dynamics_us": run.dynamics_us,
        "error": float(apart.mean()),
    }


def _mean(rows: list[Record]) -> Record:
    """Return means over runs, each motion counting once; the number of motions is their sum."""
    weights = np.array([row["motions"] for row in rows], dtype=float)
    found: Record = {
        method: {
            key: float(np.average([row[method][key] for row in rows], weights=weights))
            for key in rows[0][method]
        }
        for method in METHODS
    }
    found |= {key: float(np.mean([row[key] for row in rows])) for key in ("dynamics_us", "error")}
    return found | {"motions": int(weights.sum())}
