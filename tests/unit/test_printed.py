"""Answers are one readable line as `str`, and fit one screen as `repr`, however large they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import elementary, scenes
from toccata._printed import Printed, short
from toccata._text import numbers

BOX = tc.Mesh(*scenes.models.box((1.0, 1.0, 1.0)))
HIGH, LOW, PAST = tc.pose((0, 0, 3)), tc.pose((0.1, 0.2, -3)), tc.pose((9, 0, 3))
DOWN = tc.Motion.linear(HIGH, LOW)
NUMBER = r"-?\d[\d.e+-]*"


def falling(names: tuple[str, ...] = ("falling", "floor")) -> tc.Scene:
    scene = tc.Scene()
    for i, name in enumerate(names):
        scene.add(name, BOX, tc.pose((0, 0, -4 * i)) if i else DOWN)
    return scene


def step(**how: Any) -> tc.StepContacts:
    square = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    start = np.concatenate([square, square + (0.2, 0.2, 1)])
    end = start - np.repeat([[0.0], [2.0]], 3, axis=0) * (0, 0, 1)
    return tc.deforming_contacts(start, end, [(0, 1, 2), (3, 4, 5)], **how)


LINES: dict[str, tuple[Any, str]] = {
    "contact": (
        lambda: tc.first_contact(BOX, BOX, DOWN),
        r"CONTACT at t = 0.3333: [\w-]+, triangles \d+ and \d+, distance N \(tolerance N\)",
    ),
    "free": (lambda: tc.first_contact(BOX, BOX, HIGH), r"FREE \(tolerance N\)"),
    "undecided": (
        lambda: tc.first_contact(BOX, BOX, DOWN, tolerance=1e-9, budget=1),
        r"UNDECIDED from t = N on \(tolerance 1e-09\)",
    ),
    "overlap": (
        lambda: tc.first_contact(BOX, BOX, np.eye(4)),
        r"INITIAL_OVERLAP at t = 0: .*triangles \d+ and \d+, distance N \(tolerance N\)",
    ),
    "scene": (
        lambda: falling().first_contact(),
        "CONTACT of 'falling' and 'floor' at t = N: .*, distance N \\(tolerance N\\)",
    ),
    "rows of a scene": (
        lambda: falling().contacts(),
        "1 rows: 1 CONTACT; earliest at t = N, row 0 of 'falling' and 'floor'",
    ),
    "batch": (
        lambda: tc.first_contact_batch(BOX, BOX, [HIGH] * 3, [PAST, LOW, PAST]),
        "3 rows: 2 FREE, 1 CONTACT; earliest at t = 0.3333, row 1",
    ),
    "free batch": (lambda: tc.first_contact_batch(BOX, BOX, [HIGH], [PAST]), "1 rows: 1 FREE"),
    "no batch": (
        lambda: tc.first_contact_batch(BOX, BOX, np.zeros((0, 4, 4)), np.zeros((0, 4, 4))),
        "0 rows",
    ),
    "clearance": (
        lambda: falling().clearance(),
        "distance N to N at t = N between 'falling' and 'floor'",
    ),
    "far clearance": (lambda: tc.clearance(BOX, BOX, HIGH, limit=0.1), "distance at least 0.1"),
    "distance": (
        lambda: tc.distance(BOX, BOX, HIGH),
        "distance 2, between 2 and 2: [a-z]+-[a-z]+, triangles \\d+ and \\d+",
    ),
    "distances": (
        lambda: tc.distance_batch(BOX, BOX, [HIGH, tc.pose((0, 0, 5))]),
        "2 distances from 2 to 4",
    ),
    "no distances": (lambda: falling().distances(limit=0.1), "0 distances"),
    "proximities": (
        lambda: tc.proximities(BOX, BOX, HIGH, distance=2.5),
        "4 pairs of features: 4 vertex-vertex; least distance 2",
    ),
    "step": (step, r"CONTACT at t = 0.5: vertex 3 and face 0 \(tolerance N\)"),
    "all of a step": (
        lambda: step(contacts="all"),
        r"CONTACT at t = 0.5: vertex 3 and face 0, 3 pairs listed \(tolerance N\)",
    ),
    "elementary": (
        lambda: elementary.vertex_face(np.zeros((2, 4, 3)) + 1, np.ones((2, 4, 3))),
        "2 rows: 2 INITIAL_OVERLAP; earliest at t = 0, row 0",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_an_answer_is_one_readable_line(name: str) -> None:
    make, expected = LINES[name]
    assert re.fullmatch(re.sub(r"\bN\b", lambda _: NUMBER, expected), str(make()))


@pytest.mark.parametrize("name", LINES)
def test_all_fields_of_an_answer_fit_one_screen(name: str) -> None:
    answer = LINES[name][0]()
    text = repr(answer)
    assert text.startswith(f"{type(answer).__name__}(") and "\n" not in text and len(text) < 900
    for field in fields(answer):
        assert f"{field.name}=" in text


def test_large_answers_are_as_short_as_small_ones() -> None:
    batch = tc.first_contact_batch(BOX, BOX, [HIGH] * 5000, [LOW] * 5000)
    assert "toc=<float64 (5000,)>, " in repr(batch) and len(repr(batch)) < 900
    assert str(batch).startswith("5000 rows: 5000 CONTACT; earliest at t = 0.3333, row 0")
    many = falling(tuple(f"body {i}" for i in range(500)))
    found = many.distances()
    assert len(found) == 500 * 499 / 2 and len(repr(found)) < 900
    assert "body 9 and 490 more" in repr(found)


def test_names_cannot_break_the_line() -> None:
    line = str(falling(("a\n\x1b[31m", "b\u202e")).first_contact())
    assert line.isprintable()


def test_values_are_abbreviated() -> None:
    assert numbers([0.5, 1, 1e-9]) == "[0.5, 1, 1e-09]"
    assert numbers(np.arange(200)) == "[0, 1, 2, ..., 197, 198, 199]"
    assert short(np.zeros((3, 3))) == "<float64 (3, 3)>"
    assert short((1, 2)) == "(1, 2)" and short(()) == "()"
    assert short(("a",) * 99).endswith("and 89 more)")
    assert short((None,) * 99) == "<99 NoneType>"
    assert short(tc.Status.FREE) == "FREE" and short(1 / 3) == "0.333333333"


def test_subclasses_that_are_dataclasses_keep_the_short_text() -> None:
    @dataclass(frozen=True, slots=True)
    class Long(Printed):
        values: Any

    assert repr(Long(np.zeros(1000))).endswith("Long(values=<float64 (1000,)>)")
