"""Random robots among random bodies at rest and in motion: the contract by all methods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import size
from oracles.crowd import Crowd, Member, Pair, assert_certified, assert_of_crowd
from oracles.robot import RobotOracle
from oracles.shapes import box, pose, random_rotation
from scipy.interpolate import CubicSpline

import toccata as tc
from toccata._robot.options import METHODS

from .asking import HitRate, bits, naming
from .crowds import Drawn, DrawnScene, any_body

COUNT = 20
KINDS = ("revolute", "revolute", "continuous", "prismatic", "planar", "fixed", "floating")


def any_robot(rng: np.random.Generator) -> tc.Robot:
    """Draw a tree of up to six links, with joints of any kind."""
    names = [f"link {k}" for k in range(rng.integers(3, 7))]
    links = [tc.Link(name, tc.Mesh(*box(rng.uniform(0.05, 0.3, 3)))) for name in names]
    joints = []
    for k, name in enumerate(names[1:], 1):
        kind: Any = str(rng.choice(KINDS[: 7 if k == 1 else 6]))
        parent = names[int(rng.integers(max(0, k - 2), k))]
        origin = pose(rng.uniform(0.15, 0.35, 3) * rng.choice([-1, 1], 3), random_rotation(rng))
        axis = tuple(rng.normal(size=3))
        most = {"revolute": 2.0, "prismatic": 0.4}.get(kind, np.inf)
        joints.append(tc.Joint(f"to {name}", kind, parent, name, origin, axis, -most, most))
    return tc.Robot(links, joints)


@dataclass(frozen=True)
class RobotCase:
    """A robot, the bodies around it, and a motion."""

    robot: tc.Robot
    world: DrawnScene
    q0: NDArray[np.float64]
    q1: NDArray[np.float64]
    self_contact: bool
    path: Any = None
    """Configurations by time, unless straight."""

    def crowd(self) -> Crowd:
        """Return links and bodies as the oracle represents them."""
        oracle = RobotOracle(
            self.robot, {name: body.shape for name, body in self.world.bodies.items()}
        )
        members = {name: body.member() for name, body in self.world.bodies.items()}
        for link in self.robot.link_names:
            mesh = self.robot.links[link].mesh
            members[link] = Member((mesh.vertices, mesh.faces), self.follow(oracle, link))
        return Crowd(members, [(a, b) for a, b, _ in oracle.pairs(self.self_contact)])

    def follow(self, oracle: RobotOracle, link: str) -> Any:
        if self.path is not None:
            return lambda t: oracle.pose(link, self.path(t))
        return lambda t: oracle.pose(link, oracle.at(self.q0, self.q1, t))


def any_case(rng: np.random.Generator) -> RobotCase:
    """Draw a motion of a robot past a few bodies."""
    robot = any_robot(rng)
    q0 = robot.random_configurations(1, int(rng.integers(1 << 30)))[0]
    q1 = robot.random_configurations(1, int(rng.integers(1 << 30)))[0]
    q1 = robot.interpolate(q0, q1, rng.choice([0.1, 0.5, 1.0]))
    centers = rng.normal(size=(int(rng.integers(2, 6)), 3))
    centers *= rng.uniform(0.45, 1.1) / np.linalg.norm(centers, axis=1, keepdims=True)
    bodies = {f"body {k}": smaller(any_body(rng, at, moves=0.3)) for k, at in enumerate(centers)}
    return RobotCase(robot, DrawnScene(bodies), q0, q1, bool(rng.random() < 0.5))


def smaller(body: Drawn) -> Drawn:
    return Drawn((body.shape[0] * 0.5, body.shape[1]), body.path, body.solid)


def drawn(seed: int) -> list[tuple[str, RobotCase, np.random.Generator]]:
    seeds = [(seed, size.SEED, k) for k in range(size.cases(COUNT))]
    rngs = [np.random.default_rng(s) for s in seeds]
    return [(f"seed {s}", any_case(r), r) for s, r in zip(seeds, rngs, strict=True)]


def named(contact: Any) -> Pair | None:
    return (contact.link_a, contact.link_b) if contact else None


def test_robots_keep_the_contract() -> None:
    rate = HitRate()
    for label, case, rng in drawn(1):
        crowd, world = case.crowd(), case.world.scene()
        separation = float(rng.choice([0.0, 0.0, 0.02]))
        how: dict[str, Any] = {"separation": separation, "self_contact": case.self_contact}
        for method in METHODS:
            with naming(f"{label}, {method}, {separation}"):
                ask = {"method": method, "tolerance": float(rng.choice([1e-3, 1e-5])), **how}
                contact = case.robot.first_contact(case.q0, case.q1, world, **ask)
                assert_of_crowd(contact, crowd, separation, named(contact))
                again = case.robot.first_contact(case.q0, case.q1, world, **ask)
                assert bits(again) == bits(contact)
                assert case.robot.motion_is_free(case.q0, case.q1, world, **ask) == (not contact)
        rate.add(crowd.touches(separation))
    rate.check(0.2)


def test_a_budget_never_makes_an_answer_wrong() -> None:
    rate = HitRate()
    for label, case, rng in drawn(2):
        crowd, world = case.crowd(), case.world.scene()
        for method in METHODS:
            budget = int(2.0 ** rng.uniform(0, 7))
            ask: Any = {"method": method, "budget": budget, "self_contact": case.self_contact}
            with naming(f"{label}, {method}, {budget}"):
                contact = case.robot.first_contact(case.q0, case.q1, world, **ask)
                rate.add(contact.status is tc.Status.UNDECIDED)
                if contact.status is tc.Status.UNDECIDED:
                    assert contact.toc == contact.safe_until <= 1
                    assert_certified(contact, crowd, 0.0)
                else:
                    assert_of_crowd(contact, crowd, 0.0, named(contact))
    rate.check(0.1)


def bent(case: RobotCase, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a path that is slow at first and fast later, with its waypoints."""
    far = 3 * (case.q1 - case.q0) + rng.normal(size=case.q0.shape)
    rows = case.q0 + np.array([0.0, 0.02, 0.1, 1.0])[:, None] * far
    return rows, CubicSpline(np.linspace(0, 1, 4), rows, bc_type="clamped")


@pytest.mark.parametrize("method", ["auto", "interval"])
def test_splines_keep_the_contract(method: Any) -> None:
    """Bounds of a slow start do not hold later."""
    rate = HitRate()
    for label, case, rng in drawn(4)[: size.cases(20)]:
        if any(joint.kind == "floating" for joint in case.robot.joints):
            continue
        rows, path = bent(case, rng)
        crowd, world = replace(case, path=path).crowd(), case.world.scene()
        ask: Any = {"method": method, "self_contact": case.self_contact, "spline": "cubic"}
        with naming(label):
            contact = case.robot.first_contact_path(rows, world, tolerance=1e-4, **ask)
            assert_of_crowd(contact, crowd, 0.0, named(contact))
        rate.add(0 < contact.toc < 1)
    rate.check(0.2)


@pytest.mark.parametrize("method", METHODS)
def test_batches_have_the_bits_of_single_queries_on_any_threads(method: Any) -> None:
    for label, case, rng in drawn(3)[: size.cases(4)]:
        world = case.world.scene()
        ends = [case.robot.random_configurations(40, int(rng.integers(1 << 30))) for _ in range(2)]
        how: Any = {"method": method, "self_contact": case.self_contact}
        batches = [
            case.robot.first_contact_batch(*ends, world, threads=n, **how) for n in (1, 2, 8)
        ]
        single = [case.robot.first_contact(*row, world, **how) for row in zip(*ends, strict=True)]
        for batch in batches:
            assert batch.toc.tobytes() == np.array([c.toc for c in single]).tobytes(), label
            assert batch.status.tobytes() == batches[0].status.tobytes(), label
            assert batch.point_a.tobytes() == batches[0].point_a.tobytes(), label
