"""A body moved by hand that has momentum: a spring pulls it, contacts stop it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.size import cases

import toccata as tc
from toccata.dynamics import Manipulator, MassProperties, MoveStatus
from toccata.scenes import models
from unit.dynamics.test_manipulator import BOX, CASES, FLOOR, WALL, inside, judge, scene_of

RATE = 10.0
INERTIA = MassProperties.of(BOX, density=1.0).inertia[0, 0]  # a cube: the same about all axes


def oscillator(y: Any, v: Any, t: float) -> tuple[Any, Any]:
    """Return how far from rest, and how fast, a critically damped oscillator is after t."""
    slope = v + RATE * y
    return (y + slope * t) * np.exp(-RATE * t), (v - RATE * slope * t) * np.exp(-RATE * t)


def energy(hand: Manipulator, target: Any, mass: float = 1.0) -> float:
    """Of the moving body and of the spring."""
    v, w = hand.velocity[:3], hand.velocity[3:]
    way = target[:3, 3] - hand.pose[:3, 3]
    turn = hand.pose[:3, :3].T @ target[:3, :3]
    angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
    kinetic = v @ v + INERTIA * w @ w
    return float(mass * (kinetic + RATE**2 * (way @ way + INERTIA * angle**2)) / 2)


def hand_in(scene: Any, pose: Any, **options: Any) -> Manipulator:
    return Manipulator(BOX, scene, pose, order=2, response=1 / RATE, **options)


@pytest.mark.parametrize("step", [1 / 60, 0.2, 1e-3])
def test_free_motion_is_that_of_an_oscillator(step: float) -> None:
    hand = hand_in(None, np.eye(4))
    target = tc.pose((3, -2, 1), rotvec=(0, 0, 1.5))
    y, v = np.array([-3.0, 2, -1, 0, 0, -1.5]), np.zeros(6)
    for _ in range(50):
        hand.move(target, step=step)
        y, v = oscillator(y, v, step)
        if np.abs(y).max() < 1e-5:
            break
        assert hand.velocity == pytest.approx(v, abs=1e-12)
        assert hand.pose[:3, 3] - target[:3, 3] == pytest.approx(y[:3], abs=1e-12)
        angle = np.arctan2(hand.pose[1, 0], hand.pose[0, 0])
        assert angle - 1.5 == pytest.approx(y[5], abs=1e-12)
    judged = tc.pose((9, 9, 9))  # the target moves, and the velocity stays
    hand.move(judged, step=step)
    y, v = oscillator(np.append(target[:3, 3] + y[:3] - 9, y[3:] + (0, 0, 1.5)), v, step)
    assert hand.velocity[:3] == pytest.approx(v[:3], abs=1e-12)


def test_it_arrives_and_rests() -> None:
    hand = hand_in(None, np.eye(4))
    target = tc.pose((1, 0, 0), rotvec=(1, 1, 0))
    statuses = [hand.move(target).status for _ in range(200)]
    assert statuses[0] == MoveStatus.MOVING and statuses[-1] == MoveStatus.REACHED
    assert np.abs(hand.pose - target).max() < 1e-5 and np.abs(hand.velocity).max() < 1e-4


@pytest.mark.parametrize("mass", [1.0, 7.5])
def test_against_a_wall_it_rests_with_the_force_of_the_spring(mass: float) -> None:
    scene = scene_of(wall=WALL)
    hand = hand_in(scene, np.eye(4), mass=mass)
    target = tc.pose((5, 1, 0))
    for _ in range(200):
        move = hand.move(target)
    assert move.status == MoveStatus.BLOCKED and set(move.contacts.touching) == {"wall"}
    assert move.pose[:3, 3] == pytest.approx([2 - hand.shell, 1, 0], abs=1e-5)
    assert np.abs(hand.velocity).max() < 1e-5
    force = -mass * RATE**2 * (3 + hand.shell)
    assert move.wrench[:3] == pytest.approx([force, 0, 0], rel=1e-6, abs=1e-3)
    assert np.abs(move.wrench[3:]).max() < 1e-2 * abs(force)
    judge(hand, BOX, scene)


def test_it_slides_without_friction() -> None:
    hand = hand_in(scene_of(floor=FLOOR), tc.pose((0, 0, 0.51)))
    target = tc.pose((2, 0, -3))
    y, v = -2.0, 0.0
    for _ in range(60):
        hand.move(target)
        y, v = oscillator(y, v, 1 / 60)
    assert hand.pose[0, 3] - 2 == pytest.approx(y, abs=0.02)
    assert hand.velocity[0] == pytest.approx(v, abs=0.02)
    assert hand.pose[2, 3] == pytest.approx(0.5 + hand.shell, abs=1e-4)


def test_energy_never_rises() -> None:
    body, scene, start = CASES["box in a corner"]
    rng = np.random.default_rng(3)
    hand = Manipulator(body, scene, start, order=2, response=1 / RATE)
    for _ in range(cases(20)):
        target = tc.pose(start[:3, 3] + rng.normal(size=3) * 2)
        before = energy(hand, target)
        for _ in range(20):
            move = hand.move(target)
            after = energy(hand, target)
            # To push it out of the shell of a contact costs force times way.
            spare = 0.2 * hand.shell * np.linalg.norm(move.wrench) + 1e-9
            assert after <= before + spare
            before = after
    judge(hand, body, scene)


@pytest.mark.parametrize("is_hostile", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_chaos(case: str, is_hostile: bool) -> None:
    body, scene, start = CASES[case]
    rng = np.random.default_rng(5)
    hand = Manipulator(body, scene, start, order=2, response=0.05)
    executed = 0
    for _ in range(cases(60)):
        given = rng.normal(size=(8, 6)) * rng.choice([1e-3, 0.1, 1]) if is_hostile else []
        target, step = inside(rng, start), rng.choice([1e-3, 1 / 60, 0.5])
        move = hand._move(target, 8, (None, step), np.asarray(given).reshape(-1, 6))
        executed += move.substeps
        assert np.isfinite(hand.velocity).all()
    assert executed > 60
    assert judge(hand, body, scene) > 0


def test_undo_takes_the_velocity_back() -> None:
    body, scene, start = CASES["box in a corner"]
    hand = Manipulator(body, scene, start, order=2)
    states = []
    for _ in range(10):
        states.append((hand.pose, hand.velocity))
        hand.move(tc.pose((3, 1, -1)))
    hand.undo(4)
    assert (hand.pose == states[6][0]).all() and (hand.velocity == states[6][1]).all()


def test_a_lift_takes_it_along() -> None:
    plate = tc.Mesh(*models.box((4.0, 4.0, 0.2)))
    scene = tc.Scene()
    scene.add("lift", plate, tc.Motion.linear(tc.pose((0, 0, -0.7)), tc.pose((0, 0, 0.3))))
    hand = hand_in(scene, np.eye(4))
    for k in range(120):
        move = hand.move(np.eye(4), 32, time=max(hand.time, (k + 1) / 120))
    assert move.time == 1
    assert move.pose[2, 3] == pytest.approx(0.9 + hand.shell, abs=hand.shell)
    assert hand.path.check(BOX, scene, method="interval") is None
