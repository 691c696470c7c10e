"""The same world gives the same bits: on any number of threads, in any order, after a restore."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.worlds import FLOOR, box

import toccata as tc
from toccata.dynamics import World
from toccata.scenes import models, worlds

KINDS = (
    box(0.3, 0.4, 0.5),
    tc.Mesh(*models.torus(0.3, 0.1, 12, 8)),
    tc.Mesh(*models.cylinder(0.2, 0.5, 12)),
)


def heap(order: Iterable[int] | None = None, count: int = 12, **options: Any) -> World:
    """Bodies that fall on each other while one is pushed through them, added in an order."""
    rng, world = np.random.default_rng(0), World(**options)
    bodies: list[tuple[str, tc.Mesh, Any, dict[str, Any]]] = []
    bodies.append(("floor", FLOOR, tc.pose((0, 0, -0.5)), {"fixed": True}))
    for i in range(count):
        at = (0.3 * (i % 2), 0.25 * (i % 3), 0.6 + 0.7 * i)
        given: dict[str, Any] = {
            "velocity": rng.normal(size=3),
            "angular_velocity": rng.normal(size=3) * 5,
            "restitution": float(rng.choice([0, 0.5])),
            "friction": rng.uniform(),
        }
        bodies.append((f"b{i}", KINDS[i % 3], tc.pose(at, rotvec=rng.normal(size=3)), given))
    motion = tc.Motion.linear(tc.pose((-3, 0, 0.3)), tc.pose((3, 0, 0.3)))
    bodies.append(("pusher", box(0.3, 0.3, 0.3), None, {"motion": motion, "duration": 2.0}))
    for i in range(len(bodies)) if order is None else order:
        name, mesh, pose, given = bodies[i]
        world.add(name, mesh, pose, **given)
    return world


def bits(world: World) -> str:
    by_name = np.argsort(world.names)
    columns = (world.poses, world.velocities, world.asleep)
    return hashlib.sha256(b"".join(c[by_name].tobytes() for c in columns)).hexdigest()


def test_threads() -> None:
    worlds = [heap(threads=threads) for threads in (1, 2, 4)]
    for _ in range(6):
        reports = [world.step(40) for world in worlds]
        assert len({bits(world) for world in worlds}) == 1
        assert len({(r.substeps, r.passes, r.impacts, r.lift, r.energy) for r in reports}) == 1
        assert len({r.events.impulse.tobytes() for r in reports}) == 1


def test_the_order_of_bodies_does_not_matter() -> None:
    world, other = heap(), heap(np.random.default_rng(5).permutation(14))
    assert world.names != other.names
    for _ in range(6):
        world.step(40)
        other.step(40)
        assert bits(world) == bits(other)


@pytest.mark.parametrize("sleeping", [False, True])
def test_a_saved_world_goes_on_bit_by_bit(sleeping: bool) -> None:
    world, fresh = heap(sleeping=sleeping), heap(sleeping=sleeping)
    for _ in range(8):
        world.step(37)
        state = pickle.loads(pickle.dumps(world.save()))
        now, time = bits(world), world.time
        world.step(11)
        then = bits(world)
        fresh.restore(state)
        assert (bits(fresh), fresh.time) == (now, time)
        fresh.step(11)
        assert bits(fresh) == then
        world.restore(state)
        assert bits(world) == now
        world.step(11)
        assert bits(world) == then


def pressed(seed: int = 0) -> World:
    """Bodies between a floor and a press: steps are cut off, and distances are tiny."""
    rng, world = np.random.default_rng(seed), World(sleeping=False)
    world.add("floor", FLOOR, tc.pose((0, 0, -0.5)), fixed=True)
    for i in range(4):
        at = (0.45 * (i % 2), 0.45 * (i // 2), 0.4)
        world.add(f"b{i}", KINDS[i % 3], tc.pose(at, rotvec=rng.normal(size=3)), friction=0.3)
    press = tc.Motion.linear(tc.pose((0.2, 0.2, 1.2)), tc.pose((0.2, 0.2, -0.2), rotvec=(0, 0, 1)))
    world.add("press", box(2, 2, 0.2), motion=press, duration=0.4)
    world.separate(0.5)
    return world


def man(seed: int = 0) -> World:
    """An articulated body of which few joints are active."""
    return worlds.make_world(worlds.get("pendulum", seed=seed), active=5)


@pytest.mark.parametrize("make", [heap, pressed, man])
def test_saving_is_reading(make: Any) -> None:
    """Bits do not depend on states that were saved, nor on what a world remembers."""
    plain, saved, restored = make(), make(), make()
    truncated = 0
    for _ in range(80):
        truncated += plain.step().truncated
        state = saved.save()
        saved.step()
        restored.restore(state)
        restored.step()
        assert bits(saved) == bits(plain)
        assert bits(restored) == bits(plain)
        assert np.array_equal(plain.save().numbers, saved.save().numbers)
    assert truncated or make is not pressed


def test_a_state_has_what_users_did_to_articulated_bodies() -> None:
    """Joint forces, forces on links, and another configuration that no step has seen yet."""

    def made() -> World:
        world = man()
        world.step(5)
        return world

    world, other = made(), made()
    body = next(iter(world.articulated.values()))
    body.tau = np.full(body.freedoms, 0.1)
    body.apply(body.robot.link_names[3], force=(0, 5, 0))
    body.v = body.v * 0.5
    state = pickle.loads(pickle.dumps(world.save()))
    other.restore(state)
    for _ in range(15):
        world.step()
        other.step()
        assert bits(world) == bits(other)
    twin = next(iter(other.articulated.values()))
    assert (twin.tau == 0.1).all()
    assert (twin.active == body.active).all()
    assert twin.error == body.error


def test_saving_between_two_changes_is_reading() -> None:
    """A configuration that is taken back before the next step was never there."""

    def run(saves: bool) -> World:
        world = man()
        world.step(10)
        body = next(iter(world.articulated.values()))
        q = body.q
        body.q = q + 0.01
        if saves:
            world.save()
        body.q = q
        world.step(20)
        return world

    assert bits(run(True)) == bits(run(False))


def test_forces_are_part_of_the_state() -> None:
    world = heap()
    world.apply("b3", (50, 0, 0), (0, 5, 0))
    state = world.save()
    world.step()
    other = heap()
    other.restore(state)
    other.step()
    assert bits(world) == bits(other)


def test_states_of_other_bodies_are_refused() -> None:
    with pytest.raises(ValueError, match="state: expected a state of the same bodies"):
        heap().restore(heap(count=3).save())


def test_a_log_changes_nothing() -> None:
    world, logged = heap(), heap()
    log = logged.start_log()
    world.step(100)
    logged.step(100)
    assert bits(world) == bits(logged)
    assert log.times[-1] == world.time


def test_steps_at_once_or_one_by_one() -> None:
    world, other = heap(), heap()
    report = world.step(60)
    single = [other.step() for _ in range(60)]
    assert bits(world) == bits(other)
    assert report.substeps == sum(r.substeps for r in single)
    assert (
        report.events.impulse.tobytes() == np.vstack([r.events.impulse for r in single]).tobytes()
    )


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module
from unit.dynamics.test_world_bits import bits
from toccata._native import core
world = getattr(import_module(f"unit.dynamics.{sys.argv[2]}"), sys.argv[3])()
world.step(200)
print(core.__name__, bits(world))
"""


@pytest.mark.parametrize(
    "world",
    [("test_world_bits", "heap"), ("test_articulated_world", "heap_of_chains")],
)
def test_both_builds_give_the_same_bits(world: tuple[str, str]) -> None:
    found = []
    for simd in ("", "baseline"):
        environment = dict(os.environ, TOCCATA_SIMD=simd)
        words = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[2]), *world]
        done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.split())
    if found[0][0] == found[1][0]:
        pytest.skip("this processor has only one build")
    assert found[0][1] == found[1][1]
