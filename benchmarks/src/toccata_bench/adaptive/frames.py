"""Two wooden men in real time: frames per second, collisions and response included."""

from __future__ import annotations

from time import process_time

import numpy as np

from toccata.scenes import articulated, worlds
from toccata_bench.record import Record

ACTIVE = 15
_MOST_RUNS = 5


def measure_frames(runs: int, steps: int | None = None) -> Record:
    """Simulate some pairs of men; only frames with contacts count."""
    times, substeps, impacts = [], [], 0
    for seed in range(min(runs, _MOST_RUNS)):
        scene = articulated.wooden_men(seed)
        world = worlds.make_world(scene, sleeping=False, active=ACTIVE)
        for _ in range(steps or scene.steps):
            touched = len(world.contacts) > 0
            begin = process_time()
            report = world.step()
            took = process_time() - begin
            if touched or report.impacts:
                times.append(took)
                substeps.append(report.substeps)
                impacts += report.impacts
    if not times:
        return {}
    return {
        f"{ACTIVE} active": {
            "frames": len(times),
            "per_second": 1 / float(np.mean(times)),
            "frame_ms": 1e3 * float(np.mean(times)),
            "p99_ms": 1e3 * float(np.percentile(times, 99)),
            "substeps": float(np.mean(substeps)),
            "impacts": impacts,
        }
    }
