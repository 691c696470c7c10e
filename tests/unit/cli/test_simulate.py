"""`toccata simulate`: tables, exit codes, and a log that the audit reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata import dynamics
from toccata._cli import main
from toccata.scenes import worlds


def test_scenes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == worlds.names()
    heap = next(line for line in lines if line.startswith("heap"))
    assert heap.endswith("(--bodies 200, --seed 0)")


def test_simulation_ends_with_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "bricks", "--bodies", "2", "--steps", "5"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("bricks: 3 bodies, 36 triangles\n")
    for word in (
        "steps",
        "substeps",
        "impacts",
        "truncated",
        "stopped",
        "energy",
        "least distance",
    ):
        assert f"  {word} " in text


def test_json_has_numbers_and_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "heap", "--bodies", "4", "--seed", "3", "--steps", "20", "--json", "-"]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert main([*words, "--threads", "2"]) == 0
    assert capsys.readouterr().out == first
    found = json.loads(first)
    assert (found["scene"], found["bodies"], found["steps"]) == ("heap", 9, 20)
    assert found["seconds"] == pytest.approx(20 / 120)
    assert found["energy"] == pytest.approx(found["energy_before"], rel=1e-3)


@pytest.mark.parametrize("name", worlds.names())
def test_log_of_each_scene_passes_the_audit(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {"heap": 8, "bricks": 3, "wall": 9}
    some = ["--bodies", str(small[name])] if name in small else []
    log = tmp_path / "log.npz"
    steps = "30" if name == "falling-man" else "40"
    code = main(["simulate", name, *some, "--steps", steps, "--log", str(log), "--progress"])
    assert code == 0
    assert f"step {steps} of {steps}" in capsys.readouterr().err
    assert main(["audit", str(log)]) == 0
    assert capsys.readouterr().out.startswith("free: ")


def test_few_joints_may_be_active(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.npz"
    words = ["simulate", "wooden-men", "--seed", "2", "--steps", "6"]
    assert main([*words, "--active", "3", "--log", str(log)]) == 0
    assert "58 bodies, 32,000 triangles" in (text := capsys.readouterr().out)
    assert "  active joints   8.0 of 58 on average" in text  # two floating bases, always
    with np.load(log) as arrays:
        names, groups = arrays["names"].tolist(), arrays["groups"]
    assert groups.shape == (len(np.load(log)["times"]), 58)
    own = groups[-1, [name.startswith("left/") for name in names]]
    assert len(np.unique(own)) == 4
    assert main(["audit", str(log)]) == 0
    capsys.readouterr()
    assert main([*words, "--error", "1e9", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["active"] == 2


def test_body_that_is_stopped_gives_another_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = dynamics.World.step

    def stopped(world: dynamics.World, n: int = 1) -> Any:
        report = real(world, n)
        object.__setattr__(report, "stopped", 2)
        return report

    monkeypatch.setattr(dynamics.World, "step", stopped)
    assert main(["simulate", "bricks", "--bodies", "1", "--steps", "3"]) == 1
    assert "  stopped         6 bodies\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "SCENE: expected one of heap, "),
        (["pile"], "name: expected one of heap, "),
        (["pendulum", "--bodies", "3"], "bodies: expected an option of 'pendulum', which has seed"),
        (
            ["heap", "--active", "3"],
            "--active: expected one of the scenes wooden-men, pendulum, falling-man",
        ),
        (["pendulum", "--active", "-3"], "active: expected a number of at least 0, got -3"),
        (["pendulum", "--error", "-1"], "error: expected"),
        (["heap", "--steps", "0"], "--steps: expected a positive number, got 0"),
        (["heap", "--log", "log.txt"], "--log: expected a name that ends in .npz, got log.txt"),
        (["bricks", "--steps", "1", "--log", "no/such/folder/log.npz"], "No such file"),
    ],
)
def test_failures_end_with_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *words]) == 2
    out, err = capsys.readouterr()
    assert said in err and not out
