"""Arguments of a wrong type raise TypeError, and the answers print on one screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles.worlds import box, on_floor

import toccata as tc
from toccata.dynamics import (
    ArticulatedBody,
    Manipulator,
    MotionPath,
    World,
    assemble,
    frame_inertias,
    step_bodies,
)

CUBE = box(1, 1, 1)
LINKS = [tc.Link("base"), tc.Link("rod", box(0.1, 0.1, 1))]
ROBOT = tc.Robot(LINKS, [tc.Joint("hinge", "revolute", "base", "rod", axis=(0, 1, 0))])
PATH = MotionPath(np.eye(4)[None], np.eye(4)[None], np.zeros((1, 3)), [0.1])


def world() -> World:
    return on_floor()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: world().add(3, CUBE), "name: expected str, got int"),
        (lambda: world().add("b", CUBE, motion="x"), "motion: expected toccata.Motion, got str"),
        (
            lambda: world().add_articulated("r", ROBOT),
            "body: expected .*ArticulatedBody, got Robot",
        ),
        (lambda: world().restore(None), "state: expected .*WorldState, got NoneType"),
        (lambda: ArticulatedBody(3), "robot: expected toccata.Robot, got int"),
        (lambda: ArticulatedBody(ROBOT, inertias=[1]), "inertias: expected a mapping .* got list"),
        (lambda: frame_inertias(CUBE), "robot: expected toccata.Robot, got Mesh"),
        (lambda: frame_inertias(ROBOT, inertias={"rod": 1}), "inertias, 'rod': .* got int"),
        (lambda: ArticulatedBody(ROBOT).step(1e-3, active=2.5), "active: expected .*, got 2.5"),
        (lambda: ArticulatedBody(ROBOT).add_spring("rod", "base", body=1), "body: .* got int"),
        (lambda: step_bodies([ROBOT], 1e-3), "bodies: expected .*ArticulatedBody, got Robot"),
        (lambda: step_bodies([], 1e-3, active="rod"), "active: expected a number or None, got str"),
    ],
)
def test_wrong_types_name_the_argument(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}"):
        call()


HOSTILE = [object(), "nonsense", b"x", 3, [[1, 2], [3]], {"a": 1}]


@pytest.mark.parametrize("value", HOSTILE, ids=[type(value).__name__ for value in HOSTILE])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("mesh", lambda v: World().add("b", v)),
        ("pose", lambda v: World().add("b", CUBE, v)),
        ("gravity", lambda v: World(v)),
        ("velocity", lambda v: World().add("b", CUBE, velocity=v)),
        ("inertia", lambda v: World().add("b", CUBE, inertia=v)),
        ("body", lambda v: Manipulator(v, None, np.eye(4))),
        ("pose", lambda v: Manipulator(CUBE, None, v)),
        ("target", lambda v: Manipulator(CUBE, None, np.eye(4)).move(v)),
        ("part", lambda v: assemble(v, None, np.eye(4))),
        ("target", lambda v: assemble(CUBE, None, v)),
        ("mesh", lambda v: tc.MassProperties.of(v)),
        ("center", lambda v: tc.MassProperties(1.0, v, np.eye(3))),
        ("separation", lambda v: MotionPath(np.eye(4)[None], np.eye(4)[None], np.zeros((1, 3)), v)),
        ("q", lambda v: setattr(ArticulatedBody(ROBOT), "q", v)),
    ],
)
def test_hostile_values_name_the_argument(
    name: str, call: Callable[[Any], Any], value: Any
) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{name}: expected"):
        call(value)


def test_answers_print_on_one_screen() -> None:
    many = on_floor()
    for i in range(12):
        many.add(f"body {i:02}", CUBE, tc.pose((1.5 * (i % 4), 1.5 * (i // 4), 0.501)))
    log, state = many.start_log(), many.save()
    report = many.step(60)
    hand = Manipulator(CUBE, box(9, 9, 1), tc.pose((0, 0, 2)))
    move = hand.move(tc.pose((0, 0, -2)), max_substeps=50)
    found = assemble(CUBE, box(9, 9, 1), np.eye(4), start=tc.pose((0, 0, 2)), effort=0)
    articulated = ArticulatedBody(ROBOT)
    mass = tc.MassProperties.of(CUBE)
    answers = [many, log, state, report, report.events, many.contacts, hand, hand.path]
    for answer in [*answers, move, move.contacts, found, articulated, mass, PATH]:
        assert "\n" not in str(answer) and 5 < len(str(answer)) < 200, str(answer)
        lines = repr(answer).splitlines()
        assert len(lines) <= 24 and max(map(len, lines)) < 1000, repr(answer)
    assert str(move) == f"BLOCKED after {move.substeps} substeps, 4 contacts with world"
    assert repr(many.contacts).splitlines()[-1].strip() == "and 38 more"
    assert str(report).startswith("60 steps, ") and str(found).startswith("BLOCKED after ")
