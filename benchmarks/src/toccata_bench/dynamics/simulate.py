"""Simulation of a scene: every motion is audited first, then steps are timed."""

from __future__ import annotations

from math import inf
from time import process_time
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes.worlds import WorldScene, get, make_world
from toccata_bench.averages import growth_exponent
from toccata_bench.dynamics.frames import Floats
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

SIZES = (48, 96, 200, 512, 1152)
"""Numbers of rings of the compared heaps. All heaps have eight layers, so density is the same."""
FALL = 120
"""Steps in which all rings of a heap move; the last layer lands after about a second."""
AUDITED = 512
"""Most rings of a heap whose log is audited when growth is measured, because audits take long."""
HEIGHTS = 200
"""Most rows of heights for a plot."""


def measure_world(scene: WorldScene, steps: int, limit: float) -> Record:
    """Simulate with a log and audit it, then simulate again without a log and time the steps.

    No step of the first run begins after the limit. Both runs must end with the same bits.
    """
    logged = Steps(scene, limit)
    kept = logged.world.start_log()
    logged.advance(steps)
    verify(scene.name, kept.arrays())
    timed = Steps(scene)
    timed.advance(len(logged))
    if timed.world.poses.tobytes() != logged.world.poses.tobytes():
        raise WrongAnswer(f"{scene.name}: two runs do not end with the same bits")
    record = about(scene) | timed.record() | {"heights": heights(scene, kept)}
    if any(body.turning is not None for body in scene.bodies.values()):
        record["energy_drift"] = None  # driven bodies do work
    return record


def about(scene: WorldScene) -> Record:
    """Return the size of a scene."""
    moving = sum(body.moves for body in scene.bodies.values())
    return {"bodies": len(scene.bodies), "moving": moving, "triangles": scene.triangles}


def verify(name: str, arrays: Record) -> None:
    """Raise WrongAnswer unless the audit certifies each motion free of contact."""
    found = tc.audit(arrays)
    if len(found):
        pair = ", ".join(found.names[int(row[0])] for row in (found.body_a, found.body_b))
        raise WrongAnswer(f"{name}: {pair}: {found.status.name} at {found.time[0]:.6g} s")


class Steps:
    """A world with the time and report of each step."""

    def __init__(self, scene: WorldScene, limit: float = inf) -> None:
        self.world = make_world(scene, sleeping=False)
        self._limit = limit
        self._before = self.world.energy
        self._times: list[float] = []
        self._reports: list[Any] = []

    def __len__(self) -> int:
        return len(self._times)

    def advance(self, steps: int) -> None:
        """Take steps until the limit, in seconds of processor time, is used up."""
        spent = sum(self._times)
        for _ in range(steps):
            if spent > self._limit:
                break
            begin = process_time()
            report = self.world.step()
            self._times.append(process_time() - begin)
            self._reports.append(report)
            spent += self._times[-1]

    def record(self) -> Record:
        """Return means and sums over all steps."""
        count, times = len(self), np.array(self._times)
        sums = {
            name: sum(getattr(report, name) for report in self._reports)
            for name in ("substeps", "impacts", "truncated")
        }
        least = min(report.least_distance for report in self._reports)
        early = sum(report.stopped > 0 for report in self._reports)
        return {
            "steps": count,
            "step_ms": 1e3 * float(times.mean()),
            "fall_ms": 1e3 * float(times[:FALL].mean()),
            "p99_ms": 1e3 * float(np.percentile(times, 99)),
            "per_second": 1.0 / float(times.mean()),
            "substeps_per_step": sums["substeps"] / count,
            "stopped_early": early / count,
            "least_distance": least if least < inf else None,  # no bodies came near each other
            "energy_drift": self._drift(),
            **{name: sums[name] for name in ("impacts", "truncated")},
        }

    def _drift(self) -> float:
        """Return the largest gain of energy in a step as a fraction of the energy at the start.

        The reported energy from pushing bodies apart does not count.
        """
        energies = [self._before, *(report.energy for report in self._reports)]
        gains = np.diff(energies) - [report.lift for report in self._reports]
        return max(float(gains.max()), 0.0) / max(abs(float(self._before)), 1e-300)


def heights(scene: WorldScene, log: Any) -> list[list[float]]:
    """Return rows of time, mean height and largest height of the moving bodies."""
    moving = [k for k, name in enumerate(log.names) if scene.bodies[name].moves]
    some = np.unique(np.linspace(0, len(log) - 1, HEIGHTS).round().astype(int))
    z: Floats = log.poses[some][:, moving, 2, 3]
    times = log.times[some]
    return [[float(t), float(r.mean()), float(r.max())] for t, r in zip(times, z, strict=True)]


def measure_growth(sizes: tuple[int, ...], steps: int) -> Record:
    """Return the time per step of heaps of several sizes; all but the largest are audited."""
    found: Record = {}
    for size in sizes:
        scene = get("heap", bodies=size)
        if size <= AUDITED:
            found[str(size)] = measure_world(scene, steps, inf)
            del found[str(size)]["heights"]
        else:
            taken = Steps(scene)
            taken.advance(steps)
            found[str(size)] = about(scene) | taken.record()
    times = {int(size): float(one["step_ms"]) for size, one in found.items()}
    return {"sizes": found, "exponent": growth_exponent(times)}
