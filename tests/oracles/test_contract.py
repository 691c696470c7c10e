"""The checker of the contract accepts right answers and detects every kind of wrong answer."""

from __future__ import annotations

from functools import cache
from math import inf, nan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from .cases import Case, fixed, linear
from .contract import assert_contract
from .exact import nearest_at
from .shapes import box, pose
from .truth import Truth, exact_truth
from .vectors import rounded

TOLERANCE = 1e-3


class Answer(SimpleNamespace):
    """An answer made by hand."""

    def __bool__(self) -> bool:
        return bool(self.status.name != "FREE")


def status(name: str) -> Any:
    return SimpleNamespace(name=name)


def flight(end: float) -> Case:
    path = linear(pose((3, 0.25, 0.125)), pose((end, 0.25, 0.125)))
    return Case(box(), box(), path, fixed(), tolerance=TOLERANCE)


@cache
def truth(end: float) -> Truth:
    case = flight(end)
    return exact_truth(*case.bodies(), case.separation, case.tolerance)


def contact(**changes: Any) -> Answer:
    """A right answer for the flight to x = 0, with changes: touch is at 2/3, the speed is 3."""
    toc = changes.get("toc", 2 / 3 - 1e-4)
    found, i, j = nearest_at(truth(0.0).a, truth(0.0).b, toc)
    point_a, point_b = rounded([found.point_a, found.point_b])
    right = {
        "status": status("CONTACT"),
        "toc": toc,
        "safe_until": toc,
        "distance": float(found.distance),
        "tolerance": TOLERANCE,
        "point_a": point_a,
        "point_b": point_b,
        "normal": np.array([1.0, 0.0, 0.0]),
        "triangle_a": i,
        "triangle_b": j,
        "feature": _feature(found.point_a, truth(0.0).a.place(toc)),
    }
    return Answer(**(right | changes))


def _feature(point: Any, corners: Any) -> str:
    return "vertex-face" if point in corners else "face-vertex"


def free(**changes: Any) -> Answer:
    right = {"status": status("FREE"), "toc": inf, "safe_until": 1.0, "tolerance": TOLERANCE}
    return Answer(**(right | changes))


def test_right_answers_are_accepted() -> None:
    assert_contract(contact(), truth(0.0))
    assert_contract(free(), truth(1.5))
    undecided = contact(status=status("UNDECIDED"), toc=0.5, safe_until=0.5)
    assert_contract(undecided, truth(0.0), may_be_undecided=True)


WRONG: dict[str, dict[str, Any]] = {
    "late": {"toc": 2 / 3 + 1e-9},
    "early": {"toc": 0.6},
    "safe too long": {"safe_until": 0.7},
    "safe too short": {"safe_until": 0.1},
    "another tolerance": {"tolerance": 2e-3},
    "no normal": {"normal": np.full(3, nan)},
    "a flipped normal": {"normal": np.array([-1.0, 0.0, 0.0])},
    "a long normal": {"normal": np.array([1.0, 1e-3, 0.0])},
    "a wrong distance": {"distance": 2e-4},
    "a point elsewhere": {"point_a": np.array([0.5, 2.0, 0.0])},
    "a wrong triangle": {"triangle_a": 1},
    "no such triangle": {"triangle_b": 12},
    "no feature": {"feature": None},
    "a wrong feature": {"feature": "edge"},
    "undecided without a budget": {"status": status("UNDECIDED")},
    "called an overlap": {"status": status("INITIAL_OVERLAP"), "toc": 0.0, "safe_until": 0.0},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_detected(name: str) -> None:
    with pytest.raises(AssertionError):
        assert_contract(contact(**WRONG[name]), truth(0.0))


def test_a_missed_contact_is_detected() -> None:
    with pytest.raises(AssertionError, match="missed"):
        assert_contract(free(), truth(0.0))


def test_a_false_alarm_is_detected() -> None:
    with pytest.raises(AssertionError, match="expected FREE"):
        assert_contract(contact(), truth(1.5))


def test_an_undecided_answer_is_not_free() -> None:
    answer = Answer(**(vars(contact()) | vars(free()) | {"status": status("UNDECIDED")}))
    with pytest.raises(AssertionError):
        assert_contract(answer, truth(0.0), may_be_undecided=True)


def test_free_with_a_time_is_detected() -> None:
    with pytest.raises(AssertionError):
        assert_contract(free(toc=1.0), truth(1.5))
