"""Random pairs of combined robots, with clocks and in sequences: the contract by sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracles import size
from oracles.crowd import Crowd, Member, assert_of_crowd
from oracles.robot import RobotOracle
from oracles.shapes import pose, random_rotation

import toccata as tc
from toccata._robot.options import METHODS

from .asking import HitRate, naming
from .crowds import DrawnScene, any_body
from .test_fuzz_robots import any_robot, named, smaller

COUNT = 12
ClockedPath = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class TwoRobots:
    """Two robots at random poses, and a few bodies."""

    both: tc.Robot
    bases: dict[str, NDArray[np.float64]]
    world: DrawnScene

    def oracle(self) -> RobotOracle:
        shapes = {name: body.shape for name, body in self.world.bodies.items()}
        return RobotOracle(self.both, shapes, self.bases)

    def crowd(self, at: Any, world_at: Any = lambda t: t) -> Crowd:
        """Return links and bodies of the oracle as functions of the time of a path."""
        oracle = self.oracle()
        members = {}
        for name, body in self.world.bodies.items():
            own = body.member()
            follow = lambda t, own=own: own.pose(world_at(t))  # noqa: E731
            members[name] = Member(own.shape, follow, own.solid)
        for link in self.both.link_names:
            mesh = self.both.links[link].mesh
            follow = lambda t, link=link: oracle.pose(link, at(t))  # noqa: E731
            members[link] = Member((mesh.vertices, mesh.faces), follow)
        return Crowd(members, [(a, b) for a, b, _ in oracle.pairs(True)])


def any_two(rng: np.random.Generator) -> TwoRobots:
    robots, bases = {}, {}
    for name, x in (("left", -0.5), ("right", 0.5)):
        base_pose = pose(np.array([x, 0.0, 0.0]) + rng.normal(size=3) * 0.15, random_rotation(rng))
        robots[name] = any_robot(rng).placed(base_pose)
        bases[f"{name}/link 0"] = base_pose
    centers = rng.normal(size=(2, 3))
    centers *= rng.uniform(0.6, 1.2) / np.linalg.norm(centers, axis=1, keepdims=True)
    bodies = {f"body {k}": smaller(any_body(rng, at, moves=0.5)) for k, at in enumerate(centers)}
    return TwoRobots(tc.combine(robots), bases, DrawnScene(bodies))


def drawn(seed: int, count: int = COUNT) -> list[tuple[str, TwoRobots, np.random.Generator]]:
    seeds = [(seed, size.SEED, k) for k in range(size.cases(count))]
    rngs = [np.random.default_rng(s) for s in seeds]
    return [(f"seed {s}", any_two(r), r) for s, r in zip(seeds, rngs, strict=True)]


def rows_of(robot: tc.Robot, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return configurations that are close together."""
    first, last = robot.random_configurations(2, int(rng.integers(1 << 30)))
    shares = np.sort(rng.uniform(0, 0.6, count))
    return np.array([robot.interpolate(first, last, t) for t in shares])


def test_two_robots_keep_the_contract() -> None:
    rate = HitRate()
    for label, case, rng in drawn(11):
        q0, q1 = rows_of(case.both, rng, 2)
        oracle = case.oracle()
        crowd, world = case.crowd(lambda t: oracle.at(q0, q1, t)), case.world.scene()  # noqa: B023
        separation = float(rng.choice([0.0, 0.02]))
        for method in METHODS:
            with naming(f"{label}, {method}, {separation}"):
                ask: Any = {"method": method, "separation": separation, "tolerance": 1e-4}
                contact = case.both.first_contact(q0, q1, world, **ask)
                assert_of_crowd(contact, crowd, separation, named(contact))
                assert case.both.motion_is_free(q0, q1, world, **ask) == (not contact)
        rate.add(crowd.touches(separation))
    rate.check(0.15)


def configuration_at(
    oracle: RobotOracle, case: TwoRobots, paths: dict[str, ClockedPath], t: float
) -> Any:
    """Return the configurations of both at a time of their clocks, interpolated by the oracle."""
    q = np.empty(case.both.dof)
    for name, (times, rows) in paths.items():
        i = int(np.clip(np.searchsorted(times, t, "right") - 1, 0, len(times) - 2))
        share = float(np.clip((t - times[i]) / (times[i + 1] - times[i]), 0, 1))
        part = case.both.members[name]
        ends = np.tile(case.both.zero_configuration(), (2, 1))
        ends[:, part] = rows[i : i + 2]
        q[part] = oracle.at(ends[0], ends[1], share)[part]
    return q


def test_paths_with_clocks_keep_the_contract() -> None:
    rate = HitRate()
    for label, case, rng in drawn(12):
        paths = {}
        for name, part in case.both.members.items():
            count = int(rng.integers(2, 5))
            times = rng.uniform(0, 3) + np.cumsum(rng.uniform(0.1, 1.0, count))
            paths[name] = times, rows_of(case.both, rng, count)[:, part]
        span = np.sort(rng.uniform(0, 5, 2))
        knots = np.concatenate([span, *(times for times, _ in paths.values())])
        start, end = knots.min(), knots.max()
        oracle = case.oracle()

        def at(
            t: float, o: Any = oracle, c: Any = case, w: Any = paths, s: Any = (start, end)
        ) -> Any:
            return configuration_at(o, c, w, s[0] + t * (s[1] - s[0]))

        def world_at(t: float, s: Any = (start, end), span: Any = span) -> float:
            time = s[0] + t * (s[1] - s[0])
            return float(np.clip((time - span[0]) / (span[1] - span[0]), 0, 1))

        crowd, world = case.crowd(at, world_at), case.world.scene()
        for method in METHODS:
            with naming(f"{label}, {method}"):
                contact = case.both.first_contact_path(
                    paths, world, world_times=span, method=method, tolerance=1e-4
                )
                assert_of_crowd(contact, crowd, 0.0, named(contact))
                if contact:
                    np.testing.assert_allclose(contact.q, at(contact.toc), atol=1e-7)
        rate.add(crowd.touches(0.0))
    rate.check(0.15)


def test_sequences_of_robots_keep_the_contract() -> None:
    rate = HitRate()
    for label, case, rng in drawn(13, 6):
        world, oracle = case.world.scene(), case.oracle()
        sequences = {m: tc.RobotSequence(case.both, world, method=m) for m in ("auto", "hca")}
        rows = rows_of(case.both, rng, 2)
        for k in range(3):
            q0, q1 = (rows + rng.uniform(-0.1, 0.1, rows.shape))[:: 1 if k % 2 else -1]
            crowd = case.crowd(lambda t: oracle.at(q0, q1, t))  # noqa: B023
            for method, sequence in sequences.items():
                with naming(f"{label}, {method}, motion {k}"):
                    contact = sequence.first_contact(q0, q1, tolerance=1e-4)
                    assert_of_crowd(contact, crowd, 0.0, named(contact))
            rate.add(crowd.touches(0.0))
    rate.check(0.15)
