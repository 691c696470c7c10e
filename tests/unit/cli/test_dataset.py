"""`toccata check-dataset`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main

trimesh = pytest.importorskip("trimesh")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
scale = pytest.importorskip("toccata.scale")

ROBOT = """<robot name="cart">
  <link name="base"/>
  <link name="cart"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
</robot>"""
"""Its front is at 0.5; a wall begins at 4."""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "cart.urdf").write_text(ROBOT)
    wall = trimesh.creation.box((1.0, 5.0, 5.0), transform=at(4.5, 0, 0))
    wall.export(tmp_path / "wall.ply")
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / "box.ply")
    ends = np.array([2.0, 3.0, 4.0, 7.0, np.nan])
    motions = {"edge": list("abcde"), "q0": [[0.0]] * 5, "q1": [[x] for x in ends]}
    pq.write_table(pa.table(motions), tmp_path / "motions.parquet")
    return {path.stem: str(path) for path in tmp_path.iterdir()} | {"out": str(tmp_path / "out")}


def at(*point: float) -> Any:
    return tc.pose(point)


def asked(capsys: Any, *words: str) -> tuple[int, str, str]:
    code = main(["check-dataset", *words])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_motions_of_a_robot(files: dict[str, str], capsys: Any) -> None:
    words = [files["motions"], "--robot", files["cart"], "--world", files["wall"]]
    run = [*words, "--out", files["out"], "--workers", "2", "--rows-per-part", "2", "--progress"]
    code, out, err = asked(capsys, *run)
    assert code == 0
    assert out == "complete: 5 of 5 rows, 3 of 3 parts: 2 free, 2 contact, 1 invalid\n"
    assert "5 of 5 rows, " in err and "0 s left" in err
    found = scale.load(files["out"])
    assert found["edge"].tolist() == list("abcde")
    assert found["toc"].tolist() == pytest.approx([np.inf, np.inf, 3.5 / 4, 0.5, 0.0], abs=1e-5)
    cart, wall = found.names["link_b"]
    assert cart == "cart" and [found.names["link_b"][i] for i in found["link_b"][2:4]] == [wall] * 2
    # Once more: nothing is left to do. Without a part: there is.
    code, again, err = asked(capsys, *run)
    assert (code, again, err) == (0, out, "")
    assert asked(capsys, "--status", files["out"])[:2] == (0, out)
    next(Path(files["out"]).glob("part-*")).unlink()
    code, told, _ = asked(capsys, "--status", files["out"])
    assert code == 3
    assert told.startswith("INCOMPLETE: ") and "2 of 3 parts" in told
    code, told, _ = asked(capsys, "--status", files["out"], "--json", "-")
    assert code == 3
    assert json.loads(told)["status"] == "INCOMPLETE"


def test_options_reach_the_query(files: dict[str, str], capsys: Any) -> None:
    words = [files["motions"], "--robot", files["cart"], "--world", files["wall"], "--json", "-"]
    near = [*words, "--out", files["out"], "--separation", "0.6", "--ask", "free"]
    code, out, _ = asked(capsys, *near, "--workers", "1")
    assert code == 0
    counts = json.loads(out)["counts"]
    assert (counts["free"], counts["contact"], counts["invalid"]) == (1, 3, 1)
    other = files["out"] + "2"
    run = [*words, "--out", other, "--ask", "clearance", "--extra", "distance", "--workers", "1"]
    assert asked(capsys, *run, "--robot", f"a={files['cart']}")[0] == 2, "--robot twice"
    assert asked(capsys, *run)[0] == 0
    assert scale.load(other)["lower"][:2] == pytest.approx([1.5, 0.5], abs=1e-3)


def test_two_bodies_and_frames(files: dict[str, str], tmp_path: Path, capsys: Any) -> None:
    poses = {"T0": [at(0, 0, 0).ravel()] * 2, "T1": [at(x, 0, 0).ravel() for x in (2.0, 7.0)]}
    pq.write_table(pa.table(poses), tmp_path / "poses.parquet")
    bodies = ["--bodies", files["box"], files["wall"], "--columns", "start_a=T0", "end_a=T1"]
    run = [str(tmp_path / "poses.parquet"), *bodies, "--out", files["out"], "--workers", "1"]
    assert asked(capsys, *run)[0] == 0
    assert scale.load(files["out"])["toc"].tolist() == pytest.approx([np.inf, 0.5], abs=1e-5)
    triangles = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    frames = [np.concatenate([triangles, triangles + (0, 0, z)]).ravel() for z in (1, -1)]
    faces = [[0, 1, 2, 3, 4, 5], None]
    pq.write_table(pa.table({"vertices": frames, "faces": faces}), tmp_path / "f.parquet")
    other = files["out"] + "2"
    run = [str(tmp_path / "f.parquet"), "--frames", "--out", other, "--workers", "1"]
    code, out, _ = asked(capsys, *run)
    assert (code, out) == (0, "complete: 1 of 1 rows, 1 of 1 parts: 0 free, 1 contact\n")


def test_converted_numbers_are_reported(files: dict[str, str], tmp_path: Path, capsys: Any) -> None:
    table = pq.read_table(files["motions"])
    narrow = table["q1"].cast(pa.list_(pa.float32()))
    pq.write_table(table.set_column(2, "q1", narrow), tmp_path / "narrow.parquet")
    words = ["--robot", files["cart"], "--out", files["out"], "--workers", "1"]
    code, _, err = asked(capsys, str(tmp_path / "narrow.parquet"), *words)
    assert code == 0
    assert err == "toccata check-dataset: column 'q1': float numbers were converted to float64\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected MOTIONS and --out, or --status"),
        (["{motions}", "--out", "{out}"], "expected one of --robot, --bodies and --frames"),
        (["{motions}", "--robot", "{cart}"], "expected MOTIONS and --out, or --status"),
        (["--status", "{out}", "{motions}"], "--status: cannot be combined with MOTIONS"),
        (["--status", "{out}"], "the folder has no _plan.json"),
        (["nothing", "--robot", "{cart}", "--out", "{out}"], "no such file or folder"),
        (["{motions}", "--frames", "--out", "{out}"], "columns: the source has no 'vertices'"),
        (
            ["{motions}", "--robot", "{cart}", "--out", "{out}", "--strict"],
            "row 4 is not a valid motion",
        ),
        (["{cart}", "--robot", "{cart}", "--out", "{out}"], "expected a Parquet file"),
    ],
)
def test_failures_end_with_2(
    files: dict[str, str], words: list[str], message: str, capsys: Any
) -> None:
    code, out, err = asked(capsys, *(word.format(**files) for word in words))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
