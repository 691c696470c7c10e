"""Paths of certified motions: saved, loaded, checked again and gone back."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata.dynamics import Manipulator, MotionPath, MoveStatus
from toccata.scenes import models

BOX = tc.Mesh(*models.box((1.0, 1.0, 1.0)))
SCENE = tc.Scene()
SCENE.add("floor", tc.Mesh(*models.box((9.0, 9.0, 1.0))), tc.pose((0, 0, -0.5)))
SCENE.add("wall", tc.Mesh(*models.box((1.0, 9.0, 9.0))), tc.pose((3, 0, 0)))


def slid() -> MotionPath:
    hand = Manipulator(BOX, SCENE, tc.pose((0, 0, 1), rotvec=(0.2, 0.1, 0.5)))
    while hand.move(tc.pose((5, 1, -1))).status == MoveStatus.MOVING:
        pass
    return hand.path


def test_a_path_is_saved_to_the_last_bit(tmp_path: Path) -> None:
    path = slid()
    for name in ("path.npz", "path.json"):
        path.save(tmp_path / name)
        assert MotionPath.load(tmp_path / name) == path
    assert pickle.loads(pickle.dumps(path)) == path and copy.copy(path) == path
    empty = Manipulator(BOX, None, np.eye(4)).path
    empty.save(tmp_path / "none.json")
    assert MotionPath.load(tmp_path / "none.json") == empty and len(empty) == 0


def test_a_path_is_a_sequence_of_motions() -> None:
    path = slid()
    assert len(list(path)) == len(path) > 5
    assert path[1:3].start.tobytes() == path.start[1:3].tobytes()
    assert (path[2].pose(0.0) == path[2:][0].pose(0.0)).all()
    mesh, motion = SCENE["floor"]
    assert tc.first_contact(BOX, mesh, path[-1], motion).status == tc.Status.FREE


def test_a_path_is_checked_again_and_gone_back() -> None:
    path = slid()
    assert path.check(BOX, SCENE) is None and path.check(BOX, SCENE, method="interval") is None
    back = path.back()
    assert back.check(BOX, SCENE) is None and (back.start[0] == path.end[-1]).all()
    post = tc.Mesh(*models.box((0.1, 0.1, 0.1)))
    other = tc.Scene()
    other.add("post", post, tc.pose(path.start[len(path) // 2][:3, 3] + (0.5, 0, 0)))
    found = path.check(BOX, other)
    assert found is not None and found.status != tc.Status.FREE


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"^file: expected a name that ends in .npz or .json, got .*path.txt"
    ):
        slid().save(tmp_path / "path.txt")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ValueError, match=r"bad.json: .* \(missing arrays: start, end"):
        MotionPath.load(tmp_path / "bad.json")
    with pytest.raises(FileNotFoundError, match=r"none.npz: no such file"):
        MotionPath.load(tmp_path / "none.npz")
    with pytest.raises(ValueError, match=r"^separation: expected numbers of more than 0"):
        MotionPath(np.eye(4)[None], np.eye(4)[None], np.zeros((1, 3)), [0.0])
