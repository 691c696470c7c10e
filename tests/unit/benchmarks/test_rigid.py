"""The benchmark must be right before it is fast: peers, verification, tables; nothing is timed."""

from dataclasses import dataclass
from math import asin, inf, pi, sqrt

import numpy as np
import pytest

import toccata as tc
from toccata_bench import fits
from toccata_bench.calls import single_calls
from toccata_bench.goal import at_least, at_most
from toccata_bench.measure import verify
from toccata_bench.peers import CoalPair, advance, advance_tuned
from toccata_bench.protocol import Case, Timing, run_batch
from toccata_bench.sweep import Sweep, rotation_vector
from toccata_bench.table import Table
from toccata_bench.verify import Oracle, WrongAnswer, check_agreement

TOLERANCE = 1e-3
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


def box(half=(0.5, 0.5, 0.5)):
    signs = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return tc.Mesh(np.array(signs) * np.array(half, dtype=float), FACES)


def straight_case(ends=(0.0, 4.0)):
    """Unit boxes, one coming from x = 3 straight on or leaving: contact at 2/3, or none."""
    start = np.tile(tc.pose(translation=(3.0, 0.0, 0.0)), (len(ends), 1, 1))
    end = np.array([tc.pose(translation=(x, 0.0, 0.0)) for x in ends])
    return Case("boxes", box(), box(), start, end)


def oracle_of(case):
    pytest.importorskip("coal")
    sweeps = [Sweep(s, e) for s, e in zip(case.start, case.end, strict=True)]
    return Oracle(CoalPair(case.a, case.b), sweeps, TOLERANCE)


@dataclass
class Doctored:
    """A batch result that can be falsified."""

    status: np.ndarray
    toc: np.ndarray

    @classmethod
    def of(cls, result):
        return cls(np.array(result.status), np.array(result.toc))


@pytest.mark.parametrize("loop", [advance, advance_tuned])
def test_loop_meets_a_box_at_the_closed_form(loop):
    pytest.importorskip("coal")
    case = straight_case()
    pair = CoalPair(case.a, case.b)
    hit, miss = (
        loop(pair, Sweep(s, e), TOLERANCE) for s, e in zip(case.start, case.end, strict=True)
    )
    assert 2 / 3 - TOLERANCE / 3 <= hit.time <= 2 / 3
    assert miss.time == inf


@pytest.mark.parametrize("loop", [advance, advance_tuned])
def test_loop_meets_a_swinging_bar_at_the_closed_form(loop):
    """A thin bar swings half a turn about its middle into a thin post beside it."""
    pytest.importorskip("coal")
    bar, post = box((1.0, 0.05, 0.05)), box((0.05, 0.05, 1.0))
    # The bar starts along -x..x, the post stands on the y axis at 0.6: the leading edge of the bar
    # (offset 0.05) reaches the nearer corner of the post, seen from the pivot.
    offset = tc.pose(translation=(0.0, -0.6, 0.0))
    start, end = offset, tc.pose(translation=(0.0, -0.6, 0.0), rotvec=(0.0, 0.0, 0.9 * pi))
    corner = np.array([0.05, 0.55])
    radius = sqrt(float(corner @ corner))
    turned = np.arctan2(corner[1], corner[0]) - asin(0.05 / radius)
    found = loop(CoalPair(bar, post), Sweep(start, end), TOLERANCE)
    exact = turned / (0.9 * pi)
    # Closing speed at the corner is radius * cos of a small angle per radian.
    assert exact - 1.1 * TOLERANCE / (0.9 * pi * radius) <= found.time <= exact


def test_both_loops_bracket_the_same_contact():
    pytest.importorskip("coal")
    rng = np.random.default_rng(5)
    pair, hits = CoalPair(box(), box()), 0
    for _ in range(20):
        start = tc.pose(translation=rng.normal((2.5, 0, 0)), rotvec=rng.normal(size=3))
        end = tc.pose(translation=rng.normal((-1.5, 0, 0)), rotvec=rng.normal(size=3))
        sweep = Sweep(start, end)
        plain, tuned = (f(pair, sweep, TOLERANCE) for f in (advance, advance_tuned))
        assert (plain.time < inf) == (tuned.time < inf)
        if 0.0 < plain.time < inf:
            hits += 1
            assert plain.distance <= TOLERANCE and tuned.distance <= TOLERANCE
            assert abs(plain.time - tuned.time) < 0.05
    assert hits >= 5, "sample too one-sided to prove anything"


@pytest.mark.parametrize("angle", [0.0, 1e-10, 1e-3, 2.0, pi - 1e-3, pi])
def test_rotation_vector_inverts_the_exponential(angle):
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    found = rotation_vector(tc.pose(rotvec=angle * axis)[:3, :3])
    assert min(np.abs(found - angle * axis).max(), np.abs(found + angle * axis).max()) < 1e-8
    if angle < pi:
        assert np.abs(found - angle * axis).max() < 1e-8


def test_sweep_is_the_linear_motion_and_its_speed_is_a_bound():
    rng = np.random.default_rng(3)
    start, end = (tc.pose(translation=rng.normal(size=3), rotvec=rng.normal(size=3)) for _ in "ab")
    sweep, motion = Sweep(start, end), tc.Motion.linear(start, end)
    point, times = np.array([0.6, -0.64, 0.48]), np.linspace(0.0, 1.0, 101)
    points = []
    for t in times:
        rotation, translation = sweep.at(float(t))
        assert np.allclose(motion.pose(float(t))[:3, :3], rotation, atol=1e-12)
        assert np.allclose(motion.pose(float(t))[:3, 3], translation, atol=1e-12)
        points.append(rotation @ point + translation)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert (steps <= sweep.speed(1.0) * 0.01 * (1 + 1e-9)).all()


def test_right_answers_pass_every_check():
    case = straight_case()
    oracle = oracle_of(case)
    assert oracle.brackets[0].touch == pytest.approx(2 / 3, abs=1e-5)
    assert oracle.brackets[1].touch == inf
    sweeps = [Sweep(s, e) for s, e in zip(case.start, case.end, strict=True)]
    contact = verify(case, sweeps, CoalPair(case.a, case.b))
    assert contact.tolist() == [True, False]


@pytest.mark.parametrize(
    ("status", "toc", "said"),
    [
        ("FREE", inf, "free, but coal finds contact"),
        ("CONTACT", 0.7, "already"),
        ("CONTACT", 0.5, "coal measures a distance"),
        ("CONTACT", inf, "outside"),
        ("UNDECIDED", 0.6, "undecided"),
    ],
)
def test_a_doctored_answer_raises(status, toc, said):
    case = straight_case()
    oracle, false = oracle_of(case), Doctored.of(run_batch(case, "auto"))
    oracle.check("auto", false)
    false.status[0], false.toc[0] = tc.Status[status].value, toc
    with pytest.raises(WrongAnswer, match=f"auto, trial 0: .*{said}"):
        oracle.check("auto", false)


def test_disagreement_raises_except_in_open_trials():
    result = run_batch(straight_case(), "auto")
    false = Doctored.of(result)
    false.status[1] = tc.Status.CONTACT.value
    with pytest.raises(WrongAnswer, match="hca, trial 1: CONTACT, but auto reports FREE"):
        check_agreement("hca", false, result)
    check_agreement("hca", false, result, np.array([False, True]))


def test_a_goal_knows_its_side_and_its_worst_place():
    more, less = at_least("speed", 50.0, "x"), at_most("growth", 1.25)
    for goal in (more, less):
        goal.add("a", 63.21)
        goal.add("b", 1.2)
        goal.add("c", None)
    assert more.row() == ["speed", ">= 50x", "1.20x", "b", "NO, 1 of 2"]
    assert less.row() == ["growth", "<= 1.25", "63.2", "a", "NO, 1 of 2"]
    less.add("d", float("nan"))
    assert not less.found["d"].passed


def test_a_table_aligns_and_marks_what_was_not_measured():
    table = Table("times", ["", "gear"], [["auto", 12.345], ["coal loop", None]])
    assert table.render().splitlines() == [
        "times", "", "           gear", "---------  ----", "auto       12.3", "coal loop     -",
    ]  # fmt: skip
    assert "| auto      | 12.3 |" in table.render(markdown=True).splitlines()


def test_a_timing_names_its_unit():
    timing = Timing.of([1e-6, 2e-6, 9e-6])
    assert timing.record() == pytest.approx(
        {"mean_us": 4.0, "median_us": 2.0, "p99_us": 9.0, "max_us": 9.0}
    )


@pytest.mark.parametrize("name", fits.FITS)
def test_bodies_that_fit_are_answered_right(name: str) -> None:
    assert fits.verified(name, fits.load(name))[:3] == ["auto", "hca", "c2a"]


def test_a_wrong_answer_about_bodies_that_fit_is_told() -> None:
    fit = fits.load("lid on box")
    with pytest.raises(WrongAnswer, match="lid, auto: FREE"):
        fits.verified("lid", fits.Fit(fit.a, fit.b, fit.motions, fit.hits + 1))


def test_goals_of_bodies_that_fit_are_ratios_to_the_fastest() -> None:
    times = {"one": {"auto": 2.0, "hca": 2.0, "c2a": 5.0}, "two": {"auto": 1.0, "hca": 4.0}}
    each, mean = fits.goals(times)
    assert each.found[each.worst].value == pytest.approx(1.0)
    assert mean.found["all rows"].value == pytest.approx(0.5)
    assert each.reached == 2 and mean.reached == 1


def test_single_calls_cost_something() -> None:
    found = single_calls(slices=20)
    assert 0 < found["make_us"] < 1e4
    assert found["beyond_query_us"] < 1e4
