"""`check-step` and `check-sequence`: answers, exit codes, tables, topology that changes."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata._sequence import sequence_contacts

pytest.importorskip("trimesh")

FREE, CONTACT, USAGE, UNDECIDED = 0, 1, 2, 3
FLOOR = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]])
ROOF = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, -0.25]])
FACES = np.array([[0, 1, 2], [3, 4, 5]])


def heights(z: float) -> np.ndarray:
    """A floor, and a roof whose lowest corner is vertex 5, at height z - 0.25."""
    return np.concatenate([FLOOR, ROOF + [0.0, 0.0, z]])


def write(path: Path, vertices: np.ndarray, faces: np.ndarray = FACES) -> str:
    """Write a ply file."""
    import trimesh

    trimesh.Trimesh(vertices, faces, process=False).export(path)
    return str(path)


@pytest.fixture
def step(tmp_path: Path) -> tuple[str, str]:
    """The roof falls from 2.25 to -1.75: its corner meets the floor at t = 0.5."""
    return write(tmp_path / "f0.ply", heights(2.25)), write(tmp_path / "f1.ply", heights(-1.75))


def as_json(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main([*words, "--json", "-"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    json.dumps(found, allow_nan=False)
    return found


# One step


def test_a_step_in_contact_is_one(
    step: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-step", *step]) == CONTACT
    out = capsys.readouterr().out
    assert out.startswith(("contact at t = 0.5,", "contact at t = 0.4999"))
    assert "vertex-face 5 0" in out and "vertices   5 0 1 2" in out


def test_a_free_step_is_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write(tmp_path / f"{i}.ply", heights(2.0 - i)) for i in range(2)]
    assert main(["check-step", *files]) == FREE
    assert capsys.readouterr().out == "free: no contact during the step\n"


def test_json_is_the_whole_answer(
    step: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(["check-step", *step, "--contacts", "all"], capsys)
    whole = tc.deforming_contacts(
        heights(2.25), heights(-1.75), FACES, method="auto", contacts="all"
    )
    assert found["status"] == "CONTACT" and found["toc"] == whole.toc
    assert found["pair"] == [5, 0] and found["feature"] == "vertex-face"
    assert [one["pair"] for one in found["vertex_face"]] == whole.vertex_face.tolist()
    assert [one["pair"] for one in found["edge_edge"]] == whole.edge_edge.tolist()
    assert found["vertex_face"][-1]["vertices"] == [5, 0, 1, 2]
    assert found["initial_edge_face"] == []


def test_what_pierces_at_the_start_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write(tmp_path / f"{z}.ply", heights(z)) for z in (0.125, 0.0625)]
    assert main(["check-step", *files]) == CONTACT
    assert "2 edges pierce faces at t = 0" in capsys.readouterr().out
    found = as_json(["check-step", *files], capsys)
    assert found["status"] == "INITIAL_OVERLAP" and found["toc"] == 0
    vertices = [one["vertices"] for one in found["initial_edge_face"]]
    assert sorted(vertices) == [[3, 5, 0, 1, 2], [4, 5, 0, 1, 2]]


def test_options_reach_the_query(step: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check-step", *step, "--separation", "1", "--tolerance", "1e-3", "--threads", "1"]
    for method in ("auto", "clusters", "bvh"):
        found = as_json([*words, "--method", method], capsys)
        assert found["toc"] == pytest.approx(0.25, abs=1e-3) and found["tolerance"] == 1e-3


def test_frames_of_another_topology_are_a_usage_error(
    step: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write(tmp_path / "other.ply", heights(1.0), FACES[::-1])
    assert main(["check-step", step[0], other]) == USAGE
    assert "other.ply: expected the topology of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"), [("no.ply", "no such file"), ("soup.stl", "cannot share vertices")]
)
def test_files_that_cannot_be_used(
    name: str,
    message: str,
    step: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "soup.stl").write_text("solid\nendsolid\n")
    assert main(["check-step", step[0], str(tmp_path / name)]) == USAGE
    assert message in capsys.readouterr().err


# Sequences


@pytest.fixture
def sequence(tmp_path: Path) -> str:
    """Free, then contact, then a roof of two pieces, then free."""
    split = np.concatenate([heights(1.0), [[0.0, 0.0, 2.0]]])
    more = np.concatenate([FACES, [[3, 4, 6]]])
    write(tmp_path / "f0.ply", heights(4.0))
    write(tmp_path / "f1.ply", heights(2.25))
    write(tmp_path / "f2.ply", heights(-1.75))
    write(tmp_path / "f10.ply", split, more)
    write(tmp_path / "f11.ply", split + [0.0, 0.0, 0.5], more)
    return str(tmp_path / "f*.ply")


def test_a_sequence_prints_each_step(sequence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-sequence", sequence, "--progress"]) == CONTACT
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert "f1.ply: free" in lines[0] and "f2.ply: contact at t = 0." in lines[1]
    assert "f10.ply: new topology" in lines[2] and "f11.ply: free" in lines[3]
    assert lines[4] == "3 steps, 1 with contact, 1 not checked because of a new topology"
    assert "step 4 of 4" in err


def read_table(path: Path) -> dict[str, list[Any]]:
    """Read any of the formats as lists."""
    if path.suffix == ".npz":
        with np.load(path) as data:
            return {name: data[name].tolist() for name in data}
    if path.suffix == ".json":
        found: dict[str, list[Any]] = json.loads(path.read_text())
        return found
    if path.suffix == ".csv":
        with path.open() as file:
            rows = list(csv.DictReader(file))
        return {name: [row[name] for row in rows] for name in rows[0]}
    parquet = pytest.importorskip("pyarrow.parquet")
    columns: dict[str, list[Any]] = parquet.read_table(path).to_pydict()
    return columns


@pytest.mark.parametrize("kind", ["npz", "csv", "json", "parquet"])
def test_a_table_has_a_row_per_contact(kind: str, sequence: str, tmp_path: Path) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"contacts.{kind}"
    assert main(["check-sequence", sequence, "--contacts", "all", "--out", str(path)]) == CONTACT
    table = read_table(path)
    whole = tc.deforming_contacts(
        heights(2.25), heights(-1.75), FACES, method="auto", contacts="all"
    )
    count = len(whole.vertex_face) + len(whole.edge_edge)
    assert count >= 3
    wanted = ["FREE", *["CONTACT"] * count, "NEW_TOPOLOGY", "FREE"]
    assert table["status"] == wanted
    assert [int(x) for x in table["frame"]] == [1, *[2] * count, 3, 4]
    first = wanted.index("CONTACT")
    row = {name: table[name][first] for name in table}
    assert row["feature"] == "vertex-face" and float(row["toc"]) == whole.vertex_face_toc[0]
    ids = [int(row[name]) for name in ("a", "b", "a0", "a1", "b0", "b1", "b2")]
    assert ids == [*whole.vertex_face[0], whole.vertex_face[0][0], -1, 0, 1, 2]


def test_a_table_of_another_kind_is_a_usage_error(
    sequence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-sequence", sequence, "--out", str(tmp_path / "contacts.xls")]) == USAGE
    assert (
        "--out: expected a name that ends in .parquet or .csv or .npz or .json"
        in capsys.readouterr().err
    )
    assert main(["check-sequence", str(tmp_path / "f0.ply")]) == USAGE
    assert "at least two files" in capsys.readouterr().err


def test_parquet_without_pyarrow_says_what_to_do(
    sequence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["check-sequence", sequence, "--out", "contacts.parquet"]) == USAGE
    assert "pip install 'toccata[parquet]', or write .csv" in capsys.readouterr().err


def test_a_sequence_of_arrays_reports_progress() -> None:
    told: list[tuple[int, int | None]] = []
    frames = [(heights(z), FACES) for z in (4.0, 2.25, -1.75)]
    steps = list(sequence_contacts(frames, progress=lambda *now: told.append(now)))
    assert [index for index, _ in steps] == [1, 2] and told == [(1, 2), (2, 2)]
    assert [bool(step) for _, step in steps] == [False, True]
    told.clear()
    list(sequence_contacts(iter(frames), progress=lambda *now: told.append(now)))
    assert told == [(1, None), (2, None)]


def test_undecided_is_three(
    monkeypatch: pytest.MonkeyPatch, sequence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Contact outranks undecided, undecided outranks free."""
    from dataclasses import replace

    from toccata._cli import check_sequence

    free = tc.deforming_contacts(heights(4.0), heights(3.0), FACES, method="auto")
    open_ = replace(free, status=tc.Status.UNDECIDED, toc=0.5, safe_until=0.5)
    monkeypatch.setattr(
        check_sequence, "sequence_contacts", lambda *_, **__: iter([(1, free), (2, open_)])
    )
    assert main(["check-sequence", sequence]) == UNDECIDED
    out = capsys.readouterr().out
    assert "undecided: free before t = 0.5" in out
    assert out.endswith("2 steps, 0 with contact, 1 undecided\n")


@pytest.mark.parametrize("command", ["check-step", "check-sequence", "bench deforming"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: toccata {command}")
