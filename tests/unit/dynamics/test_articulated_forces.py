"""Forces on articulated bodies: damping, limits, springs; and what is not accepted."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from oracles.articulated import NewtonEuler, chain, frame_jacobian, random_body, some_mass
from oracles.size import SEED, cases

import toccata as tc
from toccata.dynamics import ArticulatedBody, step_bodies
from toccata.scenes import models


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


def test_springs_within_a_body_are_within_its_copies() -> None:
    robot, masses = chain(3)
    body = ArticulatedBody(robot, (0, 0, 0), inertias=masses)
    body.q = [0.5, 0.5, 0.5]
    body.add_spring("link0", "link2", point=(0.1, 0, 0), stiffness=50.0, damping=0.5)
    others = [copy.copy(body), copy.deepcopy(body), pickle.loads(pickle.dumps(body))]
    start = body.energy
    body.step(1e-3, n=400)
    assert body.energy < start - 0.1  # damped
    for other in others:
        other.step(1e-3, n=400)
        assert (other.q == body.q).all()
        assert (other.v == body.v).all()


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


def test_what_cannot_move_stays() -> None:
    body = ArticulatedBody(tc.Robot([tc.Link("rock", tc.Mesh(*models.box((1, 1, 1))))], []))
    for how in ({}, {"active": 3}, {"error": 1.0}):
        body.step(0.1, **how)
    assert (body.freedoms, body.energy) == (0, 0)
    assert pickle.loads(pickle.dumps(body)).frames.shape == (0, 4, 4)


def test_robots_side_by_side_do_not_feel_each_other() -> None:
    robot, masses = chain(3)
    two = tc.combine({"left": robot, "right": robot.placed(tc.pose((1e4, 0, 0), rotvec=(0, 0, 1)))})
    weights = {f"{side}/{link}": m for side in ("left", "right") for link, m in masses.items()}
    both, one = ArticulatedBody(two, inertias=weights), ArticulatedBody(robot, inertias=masses)
    both.step(1e-3, n=100)
    one.step(1e-3, n=100)
    assert both.q == pytest.approx(np.tile(one.q, 2), abs=1e-12)
    with pytest.raises(ValueError, match="floating: expected a robot with one base, got left/g"):
        ArticulatedBody(two, floating=True, inertias=weights)


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
    for odd in ("joint0", 2.5, True):
        with pytest.raises(TypeError, match="active: expected a number, names of joints or a"):
            body.step(1e-3, active=odd)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"active: expected shape \(2,\), got \(1,\)"):
        body.step(1e-3, active=np.array([True]))
    with pytest.raises(ValueError, match="link: expected a link of the robot, got 'hand'"):
        body.add_spring("hand")
    with pytest.raises(ValueError, match="other: expected a link of the other body, got None"):
        body.add_spring("link0", body=body)
    with pytest.raises(ValueError, match=r"damping: expected shape \(2,\), got \(3,\)"):
        body.damping = [1, 2, 3]
    with pytest.raises(ValueError, match="damping: expected numbers of at least 0, got -1"):
        body.damping = -1
    with pytest.raises(TypeError, match=r"robot: expected toccata\.Robot, got int"):
        ArticulatedBody(3)  # type: ignore[arg-type]
    body.tau = [1e300, 0]
    with pytest.raises(ValueError, match="h: expected a step that keeps motions bounded"):
        body.step(1e3, n=100)
