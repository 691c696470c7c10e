"""The command line: answers, exit codes, JSON, messages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import toccata as tc
from toccata import report
from toccata._cli import COMMANDS, demo_scenes, main
from toccata.scenes import models

FREE, CONTACT, USAGE, UNDECIDED = 0, 1, 2, 3


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A unit box and a plate from z = -0.1 to 0.1, as files."""
    trimesh = pytest.importorskip("trimesh")
    paths = tmp_path / "box.obj", tmp_path / "plate.stl"
    shapes = models.box((1.0, 1.0, 1.0)), models.box((4.0, 4.0, 0.2))
    for path, shape in zip(paths, shapes, strict=True):
        trimesh.Trimesh(*shape, process=False).export(path)
    return str(paths[0]), str(paths[1])


def check(files: tuple[str, str], options: str) -> int:
    return main(["check", *files, *options.split()])


# Exit codes and what is printed


def test_free_is_zero(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(files, "--from 0 0 3 --to 0 0 2") == FREE
    assert capsys.readouterr().out == "free: no contact during the motion\n"


def test_contact_is_one(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(files, "--from 0 0 2.6 --to 0 0 -1.4") == CONTACT
    out = capsys.readouterr().out
    assert re.match(r"contact at t = 0\.(4999|5)", out)
    for word in ("distance", "triangles", "features", "point", "normal     0 0 1"):
        assert word in out


def test_overlap_is_one(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(files, "") == CONTACT
    assert capsys.readouterr().out.startswith("initial overlap at t = 0\n")


def test_undecided_is_three(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(files, "--from 0 0 2.6 --to 0 0 -1.4 1 2 0 --budget 1") == UNDECIDED
    assert re.match(r"undecided: free before t = [\d.e-]+; the budget", capsys.readouterr().out)


@pytest.mark.parametrize("words", ["fly", "check", "check box.obj", "bench", "demo --fast"])
def test_usage_is_two(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    assert stop.value.code == USAGE
    assert "usage: toccata" in capsys.readouterr().err


def test_no_command_prints_the_commands_by_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == USAGE
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("usage: toccata COMMAND")
    for purpose, commands in COMMANDS.items():
        group = err.split(f"  {purpose}:\n")[1].split("\n\n")[0]
        assert [line.split()[0] for line in group.splitlines()] == [c.name for c in commands]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--to 0 0", "--to: expected 3, 6, 7 or 16 numbers, got 2"),
        ("--b-from 1 2 3 4", "--b-from: expected 3, 6, 7 or 16 numbers, got 4"),
        ("--tolerance -1", "tolerance: expected a finite number of more than 0"),
        ("--separation -1", "separation: expected a finite number of at least 0"),
        ("--budget 0", "budget: expected a finite number of at least 1"),
        ("--from nan 0 0", "translation: expected finite numbers"),
        ("--from 0 0 0 0 0 0 0", "quat_xyzw: expected a quaternion of length above 0"),
        ("--to " + "2 " * 16, "end: expected a rigid pose"),
    ],
)
def test_bad_values_are_usage_errors(
    files: tuple[str, str], options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(files, options) == USAGE
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("toccata check: ") and message in err


def test_files_that_cannot_be_read_are_usage_errors(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", files[0], "nothing.obj"]) == USAGE
    assert capsys.readouterr().err == "toccata check: nothing.obj: no such file\n"
    wanted = {"text.obj": "with faces, got none", "text.unknown": "that trimesh reads"}
    for name, message in wanted.items():
        (tmp_path / name).write_text("hello")
        assert main(["check", files[0], str(tmp_path / name)]) == USAGE
        assert f"{name}: expected a file {message}" in capsys.readouterr().err


# Poses and options


def as_json(
    files: tuple[str, str], options: str, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    check(files, options + " --json -")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_is_the_whole_answer(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(files, "--from 0 0 2.6 --to 0 0 -1.4", capsys)
    motion = tc.Motion.linear(tc.pose((0, 0, 2.6)), tc.pose((0, 0, -1.4)))
    c = tc.first_contact(tc.Mesh.load(files[0]), tc.Mesh.load(files[1]), motion)
    assert found["status"] == "CONTACT"
    for name in ("toc", "safe_until", "distance", "tolerance", "feature"):
        assert found[name] == getattr(c, name)
    for name in ("point_a", "point_b", "normal"):
        assert found[name] == getattr(c, name).tolist()
    assert (found["triangle_a"], found["triangle_b"]) == (c.triangle_a, c.triangle_b)


def test_json_says_null_for_what_is_not_there(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(files, "--from 0 0 3", capsys)
    assert found["status"] == "FREE" and found["safe_until"] == 1
    for name in ("toc", "distance", "point_a", "normal", "triangle_a", "feature"):
        assert found[name] is None
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    "end",
    [
        "0 0 -1.4e0",
        "-1e-9 -1E-9 -1.4",
        "0 0 -1.4 0 0 -1e-3",
        "0 0 -1.4 0 0 -1e-300 1",
        "1 0 0 0 0 1 0 0 0 0 1 -14e-1 0 0 0 1",
    ],
)
def test_poses_come_in_many_forms(
    files: tuple[str, str], end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(files, f"--from 0 0 2.6 --to {end}", capsys)
    assert found["toc"] == pytest.approx(0.5, abs=1e-5)


def test_options_reach_the_query(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    motion = "--from 0 0 2.6 --to 0 0 -1.4"
    apart = as_json(files, f"{motion} --separation 1 --tolerance 1e-3 --method c2a", capsys)
    assert apart["toc"] == pytest.approx(0.25, abs=1e-3) and apart["tolerance"] == 1e-3
    lifted = as_json(files, "--from 0 0 0.6 --to 0 0 2 --initial ignore_separating", capsys)
    assert lifted["status"] == "FREE"
    moving_b = as_json(files, "--b-from 0 0 -2.6 --b-to 0 0 1.4", capsys)
    assert moving_b["toc"] == pytest.approx(0.5, abs=1e-5)
    turning = "--from 0 0 2 --to 0 1 -1 1 2 0"
    linear, screw = (as_json(files, f"{turning} --motion {m}", capsys) for m in ("linear", "screw"))
    assert linear["toc"] != pytest.approx(screw["toc"], abs=1e-4)


def test_solids_have_an_inside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trimesh = pytest.importorskip("trimesh")
    inner, outer = tmp_path / "inner.ply", tmp_path / "outer.ply"
    trimesh.Trimesh(*models.box((1.0, 1.0, 1.0)), process=False).export(inner)
    trimesh.Trimesh(*models.box((4.0, 4.0, 4.0)), process=False).export(outer)
    words = ["check", str(inner), str(outer), "--json", "-"]
    assert main([*words, "--no-solid"]) == FREE
    for how in ([], ["--solid"]):
        assert main([*words, *how]) == CONTACT
        assert '"INITIAL_OVERLAP"' in capsys.readouterr().out


# Help, version, reports


@pytest.mark.parametrize("command", ["", "check", "demo", "bench", "bench rigid"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: toccata {command}".rstrip())
    if command in ("", "check"):
        assert "0 free, 1 contact, 2 error, 3 undecided" in " ".join(out.split())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"toccata {tc.__version__}\n"


def test_the_module_runs_and_its_exit_code_arrives(files: tuple[str, str]) -> None:
    words = [sys.executable, "-m", "toccata", "check", *files, "--to", "0", "0", "-1e-3"]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == CONTACT and done.stderr == ""
    assert done.stdout.startswith("initial overlap")


class Links(HTMLParser):
    """Collects what a page would load or open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.pictures = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pictures += tag == "img"
        self.found += [value or "" for name, value in attrs if name in ("src", "href")]


def assert_stands_alone(path: Path, pictures: int) -> None:
    """Assert that a page shows its pictures without loading anything."""
    page = path.read_text(encoding="utf-8")
    links = Links(page)
    assert links.pictures >= pictures
    assert all(link.startswith(("data:image/", "#")) for link in links.found)
    assert (
        "url(" not in page
        and "@import" not in page
        and "http:" not in page
        and "https:" not in page
    )


@pytest.fixture
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    small = partial(report.write_report, size=(120, 90))
    monkeypatch.setattr(report, "write_report", small)


@pytest.mark.usefixtures("small_pictures")
def test_a_check_can_be_reported(files: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "check.html"
    assert check(files, f"--from 0 0 2.6 --to 0 0 -1.4 --report {file}") == CONTACT
    assert_stands_alone(file, pictures=4)


@pytest.mark.usefixtures("small_pictures")
def test_the_demo_prints_a_table_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without viser: pictures and players need none."""
    monkeypatch.setitem(sys.modules, "viser", None)
    file = tmp_path / "demo.html"
    assert main(["demo", "--report", str(file)]) == 0
    out, err = capsys.readouterr()
    for row in (
        r"two bodies +gear-gear +CONTACT +t = 0\.541\d +gear A and gear B ",
        r"robot +robot among pipes +CONTACT +t = 0\.501\d +hand and pipes ",
        r"deforming step +vessels, cut +CONTACT +t = 0\.105\d +edge-edge ",
        r"simulation +falling man +DONE +0\.4\d\d s +man/\w+ and \w+ ",
    ):
        assert re.search(f"^{row} +[\\d.]+$", out, re.MULTILINE)
    assert all(len(line) <= 100 for line in out.splitlines()[:5])
    assert str(file) in out and "unexpected" not in err
    page = file.read_text(encoding="utf-8")
    assert_stands_alone(file, pictures=3 + 3 + 3 + 6 + 4)
    assert "with 10, 100, 1,000, 2,000 evenly spaced samples, all samples are free" in page
    assert page.count('class="player"') == 4


@pytest.mark.usefixtures("small_pictures")
def test_the_demo_fails_on_an_unexpected_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solve = demo_scenes.solve
    monkeypatch.setattr(demo_scenes, "names", lambda everything: ["demo/tumbling-box"])
    monkeypatch.setattr(demo_scenes, "solve", lambda name: (solve(name)[0], False))
    assert main(["demo", "--report", str(tmp_path / "demo.html")]) == USAGE
    assert "unexpected answers for demo/tumbling-box" in capsys.readouterr().err
