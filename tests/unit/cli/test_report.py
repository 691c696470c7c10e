"""`--report`, `--html` and `--json` of all commands that check something."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata import report
from toccata._cli import main
from toccata.scenes.primitives import box

trimesh = pytest.importorskip("trimesh")

FREE, CONTACT = 0, 1
ARM = """<robot name="arm">
  <link name="base"/>
  <link name="bar"><collision><origin xyz="1 0 0"/>
    <geometry><box size="1.5 0.1 0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="bar"/>
    <axis xyz="0 0 1"/><limit lower="-4" upper="4" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    small = partial(report.write_report, size=(80, 60))
    monkeypatch.setattr(report, "write_report", small)


def told(code: int, words: list[str], file: Path) -> str:
    """Return the page that a command writes."""
    assert main([*words, "--report", str(file)]) == code
    return file.read_text(encoding="utf-8")


def test_check_robot(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    post = trimesh.creation.box((0.2, 0.2, 1.0))
    post.apply_translation((0.0, 1.2, 0.0))
    scene = trimesh.Scene()
    scene.add_geometry(post, node_name="post")
    scene.export(tmp_path / "hall.glb")
    words = ["check-robot", str(tmp_path / "arm.urdf"), "--world", str(tmp_path / "hall.glb")]
    page = told(CONTACT, [*words, "--from", "0", "--to", "3"], tmp_path / "hit.html")
    assert "bar touches post at t = " in page and "turn 1." in page and "arm in hall" in page
    assert "1 joint, 1 link with collision geometry" in page
    assert "Closest approach" in told(
        FREE, [*words, "--from", "0", "--to", "0.5"], tmp_path / "free.html"
    )
    assert "no such" not in told(FREE, [*words, "--from", "0"], tmp_path / "still.html")


def frames(folder: Path, heights: tuple[float, ...]) -> list[str]:
    """Write a roof above a floor, at several heights."""
    files = []
    for i, z in enumerate(heights):
        roof = [[-1.0, -1.0, z], [1.0, -1.0, z], [0.0, 1.0, z - 0.25]]
        vertices = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0], *roof])
        files.append(str(folder / f"frame{i}.ply"))
        trimesh.Trimesh(vertices, [[0, 1, 2], [3, 4, 5]], process=False).export(files[-1])
    return files


def test_check_step_and_check_sequence(tmp_path: Path) -> None:
    files = frames(tmp_path, (3.25, 2.25, -1.75))
    page = told(CONTACT, ["check-step", *files[1:]], tmp_path / "step.html")
    assert "Deforming step" in page and "vertex-face contact at t = 0.49" in page
    page = told(CONTACT, ["check-sequence", *files], tmp_path / "sequence.html")
    assert "Deforming sequence" in page and "frame 1.49" in page
    assert "2, 1 with contact" in page


def test_simulate_and_audit(tmp_path: Path) -> None:
    words = ["simulate", "bricks", "--bodies", "2", "--steps", "5"]
    page = told(0, words, tmp_path / "simulation.html")
    assert "Simulation" in page and "no penetration" in page and "<svg" in page
    poses = np.tile(np.eye(4), (3, 2, 1, 1))
    poses[:, 0, 0, 3] = -4.0, -2.0, 2.0
    log = {"names": ["ball", "wall"], "times": [0.0, 1.0, 2.0], "poses": poses}
    cube = tc.Mesh(*box((1.0, 1.0, 1.0)))
    meshes = {f"vertices_{i}": cube.vertices for i in range(2)}
    meshes |= {f"faces_{i}": cube.faces for i in range(2)}
    np.savez(tmp_path / "log.npz", **log, **meshes)
    page = told(CONTACT, ["audit", str(tmp_path / "log.npz")], tmp_path / "audit.html")
    assert "Log of poses" in page and "ball touches wall at 1.24" in page


COMMANDS = ("check", "check-robot", "check-step", "check-sequence", "audit", "simulate", "assemble")


@pytest.mark.parametrize("command", COMMANDS)
def test_all_checking_commands_have_the_same_options(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert all(option in text for option in ("--json", "--report", "--html", "--view", "--port"))


def test_a_report_and_a_page_show_the_same(tmp_path: Path) -> None:
    """The data of the player is equal, byte by byte."""
    for name in ("gear", "frame"):
        trimesh.creation.box().export(tmp_path / f"{name}.ply")
    words = ["check", str(tmp_path / "gear.ply"), str(tmp_path / "frame.ply")]
    words += ["--from", "5", "0", "0", "--to", "0", "0", "0", "--html", str(tmp_path / "page.html")]
    report_page = told(CONTACT, words, tmp_path / "report.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    data = [text.split('<script type="application/json">')[1] for text in (report_page, page)]
    assert data[0].split("</script>")[0] == data[1].split("</script>")[0]
    for text in (report_page, page):
        assert "gear touches frame at t = 0.79" in text


def test_check_sequence_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = frames(tmp_path, (3.25, 2.25, -1.75))
    assert main(["check-sequence", *files, "--json", "-"]) == CONTACT
    found = json.loads(capsys.readouterr().out)
    assert [step["status"] for step in found["steps"]] == ["FREE", "CONTACT"]
    assert found["steps"][1]["toc"] == pytest.approx(0.5, abs=1e-4)
    assert found["steps"][0]["toc"] is None
    assert found["status"] == "CONTACT" and found["toc"] == found["safe_until"]
    assert 1e-15 >= 1 + found["steps"][1]["toc"] - found["toc"] >= 0 and found["tolerance"] > 0
