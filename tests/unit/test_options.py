"""Options are spelled and checked once, and one that is not used is an error."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import elementary, scenes

MESH = tc.Mesh(*scenes.models.box((1.0, 1.0, 1.0)))
START, END = tc.pose((0, 0, 3)), tc.pose((0, 0, -3))
DOWN = tc.Motion.linear(START, END)
ROBOT = tc.Robot(
    [tc.Link("base", MESH), tc.Link("hand", MESH)],
    [tc.Joint("slide", "prismatic", "base", "hand", tc.pose((9, 0, 0)), (0, 0, 1))],
)
Q0, Q1 = np.array([0.0]), np.array([1.0])


def in_a_scene(**how: Any) -> Any:
    scene = tc.Scene()
    scene.add("a", MESH, DOWN)
    scene.add("b", MESH)
    return scene.first_contact(**how)


RIGID = {
    "first_contact": lambda **how: tc.first_contact(MESH, MESH, DOWN, **how),
    "batch": lambda **how: tc.first_contact_batch(MESH, MESH, [START], [END], **how),
    "scene": in_a_scene,
}
ROBOTS = {
    "robot": lambda **how: ROBOT.first_contact(Q0, Q1, MESH, **how),
    "robot batch": lambda **how: ROBOT.first_contact_batch([Q0], [Q1], MESH, **how),
    "path": lambda **how: ROBOT.first_contact_path([Q0, Q1], MESH, **how),
}
ONE_METHOD = {
    "sequence": lambda **how: tc.ContactSequence(MESH, MESH).first_contact(DOWN, **how),
    "robot sequence": lambda **how: tc.RobotSequence(ROBOT, MESH).first_contact(Q0, Q1, **how),
    "free": lambda **how: ROBOT.motion_is_free(Q0, Q1, MESH, **how),
}
STEPS = {
    "step": lambda **how: tc.deforming_contacts(MESH.vertices, MESH.vertices, MESH.faces, **how),
    "model": lambda **how: tc.DeformingMesh(MESH.vertices, MESH.faces).step(MESH.vertices, **how),
    "frames": lambda **how: list(tc.sequence_contacts([(MESH.vertices, MESH.faces)] * 2, **how)),
}
PAIRS = {
    "elementary": lambda **how: elementary.edge_edge(np.zeros((1, 4, 3)), np.ones((1, 4, 3)), **how)
}
DISTANCES = {
    "clearance": lambda **how: ROBOT.clearance(Q0, Q1, MESH, **how),
    "clearance path": lambda **how: ROBOT.clearance_path([Q0, Q1], MESH, **how),
}
CONTACTS = RIGID | ROBOTS | ONE_METHOD | STEPS | PAIRS
ALL = CONTACTS | DISTANCES


def each(queries: dict[str, Any]) -> Any:
    return pytest.mark.parametrize("ask", queries.values(), ids=queries.keys())


@each(ALL)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0}, r"^tolerance: expected a finite number of more than 0, got 0$"),
        ({"tolerance": -1e-9}, r"^tolerance: expected a finite number of more than 0, got -1e-09$"),
        ({"tolerance": np.nan}, r"^tolerance: expected a finite number of more than 0, got nan$"),
        ({"budget": 0}, r"^budget: expected a finite number of at least 1, got 0$"),
        ({"budget": 1.5}, r"^budget: expected a whole number, got 1\.5$"),
        ({"budget": np.inf}, r"^budget: expected a finite number of at least 1, got inf$"),
    ],
)
def test_what_all_queries_take_is_refused_in_the_same_words(
    ask: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ask(**options)


@each(CONTACTS)
@pytest.mark.parametrize(
    ("separation", "message"),
    [
        (-1, r"^separation: expected a finite number of at least 0, got -1$"),
        (np.inf, r"^separation: expected a finite number of at least 0, got inf$"),
    ],
)
def test_separations_are_refused_in_the_same_words(ask: Any, separation: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(separation=separation)


@each(ALL)
def test_options_of_wrong_types_are_refused_in_the_same_words(ask: Any) -> None:
    for name in ("tolerance", "budget"):
        for wrong in ("1", [1, 2], 1j):
            with pytest.raises(
                TypeError, match=rf"^{name}: expected a number, got {re.escape(repr(wrong))}$"
            ):
                ask(**{name: wrong})


@each(CONTACTS)
def test_separations_of_wrong_types_are_refused_in_the_same_words(ask: Any) -> None:
    for wrong in (None, "1", [1, 2], 1j):
        with pytest.raises(
            TypeError, match=rf"^separation: expected a number, got {re.escape(repr(wrong))}$"
        ):
            ask(separation=wrong)


@each(ALL)
def test_numbers_of_any_kind_will_do(ask: Any) -> None:
    for number in (np.float32(0.5), np.array(0.5), 1, True):
        ask(tolerance=number, budget=10**30)
    ask(tolerance=None, budget=None)
    ask(budget=np.int64(10_000))


@each(ALL)
def test_an_unknown_option_is_named(ask: Any) -> None:
    with pytest.raises(TypeError, match="tolerence"):
        ask(tolerence=1e-3)


@each(RIGID)
def test_a_control_is_for_one_method(ask: Any) -> None:
    ask(method="c2a", w=0.3)
    ask(method="hca", w=None)
    for how in ({}, {"method": "auto"}, {"method": "hca"}, {"method": "interval"}):
        with pytest.raises(ValueError, match=r"^w: expected None, since only method 'c2a' uses it"):
            ask(w=0.3, **how)
    with pytest.raises(ValueError, match=r"^w: expected a number in \(0, 1\], got 2$"):
        ask(method="c2a", w=2)


@each(ROBOTS)
def test_stages_are_for_one_method(ask: Any) -> None:
    ask(method="interval", stages=("exact",))
    for how in ({}, {"method": "auto"}, {"method": "hca"}):
        with pytest.raises(ValueError, match=r"^stages: expected None, because method '\w+' has"):
            ask(stages=("exact",), **how)


@each(RIGID | ROBOTS | STEPS)
def test_methods_are_refused_by_name(ask: Any) -> None:
    with pytest.raises(ValueError, match=r"^method: expected one of auto, .*, got 'fast'$"):
        ask(method="fast")


@each(RIGID | STEPS)
def test_methods_have_to_be_strings(ask: Any) -> None:
    for method in (None, 3, ["auto"]):
        with pytest.raises(TypeError, match=r"^method: expected one of auto, .*, got "):
            ask(method=method)


@each({name: ask for name, ask in ONE_METHOD.items() if name != "free"})
def test_a_sequence_has_its_own_method(ask: Any) -> None:
    for option in ({"method": "auto"}, {"stages": ("exact",)}, {"w": 0.5}):
        with pytest.raises(TypeError, match=f"^unexpected option '{next(iter(option))}'"):
            ask(**option)


def test_auto_is_the_default_everywhere() -> None:
    for ask in (RIGID | ROBOTS | STEPS).values():
        plain, named = ask(), ask(method="auto")
        if isinstance(plain, list):
            plain, named = plain[0][1], named[0][1]
        counters = ("bv_tests", "elementary_tests", "leaf_clusters", "ca_iterations")
        stats = [getattr(answer, "stats", None) for answer in (plain, named)]
        for name in counters:
            assert getattr(stats[0], name, 0) == getattr(stats[1], name, 0)
        assert np.array_equal(plain.toc, named.toc)
