"""The elementary tests keep the contract on every query that the exact oracle can judge."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import shared_data
from oracles.deforming_cases import MAKERS, Sample, sample
from oracles.linear_contract import (
    FREE,
    INITIAL_OVERLAP,
    UNDECIDED,
    Question,
    assert_answer,
    exact_time,
)
from oracles.linear_distance import first_within
from oracles.linear_features import KINDS, Kind, first_contacts
from oracles.polynomials import Root
from oracles.size import cases

import toccata as tc

from .asking import HitRate

Array = NDArray[np.float64]
Ends = tuple[Array, Array]
ASK = {"vertex-face": tc.elementary.vertex_face, "edge-edge": tc.elementary.edge_edge}


def ask(kind: Kind, start: Any, end: Any, **options: Any) -> Any:
    """Return the answers of a batch, and check that their fields agree."""
    answer = ASK[kind](np.asarray(start), np.asarray(end), **options)
    n = len(start)
    assert answer.collides.shape == answer.toc.shape == answer.status.shape == (n,)
    assert answer.collides.dtype == np.bool_ and answer.status.dtype == np.uint8
    assert (answer.collides == (answer.status != tc.Status.FREE)).all()
    return answer


def judge(drawn: Sample, rate: HitRate | None = None, **options: Any) -> None:
    """Compare the answers to a sample with the oracle."""
    answer = ask(drawn.kind, drawn.start, drawn.end, **options)
    may_be_undecided = options.pop("budget", None) is not None
    rows = zip(drawn.start.tolist(), drawn.end.tolist(), answer.status, answer.toc, strict=True)
    for start, end, status, toc in rows:
        question = Question(drawn.kind, start, end, **options)
        hit = assert_answer(question, int(status), float(toc), may_be_undecided=may_be_undecided)
        if rate is not None:
            rate.add(hit)


def test_codes_agree_with_the_oracle() -> None:
    codes = (tc.Status.FREE, tc.Status.INITIAL_OVERLAP, tc.Status.UNDECIDED)
    assert codes == (FREE, INITIAL_OVERLAP, UNDECIDED)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
def test_contacts_at_distance_zero_agree_with_the_oracle(name: str, kind: Kind) -> None:
    rate = HitRate()
    judge(sample(name, kind, cases(120), seed=10), rate)
    rate.check(0.03)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tolerance", [1e-12, 1e-3, 0.25])
def test_any_tolerance_agrees_with_the_oracle(tolerance: float, kind: Kind) -> None:
    for name in MAKERS:
        judge(sample(name, kind, cases(40), seed=11), tolerance=tolerance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
def test_a_separation_agrees_with_the_oracle(name: str, kind: Kind) -> None:
    for k, separation in enumerate((2.0**-3, 1e-2, 1e-6, 1.5)):
        drawn = sample(name, kind, cases(8), seed=12 + k)
        judge(drawn, separation=separation, tolerance=1e-6 if k else 1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_separation_changes_answers(kind: Kind) -> None:
    rate = HitRate()
    judge(sample("aimed", kind, cases(60), seed=16), rate, separation=0.0625)
    judge(sample("anywhere", kind, cases(60), seed=16), rate, separation=0.0625)
    rate.check(0.1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("budget", [1, 2, 7, 50])
def test_a_budget_never_makes_an_answer_wrong(budget: int, kind: Kind) -> None:
    for name in ("aimed", "grazing", "lattice", "kissing", "slivers"):
        judge(sample(name, kind, cases(40), seed=17), budget=budget)


def test_a_budget_can_run_out() -> None:
    drawn = sample("kissing", "edge-edge", 200, seed=18)
    least, plenty = (
        ask(drawn.kind, drawn.start, drawn.end, tolerance=1e-12, budget=b) for b in (1, 10**6)
    )
    assert (least.status == UNDECIDED).any() and not (plenty.status == UNDECIDED).any()


# --- real queries -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shared_data.parameters("queries"))
def test_no_known_contact_is_missed(name: str) -> None:
    queries = shared_data.queries(name)
    answer = ask(queries.kind, queries.start, queries.end)
    assert answer.collides[queries.collides].all(), "missed"
    extra = np.flatnonzero(answer.collides & ~queries.collides)
    for row in extra[: cases(200)].tolist():
        start, end = queries.start[row].tolist(), queries.end[row].tolist()
        question = Question(queries.kind, start, end)
        assert_answer(question, int(answer.status[row]), float(answer.toc[row]))


@pytest.mark.parametrize("name", [n for n in shared_data.names("queries") if n[0] in "ac"])
def test_times_of_simulated_contacts_are_sharp(name: str) -> None:
    queries = shared_data.queries(name)
    rows = np.flatnonzero(queries.collides)
    rows = rows[:: max(1, len(rows) // cases(1500))]
    start, end = queries.start[rows], queries.end[rows]
    answer = ask(queries.kind, start, end)
    early = 0
    for k, time in enumerate(first_contacts(queries.kind, start, end)):
        assert time is not None
        assert Root.dyadic(float(answer.toc[k])).compare(time) <= 0, "late"
        if time.bounds()[1] - answer.toc[k] > 1e-4:
            early += 1
            pair = start[k].tolist(), end[k].tolist()
            assert not transversal(queries.kind, *pair, time), "early without need"
    assert early <= 0.002 * len(rows) + 1


@pytest.mark.parametrize("kind", KINDS)
def test_times_of_plain_contacts_are_sharp(kind: Kind) -> None:
    drawn, plain = sample("aimed", kind, cases(200), seed=19), 0
    answer = ask(kind, drawn.start, drawn.end)
    for k, (start, end) in enumerate(zip(drawn.start.tolist(), drawn.end.tolist(), strict=True)):
        time = exact_time(Question(kind, start, end))
        if time is not None and transversal(kind, start, end, time):
            plain += 1
            assert time.bounds()[1] - answer.toc[k] <= 1e-4
    assert plain > 0.1 * len(drawn.start)


def transversal(kind: Kind, start: Any, end: Any, time: Root) -> bool:
    """Return whether features stay farther apart than 1e-6 until 1e-4 before contact."""
    near = first_within(kind, start, end, Fraction(1e-6), bits=24)
    return bool(near.lo >= time.bounds()[0] - 1e-4)


# --- equivalent queries -----------------------------------------------------------------------


def _moved(rng: np.random.Generator, ends: Ends) -> Ends:
    """Add a common motion, which the coordinates can represent exactly."""
    shift = rng.integers(-64, 65, size=(2, 1, 3)).astype(float)
    return ends[0] + shift[0], ends[1] + shift[1]


def _corners(rng: np.random.Generator, ends: Ends) -> Ends:
    order = [0, *(1 + rng.permutation(3))]
    return ends[0][order], ends[1][order]


def _edges(rng: np.random.Generator, ends: Ends) -> Ends:
    orders = ([1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0])
    order = orders[int(rng.integers(4))]
    return ends[0][order], ends[1][order]


def _turned(rng: np.random.Generator, ends: Ends) -> Ends:
    axes, signs = rng.permutation(3), rng.choice([-1.0, 1.0], size=3)
    return ends[0][:, axes] * signs, ends[1][:, axes] * signs


CHANGES: dict[str, Callable[[np.random.Generator, Ends], Ends]] = {
    "moved": _moved,
    "turned": _turned,
    "corners": _corners,
    "edges": _edges,
    "reversed": lambda rng, ends: (ends[1], ends[0]),
    "small": lambda rng, ends: (ends[0] * 2.0**-60, ends[1] * 2.0**-60),
    "large": lambda rng, ends: (ends[0] * 2.0**60, ends[1] * 2.0**60),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_change_of_frame_or_order_changes_no_answer(kind: Kind, change: str) -> None:
    if (kind, change) in (("vertex-face", "edges"), ("edge-edge", "corners")):
        return
    rng = np.random.default_rng(20)
    tolerance = 1e-6 * {"small": 2.0**-60, "large": 2.0**60}.get(change, 1.0)
    for name in ("lattice", "coplanar", "parallel", "at_the_start", "at_the_end", "degenerate"):
        drawn = sample(name, kind, cases(60), seed=21)
        pairs = [CHANGES[change](rng, ends) for ends in zip(drawn.start, drawn.end, strict=True)]
        changed = ask(kind, *(np.stack(x) for x in zip(*pairs, strict=True)), tolerance=tolerance)
        exact = first_contacts(kind, drawn.start, drawn.end)
        for (start, end), time, status, toc in zip(
            pairs, exact, changed.status, changed.toc, strict=True
        ):
            question = Question(kind, start.tolist(), end.tolist(), tolerance=tolerance)
            hit = assert_answer(question, int(status), float(toc))
            assert time is None or hit, "the oracle itself depends on the view"
            if time is not None and change != "reversed":
                assert Root.dyadic(float(toc)).compare(time) <= 0, f"late: {question}"


@pytest.mark.parametrize("kind", KINDS)
def test_answers_do_not_depend_on_other_rows_or_threads(kind: Kind) -> None:
    parts = [sample(name, kind, 40, seed=22) for name in MAKERS]
    start, end = (np.concatenate([getattr(p, x) for p in parts]) for x in ("start", "end"))
    one = ask(kind, start, end, threads=1)
    order = np.random.default_rng(23).permutation(len(start))
    for again, rows in (
        (ask(kind, start, end, threads=4), slice(None)),
        (ask(kind, start[order], end[order], threads=3), order),
    ):
        assert one.toc[rows].tobytes() == again.toc.tobytes()
        assert one.status[rows].tobytes() == again.status.tobytes()
    for k in range(0, len(start), 7):
        alone = ask(kind, start[k : k + 1], end[k : k + 1])
        assert alone.toc.tobytes() == one.toc[k : k + 1].tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_separation_is_never_later_and_a_batch_may_be_empty(kind: Kind) -> None:
    assert len(ask(kind, np.empty((0, 4, 3)), np.empty((0, 4, 3))).toc) == 0
    drawn = sample("aimed", kind, 300, seed=24)
    times = [
        ask(kind, drawn.start, drawn.end, separation=s, tolerance=1e-9).toc
        for s in (0.0, 0.01, 0.1)
    ]
    assert (times[1] <= times[0]).all() and (times[2] <= times[1]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_row_that_is_not_finite_is_named(kind: Kind, bad: float) -> None:
    drawn = sample("aimed", kind, 3000, seed=26)
    for rows, threads in (((0,), 1), ((2999,), 1), ((1025, 2048, 2999), 3)):
        for name in ("start", "end"):
            both = {"start": drawn.start.copy(), "end": drawn.end.copy()}
            both[name][list(rows), 3, 2] = bad
            message = rf"^{name}: expected finite numbers, got {bad} \(row {rows[0]} is not\)$"
            with pytest.raises(ValueError, match=message):
                ASK[kind](both["start"], both["end"], threads=threads)


@pytest.mark.parametrize("kind", KINDS)
def test_points_with_overflowing_sums_collide(kind: Kind) -> None:
    start = np.full((5, 4, 3), 1.7e308)
    assert ASK[kind](start, start).collides.all()


# --- any input---------------------------------------------------------------------------------

numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.integers(-8, 8).map(lambda k: k / 4),
    st.floats(-2, 2, width=32),
    st.sampled_from([1e-9, -1e-9, 1 / 3, 0.1, 1e-300, 5e-324, -0.0, 1 + 2.0**-52]),
)
points = st.lists(st.tuples(numbers, numbers, numbers), min_size=4, max_size=4)


def test_any_finite_query_keeps_the_contract() -> None:
    rate = HitRate()

    @settings(max_examples=cases(150))
    @given(
        kind=st.sampled_from(KINDS),
        start=points,
        end=points,
        separation=st.sampled_from([0.0, 0.0, 0.0, 0.125]),
        tolerance=st.sampled_from([1e-2, 1e-6, 1e-9]),
    )
    def check(kind: Kind, start: Any, end: Any, separation: float, tolerance: float) -> None:
        question = Question(kind, start, end, separation, tolerance)
        answer = ask(kind, [start], [end], separation=separation, tolerance=tolerance)
        rate.add(assert_answer(question, int(answer.status[0]), float(answer.toc[0])))

    check()
    rate.check(0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_detects_wrong_answers(kind: Kind) -> None:
    """A checker that accepts every answer would prove nothing."""
    drawn = sample("aimed", kind, 60, seed=25)
    answer, noticed = ask(kind, drawn.start, drawn.end), 0
    for start, end, toc in zip(drawn.start.tolist(), drawn.end.tolist(), answer.toc, strict=True):
        question = Question(kind, start, end)
        if exact_time(question) is None or not 0.1 < toc < 0.9:
            continue
        wrong = [(FREE, np.inf), (tc.Status.CONTACT, toc + 0.05), (UNDECIDED, toc / 2)]
        wrong += [(INITIAL_OVERLAP, toc), (tc.Status.CONTACT, toc - 0.05)]
        for status, time in wrong:
            with pytest.raises(AssertionError):
                assert_answer(question, int(status), float(time))
            noticed += 1
    assert noticed > 30
