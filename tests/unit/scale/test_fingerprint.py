"""Hashes of models: equal in every process, different for whatever changes an answer."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from oracles import datasets, pickles
from oracles.datasets import TESTS

import toccata as tc
from toccata.scale._fingerprint import fingerprint, hash_of
from toccata.scenes import pipes, robots
from toccata.scenes.primitives import box
from toccata_bench.scenes import installed, machine_room


def models() -> dict[str, Any]:
    """Return models of all kinds by name, those of installed packages if they are there."""
    known = pickles.questions()
    known |= known.pop("bodies") | known.pop("motions")
    known |= {
        "planar arm": robots.planar_arm(),
        "puma": robots.puma(),
        "chain": robots.chain(5),
        "tree": robots.random_tree(6),
        "pipes": pipes.pipes(3),
        "wires": robots.wires(10),
        "world": datasets.wall()._as_world(),
        "question": datasets.question(separation={("link1", "wall"): 0.1}, method="hca"),
        "options": {"tolerance": 1e-3, "pairs": {frozenset("ab"), frozenset("cd"), "e"}},
        "room": machine_room.machine_room(),
    }
    for name in ("ur5", "puma560"):
        try:
            known[name] = installed.installed_robot(name)
        except ModuleNotFoundError:
            continue
    return known


def hashes() -> dict[str, str]:
    """Return hashes of all models that pickle."""
    return {name: fingerprint(model) for name, model in models().items()}


def test_hashes_are_equal_in_all_processes() -> None:
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    words = "import json, unit.scale.test_fingerprint as t; print(json.dumps(t.hashes()))"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", words],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    one, other = (json.loads(process.communicate()[0]) for process in started)
    assert len(one) > 20 and len(set(one.values())) == len(one)
    assert one == other


def test_hashes_stay_when_models_are_asked_and_travel() -> None:
    known = models()
    before = {name: fingerprint(model) for name, model in known.items()}
    robot, world = known["planar arm"], known["world"]
    q0, q1 = datasets.random_ends(robot, 5)
    for separation in (0.0, 0.01, {("link1", "wall"): 0.1}):
        robot.first_contact_batch(q0, q1, world, separation=separation)
    robot.clearance(q0[0], q1[0], world)
    known["scene"].first_contact()
    for name, model in known.items():
        assert fingerprint(model) == before[name], name
        assert fingerprint(pickle.loads(pickle.dumps(model))) == before[name], name


def moved(vertices: Any, by: float = 0.0) -> Any:
    points = np.array(vertices, dtype=float)
    points[3, 1] = np.nextafter(points[3, 1], 9.0) + by
    return points


def arm(**changes: Any) -> tc.Robot:
    """Return a small robot; a change is made of it."""
    vertices, faces = box((0.5, 0.1, 0.1))
    mesh = tc.Mesh(moved(vertices) if "vertex" in changes else vertices, faces)
    joint: dict[str, Any] = {"lower": -1.0, "upper": 1.0} | changes.get("joint", {})
    links = [tc.Link(name, mesh) for name in ("a", changes.get("name", "b"), "c")]
    joints = [
        tc.Joint("one", "revolute", "a", links[1].name, tc.pose((1, 0, 0)), (0, 0, 1), **joint),
        tc.Joint("two", "revolute", links[1].name, "c", tc.pose((1, 0, 0)), (0, 0, 1)),
    ]
    robot = tc.Robot(links, joints)
    for pair in changes.get("ignored", ()):
        robot.ignore(*pair)
    return robot.padded(changes["padded"]) if "padded" in changes else robot


CHANGES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a vertex": {"vertex": True},
    "a limit": {"joint": {"lower": np.nextafter(-1.0, 0.0)}},
    "a pair that is ignored": {"ignored": [("a", "c")]},
    "a body that is ignored": {"ignored": [("a", "post")]},
    "a name": {"name": "d"},
    "padding": {"padded": {"c": 0.01}},
    "more padding": {"padded": {"c": 0.02}},
}


def test_any_change_of_a_robot_changes_its_hash() -> None:
    found = {name: fingerprint(arm(**change)) for name, change in CHANGES.items()}
    assert len(set(found.values())) == len(CHANGES)
    placed = arm().placed(tc.pose((0, 0, np.nextafter(0, 1))))
    both = tc.combine({"x": arm(), "y": placed})
    other = tc.combine({"y": arm(), "x": placed})
    assert len({fingerprint(r) for r in (arm(), placed, both, other)}) == 4
    assert fingerprint(arm()) == found["nothing"]


def worlds() -> dict[str, Callable[[tc.Scene], Any]]:
    mesh = tc.Mesh(*box((1.0, 1.0, 1.0)))
    start, end = tc.pose((3, 0, 0)), tc.pose((4, 0, 0))
    return {
        "nothing": lambda scene: None,
        "a pose": lambda scene: scene.move("post", tc.pose((1, 0, np.nextafter(0, 1)))),
        "a motion": lambda scene: scene.move("post", tc.Motion.linear(start, end)),
        "another motion": lambda scene: scene.move("post", tc.Motion.screw(start, end)),
        "a third motion": lambda scene: scene.move(
            "post", tc.Motion.twist(start, (1, 0, 0), (0, 0, 0))
        ),
        "a body": lambda scene: scene.add("new", mesh),
        "its name": lambda scene: scene.add("other", mesh),
        "no body": lambda scene: scene.remove("post"),
    }


def test_any_change_of_a_world_changes_its_hash() -> None:
    found = {}
    for name, change in worlds().items():
        scene = tc.Scene()
        scene.add("post", tc.Mesh(*box((1.0, 1.0, 2.0))), tc.pose((1, 0, 0)))
        scene.add("wall", tc.Mesh(*box((1.0, 1.0, 2.0))), tc.pose((5, 0, 0)))
        change(scene)
        found[name] = fingerprint(scene._as_world())
    assert len(set(found.values())) == len(found)


def test_a_mesh_is_its_numbers_and_what_is_solid() -> None:
    vertices, faces = box((1.0, 1.0, 1.0))
    kinds = [
        tc.Mesh(vertices, faces),
        tc.Mesh(moved(vertices), faces),
        tc.Mesh(vertices, faces[::-1]),
        tc.Mesh(vertices, faces, solid=True),
        tc.surfaces.sphere(0.5),
        tc.surfaces.sphere(np.nextafter(0.5, 1)),
    ]
    assert len({fingerprint(kind) for kind in kinds}) == len(kinds)
    assert fingerprint(tc.Mesh(vertices.copy(), faces.copy())) == fingerprint(kinds[0])


OPTIONS: list[dict[str, Any]] = [
    {},
    {"tolerance": 1e-3},
    {"tolerance": np.nextafter(1e-3, 1)},
    {"separation": 1e-3},
    {"separation": {("link1", "wall"): 0.1}},
    {"separation": {("link2", "wall"): 0.1}},
    {"budget": 100},
    {"budget": 101},
    {"method": "hca"},
    {"self_contact": False},
    {"initial": "resting"},
]


def test_any_option_changes_the_hash() -> None:
    found = {fingerprint(datasets.question(**options)) for options in OPTIONS}
    assert len(found) == len(OPTIONS)


def test_values_are_not_mistaken_for_each_other() -> None:
    values = [
        None, True, 1, 1.0, -0.0, 0.0, "1", b"1", (1,), [1], (1, (2,)), ((1,), 2), (1, 2), {1: 2},
        {1, 2}, frozenset({3}), np.zeros(3), np.zeros((3, 1)), np.zeros(3, np.float32), ("ab", "c"),
        ("a", "bc"), {}, (), "", b"", float("nan"), float("inf"), 2**70, np.array([None, 1]),
        tc.Status.FREE, len, np.sin, np.cos, partial(max, 1), partial(max, 2), int, json,
    ]  # fmt: skip
    found = [fingerprint(value) for value in values]
    assert len(set(found)) == len(values)
    assert hash_of("a", "b") != hash_of("ab") != hash_of(b"ab")
    assert all(len(one) == 32 for one in found)


class Ball:
    """What a surface may be made of: numbers, and a method."""

    def __init__(self, radius: float) -> None:
        self.radius = radius

    def value(self, lo: Any, hi: Any) -> Any:
        return lo[0] - self.radius, hi[0] - self.radius

    def __call__(self, lo: Any, hi: Any) -> Any:
        return self.value(lo, hi)


def functions(text: str) -> Any:
    """Return the function `f` of a module whose text is given."""
    names: dict[str, Any] = {"__name__": "of_a_user"}
    exec(text, names)
    return names["f"]


TEXTS = {
    "itself": "R = 0.5\ndef f(u, v=1): return g(u) * R\ndef g(u): return u + 1",
    "its code": "R = 0.5\ndef f(u, v=1): return g(u) / R\ndef g(u): return u + 1",
    "a number": "R = 0.5\ndef f(u, v=1): return g(u) * R\ndef g(u): return u + 2",
    "a number outside": "R = 0.6\ndef f(u, v=1): return g(u) * R\ndef g(u): return u + 1",
    "a default": "R = 0.5\ndef f(u, v=2): return g(u) * R\ndef g(u): return u + 1",
    "a name": "def f(u, v=1): return u.x",
    "another name": "def f(u, v=1): return u.y",
    "itself within": "def f(u): return f(u - 1) if u else 1",
    "each other": "def f(u): return g(u - 1) if u else 1\ndef g(u): return f(u)",
    "a closure": "def make(k):\n def f(u): return u + k\n return f\nf = make(1)",
    "another closure": "def make(k):\n def f(u): return u + k\n return f\nf = make(2)",
    "an array": "import numpy as np\nK = np.array([1.0, 2.0])\ndef f(u): return K @ u",
    "another array": "import numpy as np\nK = np.array([1.0, 3.0])\ndef f(u): return K @ u",
    "a lock": "import threading\nL = threading.Lock()\ndef f(u):\n with L: return u",
}


def test_functions_are_what_they_do() -> None:
    found = {name: fingerprint(functions(text)) for name, text in TEXTS.items()}
    assert len(set(found.values())) == len(TEXTS)
    assert all(fingerprint(functions(TEXTS[name])) == one for name, one in found.items())
    assert fingerprint(Ball(1.0)) != fingerprint(Ball(2.0))
    assert fingerprint(Ball(1.0).value) != fingerprint(Ball(2.0).value)
    assert fingerprint(Ball(1.0).value) == fingerprint(Ball(1.0).value)


@pytest.mark.parametrize("kind", ["saddle", "plane"])
def test_surfaces_of_functions_have_hashes(kind: str) -> None:
    bodies = pickles.questions()["bodies"]
    assert fingerprint(bodies[kind]) == fingerprint(pickles.questions()["bodies"][kind])
