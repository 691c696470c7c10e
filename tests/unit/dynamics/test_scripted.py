"""A body moved by hand among bodies that move by themselves: they push it, and never crush it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles import sampling
from oracles.size import cases

import toccata as tc
from toccata.dynamics import Manipulator, MotionPath, Move, MoveStatus
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
PLATE = tc.Mesh(*models.box((4.0, 4.0, 0.2)))
ARM = tc.Mesh(*models.box((4.0, 0.3, 0.3)))


def lift() -> tc.Scene:
    """A plate below the box rises by 1."""
    scene = tc.Scene()
    scene.add("lift", PLATE, tc.Motion.linear(tc.pose((0, 0, -0.7)), tc.pose((0, 0, 0.3))))
    return scene


def press() -> tc.Scene:
    """A lift below a ceiling: there is room for the box until the time 0.5."""
    scene = lift()
    scene.add("ceiling", PLATE, tc.pose((0, 0, 1.1)))
    return scene


def mill() -> tc.Scene:
    """An arm that turns above a floor, and a plate that comes from the side."""
    scene = tc.Scene()
    scene.add("floor", PLATE, tc.pose((0, 0, -1)))
    scene.add("arm", ARM, tc.Motion.twist(tc.pose((0, 0, 0)), linear=(0, 0, 0), angular=(0, 0, 3)))
    times, at = (0, 0.5, 1), [tc.pose((x, 0, 0), rotvec=(0, 1.5, 0)) for x in (6, 3, 6)]
    scene.add("plate", PLATE, tc.Motion.spline(times, at))
    return scene


def play(hand: Manipulator, target: Any, time: float, most: int = 200) -> Move:
    for _ in range(most):
        move = hand.move(target, time=time)
        if move.status != MoveStatus.MOVING:
            break
    return move


def judge(hand: Manipulator, scene: tc.Scene, body: tc.Mesh = BOX, samples: int = 3) -> float:
    """Return the least distance on the path by coal; the interval method has to find it free."""
    path = hand.path
    assert path.check(body, scene, method="interval") is None
    assert (path.time[1:, 0] == path.time[:-1, 1]).all() and (
        path.time[:, 0] <= path.time[:, 1]
    ).all()
    model = sampling.model(body.vertices, body.faces)
    others = [(sampling.model(m.vertices, m.faces), at) for m, at in map(scene.__getitem__, scene)]
    least = np.inf
    for motion, kept, (start, end) in zip(path, path.separation, path.time, strict=True):
        for t in np.linspace(0, 1, samples):
            near = min(
                sampling.distance(model, other, motion.pose(t), at.pose(start + t * (end - start)))
                for other, at in others
            )
            assert near > kept * (1 - 1e-6)
            least = min(least, near)
    return least


def test_bodies_stay_unless_they_are_asked_to_move() -> None:
    hand = Manipulator(BOX, lift(), np.eye(4))
    move = hand.move(tc.pose((1, 0, 0)))
    assert (move.status, move.time, move.waited, hand.time) == (MoveStatus.REACHED, 0, False, 0)


def test_a_lift_carries_the_body_up() -> None:
    scene = lift()
    hand = Manipulator(BOX, scene, np.eye(4))
    move = play(hand, np.eye(4), 1.0)
    assert move.status == MoveStatus.BLOCKED and move.time == hand.time == 1 and not move.waited
    assert move.pose[2, 3] == pytest.approx(0.9 + hand.shell, abs=hand.shell / 10)
    assert move.wrench[:3] == pytest.approx([0, 0, 0.9], abs=0.01)
    assert set(move.contacts.touching) == {"lift"}
    assert judge(hand, scene) > hand.shell / 8


def test_a_lift_that_sinks_leaves_the_body_where_it_should_be() -> None:
    scene = tc.Scene()
    scene.add("lift", PLATE, tc.Motion.linear(tc.pose((0, 0, -0.7)), tc.pose((0, 0, -2))))
    hand = Manipulator(BOX, scene, np.eye(4))
    move = play(hand, tc.pose((0, 0, -0.5)), 1.0)
    assert move.status == MoveStatus.REACHED and move.time == 1
    judge(hand, scene)


def test_a_press_waits_rather_than_crush_the_body() -> None:
    scene = press()
    hand = Manipulator(BOX, scene, np.eye(4))
    move = play(hand, np.eye(4), 1.0)
    assert move.status == MoveStatus.BLOCKED and move.waited
    assert move.time == hand.time == pytest.approx(0.6 - 2 * hand.shell, abs=2 * hand.shell)
    assert set(move.contacts.touching) == {"lift", "ceiling"}
    assert play(hand, tc.pose((5, 0, 0)), 1.0).status == MoveStatus.REACHED  # out of the way
    assert hand.time == 1
    judge(hand, scene)


def test_an_arm_sweeps_the_body_along() -> None:
    scene = mill()
    scene.remove("plate")
    hand = Manipulator(BOX, scene, tc.pose((1.2, 1, 0)))
    move = play(hand, tc.pose((1.2, 1, 0)), 1.0)
    assert move.time == 1
    assert np.linalg.norm(move.pose[:3, 3] - (1.2, 1, 0)) > 0.1
    judge(hand, scene)


def test_undo_takes_the_time_back() -> None:
    hand = Manipulator(BOX, lift(), np.eye(4))
    poses, times = [hand.pose], [hand.time]
    for time in (0.1, 0.3, 0.6):
        play(hand, np.eye(4), time)
    while hand.undo() is not None and hand.time > 0.3:
        pass
    assert hand.time <= 0.3
    hand.undo(int(repr(hand).split(", ")[1].split()[0]))
    assert (hand.pose == poses[0]).all() and hand.time == times[0] and len(hand.path) == 0


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_paths_keep_their_times(tmp_path: Path, suffix: str) -> None:
    scene = press()
    hand = Manipulator(BOX, scene, np.eye(4))
    play(hand, tc.pose((0.2, 0, 0)), 1.0)
    path = hand.path
    path.save(tmp_path / f"path{suffix}")
    again = MotionPath.load(tmp_path / f"path{suffix}")
    assert again == path and (again.time == path.time).all() and path.time[-1, 1] == hand.time
    back = path.back()
    assert (back.time == path.time[::-1, ::-1]).all() and back.back().time[0, 0] == 0
    assert path.check(BOX, scene) is None and back.check(BOX, scene) is None
    late = MotionPath(path.start, path.end, path.pivot, path.separation, np.ones_like(path.time))
    assert late.check(BOX, scene) is not None  # the lift would have been there already


def test_files_without_times_are_read(tmp_path: Path) -> None:
    hand = Manipulator(BOX, lift(), np.eye(4))
    hand.move(tc.pose((1, 0, 0)))
    path = hand.path
    np.savez(
        tmp_path / "old.npz",
        **{name: getattr(path, name) for name in ("start", "end", "pivot", "separation")},
    )
    assert MotionPath.load(tmp_path / "old.npz") == path


def test_bad_times_are_refused() -> None:
    hand = Manipulator(BOX, lift(), np.eye(4))
    for time in (-0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match=r"^time: expected a"):
            hand.move(np.eye(4), time=time)
    with pytest.raises(TypeError, match=r"^time: expected a number, got 'soon'"):
        hand.move(np.eye(4), time="soon")  # type: ignore[arg-type]
    play(hand, tc.pose((9, 0, 0)), 0.5)
    with pytest.raises(ValueError, match=r"^time: expected a number from 0.5 \(now\) to 1"):
        hand.move(np.eye(4), time=0.4)


def test_the_same_moves_give_the_same_bits() -> None:
    def run() -> MotionPath:
        hand = Manipulator(BOX, mill(), tc.pose((1.2, 1, 0)))
        rng = np.random.default_rng(1)
        for k in range(40):
            hand.move(tc.pose(rng.normal(size=3)), time=(k + 1) / 40)
        return hand.path

    assert run() == run()


@pytest.mark.parametrize("is_hostile", [False, True])
@pytest.mark.parametrize("make", [press, mill])
def test_chaos(make: Any, is_hostile: bool) -> None:
    scene, rng = make(), np.random.default_rng(2)
    start = np.eye(4) if make is press else tc.pose((1.2, 1, 0))
    for _ in range(cases(3)):
        hand = Manipulator(BOX, scene, start)
        while hand.time < 1 and len(hand.path) < 200:
            target = tc.pose(rng.normal(size=3) * 1.5, rotvec=rng.normal(size=3))
            time = min(1.0, hand.time + rng.choice([0, 1e-3, 0.05, 0.2]))
            given = rng.normal(size=(8, 6)) * rng.choice([1e-3, 0.05, 1])
            hand._move(target, 8, (time, None), given if is_hostile else np.empty((0, 6)))
        assert judge(hand, scene) > 0
