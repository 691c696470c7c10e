"""The benchmark of datasets must be right before it is fast: motions, answers, goals, estimates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata._cli import main
from toccata_bench.scale import command, goals, paper, runs, speed, stages, tables
from toccata_bench.scale.batches import time_batches
from toccata_bench.scale.motions import FILES, TURNS, draw
from toccata_bench.scale.runs import Experiment
from toccata_bench.verify import WrongAnswer

parquet = pytest.importorskip("pyarrow.parquet")

ROWS = 400


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return Experiment.make(tmp_path_factory.mktemp("scale"), ROWS, ROWS // FILES)


# Motions


def test_motions_start_free_and_end_near_by_within_the_limits() -> None:
    motions = draw(300, seed=5)
    robot = motions.robot
    at_rest = robot.first_contact_batch(motions.start, motions.start, motions.world)
    assert not at_rest.collides.any()
    turned = np.abs(motions.end - motions.start).max(axis=1)
    assert (turned >= TURNS[0] - 1e-12).all() and (turned <= TURNS[1] + 1e-12).all()
    assert ((robot.lower <= motions.end) & (motions.end <= robot.upper)).all()
    found = robot.first_contact_batch(motions.start, motions.end, motions.world).collides.mean()
    assert 0.1 < found < 0.9, "motions that all come out alike"


def test_files_hold_the_motions_in_their_order(experiment: Experiment) -> None:
    files = sorted(experiment.source.glob("*.parquet"))
    assert len(files) == FILES
    table = parquet.read_table(experiment.source)
    assert table["id"].to_pylist() == list(range(ROWS))
    assert table["q1"].to_pylist() == experiment.motions.end.tolist()


# Answers


def test_a_run_is_held_against_the_batch_and_other_runs_against_it(experiment: Experiment) -> None:
    assert experiment.target.is_dir()
    run = experiment.run(1)
    assert run.took.seconds > 0 and run.took.processor > 0
    assert len(runs.hashes(experiment.target)) == FILES
    assert not (experiment.folder / "verdicts-processes").exists()


def test_parts_that_differ_are_found_out(experiment: Experiment, tmp_path: Path) -> None:
    for path in experiment.target.glob("*.parquet"):
        (tmp_path / path.name).write_bytes(path.read_bytes() + b" ")
    with pytest.raises(WrongAnswer, match="part files differ"):
        experiment.compare(tmp_path)


def test_verdicts_that_are_not_those_of_the_batch_are_found_out(tmp_path: Path) -> None:
    own = Experiment.make(tmp_path, 40, 4)
    target = tmp_path / "other"
    own.check(target, workers=1, separation=0.02)
    with pytest.raises(WrongAnswer, match="differ from those of first_contact_batch"):
        own.compare(target)


def test_batches_are_timed_and_verified(experiment: Experiment) -> None:
    (first, second), took = time_batches(experiment.folder, [0, 150, ROWS])
    assert took.seconds >= max(first.seconds, second.seconds)
    assert (first.rows, second.rows) == (150, ROWS - 150)
    assert first.seconds > 0 and second.processor > 0
    experiment.verify_batch(0, 150, first.digest)
    with pytest.raises(WrongAnswer, match="rows 0 to 150"):
        experiment.verify_batch(0, 150, second.digest)


# Figures


def test_stages_restart_and_sizes_are_told(experiment: Experiment) -> None:
    found = stages.measure_stages(experiment, 1)
    assert found["rows"] == ROWS // FILES and found["answer"] > 0 and found["write"] > 0
    again = stages.measure_restart(experiment, 1)
    assert again["parts"] == FILES and len(again["seconds"]) == 1
    assert again["bytes"] == stages.size_of(experiment.source)
    sizes = paper.measure_sizes(experiment)
    assert sizes["read_bytes_per_row"] > 96 and sizes["written_bytes_per_row"] > 8
    assert 100_000 < sizes["job_bytes"] < 10_000_000, "models travel as what made them"


def beside(ratio: float, start: float = 0.1) -> dict[str, Any]:
    slow = {"seconds": 9.0, "processor": 9.0, "others": 0.9}
    batch = {"seconds": 5.0, "processor": 4.8, "others": 0.0}
    run = {"seconds": 5.0 / ratio, "processor": 5.0, "others": None}
    return {
        "rows": 100_000,
        "start_s": start,
        "batches": [slow, batch],
        "runs": [run, slow],
        "memory_mb": {"first": 150.0, "last": 153.0},
    }


def record() -> dict[str, Any]:
    return {
        "speed": beside(0.94),
        "overhead": beside(0.93),
        "restart": {
            "seconds": [0.3, 0.2, 0.4],
            "rows": 1_000_000,
            "open_s": 0.01,
            "fingerprint_s": 0.01,
            "hash_s": 0.1,
            "plan_s": 0.15,
            "look_s": 0.01,
            "parts": 10,
            "bytes": 100_000_000,
        },
        "clusters": {
            "start_s": 1.0,
            "processes": [10.0, 12.0],
            "dask": [11.0, 13.2],
            "ray": [12.4, 15.0],
        },
        "parts": {"parts": 1000, "start_s": 1.0, "processes": 5.0, "dask": 20.0},
        "sizes": {
            "job_bytes": 1_000_000,
            "job_bytes_per_file": 200.0,
            "read_bytes_per_row": 110.0,
            "written_bytes_per_row": 12.0,
            "plan_bytes_per_part": 150.0,
            "rows_per_file": 100_000.0,
            "rows_per_part": 100_000,
        },
    }


def test_goals_are_judged() -> None:
    found = {goal.figure: goal for goal in goals.goals(record())}
    kept = {name: goal.reached == len(goal.found) for name, goal in found.items()}
    assert kept["two workers / two one-thread batches, rows per second"]
    assert kept["overhead of one worker over a one-thread batch"]
    assert kept["run whose parts all exist, per million rows"]
    assert found["two workers / two one-thread batches, rows per second"].worst == "whole run"
    clusters = found["running cluster / processes"].found
    assert clusters["dask, whole run"].passed and clusters["ray, whole run"].passed
    assert not clusters["ray, processes without their start"].passed
    assert kept["peak memory of a worker, last part / first part"]


def test_nothing_measured_is_nothing_judged() -> None:
    empty: dict[str, Any] = {section: {} for section in (*command.Scale.sections, "sizes")}
    assert all(not goal.found for goal in goals.goals(empty))
    assert paper.estimate(empty) is None


def test_paper_adds_up() -> None:
    found = paper.estimate(record())
    assert found is not None
    assert found["parts"] == 1000
    rate = 100_000 / (5.0 / 0.93 - 0.1)
    assert found["part_s"] == pytest.approx(100_000 / rate)
    assert found["work_s"] == pytest.approx(1e8 / rate / 100)
    assert found["plan_s"] == pytest.approx(15.0)
    assert found["look_s"] == pytest.approx(2.0)
    whole = found["work_s"] + found["part_s"] + 15.0 + 2.0 + 0.1
    assert found["whole_s"] == pytest.approx(whole)
    assert found["read_gb"] == pytest.approx(11.0)
    assert found["job_mb"] == pytest.approx(1.2)
    assert found["processes_parts_per_s"] == pytest.approx(200.0)
    assert "ray_parts_per_s" not in found
    assert tables.batches_table({"2": record()["speed"]}).rows[0][7] == "0 and ?"
    table = tables.paper_table(found, record()["sizes"], None)
    assert all(len(row) == len(table.header) for row in table.rows)


# The command


def test_command_measures_and_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"
    words = ["bench", "scale", "--rows", "200", "--rounds", "1", "--json", str(file)]
    assert main([*words, "--only", "overhead,restart"]) == 0
    text, told = capsys.readouterr()
    assert "Workers and one-thread batches of the same rows" in text
    assert "Estimate: 100,000,000 motions on 100 workers" in text
    assert "running cluster" not in text and "workers and batches, 1 of each, round 1 of 1" in told
    made = json.loads(file.read_text())
    assert made["rows"] == 200 and len(made["overhead"]["runs"]) == 1
    assert made["goals"]["run whose parts all exist, per million rows"]["cases"]
    made["restart"]["seconds"] = [5.0]
    file.write_text(json.dumps(made))
    assert main([*words, "--only", "stages"]) == 0
    assert json.loads(file.read_text())["restart"]["seconds"] == [5.0], "not measured anew"


def test_executors_are_measured_in_turn(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "optional", lambda _: None)
    found, notes = speed.beside_clusters(experiment, 1)
    assert len(found["processes"]) == 1 and "dask" not in found
    assert [note.partition(":")[0] for note in notes] == ["distributed", "ray"]
    table = tables.cluster_table(found, {})
    assert [row[0] for row in table.rows] == ["processes", "dask", "ray"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "spead"], "--only: expected some of speed, overhead, stages, restart"),
        (["--rows", "3"], "--rows: expected 10 or more, got 3"),
        (["--rounds", "0"], "--rounds: expected a positive number, got 0"),
    ],
)
def test_faults_end_with_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "scale", *words]) == 2
    assert said in capsys.readouterr().err
