"""Sampling as in today's planners: pinocchio places the links, coal checks for collisions.

No point moves farther than the resolution between two samples of a motion. Configurations are made
before the clock starts. One compiled call tests all of them and stops at the first collision,
without a loop in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from time import process_time

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata._robot.internal import meshes_of
from toccata_bench.peers import optional
from toccata_bench.robots.cases import Motions
from toccata_bench.robots.pin_model import PinModel

Floats = NDArray[np.float64]

_PIECES = 8


@dataclass(frozen=True, slots=True)
class Samples:
    """Configurations (nq, n) of one motion in the order of the tests, and their times."""

    configurations: Floats
    times: Floats


class Sampler:
    """Sampler for one robot in one world, in the fastest form that pinocchio offers."""

    def __init__(self, robot: tc.Robot, world: tc.Scene | None, probes: Floats) -> None:
        self._pin = optional("pinocchio")
        self.robot = robot
        self._points = {name: _outermost(mesh) for name, mesh in meshes_of(robot).items()}
        forms = {"one mesh": PinModel(robot, world)}
        self.model = forms["one mesh"]
        """Model with the world as one mesh, which distances need."""
        if world is not None and len(world) > 1:
            forms["broad phase"] = PinModel(robot, world, merged=False)
        times = {form: self._time(model, probes) for form, model in forms.items()}
        self.form = min(times, key=lambda form: times[form])
        self._fastest = forms[self.form]

    def _time(self, model: PinModel, probes: Floats) -> float:
        """Return the time of the second run of a model over some configurations."""
        rows = np.asfortranarray(model.configurations(probes).T)
        for _ in range(2):
            begin = process_time()
            self._pin.computeCollisionsInParallel(1, model.pool, rows, True, False)
            took = process_time() - begin
        return took

    def collides(self, row: Floats) -> bool:
        """Test one configuration in pinocchio's order."""
        return self._fastest.collides(row)

    def counts(self, motions: Motions, resolution: float) -> list[int]:
        """Return the number of pieces of each motion."""
        return [
            max(1, ceil(self.travel(q0, q1) / resolution))
            for q0, q1 in zip(motions.start, motions.end, strict=True)
        ]

    def travel(self, q0: Floats, q1: Floats) -> float:
        """Return the travel of the fastest point, as if it kept the highest speed of any piece."""
        samples = []
        for t in np.linspace(0.0, 1.0, _PIECES + 1):
            poses = self.robot.forward_kinematics(self.robot.interpolate(q0, q1, t))
            samples.append(
                np.concatenate(
                    [p @ poses[n][:3, :3].T + poses[n][:3, 3] for n, p in self._points.items()]
                )
            )
        steps = np.linalg.norm(np.diff(samples, axis=0), axis=2)
        return float(_PIECES * steps.max())

    def prepare(self, motions: Motions, counts: list[int], in_order: bool) -> list[Samples]:
        """Return the configurations of all samples except the start, which is known to be free."""
        found = []
        for q0, q1, count in zip(motions.start, motions.end, counts, strict=True):
            times = np.arange(1, count + 1) / count
            if not in_order:
                times = times[halving_order(count)]
            rows = self.robot.interpolate(q0[None], q1[None], times)
            columns = np.asfortranarray(self.model.configurations(rows).T)
            found.append(Samples(columns, times))
        return found

    def first(self, samples: Samples) -> float:
        """Return the time of the first colliding sample in the order of the tests, inf for none."""
        collides = self._pin.computeCollisionsInParallel(
            1, self._fastest.pool, samples.configurations, True, True
        )
        k = int(collides.argmax())
        return float(samples.times[k]) if collides[k] else np.inf

    def first_of_all(self, prepared: list[Samples]) -> list[float]:
        """Return `first` of each motion."""
        return [self.first(samples) for samples in prepared]


def halving_order(count: int) -> NDArray[np.int64]:
    """Return the numbers below `count`: the last, the middle, the quarters, and so on.

    A sample far from all earlier ones is the most likely to collide.
    """
    bits = max(1, count.bit_length())
    backward = [int(f"{count - 1 - k:0{bits}b}"[::-1], 2) for k in range(count)]
    return np.argsort(backward, kind="stable")


def _outermost(mesh: tc.Mesh) -> Floats:
    """Return the extreme vertices in 26 directions; the fastest point is close to one of them."""
    corners = np.array(np.meshgrid(*[(-1, 0, 1)] * 3)).reshape(3, -1).T
    directions = corners[np.abs(corners).sum(axis=1) > 0]
    return np.asarray(mesh.vertices[np.unique((mesh.vertices @ directions.T).argmax(axis=0))])
