"""Frames from files: the order of vertices is kept, loose edges and points are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata import _frame_files as frames
from toccata._cli import main

pytest.importorskip("trimesh")

FLOOR = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 3.0, 0.0]])
FACES = np.array([[0, 1, 2]])


def write(path: Path, vertices: np.ndarray, faces: Any = FACES, edges: Any = ()) -> str:
    """Write an ascii ply file, with loose edges if there are any."""
    kinds = [("vertex", vertices), ("face", faces), ("edge", edges)]
    fields = {
        "vertex": "property double x\nproperty double y\nproperty double z",
        "face": "property list uchar int vertex_indices",
        "edge": "property int vertex1\nproperty int vertex2",
    }
    head = ["ply", "format ascii 1.0"]
    head += [f"element {kind} {len(rows)}\n{fields[kind]}" for kind, rows in kinds if len(rows)]
    lines = [" ".join(repr(float(x)) for x in row) for row in vertices]
    lines += [" ".join(map(str, (3, *row))) for row in faces]
    lines += [" ".join(map(str, row)) for row in edges]
    path.write_text("\n".join([*head, "end_header", *lines, ""]))
    return str(path)


def as_json(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main([*words, "--json", "-"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    json.dumps(found, allow_nan=False)
    return found


@pytest.mark.parametrize("kind", ["ply", "obj", "off"])
def test_the_order_of_vertices_is_kept(kind: str, tmp_path: Path) -> None:
    import trimesh

    rng = np.random.default_rng(4)
    vertices, faces = rng.normal(size=(9, 3)).round(4), np.array([[7, 2, 5], [5, 0, 8], [2, 7, 0]])
    path = tmp_path / f"mesh.{kind}"
    trimesh.Trimesh(vertices, faces, process=False).export(path)
    frame = frames.read(str(path))
    assert np.allclose(frame.vertices, vertices, atol=1e-6)
    assert np.array_equal(frame.faces, faces)


def test_loose_edges_and_points_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strand = np.array([[0.0, 0.0, 1.0], [0.0, 0.5, 1.0], [0.5, 0.0, 1.0]])  # 3-4 edge, 5 point
    files = [
        write(tmp_path / f"{z}.ply", np.concatenate([FLOOR, strand + [0, 0, z]]), FACES, [[3, 4]])
        for z in (0, -2)
    ]
    frame = frames.read(files[0], loose_points=True)
    assert np.asarray(frame.edges).tolist() == [[3, 4]] and np.asarray(frame.points).tolist() == [5]
    assert len(np.asarray(frames.read(files[0]).points)) == 0
    contacts = [
        {
            one["pair"][0]
            for one in as_json(["check-step", *files, "--contacts", "all", *extra], capsys)[
                "vertex_face"
            ]
        }
        for extra in ([], ["--loose-points"])
    ]
    assert contacts == [{3, 4}, {3, 4, 5}]
    main(["check-step", *files])
    assert "not tested: 1 vertex in no face or edge" in capsys.readouterr().err


def test_files_of_edges_or_points_alone(tmp_path: Path) -> None:
    points = frames.read(write(tmp_path / "points.ply", FLOOR, ()))
    assert np.asarray(points.points).tolist() == [0, 1, 2]
    shuffled = FLOOR[[2, 0, 1]]
    edges = frames.read(write(tmp_path / "edges.ply", shuffled, (), [[2, 0]]))
    assert np.array_equal(edges.vertices, shuffled)
    assert np.asarray(edges.edges).tolist() == [[2, 0]]


def test_loose_edges_of_a_binary_file_are_found(tmp_path: Path) -> None:
    head = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\n"
    head += "property double y\nproperty double z\nelement edge 2\n"
    head += "property int vertex1\nproperty int vertex2\nend_header\n"
    pairs = np.array([[2, 0], [0, 1]], dtype="<i4")
    path = tmp_path / "binary.ply"
    path.write_bytes(head.encode() + FLOOR.astype("<f8").tobytes() + pairs.tobytes())
    frame = frames.read(str(path))
    assert np.array_equal(frame.vertices, FLOOR) and np.array_equal(frame.edges, pairs)


def test_numbers_in_names_are_counted(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        write(tmp_path / f"f{number}.ply", FLOOR, FACES)
    found = frames.find([str(tmp_path / "*.ply")])
    assert [Path(path).name for path in found] == ["f1.ply", "f9.ply", "f10.ply"]
    assert frames.find(["b.ply", "a.ply"]) == ["b.ply", "a.ply"]
    with pytest.raises(FileNotFoundError, match="no files match"):
        frames.find([str(tmp_path / "*.obj")])
