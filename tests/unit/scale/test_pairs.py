"""Datasets of rigid pairs say what batches of the same rows say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.datasets import Inline

import toccata as tc
from toccata.scale import INVALID
from toccata.scenes import models

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
scale = pytest.importorskip("toccata.scale")

GEAR, BAR = tc.Mesh(*models.gear()), tc.Mesh(*models.bar(length=1.2, width=0.15))
COUNT = 240


def poses(seed: int, reach: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    drawn = zip(rng.uniform(-reach, reach, (COUNT, 3)), rng.normal(size=(COUNT, 3)), strict=True)
    return np.array([tc.pose(place, rotvec=turn) for place, turn in drawn])


START, END, START_B = poses(1, 3.0), poses(2, 1.5), poses(3, 0.5)
LINEAR, ANGULAR = np.random.default_rng(4).normal(size=(2, COUNT, 3)) * 3


def lists(rows: np.ndarray) -> Any:
    return pa.array(rows.reshape(len(rows), -1).tolist(), pa.list_(pa.float64()))


def check(folder: Path, table: dict[str, Any], **options: Any) -> Any:
    pq.write_table(pa.table(table), folder / "pairs.parquet", row_group_size=70)
    given: dict[str, Any] = {"bodies": (GEAR, BAR), "workers": 1, "rows_per_part": 100, **options}
    assert scale.check_pairs(folder / "pairs.parquet", folder / "out", **given).complete
    return scale.load(folder / "out")


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of workers here: starting processes takes longer than the rows."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


def same(found: Any, batch: Any, rows: Any = slice(None)) -> None:
    for name in ("status", "toc", "safe_until", "triangle_a", "triangle_b"):
        assert np.array_equal(found[name][rows], getattr(batch, name)), name
    codes = np.where(batch.feature == 255, -1, batch.feature.astype(int))
    assert np.array_equal(found["feature"][rows], codes)
    assert 0.1 < np.mean(batch.status != tc.Status.FREE) < 0.9, "sample too one-sided"


@pytest.mark.parametrize("motion", ["linear", "screw"])
def test_from_pose_to_pose(tmp_path: Path, motion: str) -> None:
    columns = {"id": np.arange(COUNT), "start_a": lists(START), "end_a": lists(END)}
    found = check(tmp_path, columns, motion=motion, extras=("points", "distance"), separation=0.01)
    batch = tc.first_contact_batch(GEAR, BAR, START, END, motion=motion, separation=0.01)  # type: ignore[arg-type]
    same(found, batch)
    for name in ("point_a", "point_b", "normal", "distance"):
        assert np.array_equal(found[name], getattr(batch, name), equal_nan=True)
    assert found["id"].tolist() == list(range(COUNT))


def test_twists_against_a_body_that_moves(tmp_path: Path) -> None:
    columns = {"at": lists(START_B), "v": lists(LINEAR), "w": lists(ANGULAR)}
    columns |= {"start_b": lists(START), "end_b": lists(END)}
    names = {"start_a": "at", "linear_a": "v", "angular_a": "w"}
    found = check(tmp_path, columns, columns={**names, "start_b": "start_b", "end_b": "end_b"})
    zeros, ones = np.zeros(COUNT, dtype=np.int32), np.ones(COUNT, dtype=np.int32)
    batch = tc.first_contact_pairs(
        [GEAR, BAR], zeros, ones, START_B, None, START, END, linear_a=LINEAR, angular_a=ANGULAR
    )
    same(found, batch)


def test_quaternions_are_the_poses_that_they_are(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = np.column_stack([rng.uniform(-3, 3, (COUNT, 3)), rng.normal(size=(COUNT, 4))])
    matrices = np.array([tc.pose(row[:3], quat_xyzw=row[3:]) for row in rows])
    mixed = [
        row if k % 2 else at.ravel() for k, (row, at) in enumerate(zip(rows, matrices, strict=True))
    ]
    columns = {"start_a": pa.array(list(map(list, mixed))), "end_a": lists(END)}
    same(check(tmp_path, columns), tc.first_contact_batch(GEAR, BAR, matrices, END))


def test_many_bodies_by_name(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    bodies = {"gear": GEAR, "bar": BAR, "pin": tc.Mesh(*models.box((0.2, 0.2, 2.0)))}
    a, b = rng.integers(0, 3, (2, COUNT))
    names = np.array([*bodies, "nobody"])
    a[7], b[9] = 3, 3
    columns = {"start_a": lists(START), "end_a": lists(END), "body_a": names[a]}
    columns["body_b"] = pa.array(names[b]).dictionary_encode()
    found = check(tmp_path, columns, bodies=bodies)
    known = (a < 3) & (b < 3)
    batch = tc.first_contact_pairs(
        list(bodies.values()), a[known], b[known], START[known], END[known]
    )
    same(found, batch, known)
    assert (found["status"][[7, 9]] == INVALID).all()
    assert found["body_a"].tolist() == names[a].tolist()


def test_rows_that_are_no_motions(tmp_path: Path) -> None:
    rows = [row.ravel().tolist() for row in START]
    bad = {3: [*rows[3][:-1], 2.0], 50: rows[50][:15], 99: None, 100: [2 * x for x in rows[100]]}
    bad |= {120: [np.nan, *rows[120][1:]], 180: [1.0, 2, 3, 0, 0, 0, 0], 239: []}
    given = [bad.get(i, row) for i, row in enumerate(rows)]
    columns = {"start_a": pa.array(given, pa.list_(pa.float64())), "end_a": lists(END)}
    found = check(tmp_path, columns)
    invalid = np.isin(np.arange(COUNT), list(bad))
    assert np.array_equal(found["status"] == INVALID, invalid)
    assert (found["toc"][invalid] == 0).all() and (found["triangle_a"][invalid] == -1).all()
    same(found, tc.first_contact_batch(GEAR, BAR, START[~invalid], END[~invalid]), ~invalid)


def test_free_and_clearance(tmp_path: Path) -> None:
    columns = {"start_a": lists(START[:40]), "end_a": lists(END[:40])}
    batch = tc.first_contact_batch(GEAR, BAR, START[:40], END[:40])
    free = check(tmp_path, columns, ask="free")
    assert set(free) == {"status", "toc", "safe_until"}
    assert np.array_equal(free["status"], batch.status)
    found = check(tmp_path, columns, ask="clearance", limit=0.5, extras=("points", "distance"))
    for i in range(40):
        alone = tc.clearance(GEAR, BAR, tc.Motion.linear(START[i], END[i]), limit=0.5)
        assert (found["lower"][i], found["upper"][i]) == (alone.lower, alone.upper)
        assert np.array_equal(found["point_a"][i], alone.point_a, equal_nan=True)
    assert np.array_equal(found["status"] == tc.Status.FREE, batch.status == tc.Status.FREE)
    assert np.array_equal(np.isinf(found["toc"]), found["status"] == tc.Status.FREE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ("end_a",)}, "columns: start_a is required"),
        ({"columns": ("start_a", "end_b")}, "columns: end_b needs start_b"),
        (
            {"columns": ("start_a", "end_a", "linear_a")},
            "columns: end_a cannot be combined with a twist",
        ),
        ({"columns": ("start_a", "wings")}, "columns: expected some of start_a"),
        (
            {"columns": ("start_a", "body_a")},
            "bodies: expected a mapping from names, because body_a",
        ),
        ({"bodies": (GEAR,)}, "bodies: expected two bodies, or a mapping"),
        ({"bodies": {"gear": GEAR}}, "columns: the source has no 'body_a'"),
        ({"columns": {"start_a": "id"}}, "column 'id': expected lists of 16 or 7 numbers"),
        (
            {"columns": {"start_a": "start_a", "linear_a": "narrow"}},
            "'narrow': expected lists of 3 n",
        ),
        ({"motion": "fast"}, "motion: expected"),
        ({"ask": "who"}, "ask: expected one of free"),
        ({"extras": ("q",)}, "extras: expected some of points, distance"),
        ({"tolerance": -1.0}, "tolerance: expected"),
    ],
)
def test_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    narrow = pa.array([[0.0, 1.0]] * COUNT, pa.list_(pa.float64(), 2))
    columns = {
        "id": np.arange(COUNT),
        "start_a": lists(START),
        "end_a": lists(END),
        "narrow": narrow,
    }
    with pytest.raises(ValueError, match=message):
        check(tmp_path, columns, **options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("ask", "option"), [("clearance", "method"), ("free", "limit"), ("first_contact", "limit")]
)
def test_options_of_another_query_are_refused(tmp_path: Path, ask: str, option: str) -> None:
    columns = {"id": np.arange(COUNT), "start_a": lists(START), "end_a": lists(END)}
    with pytest.raises(TypeError, match=f"unexpected option '{option}'"):
        check(tmp_path, columns, ask=ask, **{option: 0.1})
    assert not (tmp_path / "out").exists()
