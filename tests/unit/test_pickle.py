"""Questions and answers pickle and copy: by what made them, with the same bits in any process."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles import pickles

import toccata as tc

TESTS = Path(__file__).parents[1]


def by_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("build", ["default", "baseline"])
def test_pickles_give_the_same_bits_in_another_process(build: str, tmp_path: Path) -> None:
    asked, place = pickles.questions(), tmp_path / "everything"
    # Before they are asked: a step moves its model.
    before = by_pickle(asked)
    found = pickles.answers(asked)
    statuses = {str(value.status) for value in found.values() if isinstance(value, tc.Contact)}
    assert {str(tc.Status.FREE), str(tc.Status.CONTACT)} <= statuses
    place.write_bytes(pickle.dumps((before, found)))
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    environment = {**os.environ, "TOCCATA_SIMD": build, "PYTHONPATH": path}
    words = [sys.executable, "-m", "oracles.pickles", str(place)]
    told = subprocess.check_output(words, env=environment, text=True)
    expected = pickles.bits(found)
    for got in json.loads(told):
        assert got.keys() == expected.keys()
        for name, answer in expected.items():
            assert got[name] == answer, name


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_copies_give_the_same_bits(again: Callable[[Any], Any]) -> None:
    asked = pickles.questions()
    if again is copy.copy:
        copies = {name: again(value) for name, value in asked.items()}
    else:
        copies = again(asked)
    found = pickles.answers(asked)
    assert pickles.bits(pickles.answers(copies)) == pickles.bits(found)
    assert pickles.bits(again(found)) == pickles.bits(found)
    assert pickles.bits([again(answer) for answer in found.values()]) == pickles.bits(
        list(found.values())
    )


def test_what_never_changes_is_its_own_copy() -> None:
    asked = pickles.questions()
    for value in (*asked["bodies"].values(), *asked["motions"].values()):
        assert copy.copy(value) is value and copy.deepcopy(value) is value


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, by_pickle])
def test_copies_of_what_changes_change_alone(again: Callable[[Any], Any]) -> None:
    asked = pickles.questions()
    scene, robot, model = (again(asked[name]) for name in ("scene", "robot", "deforming"))
    scene.add("new", asked["bodies"]["mesh"])
    scene.ignore("new", "post")
    assert "new" not in asked["scene"] and len(asked["scene"]) == len(scene) - 1
    robot.ignore("base", "l4")
    assert robot.ignored_pairs != asked["robot"].ignored_pairs
    before = asked["deforming"].vertices.copy()
    model.step(model.vertices + 1.0)
    assert np.array_equal(asked["deforming"].vertices, before)
    for array in (model.vertices, model.faces, model.edges):
        assert not array.flags.writeable


def test_pickles_hold_arrays_and_no_path(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "a_file_of_its_own.ply"
    mesh = pickles.questions()["bodies"]["mesh"]
    trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).export(path)
    scene = tc.Scene.load(path)
    loaded = tc.Mesh.load(path)
    path.unlink()
    for value in (scene, loaded):
        kept = pickle.dumps(value)
        assert str(path.parent).encode() not in kept
        assert repr(pickle.loads(kept)) == repr(value)


def test_a_surface_of_functions_pickles_if_they_do() -> None:
    flat = tc.surfaces.ParametricSurface(
        lambda u, v: (u, v, 0.0), lambda a, b, c, d: ((a, c, 0.0), (b, d, 0.0)), (0, 1), (0, 1)
    )
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(flat)
    assert copy.deepcopy(flat) is flat
