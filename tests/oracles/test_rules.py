"""The judge of options refuses answers that are late, early, missed or about another pair."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

import toccata as tc

from .crowd import Crowd, Member
from .rules import Rule, assert_follows
from .shapes import box, pose

PAIR = ("cube", "wall")
TOLERANCE = 1e-3


class Answer(SimpleNamespace):
    def __bool__(self) -> bool:
        return bool(self.status is not tc.Status.FREE)


def answer(name: str, toc: float = inf) -> Answer:
    return Answer(status=tc.Status[name], toc=toc, safe_until=toc)


def refuses(rule: Rule, ends: tuple[float, float], given: Any, *, whole: bool = True) -> bool:
    """Return whether the judge refuses an answer for a cube at distances that change evenly."""
    members = {
        "cube": Member(box(), lambda t: pose((1 + ends[0] + t * (ends[1] - ends[0]), 0, 0))),
        "wall": Member(box(), lambda t: pose()),
    }
    try:
        assert_follows(given, Crowd(members, [PAIR]), {PAIR: rule}, PAIR, whole=whole)
    except AssertionError:
        return True
    return False


def due(initial: str, start: float, separation: float) -> tuple[float, float]:
    """Return the distance of the contact that is due, and the room above it."""
    if initial == "resting" and 0 < start < separation + TOLERANCE:
        return start / 2, start / 8
    return separation, TOLERANCE


@pytest.mark.parametrize("initial", ["report", "resting", "ignore_separating"])
@pytest.mark.parametrize(("start", "separation"), [(0.5, 0.0), (0.5, 0.1), (0.04, 0.1)])
def test_contacts_come_neither_early_nor_late(
    initial: str, start: float, separation: float
) -> None:
    rule, ends = Rule(separation, TOLERANCE, initial), (start, -0.2)
    if initial != "resting" and start < separation:
        assert not refuses(rule, ends, answer("INITIAL_OVERLAP", 0.0))
        assert refuses(rule, ends, answer("CONTACT", 0.05))
        return
    distance, room = due(initial, start, separation)
    time, more = ((start - d) / (start + 0.2) for d in (distance + room / 2, distance - 0.01))
    assert not refuses(rule, ends, answer("CONTACT", time))
    assert refuses(rule, ends, answer("CONTACT", more))
    assert refuses(rule, ends, answer("CONTACT", 0.5 * time))
    assert refuses(rule, ends, answer("FREE"))
    assert refuses(rule, ends, answer("UNDECIDED", time))  # without a budget
    assert not refuses(rule, ends, answer("UNDECIDED", time), whole=False)
    assert refuses(rule, ends, answer("UNDECIDED", more), whole=False)


def test_a_pair_that_separates_may_be_ignored() -> None:
    leaving, rule = (0.04, 0.5), Rule(0.1, TOLERANCE, "ignore_separating")
    assert not refuses(rule, leaving, answer("FREE"))
    assert refuses(Rule(0.1, TOLERANCE), leaving, answer("FREE"))
    assert refuses(rule, (0.04, 0.03), answer("FREE"))


def test_a_contact_names_a_pair_of_the_query() -> None:
    members = {name: Member(box(), lambda t: pose()) for name in PAIR}
    with pytest.raises(AssertionError, match="not a pair"):
        assert_follows(answer("INITIAL_OVERLAP", 0.0), Crowd(members, []), {}, PAIR, whole=True)
