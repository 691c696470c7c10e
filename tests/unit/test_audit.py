"""Logs of poses: every step is certified, or the first contact of each pair is told."""

from __future__ import annotations

import copy
import csv
import inspect
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._audit import KINDS
from toccata._cli import main
from toccata._options import RigidOptions, described
from toccata._pose_log import COLUMNS, PoseLog
from toccata.scenes.primitives import box

BALL = tc.Mesh(*box((0.2, 0.2, 0.2)), solid=True)
PLATE = tc.Mesh(*box((4.0, 4.0, 0.01)))
MESHES = {"plate": PLATE, "a": BALL, "b": BALL}


def falling(heights: list[float], x: float) -> np.ndarray:
    return np.stack([tc.pose((x, 0.0, z)) for z in heights])


def log(a: list[float], b: list[float]) -> dict[str, Any]:
    """A plate at 0, and two small boxes at given heights in rows a tenth of a second apart."""
    still = np.tile(np.eye(4), (len(a), 1, 1))
    poses = np.stack([still, falling(a, -1.0), falling(b, 1.0)], axis=1)
    return {"names": ["plate", "a", "b"], "times": 0.1 * np.arange(len(a)), "poses": poses}


def rows(found: Any) -> list[tuple[str, str, str, int]]:
    columns = zip(found.body_a, found.body_b, found.kind, found.step, strict=True)
    return [
        (found.names[a], found.names[b], KINDS[kind], int(step)) for a, b, kind, step in columns
    ]


TUNNEL = log([2.0, 1.0, 0.5, -0.5, -1.0], [2.0, 1.5, 1.0, 0.6, 0.3])


def test_what_stays_apart_is_free() -> None:
    found = tc.audit(log([2.0, 1.0, 0.5], [2.0, 1.5, 1.0]), MESHES)
    assert not found and found.status is tc.Status.FREE and len(found) == 0
    assert found.toc == np.inf and found.safe_until == pytest.approx(0.2) and found.steps == 2


def test_a_box_tunnels_between_two_rows() -> None:
    found = tc.audit(TUNNEL, MESHES)
    assert found and rows(found) == [("plate", "a", "tunnelling", 2)]
    exact = 0.2 + 0.1 * (0.5 - 0.105)  # its lower side meets the plate's upper one
    assert exact - 1e-5 < found.toc <= exact and found.safe_until == found.toc == found.time[0]
    assert found.point_a[0][2] == pytest.approx(0.005, abs=1e-5)


def test_a_box_that_sinks_in_penetrates_from_then_on() -> None:
    found = tc.audit(log([2.0, 1.0, 0.05, 0.05, 0.04], [0.0, 0.0, 0.0, 0.5, -0.5]), MESHES)
    assert rows(found) == [("plate", "b", "overlap", 0), ("plate", "a", "penetration", 1)]
    assert found.status is tc.Status.INITIAL_OVERLAP and found.safe_until == 0.0


def test_pairs_are_told_by_time() -> None:
    found = tc.audit(log([2.0, 1.0, -1.0], [2.0, -2.0, -3.0]), MESHES)
    assert rows(found) == [("plate", "b", "tunnelling", 0), ("plate", "a", "tunnelling", 1)]
    assert (np.diff(found.time) > 0).all()


def test_pairs_that_may_touch_are_left_out() -> None:
    assert not tc.audit(TUNNEL, MESHES, ignore=[("a", "plate")])
    with pytest.raises(ValueError, match="nobody"):
        tc.audit(TUNNEL, MESHES, ignore=[("a", "nobody")])


def test_a_separation_counts() -> None:
    near = log([2.0, 1.0, 0.5], [2.0, 1.5, 1.0])
    assert rows(tc.audit(near, MESHES, separation=0.4)) == [("plate", "a", "penetration", 1)]


def test_a_small_budget_is_undecided_and_told_once() -> None:
    found = tc.audit(TUNNEL, MESHES, budget=1)
    assert found.status is tc.Status.UNDECIDED
    kinds = [KINDS[kind] for kind in found.kind]
    assert kinds.count("undecided") <= 3 and found.safe_until <= 0.2395


def test_progress_is_told() -> None:
    said: list[tuple[int, int]] = []
    tc.audit(TUNNEL, MESHES, progress=lambda done, total: said.append((done, total)))
    assert said == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_answer_can_be_copied() -> None:
    found = tc.audit(TUNNEL, MESHES)
    for other in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert rows(other) == rows(found) and other.toc == found.toc


def test_random_logs_agree_with_single_queries() -> None:
    rng = np.random.default_rng(3)
    mesh = tc.Mesh(*box((0.5, 0.3, 0.2)))
    touched = 0
    for _ in range(20):
        poses = np.array(
            [
                [tc.pose(rng.uniform(-0.8, 0.8, 3), rotvec=rng.uniform(-1, 1, 3)) for _ in range(3)]
                for _ in range(4)
            ]
        )
        times = np.array([0.0, 0.5, 2.0, 2.25])
        names = ["x", "y", "z"]
        found = tc.audit(
            {"names": names, "times": times, "poses": poses}, dict.fromkeys(names, mesh)
        )
        told = {
            (a, b): (s, t)
            for a, b, s, t in zip(found.body_a, found.body_b, found.step, found.time, strict=True)
        }
        for a, b in ((0, 1), (0, 2), (1, 2)):
            for step in range(3):
                ways = [tc.Motion.linear(poses[step, k], poses[step + 1, k]) for k in (a, b)]
                contact = tc.first_contact(mesh, mesh, *ways)
                if contact:
                    touched += 1
                    time = times[step] + contact.toc * (times[step + 1] - times[step])
                    assert told[a, b] == (step, pytest.approx(time, abs=1e-5))
                    break
            else:
                assert (a, b) not in told
    assert 20 < touched < 60


# Files.


def write_csv(path: Path, what: dict[str, Any]) -> None:
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for time, row in zip(what["times"], what["poses"], strict=True):
            for name, place in zip(what["names"], row, strict=True):
                table.writerow([time, name, *place[:3, 3], 0, 0, 0, 1])


def write_npz(path: Path, what: dict[str, Any]) -> None:
    meshes = {f"vertices_{i}": MESHES[name].vertices for i, name in enumerate(what["names"])}
    meshes |= {f"faces_{i}": MESHES[name].faces for i, name in enumerate(what["names"])}
    np.savez(path, **what, **meshes)


def test_files_say_the_same_as_arrays(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    write_csv(tmp_path / "log.csv", TUNNEL)
    write_npz(tmp_path / "log.npz", TUNNEL)
    with (tmp_path / "log.csv").open() as file:
        lines = list(csv.DictReader(file))
    table = {n: [r[n] if n == "name" else float(r[n]) for r in lines] for n in COLUMNS}
    parquet.write_table(arrow.table(table), tmp_path / "log.parquet")
    exact = tc.audit(TUNNEL, MESHES)
    for name in ("log.csv", "log.parquet"):
        found = tc.audit(tmp_path / name, MESHES)
        assert rows(found) == rows(exact) and found.toc == exact.toc
    found = tc.audit(str(tmp_path / "log.npz"))
    assert rows(found) == rows(exact) and found.toc == pytest.approx(exact.toc)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"times": [0.0, 0.1, 0.1, 0.2, 0.3]},
            "times: expected increasing numbers, got 0.1 in row 2",
        ),
        ({"times": [0.0]}, "times: expected at least two, got 1"),
        ({"names": ["plate", "a", "a"]}, "names: expected unique names, got 'a' twice"),
        ({"names": ["plate", "a", "c"]}, "meshes: expected a mesh of 'c', or vertices_2"),
        ({"poses": np.zeros((5, 3, 4, 4))}, "poses, step 0: start: row 0: expected"),
        ({"poses": np.zeros((5, 2, 4, 4))}, "poses: expected"),
    ],
)
def test_bad_logs_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        tc.audit({**TUNNEL, **change}, {k: v for k, v in MESHES.items() if k != "c"})


@pytest.mark.parametrize("solid", [True, np.bool_(True), "auto", np.full(12, 7)])
def test_solid_meshes_of_a_log(solid: Any, tmp_path: Path) -> None:
    """The array is the argument `solid` of a mesh. Without it, the mesh is a surface."""
    inside = log([0.0, 0.0], [9.0, 9.0])
    bodies = (tc.Mesh(*box((1.0, 1.0, 1.0))), BALL, BALL)
    for i, body in enumerate(bodies):
        inside |= {f"vertices_{i}": body.vertices, f"faces_{i}": body.faces}
    inside["poses"][:, 1, 0, 3] = 0.0
    assert tc.audit(inside).status is tc.Status.FREE
    inside["solid_0"] = solid
    np.savez(tmp_path / "log.npz", **inside)
    for read in (inside, tmp_path / "log.npz"):
        assert rows(tc.audit(read)) == [("plate", "a", "overlap", 0)]


def test_bad_solids_of_a_log_are_named() -> None:
    cube = {"vertices_0": PLATE.vertices, "faces_0": PLATE.faces, "solid_0": [1, 2]}
    others = {name: BALL for name in "ab"}
    with pytest.raises(ValueError, match=r"^meshes\['plate'\]: solid: expected shape \(12,\)"):
        tc.audit(TUNNEL | cube, others)


def test_bad_tables_are_named(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("time,name,x\n0,a,1\n")
    with pytest.raises(ValueError, match=r"log.csv: columns: expected time, .*; missing: y, z, qx"):
        tc.audit(path, MESHES)
    head = ",".join(COLUMNS)
    path.write_text(f"{head}\n0,a,1,2,x,0,0,0,1\n")
    with pytest.raises(ValueError, match=r"z: expected a number, got 'x' \(line 2\)"):
        tc.audit(path, MESHES)
    path.write_text(f"{head}\n0,a,1,2,3,0,0,0,1\n1,a,1,2,3,0,0,0,1\n1,b,1,2,3,0,0,0,1\n")
    with pytest.raises(ValueError, match="expected one row of 'b' at each time, got 0 at time 0"):
        tc.audit(path, MESHES)
    with pytest.raises(FileNotFoundError, match=r"nothing\.csv: no such file"):
        tc.audit(tmp_path / "nothing.csv", MESHES)
    (tmp_path / "log.txt").write_text("")
    with pytest.raises(ValueError, match=r"expected a file of \.npz, \.csv, \.parquet"):
        tc.audit(tmp_path / "log.txt", MESHES)


@pytest.mark.parametrize("bad", [3, None, [1, 2], object()])
def test_a_log_of_a_wrong_type_is_named(bad: Any) -> None:
    with pytest.raises(TypeError, match=f"^log: expected a path, got {type(bad).__name__}"):
        tc.audit(bad, MESHES)


def test_a_mapping_without_arrays_is_named() -> None:
    with pytest.raises(ValueError, match=r"^log: expected an array 'poses', got names, times"):
        tc.audit({"names": ["a"], "times": [0.0, 1.0]}, MESHES)


def test_the_signature_lists_every_option_once() -> None:
    shown = inspect.signature(tc.audit).parameters
    assert {*described(RigidOptions)} <= {*shown} and "options" not in shown
    for name in shown:
        assert (tc.audit.__doc__ or "").count(f"\n    {name}: ") == 1, name


def test_an_audit_prints_its_rows() -> None:
    found = tc.audit(TUNNEL, MESHES)
    assert str(found) == f"CONTACT at {found.toc:.9g}: 1 row in 4 steps of 3 bodies"
    assert repr(found).splitlines()[1].strip().endswith("tunnelling, 'plate' and 'a', step 2")
    assert str(tc.audit(log([2.0, 1.0], [2.0, 1.5]), MESHES)) == "FREE: 1 step of 3 bodies"
    assert found.body_a.dtype == found.body_b.dtype == found.kind.dtype == np.int32


def test_a_log_is_read_once_for_many_questions() -> None:
    record = PoseLog.read(TUNNEL, MESHES)
    assert rows(tc.audit(record)) == rows(tc.audit(TUNNEL, MESHES))


# The command line.


def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_npz(tmp_path / "log.npz", TUNNEL)
    assert main(["audit", str(tmp_path / "log.npz"), "--progress"]) == 1
    said = capsys.readouterr()
    assert "tunnelling  plate, a" in said.out and "4 steps: 1 tunnelling" in said.out
    assert "step 4 of 4" in said.err
    assert main(["audit", str(tmp_path / "log.npz"), "--json", "-"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["contacts"][0]["kind"] == "tunnelling" and answer["steps"] == 4
    assert main(["audit", str(tmp_path / "log.npz"), "--ignore", "a", "plate"]) == 0
    assert "free: 4 steps" in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "log.npz"), "--budget", "1"]) in (1, 3)
    assert main(["audit", str(tmp_path / "nothing.npz")]) == 2


def test_the_command_takes_meshes_from_files(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    write_csv(tmp_path / "log.csv", TUNNEL)
    for name, mesh in MESHES.items():
        trimesh.Trimesh(mesh.vertices, mesh.faces).export(tmp_path / f"{name}.ply")
    files = [word for name in MESHES for word in ("--mesh", f"{name}={tmp_path / name}.ply")]
    assert main(["audit", str(tmp_path / "log.csv"), *files]) == 1
    assert main(["audit", str(tmp_path / "log.csv"), "--mesh", "plate"]) == 2


@pytest.mark.parametrize("ignore", [("a", "plate"), ["ab"], [("a", "plate", "b")]])
def test_ignored_pairs_are_pairs_of_names(ignore: Any) -> None:
    with pytest.raises(TypeError, match=r"^ignore: expected pairs of names, as in "):
        tc.audit(TUNNEL, MESHES, ignore=ignore)
