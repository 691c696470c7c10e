"""A body moved by hand: it gets where it should, and never into anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles import sampling
from oracles.shapes import random_pose
from oracles.size import cases

import toccata as tc
from toccata.dynamics import Manipulator, MotionPath, Move, MoveStatus
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))


def joined(*parts: tuple[Any, Any]) -> tc.Mesh:
    """One mesh of boxes: their sizes and centers."""
    vertices, faces, count = [], [], 0
    for size, center in parts:
        points, triangles = models.box(size)
        vertices.append(np.asarray(points) + center)
        faces.append(np.asarray(triangles) + count)
        count += len(points)
    return tc.Mesh(np.vstack(vertices), np.vstack(faces))


def scene_of(**meshes: tc.Mesh) -> tc.Scene:
    scene = tc.Scene()
    for name, mesh in meshes.items():
        scene.add(name, mesh)
    return scene


FLOOR = joined(((9.0, 9.0, 1.0), (0.0, 0.0, -0.5)))
WALL = joined(((1.0, 9.0, 9.0), (3.0, 0.0, 0.0)))
SIDE = joined(((9.0, 1.0, 9.0), (0.0, 3.0, 0.0)))
# A hole of 1 x 1 in a plate of 1, along z; and a door that fits into its frame in front of a sheet.
HOLE = joined(
    ((1.0, 3.0, 1.0), (1.0, 0.0, 0.0)),
    ((1.0, 3.0, 1.0), (-1.0, 0.0, 0.0)),
    ((1.0, 1.0, 1.0), (0.0, 1.0, 0.0)),
    ((1.0, 1.0, 1.0), (0.0, -1.0, 0.0)),
)
PEG = tc.Mesh(*models.cylinder(0.49, 2.0, 24))
FRAME = joined(
    ((0.1, 0.1, 2.2), (-0.55, 0.0, 0.0)),
    ((0.1, 0.1, 2.2), (0.55, 0.0, 0.0)),
    ((1.2, 0.1, 0.1), (0.0, 0.0, 1.05)),
    ((1.2, 0.1, 0.1), (0.0, 0.0, -1.05)),
    ((1.0, 0.02, 2.0), (0.0, -0.06, 0.0)),
)
DOOR = joined(((0.97, 0.05, 1.97), (0.0, 0.0, 0.0)), ((0.05, 0.2, 0.2), (0.3, 0.1, 0.0)))


def follow(hand: Manipulator, target: Any, most: int = 100) -> Move:
    """Move until the target is reached, or nothing moves any more."""
    for _ in range(most):
        move = hand.move(target)
        if move.status != MoveStatus.MOVING:
            break
    return move


def angle_to(pose: Any, target: Any) -> float:
    cosine = (np.trace(pose[:3, :3].T @ target[:3, :3]) - 1) / 2
    return float(np.arccos(np.clip(cosine, -1, 1)))


def judge(hand: Manipulator, body: tc.Mesh, scene: tc.Scene, samples: int = 3) -> float:
    """Return the least distance on the path by coal; the interval method has to find it free."""
    path = hand.path
    assert path.check(body, scene, method="interval") is None
    for before, after in zip(path.end[:-1], path.start[1:], strict=True):
        assert np.abs(before - after).max() < 1e-12
    model = sampling.model(body.vertices, body.faces)
    others = [
        (sampling.model(m.vertices, m.faces), at.pose(0.0))
        for m, at in map(scene.__getitem__, scene)
    ]
    least = np.inf
    for motion, kept in zip(path, path.separation, strict=True):
        for pose in motion.pose(np.linspace(0, 1, samples)):
            near = min(sampling.distance(model, other, pose, at) for other, at in others)
            assert near > kept * (1 - 1e-6)
            least = min(least, near)
    return least


def test_it_follows_a_target_in_free_space_exactly() -> None:
    hand = Manipulator(BOX, scene_of(floor=FLOOR), tc.pose((0, 0, 2)))
    for target in (tc.pose((5, 4, 7), rotvec=(1, 2, -1)), tc.pose((-3, 0, 1), rotvec=(0, 0, 0.3))):
        move = hand.move(target)
        assert move.status == MoveStatus.REACHED and move.substeps == 1 and move.truncated == 0
        assert np.abs(move.pose - target).max() < 1e-14 and (hand.pose == move.pose).all()
        assert len(move.contacts) == 0 and (move.wrench == 0).all()
    assert hand.move(target).substeps == 0


def test_without_others_it_is_free() -> None:
    hand = Manipulator(BOX, None, np.eye(4))
    assert hand.move(tc.pose((1e3, 0, 0))).status == MoveStatus.REACHED


def test_it_rests_at_the_shell_and_slides_along() -> None:
    scene = scene_of(floor=FLOOR)
    hand = Manipulator(BOX, scene, tc.pose((0, 0, 1), rotvec=(0.2, 0.1, 0.5)), shell=1e-3)
    move = follow(hand, tc.pose((2, 1, -1)))
    assert move.status == MoveStatus.BLOCKED
    assert move.pose[:3, 3] == pytest.approx([2, 1, 0.5 + 1e-3], abs=2e-5)
    assert angle_to(move.pose, np.eye(4)) < 1e-4
    assert set(move.contacts.touching) == {"floor"} and len(move.contacts) >= 4
    assert move.contacts.distance == pytest.approx(1e-3, abs=2e-5)
    assert move.contacts.normal == pytest.approx(
        np.tile([0, 0, 1], (len(move.contacts), 1)), abs=1e-3
    )
    assert move.wrench == pytest.approx([0, 0, 1.501, 0, 0, 0], abs=1e-3)
    assert judge(hand, BOX, scene) > 2e-4


def test_a_corner_blocks_it() -> None:
    scene = scene_of(floor=FLOOR, wall=WALL, side=SIDE)
    hand = Manipulator(BOX, scene, tc.pose((0, 0, 2)))
    move = follow(hand, tc.pose((9, 7, -3)))
    assert move.status == MoveStatus.BLOCKED
    assert move.pose[:3, 3] == pytest.approx([2, 2, 0.5], abs=3 * hand.shell)
    assert set(move.contacts.touching) == {"floor", "wall", "side"}
    assert move.wrench[:3] == pytest.approx([-7, -5, 3.5], abs=0.02)
    assert np.abs(move.wrench[3:]).max() < 0.1
    assert follow(hand, tc.pose((0, 0, 2))).status == MoveStatus.REACHED
    judge(hand, BOX, scene)


def test_a_peg_goes_into_a_hole() -> None:
    scene = scene_of(plate=HOLE)
    hand = Manipulator(PEG, scene, tc.pose((0.3, 0.2, 2.5), rotvec=(0.05, 0.04, 0)))
    assert follow(hand, tc.pose((0, 0, 0))).status in (MoveStatus.REACHED, MoveStatus.BLOCKED)
    move = follow(hand, tc.pose((0, 0, 1.6)))
    move = follow(hand, tc.pose((0, 0, 0)))
    assert move.status == MoveStatus.REACHED
    judge(hand, PEG, scene)


@pytest.mark.parametrize("offset", [(0, 0, 0), (0.008, 0, -0.006)])
def test_a_door_goes_into_its_frame(offset: Any) -> None:
    scene = scene_of(frame=FRAME)
    hand = Manipulator(DOOR, scene, tc.pose((0, 1.5, 0)), shell=2e-3)
    assert follow(hand, tc.pose(offset)).status == MoveStatus.REACHED
    move = follow(hand, tc.pose((0.05, 0, 0.04)))  # it has 0.015 to each side
    assert move.status == MoveStatus.BLOCKED
    assert move.pose[:3, 3] == pytest.approx([0.013, 0, 0.013], abs=1e-4)
    judge(hand, DOOR, scene)


def test_a_door_pushed_through_a_sheet_rests_in_front_of_it() -> None:
    scene = scene_of(frame=FRAME)
    hand = Manipulator(DOOR, scene, tc.pose((0, 1.5, 0)), shell=2e-3)
    move = follow(hand, tc.pose((0, -1, 0)))
    assert move.status == MoveStatus.BLOCKED
    assert move.pose[1, 3] == pytest.approx(-0.05 + 0.025 + 2e-3, abs=1e-4)
    assert move.wrench[1] == pytest.approx(0.977, abs=1e-2)
    judge(hand, DOOR, scene)


def test_a_tilted_door_is_seated() -> None:
    scene = scene_of(frame=FRAME)
    start = tc.pose((0.1, 1.2, 0.1), rotvec=(0.3, 0.2, 0.5))
    hand = Manipulator(DOOR, scene, start, shell=2e-3)
    follow(hand, tc.pose((0.2, -0.2, 0.1), rotvec=(0.2, 0.3, 0.4)))
    assert follow(hand, np.eye(4)).status == MoveStatus.REACHED
    judge(hand, DOOR, scene)


CASES = {
    "box in a corner": (BOX, scene_of(floor=FLOOR, wall=WALL, side=SIDE), tc.pose((0, 0, 2))),
    "peg in a hole": (PEG, scene_of(plate=HOLE), np.eye(4)),
    "door in a frame": (DOOR, scene_of(frame=FRAME), np.eye(4)),
}
STEPS = 1_000


@pytest.mark.parametrize("case", CASES)
def test_many_short_moves_end_where_a_long_one_does(case: str) -> None:
    body, scene, start = CASES[case]
    rng = np.random.default_rng(4)
    for choose in (inside, near_by, turned):
        target = choose(rng, start)
        short, long = (Manipulator(body, scene, start) for _ in range(2))
        for _ in range(25):
            if short.move(target).status != MoveStatus.MOVING:
                break
        assert (long.move(target, max_substeps=200).pose == short.pose).all()


def inside(rng: np.random.Generator, start: Any) -> Any:
    """A target far inside of others, or far behind them."""
    return tc.pose(start[:3, 3] + rng.normal(size=3) * 4, rotvec=rng.normal(size=3))


def near_by(rng: np.random.Generator, start: Any) -> Any:
    return start @ tc.pose(rng.normal(size=3) * 0.2, rotvec=rng.normal(size=3) * 0.2)


def turned(rng: np.random.Generator, start: Any) -> Any:
    return tc.pose(start[:3, 3], rotvec=rng.normal(size=3) * 2)


def beyond(rng: np.random.Generator, start: Any) -> Any:
    """A target as far away as poses may be, or nearly."""
    return tc.pose(rng.normal(size=3) * rng.choice([1e3, 1e8, 1e14]), rotvec=rng.normal(size=3))


@pytest.mark.parametrize("choose", [inside, near_by, turned, beyond])
@pytest.mark.parametrize("case", CASES)
def test_chaos_of_targets(case: str, choose: Any) -> None:
    body, scene, start = CASES[case]
    rng = np.random.default_rng(5)
    hand = Manipulator(body, scene, start)
    done = 0
    while done < cases(STEPS):
        target = choose(rng, start)
        for _ in range(5):
            move = hand.move(target)
            done += max(move.substeps, 1)
            assert move.status != MoveStatus.JAMMED
    assert judge(hand, body, scene) > 0


@pytest.mark.parametrize("length", [2.0, 0.1, 1e-3])
@pytest.mark.parametrize("case", CASES)
def test_chaos_of_a_hostile_solver(case: str, length: float) -> None:
    body, scene, start = CASES[case]
    rng = np.random.default_rng(6)
    hand = Manipulator(body, scene, start)
    executed = 0
    for _ in range(cases(STEPS) // 8):
        twists = rng.normal(size=(8, 6)) * length
        if rng.random() < 0.5:
            twists[:] = twists[0]  # pressed on and on
        executed += hand._move(inside(rng, start), 8, (None, None), twists).substeps
        if rng.random() < 0.3:
            assert hand.move(start).status != MoveStatus.JAMMED  # sense finds a way on
    assert executed > 150
    assert judge(hand, body, scene) > 0


def test_undo_gives_the_same_bits() -> None:
    body, scene, start = CASES["box in a corner"]
    hand = Manipulator(body, scene, start)
    rng = np.random.default_rng(7)
    poses, paths = [hand.pose], [hand.path]
    for _ in range(20):
        hand.move(inside(rng, start))
        poses.append(hand.pose)
        paths.append(hand.path)
    assert (hand.undo() == poses[19]).all() and hand.path == paths[19]
    assert (hand.undo(4) == poses[15]).all() and (hand.pose == poses[15]).all()
    assert hand.path == paths[15]
    assert (hand.undo(15) == poses[0]).all() and len(hand.path) == 0
    with pytest.raises(ValueError, match=r"^n: expected at most 0 moves, got 1"):
        hand.undo()


def test_the_same_targets_give_the_same_bits() -> None:
    def run() -> MotionPath:
        body, scene, start = CASES["door in a frame"]
        hand = Manipulator(body, scene, start)
        rng = np.random.default_rng(8)
        for _ in range(20):
            hand.move(near_by(rng, start))
        return hand.path

    assert run() == run()


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale: float) -> None:
    box, floor = (tc.Mesh(m.vertices * scale, m.faces) for m in (BOX, FLOOR))
    hand = Manipulator(box, floor, tc.pose((0, 0, scale)))
    move = follow(hand, tc.pose((scale, 0, -scale)))
    assert move.status == MoveStatus.BLOCKED
    assert move.pose[:3, 3] / scale == pytest.approx([1, 0, 0.5 + hand.shell / scale], abs=1e-4)


def test_random_soups_never_meet() -> None:
    rng = np.random.default_rng(9)
    for _ in range(cases(5)):
        body = tc.Mesh(rng.normal(size=(30, 3)) * 0.4, np.arange(30).reshape(-1, 3))
        other = tc.Mesh(rng.normal(size=(60, 3)), np.arange(60).reshape(-1, 3))
        scene = scene_of(other=other)
        start = tc.pose((6, 0, 0))
        hand = Manipulator(body, scene, start)
        for _ in range(20):
            hand.move(random_pose(rng, 1.0))
        assert judge(hand, body, scene) > 0
