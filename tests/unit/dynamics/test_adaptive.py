"""Articulated bodies of which some joints are active: rigid groups, metrics, and what is chosen."""

from __future__ import annotations

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
from oracles.divide_and_conquer import DivideAndConquer
from oracles.size import SEED, cases

import toccata as tc
from toccata.dynamics import ArticulatedBody


def relative(got: Floats, wanted: Floats) -> float:
    return float(np.abs(got - wanted).max(initial=0) / max(1.0, np.abs(wanted).max(initial=0)))


def in_motion(
    rng: np.random.Generator, n: int, mimics: float = 0.0
) -> tuple[ArticulatedBody, NewtonEuler]:
    robot, masses = random_body(rng, n, mimics=mimics)
    body = ArticulatedBody(robot, GRAVITY, inertias=masses)
    body.q = robot.random_configurations(1, int(rng.integers(1 << 30)))[0]
    body.v, body.tau = rng.normal(size=(2, body.freedoms))
    return body, NewtonEuler(robot, masses)


def active_rates(body: ArticulatedBody, oracle: NewtonEuler) -> Floats:
    """Return which rates belong to active joints."""
    rates = np.zeros(body.freedoms, dtype=bool)
    for name, active in zip(body.joint_names, body.active, strict=True):
        rates[oracle.rates(oracle.number[name])[0]] |= active
    return rates


@pytest.mark.parametrize("case", range(cases(16)))
def test_locked_joints_are_those_of_the_dense_system(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    body, oracle = in_motion(rng, int(rng.integers(2, 16)), 0.3 * (case % 2))
    q, v, tau, energy = body.q, body.v, body.tau, body.kinetic_energy
    body._core.set_active((rng.random(len(body.active)) < 0.5).astype(np.uint8))
    on, mass = active_rates(body, oracle), oracle.mass_matrix(q)
    inner = mass[np.ix_(on, on)]
    # What active joints can move keeps its momentum, and energy falls.
    wanted = np.zeros_like(v)
    wanted[on] = np.linalg.solve(inner, (mass @ v)[on])
    assert relative(body.v, wanted) < 1e-10
    assert body.kinetic_energy <= energy
    a = np.zeros_like(v)
    a[on] = np.linalg.solve(inner, (tau - oracle.forces(q, wanted, 0 * v))[on])
    assert relative(body.a, a) < 1e-10
    touched = rng.choice(len(body.active), 3).astype(np.int32)
    rows = [oracle.number[body.joint_names[j]] for j in touched]
    jacobian = frame_jacobian(oracle, q, rows)[:, on]
    mobility = jacobian @ np.linalg.solve(inner, jacobian.T)
    assert relative(np.asarray(body._core.mobility(touched)), mobility) < 1e-10
    # Groups have one motion: frames in them stay where they are in each other.
    before, groups = body.frames, body.groups
    assert (groups[body.active] == np.arange(1, body.active.sum() + 1)).all()
    body.step(1e-2, active=body.active)
    for one in np.unique(groups):
        (first, *others) = np.flatnonzero(groups == one)
        for other in others:
            ends = [np.linalg.inv(f[first]) @ f[other] for f in (before, body.frames)]
            assert relative(*ends) < 1e-12
    assert (body.frames[groups == 0] == before[groups == 0]).all()
    # Set velocities lose what inactive joints cannot have.
    body.v = v
    assert (body.v[~active_rates(body, oracle)] == 0).all()


@pytest.mark.parametrize("case", range(cases(6)))
def test_what_floats_keeps_its_momentum_when_joints_lock(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    robot, masses = random_body(rng, 8, ("revolute", "prismatic", "planar"))
    masses["ground"] = some_mass(rng)
    body = ArticulatedBody(robot, GRAVITY, floating=True, inertias=masses)
    body.v = rng.normal(size=body.freedoms)
    energy, momentum = body.kinetic_energy, body.momentum
    for _ in range(6):
        body._core.set_active((rng.random(len(body.active)) < 0.5).astype(np.uint8))
        assert body.active[0]  # the base
        assert relative(body.momentum, momentum) < 1e-12
        assert body.kinetic_energy <= energy * (1 + 1e-12)
        energy = body.kinetic_energy
    rates = body.v
    body._core.set_active(np.ones(len(body.active), dtype=np.uint8))
    assert (body.v == rates).all()  # activation changes nothing


@pytest.mark.parametrize("case", range(cases(8)))
def test_metrics_are_sums_over_the_joints_of_each_subassembly(case: int) -> None:
    rng = np.random.default_rng([SEED, case])
    body, oracle = in_motion(rng, int(rng.integers(1, 25)))
    q, v, tau = body.q, body.v, body.tau
    nodes = np.asarray(body._core.assembly_nodes())
    order = [oracle.number[name] for name in body.joint_names]
    # By the theorem, before accelerations are known; and by an inverse dynamics.
    a, metrics = DivideAndConquer(oracle, nodes, order, weights(body, oracle)).solve(q, v, tau)
    assert relative(body.a, a) < 1e-7
    assert relative(oracle.forces(q, v, body.a), tau) < 1e-10
    unit = 1 / np.sqrt(weights(body, oracle))
    bases = [j.parent == "ground" and j.kind == "floating" for j in oracle.joints]

    def values(rates: Floats) -> Floats:
        parts = [oracle.rates(i)[0] for i in order]
        return np.array([((rates[part] / unit[part]) ** 2).sum() for part in parts])

    joints, sums = (np.asarray(part) for part in body._core.measure())
    assert relative(joints, values(body.a) + values(v) / 0.1**2) < 1e-12
    for number, inside in enumerate(subassemblies(nodes)):
        own = [j for j in inside if not bases[order[j]]]
        assert sums[number] == pytest.approx(joints[own].sum(), rel=1e-12)
        assert metrics[number] == pytest.approx(values(a)[inside].sum(), rel=1e-6)


def weights(body: ArticulatedBody, oracle: NewtonEuler) -> Floats:
    """Return the weights of rates in the metric: shifts are measured by the largest arm."""
    arms = [np.linalg.norm(np.asarray(j.origin)[:3, 3]) for j in oracle.joints]
    arms += [np.linalg.norm(mass.center) for mass in oracle.masses.values()]
    weight = np.ones(body.freedoms)
    for i, joint in enumerate(oracle.joints):
        shifts = {"prismatic": 1, "planar": 2, "floating": 3}.get(joint.kind, 0)
        first = oracle.rates(i)[0].start
        weight[first : first + shifts] = 1 / max(arms) ** 2
    return weight


def subassemblies(nodes: Floats) -> list[list[int]]:
    """Return the joints of each node of an assembly tree."""
    inside: list[list[int]] = []
    for joint, upper, lower in nodes:
        inside.append([] if joint < 0 else [joint, *inside[upper], *inside[lower]])
    return inside


@pytest.mark.parametrize("n", [1, 7, 20])
def test_chosen_joints_are_a_top_part_with_the_largest_metrics(n: int) -> None:
    rng = np.random.default_rng([SEED, n])
    robot, masses = random_body(rng, n, ("revolute", "prismatic"))
    nodes = np.asarray(ArticulatedBody(robot, inertias=masses)._core.assembly_nodes())
    parents = {int(child): i for i, row in enumerate(nodes) if row[0] >= 0 for child in row[1:]}
    last = np.inf
    for most in range(n + 1):
        body = ArticulatedBody(robot, inertias=masses)
        body.v = np.random.default_rng(1).normal(size=body.freedoms)
        joints, _ = (np.asarray(part) for part in body._core.measure())
        body.step(1e-6, active=most)
        active = body.active
        assert active.sum() == most
        for i, (joint, *_) in enumerate(nodes):
            if joint >= 0 and active[joint] and i in parents:
                assert active[nodes[parents[i]][0]]
        assert body.error == pytest.approx(joints[~active].sum(), rel=1e-9, abs=1e-9 * joints.sum())
        assert body.error <= last
        last = body.error
        # The same joints by the error that they leave.
        twin = ArticulatedBody(robot, inertias=masses)
        twin.v = np.random.default_rng(1).normal(size=body.freedoms)
        twin.step(1e-6, error=body.error * (1 + 1e-9) + 1e-9 * joints.sum())
        assert twin.active.sum() <= most
        assert twin.error <= body.error * (1 + 1e-9) + 1e-9 * joints.sum()


def test_all_joints_by_number_give_the_same_bits() -> None:
    bodies = []
    for active in (None, 12, 100, np.ones(12, dtype=bool)):
        robot, masses = random_body(np.random.default_rng(3), 12, mimics=0.2)
        body = ArticulatedBody(robot, GRAVITY, inertias=masses)
        body.v = np.random.default_rng(4).normal(size=body.freedoms)
        body.tau = np.random.default_rng(5).normal(size=body.freedoms)
        body.step(1e-3, active, n=50)
        bodies.append(body)
    for body in bodies[1:]:
        assert (body.q == bodies[0].q).all()
        assert (body.v == bodies[0].v).all()


def test_more_active_joints_err_less_on_average() -> None:
    n, counts = 16, (1, 4, 8, 12, 16)
    robot, masses = chain(n, 0.2)
    errors = []
    for seed in range(cases(8)):
        q = np.random.default_rng([SEED, seed]).normal(size=n) * 0.4
        tips = []
        for most in (None, *counts):
            body = ArticulatedBody(robot, inertias=masses)
            body.q = q
            body.step(2e-3, most, n=150)
            tips.append(body.frames[:, :3, 3])
        errors.append([np.linalg.norm(tip - tips[0], axis=1).mean() for tip in tips[1:]])
    mean = np.mean(errors, axis=0)
    assert (np.diff(mean) < 0).all(), mean
    assert mean[-1] == 0


def test_cost_follows_the_active_joints() -> None:
    for n in (100, 1000):
        robot, masses = chain(n, 0.1)
        for first in (0, n // 2):
            body = ArticulatedBody(robot, inertias=masses)
            mask = np.zeros(n, dtype=bool)
            mask[first : first + 10] = True
            body.step(1e-5, mask)
            start = body.work
            body.step(1e-5, mask, n=50)
            assert body.work.groups - start.groups == 50 * 11
            assert body.work.solves - start.solves <= 50 * 11 * 7
            assert body.work.refreshes == 0
        body = ArticulatedBody(robot, inertias=masses, refresh=25)
        body.step(1e-5, active=10, n=100)
        assert (body.work.refreshes, body.work.refreshed) == (4, 4 * n)
        assert body.work.groups <= 100 * 11 + 4 * 11 + n + 1 + 11


def test_uniform_gravity_needs_no_refresh() -> None:
    robot, masses = chain(30)
    masses["ground"] = some_mass(np.random.default_rng(SEED))
    body = ArticulatedBody(robot, floating=True, inertias=masses, refresh=10**6)
    body.q = np.concatenate([body.q[:7], np.random.default_rng(1).normal(size=30)])
    body.step(1e-2, active=0, n=100)
    assert body.q[2] == pytest.approx(-9.81 / 2, rel=1e-12)
    assert body.v[:3] == pytest.approx([0, 0, -9.81], rel=1e-12, abs=1e-9)
    assert body.active.sum() == 1
    assert body.work.refreshes == 1
    body.step(1e-2, error=1e-6)  # and moves no joint: all accelerate alike
    assert body.active.sum() == 1


def test_impulses_move_what_they_activate() -> None:
    robot, masses = chain(8)
    body = ArticulatedBody(robot, (0, 0, 0), inertias=masses)
    body.step(1e-3, active=0)
    body.strike("link5", (0, 0, 1))
    assert (body.v == 0).all()
    body.activate("link5")
    assert body.active.tolist() == [True] * 6 + [False] * 2
    body.strike("link5", (0, 0, 1))
    assert (body.v[:6] != 0).all()
    body.step(1e-3, active=0, n=9)
    assert body.active.sum() == 6  # until joints are chosen again
    body.step(1e-3, active=0)
    assert body.active.sum() == 0


def test_mimics_are_active_together() -> None:
    links = [tc.Link(name) for name in "abcd"]
    axis = (0, 1, 0)
    origin = tc.pose((0.5, 0, 0))
    joints = [
        tc.Joint("first", "revolute", "a", "b", axis=axis),
        tc.Joint("between", "revolute", "b", "c", origin, axis),
        tc.Joint("last", "revolute", "c", "d", origin, axis, mimic=tc.Mimic("first", -0.5, 0.1)),
    ]
    rng = np.random.default_rng(SEED)
    body = ArticulatedBody(tc.Robot(links, joints), inertias={n: some_mass(rng) for n in "bcd"})
    body.step(1e-3, active=["last"], n=10)
    assert body.active.tolist() == [True, False, True]
    assert body.groups.tolist() == [1, 1, 2]
    assert body.v[0] != 0
    assert body.v[1] == 0
    body.step(1e-3, active=1)
    assert body.active.sum() in (1, 2)
