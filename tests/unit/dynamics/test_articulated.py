"""Articulated bodies: accelerations, impulses, energy and forces, by independent judges."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from oracles.articulated import (
    GRAVITY,
    Floats,
    NewtonEuler,
    chain,
    frame_jacobian,
    random_body,
    some_mass,
)
from oracles.size import FACTOR, SEED, cases

import toccata as tc
from toccata.dynamics import ArticulatedBody
from toccata.scenes import models

KINDS = ("revolute", "prismatic", "planar", "floating")


def some_body(
    rng: np.random.Generator, n: int, **how: Any
) -> tuple[ArticulatedBody, NewtonEuler, Floats]:
    """Return a body in motion, its judge, and joint forces."""
    robot, masses = random_body(rng, n, **how)
    body = ArticulatedBody(robot, GRAVITY, inertias=masses)
    body.q = robot.random_configurations(1, int(rng.integers(1 << 30)))[0]
    body.v = rng.normal(size=body.freedoms)
    return body, NewtonEuler(robot, masses), rng.normal(size=body.freedoms)


def relative(got: Floats, wanted: Floats) -> float:
    return float(np.abs(got - wanted).max() / max(1.0, np.abs(wanted).max()))


SIZES = (1, 2, 5, 10, 30, 100, *((300,) if FACTOR > 1 else ()))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("branching", [0.0, 0.3, 1.0])
def test_accelerations_are_those_of_pinocchio(n: int, branching: float) -> None:
    from oracles.pinocchio_dynamics import PinocchioBody

    rng = np.random.default_rng([SEED, n])
    # Pinocchio takes memory of the third power of the freedoms.
    kinds = KINDS if n < 50 else KINDS[:2]
    body, oracle, tau = some_body(rng, n, kinds=kinds, branching=branching)
    judge = PinocchioBody(body.robot, oracle.masses)
    wanted = judge.acceleration(body.q, body.v, tau)
    assert relative(body.acceleration(body.q, body.v, tau), wanted) < 1e-10


@pytest.mark.parametrize("case", range(cases(12)))
def test_accelerations_need_the_forces_that_act(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    body, oracle, tau = some_body(rng, int(rng.integers(1, 15)), mimics=0.3 * (case % 2))
    q, v = body.q, body.v
    a = body.acceleration(q, v, tau)
    assert relative(oracle.forces(q, v, a), tau) < 1e-10
    rows = body.acceleration([q, q], [v, 0 * v], [tau, tau])
    assert (rows[0] == a).all()
    assert relative(oracle.forces(q, 0 * v, rows[1]), tau) < 1e-10
    body.tau = tau
    assert relative(body.a, a) < 1e-12


@pytest.mark.parametrize("n", [1000])
def test_a_thousand_links_need_the_forces_that_act(n: int) -> None:
    rng = np.random.default_rng(SEED)
    robot, masses = chain(n, 0.1, (0.3, 1.0, 0.2))
    body, oracle = ArticulatedBody(robot, GRAVITY, inertias=masses), NewtonEuler(robot, masses)
    q, v, tau = rng.normal(size=(3, n)) * [[0.3], [0.3], [0.1]]
    a = body.acceleration(q, v, tau)
    size = np.abs(oracle.forces(q, v, 0 * a)).max()
    assert np.abs(oracle.forces(q, v, a) - tau).max() < 1e-11 * size


def test_ten_thousand_links_run() -> None:
    robot, masses = chain(10_000, 0.1)
    body = ArticulatedBody(robot, inertias=masses)
    body.step(1e-5)
    body.step(1e-5, active=10)
    assert np.isfinite(body.q).all()
    assert body.active.sum() == 10


@pytest.mark.parametrize("case", range(cases(12)))
def test_state_and_impulses_are_those_of_the_dense_system(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    n = int(rng.integers(2, 15))
    body, oracle, _ = some_body(rng, n, mimics=0.3 * (case % 2))
    q, v, names = body.q, body.v, body.joint_names
    mass, order = oracle.mass_matrix(q), [oracle.number[name] for name in names]
    assert body.kinetic_energy == pytest.approx(v @ mass @ v / 2, rel=1e-11)
    assert relative(body.momentum, oracle.momentum(q, v)) < 1e-11
    frames = [oracle.frames(q, v, 0 * v)[i] for i in order]
    assert relative(body.frames[:, :3, 3], np.array([f.position for f in frames])) < 1e-12
    assert relative(body.frames[:, :3, :3], np.array([f.turn for f in frames])) < 1e-12
    motions = np.array([np.concatenate([f.velocity, f.spin]) for f in frames])
    assert relative(body.velocities, motions) < 1e-12

    touched = rng.choice(n, 3).astype(np.int32)
    jacobian = frame_jacobian(oracle, q, [order[j] for j in touched])
    mobility = jacobian @ np.linalg.solve(mass, jacobian.T)
    assert relative(np.asarray(body._core.mobility(touched)), mobility) < 1e-10

    impulse, angular, point = rng.normal(size=(3, 3))
    link = oracle.joints[order[touched[0]]].child
    body.strike(link, impulse, angular, point)
    torque = angular + np.cross(point - frames[touched[0]].position, impulse)
    change = np.linalg.solve(mass, jacobian[:6].T @ np.concatenate([impulse, torque]))
    assert relative(body.v, v + change) < 1e-10


@pytest.mark.parametrize(("links", "h"), [(1, 1 / 500), (2, 1 / 1000), (5, 1 / 1000)])
def test_a_pendulum_keeps_its_energy(links: int, h: float) -> None:
    robot, masses = chain(links)
    body = ArticulatedBody(robot, inertias=masses)
    size = links * 9.81 * links * 0.25  # what it takes to lift it from below to the start
    start, worst = body.energy, 0.0
    for _ in range(100):
        body.step(h, n=round(0.1 / h))
        worst = max(worst, abs(body.energy - start))
    assert worst < 1e-3 * size


def test_steps_can_be_reversed() -> None:
    robot, masses = chain(3)
    body = ArticulatedBody(robot, inertias=masses)
    body.step(2e-3, n=250)
    assert np.abs(body.q).max() > 1
    body.v = -body.v
    body.step(2e-3, n=250)
    assert body.q == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_light_pendulum_swings_as_the_formula_says() -> None:
    robot, masses = chain(1, 1.0)
    body = ArticulatedBody(robot, inertias=masses)
    below = np.pi / 2  # the rod is along x; turned about y it hangs down
    body.q = [below + 0.01]
    inertia = 1.0 / 12 + 1e-3 + 0.25
    period = 2 * np.pi * np.sqrt(inertia / (9.81 * 0.5))
    body.step(period / 1000, n=1000)
    assert body.q == pytest.approx([below + 0.01], abs=2e-6)
    assert body.v == pytest.approx([0], abs=1e-5)


@pytest.mark.parametrize("case", range(cases(4)))
def test_what_floats_keeps_its_momentum(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    robot, masses = random_body(rng, 6, ("revolute", "prismatic"), branching=0.4)
    fixed = {link: mass for link, mass in masses.items()}
    fixed["ground"] = some_mass(rng)
    body = ArticulatedBody(robot, (0, 0, 0), floating=True, inertias=fixed)
    assert body.robot.joint_names[0] == "floating"
    body.v = rng.normal(size=body.freedoms) * 0.5
    start, energy = body.momentum, body.energy
    body.step(1e-3, n=300)
    assert relative(body.momentum, start) < 1e-4
    assert body.energy == pytest.approx(energy, rel=1e-3)
    halved = pickle.loads(pickle.dumps(body))
    body.step(1e-3, active=3, n=50)
    halved.step(1e-3, active=3, n=50)
    assert (body.q == halved.q).all()
    assert (body.v == halved.v).all()


def test_a_free_body_falls_and_spins() -> None:
    box = tc.Mesh(*models.box((1.0, 2.0, 3.0)))
    robot = tc.Robot([tc.Link("box", box)], []).placed(tc.pose((1, 2, 3), rotvec=(0, 0, 1)))
    body = ArticulatedBody(robot, floating=True)
    assert body.frames[0] == pytest.approx(robot.base, abs=1e-12)
    body.v = [1, 2, 3, 0, 0, 2]
    body.step(1e-2, n=100)
    assert body.q[:3] == pytest.approx([2, 4, 6 - 9.81 / 2], abs=1e-12)
    turn = tc.pose((0, 0, 0), rotvec=(0, 0, 3))[:3, :3]
    assert body.frames[0][:3, :3] == pytest.approx(turn, abs=1e-12)


def test_motions_of_a_step_are_straight() -> None:
    rng = np.random.default_rng(SEED)
    body, _, _ = some_body(rng, 5, kinds=("revolute", "prismatic", "planar"))
    q = body.q
    body._core.kick(0.005)
    v = body.v
    body._core.move(0.01)
    assert body.q == pytest.approx(q + 0.01 * v, abs=1e-15)
    assert (body.v == v).all()
