"""`check-step` and `check-sequence` across changes of topology, with and without origins."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toccata import _frame_files as frame_files
from toccata._cli import main

pytest.importorskip("trimesh")

FREE, CONTACT, USAGE, UNDECIDED = 0, 1, 2, 3
# Two triangles with a common side, which is then cut: vertices 0 and 1 get the twins 4 and 5.
WHOLE = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [-1, 0, 0]], float)
JOINED = np.array([[0, 2, 1], [0, 1, 3]])
PARTED = np.array([[0, 2, 1], [4, 5, 3]])
ORIGIN = np.array([0, 1, 2, 3, 0, 1])
WAY = np.array([[1, 0, 0.3], [1, 0, -0.3], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
Arrays = dict[str, np.ndarray]
FIRST: Arrays = {"vertices": WHOLE, "faces": JOINED}


def cut(shift: float, **more: Any) -> Arrays:
    """Return the parted triangles; below 0, the side of the right one pierces the left one."""
    parts = {"vertices": WHOLE[ORIGIN] + shift * WAY, "faces": PARTED, "origin": ORIGIN, **more}
    return {name: np.asarray(part) for name, part in parts.items() if part is not None}


def write_ply(path: Path, arrays: Arrays, kind: str = "double") -> str:
    """Write a frame as text, with properties of its vertices."""
    columns, names = [arrays["vertices"]], ["x", "y", "z"]
    if "origin" in arrays:
        columns, names = [*columns, arrays["origin"][:, None]], [*names, "origin"]
    if "start" in arrays:
        columns, names = [*columns, arrays["start"]], [*names, *(f"start_{x}" for x in "xyz")]
    kinds = {"origin": "int"} if kind == "int" else {}
    head = ["ply", "format ascii 1.0", f"element vertex {len(arrays['vertices'])}"]
    head += [f"property {kinds.get(name, 'double')} {name}" for name in names]
    head += [f"element face {len(arrays['faces'])}", "property list uchar int vertex_indices"]
    rows = np.concatenate(columns, axis=1)
    lines = [" ".join(f"{x:.17g}" for x in row) for row in rows]
    lines += [" ".join(map(str, (3, *face))) for face in arrays["faces"]]
    path.write_text("\n".join([*head, "end_header", *lines, ""]))
    return str(path)


def write_binary(path: Path, arrays: Arrays) -> str:
    """Write a frame with origins in the binary form of PLY."""
    head = "ply\nformat binary_little_endian 1.0\n" + f"element vertex {len(arrays['vertices'])}\n"
    head += "".join(f"property double {x}\n" for x in "xyz") + "property int origin\n"
    head += f"element face {len(arrays['faces'])}\n"
    head += "property list uchar int vertex_indices\nend_header\n"
    rows = np.zeros(len(arrays["vertices"]), dtype=[("p", "<f8", 3), ("origin", "<i4")])
    rows["p"], rows["origin"] = arrays["vertices"], arrays["origin"]
    faces = np.zeros(len(arrays["faces"]), dtype=[("n", "u1"), ("v", "<i4", 3)])
    faces["n"], faces["v"] = 3, arrays["faces"]
    path.write_bytes(head.encode() + rows.tobytes() + faces.tobytes())
    return str(path)


def write_npz(path: Path, arrays: Arrays) -> str:
    np.savez(path, **arrays)
    return str(path)


WRITERS: dict[str, tuple[str, Callable[[Path, Arrays], str]]] = {
    "text": ("ply", write_ply),
    "text with integers": ("ply", lambda path, arrays: write_ply(path, arrays, "int")),
    "binary": ("ply", write_binary),
    "arrays": ("npz", write_npz),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_the_step_of_a_cut_is_checked(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suffix, write = WRITERS[kind]
    first = write_ply(tmp_path / "0.ply", FIRST)
    for shift, code in ((0.1, FREE), (-0.5, CONTACT)):
        after = write(tmp_path / f"cut.{suffix}", cut(shift))
        assert main(["check-step", first, after]) == code
        assert "topology   new topology with given origins" in capsys.readouterr().out
        assert main(["check-sequence", first, after]) == code
        out = capsys.readouterr().out
        assert "; new topology with given origins" in out and "1 change of topology" in out


@pytest.mark.parametrize("kind", ["text", "arrays"])
def test_new_vertices_have_a_start(kind: str, tmp_path: Path) -> None:
    suffix, write = WRITERS[kind]
    first = write_ply(tmp_path / "0.ply", {"vertices": WHOLE[:3], "faces": JOINED[:1]})
    low, high = (np.append(WHOLE[:3], WHOLE[:3] + (0.1, 0.1, z), axis=0) for z in (-1, 1))
    after = {"vertices": low, "faces": np.array([[0, 2, 1], [3, 5, 4]])}
    after["origin"] = np.array([0, 1, 2, -1, -1, -1])
    assert main(["check-step", first, write(tmp_path / f"1.{suffix}", after)]) == FREE
    after["start"] = high
    assert main(["check-step", first, write(tmp_path / f"1.{suffix}", after)]) == CONTACT


def test_origins_in_a_file_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write_ply(tmp_path / "0.ply", FIRST)]
    files += [write_ply(tmp_path / "1.ply", cut(0.1, origin=None))]
    np.save(tmp_path / "o.npy", ORIGIN)
    np.savez(tmp_path / "o.npz", origin=ORIGIN.astype(float))
    (tmp_path / "o.txt").write_text("0 1 2\n3 0 1\n")
    (tmp_path / "o.csv").write_text("0,1,2,3,0,1")
    for name in ("o.npy", "o.npz", "o.txt", "o.csv"):
        assert main(["check-step", *files, "--origin", str(tmp_path / name)]) == FREE
    capsys.readouterr()
    assert main(["check-step", *files]) == USAGE
    err = capsys.readouterr().err
    assert "1.ply: expected the topology of" in err and "or origins" in err
    assert "3 of 6 vertices have no origin and no earlier vertex at their position" in err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("o.txt", "0 1 2", r"origin: expected shape (6,), got (3,)"),
        ("o.txt", "0 1 2 3 0 x", "expected numbers (could not convert string to float: 'x')"),
        ("o.txt", "0 1 2 3 0 nan", "expected finite numbers, got nan"),
        ("o.txt", "0 1 2 3 0 0.5", "row 5 is 0.5, expected an index or -1"),
        ("o.txt", "0 1 2 3 0 1e300", "row 5 is 1e+300, expected an index or -1"),
        ("o.txt", "0 1 2 3 0 4", "row 5 is 4, expected -1..3"),
        ("o.npy", "no array", "expected a .npy file with arrays of numbers"),
        ("o.npz", "no archive", "expected a .npz file with arrays of numbers"),
        ("none.txt", None, "No such file"),
        ("none.npy", None, "no such file"),
        ("\x1b[31m.txt", "x", "\\x1b[31m.txt: expected numbers"),
    ],
)
def test_a_malformed_file_of_origins_is_named(
    name: str, text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write_ply(tmp_path / "0.ply", FIRST)]
    files += [write_ply(tmp_path / "1.ply", cut(0.1, origin=None))]
    if text is not None:
        (tmp_path / name).write_text(text)
    assert main(["check-step", *files, "--origin", str(tmp_path / name)]) == USAGE
    err = capsys.readouterr().err
    assert message in err and "Traceback" not in err and "\x1b" not in err


def test_text_that_is_no_text_is_a_malformed_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write_ply(tmp_path / "0.ply", FIRST), write_ply(tmp_path / "1.ply", cut(0.1))]
    (tmp_path / "o.txt").write_bytes(b"\xff\xfe\x00")
    assert main(["check-step", *files, "--origin", str(tmp_path / "o.txt")]) == USAGE
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"origin": [0, 1, 2, 3, 0, 4]}, "1.npz: origin: row 5 is 4, expected -1..3"),
        ({"origin": [0, 1, 2, 3, 0, np.nan]}, "1.npz: origin: expected finite numbers"),
        ({"origin": [0, 1]}, "1.npz: origin: expected shape (6,), got (2,)"),
        ({"origin": ["a"] * 6}, "1.npz: origin: expected numbers, got strings"),
        ({"vertices": ["a"] * 6}, "1.npz: expected numbers, got strings"),
        ({"vertices": np.zeros((6, 2))}, "1.npz: expected shape (n, 3), got (6, 2)"),
        ({"faces": [[0, 1, 6]]}, "1.npz: faces: row 0 has index 6, expected 0..5"),
        ({"faces": [[0.5, 1, 2]]}, "1.npz: faces: expected integers"),
        ({"points": [-1]}, "1.npz: points: row 0 is -1, expected 0..5"),
        ({"start": np.zeros((6, 2))}, "1.npz: start: expected shape (6, 3), got (6, 2)"),
        ({"start": np.zeros((6, 3)), "origin": None}, "1.npz: start: requires origin"),
        ({"vertices": None}, "1.npz: expected an array vertices, got faces, origin"),
    ],
)
@pytest.mark.parametrize("command", ["check-step", "check-sequence"])
def test_a_message_names_the_file_and_the_array(
    command: str,
    change: Any,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [
        write_npz(tmp_path / "0.npz", FIRST),
        write_npz(tmp_path / "1.npz", cut(0.1, **change)),
    ]
    assert main([command, *files]) == USAGE
    err = capsys.readouterr().err
    assert message in err and "Traceback" not in err


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x93NUMPY"])
def test_a_broken_archive_is_named(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    assert main(["check-sequence", str(path)]) == USAGE
    err = capsys.readouterr().err
    assert f"{path}: expected a .npz file" in err and "Traceback" not in err


def test_a_single_array_and_objects_are_no_frames(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(tmp_path / "one.npz", "wb") as file:
        np.save(file, WHOLE)
    np.savez(tmp_path / "objects.npz", vertices=np.array([None]), faces=JOINED)
    for name in ("one.npz", "objects.npz"):
        assert main(["check-step", str(tmp_path / name), str(tmp_path / name)]) == USAGE
        err = capsys.readouterr().err
        assert f"{name}: expected a .npz file with arrays of numbers (" in err


def numbered(*frames: Arrays) -> Arrays:
    """Return the arrays of several frames with their numbers; frame i has the number 5 i + 3."""
    return {
        f"{name}_{5 * i + 3}": part for i, one in enumerate(frames) for name, part in one.items()
    }


def test_a_file_may_have_several_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A frame without faces has those of the previous frame."""
    opened, through = cut(0.1), {"vertices": cut(-0.5)["vertices"]}
    path = write_npz(tmp_path / "run.npz", numbered(FIRST, cut(0), opened, through))
    assert main(["check-sequence", path]) == CONTACT
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines[:3]] == [f"{path}[{n}]" for n in (8, 13, 18)]
    assert "given origins" in lines[0] and "free" in lines[1] and "contact" in lines[2]
    assert main(["check-step", path, path]) == USAGE
    assert "expected one frame, got 4 (check-sequence" in capsys.readouterr().err
    frames = [*frame_files.FrameFiles([path])]
    assert [np.asarray(frame.faces).tolist() for frame in frames[1:]] == [PARTED.tolist()] * 3


def test_the_frames_of_a_file_may_share_their_faces(tmp_path: Path) -> None:
    arrays = {f"vertices_{i}": WHOLE + i for i in range(12)} | {"faces": JOINED}
    files = frame_files.FrameFiles([write_npz(tmp_path / "run.npz", arrays)])
    assert len(files) == 12 and files.names[-1].endswith("[11]")
    assert [np.asarray(frame.vertices)[0, 0] for frame in files] == [*range(12)]
    assert main(["check-sequence", str(tmp_path / "run.npz")]) == FREE


def test_origins_by_positions_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two frames at the time of the cut, then the crack opens; in OBJ files without origins."""
    import trimesh

    frames = [FIRST, cut(0), cut(0.1), cut(-0.5)]
    files = [str(tmp_path / f"{i}.obj") for i in range(4)]
    for file, one in zip(files, frames, strict=True):
        trimesh.Trimesh(one["vertices"], one["faces"], process=False).export(file, digits=17)
    assert main(["check-sequence", *files]) == CONTACT
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(
        "free: no contact during the step; new topology with origins by equal positions"
    )
    assert "free" in lines[1] and "contact" in lines[2]
    assert lines[3] == "3 steps, 1 with contact, 1 change of topology"
    assert main(["check-step", *files[:2]]) == FREE
    assert main(["check-sequence", files[0], *files[2:]]) == CONTACT
    out = capsys.readouterr().out
    assert "not checked: 3 of 6 vertices have no origin" in out


def test_json_and_tables_tell_the_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write_npz(tmp_path / f"{i}.npz", one) for i, one in enumerate([FIRST, cut(-0.5)])]
    wanted = {"known_by": "origin", "new": 0, "lost": 0}
    assert main(["check-step", *files, "--json", "-"]) == CONTACT
    assert json.loads(capsys.readouterr().out)["topology"] == wanted
    table = tmp_path / "table.json"
    words = ["check-sequence", files[0], *files, "--json", "-", "--out", str(table)]
    assert main([*words, "--contacts", "all"]) == CONTACT
    found = json.loads(capsys.readouterr().out)
    assert [step["topology"] for step in found["steps"]] == [None, wanted]
    columns = json.loads(table.read_text())
    corners = {i for name in ("a0", "a1", "b0", "b1", "b2") for i in columns[name]}
    assert "NEW_TOPOLOGY" not in columns["status"] and {4, 5} & corners, "ids of the new mesh"


def test_pages_show_the_cut(tmp_path: Path) -> None:
    files = [write_npz(tmp_path / f"{i}.npz", one) for i, one in enumerate([FIRST, cut(0.1)])]
    for command in ("check-step", "check-sequence"):
        words = [command, *files, "--report", str(tmp_path / "r.html")]
        assert main([*words, "--html", str(tmp_path / "p.html")]) == FREE
        for name in ("r.html", "p.html"):
            text = (tmp_path / name).read_text(encoding="utf-8")
            assert "not checked" not in text and "free" in text.lower()
