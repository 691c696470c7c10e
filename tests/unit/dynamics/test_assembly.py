"""Parts that are mounted without a person, in Python and by `toccata assemble`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata.dynamics import AssemblyStatus, MotionPath, assemble
from toccata.scenes import models
from unit.dynamics.test_manipulator import HOLE, PEG, joined, scene_of

PART = tc.Mesh(*models.box((0.4, 0.4, 0.4)))
# A wall at x = 0 with a window of 1 x 1 around y = 1.5.
WALL = joined(
    ((0.2, 3.0, 6.0), (0.0, -0.5, 0.0)),
    ((0.2, 1.0, 6.0), (0.0, 2.5, 0.0)),
    ((0.2, 1.0, 2.5), (0.0, 1.5, 1.75)),
    ((0.2, 1.0, 2.5), (0.0, 1.5, -1.75)),
)
CASE = joined(  # a room without a door
    *(
        ((2.2, 2.2, 0.1) if i == 2 else (2.2, 0.1, 2.2) if i == 1 else (0.1, 2.2, 2.2), at)
        for i in range(3)
        for at in np.vstack([np.eye(3)[i], -np.eye(3)[i]])
    )
)
BEFORE, BEHIND = tc.pose((-2, 0, 0)), tc.pose((2, 0, 0.3), rotvec=(0, 0, 0.5))


def judged(path: MotionPath, part: Any, scene: Any, start: Any) -> None:
    assert (path.start[0] == start).all()
    for before, after in zip(path.end[:-1], path.start[1:], strict=True):
        assert np.abs(before - after).max() < 1e-12
    assert path.check(part, scene, method="interval") is None


def test_straight_where_nothing_is_in_the_way() -> None:
    scene = scene_of(wall=WALL)
    via = [tc.pose((-2, 1.5, 0)), tc.pose((2, 1.5, 0))]
    found = assemble(PART, scene, BEHIND, start=BEFORE, via=via)
    assert found and found.status == AssemblyStatus.MOUNTED and found.contacts is None
    assert found.methods == ("straight",) * 3 and (found.pose == BEHIND).all() and not found.notes
    assert len(found.path) == 3
    judged(found.path, PART, scene, BEFORE)


def test_a_planner_finds_the_window() -> None:
    pytest.importorskip("ompl")
    scene = scene_of(wall=WALL)
    told: list[tuple[str, int, int]] = []
    found = assemble(
        PART, scene, BEHIND, start=BEFORE, seed=3, progress=lambda *now: told.append(now)
    )
    assert found and found.methods == ("planned",) and (found.pose == BEHIND).all()
    assert 2 <= len(found.path) < 20
    assert {what for what, _, _ in told} >= {"leg 1 of 1", "planning"}
    judged(found.path, PART, scene, BEFORE)


def test_a_peg_slides_into_its_hole() -> None:
    scene = scene_of(plate=HOLE)
    start = tc.pose((0.02, 0.015, 1.7), rotvec=(0.004, 0.003, 0))
    found = assemble(PEG, scene, tc.pose((0, 0, 0)), start=start, effort=0)
    assert found and found.methods[-1] == "slid"
    assert np.abs(found.pose - np.eye(4)).max() < 1e-5
    judged(found.path, PEG, scene, start)


def test_what_touches_at_the_target_is_blocked() -> None:
    scene = scene_of(wall=WALL)
    found = assemble(PART, scene, np.eye(4), start=BEFORE)
    assert found.status == AssemblyStatus.BLOCKED and not found
    assert found.contacts is not None and set(found.contacts.touching) == {"wall"}
    assert found.contacts.normal[0] == pytest.approx([-1, 0, 0], abs=1e-6)
    assert found.pose[0, 3] == pytest.approx(-0.3, abs=1e-3)
    judged(found.path, PART, scene, BEFORE)


def test_without_a_way_nothing_is_claimed() -> None:
    scene = scene_of(case=CASE)
    found = assemble(PART, scene, tc.pose((3, 0, 0)), effort=100)
    assert found.status == AssemblyStatus.UNDECIDED and found.contacts is not None
    assert found.pose[0, 3] == pytest.approx(0.95 - 0.2, abs=1e-3)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match=r"^start: expected a pose free of contact"):
        assemble(PART, scene_of(wall=WALL), BEHIND)
    with pytest.raises(ValueError, match=r"^target: expected"):
        assemble(PART, None, np.full((4, 4), np.nan))
    with pytest.raises(ValueError, match=r"^via: expected a rigid pose"):
        assemble(PART, None, np.eye(4), via=[np.diag([2, 1, 1, 1])])
    scene = tc.Scene()
    scene.add("lift", WALL, tc.Motion.linear(np.eye(4), BEHIND))
    with pytest.raises(ValueError, match=r"^scene: expected bodies that do not move, got 'lift'"):
        assemble(PART, scene, BEHIND, start=BEFORE)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The part and the wall."""
    trimesh = pytest.importorskip("trimesh")
    for name, mesh in (("part", PART), ("wall", WALL)):
        trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).export(tmp_path / f"{name}.ply")
    return [str(tmp_path / "part.ply"), str(tmp_path / "wall.ply")]


def asked(files: list[str], options: str) -> int:
    return main(["assemble", *files, *options.split()])


def test_the_command_mounts(files: list[str], tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "path.npz"
    way = "--from -2 0 0 --via -2 1.5 0 --via 2 1.5 0 --to 2 0 0 0 0 0.5"
    assert asked(files, f"{way} --out {out} --progress") == 0
    told = capsys.readouterr()
    assert told.out.startswith("mounted; 3 certified motions (straight, straight, straight)\n")
    assert "leg 3 of 3" in told.err
    judged(MotionPath.load(out), PART, scene_of(wall=WALL), BEFORE)


def test_the_command_tells_what_blocks(files: list[str], tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "path.npz"
    assert asked(files, f"--from -2 0 0 --to 0 0 0 --effort 0 --out {out}") == 1
    told = capsys.readouterr().out
    assert told.startswith("blocked: ") and "body       wall" in told and "normal     -1 " in told
    assert not out.exists()
    assert asked(files, "--from -2 0 0 --to 0 0 0 --effort 0 --json -") == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["status"] == "BLOCKED" and answer["contact"]["body"] == "wall"


def test_the_command_may_not_know(files: list[str], capsys: Any) -> None:
    assert asked([*files, files[1]], "--from -2 0 0 --to 2 0 0 --effort 0") == 3
    assert "undecided: no path was found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--to 1 2", "--to: expected 3, 6, 7 or 16 numbers, got 2"),
        ("--to 1 2 3 --out path.txt", "--out: expected a name that ends in .npz or .json"),
        ("--to 1 2 3 --effort -1", "--effort: expected a number of at least 0"),
        ("--to 2 0 0", "start: expected a pose free of contact"),
    ],
)
def test_the_command_says_what_is_wrong(
    files: list[str], options: str, message: str, capsys: Any
) -> None:
    assert asked(files, options) == 2
    assert f"toccata assemble: {message}" in capsys.readouterr().err


RUN = """
import sys
{before}
from toccata._cli import main
sys.exit(main(sys.argv[1:]))
"""


def ran(files: list[str], out: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    way = f"--from -2 0 0 --to 2 0 0.3 0 0 0.5 --seed 3 --out {out}"
    command = [sys.executable, "-c", RUN.format(before=before), "assemble", *files, *way.split()]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_same_seed_gives_the_same_path(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("ompl")
    outs = [tmp_path / "one.npz", tmp_path / "two.json"]
    for out in outs:
        assert ran(files, out).returncode == 0
    assert MotionPath.load(outs[0]) == MotionPath.load(outs[1])


def test_without_ompl_it_slides(files: list[str], tmp_path: Path) -> None:
    done = ran(files, tmp_path / "path.npz", 'sys.modules["ompl"] = None')
    assert done.returncode == 3 and "undecided: no path was found; " in done.stdout
    assert "  body       wall" in done.stdout
    assert "toccata assemble: no planner: toccata.planning needs ompl: pip install" in done.stderr
