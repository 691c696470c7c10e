"""What worlds refuse, and how they push bodies apart that start in contact."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from oracles.worlds import box, on_floor

import toccata as tc
from toccata.dynamics import World, WorldState

CUBE = box(1, 1, 1)
NAN, INF = float("nan"), float("inf")
WAY = tc.Motion.linear(tc.pose(), tc.pose((0, 0, 1)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mass": 0}, "mass: expected a finite number of more than 0, got 0"),
        ({"mass": -1}, "mass: expected"),
        ({"mass": NAN}, "mass: expected"),
        ({"density": 0}, "density: expected"),
        ({"inertia": np.zeros((3, 3))}, "inertia: expected a positive definite matrix"),
        ({"inertia": -np.eye(3)}, "inertia: expected a positive definite matrix"),
        ({"inertia": np.diag((1.0, 1.0, 3.0))}, "inertia: expected no principal moment above"),
        ({"inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}, "inertia: expected a symmetric"),
        ({"inertia": np.eye(2)}, "inertia: expected shape"),
        ({"inertia": np.full((3, 3), NAN)}, "inertia: expected finite numbers"),
        ({"restitution": 1.1}, "restitution: expected a number from 0 to 1, got 1.1"),
        ({"restitution": -0.1}, "restitution: expected"),
        ({"restitution": NAN}, "restitution: expected"),
        ({"friction": -1}, "friction: expected"),
        ({"friction": INF}, "friction: expected"),
        ({"velocity": (NAN, 0, 0)}, "velocity: expected finite numbers"),
        ({"velocity": (0, 0)}, "velocity: expected shape"),
        ({"angular_velocity": (0, INF, 0)}, "angular_velocity: expected finite numbers"),
        ({"pose": np.full((4, 4), NAN)}, "pose: expected finite numbers"),
        ({"pose": np.zeros((4, 4))}, "pose: expected a rigid pose"),
        ({"pose": np.eye(3)}, "pose: expected shape"),
        ({"motion": WAY, "fixed": True}, "motion: cannot be combined with `pose` or `fixed`"),
        ({"motion": WAY, "pose": np.eye(4)}, "motion: cannot be combined with `pose` or `fixed`"),
        ({"motion": WAY, "duration": 0}, "duration: expected"),
    ],
)
def test_bodies_that_are_refused(options: dict[str, Any], message: str) -> None:
    world = World()
    with pytest.raises(ValueError, match=message):
        world.add("b", CUBE, **options)
    assert len(world) == 0
    world.add("b", CUBE)
    world.step()


def test_names_and_meshes() -> None:
    world = World()
    world.add("b", CUBE)
    with pytest.raises(ValueError, match="name: the world already has a body named 'b'"):
        world.add("b", CUBE)
    with pytest.raises(TypeError, match="name: expected str, got int"):
        world.add(3, CUBE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"mesh: expected a toccata\.Mesh"):
        world.add("x", "nonsense")
    with pytest.raises(TypeError, match="mass: expected a number, got 'x'"):
        world.add("x", CUBE, mass="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mesh: expected a volume or an area"):
        world.add("x", tc.Mesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]))
    assert world.names == ("b",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0}, "step: expected"),
        ({"step": NAN}, "step: expected"),
        ({"shell": 0}, "shell: expected"),
        ({"gravity": (0, 0)}, "gravity: expected shape"),
        ({"gravity": (0, 0, NAN)}, "gravity: expected finite numbers"),
        ({"threads": 0}, "threads: expected"),
    ],
)
def test_worlds_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        World(**options)


def test_calls_that_are_refused() -> None:
    world = on_floor()
    world.add("b", CUBE, tc.pose((0, 0, 2)))
    calls: list[tuple[Any, tuple[Any, ...], str]] = [
        (world.apply, ("x",), "name: expected a body of the world, got 'x'"),
        (world.apply, ("floor", (1, 0, 0)), "name: expected a body with mass, got 'floor'"),
        (world.apply, ("b", (NAN, 0, 0)), "force: expected finite numbers"),
        (world.set_velocity, ("b", (0, 0, 0), (NAN, 0, 0)), "angular_velocity: expected finite"),
        (world.set_velocity, ("floor",), "name: expected a body with mass"),
        (world.step, (0,), "n: expected"),
        (world.step, (1.5,), "n: expected a whole number"),
        (world.move, ("b", np.zeros((4, 4))), "pose: expected a rigid pose"),
        (world.separate, (-1,), "within: expected"),
    ]
    for call, arguments, message in calls:
        with pytest.raises(ValueError, match=message):
            call(*arguments)
    assert world.poses[1][2, 3] == 2


@pytest.mark.parametrize("size", [1e100, 1e200, 1e300])
def test_velocities_and_forces_beyond_all_numbers(size: float) -> None:
    """They are refused or stopped, and the world goes on."""
    for kind in ("velocity", "spin", "force", "torque"):
        world = on_floor()
        world.add("b", CUBE, tc.pose((0, 0, 0.51)))
        give = world.set_velocity if kind in ("velocity", "spin") else world.apply
        pair = (
            ((0, 0, -size), (0, 0, 0))
            if kind in ("velocity", "force")
            else ((0, 0, 0), (size, 0, 0))
        )
        give("b", *pair)
        world.step(30)
        assert np.isfinite(world.poses).all()
        assert np.isfinite(world.velocities).all()
        assert world.poses[1][2, 3] > 0.5


def test_a_start_in_contact_names_the_pair() -> None:
    world = on_floor()
    world.add("low", CUBE, tc.pose((0, 0, 0.6)))
    world.add("high", CUBE, tc.pose((0, 0, 1.59)))
    with pytest.raises(
        ValueError, match=r"pose: expected .* got '(low|high)' and '(low|high)' in contact"
    ):
        world.step()
    world.move("high", tc.pose((0, 0, 1.6 + 1e-6)))
    with pytest.raises(
        ValueError, match=r"got '(low|high)' and '(low|high)' 1e-06 apart; separate\(\)"
    ):
        world.step()
    world.move("high", tc.pose((0, 0, 1.7)))
    world.step()


@pytest.mark.parametrize("depth", [0.0, 1e-12, 1e-9, 1e-4, 0.01, 0.04, -1e-5])
def test_separate_mends_a_small_overlap(depth: float) -> None:
    world = on_floor()
    world.add("b", CUBE, tc.pose((0, 0, 0.5 - depth)))
    way = world.separate()
    shell = world.shell("b", "floor")
    assert way == pytest.approx(depth + shell, rel=1e-3, abs=1e-9)
    assert world.poses[1][:3, 3] == pytest.approx((0, 0, 0.5 + shell), abs=0.1 * shell)
    report = world.step(60)
    assert report.stopped == 0
    assert world.poses[1][2, 3] == pytest.approx(0.5 + shell, abs=0.2 * shell)
    assert world.separate() == 0


@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0])
def test_separate_refuses_a_deep_one(depth: float) -> None:
    world = on_floor()
    world.add("far", CUBE, tc.pose((4, 0, 0.5)))
    world.add("deep", CUBE, tc.pose((0, 0, 0.5 - depth)))
    poses, state = world.poses, world.save()
    with pytest.raises(ValueError, match=r"world: expected bodies that come apart within 0\.0433"):
        world.separate()
    assert np.array_equal(world.poses, poses)
    assert np.array_equal(world.save().numbers, state.numbers)
    if depth == 0.1:
        assert world.separate(0.2) == pytest.approx(0.1, abs=0.01)
        world.step(10)


def test_separate_many() -> None:
    """A tower and a row of boxes that touch exactly, as they are modelled."""
    world = on_floor()
    for i in range(3):
        world.add(f"tower{i}", CUBE, tc.pose((0, 3, 0.5 + i)))
        world.add(f"row{i}", CUBE, tc.pose((i, 0, 0.5)))
    assert 0 < world.separate() < 0.01
    report = world.step(120)
    assert report.stopped == 0
    heights = {name: pose[2, 3] for name, pose in zip(world.names, world.poses, strict=True)}
    for i in range(3):
        assert heights[f"tower{i}"] == pytest.approx(0.5 + i, abs=0.01)
        assert heights[f"row{i}"] == pytest.approx(0.5, abs=0.01)


def test_separate_bodies_without_mass() -> None:
    world = World()
    world.add("wall", CUBE, fixed=True)
    world.add("door", CUBE, motion=tc.Motion.linear(tc.pose((0.5, 0, 0)), tc.pose((2, 0, 0))))
    with pytest.raises(ValueError, match=r"'(wall|door)' and '(wall|door)'"):
        world.step()
    with pytest.raises(ValueError, match=r"'(wall|door)' and '(wall|door)'"):
        world.separate()


def test_fixed_bodies_may_overlap() -> None:
    world = World()
    world.add("a", CUBE, fixed=True)
    world.add("b", CUBE, tc.pose((0.5, 0, 0)), fixed=True)
    world.add("c", CUBE, tc.pose((0, 0, 3)))
    assert world.step(120).stopped == 0


def test_the_least_distance_is_one() -> None:
    world = World(gravity=(0, 0, 0))
    world.add("room", box(4, 4, 4), fixed=True)
    world.add("b", CUBE)
    assert world.step().least_distance >= 1.5 - 1e-9
    world.move("b", tc.pose((1.499, 0, 0)))
    assert world.step().least_distance == pytest.approx(1e-3, rel=1e-6)


def test_forces_without_end_stop_a_body_that_is_alone() -> None:
    world = World()
    world.add("b", CUBE)
    for _ in range(3):
        world.apply("b", (0, 0, -1.7e308))
    assert world.step().stopped == 1
    assert np.isfinite(world.poses).all() and np.isfinite(world.velocities).all()


def cube_on_floor(size: float = 1.0, **options: Any) -> World:
    world = on_floor()
    world.add("b", box(size, size, size), tc.pose((0, 0, size / 2 + 1e-3)), **options)
    world.step(10)
    return world


def test_a_state_with_impossible_numbers_is_refused() -> None:
    world = cube_on_floor()
    state = world.save()
    pair = 2 + 28 * 2  # after the numbers of the world and of two bodies
    for place, value in ((pair, -1.0), (pair, 0.5), (pair + 1, 7.0), (pair + 3, 1e9), (28, -7.0)):
        numbers = state.numbers.copy()
        numbers[place] = value
        with pytest.raises(ValueError, match="state: expected one of the same bodies"):
            world.restore(replace(state, numbers=numbers))
    with pytest.raises(ValueError, match="state: expected one of the same bodies"):
        world.restore(replace(state, numbers=state.numbers[:40]))
    with pytest.raises(ValueError, match="state: expected numbers of shape"):
        world.restore(replace(state, numbers=np.ones((2, 2))))
    assert np.array_equal(world.save().numbers, state.numbers)
    assert world.step(10).stopped == 0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_state_with_numbers_that_are_not_finite_is_refused(value: float) -> None:
    world = cube_on_floor()
    state = world.save()
    for place in range(len(state.numbers)):
        numbers = state.numbers.copy()
        numbers[place] = value
        with pytest.raises(ValueError, match=r"state.*: expected") as told:
            world.restore(WorldState(state.names, numbers))  # or replace: no seal in both
        if 2 <= place < 2 + 24:  # the body's own numbers
            assert "state of 'b': expected finite numbers" in str(told.value)
    assert np.array_equal(world.save().numbers, state.numbers)


def test_a_state_that_shears_is_refused() -> None:
    world = cube_on_floor()
    numbers = world.save().numbers
    numbers[2:5] *= 1.1
    with pytest.raises(ValueError, match="state of 'b': expected a rigid pose"):
        world.restore(replace(world.save(), numbers=numbers))


def test_a_changed_state_is_checked_like_a_start() -> None:
    world = cube_on_floor()
    state = world.save()
    height = 2 + 11  # of the center of mass of "b", after its rotation
    numbers = state.numbers.copy()
    numbers[height] -= 0.2
    changed = replace(state, numbers=numbers)
    world.restore(changed)
    with pytest.raises(ValueError, match="'b' and 'floor' in contact"):
        world.step()
    numbers[height] += 0.7
    world.restore(changed)  # changed in place, free again
    assert world.step().stopped == 0
    assert world.poses[1][2, 3] == pytest.approx(1.0, abs=2e-3)
    world.restore(state)
    assert world.step().stopped == 0


@pytest.mark.parametrize("other", [{"size": 1.1}, {"mass": 3.0}, {"inertia": np.eye(3)}])
def test_a_state_of_another_body_of_that_name_is_refused(other: dict[str, Any]) -> None:
    world, state = cube_on_floor(), cube_on_floor(**other).save()
    with pytest.raises(ValueError, match="another mesh, mass or kind of 'b'"):
        world.restore(state)


def test_a_state_of_another_kind_of_body_is_refused() -> None:
    world = on_floor()
    world.add("b", CUBE, tc.pose((0, 0, 3)), fixed=True)
    with pytest.raises(ValueError, match="another mesh, mass or kind of 'b'"):
        world.restore(cube_on_floor().save())


def test_a_start_that_was_not_checked_is_checked_after_a_restore() -> None:
    """A state as it was saved proves nothing of a start in contact."""
    world, fresh = on_floor(), on_floor()
    for each in (world, fresh):
        each.add("b", CUBE, tc.pose((0, 0, 0.3)))
    fresh.restore(world.save())
    for each in (world, fresh):
        with pytest.raises(ValueError, match="'b' and 'floor' in contact"):
            each.step()


def pressed() -> World:
    """A plate that moves to a floor, and waits nearer to it than a start may be."""
    world = World()
    world.add("floor", box(4, 4, 0.5), tc.pose((0, 0, -1)), fixed=True)
    press = tc.Motion.linear(tc.pose((0, 0, 1)), tc.pose((0, 0, -1)))
    world.add("press", box(1, 1, 0.2), motion=press, duration=0.5)
    return world


def test_motions_may_lead_nearer_than_a_start_may_be() -> None:
    world, fresh, wider = pressed(), pressed(), World(shell=0.01)
    world.step(60)
    state = world.save()
    assert np.array_equal(pressed().poses, fresh.poses)
    placed = World()
    placed.add("floor", box(4, 4, 0.5), tc.pose((0, 0, -1)), fixed=True)
    placed.add("press", box(1, 1, 0.2), world.poses[1])
    with pytest.raises(ValueError, match="expected bodies more than"):
        placed.step()  # the same poses are no start
    fresh.restore(pickle.loads(pickle.dumps(state)))
    fresh.step()
    world.add("far away", CUBE, tc.pose((50, 0, 50)))
    world.step()
    world.remove("far away")
    world.step()
    world.add("too near", box(0.1, 0.1, 0.1), tc.pose((1.5, 0, -0.7)))
    with pytest.raises(ValueError, match="'floor' and 'too near'"):
        world.step()
    world.move("too near", tc.pose((1.5, 0, 2)))
    world.step()
    # A world whose bodies rest farther apart checks what it is given.
    wider.add("floor", box(4, 4, 0.5), tc.pose((0, 0, -1)), fixed=True)
    press = tc.Motion.linear(tc.pose((0, 0, 1)), tc.pose((0, 0, -1)))
    wider.add("press", box(1, 1, 0.2), motion=press, duration=0.5)
    wider.restore(state)
    with pytest.raises(ValueError, match="'floor' and 'press'"):
        wider.step()
