"""The figures of the deforming benchmark: peers that were cut short, steps in a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata_bench.deforming import asking, goals, tables
from toccata_bench.deforming.sources import Step
from toccata_bench.deforming.steps import IN_SEQUENCE, measure_step, peer_seconds
from toccata_bench.goal import Goal

V0 = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0], [1, 0, 0]])
FACES = np.array([[0, 1, 2], [4, 3, 5]], dtype=np.int32)
ROOTS = np.array([0, 1, 2, 3, 0, 1])


def timed(label: str, auto: float, going: float | None, **peer: Any) -> dict[str, Any]:
    """A record of a step, as far as goals and tables look at it."""
    stages = ("seconds_clustering", "seconds_hierarchy", "seconds_traversal")
    counts = dict.fromkeys((*stages, "bv_tests", "elementary_tests"), 1.0)
    first = {method: {"seconds": auto, **counts} for method in ("bvh", "clusters", "auto")}
    if going is not None:
        first[IN_SEQUENCE] = {"seconds": going, **counts}
    return {"label": label, "first": first, "peer": {}, "peer_at_least": {}, **peer}


MODELS = {
    "shell": [
        timed("hit", 0.1, 0.05, peer={"TightInclusionCCD": 3.0, "broad": 0.2}),
        timed("scatter", 0.2, None, peer_at_least={"TightInclusionCCD": 4.0}, peer={"broad": 0.3}),
    ]
}


def test_a_peer_that_was_cut_short_counts_with_what_it_took() -> None:
    hit, scatter = MODELS["shell"]
    assert peer_seconds(hit, "TightInclusionCCD") == (3.0, False)
    assert peer_seconds(scatter, "TightInclusionCCD") == (4.0, True)
    assert peer_seconds(scatter, "AdditiveCCD") == (None, False)
    found = {goal.figure: goal for goal in goals.step_goals(MODELS)}
    alone = found["first contact, single steps: ipctk with Tight Inclusion / auto"]
    assert alone.row()[1:] == [">= 10x", ">= 20x", "scatter", "yes, 2 of 2"]
    cases = alone.record()["cases"]
    assert cases["scatter"]["bound"] and "bound" not in cases["hit"]
    model = found["first contact, a model: ipctk with Tight Inclusion / auto"]
    assert model.row()[1:] == [">= 10x", ">= 23.3x", "shell", "yes, 1 of 1"]
    going = found["first contact in a sequence: ipctk with Tight Inclusion / auto"]
    assert going.row()[1:] == [">= 10x", "60x", "hit", "yes, 1 of 1"]


def test_a_bound_below_the_goal_does_not_reach_it() -> None:
    goal = Goal("speed", 10.0, at_least=True, unit="x")
    goal.add("cut", 5.5, bound=True)
    goal.add("done", 12.0)
    assert goal.row() == ["speed", ">= 10x", ">= 5.50x", "cut", "NO, 1 of 2"]


def test_table_1_tells_bounds_and_how_many_steps_a_row_has() -> None:
    rows = {row[0]: row for row in tables.table_1(MODELS, "first").rows}
    assert rows["shell, ipctk, Tight Inclusion"][4] == ">= 3500"
    assert rows["shell, ipctk, broad phase alone"][4] == "250"
    assert rows["shell, auto"][4] == pytest.approx(150.0)
    assert rows["shell, auto, in a sequence (1 of 2 steps)"][4] == pytest.approx(50.0)
    assert "shell, ipctk, AdditiveCCD" not in rows


def test_a_step_in_a_sequence_comes_from_the_same_motion() -> None:
    step = Step("tip", V0, V0 + [[0.0, 0, k] for k in range(6)], FACES)
    assert np.array_equal(asking.frame_before(step) + step.v1, 2 * V0)
    model = asking.model_in_sequence(step)
    assert np.array_equal(model.vertices, step.v0)
    alone = asking.ask(step, "auto", "first")
    assert asking.advance(model, step.v1).toc == alone.toc
    record = measure_step(step, ("first",), None)
    assert record["first"][IN_SEQUENCE]["seconds"] > 0 and record["notes"] == []


def test_a_mesh_that_was_just_cut_has_no_step_before() -> None:
    """Both sides of a crack part in the step; backwards, they would pass through each other."""
    side = np.array([[1.0], [1], [1], [-1], [-1], [-1]])
    opens = Step("crack", V0, V0 + 0.1 * side * [0, 1, 0], FACES, roots=ROOTS)
    stays = Step("crack", V0, V0 + [0.0, 0, 1], FACES, roots=ROOTS)
    apart = Step("crack", opens.v1, opens.v1 + 0.1 * side * [0, 2, 0], FACES, roots=ROOTS)
    assert asking.just_cut(opens)
    assert not asking.just_cut(stays) and not asking.just_cut(apart)
    record = measure_step(opens, ("first",), None)
    assert record["status"] == tc.Status.FREE.name and IN_SEQUENCE not in record["first"]
    assert ["no row in a sequence" in note for note in record["notes"]] == [True]
    assert IN_SEQUENCE in measure_step(stays, ("first",), None)["first"]
