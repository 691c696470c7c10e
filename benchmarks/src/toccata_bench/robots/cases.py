"""Cases: robots in their worlds, and motions that start free.

Random motions follow Redon et al. 2004, section 6: from a free configuration, every joint turns by
a random angle, and the largest of these angles is given. Sequences follow Tang et al. 2013, section
6.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes.pipes import pipes
from toccata.scenes.robots import puma, wires
from toccata_bench.scenes import hand, mannequin
from toccata_bench.scenes.chess import chessboard
from toccata_bench.scenes.installed import installed_robot
from toccata_bench.scenes.machine_room import machine_room

Floats = NDArray[np.float64]

ANGLES = (1, 5, 15, 30, 60)
"""Largest angle of a joint in a motion, in degrees."""
KINDS = ("free", "colliding")
_DRAWS = 2_000
_MOST_DRAWS = 12


@dataclass(frozen=True, slots=True)
class Motions:
    """Both ends (n, dof) of some motions."""

    start: Floats
    end: Floats

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, keep: slice | NDArray[np.bool_]) -> Motions:
        return Motions(self.start[keep], self.end[keep])

    def each(self) -> list[Motions]:
        """Return each motion alone."""
        return [self[k : k + 1] for k in range(len(self))]


@dataclass(frozen=True, slots=True)
class Case:
    """A robot, its world, and motions by label and by kind."""

    name: str
    robot: tc.Robot
    world: tc.Scene | None
    levels: dict[str, dict[str, Motions]] = field(default_factory=dict)

    @property
    def triangles(self) -> tuple[int, int]:
        """Number of triangles of the robot and of the world."""
        own = sum(link.triangles for link in self.robot.links.values())
        return own, sum(len(m.faces) for m, _ in self.world._bodies.values()) if self.world else 0


def divide(robot: tc.Robot, world: tc.Scene | None, motions: Motions) -> dict[str, Motions]:
    """Divide motions into free and colliding motions; motions that start in contact are dropped."""
    found = robot.first_contact_batch(motions.start, motions.end, world)
    free = found.status == tc.Status.FREE
    return {"free": motions[free], "colliding": motions[found.status == tc.Status.CONTACT]}


def random_motions(
    robot: tc.Robot,
    world: tc.Scene | None,
    angle: float,
    count: int,
    starts: Callable[[int, int], Floats] | None = None,
) -> dict[str, Motions]:
    """Return the first `count` / 2 random motions of each kind, or fewer."""
    draw = starts or robot.random_configurations
    kinds: dict[str, list[Motions]] = {kind: [] for kind in KINDS}
    for seed in range(_MOST_DRAWS):
        start = draw(_DRAWS, seed)
        end = start + _turn(robot, start, angle, np.random.default_rng(1000 + seed))
        for kind, some in divide(robot, world, Motions(start, end)).items():
            kinds[kind].append(some)
        if all(sum(map(len, some)) >= count // 2 for some in kinds.values()):
            break
    return {kind: _joined(some)[: count // 2] for kind, some in kinds.items()}


def _turn(robot: tc.Robot, start: Floats, angle: float, rng: np.random.Generator) -> Floats:
    """Return random displacements of all joints except floating joints, within the limits."""
    turns = np.array(["/" not in name for name in robot.coordinate_names])
    change = rng.uniform(-1.0, 1.0, start.shape) * turns
    change *= np.radians(angle) / np.abs(change).max(axis=1, keepdims=True)
    outside = (start + change < robot.lower) | (start + change > robot.upper)
    return np.asarray(np.where(outside, -change, change))


def _joined(some: list[Motions]) -> Motions:
    starts, ends = ([getattr(one, end) for one in some] for end in ("start", "end"))
    return Motions(np.concatenate(starts), np.concatenate(ends))


def _levels(
    robot: tc.Robot,
    world: tc.Scene | None,
    count: int,
    starts: Callable[[int, int], Floats] | None = None,
) -> dict[str, dict[str, Motions]]:
    return {f"{angle} deg": random_motions(robot, world, angle, count, starts) for angle in ANGLES}


def _arm(name: str, robot: tc.Robot, world: tc.Scene, count: int) -> Case:
    return Case(name, robot, world, _levels(robot, world, count))


def _ur5_for_wires() -> tc.Robot:
    robot = installed_robot("ur5")
    robot.ignore("base_link", "wire30", "the base stands in it")
    return robot


def hand_case(count: int) -> Case:
    """Return the hand with its palm near the ball and random fingers."""
    robot, world = hand.hand(), hand.ball()

    def starts(size: int, seed: int) -> Floats:
        near = hand.closings(robot, size, seed)[0]
        bent = robot.random_configurations(size, seed)
        bent[:, :7] = near[:, :7]
        return near + 0.5 * (bent - near)

    return Case("hand-ball", robot, world, _levels(robot, world, count, starts))


CASES: dict[str, Callable[[int], Case]] = {
    "ur5-pipes": lambda n: _arm(
        "ur5-pipes", installed_robot("ur5"), pipes(center=(0.0, 0.0, 0.1)), n
    ),
    "ur5-crowd": lambda n: _arm(
        "ur5-crowd", installed_robot("ur5"), pipes(40, center=(0.0, 0.0, 0.1), seed=11), n
    ),
    "ur5-wires": lambda n: _arm("ur5-wires", _ur5_for_wires(), wires(40), n),
    "puma-pipes": lambda n: _arm("puma-pipes", puma(), pipes(), n),
    "puma-room": lambda n: _arm("puma-room", puma(), machine_room(), n),
    "hand-ball": hand_case,
}
"""Functions from the number of motions of a level to a case, by name."""


def _sequence(rows: Floats, stride: int, count: int) -> Motions:
    """Return `count` evenly spread motions from a row to the row `stride` later."""
    starts = np.unique(np.linspace(0, len(rows) - 1 - stride, count).astype(int))
    return Motions(rows[starts], rows[starts + stride])


def exercising(count: int) -> Case:
    """Return the mannequin alone, with self-contacts."""
    robot = mannequin.mannequin()
    motions = _sequence(mannequin.exercising(robot), 6, count)
    return Case("exercising", robot, None, {"all": divide(robot, None, motions)})


def walking(count: int) -> Case:
    """Return the mannequin on the chessboard, on free, narrow and blocked lanes."""
    robot, world = mannequin.mannequin(), chessboard()
    lanes = (-0.06, 0.9, 2.04, -1.12)
    walks = [mannequin.walking(robot, 96, (lane,)) for lane in lanes]
    motions = _joined([_sequence(walk, 5, count // len(lanes)) for walk in walks])
    return Case("walking", robot, world, {"all": divide(robot, world, motions)})


def grasping(count: int) -> Case:
    """Return the hand that approaches the ball and then closes on it."""
    robot, world = hand.hand(), hand.ball()
    parts = [Motions(*make(robot, count // 2)) for make in (hand.approaches, hand.closings)]
    return Case("grasping", robot, world, {"all": divide(robot, world, _joined(parts))})


SEQUENCES = {"exercising": exercising, "walking": walking, "grasping": grasping}
"""Functions from a number of motions to a sequence, by name."""
