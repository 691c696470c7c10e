"""The benchmark of adaptive bodies must be right before it is fast: motions, answers, goals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata.scenes import articulated, worlds
from toccata_bench.adaptive import (
    chains,
    cost,
    enclosures,
    frames,
    goals,
    instructions,
    plots,
    replay,
    runs,
    tables,
)
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.verify import WrongAnswer

NAMES = list(EXPERIMENTS)


# Motions


@pytest.mark.parametrize("name", NAMES)
def test_levels_rise_to_all_joints(name: str) -> None:
    experiment = EXPERIMENTS[name]
    assert list(experiment.levels) == sorted(set(experiment.levels)) and experiment.levels[0] == 1
    for given in experiment.build(0).robots.values():
        hinges = [joint for joint in given.robot.joints if joint.kind == "revolute"]
        assert len(hinges) == experiment.joints
    assert experiment.quarter in (7, 8)


@pytest.mark.parametrize("name", NAMES)
def test_no_more_joints_move_than_are_active(name: str) -> None:
    run = runs.simulate(name, 0, 5, steps=61)
    motions, bodies = run.motions, len(EXPERIMENTS[name].build(0).robots)
    hinges = ["root" not in name for name in motions.robot.coordinate_names]
    start, end = motions.start[:, hinges], motions.end[:, hinges]
    assert bodies <= (start != end).sum(axis=1).max() <= 5 * bodies
    # Rigid groups last for ten steps, contacts or not.
    for k in range(0, 60, 10):
        assert (start[k + 10] != start[k]).sum() <= 5 * bodies
    assert motions.counted.any() and not motions.counted[:10].any()
    assert run.positions.shape == (61, len(motions.robot.link_names), 3)
    assert run.dynamics_us > 0


def test_motions_of_two_men_go_on_where_the_world_does() -> None:
    run = runs.simulate("wooden-men", 1, 28, steps=4)
    scene = articulated.wooden_men(1)
    q = np.concatenate([given.q for given in scene.robots.values()])
    assert np.allclose(run.motions.start[0], q, atol=1e-12)
    # Before anything touches, what is proposed is what happens; springs act in turns there.
    assert np.allclose(run.motions.end[:-1], run.motions.start[1:], atol=1e-3)


def test_what_is_fixed_is_the_world() -> None:
    robot, around = runs.asked(articulated.falling_man(0))
    assert len(robot.link_names) == 29 and around is not None and len(around) == 21
    robot, around = runs.asked(articulated.wooden_men(0))
    assert len(robot.link_names) == 58 and around is None


def test_error_of_the_motion_falls_with_active_joints() -> None:
    full, some, one = (runs.simulate("pendulum", 0, level, steps=12) for level in (30, 15, 1))
    errors = [np.linalg.norm(run.positions - full.positions, axis=2).mean() for run in (some, one)]
    assert 0 < errors[0] < errors[1] < 0.2


# Answers


def touching() -> replay.Motions:
    """Return a motion that touches, and one that is free."""
    from toccata.scenes.robots import planar_arm

    robot, world = planar_arm((1.0,)), tc.Scene()
    world.add("post", robot.links["link1"].mesh, tc.pose((0.0, 0.6, 0.0)))
    start, end = np.array([[0.0], [-2.0]]), np.array([[1.5], [-1.0]])
    return replay.Motions(robot, world, start, end, np.array([True, True]))


def test_answers_are_verified_and_timed() -> None:
    found = replay.measure(touching(), "arm", ("auto", "hca"))
    for one in found.values():
        assert one["whole_us"] >= one["front_us"] > 0
        assert one["pairs_after_hierarchy"] >= 0.5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"status": tc.Status.UNDECIDED},
            "motion 0: auto reports CONTACT, other reports UNDECIDED",
        ),
        ({"status": tc.Status.INITIAL_OVERLAP}, "motion 0: .* other reports INITIAL_OVERLAP"),
        ({"toc": 0.1, "safe_until": 0.1}, "other reports CONTACT at a distance"),
        ({"toc": np.inf, "safe_until": 1.0}, "other reports a free motion where bodies overlap"),
        ({"toc": 0.7, "safe_until": 0.7}, "other reports a free motion where bodies overlap"),
    ],
)
def test_wrong_answers_are_found_out(change: dict[str, Any], said: str) -> None:
    motions = touching()
    right = replay.ask(motions, "auto")
    replay.verify(motions, {"auto": right, "hca": replay.ask(motions, "hca")}, "arm")
    first = {key: getattr(right[0], key) for key in ("status", "toc", "safe_until")}
    answers = {"auto": [_Told(**first), right[1]], "other": [_Told(**first | change), right[1]]}
    with pytest.raises(WrongAnswer, match=said):
        replay.verify(motions, answers, "arm")  # type: ignore[arg-type]


class _Told:
    """An answer by its attributes."""

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)


# Chains and dynamics


def test_enclosures_are_measured_alike() -> None:
    found = enclosures.measure_enclosures(24)
    assert list(found) == ["chains", "tree", "intervals"]
    assert all(one["front_us"] > 0 and one["products"] > 0 for one in found.values())
    table = tables.enclosure_table(found)
    assert [row[0] for row in table.rows] == list(found)


@pytest.mark.parametrize("location", chains.LOCATIONS)
def test_ten_joints_of_a_chain_move(location: str) -> None:
    motions = chains.chain_motions(40, location, 6)
    moved = (motions.start != motions.end).any(axis=0)
    assert moved.sum() == chains.ACTIVE
    assert np.array_equal(np.flatnonzero(moved), chains.active_joints(location, 39))
    assert not any(replay.ask(motions, "auto"))
    first = {"base": 0, "middle": 14}.get(location)
    assert first is None or moved[first]


def test_accelerations_are_those_of_pinocchio() -> None:
    pytest.importorskip("pinocchio")
    found, notes = cost.measure_all_active((6,))
    assert notes == [] and found["6"]["acceleration_us"] > 0 and found["6"]["step_us"] > 0


def test_wrong_accelerations_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    pin = pytest.importorskip("pinocchio")
    body, states = cost.bent(3), cost.random_states(3, 2)
    real = cost.pinocchio_chain

    def heavier(pin: Any, robot: tc.Robot) -> Any:
        model = real(pin, robot)
        model.inertias[2].mass *= 2
        return model

    monkeypatch.setattr(cost, "pinocchio_chain", heavier)
    with pytest.raises(WrongAnswer, match="off Pinocchio's"):
        cost.beside_pinocchio(pin, body, states)


def test_without_pinocchio_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "optional", lambda _: None)
    found, notes = cost.measure_all_active((3,))
    assert found["3"]["pinocchio_us"] is None and "pip install pin" in notes[0]


def test_few_active_joints_of_a_chain_cost_less() -> None:
    found = cost.few_active(60, chains.active_joints("middle", 59))
    assert 0 < found["step_us"] < cost.step_time(cost.bent(59))
    assert found["refresh_us"] >= 0 and found["world_us"] > found["step_us"]


def test_frames_are_counted_where_bodies_touch() -> None:
    found = frames.measure_frames(1, 24)["15 active"]
    assert 0 < found["frames"] < 24 and found["impacts"] > 0
    assert found["per_second"] * found["frame_ms"] == pytest.approx(1e3)


# Instructions


def test_instructions_include_called_functions() -> None:
    lines = """
positions: line
events: Ir
fn=(1) outer(int)
1 10
cfn=(2) inner()
calls=3 5
* 70
+2 5
fn=(2)
5 65
+1 5
fn=(3) other()
9
""".splitlines()
    assert instructions.inclusive(lines) == {"outer(int)": 85, "inner()": 70, "other()": 0}


def test_replayed_motions_are_counted_in_runs(capsys: pytest.CaptureFixture[str]) -> None:
    motions = chains.chain_motions(12, "base", 8)
    motions.counted[:] = [False, True, True, False, False, True, False, True]
    instructions.replay({"chain": motions}, ("adaptive", "plain"))
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["chain\tadaptive"] * 3 + ["chain\tplain"] * 3


# Goals, tables and the command


def level(whole: float, front: float, auto: float = 100.0) -> dict[str, Any]:
    counts = dict.fromkeys(replay.COUNTERS, 1.0)
    return {
        "adaptive": {"whole_us": whole, "front_us": front} | counts,
        "auto": {"whole_us": auto, "front_us": 20.0} | counts,
        "plain": {"whole_us": auto, "front_us": 20.0} | counts,
        "motions": 3,
        "dynamics_us": 7.0,
        "error": 0.01,
    }


def instructions_of(whole: float, front: float) -> dict[str, Any]:
    plain = {"whole": 1e6, "front": 1e5}
    own = {"whole": whole * 1e6, "front": front * 1e5}
    return {"adaptive": own, "auto": own, "plain": plain}


def record() -> dict[str, Any]:
    levels = {"1": level(40.0, 3.0), "7": level(80.0, 5.0), "28": level(105.0, 20.0)}
    few, many = level(10.0, 9.0), level(20.0, 14.0)
    chain = {"step_us": 8.0, "refresh_us": 20.0, "world_us": 20.0}
    return {
        "figure": {"wooden-men": {"runs": 2, "joints": 28, "levels": levels}},
        "instructions": {
            "wooden-men, 1": instructions_of(0.9, 0.4),
            "wooden-men, 28": instructions_of(1.01, 1.0),
        },
        "chains": {"100, base": few | chain, "1000, base": many | chain | {"step_us": 17.0}},
        "dynamics": {
            "30": {"acceleration_us": 6.0, "pinocchio_us": 3.0, "step_us": 20.0},
            "10000": {"acceleration_us": None, "pinocchio_us": None, "step_us": 9e3},
        },
        "frames": {"15 active": {"per_second": 50.0}},
    }


def test_goals_are_judged() -> None:
    found = {goal.figure: goal for goal in goals.goals(record())}
    kept = {name: goal.reached == len(goal.found) for name, goal in found.items()}
    assert kept["update and culling, a quarter active / all"]
    assert kept["update and culling, one active / all"]
    assert not kept["whole query, a quarter active / all"]
    assert kept["whole query, one active / all"]
    assert kept["all active: adaptive / auto"]
    assert kept["instructions, adaptive / no groups, no coherence"]
    assert not kept["the same, update and culling, one active"]
    assert kept["chain of 1,000 / of 100 links, 10 active: update and culling"]
    assert not kept["chain of 1,000 / of 100 links, 10 active: step of the dynamics"]
    each = found["chain of 1,000 links, per active joint"].found
    assert each["update and culling, base"].passed
    assert not each["step of the dynamics, base"].passed
    assert kept["all joints active: dynamics / pinocchio's ABA"]
    assert kept["all joints active: joints of the longest chain"]
    assert not kept["two men, 15 active: frames per second, with contacts"]


def test_nothing_measured_is_nothing_judged() -> None:
    sections = ("figure", "instructions", "chains", "dynamics", "frames")
    empty: dict[str, Any] = {name: {} for name in sections}
    assert all(not goal.found for goal in goals.goals(empty))


def test_tables_have_a_row_for_each_level() -> None:
    made = record()
    table = tables.figure_table("wooden-men", made["figure"]["wooden-men"])
    assert [row[0] for row in table.rows] == ["1", "7", "28"]
    assert all(len(row) == len(table.header) for row in table.rows)
    for some in (
        tables.instruction_table(made["instructions"]),
        tables.chain_table(made["chains"]),
        tables.dynamics_table(made["dynamics"]),
    ):
        assert all(len(row) == len(some.header) for row in some.rows)


def test_figure_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (path,) = plots.draw(record()["figure"], tmp_path)
    assert path.stat().st_size > 1_000
    assert plots.draw({}, tmp_path) == []


def test_command_measures_prints_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(chains, "LENGTHS", (12, 24))
    monkeypatch.setattr(cost, "COUNTS", (5,))
    monkeypatch.setattr(instructions, "missing", lambda: "instructions: none here")
    file = tmp_path / "record.json"
    words = ["bench", "adaptive", "--quick", "--runs", "1", "--steps", "36"]
    assert main([*words, "--json", str(file), "--plots", str(tmp_path)]) == 0
    text, told = capsys.readouterr()
    assert "Figure 4 of Kim et al. 2008, pendulum, mean of 1 runs" in text
    assert "Goals" in text and "wooden-men, run 1 of 1" in told
    made = json.loads(file.read_text())
    assert set(made["figure"]["falling-man"]["levels"]) == {"1", "7", "28"}
    # With all joints active links are compared without the tree, so nodes may stay as they are.
    assert made["figure"]["pendulum"]["levels"]["30"]["adaptive"]["products"] > 0
    assert (tmp_path / "active-joints.png").stat().st_size > 1_000


def test_chosen_sections_are_written_as_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    words = ["--only", "frames", "--runs", "1", "--markdown", str(page)]
    assert main(["bench", "adaptive", *words]) == 0
    text = page.read_text()
    assert text.startswith("# Adaptive articulated bodies: results\n")
    assert f"    toccata bench adaptive --only frames --runs 1 --markdown {page}\n" in text
    assert "## Two wooden men, collisions and response" in text and "Figure 4" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--only", "men"],
            "--only: expected some of figure, instructions, chains, enclosures, dynamics, frames,"
            " got men",
        ),
        (["--scenes", "heap"], "--scenes: expected some of wooden-men, pendulum, falling-man"),
        (["--runs", "0"], "--runs: expected a positive number, got 0"),
        (["--steps", "0"], "--steps: expected a positive number, got 0"),
    ],
)
def test_faults_end_with_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "adaptive", *words]) == 2
    assert said in capsys.readouterr().err


def test_bodies_of_a_scene_have_its_springs() -> None:
    scene = articulated.wooden_men(0)
    bodies = worlds.make_bodies(scene)
    assert list(bodies) == ["left", "right"]
    before = sum(body.energy for body in bodies.values())
    assert before == pytest.approx(0.5 * 150.0 * _stretch(scene) ** 2)
    assert not bodies["left"].damping[:6].any() and (bodies["left"].damping[6:] > 0).all()


def _stretch(scene: worlds.WorldScene) -> float:
    positions = [
        given.robot.forward_kinematics(given.q)["chest"][:3, 3] for given in scene.robots.values()
    ]
    return float(np.linalg.norm(positions[0] - positions[1]))
