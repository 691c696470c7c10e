"""The deforming benchmark must be right before it is fast: reference, verification, goals."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata_bench.averages import geometric_mean, growth_exponent
from toccata_bench.deforming import child, command, elementary, sources, steps, verify
from toccata_bench.deforming.asking import ask
from toccata_bench.deforming.sources import Model, QuerySet, Step
from toccata_bench.deforming.steps import verify_step
from toccata_bench.deforming.studies import check_threads
from toccata_bench.goal import Goal
from toccata_bench.process import ChildFailed
from toccata_bench.verify import WrongAnswer

# Verification


def floor_and_tip(end: float = -1.0) -> Step:
    """A vertex of a triangle falls from height 1 through another triangle."""
    floor = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]]
    tip = [[-1.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 0.0, 1.0]]
    v0 = np.array(floor + tip)
    v1 = v0 + [0.0, 0.0, end - 1.0] * np.array([[0], [0], [0], [1], [1], [1]])
    return Step("tip", v0, v1, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32))


def test_right_answers_pass() -> None:
    known = replace(floor_and_tip(), first=0.5, contacts={"vertex-face": 1, "edge-edge": 0})
    answers = verify_step(known)
    assert answers["first"].toc == pytest.approx(0.5, abs=1e-5)
    assert verify_step(floor_and_tip(0.5))["all"].status == tc.Status.FREE


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": tc.Status.UNDECIDED}, "undecided"),
        ({"status": tc.Status.FREE}, "FREE at 0.4"),
        ({"toc": 1.5}, "CONTACT at 1.5"),
        ({"toc": 0.3}, "no listed pair"),
        ({"vertex_face_toc": np.array([0.6]), "toc": 0.6}, "exact first contact is at 0.5"),
        ({"vertex_face_toc": np.array([0.4]), "toc": 0.4}, "apart"),
        ({"vertex_face": np.array([[3, 0]])}, "apart"),
    ],
)
def test_a_doctored_step_raises(changes: dict[str, Any], said: str) -> None:
    step = replace(floor_and_tip(), first=0.5)
    answer = ask(step, "bvh", "first")
    verify.check_step("bvh", step, answer)
    with pytest.raises(WrongAnswer, match=said):
        verify.check_step("bvh", step, replace(answer, **changes))


def test_missing_pairs_and_other_pairs_raise() -> None:
    step = replace(floor_and_tip(), contacts={"vertex-face": 9})
    answer = ask(step, "bvh", "all")
    with pytest.raises(WrongAnswer, match="but 9 touch exactly"):
        verify.check_all("bvh", step, answer)
    none = replace(answer, vertex_face=answer.vertex_face[:0], vertex_face_toc=np.empty(0))
    with pytest.raises(WrongAnswer, match="vertex_face"):
        verify.check_same("auto", none, answer)
    with pytest.raises(WrongAnswer, match="number of threads"):
        check_threads("auto", answer, none)


def test_a_wrong_answer_in_a_sequence_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that forgets what happens after its first step is not timed."""
    step = floor_and_tip()
    monkeypatch.setattr(steps, "advance", lambda *_: ask(floor_and_tip(0.5), "bvh", "first"))
    with pytest.raises(WrongAnswer, match=r"auto, in a sequence, first: FREE at inf, bvh: CONTACT"):
        verify_step(step)


def test_a_time_that_is_too_late_is_seen_in_the_candidates() -> None:
    step = floor_and_tip()
    pairs = {"vertex-face": np.array([[5, 0, 1, 2]]), "edge-edge": np.array([[0, 1, 3, 4]])}
    verify.check_clear("auto", step, 0.5, pairs)
    with pytest.raises(WrongAnswer, match=r"touch at 0\.(5|49999)"):
        verify.check_clear("auto", step, 0.6, pairs)
    with pytest.raises(WrongAnswer, match="free before 1"):
        verify.check_clear("auto", step, 1.0, pairs)


def test_doctored_queries_raise() -> None:
    cross = np.array([[-1.0, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]])
    falling = np.array([[0.0], [0], [1], [1]]) * [0.0, 0, 1]
    heights = np.linspace(1.0, 3.0, 40)[:, None, None]
    start, end = cross + heights * falling, cross - heights**2 * falling
    queries = QuerySet("falling_ee", "edge-edge", start, end, np.ones(40, dtype=bool))
    answer = elementary.solve(queries)
    exact = elementary.check(queries, answer)
    assert np.allclose(exact, 1.0 / (1.0 + heights.ravel()), rtol=1e-12)
    status, toc = answer.status.copy(), answer.toc.copy()
    status[3] = tc.Status.FREE
    with pytest.raises(WrongAnswer, match="query 3 missed"):
        elementary.check(queries, replace(answer, status=status))
    toc[4] += 1e-3
    with pytest.raises(WrongAnswer, match="query 4 at"):
        elementary.check(queries, replace(answer, toc=toc))
    toc[4] = 0.5 * answer.toc[4]
    with pytest.raises(WrongAnswer, match=r"query 4 at .* apart"):
        elementary.check(queries, replace(answer, toc=toc))


# The peer


@pytest.mark.slow
def test_the_peer_runs_apart_and_lists_its_candidates() -> None:
    pytest.importorskip("ipctk")
    step = floor_and_tip()
    pairs = child.peer_pairs(step, 60.0)
    assert pairs is not None and [5, 0, 1, 2] in pairs["vertex-face"].tolist()
    found = child.peer_times(step, ("broad", "TightInclusionCCD"), 60.0)
    assert found["broad"]["value"] == len(pairs["vertex-face"]) + len(pairs["edge-edge"])
    assert 0.3 < found["TightInclusionCCD"]["value"] <= 0.5


@pytest.mark.slow
def test_a_peer_that_is_cut_short_has_a_bound() -> None:
    """Each question has its own processor time; one that does not get done spoils no other."""
    pytest.importorskip("ipctk")
    pytest.importorskip("resource")  # a sign of a system that has timers
    step = sources.model("shell", 10_000).steps[0]
    limit = 0.25
    found = child.peer_times(step, ("TightInclusionCCD", "broad"), limit)
    assert found["TightInclusionCCD"] == {"at_least": limit}
    assert 0.0 < found["broad"]["cpu_seconds"] < limit


def test_a_child_that_fails_says_why() -> None:
    with pytest.raises(ChildFailed, match="memory"):
        child.run("memory", ["nothing.npz", "first"], 60.0)


@pytest.mark.slow
def test_memory_is_measured_in_a_child() -> None:
    pytest.importorskip("resource")
    ballast = np.ones(100_000_000)  # 800 MB that the child must not inherit
    found = child.peak_memory(floor_and_tip(), False, 60.0)
    assert ballast.nbytes > 5e8
    assert found is not None and found["status"] == "CONTACT"
    assert 1e6 < found["before"] <= found["peak"] < 5e8


# Data, goals, tables


def test_a_crack_that_has_not_opened_is_no_contact() -> None:
    """Both sides of an edge share their roots; only the tip that falls touches."""
    v0 = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0], [1, 0, 0]])
    faces = np.array([[0, 1, 2], [4, 3, 5]], dtype=np.int32)
    roots = sources.follow(np.arange(4), np.array([0, 1, 2, 3, 0, 1]))
    assert roots.tolist() == [0, 1, 2, 3, 0, 1]
    still = Step("crack", v0, v0 + [0.0, 0.0, 1.0], faces, roots=roots)
    identity = still.identity(still.v0)
    assert identity[4] == identity[0] != identity[3]
    assert verify_step(still)["all"].status == tc.Status.FREE
    assert verify_step(replace(still, roots=None))["all"].status != tc.Status.FREE
    ids = identity[np.array([[0, 4, 3, 5], [2, 4, 3, 5]])]
    assert verify.shared("vertex-face", ids).tolist() == [True, False]
    assert sources.follow(roots, np.array([5, -1, -1])).tolist() == [1, 5, 6]
    told = replace(still, roots=sources.shared(roots))
    assert told.roots is not None and told.roots.tolist() == [0, 1, -1, -1, 0, 1]
    assert verify_step(told)["all"].status == verify_step(still)["all"].status
    assert np.array_equal(np.unique(told.identity(v0)), np.unique(still.identity(v0)))


def test_missing_data_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path.anchor)  # above a temporary folder there may be data
    monkeypatch.delenv("TOCCATA_DATA", raising=False)
    assert [note.split(":")[0] for note in sources.missing()] == [
        "SKIPPED frames",
        "SKIPPED queries",
    ]
    assert sources.frame_names() == [] and sources.query_sets() == []


def test_frames_and_queries_are_found_where_the_variable_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = floor_and_tip()
    for name in ("frames", "queries"):
        (tmp_path / name).mkdir()
    facts = {"contacts_vertex_face": 1, "contacts_edge_edge": 0}
    facts |= {"first_vertex_face": 0.5, "first_edge_edge": inf}
    np.savez(tmp_path / "frames" / "tip.npz", v0=step.v0, v1=step.v1, faces=step.faces, **facts)
    start, end = np.random.default_rng(1).normal(size=(2, 3, 4, 3))
    queries = {"start": start, "end": end, "collides": np.array([True, True, True])}
    np.savez(tmp_path / "queries" / "cloth-ball_vf.npz", **queries)
    monkeypatch.setenv("TOCCATA_DATA", str(tmp_path))
    assert sources.missing() == [] and sources.frame_names() == ["frames/tip"]
    loaded = sources.frame("frames/tip").steps[0]
    assert loaded.first == 0.5 and loaded.contacts == {"vertex-face": 1, "edge-edge": 0}
    verify_step(loaded)
    [found] = sources.query_sets()
    assert found.kind == "vertex-face" and found.simulated and len(found.start) == 3


def test_a_goal_is_judged_where_it_is_worst() -> None:
    goal = Goal("speed", 2.0, at_least=True, unit="x")
    assert goal.row()[2:] == [None, None, "not measured"] and not goal.record()["reached"]
    for case, value in {"a": 3.0, "b": 1.5, "c": None}.items():
        goal.add(case, value)
    assert goal.row() == ["speed", ">= 2x", "1.50x", "b", "NO, 1 of 2"]
    small = Goal("error", 1e-4, at_least=False)
    small.add("a", 2e-5)
    assert small.row() == ["error", "<= 0.0001", "2.0e-05", "a", "yes, 1 of 1"]


def test_growth_of_a_power_law_has_its_exponent() -> None:
    times = {n: 3e-9 * n**1.25 for n in (10, 100, 5000)}
    assert growth_exponent(times) == pytest.approx(1.25)
    assert growth_exponent({10: 1.0}) is None


def test_geometric_mean_of_powers_has_their_mean_exponent() -> None:
    assert geometric_mean([2.0, 4.0, 64.0]) == pytest.approx(8.0)
    assert geometric_mean([]) is None


def test_the_command_prints_both_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "available", lambda: ["tip"])
    monkeypatch.setattr(command, "load", lambda *_: Model("tip", [floor_and_tip()], True))
    path = tmp_path / "record.json"
    words = ["--only", "first,all,threads", "--no-peers", "--json", str(path)]
    assert main(["bench", "deforming", *words]) == 0
    out = capsys.readouterr().out
    for text in ("Table 1, first contact", "Table 1, all contacts", "Table 2", "tip, clusters"):
        assert text in out
    assert "BV tests, bvh / clusters" in out and "compared with each other only" in out
    record = json.loads(path.read_text())
    assert set(record["models"]["tip"][0]["all"]) == {"bvh", "clusters", "auto"}


def test_a_wrong_answer_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    false = replace(floor_and_tip(), first=0.25)
    monkeypatch.setattr(command, "available", lambda: ["tip"])
    monkeypatch.setattr(command, "load", lambda *_: Model("tip", [false], True))
    assert main(["bench", "deforming", "--only", "first", "--no-peers"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "wrong answer: tip, bvh, first" in err


@pytest.mark.parametrize("words", ["--only speed", "--models teapot"])
def test_unknown_names_are_usage_errors(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "deforming", *words.split()]) == 2
    assert "expected some of" in capsys.readouterr().err
