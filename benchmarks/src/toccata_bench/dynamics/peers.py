"""Other engines on the same scenes: time of a step, and penetrations."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Protocol

import numpy as np

import toccata as tc
from toccata._audit import KINDS
from toccata.scenes.worlds import WorldScene
from toccata_bench.dynamics.bullet_peer import Bullet
from toccata_bench.dynamics.frames import Floats
from toccata_bench.dynamics.mujoco_peer import Mujoco
from toccata_bench.dynamics.simulate import FALL
from toccata_bench.peers import optional
from toccata_bench.record import Record

DEEP = 1e-3
"""Depth in meters from which a contact counts as deep."""


class Engine(Protocol):
    """Interface of an engine."""

    def step(self) -> None:
        """Advance by one step of the scene."""

    def poses(self) -> Floats:
        """Return poses (n, 4, 4) in the order of the scene."""

    def depths(self) -> list[float]:
        """Return the depths of contacts as the engine reports them."""

    def close(self) -> None:
        """End the simulation."""


ENGINES: dict[str, tuple[str, bool, Callable[[WorldScene, bool], Engine]]] = {
    "pybullet, hulls": ("pybullet", False, Bullet),
    "pybullet, pieces": ("pybullet", True, Bullet),
    "MuJoCo, hulls": ("mujoco", False, Mujoco),
    "MuJoCo, pieces": ("mujoco", True, Mujoco),
}
"""Module of each engine, whether it uses convex pieces of a body, and its class."""


def measure_peers(scene: WorldScene, steps: int) -> dict[str, Record]:
    """Return a record for each installed engine, with convex pieces only if the scene has some."""
    has_pieces = any(body.pieces for body in scene.bodies.values())
    return {
        name: measure_engine(make(scene, pieces), scene, steps)
        for name, (module, pieces, make) in ENGINES.items()
        if optional(module) and (has_pieces or not pieces)
    }


def measure_engine(engine: Engine, scene: WorldScene, steps: int) -> Record:
    """Time the steps of an engine, and audit its poses in the triangles of the scene."""
    times, poses, deepest, deep = [], [engine.poses()], 0.0, 0
    for step in range(steps):
        begin = process_time()
        engine.step()
        times.append(process_time() - begin)
        poses.append(engine.poses())
        if step % max(1, steps // 30) == 0:
            depths = engine.depths()
            deepest = max([deepest, *depths])
            deep += sum(depth > DEEP for depth in depths)
    engine.close()
    return {
        "steps": steps,
        "step_ms": 1e3 * float(np.mean(times)),
        "fall_ms": 1e3 * float(np.mean(times[:FALL])),
        "deepest": deepest,
        "deep_contacts": deep,
        **audited(scene, np.array(poses)),
    }


def audited(scene: WorldScene, poses: Floats) -> dict[str, int]:
    """Count pairs of bodies in contact by their kind in the audit."""
    # The log ends before the first pose that is not finite.
    finite = np.isfinite(poses).all(axis=(1, 2, 3)).cumprod().astype(bool)
    log: Record = {
        "names": np.array(list(scene.bodies)),
        "times": scene.step * np.arange(len(poses))[finite],
        "poses": poses[finite],
    }
    found = tc.audit(log, scene.meshes())
    return {kind: int((found.kind == code).sum()) for code, kind in enumerate(KINDS)}
