"""Bodies that fly, bounce, slide and roll as the formulas of mechanics say."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest
from oracles.worlds import FLOOR, G, box, judge, on_floor

import toccata as tc
from toccata.dynamics import ArticulatedBody, World
from toccata.scenes import models

BRICK = box(0.4, 0.3, 0.1)
SHELL = 1e-3


def test_free_flight_is_a_parabola() -> None:
    world = World()
    world.add(
        "b", box(1, 2, 3), tc.pose((1, 2, 3)), velocity=(1, 2, 3), angular_velocity=(0.1, 0.2, 0.3)
    )
    report = world.step(120)
    assert world.time == 1
    assert world.poses[0][:3, 3] == pytest.approx((2, 4, 6 - G / 2), abs=1e-13)
    assert world.velocities[0][:3] == pytest.approx((1, 2, 3 - G), abs=1e-13)
    assert (report.stopped, report.truncated, report.impacts, report.lift) == (0, 0, 0, 0)


@pytest.mark.parametrize("spin", [2500.0, 1e4, 1e6, 1e9, 1e12])
def test_a_body_that_turns_many_times_in_a_step_goes_on(spin: float) -> None:
    """It is 15 cm above the floor: nothing can touch it, however often it turns."""
    world = World(gravity=(0, 0, 0))
    world.add("floor", box(5, 5, 1), tc.pose((0, 0, -0.5)), fixed=True)
    ball = tc.Mesh(*models.icosphere(0.05, 2))
    world.add("ball", ball, tc.pose((0, 0, 0.2)), velocity=(1, 0, 0), angular_velocity=(0, 0, spin))
    report = world.step(60)
    assert world.velocities[1][:3] == pytest.approx((1, 0, 0), abs=1e-12)
    assert world.velocities[1][3:] / spin == pytest.approx((0, 0, 1), abs=1e-9)
    assert world.poses[1][:3, 3] == pytest.approx((0.5, 0, 0.2), abs=1e-9)
    assert (report.stopped, report.truncated) == (0, 0)


def test_bodies_that_turn_fast_meet_and_part() -> None:
    """Their facets beat each other apart like cogs; momentum stays, and no energy is made."""
    world = World(gravity=(0, 0, 0))
    ball = tc.Mesh(*models.icosphere(0.05, 3))
    for k in (-1, 1):
        pose, given = tc.pose((0.1 * k, 0, 0)), {"friction": 0.0, "restitution": 0.5}
        spin = (0, 0, 3000.0)
        world.add(f"ball {k}", ball, pose, velocity=(-k, 0, 0), angular_velocity=spin, **given)
    energy = world.energy
    log = world.start_log()
    report = world.step(12)
    assert report.stopped == 0 and report.impacts >= 1
    assert judge(log, most=20) == []
    assert world.velocities[0][0] < 0 < world.velocities[1][0]
    assert world.velocities[0][:3] == pytest.approx(-world.velocities[1][:3], abs=1e-9)
    assert world.energy <= energy * (1 + 1e-12)


def test_a_top_that_spins_fast_stays_up() -> None:
    """A body that turns by 40 rad in a step beside the floor is certified step by step."""
    world = on_floor(friction=0.0)
    world.add("top", box(0.2, 0.2, 0.1), tc.pose((0, 0, 0.0503)), angular_velocity=(0, 0, 5000.0))
    report = world.step(20)
    assert report.stopped == 0
    assert world.velocities[1][5] == pytest.approx(5000, rel=1e-6)
    assert world.velocities[1][:3] == pytest.approx(0, abs=1e-3)


def test_a_force_and_a_torque_act_for_one_step() -> None:
    world = World(gravity=(0, 0, 0))
    world.add("b", box(1, 1, 1), mass=3, inertia=np.diag((1.0, 2.0, 2.5)))
    for _ in range(120):
        world.apply("b", (6, 0, 0))
        world.apply("b", (0, 0, 3), (0, 4, 0))
        world.step()
    world.step(120)
    assert world.velocities[0] == pytest.approx((2, 0, 1, 0, 2, 0), abs=1e-12)
    assert world.poses[0][:3, 3] == pytest.approx((3, 0, 1.5), abs=1e-12)


@pytest.mark.parametrize("spin", [(0.3, 5.0, 0.2), (40.0, 50.0, -30.0), (200.0, 300.0, 250.0)])
def test_a_free_spinner_keeps_momentum_and_energy(spin: Any) -> None:
    mesh, world = box(1, 2, 3), World(gravity=(0, 0, 0))
    inertia = tc.MassProperties.of(mesh, 1000.0).inertia
    world.add("b", mesh, angular_velocity=spin)

    def momentum() -> Any:
        turn = world.poses[0][:3, :3]
        return turn @ inertia @ turn.T @ world.velocities[0][3:]

    start, energy = momentum(), world.energy
    for _ in range(10):
        world.step(100)
        assert world.energy == pytest.approx(energy, rel=1e-10)
        if np.linalg.norm(spin) < 300:
            assert momentum() == pytest.approx(start, abs=1e-9 * float(np.linalg.norm(start)))
    turn = world.poses[0][:3, :3]
    assert turn.T @ turn == pytest.approx(np.eye(3), abs=1e-12)


@pytest.mark.parametrize("spin", [1.0, 10.0, 100.0, 300.0])
def test_a_thin_rod_keeps_its_axial_spin(spin: float) -> None:
    world = World(gravity=(0, 0, 0))
    world.add("rod", tc.Mesh(*models.cylinder(1e-3, 1.0, 12)), angular_velocity=(spin, 0, spin))
    world.step(120)
    assert world.velocities[0][3:] @ world.poses[0][:3, 2] == pytest.approx(spin, rel=1e-6)
    assert np.linalg.norm(world.velocities[0][3:]) == pytest.approx(spin * 2**0.5, rel=1e-4)


def test_a_gyroscope_precesses() -> None:
    """Free symmetric body: the axis goes about the momentum with the rate |L| / I1."""
    moments, world = np.diag((2.0, 2.0, 3.0)), World(gravity=(0, 0, 0), step=1e-3)
    world.add("disk", box(1, 1, 0.1), mass=1, inertia=moments, angular_velocity=(1.0, 0, 6.0))
    momentum = np.array((2.0, 0, 18.0))
    axis, rate = momentum / np.linalg.norm(momentum), np.linalg.norm(momentum) / 2
    world.step(1000)
    start = np.array((0.0, 0, 1))
    along = axis * (axis @ start)
    expected = along + np.cos(rate) * (start - along) + np.sin(rate) * np.cross(axis, start)
    assert world.poses[0][:3, 2] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("speed", [0.0, -3.0, 2.0])
@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_bounce_heights(restitution: float, speed: float) -> None:
    world = on_floor(friction=0, sleeping=False)
    world.add(
        "b", box(1, 1, 1), tc.pose((0, 0, 1.5)),
        velocity=(0, 0, speed), restitution=restitution, friction=0,
    )  # fmt: skip
    heights, impacts = [], 0
    while impacts < 2 and world.time < 3:
        report = world.step()
        impacts += report.impacts
        heights.append(world.poses[1][2, 3] - 0.5)
        assert report.stopped == 0
        if impacts == 0:
            heights.clear()
    expected = restitution**2 * (1 + speed**2 / (2 * G))
    assert max(heights) == pytest.approx(expected, abs=4e-3 + (0.05 if expected == 0 else 0))


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("mass", [1e-3, 0.1, 1.0, 3.0, 1e4])
def test_head_on_impacts(mass: float, restitution: float) -> None:
    world = World(gravity=(0, 0, 0))
    given: dict[str, Any] = {"restitution": restitution}
    world.add("a", box(1, 1, 1), tc.pose((-1, 0, 0)), mass=1, velocity=(1, 0, 0), **given)
    world.add("b", box(1, 1, 1), tc.pose((1, 0, 0)), mass=mass, velocity=(-1, 0, 0), **given)
    report = world.step(100)
    common = (1 - mass) / (1 + mass)
    after = common - 2 * restitution * mass / (1 + mass), common + 2 * restitution / (1 + mass)
    assert world.velocities[:, 0] == pytest.approx(after, abs=1e-6)
    assert np.abs(world.velocities[:, 1:]).max() < 1e-6
    assert world.velocities[0, 0] + mass * world.velocities[1, 0] == pytest.approx(1 - mass)
    assert world.energy == pytest.approx((after[0] ** 2 + mass * after[1] ** 2) / 2, abs=1e-5)
    assert len(report.events) == report.impacts == 1
    assert report.events.speed == pytest.approx([2])
    assert report.events.impulse[0, 0] == pytest.approx(after[0] - 1, rel=1e-5)
    assert set(report.events.pairs[0]) == {"a", "b"}


def test_an_impact_off_center() -> None:
    """A resting bar, hit without friction near its end, turns and moves by the same impulse."""
    world = World(gravity=(0, 0, 0))
    given: dict[str, Any] = {"restitution": 1, "friction": 0}
    world.add("bar", box(2, 0.2, 0.2), mass=1, **given)
    ball = tc.Mesh(*models.icosphere(0.1, 3))
    world.add("ball", ball, tc.pose((0.5, -1, 0)), mass=1, velocity=(0, 2, 0), **given)
    moment = (4 + 0.04) / 12
    impulse = 2 * 2 / (1 + 1 + 0.25 / moment)
    world.step(100)
    bar, hit = world.velocities
    assert bar[1] == pytest.approx(impulse, rel=1e-2)
    assert bar[5] == pytest.approx(0.5 * impulse / moment, rel=1e-2)
    assert hit[1] == pytest.approx(2 - impulse, rel=1e-2)
    energy = (bar[1] ** 2 + moment * bar[5] ** 2 + hit[1] ** 2) / 2
    assert energy == pytest.approx(2, rel=1e-3)


def slide(angle: float, friction: float, tilt: str) -> tuple[World, Any]:
    """A brick on a slope that goes down along x, and the direction down the slope."""
    if tilt == "gravity":
        down, rotvec = (G * np.sin(angle), 0, -G * np.cos(angle)), None
    else:
        down, rotvec = (0, 0, -G), (0, angle, 0)
    world, frame = World(gravity=down, sleeping=False), tc.pose(rotvec=rotvec)
    at = [frame @ tc.pose(place) for place in ((0, 0, -0.5), (-5, 0, 0.05 + 0.26e-3))]
    world.add("floor", FLOOR, at[0], fixed=True, friction=friction)
    world.add("b", BRICK, at[1], friction=friction)
    return world, frame[:3, 0]


@pytest.mark.parametrize("tilt", ["gravity", "box"])
@pytest.mark.parametrize("friction", [0.0, 0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("angle", [0.1, 0.3, 0.6])
def test_slopes_against_coulomb(angle: float, friction: float, tilt: str) -> None:
    world, along = slide(angle, friction, tilt)
    start = world.poses[1][:3, 3]
    report = world.step(120)
    pull = max(0.0, G * (np.sin(angle) - friction * np.cos(angle)))
    assert (world.poses[1][:3, 3] - start) @ along == pytest.approx(pull / 2, abs=2e-5)
    assert world.velocities[1][:3] @ along == pytest.approx(pull, abs=1e-6)
    assert np.abs(world.velocities[1][3:]).max() < 1e-5
    assert (report.stopped, report.truncated) == (0, 0)


@pytest.mark.parametrize(("speed", "friction"), [(1.0, 0.5), (3.0, 0.5), (5.0, 0.3), (2.0, 1.0)])
def test_a_sliding_block_stops(speed: float, friction: float) -> None:
    world = on_floor(friction=friction)
    start = tc.pose((-5, 0, 0.05 + 0.26e-3))
    world.add("b", BRICK, start, velocity=(speed, 0, 0), friction=friction)
    world.step(360)
    way = speed**2 / (2 * friction * G)
    assert world.poses[1][0, 3] + 5 == pytest.approx(way, rel=1e-3)
    assert np.abs(world.velocities[1]).max() == 0
    assert world.asleep[1]


@pytest.mark.parametrize(
    ("mesh", "moment", "facets"),
    [
        (tc.Mesh(*models.cylinder(0.2, 0.3, 256, axis="y")), 0.5, 0.05),
        (tc.Mesh(*models.icosphere(0.2, 4)), 0.4, 0.08),
    ],
)
def test_rolling_without_slipping(mesh: tc.Mesh, moment: float, facets: float) -> None:
    """Each facet that hits the floor takes some speed."""
    angle, radius = 0.2, 0.2
    world = on_floor(1.0, gravity=(G * np.sin(angle), 0, -G * np.cos(angle)), step=1 / 480)
    world.add("b", mesh, tc.pose((-5, 0, 3e-4 - mesh.vertices[:, 2].min())), friction=1)
    report = world.step(480)
    v = world.velocities[1]
    assert v[0] == pytest.approx(radius * v[4], rel=1e-2)
    assert v[0] == pytest.approx(G * np.sin(angle) / (1 + moment), rel=facets)
    assert report.stopped == 0


def test_rolling_goes_on() -> None:
    """Impacts of facets take 4 % of the speed in a second, and the length of a step some more."""
    mesh = tc.Mesh(*models.cylinder(0.2, 0.3, 256, axis="y"))
    world = on_floor(1.0)
    at = tc.pose((-5, 0, 3e-4 - mesh.vertices[:, 2].min()))
    world.add("b", mesh, at, friction=1, velocity=(1, 0, 0), angular_velocity=(0, 5, 0))
    world.step(120)
    assert 0.85 < world.velocities[1][0] < 1


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8, 0.9])
def test_bounces_end_in_finite_time(restitution: float) -> None:
    world = on_floor()
    ball = tc.Mesh(*models.icosphere(0.1, 2))
    height = 0.5
    z = height - ball.vertices[:, 2].min()
    world.add("ball", ball, tc.pose((0, 0, z)), restitution=restitution)
    ends = (2 * height / G) ** 0.5 * (1 + restitution) / (1 - restitution)
    report = world.step(round((ends + 0.6) * 120))
    # The last one that counts has the speed that a step of falling gives, twice.
    fewest = np.log((2 * G * height) ** 0.5 / (2 * G / 120)) / -np.log(restitution)
    assert fewest - 3 <= report.impacts <= 2 * fewest + 3
    assert report.events.time.max() < ends + 0.1
    assert report.stopped == 0
    assert abs(world.velocities[1][2]) < 0.1  # it may still roll on its facets


@pytest.mark.parametrize(
    ("angle", "stands"), [(0.05, True), (0.2, True), (0.3, True), (0.4, False)]
)
def test_a_rocking_block_comes_to_rest(angle: float, stands: bool) -> None:
    """It stands up again from less than atan(1/3) = 0.322, and else falls over."""
    mesh, pose = box(0.2, 0.2, 0.6), tc.pose(rotvec=(0, angle, 0))
    pose[2, 3] = 4e-4 - (pose[:3, :3] @ mesh.vertices.T)[2].min()
    world = on_floor()
    world.add("b", mesh, pose)
    report = world.step(480)
    assert abs(world.poses[1][2, 2]) == pytest.approx(1 if stands else 0, abs=1e-3)
    assert np.abs(world.velocities[1]).max() < 1e-3
    assert world.asleep[1]
    assert report.stopped == 0


def test_bodies_rest_at_the_shell() -> None:
    world = on_floor()
    world.add("b", box(1, 1, 1), tc.pose((0, 0, 0.6)))
    world.step(240)
    shell = world.shell("b", "floor")
    assert shell == pytest.approx(SHELL * 0.75**0.5)
    assert world.poses[1][2, 3] - 0.5 == pytest.approx(shell, rel=0.1)
    assert world.contacts.distance == pytest.approx(np.full(len(world.contacts), shell), rel=0.1)


def references(*owners: Any) -> list[int]:
    """How many hold on to the core of meshes and articulated bodies."""
    gc.collect()
    return [sys.getrefcount(owner._core) for owner in owners]


def test_removed_bodies_are_freed() -> None:
    """Nothing holds on to a mesh, or to an articulated body, once it was removed."""
    rod, ball = box(0.1, 0.1, 0.5), tc.Mesh(*models.icosphere(0.1, 3))
    links = [tc.Link("a", rod), tc.Link("b", rod)]
    robot = tc.Robot(links, [tc.Joint("j", "revolute", "a", "b", tc.pose((0.5, 0, 0)))])
    body = ArticulatedBody(robot, floating=True)
    before = references(rod, ball, body)
    world = on_floor()
    for _ in range(3):
        world.add("ball", ball, tc.pose((5, 0, 5)))
        world.add("script", ball, motion=tc.Motion.fixed(tc.pose((9, 0, 5))))
        body.q = np.r_[0, 0, 2, 0, 0, 0, 1, 0.0]
        world.add_articulated("arm", body)
        log = world.start_log()
        world.step(3)
        state = world.save()
        world.restore(state)
        for name in ("ball", "arm", "script"):
            world.remove(name)
        world.step()
        del log
    assert references(rod, ball, body) == before


def test_a_mesh_may_take_the_place_of_one_that_was_freed() -> None:
    """Nothing is remembered by the address of a mesh."""
    world = on_floor()
    world.step(20)
    for k in range(30):
        size = 0.3 + 0.1 * (k % 7)
        mesh = tc.Mesh(*(models.icosphere(size, 1) if k % 2 else models.box((size, size, size))))
        pose = tc.pose((0, 0, size + 0.01), rotvec=(0.3, 0.1, 0))
        fresh = on_floor()
        for each in (world, fresh):
            each.add("b", mesh, pose)
            each.step(20)
        assert (world.poses == fresh.poses).all()
        world.remove("b")
        del mesh, fresh
