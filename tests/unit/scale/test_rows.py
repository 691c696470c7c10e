"""Rows of all kinds, rows that are no motions, and columns that are passed through."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.dataset_rows import ARM, ROWS, WANTED, WORLD, Q, check, files, same
from oracles.datasets import Inline, random_ends, table, write

import toccata as tc
from toccata import scale
from toccata.scale._columns import numbers
from toccata.scale._target import Target
from toccata.scenes.primitives import box


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all parts in this process: here it is about what they hold."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "lists": lambda q: pa.array(list(q)),
    "lists of one length": lambda q: pa.FixedSizeListArray.from_arrays(pa.array(q.reshape(-1)), 2),
    "large lists": lambda q: pa.array(list(q), pa.large_list(pa.float64())),
    "nested": lambda q: pa.array([[[a], [b]] for a, b in q]),
    "nested, of one length": lambda q: pa.array(
        [[[a, b]] for a, b in q], pa.list_(pa.list_(pa.float64(), 2), 1)
    ),
    "nested, uneven": lambda q: pa.array([[[], [a, b]] if a > 0 else [[a], [b]] for a, b in q]),
}


@pytest.mark.parametrize("group", [3, 40])
@pytest.mark.parametrize("second", COLUMNS)
@pytest.mark.parametrize("first", ["lists", "lists of one length"])
def test_columns_are_lists_of_any_kind(first: str, second: str, group: int, tmp_path: Path) -> None:
    rows = pa.table({"q0": COLUMNS[first](Q[0]), "q1": COLUMNS[second](Q[1])})
    source = write(tmp_path / "a.parquet", rows, group)
    summary = check(source, tmp_path / "out", rows_per_part=7)
    assert not summary.notes and summary.counts.invalid == 0
    same(scale.load(tmp_path / "out"))


@pytest.mark.parametrize("kind", ["float", "halffloat", "int8", "int64", "uint16"])
def test_other_numbers_are_converted(kind: str, tmp_path: Path) -> None:
    values = (Q * 2).astype(np.dtype({"float": "f4", "halffloat": "f2"}.get(kind, kind)).str)
    if kind == "uint16":
        values = np.abs(Q * 2).astype(np.uint16)
    lists = [pa.array(list(end)) for end in values]
    source = write(tmp_path / "a.parquet", pa.table({"q0": lists[0], "q1": lists[1]}))
    summary = check(source, tmp_path / "out")
    notes = [f"column {c!r}: {kind} numbers were converted to float64" for c in ("q0", "q1")]
    assert list(summary.notes) == (notes if "float" in kind else [])
    wanted = ARM.first_contact_batch(*values.astype(np.float64), WORLD)
    assert scale.load(tmp_path / "out")["toc"].tobytes() == wanted.toc.tobytes()


BAD: dict[str, Any] = {
    "null": None,
    "too short": [1.0],
    "too long": [1.0, 2.0, 3.0],
    "empty": [],
    "nan": [np.nan, 0.0],
    "inf": [0.0, np.inf],
    "a null in it": [None, 0.0],
    "huge": [1e300, -1e300],
}


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("ask", ["first_contact", "free", "clearance"])
def test_rows_that_are_no_motions_are_kept(ask: Any, end: int, tmp_path: Path) -> None:
    ends = [list(map(list, rows)) for rows in Q]
    bad = {3 * i + 1: value for i, value in enumerate(BAD.values())}
    for row, value in bad.items():
        ends[end][row] = value
    rows = pa.table({"id": np.arange(ROWS), "q0": ends[0], "q1": ends[1]})
    source = write(tmp_path / "a.parquet", rows, 6)
    extras = () if ask == "free" else ("q", "points", "distance")
    summary = check(source, tmp_path / "out", ask=ask, extras=extras, rows_per_part=5)
    found = scale.load(tmp_path / "out")
    none = np.isin(np.arange(ROWS), list(bad))
    assert ((found["status"] == scale.INVALID) == none).all()
    assert summary.counts.invalid == len(BAD)
    assert found["id"].tolist() == list(range(ROWS))
    assert (found["toc"][none] == 0).all() and (found["safe_until"][none] == 0).all()
    if ask == "first_contact":
        assert found["toc"][~none].tobytes() == WANTED.toc[~none].tobytes()
        assert np.isnan(found["q"][none]).all() and (found["link_a"][none] == -1).all()


def test_lists_of_one_length_may_be_null(tmp_path: Path) -> None:
    kind = pa.list_(pa.float64(), 2)
    lists = [None if i % 3 == 1 else list(q) for i, q in enumerate(Q[0])]
    rows = pa.table({"q0": pa.array(lists, kind), "q1": pa.array(list(map(list, Q[1])), kind)})
    check(write(tmp_path / "a.parquet", rows, 7), tmp_path / "out", rows_per_part=5)
    found = scale.load(tmp_path / "out")
    none = np.arange(ROWS) % 3 == 1
    assert ((found["status"] == scale.INVALID) == none).all()
    assert found["toc"][~none].tobytes() == WANTED.toc[~none].tobytes()


def test_a_quaternion_of_zeros_is_no_motion(tmp_path: Path) -> None:
    mesh = tc.Mesh(*box((0.5, 0.5, 0.5)))
    robot = tc.Robot(
        [tc.Link("ground"), tc.Link("body", mesh)],
        [tc.Joint("fly", "floating", "ground", "body")],
    )
    q = random_ends(robot, ROWS, reach=3.0)
    q[1, 5, 3:] = 0.0
    source = write(tmp_path / "a.parquet", table(q))
    for ask in ("first_contact", "free", "clearance"):
        target = tmp_path / ask
        summary = check(source, target, robot=robot, ask=ask, rows_per_part=9)
        assert summary.counts.invalid == 1
        assert scale.load(target)["status"].tolist().index(scale.INVALID) == 5
    good = np.arange(ROWS) != 5
    wanted = robot.first_contact_batch(*q[:, good], WORLD)
    assert scale.load(tmp_path / "first_contact")["toc"][good].tobytes() == wanted.toc.tobytes()


@pytest.mark.parametrize("before", [False, True])
def test_strict_raises_for_rows_that_are_no_motions(before: bool, tmp_path: Path) -> None:
    q = Q.copy()
    q[0, 23] = np.nan
    files(tmp_path / "motions", "a.parquet")
    write(tmp_path / "motions" / "b.parquet", table(q))
    if before:  # a run that has kept them says nothing for this one
        assert check(tmp_path / "motions", tmp_path / "out").complete
    with pytest.raises(ValueError, match=r"b\.parquet: .*row"):
        check(tmp_path / "motions", tmp_path / "out", strict=True)
    if not before:
        assert not (tmp_path / "out" / "_SUCCESS").exists()
        check(tmp_path / "motions", tmp_path / "out")
    assert scale.load(tmp_path / "out")["status"].tolist().count(scale.INVALID) == 1


STAMPS = [datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=i) for i in range(ROWS)]


IDS: dict[str, Any] = {
    "text": pa.array([f"motion {i}" for i in range(ROWS)]),
    "bytes": pa.array([b"\x00%d" % i for i in range(ROWS)]),
    "time": pa.array(STAMPS, pa.timestamp("us", "UTC")),
    "dictionary": pa.array([f"kind {i // 7}" for i in range(ROWS)]).dictionary_encode(),
    "struct": pa.array([{"scene": i, "name": str(i)} for i in range(ROWS)]),
    "list": pa.array([[i] * (i % 4) for i in range(ROWS)]),
    "bool": pa.array([i % 3 == 0 for i in range(ROWS)]),
    "nulls": pa.array([None if i % 2 else i for i in range(ROWS)]),
    "decimal": pa.array(range(ROWS)).cast(pa.decimal128(24, 2)),
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_of_any_type_are_passed_through(kind: str, tmp_path: Path) -> None:
    rows = table(Q, before=IDS[kind]).append_column("after", IDS[kind])
    source = write(tmp_path / "a.parquet", rows, 6)
    check(source, tmp_path / "out", rows_per_part=14)
    plan = Target.at(tmp_path / "out").plan()
    parts = [pq.read_table(tmp_path / "out" / part.name) for part in plan.parts]
    found = pa.concat_tables(parts)
    assert found.column_names[:3] == ["before", "after", "status"]
    for name in ("before", "after"):
        assert found[name].to_pylist() == IDS[kind].to_pylist()
        assert found.schema.field(name).type == IDS[kind].type
    loaded = scale.load(tmp_path / "out")
    same(loaded)
    assert len(loaded["before"]) == ROWS
    assert list(scale.load(tmp_path / "out", ["toc"])) == ["toc"]


def test_names_of_columns_count(tmp_path: Path) -> None:
    """Bytes of row groups are the same when columns change their names."""
    rows = table(Q, a=np.arange(ROWS), b=np.arange(ROWS)[::-1].copy())
    target = tmp_path / "out"
    check(write(tmp_path / "m.parquet", rows), target)
    turned = rows.rename_columns(["a", "b", "q1", "q0"])
    assert check(write(tmp_path / "m.parquet", turned), target).parts_computed == 1
    wanted = ARM.first_contact_batch(Q[1], Q[0], WORLD)
    assert scale.load(target)["toc"].tobytes() == wanted.toc.tobytes() != WANTED.toc.tobytes()
    check(write(tmp_path / "m.parquet", rows.rename_columns(["b", "a", "q0", "q1"])), target)
    assert scale.load(target)["b"].tolist() == list(range(ROWS))


@pytest.mark.parametrize(
    "columns", [("from", "to"), {"q0": "from", "q1": "to"}, {"q1": "to", "q0": "from"}]
)
def test_columns_are_found_by_name(columns: Any, tmp_path: Path) -> None:
    rows = table(Q).rename_columns(["id", "to", "from"])
    check(write(tmp_path / "m.parquet", rows), tmp_path / "out", columns=columns)
    wanted = ARM.first_contact_batch(Q[1], Q[0], WORLD)
    assert scale.load(tmp_path / "out")["toc"].tobytes() == wanted.toc.tobytes()


def test_one_column_may_be_both_ends(tmp_path: Path) -> None:
    check(write(tmp_path / "m.parquet", table(Q)), tmp_path / "out", columns=("q0", "q0"))
    wanted = ARM.first_contact_batch(Q[0], Q[0], WORLD)
    found = scale.load(tmp_path / "out")
    assert found["toc"].tobytes() == wanted.toc.tobytes()
    assert found["id"].tolist() == list(range(ROWS)) and "q1" in found


def test_one_column_may_be_both_poses(tmp_path: Path) -> None:
    poses = np.tile(np.eye(4).reshape(-1), (5, 1))
    poses[:, 3] = np.arange(5)
    rows = pa.table({"pose": list(poses), "id": range(5)})
    body, columns = tc.Mesh(*box((2.0, 1.0, 1.0))), {"start_a": "pose", "end_a": "pose"}
    source = write(tmp_path / "m.parquet", rows)
    scale.check_pairs(source, tmp_path / "out", bodies=[body, body], columns=columns)
    found = scale.load(tmp_path / "out")
    assert found["id"].tolist() == list(range(5))
    assert (found["status"] == tc.Status.FREE).tolist() == [False, False, False, True, True]


@given(st.data())
def test_numbers_of_any_lists(data: st.DataObject) -> None:
    """Nested lists, slices and nulls, against what Python says of the same rows."""
    value = st.one_of(st.none(), st.floats(allow_nan=False))
    inner = st.one_of(st.none(), st.lists(value, max_size=3))
    nested = data.draw(st.booleans())
    rows = data.draw(st.lists(st.one_of(st.none(), st.lists(inner, max_size=3)), max_size=12))
    kind = pa.list_(pa.list_(pa.float64()))
    if not nested:
        rows = [None if row is None else [x for part in row for x in part or []] for row in rows]
        kind = data.draw(st.sampled_from([pa.list_(pa.float64()), pa.large_list(pa.float64())]))
    first = data.draw(st.integers(0, len(rows)))
    column = pa.chunked_array([pa.array(rows[:first], kind), pa.array(rows[first:], kind)])
    cut = data.draw(st.integers(0, len(rows)))
    got, fits = numbers(column.slice(cut), 2)
    for row, numbers_of, fit in zip(rows[cut:], got, fits, strict=True):
        flat = None if row is None else row
        if nested and row is not None:
            flat = [x for part in row for x in part or []]
        assert fit == (flat is not None and len(flat) == 2)
        wanted = [np.nan if x is None else x for x in flat] if fit else [np.nan, np.nan]
        np.testing.assert_array_equal(numbers_of, wanted)
