"""Files that commands write: refused before the work, and replaced as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata import report
from toccata._cli import main
from toccata._cli.output import OutputFile

trimesh = pytest.importorskip("trimesh")
FAILURE = 2

COMMANDS: dict[str, list[str]] = {
    "check --json": ["check", "none.obj", "none.obj"],
    "check --report": ["check", "none.obj", "none.obj"],
    "check --html": ["check", "none.obj", "none.obj"],
    "check-robot --json": ["check-robot", "none.urdf", "--from", "0"],
    "check-robot --report": ["check-robot", "none.urdf", "--from", "0"],
    "check-robot --html": ["check-robot", "none.urdf", "--from", "0"],
    "assemble --report": ["assemble", "none.obj", "none.obj", "--to", "0", "0", "0"],
    "check-step --html": ["check-step", "none.ply", "none.ply"],
    "check-step --report": ["check-step", "none.ply", "none.ply"],
    "check-step --json": ["check-step", "none.ply", "none.ply"],
    "check-sequence --json": ["check-sequence", "none.ply", "none.ply"],
    "check-sequence --html": ["check-sequence", "none.ply", "none.ply"],
    "check-sequence --report": ["check-sequence", "none.ply", "none.ply"],
    "check-sequence --out": ["check-sequence", "none.ply", "none.ply"],
    "check-dataset --json": ["check-dataset", "--status", "none"],
    "audit --json": ["audit", "none.npz"],
    "audit --html": ["audit", "none.npz"],
    "audit --report": ["audit", "none.npz"],
    "simulate --json": ["simulate", "none"],
    "simulate --html": ["simulate", "none"],
    "simulate --log": ["simulate", "none"],
    "simulate --report": ["simulate", "none"],
    "assemble --out": ["assemble", "none.obj", "none.obj", "--to", "0", "0", "0"],
    "assemble --json": ["assemble", "none.obj", "none.obj", "--to", "0", "0", "0"],
    "assemble --html": ["assemble", "none.obj", "none.obj", "--to", "0", "0", "0"],
    "view --html": ["view", "none.obj"],
    "demo --report": ["demo"],
}
ENDINGS = {"--log": "npz", "--out": "npz", "--json": "json"}


@pytest.mark.parametrize("what", COMMANDS)
def test_files_that_cannot_be_written_are_refused_before_the_work(
    what: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # an empty folder: the work would fail
    option = what.split()[1]
    (tmp_path / "file").touch()
    for parent in ("nowhere", "file"):
        path = f"{parent}/x.{ENDINGS.get(option, 'html')}"
        assert main([*COMMANDS[what], option, path]) == FAILURE
        err = capsys.readouterr().err
        assert f"{option}: {path} cannot be written (" in err, err
        assert len(err.splitlines()) == 1
    assert os.listdir(tmp_path) == ["file"]


@pytest.fixture
def cubes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of a command that works, in a folder of its own."""
    trimesh.creation.box().export(tmp_path / "a.ply")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        report, "write_report", lambda file, views, title: Path(file).write_text("new")
    )
    return ["check", "a.ply", "a.ply", "--from", "3", "0", "0", "--report"]


def test_an_old_file_stays_until_the_new_one_is_whole(
    cubes: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    old = Path("out/report.html")
    old.write_text("old")
    old.chmod(0o640)
    assert main(["check", "none.ply", "a.ply", "--report", str(old)]) == FAILURE
    assert old.read_text() == "old"

    def half(file: str, views: Any, title: str) -> None:
        Path(file).write_text("ne")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(report, "write_report", half)
        assert main([*cubes, str(old)]) == FAILURE
    assert "No space left on device" in capsys.readouterr().err
    assert old.read_text() == "old" and os.listdir("out") == ["report.html"]

    assert main([*cubes, str(old)]) == 0
    assert old.read_text() == "new" and os.listdir("out") == ["report.html"]
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_new_files_links_and_devices_are_written(cubes: list[str]) -> None:
    assert main([*cubes, "out/new.html"]) == 0
    assert Path("out/new.html").read_text() == "new"
    before = os.umask(0)
    os.umask(before)
    assert stat.S_IMODE(Path("out/new.html").stat().st_mode) == 0o666 & ~before
    Path("out/old.html").write_text("old")
    Path("link.html").symlink_to("out/old.html")
    assert main([*cubes, "link.html"]) == 0
    assert Path("link.html").is_symlink() and Path("out/old.html").read_text() == "new"
    long = "out/" + "n" * 250 + ".html"  # as long as names may be
    assert main([*cubes, long]) == 0 and Path(long).read_text() == "new"
    if os.path.exists(os.devnull):
        assert main([*cubes, os.devnull]) == 0
        assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("name", ["path.npz", "path.NPZ", "linked.npz"])
def test_arrays_are_where_they_were_wanted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trimesh.creation.box().export(tmp_path / "a.ply")
    monkeypatch.chdir(tmp_path)
    Path("linked.npz").symlink_to("target")
    motion = ["--from", "4", "0", "0", "--to", "2", "0", "0", "--out", name]
    assert main(["assemble", "a.ply", "a.ply", *motion]) == 0
    with np.load(name) as arrays:
        assert "pivot" in arrays
    wanted = {"a.ply", "linked.npz", "target" if name == "linked.npz" else name}
    assert set(os.listdir()) == wanted


def test_folders_and_files_of_others_are_refused(cubes: list[str], capsys: Any) -> None:
    for path in ("out", "out/"):
        assert main([*cubes, path]) == FAILURE
        assert f"{path} cannot be written (Is a directory)" in capsys.readouterr().err
    assert main([*cubes, "x" * 300 + ".html"]) == FAILURE
    assert "cannot be written" in capsys.readouterr().err
    if os.geteuid() == 0:
        return  # root may write everything
    Path("out/old.html").write_text("old")
    Path("out/old.html").chmod(0o444)
    with pytest.raises(PermissionError):
        OutputFile("out/old.html").check()
    Path("out").chmod(0o555)
    with pytest.raises(PermissionError):
        OutputFile("out/new.html").check()


def test_records_of_benchmarks_are_refused_before_the_work(tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("toccata_bench")
    for record in (tmp_path / "file" / "x.json", tmp_path):
        (tmp_path / "file").touch()
        assert main(["bench", "rigid", "--json", str(record)]) == FAILURE
        found = capsys.readouterr()
        assert found.out == "" and len(found.err.splitlines()) == 1
