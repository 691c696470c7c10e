"""Promises of all commands: outputs, JSON fields, exit codes, options and lists of numbers."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata import report
from toccata._cli import COMMANDS, answers, command, main, make_parser
from toccata._cli.arguments import HelpFormatter
from toccata._cli.command import Command
from toccata._options import described
from toccata._text import counted

trimesh = pytest.importorskip("trimesh")

EVERY: list[Command] = [one for several in COMMANDS.values() for one in several]
CODES = {"FREE": 0, "CONTACT": 1, "INITIAL_OVERLAP": 1, "UNDECIDED": 3}
CODES |= {"DONE": 0, "STOPPED": 1, "MOUNTED": 0, "BLOCKED": 1}
ARM = """<robot name="arm"><link name="base"/><link name="bar"><collision><origin xyz="1 0 0"/>
<geometry><box size="1.5 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/>
</joint></robot>"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files for all commands, and reports with small pictures."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report, "write_report", partial(report.write_report, size=(80, 60)))
    cube = trimesh.creation.box()
    cube.export("cube.obj")
    post = trimesh.creation.box((0.2, 0.2, 1.0))
    post.apply_translation((0.0, 1.2, 0.0))
    post.export("post.stl")
    Path("arm.urdf").write_text(ARM)
    for i, z in enumerate((3.25, 2.25, -1.75)):
        roof = [[-1.0, -1.0, z], [1.0, -1.0, z], [0.0, 1.0, z - 0.25]]
        vertices = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0], *roof])
        frame = trimesh.Trimesh(vertices, [[0, 1, 2], [3, 4, 5]], process=False)
        frame.export(f"frame{i}.ply")
    poses = np.tile(np.eye(4), (3, 2, 1, 1))
    poses[:, 0, 0, 3] = -4.0, -2.0, 2.0
    for name, end in (("free", 2), ("hit", 3)):
        log: dict[str, Any] = {"names": ["a", "b"], "times": np.arange(end), "poses": poses[:end]}
        log |= {f"vertices_{i}": cube.vertices for i in range(2)}
        np.savez(f"{name}.npz", **log, **{f"faces_{i}": cube.faces for i in range(2)})
    return tmp_path


CHECK = "check cube.obj cube.obj --from 3 0 0 --to"
ROBOT = "check-robot arm.urdf --world post.stl --from 0 --to"
CHECKS = {
    f"{CHECK} 2 0 0": "FREE",
    f"{CHECK} 0 0 0": "CONTACT",
    f"{CHECK} 0 0 0 1 2 3 --budget 1": "UNDECIDED",
    "check cube.obj cube.obj": "INITIAL_OVERLAP",
    f"{ROBOT} 0.5": "FREE",
    f"{ROBOT} 3": "CONTACT",
    f"{ROBOT} 3 --progress": "CONTACT",
    "check-step frame0.ply frame1.ply": "FREE",
    "check-step frame1.ply frame2.ply": "CONTACT",
    "check-sequence frame0.ply frame1.ply": "FREE",
    "check-sequence frame*.ply": "CONTACT",
    "audit free.npz": "FREE",
    "audit hit.npz": "CONTACT",
}
OTHERS = {
    "simulate bricks --bodies 2 --steps 3": "DONE",
    "assemble cube.obj cube.obj --from 3 0 0 --to 2 0 0": "MOUNTED",
    "assemble cube.obj cube.obj --from 3 0 0 --to 0 0 0 --effort 0": "BLOCKED",
}


def fields_of(words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Run a command with `--json -`; return its exit code and the only object on stdout."""
    code = main([*words.split(), "--json", "-"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    return code, found


@pytest.mark.parametrize(("words", "status"), (CHECKS | OTHERS).items())
def test_status_in_json_agrees_with_the_exit_code(
    words: str, status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = fields_of(words, capsys)
    assert (found["status"], code) == (status, CODES[status])


@pytest.mark.parametrize(("words", "status"), CHECKS.items())
def test_all_checks_have_the_fields_of_an_answer(
    words: str, status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = fields_of(words, capsys)
    assert list(found)[:4] == ["status", "toc", "safe_until", "tolerance"]
    assert found["tolerance"] > 0
    if status == "FREE":
        assert found["toc"] is None and found["safe_until"] >= 1
    else:
        assert 0 <= found["safe_until"] <= found["toc"]


@pytest.mark.parametrize("words", [*list(CHECKS)[::2], *OTHERS])
def test_json_in_a_file_is_what_the_dash_prints(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(words.split())
    lines = capsys.readouterr().out
    assert main([*words.split(), "--json", "answer.json"]) == code
    assert capsys.readouterr().out == lines, "the lines are printed beside a file"
    assert main([*words.split(), "--json", "-"]) == code
    assert Path("answer.json").read_text() == capsys.readouterr().out


PICTURES = [
    f"{CHECK} 0 0 0",
    f"{ROBOT} 3",
    "check-step frame1.ply frame2.ply",
    "check-sequence frame*.ply",
    "audit hit.npz",
    "simulate bricks --bodies 2 --steps 3",
    "assemble cube.obj cube.obj --from 3 0 0 --to 2 0 0",
]


@pytest.mark.parametrize("words", PICTURES)
def test_every_checking_command_has_the_same_four_outputs(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("toccata.view.open_page", lambda view, **how: (view, how))
    monkeypatch.setattr(command, "serve", served.append)
    code = main(words.split())
    outputs = "--json a.json --report r.html --html p.html --view --host localhost --port 7"
    assert main([*words.split(), *outputs.split()]) == code
    for name in ("r.html", "p.html"):
        page = Path(name).read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>") and 'class="player"' in page
    json.loads(Path("a.json").read_text())
    ((view, how),) = served
    assert how == {"host": "localhost", "port": 7}
    assert view.items and view.outcome is not None
    capsys.readouterr()


def test_ctrl_c_in_the_browser_leaves_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Page:
        address = "http://127.0.0.1:1"

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

        def wait(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr("toccata.view.open_page", lambda view, **how: Page())
    assert main([*f"{CHECK} 0 0 0".split(), "--view"]) == 1
    assert "http://127.0.0.1:1  (Ctrl-C ends)" in capsys.readouterr().err


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.name)
def test_help_says_why_an_output_does_not_apply(
    one: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([one.name, "--help"])
    text = capsys.readouterr().out
    if one.name in ("demo", "bench"):
        return
    assert text.startswith(f"usage: toccata {one.name} ")
    assert text.split("\n\n")[1].startswith(f"example: toccata {one.name} ")
    for output in ("json", "report", "html", "view"):
        if (one.name, output) != ("view", "view"):  # the browser is all that it is for
            assert f"--{output}" in text
            assert output in one.outputs or "not apply" in " ".join(text.split())


def parsers() -> dict[str, argparse.ArgumentParser]:
    (group,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return {one.name: group.choices[one.name] for one in EVERY}


@pytest.mark.parametrize("one", [one for one in EVERY if one.options], ids=lambda one: one.name)
def test_options_of_queries_are_defined_once(one: Command) -> None:
    """Texts are those of `toccata._options`, and only options that are given reach the query."""
    actions = {action.dest: action for action in parsers()[one.name]._actions}
    for options, names in one.options:
        for name in names:
            text = described(options)[name].text
            assert (actions[name].help or "")[1:].startswith(text[1:])
            assert actions[name].default is None
    given = argparse.Namespace(**dict.fromkeys(actions))
    assert one.query(given) == {}


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.name)
def test_every_argument_has_a_sentence_of_help(one: Command) -> None:
    for action in parsers()[one.name]._actions:
        if one.name != "bench" and not isinstance(action, argparse._HelpAction):
            text = HelpFormatter("toccata")._get_help_string(action)
            assert text[:1].isupper() or text.startswith('"'), (action.dest, text)
            assert text.endswith("."), (action.dest, text)


@pytest.mark.parametrize(
    "words",
    [
        "check --from 3 0 0 --to 0 0 0 cube.obj cube.obj",
        "check --from 3,0,0 --to=0,0,0 cube.obj cube.obj",
        "check cube.obj --from 3 -0 -0e0 --to 0 0 0 cube.obj",
        "check --budget 1000000 cube.obj cube.obj --from 3 0 0 --to 0 0 0",
    ],
)
def test_lists_of_numbers_may_stand_before_the_files(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = fields_of(words, capsys)
    assert code == 1 and found["toc"] == pytest.approx(2 / 3, abs=1e-5)


def test_lists_of_other_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("--from a b", "--from", "--from --to 1 2 3", "--fro 1 2 3"):
        with pytest.raises(SystemExit) as stop:
            main([*["check", "cube.obj", "cube.obj"], *words.split()])
        assert stop.value.code == 2
        assert "(see toccata check --help)" in capsys.readouterr().err


def test_an_input_after_json_without_its_file_is_not_overwritten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = Path("frame0.ply").read_bytes()
    assert main(["check-sequence", "--json", "frame0.ply", "frame1.ply", "frame2.ply"]) == 2
    assert "--json: expected a name that ends in .json, got frame0.ply" in capsys.readouterr().err
    assert Path("frame0.ply").read_bytes() == before


def test_warnings_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("arm.urdf").write_text(
        ARM.replace("continuous", "revolute").replace(
            "</joint>", '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        )
    )
    assert main([*f"{ROBOT} 3 --html p.html".split()]) == 1
    err = capsys.readouterr().err
    assert err.count("outside of the limits of turn") == err.count("\n") == 1


def test_two_outputs_need_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"{CHECK} 2 0 0 --report x.html --html ./x.html".split()
    assert main(words) == 2
    assert "--html: ./x.html is also the file of --report" in capsys.readouterr().err
    assert not Path("x.html").exists()


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "joint", "0 joints"), (1, "joint", "1 joint"), (2, "joint", "2 joints")],
)
def test_counts_have_plurals(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
    assert counted(2, "vertex", "vertices") == "2 vertices"
    assert counted(2000, "body") == "2,000 bodies"


@pytest.mark.parametrize("value", [0.54141068, 0.99999999, 1 / 3, 1e-7, 2 / 3, 1.0, 0.0, 123456.7])
def test_a_bound_in_few_digits_is_still_a_bound(value: float) -> None:
    text = answers.rounded_down(value)
    assert len(text) <= 10
    assert value - 1e-3 * value <= float(text) <= value


def test_values_that_json_does_not_have_are_null() -> None:
    given = {"a": np.array([1.0, np.nan]), "b": [np.inf, np.int64(2)], "c": (np.float64(0.5),)}
    assert answers.plain(given) == {"a": None, "b": [None, 2], "c": [0.5]}
