"""Steps of the generated models at small sizes, against brute force over all pairs of features.

In symmetric models, pairs touch at the rims of both features or miss each other by rounding. Pairs
that touch must be listed, the others may be.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from oracles.brute_force import Step
from oracles.linear_distance import first_within
from oracles.linear_features import KINDS

from toccata_bench.scenes import deforming

from .following import questions, times_of
from .stepping import METHODS, Truth, ask, assert_summary, solved

STEPS = {
    "shell": ("hit", "shatter", "scatter"),
    "airbag": ("flap", "touch", "press"),
    "cloth-ball": ("touch", "slip", "wind"),
}
# Features of these models that do not touch stay farther apart than this, up to rounding.
ROUNDING = Fraction(1, 10**12)


@cache
def truths(name: str) -> dict[str, Truth]:
    """Solve steps of a model of about a thousand triangles."""
    steps = {one.label: one for one in deforming.scene(name, 1000).steps()}
    chosen = {label: steps[label] for label in STEPS[name]}
    return {
        label: solved(Step(one.v0, one.v1, one.faces.astype(np.int64)))
        for label, one in chosen.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_no_contact_is_missed_and_none_is_false(name: str) -> None:
    near = 0
    for label, truth in truths(name).items():
        answers = [ask(truth.step, method=method, contacts="all") for method in METHODS]
        for answer in answers:
            assert_summary(answer, truth)
        for kind in KINDS:
            listings = [times_of(answer, kind) for answer in answers]
            assert listings[0] == listings[1] == listings[2]
            missed = truth.contacts[kind].keys() - listings[0].keys()
            assert not missed, f"{name} {label}: missed {kind} {sorted(missed)[:5]}"
            more = sorted(listings[0].keys() - truth.contacts[kind].keys())
            near += len(more)
            for question in questions(truth.step, kind, more[::4], answers[0], 0.0):
                found = first_within(kind, question.start, question.end, ROUNDING, bits=44)
                assert found.hi is not None, f"{name} {label}: never that near: {question}"
    assert near > 0, "hardly a pair that misses another by rounding"
