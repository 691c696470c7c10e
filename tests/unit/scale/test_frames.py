"""Datasets of frames: windows of one sequence say what one model says that goes all the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.datasets import Inline
from oracles.deforming_meshes import deforming_mesh
from oracles.size import cases
from oracles.topology_edits import Mesh, edited, fresh, opened

import toccata as tc
from toccata.scale import INVALID

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
scale = pytest.importorskip("toccata.scale")

TOPOLOGY = ("vertices", "faces", "origin", "start")
SEEDS = range(cases(6))


@dataclass(frozen=True)
class Row:
    """A frame as a row of a file; None where it says nothing."""

    vertices: Any
    faces: Any = None
    origin: Any = None
    start: Any = None
    groups: Any = None


KINDS = {
    "vertices": pa.list_(pa.list_(pa.float64(), 3)),
    "faces": pa.list_(pa.list_(pa.int64())),
    "origin": pa.list_(pa.int32()),
    "start": pa.list_(pa.float64()),
    "groups": pa.list_(pa.int16()),
}


def write(path: Path, rows: Sequence[Row], *, group: int = 3, **columns: Any) -> Path:
    values = {name: [_plain(name, getattr(row, name)) for row in rows] for name in KINDS}
    ids = {"frame": np.arange(len(rows)), **columns}
    table = pa.table(ids | {name: pa.array(values[name], kind) for name, kind in KINDS.items()})
    pq.write_table(table, path, row_group_size=group)
    return path


def _plain(name: str, value: Any) -> Any:
    if value is None:
        return None
    return np.ravel(value).tolist() if name == "start" else value.tolist()


def cut_sequence(seed: int, steps: int = 9) -> list[Row]:
    """Draw a mesh that creeps, is cut now and then, opens, closes and touches itself."""
    rng = np.random.default_rng((11, seed))
    base = deforming_mesh(("folded", "tube", "spiral", "fan", "two_balls")[seed % 5], seed)
    mesh, size = fresh(base.v0, base.faces), float(np.ptp(base.v0, axis=0).max())
    rows, before = [Row(mesh.vertices, mesh.faces)], mesh.vertices
    for k in range(steps):
        edit = edited(rng, mesh) if k % 3 == 1 else None
        mesh = edit.mesh if edit else mesh
        # Closed cracks stay closed for a while: later windows must know that they are cracks.
        end = opened(rng, mesh, float(rng.choice([0.0, 0.0, 0.05])))
        ways = rng.normal(size=end.shape) * size * float(rng.choice([0.02, 1e-4]))
        end = before if k % 5 == 4 and edit is None and k % 3 != 2 else end + ways[mesh.identity]
        rows.append(
            Row(end, mesh.faces, edit.origin, mesh.vertices) if edit is not None else Row(end)
        )
        before, mesh = mesh.vertices, Mesh(end, mesh.faces, mesh.roots)
    return rows


def taken(rows: Sequence[Row], **options: Any) -> list[tc.StepContacts]:
    """Take all steps with one model."""
    model = tc.DeformingMesh(rows[0].vertices, rows[0].faces)
    found = []
    for row in rows[1:]:
        if row.origin is not None:
            model.retopologize(row.start, row.faces, row.origin)
        found.append(model.step(row.vertices, threads=1, **options))
    return found


def check(source: Path, target: Path, **options: Any) -> Any:
    done = scale.check_frames(source, target, **{"workers": 1, **options})
    assert done.complete
    return scale.load(target)


def same(found: Any, steps: Sequence[tc.StepContacts]) -> None:
    assert found["status"].tolist() == [step.status for step in steps]
    assert found["toc"].tolist() == [step.toc for step in steps]
    assert found["safe_until"].tolist() == [step.safe_until for step in steps]
    overlapping = [step.starts_overlapping for step in steps]
    assert found["starts_overlapping"].astype(bool).tolist() == overlapping


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of workers here: starting processes takes longer than the steps."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


@pytest.mark.usefixtures("inline")
class TestWindows:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_windows_of_any_size_say_what_one_model_says(self, tmp_path: Path, seed: int) -> None:
        rows = cut_sequence(seed)
        source = write(tmp_path / "frames.parquet", rows, group=1 + seed % 4)
        steps = taken(rows)
        for window in (1, 2, 4, 100):
            found = check(source, tmp_path / f"w{window}", columns=TOPOLOGY, rows_per_part=window)
            same(found, steps)
            assert found["frame"].tolist() == list(range(1, len(rows)))

    def test_the_sample_is_worth_it(self) -> None:
        sequences = [cut_sequence(seed) for seed in range(6)]
        touching = [bool(step) for rows in sequences for step in taken(rows)]
        assert 0.1 < np.mean(touching) < 0.9
        forgetful = [
            bool(tc.deforming_contacts(a.vertices, b.vertices, faces))
            for rows in sequences
            for a, b, faces in _without_lineage(rows)
        ]
        assert sum(forgetful) > sum(touching), "no closed crack: lineage would not matter"

    def test_faces_in_every_row_are_no_change(self, tmp_path: Path) -> None:
        rows = cut_sequence(3)
        faces = rows[0].faces
        full = []
        for row in rows:
            faces = row.faces if row.faces is not None else faces
            full.append(replace(row, faces=faces))
        found = check(
            write(tmp_path / "f.parquet", full), tmp_path / "v", columns=TOPOLOGY, rows_per_part=2
        )
        same(found, taken(rows))

    def test_frames_in_several_files(self, tmp_path: Path) -> None:
        rows = cut_sequence(1)
        (tmp_path / "in").mkdir()
        for k, at in enumerate((slice(0, 4), slice(4, 5), slice(5, None))):
            write(tmp_path / "in" / f"{k}.parquet", rows[at], group=2)
        same(check(tmp_path / "in", tmp_path / "v", columns=TOPOLOGY, rows_per_part=3), taken(rows))

    def test_sequences_by_a_column(self, tmp_path: Path) -> None:
        one, two = cut_sequence(0), cut_sequence(2)
        labels = ["one"] * len(one) + ["two"] * len(two)
        source = write(tmp_path / "f.parquet", [*one, *two], run=pa.array(labels))
        found = check(source, tmp_path / "v", columns=TOPOLOGY, sequence="run", rows_per_part=4)
        same(found, [*taken(one), *taken(two)])
        assert found["run"].tolist() == ["one"] * (len(one) - 1) + ["two"] * (len(two) - 1)


def _without_lineage(rows: Sequence[Row]) -> list[tuple[Row, Row, Any]]:
    """Return steps as somebody would see them who does not know where vertices come from."""
    found, faces = [], rows[0].faces
    for a, b in pairwise(rows):
        if b.origin is not None:
            a, faces = replace(a, vertices=b.start), b.faces
        found.append((a, b, faces))
    return found


FACES = np.array([(0, 1, 2), (3, 4, 5)])
APART = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)], dtype=float)
MET = APART * (1, 1, -1)
"""The second triangle has passed through the first one, at half of the time."""


@pytest.mark.usefixtures("inline")
class TestClosedForms:
    def test_a_constant_topology_is_an_argument(self, tmp_path: Path) -> None:
        table = pa.table({"vertices": pa.array([x.ravel() for x in (APART, MET, MET, APART)])})
        pq.write_table(table, tmp_path / "f.parquet")
        found = check(
            tmp_path / "f.parquet",
            tmp_path / "v",
            faces=FACES,
            contacts="all",
            extras=("points",),
            rows_per_part=2,
        )
        assert found["status"].tolist() == [tc.Status.CONTACT, tc.Status.FREE, tc.Status.CONTACT]
        assert found["toc"][[0, 2]] == pytest.approx(0.5, abs=1e-5)
        assert found["toc"][1] == np.inf
        assert found["safe_until"][1] == 1
        assert (found["contacts"] > 0).tolist() == [True, False, True]
        assert found["point_a"][0, 2] == pytest.approx(0.0, abs=1e-5)
        assert np.isnan(found["normal"][1]).all()
        assert set(found["corners"][0]) <= set(range(6))
        assert (found["corners"][1] == -1).all()

    def test_rows_that_are_no_frames(self, tmp_path: Path) -> None:
        """A broken frame spoils the step to it and the step from it, and no other."""
        bad: list[Any] = [APART * np.nan, None, APART[:5], APART.ravel()[:-1].tolist()]
        frames = [APART, MET, *[x for b in bad for x in (b, APART, MET)]]
        rows = [x.ravel().tolist() if isinstance(x, np.ndarray) else x for x in frames]
        table = pa.table({"vertices": pa.array(rows, pa.list_(pa.float64()))})
        pq.write_table(table, tmp_path / "f.parquet")
        for window in (1, 2, 100):
            target = tmp_path / f"{window}"
            found = check(tmp_path / "f.parquet", target, faces=FACES, rows_per_part=window)
            status = found["status"]
            assert status[0] == tc.Status.CONTACT
            for k in range(len(bad)):
                spoiled = status[1 + 3 * k : 3 + 3 * k].tolist()
                # Five vertices are a frame, though of another mesh: its faces have no corners.
                assert spoiled == [INVALID, INVALID]
                assert status[3 + 3 * k] == tc.Status.CONTACT
            assert (found["toc"][status == INVALID] == 0).all()
            assert (found["safe_until"][status == INVALID] == 0).all()
        with pytest.raises(ValueError, match=r"f\.parquet: row 2 is not a valid motion"):
            check(tmp_path / "f.parquet", tmp_path / "strict", faces=FACES, strict=True)

    def test_an_unknown_change_is_not_checked(self, tmp_path: Path) -> None:
        other = FACES[:, ::-1].copy()
        rows = [Row(APART, FACES), Row(MET, other), Row(APART)]
        found = check(write(tmp_path / "f.parquet", rows), tmp_path / "v")
        assert found["status"].tolist() == [tc.Status.UNDECIDED, tc.Status.CONTACT]
        assert found["toc"][0] == found["safe_until"][0] == 0

    def test_new_vertices_need_their_start(self, tmp_path: Path) -> None:
        """A triangle appears above the other one and falls through it."""
        one, origin = Row(APART[:3], FACES[:1]), np.array([0, 1, 2, -1, -1, -1])
        for start, status in ((None, tc.Status.UNDECIDED), (APART, tc.Status.CONTACT)):
            source = write(tmp_path / "f.parquet", [one, Row(MET, FACES, origin, start)])
            found = check(source, tmp_path / status.name, columns=TOPOLOGY)
            assert found["status"].tolist() == [status]
            assert found["toc"][0] == pytest.approx(0.5 if start is not None else 0, abs=1e-5)

    def test_old_vertices_start_where_they_come_from(self, tmp_path: Path) -> None:
        turned = np.array([3, 4, 5, 0, 1, 2])
        rows = [Row(APART, FACES), Row(MET[turned], FACES[::-1].copy(), turned)]
        found = check(write(tmp_path / "f.parquet", rows), tmp_path / "v", columns=TOPOLOGY)
        assert found["status"].tolist() == [tc.Status.CONTACT]
        assert found["toc"][0] == pytest.approx(0.5, abs=1e-5)

    def test_origins_that_are_none(self, tmp_path: Path) -> None:
        for origin in ([0, 1, 2, 3, 4, 6], [0, 1], [0, 1, 2, 3, 4, -2]):
            rows = [Row(APART, FACES), Row(MET, FACES, np.array(origin)), Row(APART)]
            target = tmp_path / f"{origin}"
            found = check(write(tmp_path / "f.parquet", rows), target, columns=TOPOLOGY)
            assert found["status"].tolist() == [INVALID, tc.Status.CONTACT]

    @pytest.mark.parametrize("column", ["faces", "edges", "origin"])
    def test_a_topology_that_cannot_be_is_not_overlooked(self, tmp_path: Path, column: str) -> None:
        """From there on nobody knows the mesh, until a row says it again."""
        good = FACES.ravel().tolist()
        for bad in ([0, 1, None, 3, 4, 5], [0, 1, 2**32 + 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6]):
            said = {
                "faces": [good, good, None, good, None],
                "edges": [None] * 5,
                "origin": [None] * 5,
            }
            said[column][1] = bad
            if column == "origin" and len(bad) == 7:
                continue  # it is a list of numbers, though not of as many as there are vertices
            rows = {"vertices": [x.ravel() for x in (APART, MET, APART, MET, APART)]}
            rows |= {name: pa.array(values, pa.list_(pa.int64())) for name, values in said.items()}
            pq.write_table(pa.table(rows), tmp_path / "f.parquet", row_group_size=2)
            for window in (1, 100):
                target = tmp_path / f"{window} {bad}"
                columns = ("vertices", "faces", "edges", "origin")
                found = check(tmp_path / "f.parquet", target, columns=columns, rows_per_part=window)
                assert found["status"].tolist() == [INVALID] * 3 + [tc.Status.CONTACT]

    def test_groups(self, tmp_path: Path) -> None:
        """Groups hold until the mesh changes, and then go by origin."""
        groups = np.array([1, 1, 1, 2, 2, 2])
        again = Row(MET, FACES[::-1].copy(), np.arange(6))
        rows = [Row(APART, FACES, groups=groups), Row(MET), Row(APART), again, Row(APART)]
        columns = (*TOPOLOGY, "groups")
        source = write(tmp_path / "f.parquet", rows)
        for window in (1, 100):
            told = check(source, tmp_path / f"a{window}", columns=columns, rows_per_part=window)
            assert (told["status"] == tc.Status.CONTACT).all()
            ignoring = check(
                source,
                tmp_path / f"b{window}",
                columns=columns,
                ignored_groups=[(1, 2)],
                rows_per_part=window,
            )
            assert (ignoring["status"] == tc.Status.FREE).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ("vertices",)}, "columns: expected vertices, and faces"),
        ({"columns": ("faces",)}, "columns: expected vertices, and faces"),
        ({"columns": ("vertices", "faces", "wings")}, "columns: expected some of vertices"),
        ({"columns": ("vertices", "faces", "edges")}, "columns: the source has no 'edges'"),
        ({"columns": {"vertices": "frame", "faces": "faces"}}, "column 'frame': expected lists"),
        (
            {"columns": {"vertices": "vertices", "faces": "vertices"}},
            "expected integers, got double",
        ),
        (
            {"faces": FACES, "columns": ("vertices", "origin")},
            "faces: cannot be combined with a topology",
        ),
        ({"sequence": "run"}, "sequence: expected one of frame, "),
        ({"extras": ("q",)}, "extras: expected some of points"),
        ({"method": "fast"}, "method: expected one of"),
        ({"rows_per_part": 0}, "rows_per_part: expected"),
        ({"ignored_groups": [(1,)]}, "ignored_groups: expected a pair of integers in row 0"),
    ],
)
def test_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    source = write(tmp_path / "f.parquet", [Row(APART, FACES), Row(MET)])
    with pytest.raises(ValueError, match=message):
        scale.check_frames(source, tmp_path / "v", **options)
    assert not (tmp_path / "v").exists()


def test_real_workers(tmp_path: Path) -> None:
    rows = cut_sequence(4)
    source = write(tmp_path / "f.parquet", rows)
    seen: list[int] = []
    tell: Callable[[Any], None] = lambda progress: seen.append(progress.done.rows)  # noqa: E731
    found = check(
        source, tmp_path / "v", columns=TOPOLOGY, rows_per_part=2, workers=2, progress=tell
    )
    same(found, taken(rows))
    assert seen == sorted(seen)
    assert seen[-1] == len(rows) - 1
