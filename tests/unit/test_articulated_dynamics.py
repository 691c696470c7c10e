"""Articulated bodies: accelerations, impulses, energy and forces, by independent judges."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from oracles.articulated import GRAVITY, Floats, NewtonEuler, chain, random_body, some_mass
from oracles.size import FACTOR, SEED, cases

import toccata as tc
from toccata.dynamics import ArticulatedBody, step_bodies
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
    assert relative(body.frames[:, :3, 3], np.array([f.place for f in frames])) < 1e-12
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
    torque = angular + np.cross(point - frames[touched[0]].place, impulse)
    change = np.linalg.solve(mass, jacobian[:6].T @ np.concatenate([impulse, torque]))
    assert relative(body.v, v + change) < 1e-10


def frame_jacobian(oracle: NewtonEuler, q: Floats, joints: list[int]) -> Floats:
    """Return the velocities of origins and spins of frames, six rows each, by unit rates."""
    columns = []
    for rates in np.eye(oracle.freedoms):
        frames = oracle.frames(q, rates, 0 * rates)
        parts = [part for j in joints for part in (frames[j].velocity, frames[j].spin)]
        columns.append(np.concatenate(parts))
    return np.array(columns).T


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


def test_damping_ends_motions() -> None:
    robot, masses = chain(1)
    body = ArticulatedBody(robot, (0, 0, 0), inertias=masses)
    inertia = 0.25 / 12 + 1e-3 + 0.0625
    body.v, body.damping = [1.0], 2 * inertia
    body.step(1e-3, n=1000)
    assert body.v == pytest.approx([np.exp(-2)], rel=1e-6)
    body.damping = 1e9  # far stiffer than the step is short
    body.step(1e-3, n=1000)
    assert abs(body.v[0]) < 0.2
    energy = body.kinetic_energy
    body.step(1e-3)
    assert body.kinetic_energy <= energy


def limited(robot: tc.Robot, limit: float) -> tc.Robot:
    joints = [
        tc.Joint(j.name, j.kind, j.parent, j.child, j.origin, j.axis, -limit, limit, j.mimic)
        for j in robot.joints
    ]
    return tc.Robot(robot.links.values(), joints)


@pytest.mark.parametrize("case", range(cases(10)))
def test_a_stop_is_inelastic(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    robot, masses = random_body(rng, 8, ("revolute", "prismatic"), mimics=0.2)
    body = ArticulatedBody(limited(robot, 0.5), inertias=masses)
    body.q = np.clip(rng.normal(size=body.freedoms), -0.5, 0.5)
    q, v = body.q, rng.normal(size=body.freedoms)
    q[0], v[0] = 0.5, 1.0
    body.q, body.v = q, v
    body._core.stop_at_limits(0.1)
    oracle = NewtonEuler(robot, masses)
    mass, q, after = oracle.mass_matrix(body.q), body.q, body.v
    impulse = mass @ (after - v)
    low, high = (-0.5 - q) / 0.1, (0.5 - q) / 0.1
    assert (after >= low - 1e-10).all()
    assert (after <= high + 1e-10).all()
    # Each impulse leads inward, and only where the joint gets to its limit.
    size = np.abs(mass @ v).max()
    assert (impulse[after > low + 1e-8] <= 1e-8 * size).all()
    assert (impulse[after < high - 1e-8] >= -1e-8 * size).all()
    assert np.abs(impulse).max() > 1e-3
    assert after @ mass @ after <= v @ mass @ v


def test_limits_hold_a_chain() -> None:
    robot, masses = chain(4)
    body = ArticulatedBody(limited(robot, 0.5), inertias=masses)
    start = body.energy
    for _ in range(300):
        body.step(2e-3, n=5)
        assert np.abs(body.q).max() <= 0.5 + 1e-12
        assert body.energy <= start + 1e-3
    # At rest it leans on its stops, as far down as they let it.
    assert body.q[:3] == pytest.approx([0.5, 0.5, 0.5], abs=1e-2)
    assert body.kinetic_energy < 0.05
    body.q, body.v = [0.7, 0, 0, 0], [1.0, 0, 0, 0]  # outside already: no farther
    body.step(1e-3)
    assert body.q[0] <= 0.7 + 1e-12


def test_springs_pull_two_bodies_together() -> None:
    robot, masses = chain(2)
    weights = {**masses, "ground": masses["link0"]}
    left, right = (
        ArticulatedBody(robot.placed(tc.pose((x, 0, 0))), (0, 0, 0), True, inertias=weights)
        for x in (0.0, 3.0)
    )
    left.add_spring("link1", "link0", body=right, point=(0.5, 0, 0), stiffness=5.0, length=0.2)
    start = left.energy + right.energy
    assert left.kinetic_energy == 0
    for _ in range(200):
        step_bodies([left, right], 5e-3)
    assert left.kinetic_energy + right.kinetic_energy > 1
    assert left.energy + right.energy == pytest.approx(start, rel=1e-3)
    assert left.momentum + right.momentum == pytest.approx(np.zeros(6), abs=1e-3)

    pair = copy.deepcopy([left, right])
    step_bodies([left, right], 5e-3, n=10)
    step_bodies(pair, 5e-3, n=10)
    assert (pair[0].q == left.q).all()
    assert (pair[1].q == right.q).all()


def test_a_spring_to_the_world_is_a_force_on_a_link() -> None:
    robot, masses = chain(2)
    body = ArticulatedBody(robot, (0, 0, 0), inertias=masses)
    body.add_spring("link1", point=(0.5, 0, 0), other_point=(1, 0, 3), stiffness=2.0, length=1.0)
    pulled = body.a
    twin = ArticulatedBody(robot, (0, 0, 0), inertias=masses)
    oracle = NewtonEuler(robot, masses, np.zeros(3))
    none = np.zeros(2)
    lift = frame_jacobian(oracle, none, [1]).T @ [0, 0, 4.0, 0, -0.5 * 4, 0]
    assert pulled == pytest.approx(twin.acceleration(none, none, lift), rel=1e-12)
    twin.apply("link1", (0, 0, 4), point=(1, 0, 0))
    assert twin.a == pytest.approx(pulled, rel=1e-12)
    twin.step(1e-9)
    assert twin.a == pytest.approx(none, abs=1e-6)


def test_frames_without_mass_are_fine_if_others_have_some() -> None:
    links = [tc.Link("ground"), tc.Link("x"), tc.Link("y"), tc.Link("z")]
    parts = zip("xyz", ("ground", "x", "y"), np.eye(3), strict=True)
    joints = [tc.Joint(n, "revolute", above, n, axis=axis) for n, above, axis in parts]
    rng = np.random.default_rng(SEED)
    body = ArticulatedBody(tc.Robot(links, joints), inertias={"z": some_mass(rng)})
    body.q = [0.3, 0.4, 0.5]
    energy = body.energy
    body.step(1e-3, n=500)
    assert body.energy == pytest.approx(energy, abs=1e-2)
    with pytest.raises(ValueError, match="joint 'z'"):
        ArticulatedBody(tc.Robot(links, joints), inertias={"y": some_mass(rng)})


def test_what_is_wrong_is_named() -> None:
    robot, masses = chain(2)
    body = ArticulatedBody(robot, inertias=masses)
    with pytest.raises(ValueError, match=r"v: expected shape \(2,\), got \(3,\)"):
        body.v = [0, 0, 0]
    with pytest.raises(ValueError, match="q: expected finite"):
        body.q = [0, np.nan]
    with pytest.raises(ValueError, match="h: expected a finite number of more than 0, got 0"):
        body.step(0)
    with pytest.raises(ValueError, match="active: expected joints that move, got 'knee'"):
        body.step(1e-3, active=["knee"])
    with pytest.raises(ValueError, match="active: expected a number of at least 0, got -1"):
        body.step(1e-3, active=-1)
    with pytest.raises(ValueError, match=r"active: expected shape \(2,\), got \(1,\)"):
        body.step(1e-3, active=np.array([True]))
    with pytest.raises(ValueError, match="link: expected a link of the robot, got 'hand'"):
        body.add_spring("hand")
    with pytest.raises(ValueError, match="other: expected a link of the other body, got none"):
        body.add_spring("link0", body=body)
    with pytest.raises(ValueError, match="damping: expected numbers of at least 0, got -1"):
        body.damping = -1
    with pytest.raises(ValueError, match=r"robot: expected a toccata\.Robot, got int"):
        ArticulatedBody(3)  # type: ignore[arg-type]
    body.tau = [1e300, 0]
    with pytest.raises(ValueError, match="h: expected a step that keeps motions bounded"):
        body.step(1e3, n=100)
