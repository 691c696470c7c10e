"""Scripted bodies, contacts and events, and bodies that sleep and wake up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.worlds import G, box, judge, on_floor, pile

import toccata as tc
from toccata.dynamics import World
from toccata.scenes import models

BRICK = (0.4, 0.2, 0.1)


def straight(start: Any, end: Any) -> tc.Motion:
    return tc.Motion.linear(tc.pose(start), tc.pose(end))


def test_a_conveyor_takes_a_box_with_it() -> None:
    world = World()
    belt = straight((0, 0, -0.1), (5, 0, -0.1))
    world.add("belt", box(20, 2, 0.2), motion=belt, duration=5.0, friction=0.5)
    world.add("b", box(1, 1, 1), tc.pose((-5, 0, 0.502)), friction=0.5)
    world.step(240)
    assert world.velocities[1][:3] == pytest.approx((1, 0, 0), abs=1e-5)
    # It slips until it is as fast: the belt gets ahead by v^2 / (2 mu g).
    slip = 1 / (2 * 0.5 * G)
    assert world.poses[1][0, 3] == pytest.approx(-5 + 2 - slip, abs=2e-3)
    world.step(480)
    assert np.abs(world.velocities[1]).max() < 1e-6
    assert world.poses[0][0, 3] == pytest.approx(5)


def test_bodies_sleep_on_a_conveyor_that_has_come_to_its_end() -> None:
    world = World()
    belt = straight((0, 0, -0.1), (0.5, 0, -0.1))
    world.add("belt", box(20, 2, 0.2), motion=belt, duration=0.5)
    world.add("b", box(1, 1, 1), tc.pose((-5, 0, 0.502)))
    world.step(240)
    assert world.asleep[1]


@pytest.mark.parametrize("speed", [0.01, 0.1, 1.0, 10.0])
def test_a_pusher_moves_a_box_that_sleeps(speed: float) -> None:
    world = on_floor()
    world.add("b", box(0.4, 0.4, 0.4), tc.pose((0, 0, 0.2005)))
    world.step(90)
    assert world.asleep[1]
    way = straight((-0.31, 0, 0.3), (-0.11, 0, 0.3))
    world.add("pusher", box(0.2, 0.2, 0.2), motion=way, duration=0.2 / speed)
    log = world.start_log()
    report = world.step(round(0.2 / speed * 120) + 60)
    assert judge(log, most=40) == []
    assert world.poses[2][0, 3] == pytest.approx(-0.11)
    assert world.poses[1][0, 3] >= 0.19
    assert report.stopped == 0


def press(**options: Any) -> World:
    world = on_floor(**options)
    world.add("b", box(1, 1, 1), tc.pose((0, 0, 0.51)))
    world.add("press", box(2, 2, 0.2), motion=straight((0, 0, 2), (0, 0, 0.3)), duration=1.0)
    return world


def test_a_press_waits_and_says_so() -> None:
    world = press()
    world.add("ball", box(0.3, 0.3, 0.3), tc.pose((1.2, 0, 3)))  # falls by, 5 cm beside it
    log = world.start_log()
    before = world.step(55)
    assert before.stopped == 0
    late = world.step(170)
    assert late.stopped > 0
    assert judge(log, most=60) == []
    assert 1.1 < world.poses[2][2, 3] < 1.11
    assert world.poses[1][2, 3] == pytest.approx(0.5, abs=2e-3)
    assert world.poses[3][2, 3] == pytest.approx(0.15, abs=1e-3)


def test_a_press_goes_on_when_nothing_is_in_its_way_any_more() -> None:
    world = press()
    world.step(240)
    assert world.poses[2][2, 3] > 1.1
    world.remove("b")
    world.step(240)
    assert world.poses[1][2, 3] == pytest.approx(0.3)


def test_a_pusher_that_a_wall_blocks_does_not_hold_others() -> None:
    world = on_floor()
    world.add("wall", box(0.2, 4, 4), tc.pose((2, 0, 2.01)), fixed=True)
    world.add("pusher", box(1, 1, 1), motion=straight((0, 0, 0.6), (4, 0, 0.6)), duration=1.0)
    world.add("ball", box(0.3, 0.3, 0.3), tc.pose((1.0, 0, 5)))
    report = world.step(180)
    assert report.stopped > 0
    assert world.poses[2][0, 3] == pytest.approx(1.4, abs=2e-3)
    assert world.poses[3][2, 3] == pytest.approx(1.25, abs=1e-3)


def test_a_body_that_turns_along_its_motion() -> None:
    """A bat that is 2 m long and turns by 20 rad/s."""
    world = World(gravity=(0, 0, 0))
    start, end = tc.pose(), tc.pose(rotvec=(0, 0, 2.0))
    world.add("bat", box(4, 0.2, 0.2), motion=tc.Motion.linear(start, end), duration=0.1)
    world.add("b", box(0.3, 0.3, 0.3), tc.pose((1, 1, 0)), friction=0)
    log = world.start_log()
    world.step(60)
    assert judge(log) == []
    # At least the speed of the bat's point that hit; at most that of a bead that slides from there
    # to the bat's end without friction, r'' = w^2 r.
    speed = np.linalg.norm(world.velocities[1][:3])
    assert 0.7 * 20 * 2**0.5 < speed < 1.1 * 20 * (2**2 + 2**2 - 2) ** 0.5
    assert world.poses[0] == pytest.approx(end)


@pytest.mark.parametrize("turns", [0.4, 0.6, 0.9, 1.0, 3.7])
def test_a_body_turns_along_its_motion_as_often_as_it_says(turns: float) -> None:
    """Turns in a step, of a rotor that sweeps a ball along: the poses alone do not tell them."""
    rate, speed = 2 * np.pi * turns * 120, 0.05
    world = World(gravity=(0, 0, 0))
    motion = tc.Motion.twist(np.eye(4), (0, 0, speed), (0, 0, rate))
    world.add("rotor", box(1, 0.1, 0.1), motion=motion, duration=1.0)
    world.add("far", box(0.1, 0.1, 0.1), tc.pose((0.7, 0, 0)))
    log = world.start_log()
    for k in range(1, 6):
        report = world.step()
        assert world.velocities[0][3:] == pytest.approx((0, 0, rate), rel=1e-9)
        assert world.poses[0] == pytest.approx(motion.pose(k / 120), abs=1e-9)
        assert (report.stopped, report.truncated) == (0, 0)
    assert judge(log, most=20) == []


def forces(world: World) -> dict[tuple[str, str], Any]:
    """Sum of the forces of each pair on the first body."""
    found: dict[tuple[str, str], Any] = {}
    contacts = world.contacts
    for (a, b), force in zip(contacts.pairs, contacts.force, strict=True):
        found[a, b] = found.get((a, b), 0) + force
    return found


@pytest.mark.parametrize("sleeping", [False, True])
def test_forces_add_up_to_weights(sleeping: bool) -> None:
    world = pile([BRICK] * 4, sleeping=sleeping)
    world.step(480)
    weight = 8 * G
    up = {
        a if b == "floor" else b: f * (1 if b == "floor" else -1)
        for (a, b), f in forces(world).items()
    }
    for i in range(4):
        assert up[f"b{i:03}"][2] == pytest.approx((4 - i) * weight, rel=5e-3)
        assert np.abs(up[f"b{i:03}"][:2]).max() < 0.02 * weight
    contacts = world.contacts
    assert contacts.normal[:, 2] == pytest.approx(np.sign(contacts.normal[:, 2]), abs=1e-3)
    assert {name for pair in contacts.pairs for name in pair} == {*world.names}


def test_forces_on_a_slope() -> None:
    angle = 0.3
    world = on_floor(1.0, gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    world.add("b", box(*BRICK), tc.pose((0, 0, 0.0503)), friction=1)
    world.step(60)
    (pair, force), *_ = forces(world).items()
    sign = 1 if pair[0] == "b" else -1
    assert force * sign == pytest.approx(
        8 * G * np.array((-np.sin(angle), 0, np.cos(angle))), rel=1e-3, abs=0.05
    )


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_impulses_are_changes_of_momentum(restitution: float) -> None:
    world = on_floor(sleeping=False)
    mesh = box(0.3, 0.4, 0.5)
    world.add("b", mesh, tc.pose((0, 0, 1), rotvec=(0.3, 0.2, 0.1)), restitution=restitution)
    mass = tc.MassProperties.of(mesh, 1000.0).mass
    report = world.step(60)
    assert report.impacts == len(report.events) >= 1
    for k in range(len(report.events)):
        sign = 1 if report.events.pairs[k][0] == "b" else -1
        assert sign * report.events.impulse[k][2] > 0
        assert sign * report.events.normal[k][2] == pytest.approx(1)
        assert 0 <= report.events.time[k] <= world.time
    assert report.events.speed[0] == pytest.approx((2 * G * 0.62) ** 0.5, rel=0.1)
    # The first one alone: what the velocity is before and after its step, but for weight.
    world = on_floor(sleeping=False)
    world.add("b", mesh, tc.pose((0, 0, 1), rotvec=(0.3, 0.2, 0.1)), restitution=restitution)
    while True:
        before = world.velocities[1][:3]
        hit = world.step()
        if hit.impacts:
            break
    change = mass * (world.velocities[1][:3] - before) - mass * np.array((0, 0, -G / 120))
    sign = 1 if hit.events.pairs[0][0] == "b" else -1
    assert sign * hit.events.impulse.sum(axis=0) == pytest.approx(
        change, rel=0.02, abs=0.02 * np.abs(change).max()
    )


def settled() -> World:
    """Two boxes on each other and one far away, all asleep."""
    world = on_floor()
    for name, at in (("low", (0, 0, 0.1005)), ("top", (0, 0, 0.302)), ("far", (5, 0, 0.1005))):
        world.add(name, box(0.4, 0.4, 0.2), tc.pose(at))
    world.step(120)
    assert world.asleep.tolist() == [False, True, True, True]
    return world


def sleepers(world: World) -> set[str]:
    return {name for name, sleeps in zip(world.names, world.asleep, strict=True) if sleeps}


def test_what_hits_wakes_its_island_alone() -> None:
    world = settled()
    world.add("c", box(0.2, 0.2, 0.2), tc.pose((0, 0, 1.0)))
    world.step(10)
    assert sleepers(world) >= {"low", "top", "far"}
    world.step(40)
    assert sleepers(world) == {"far"}
    world.step(240)
    assert sleepers(world) == {"low", "top", "far", "c"}


def test_what_loses_its_support_falls() -> None:
    world = settled()
    world.remove("low")
    world.step(60)
    assert world.poses[1][2, 3] == pytest.approx(0.1, abs=1e-3)
    world = settled()
    world.move("floor", tc.pose((0, 0, -2)))
    world.step(30)
    assert world.poses[1][2, 3] == pytest.approx(0.1 - G / 32, abs=1e-2)


@pytest.mark.parametrize("how", ["apply", "set_velocity", "move"])
def test_what_is_touched_by_the_user_wakes_up(how: str) -> None:
    world = settled()
    if how == "apply":
        world.apply("top", (3000, 0, 0))
    elif how == "set_velocity":
        world.set_velocity("top", (1, 0, 0))
    else:
        world.move("top", tc.pose((0.1, 0, 0.302)))
    x = world.poses[2][0, 3]
    world.step()
    assert {"low", "top"}.isdisjoint(sleepers(world))
    if how != "move":
        assert world.poses[2][0, 3] > x + 1e-3
    world.step(180)
    assert sleepers(world) == {"low", "top", "far"}


def test_a_gentle_weight_does_not_keep_others_awake() -> None:
    world = settled()
    world.add("c", box(0.2, 0.2, 0.2), tc.pose((0, 0, 0.503)))
    world.step(240)
    assert sleepers(world) == {"low", "top", "far", "c"}


def test_bodies_come_and_go() -> None:
    world = on_floor()
    ball = tc.Mesh(*models.icosphere(0.1, 2))
    for i in range(12):
        world.add(f"ball{i}", ball, tc.pose((0.01 * (i % 3), 0.01 * (i % 2), 1.0)), restitution=0.3)
        if i >= 5:
            world.remove(f"ball{i - 5}")
        log = world.start_log()
        report = world.step(40)
        assert report.stopped == 0
        assert tc.audit(log.arrays()).status == tc.Status.FREE
    assert len(world) == 6
    assert world.names[0] == "floor"
    with pytest.raises(ValueError, match="name: expected a body of the world, got 'ball0'"):
        world.remove("ball0")


def test_a_log_keeps_solids(tmp_path: Path) -> None:
    """A small box in a big one is in contact if the big one is solid, and free if it is not."""
    surface, small = box(1, 1, 1), box(0.1, 0.1, 0.1)
    solid = tc.Mesh(surface.vertices, surface.faces, solid=True)
    for outer, status in ((solid, "INITIAL_OVERLAP"), (surface, "FREE")):
        world = World(gravity=(0, 0, 0))
        world.add("small", small, tc.pose((2, 0, 0)))
        world.add("big", outer, tc.pose((0, 0, 0.3)), fixed=True)
        log = world.start_log()
        world.step(3)
        arrays = log.arrays()
        assert ("solid_1" in arrays) == outer.solid
        assert tc.audit(arrays).status == tc.Status.FREE
        arrays["poses"] = arrays["poses"].copy()
        arrays["poses"][:, 0] = arrays["poses"][:, 1]
        np.savez(tmp_path / "log.npz", **arrays)
        for read in (arrays, tmp_path / "log.npz"):
            assert tc.audit(read).status.name == status
        arrays.pop("solid_1", None)
        assert tc.audit(arrays).status == tc.Status.FREE  # as in logs of older versions


@pytest.mark.parametrize("size", [0.1, 0.01, 0.001])
def test_an_audit_of_a_log_knows_how_near_bodies_rest(size: float) -> None:
    world = on_floor()
    world.add("b", box(size, size, size), tc.pose((0, 0, size)))
    log = world.start_log()
    world.step(60)
    assert tc.audit(log.arrays()).status == tc.Status.FREE
