"""The benchmark of robots must be right before it is fast: verification, samplers, goals."""

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
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma, wires
from toccata_bench.robots import command, goals, hpp_peer, studies, tables
from toccata_bench.robots.ask import STAGES, are_free, first_contacts
from toccata_bench.robots.calls import calls
from toccata_bench.robots.cases import Case, Motions, divide, random_motions
from toccata_bench.robots.measure import Peers, measure_case
from toccata_bench.robots.verify import Judge
from toccata_bench.verify import WrongAnswer


def post() -> tc.Scene:
    """A square post that the arm of length one hits about a quarter turn on."""
    world = tc.Scene()
    world.add("post", tc.Mesh(*box((0.1, 0.1, 1.0))), tc.pose(translation=(0.0, 0.7, 0.0)))
    return world


def swinging() -> Case:
    """An arm that swings away from the post, and into it."""
    robot, world = planar_arm((1.0,)), post()
    motions = Motions(np.zeros((2, 1)), np.array([[-1.0], [2.0]]))
    return Case("swing", robot, world, {"all": divide(robot, world, motions)})


def peers_or_skip() -> None:
    pytest.importorskip("pinocchio")
    pytest.importorskip("coal")


# Motions


def test_random_motions_start_free_and_keep_their_angle() -> None:
    robot, world = puma(8), wires(12)
    for kind, motions in random_motions(robot, world, 15.0, 20).items():
        assert len(motions) == 10
        change = np.abs(motions.end - motions.start).max(axis=1)
        assert np.allclose(change, np.radians(15.0))
        assert all(robot.within_limits(q) for q in motions.end)
        answers = robot.first_contact_batch(motions.start, motions.end, world)
        assert ((answers.status == tc.Status.FREE) == (kind == "free")).all()


# Verification


def test_right_answers_pass() -> None:
    case = swinging()
    for kind, motions in case.levels["all"].items():
        judge = Judge(case, motions, kind)
        judge.check("auto", first_contacts(case, motions, {}))
        judge.check_free("auto", are_free(case, motions, {}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": tc.Status.UNDECIDED}, "undecided"),
        ({"status": tc.Status.INITIAL_OVERLAP}, "starts free"),
        ({"status": tc.Status.FREE}, "auto finds contact"),
        ({"toc": 1.5}, "outside"),
        ({"distance": 1.0}, "apart"),
    ],
)
def test_a_doctored_answer_raises(changes: dict[str, Any], said: str) -> None:
    case = swinging()
    judge = Judge(case, case.levels["all"]["colliding"], "colliding")
    answers = first_contacts(case, judge.motions, {})
    with pytest.raises(WrongAnswer, match=said):
        judge.check("auto", [replace(answers[0], **changes)])


def test_samples_of_another_library_judge_too() -> None:
    peers_or_skip()
    case = swinging()
    sampler = Peers.of(case).sampler
    assert sampler is not None
    motions = case.levels["all"]["colliding"]
    samples = sampler.prepare(motions, [500], in_order=True)
    touches = sampler.first_of_all(samples)
    judge = Judge(case, motions, "colliding")
    judge.use(sampler.model, touches)
    answers = first_contacts(case, motions, {})
    judge.check("auto", answers)
    assert touches[0] - 2 / 500 < answers[0].toc <= touches[0]
    early = answers[0].toc / 2
    moved = replace(answers[0], toc=early, q=judge.at(0, early))
    with pytest.raises(WrongAnswer, match="apart"):
        judge.check("auto", [moved])
    with pytest.raises(WrongAnswer, match="is in contact already"):
        judge.check("auto", [replace(answers[0], toc=1.0)])
    with pytest.raises(WrongAnswer, match="is in contact"):
        judge.check("auto", [replace(answers[0], status=tc.Status.FREE, toc=inf)])


def test_motion_is_free_has_to_agree() -> None:
    case = swinging()
    with pytest.raises(WrongAnswer, match="motion_is_free returns True"):
        Judge(case, case.levels["all"]["colliding"], "colliding").check_free(
            "auto", np.array([True])
        )


# Peers


def test_the_sampler_stops_no_point_from_moving_farther_than_it_says() -> None:
    peers_or_skip()
    case = swinging()
    sampler = Peers.of(case).sampler
    assert sampler is not None
    # The tip of the bar is at 0.95 of the length, and half a width aside.
    assert sampler.travel(np.zeros(1), np.ones(1)) == pytest.approx(0.9, abs=0.02)


@pytest.mark.slow
def test_hpp_agrees() -> None:
    if hpp_peer.libraries() is None:
        pytest.skip("hpp-python is not installed")
    found = hpp_peer.run_hpp(swinging())
    assert found["all, free"]["free"] == [True]
    assert found["all, colliding"]["free"] == [False]


# Studies, goals, tables


def test_a_case_is_measured_without_peers() -> None:
    record = measure_case(swinging(), Peers())
    for one in record["levels"]["all"].values():
        assert (
            one["motions"] == 1
            and one["is_free_us"]["auto"] > 0.0
            and one["first_us"]["auto"] > 0.0
        )
        assert one["peers_us"] == {} and one["missed"] == {}
    assert "first_contact, hca" in tables.case_table("swing", record).render()


def test_studies_give_their_figures() -> None:
    found = studies.batch(swinging(), size=100)
    assert found["threads_1_us"] > 0.0 and found["threads_2_us"] > 0.0
    assert studies.overhead(100) > 0.0
    long = studies.chains(2, peers=False)["1 deg"]
    assert set(long) == {"10_us", "100_us"}
    one = calls(pieces=20, count=2, chains=(2, 4))
    assert one["path_by_batch"] > 0 and one["mapping_pairs"] == 7 * 12
    assert "path of 5,000 pieces" in tables.study_tables({"calls": one})[0].render()


def test_chains_are_held_against_samples() -> None:
    peers_or_skip()
    case = studies.chain_case(12, 5.0, 2)
    motions = case.levels["all"]["free"]
    studies.check_samples(case, motions)
    curled = Motions(motions.start, motions.start + np.where(np.arange(11) % 2 == 1, 1.2, 0.0))
    with pytest.raises(WrongAnswer, match="contact, but auto finds none"):
        Judge(case, curled, "free").check("auto", first_contacts(case, curled, {}))


def stage_record(seconds: float) -> dict[str, float]:
    return {"seconds": seconds, "seconds_exact": seconds / 2, "seconds_hierarchy": 1e-6}


def test_goals_are_judged_where_they_are_worst() -> None:
    fast = {"motions": 4, "is_free_us": {"auto": 100.0}, "first_us": {"auto": 200.0}, "missed": {}}
    levels = {
        "1 deg": {
            "free": fast | {"peers_us": {"10 mm": 200.0, "1 mm": 4000.0, "hpp": 500.0}},
            "colliding": fast | {"peers_us": {"10 mm": 50.0, "1 mm": 1000.0}},
        }
    }
    stages = {"1 deg": {"1+2+3": {"free": stage_record(1e-3)}, "3": {"free": stage_record(2e-3)}}}
    record = {
        "cases": {"ur5-pipes": {"levels": levels}, "puma-room": {"levels": levels}},
        "sequences": {},
        "studies": {
            "chains": {"1 deg": {"10_us": 1.0, "100_us": 13.0}},
            "stages": {"room": stages},
        },
    }
    found = {goal.figure: goal for goal in goals.goals(record)}
    free = found["free motions: motion_is_free / sampling at 10 mm"]
    assert free.reached == len(free.found) == 1, "the machine room has no goal"
    assert found["colliding motions: motion_is_free / sampling at 10 mm"].reached == 0
    assert found["free motions: HPP's dichotomy / motion_is_free"].row()[2] == "5x"
    assert found["first_contact / motion_is_free, average"].row()[2] == "2x"
    assert found["scan at 1 mm / first_contact"].row()[-1] == "NO, 1 of 2"
    assert found["chain of 100 links / chain of 10"].row()[2] == "13x"
    assert found["interval: all stages / exact contact alone"].row()[2] == "0.500x"
    assert found["hca / auto"].row()[-1] == "not measured"


def test_auto_is_held_against_the_fastest_named_method() -> None:
    times = {"auto": 104.0, "hca": 200.0, "interval": 100.0}
    one = {"motions": 1, "is_free_us": times, "first_us": times | {"auto": 80.0}, "peers_us": {}}
    case = {"levels": {"1 deg": {"free": one, "colliding": one}}}
    row, mean = goals.auto_goals({"ur5-pipes": case})
    assert row.reached == len(row.found) == 4
    assert row.worst is not None and row.worst.endswith("motion_is_free")
    assert mean.found["free, motion_is_free"].value == pytest.approx(1.04) and mean.reached == 2


def test_what_is_quoted_says_so() -> None:
    one = {"motions": 1, "is_free_us": {"auto": 9.0}, "first_us": {}, "peers_us": {}, "missed": {}}
    case = {"links": 1, "bodies": 1, "triangles": [1, 1], "levels": {"1 deg": {"free": one}}}
    assert (
        "VAMP, quoted: spheres, not certified, not run here"
        in tables.case_table("ur5-pipes", case).render()
    )
    assert "VAMP" not in tables.case_table("ur5-wires", case).render()


def test_a_stage_that_is_off_is_a_dash() -> None:
    rows = {row: {"free": stage_record(1e-3), "colliding": {}} for row in ("1+2+3", "3")}
    table = tables.stage_table("Table 2", {"1 deg": rows}, ("1+2+3", "3"))
    assert table.rows[0][2] == pytest.approx(1e-3) and table.rows[1][2] is None
    assert table.rows[0][-2:] == [None, 1.0]


def test_each_choice_of_stages_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    case, asked = swinging(), []

    def pretend(case: Case, motions: Motions, how: dict[str, Any]) -> Any:
        asked.append(how["stages"])
        return first_contacts(case, motions, {})

    monkeypatch.setattr(studies, "first_contacts", pretend)
    found = studies.stages(case)["all"]
    assert set(asked) == set(STAGES.values()) and set(found) == set(STAGES)
    for kinds in found.values():
        for one in kinds.values():
            assert 0.0 <= one["seconds_exact"] <= one["seconds"] and one["seconds"] > 0.0


# The command


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CASES", {"swing": lambda _: swinging()})
    monkeypatch.setattr(command, "SEQUENCES", {})
    monkeypatch.setattr(goals, "ARMS", ("swing",))


def test_the_command_prints_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small(monkeypatch)
    path = tmp_path / "record.json"
    words = ["--only", "cases", "--no-peers", "--json", str(path)]
    assert main(["bench", "robots", *words]) == 0
    out = capsys.readouterr().out
    for text in ("swing (1 links", "motion_is_free, auto", "Goals", "other only"):
        assert text in out
    record = json.loads(path.read_text())
    assert set(record["cases"]["swing"]["levels"]["all"]) == {"free", "colliding"}


def test_a_wrong_answer_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = swinging()
    motions = case.levels["all"]["free"]
    lie = Case("lie", case.robot, case.world, {"all": {"colliding": motions}})
    small(monkeypatch)
    monkeypatch.setattr(command, "CASES", {"lie": lambda _: lie})
    assert main(["bench", "robots", "--only", "cases", "--no-peers"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "wrong answer: lie, auto, colliding motion 0: free" in err


def test_a_robot_that_is_not_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(_: int) -> Case:
        raise ModuleNotFoundError("arm needs robots-of-mars: pip install robots-of-mars")

    small(monkeypatch)
    monkeypatch.setattr(command, "CASES", {"mars": absent})
    assert main(["bench", "robots", "--only", "cases", "--no-peers"]) == 0
    assert "SKIPPED mars: arm needs robots-of-mars" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["--only speed", "--cases teapot", "--motions 1"])
def test_unknown_names_are_usage_errors(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "robots", *words.split()]) == 2
    assert "expected" in capsys.readouterr().err
