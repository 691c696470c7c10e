"""`check-sequence` and `check-step`: what was not checked, what takes no part, what goes wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from toccata._cli import main

pytest.importorskip("trimesh")

FREE, CONTACT, USAGE, UNDECIDED = 0, 1, 2, 3
VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0, 2], [0, 1, 2]], float)
FACES = [[0, 1, 2], [3, 4, 5]]


def write(path: Path, drop: float = 0.0, spare: int = 0, order: int = 1) -> str:
    """Write the two triangles, the second one lower, with vertices that belong to nothing."""
    vertices = np.concatenate([VERTICES, np.full((spare, 3), 9.0)])
    vertices[3:6, 2] -= drop
    head = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}"]
    head += [f"property double {axis}" for axis in "xyz"]
    head += ["element face 2", "property list uchar int vertex_indices", "end_header"]
    lines = [" ".join(repr(float(x)) for x in row) for row in vertices]
    lines += [" ".join(map(str, (3, *face))) for face in FACES[::order]]
    path.write_text("\n".join([*head, *lines, ""]))
    return str(path)


def test_steps_that_were_not_checked_are_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Free steps beside them do not make the sequence free, a contact makes it one."""
    files = [write(tmp_path / "0.ply"), write(tmp_path / "1.ply", 0.5)]
    files += [write(tmp_path / "2.ply", 0.6, order=-1)]
    assert main(["check-sequence", *files[:2]]) == FREE
    assert main(["check-sequence", *files]) == UNDECIDED
    out = capsys.readouterr().out
    assert "1 not checked because of a new topology" in out
    assert "3 of 6 vertices have no origin and no earlier vertex at their position" in out
    files += [write(tmp_path / "3.ply", 2.0, order=-1)]
    assert main(["check-sequence", *files]) == CONTACT


def test_unused_vertices_are_warned_of_when_their_number_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write(tmp_path / f"{i}.ply", 0.1 * i, spare) for i, spare in enumerate((2, 2, 3, 3))]
    main(["check-sequence", *files])
    said = [
        f"toccata check-sequence: not tested: {count} vertices in no face or edge"
        " (--loose-points tests such vertices as points)"
        for count in (2, 3)
    ]
    assert capsys.readouterr().err.splitlines() == said
    main(["check-step", *files[:2]])
    assert capsys.readouterr().err.splitlines() == [said[0].replace("-sequence", "-step")]
    main(["check-sequence", *files, "--loose-points"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["check-step", "check-sequence"])
@pytest.mark.parametrize(("drop", "message"), [(np.nan, "expected finite"), (2e15, "row 3 has a")])
def test_a_message_names_the_file(
    command: str, drop: float, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write(tmp_path / "good.ply"), write(tmp_path / "bad.ply", drop)]
    for order in (1, -1):
        assert main([command, *files[::order]]) == USAGE
        err = capsys.readouterr().err
        assert err.startswith(f"toccata {command}: {files[1]}: ") and message in err


@pytest.mark.parametrize("kind", ["npz", "csv", "json", "parquet"])
def test_a_table_that_cannot_be_written_is_refused_before_the_work(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    files = [write(tmp_path / "0.ply"), write(tmp_path / "1.ply", 0.5)]
    path = tmp_path / "nowhere" / f"contacts.{kind}"
    assert main(["check-sequence", *files, "--out", str(path)]) == USAGE
    out, err = capsys.readouterr()
    assert out == "" and f"--out: {path} cannot be written" in err


def test_a_table_has_the_name_that_was_asked_for(tmp_path: Path) -> None:
    files = [write(tmp_path / "0.ply"), write(tmp_path / "1.ply", 0.5)]
    assert main(["check-sequence", *files, "--out", str(tmp_path / "contacts.NPZ")]) == FREE
    with np.load(tmp_path / "contacts.NPZ") as table:
        assert table["status"].tolist() == ["FREE"]
    assert not (tmp_path / "contacts.NPZ.npz").exists()


def test_undecided_by_rounding_does_not_blame_the_budget_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write(tmp_path / "0.ply"), write(tmp_path / "1.ply", 2.1)]
    assert main(["check-step", *files, "--tolerance", "1e-300"]) == UNDECIDED
    assert "the budget ran out, or rounding allows no further step" in capsys.readouterr().out
