"""What datasets may look like, rows that are no motions, and what is refused."""

from __future__ import annotations

import builtins
import datetime
import shutil
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
from oracles import datasets
from oracles.datasets import Inline, table, wall, ways, write

import toccata as tc
from toccata import scale
from toccata.scale.columns import numbers
from toccata.scale.executors import executor_of
from toccata.scale.files import find
from toccata.scale.plan import split
from toccata.scale.source import Source
from toccata.scale.target import Target
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm

ROWS = 40
ARM, WORLD = planar_arm(), wall()
Q = ways(ARM, ROWS)
WANTED = ARM.first_contact_batch(*Q, WORLD)


@pytest.fixture(autouse=True)
def inline(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all parts in this process: here it is about rows."""
    if request.function is not test_executors_that_are_none_are_told:
        monkeypatch.setattr("toccata.scale.checks.executor_of", lambda *_: Inline())


def check(source: Any, target: Path, **how: Any) -> scale.Summary:
    return scale.check_motions(source, target, **{"robot": ARM, "world": WORLD, **how})


def same(found: scale.Verdicts, rows: Any = slice(None)) -> None:
    """Check verdicts against those of the batch, for some rows of it."""
    assert (found["status"] == WANTED.status[rows]).all()
    assert found["toc"].tobytes() == WANTED.toc[rows].tobytes()


def files(folder: Path, *names: str, **ids: Any) -> Path:
    """Write the motions in equal pieces, in the order of the names."""
    pieces = np.array_split(np.arange(ROWS), len(names))
    for name, piece in zip(names, pieces, strict=True):
        write(folder / name, table(Q[:, piece], id=piece))
    return folder


SOURCES: dict[str, Callable[[Path], Any]] = {
    "folder": lambda f: files(f, "a.parquet", "b.parquet"),
    "text": lambda f: str(files(f, "a.parquet", "b.parquet")),
    "folders below": lambda f: files(f, "a/z.parquet", "b.parquet", "c/d/e.parquet"),
    "a file": lambda f: files(f, "a.pq") / "a.pq",
    "files": lambda f: [files(f, "b.parquet", "a.parquet") / n for n in ("b.parquet", "a.parquet")],
    "folders": lambda f: [files(f, "y/1.parquet", "x/1.parquet") / n for n in "yx"],
    "pattern": lambda f: files(f, "a1.parquet", "a2.parquet") / "a?.parquet",
    "pattern of folders": lambda f: f"{files(f, 'run1/a.parquet', 'run2/a.parquet')}/run*/a.*",
    "any folders": lambda f: (
        f"{files(f, 'a.parquet', 'b/b.parquet', 'c/d/e.parquet')}/**/*.parquet"
    ),
    "address": lambda f: files(f, "a.parquet", "b.parquet").as_uri(),
    "address of a file": lambda f: (files(f, "a.parquet") / "a.parquet").as_uri(),
    "pattern in an address": lambda f: files(f, "a.parquet", "b.parquet").as_uri() + "/*.parquet",
    "brackets": lambda f: files(f / "run[1]", "a.parquet", "b[2].parquet"),
    "a file with brackets": lambda f: files(f, "b[2].parquet") / "b[2].parquet",
    "spaces": lambda f: files(f / "my motions", "a b.parquet"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_sources_are_read_in_the_order_of_their_names(kind: str, tmp_path: Path) -> None:
    source = SOURCES[kind](tmp_path / "motions")
    for stray in ("_SUCCESS", ".hidden.parquet", "_others/a.parquet", "notes.txt"):
        path = tmp_path / "motions" / stray
        path.parent.mkdir(exist_ok=True)
        path.write_text("no Parquet")
    check(source, tmp_path / "out", rows_per_part=7)
    found = scale.load(tmp_path / "out")
    assert found["id"].tolist() == list(range(ROWS))
    same(found)


@pytest.mark.parametrize("where", ["path", "address", "address with a slash", "relative"])
def test_targets_are_folders_anywhere(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = files(tmp_path / "motions", "a.parquet")
    monkeypatch.chdir(tmp_path)
    target: Any = {
        "path": tmp_path / "a" / "b",
        "address": (tmp_path / "a").as_uri(),
        "address with a slash": (tmp_path / "a").as_uri() + "/",
        "relative": "a",
    }[where]
    check(source, target)
    same(scale.load(target))
    assert scale.status(target).complete and check(source, target).parts_computed == 0


def test_filesystems_that_are_not_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files(tmp_path / "motions", "a.parquet", "b.parquet")
    fs = pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem())
    for module in ("source", "target", "run"):
        monkeypatch.setattr(f"toccata.scale.{module}.locate", lambda place: (fs, str(place)))
    check("motions", "out", rows_per_part=9)
    same(scale.load("out"))
    check(["motions/a.parquet", "motions/b.parquet"], "other", rows_per_part=9)
    assert datasets.bits(tmp_path / "out") == datasets.bits(tmp_path / "other")
    assert not datasets.left_over(tmp_path / "out")


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
    q = ways(robot, ROWS, reach=3.0)
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


def test_row_groups_of_any_size_give_the_same(tmp_path: Path) -> None:
    for group in (1, 3, 40):
        for rows in (1, 7, 13, 1000):
            source = write(tmp_path / f"{group}.parquet", table(Q), group)
            target = tmp_path / f"{group}-{rows}"
            summary = check(source, target, rows_per_part=rows)
            assert all(pq.read_metadata(p).num_rows <= rows for p in target.glob("*.parquet"))
            assert summary.parts == len(list(target.glob("*.parquet")))
            same(scale.load(target))


@given(
    st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=6), min_size=1, max_size=4),
    st.integers(1, 50),
)
def test_parts_cover_all_rows_of_their_files(groups: list[list[int]], most: int) -> None:
    flat = [(file, group, rows) for file, g in enumerate(groups) for group, rows in enumerate(g)]
    full = [(file, group, rows) for file, group, rows in flat if rows]
    starts = tuple(np.cumsum([0, *(rows for *_, rows in full)]).tolist())
    places = tuple((file, group) for file, group, _ in full)
    spans = split(Source(None, (), None, starts, places), most)
    assert [row for span in spans for row in range(span.start, span.stop)] == list(
        range(starts[-1])
    )
    borders = set(np.cumsum([0, *(sum(file) for file in groups)]).tolist())
    for span in spans:
        assert 0 < span.stop - span.start <= most and span.begin == span.start
        assert not borders & set(range(span.start + 1, span.stop))


def test_files_without_rows_are_no_trouble(tmp_path: Path) -> None:
    folder = files(tmp_path / "motions", "b.parquet", "d.parquet")
    for name in "ace":
        write(folder / f"{name}.parquet", table(Q, id=np.arange(ROWS)).slice(0, 0))
    check(folder, tmp_path / "out", rows_per_part=11)
    same(scale.load(tmp_path / "out"))
    nothing = check(folder / "a.parquet", tmp_path / "none")
    assert nothing.complete and nothing.rows == nothing.parts == 0
    assert (tmp_path / "none" / "_SUCCESS").exists() and scale.status(tmp_path / "none").complete


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


def test_equal_files_are_different_questions(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        for name in ("a.parquet", "b.parquet"):
            write(tmp_path / folder / name, table(Q))
    both = [tmp_path / "x", tmp_path / "y"]
    summary = check(both, tmp_path / "out")
    assert summary.rows == 4 * ROWS == len(scale.load(tmp_path / "out")["id"])
    assert summary.parts == 4 == len(list((tmp_path / "out").glob("*.parquet")))
    assert check(both, tmp_path / "out").parts_computed == 0


def test_a_source_that_moves_keeps_its_verdicts(tmp_path: Path) -> None:
    files(tmp_path / "motions", "a.parquet", "b/c.parquet")
    check(tmp_path / "motions", tmp_path / "out")
    shutil.move(tmp_path / "motions", tmp_path / "elsewhere")
    shutil.move(tmp_path / "out", tmp_path / "verdicts")
    assert check(tmp_path / "elsewhere", tmp_path / "verdicts").parts_computed == 0


REFUSED: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "option": ({"speed": 1}, TypeError, "speed"),
    "option of another question": ({"ask": "free", "initial": "report"}, TypeError, "initial"),
    "value": ({"tolerance": -1.0}, ValueError, "tolerance"),
    "method": ({"method": "magic"}, ValueError, "method: expected one of"),
    "pair": ({"separation": {("link1", "moon"): 1.0}}, ValueError, "got 'moon'"),
    "ask": ({"ask": "maybe"}, ValueError, "ask: expected one of free"),
    "extras": ({"extras": ("speed",)}, ValueError, "extras: expected some of"),
    "extras in a text": ({"extras": "q"}, ValueError, "extras: expected some of"),
    "extras of free": ({"ask": "free", "extras": ("q",)}, ValueError, "extras: expected none"),
    "column": ({"columns": ("q0", "q2")}, ValueError, "expected 'q2' in the source"),
    "columns": ({"columns": ("q0", "q1", "id")}, ValueError, "columns: expected one for q0"),
    "one column": ({"columns": {"q0": "q0"}}, ValueError, "columns: expected one for q0"),
    "text of columns": ({"columns": "ab"}, ValueError, "columns: expected one for q0"),
    "name": ({"columns": {"q0": "q0", "q5": "q1"}}, ValueError, "columns: expected some of q0"),
    "type": ({"columns": ("id", "q1")}, ValueError, "column 'id': expected lists of 2 numbers"),
    "rows": ({"rows_per_part": 0}, ValueError, "rows_per_part"),
    "part of a row": ({"rows_per_part": 1.5}, ValueError, "rows_per_part"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_does_not_fit_is_told_before_anything_is_written(kind: str, tmp_path: Path) -> None:
    how, error, text = REFUSED[kind]
    source = files(tmp_path / "motions", "a.parquet")
    with pytest.raises(error, match=text):
        check(source, tmp_path / "out", **how)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["status", "toc", "link_a", "q"])
def test_columns_that_verdicts_need_are_refused(name: str, tmp_path: Path) -> None:
    rows = table(Q, **{name: np.arange(ROWS)})
    with pytest.raises(ValueError, match=f"other names of columns, got {name!r}"):
        check(write(tmp_path / "m.parquet", rows), tmp_path / "out", extras=("q",))


def test_a_column_of_motions_may_have_the_name_of_a_verdict(tmp_path: Path) -> None:
    rows = table(Q).rename_columns(["id", "q", "status"])
    source = write(tmp_path / "m.parquet", rows)
    check(source, tmp_path / "out", columns=("q", "status"), extras=("q",))
    same(scale.load(tmp_path / "out"))


PAIRS = COLUMNS["lists of one length"](Q[0])
WRONG: dict[str, tuple[Callable[[Path], Any], type[Exception], str]] = {
    "nothing": (lambda f: f / "nowhere", FileNotFoundError, "nowhere: no such file or folder"),
    "empty folder": (lambda f: f.mkdir() or f, ValueError, "expected .*parquet, got none"),
    "no match": (lambda f: files(f, "a.parquet") / "b*.parquet", ValueError, "got none"),
    "no list": (lambda f: [], ValueError, "source: expected files or folders"),
    "no Parquet": (
        lambda f: [files(f, "a.parquet"), (f / "b.parquet").write_text("text") and f][1],
        ValueError,
        "b.parquet: expected a Parquet file",
    ),
    "other columns": (
        lambda f: [files(f, "a.parquet"), write(f / "b.parquet", table(Q, no=range(ROWS)))][0],
        ValueError,
        "b.parquet: expected the columns of a.parquet",
    ),
    "other lengths": (
        lambda f: write(f / "a.parquet", pa.table({n: PAIRS for n in ("q0", "q1")})),
        ValueError,
        "expected lists of 3 numbers",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_sources_that_are_none_are_told(kind: str, tmp_path: Path) -> None:
    make, error, text = WRONG[kind]
    robot = planar_arm((1.0, 1.0, 1.0)) if kind == "other lengths" else ARM
    with pytest.raises(error, match=text):
        check(make(tmp_path / "motions"), tmp_path / "out", robot=robot)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("inside", [".", "verdicts", "deep/verdicts"])
@pytest.mark.parametrize("how", ["folder", "pattern", "address"])
def test_a_target_in_the_source_is_refused_at_once(inside: str, how: str, tmp_path: Path) -> None:
    folder = files(tmp_path / "motions", "a.parquet")
    source = {"folder": folder, "pattern": f"{folder}/**/*.parquet", "address": folder.as_uri()}
    with pytest.raises(ValueError, match="target: expected a folder"):
        check(source[how], folder / inside)
    assert [path.name for path in folder.iterdir()] == ["a.parquet"]


@pytest.mark.parametrize("target", ["_verdicts", "below/_verdicts"])
def test_a_target_in_the_source_that_nobody_reads_is_taken(target: str, tmp_path: Path) -> None:
    folder = files(tmp_path / "motions", "a.parquet")
    for computed in (1, 0):
        assert check(folder, folder / target).parts_computed == computed
    check(folder / "*.parquet", folder / "verdicts")
    assert check(folder / "*.parquet", folder / "verdicts").parts_computed == 0


def test_load_wants_a_target_and_all_of_it(tmp_path: Path) -> None:
    for ask in (scale.load, scale.status):
        with pytest.raises(FileNotFoundError, match=r"expected verdicts, got no _plan\.json"):
            ask(tmp_path / "nowhere")
    source = files(tmp_path / "motions", "a.parquet", "b.parquet")
    check(source, tmp_path / "out", rows_per_part=10)
    lost = sorted((tmp_path / "out").glob("*.parquet"))[1]
    lost.unlink()
    with pytest.raises(ValueError, match="target: expected all 4 parts, got 1 less"):
        scale.load(tmp_path / "out")
    some = scale.load(tmp_path / "out", partial=True)
    same(some, some["id"])
    assert len(some["id"]) == 30
    told = scale.status(tmp_path / "out")
    assert not told.complete and told.counts.rows == 30 and "INCOMPLETE: 30 of 40" in str(told)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"executor": "threads"}, "executor: expected processes, dask, ray or"),
        ({"executor": None}, "executor: expected processes, dask, ray or"),
        ({"address": "tcp://127.0.0.1:1"}, "address: expected None for processes"),
        ({"workers": 0}, "workers: expected"),
        ({"workers": 1.5}, "workers: expected a whole number"),
    ],
)
def test_executors_that_are_none_are_told(given: Any, text: str, tmp_path: Path) -> None:
    source = files(tmp_path / "motions", "a.parquet")
    with pytest.raises(ValueError, match=text):
        check(source, tmp_path / "out", **given)


@pytest.mark.parametrize(
    ("module", "extra", "ask"),
    [
        ("pyarrow", "scale", lambda f: check(f, f / "_out")),
        ("distributed", "dask", lambda f: executor_of("dask", 1, None)),
        ("ray", "ray", lambda f: executor_of("ray", 1, None)),
    ],
)
def test_what_is_not_installed_is_told(
    module: str, extra: str, ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = files(tmp_path / "motions", "a.parquet")
    importing = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    monkeypatch.setattr("toccata.scale.files.import_module", missing)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'toccata\[{extra}\]'"):
        ask(source)


def test_patterns_match_as_shells_do(tmp_path: Path) -> None:
    names = [
        "a.parquet",
        "b/a.parquet",
        "b/c/a.parquet",
        "_x/a.parquet",
        ".y.parquet",
        "_z.parquet",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    fs = pyarrow.fs.LocalFileSystem()

    def found(pattern: str) -> list[str]:
        return [str(Path(p).relative_to(tmp_path)) for p in find(fs, f"{tmp_path}/{pattern}")[1]]

    assert found("*.parquet") == ["a.parquet"]
    assert found("**/*.parquet") == names[:3] == found("**/**/*.parquet")
    assert found("*/a.parquet") == ["b/a.parquet"] == found("[b]/*")
    assert found("**/c/*.parquet") == ["b/c/a.parquet"] == found("b/**/c/a*")
    assert found("_[xy]/*.parquet") == ["_x/a.parquet"]
    assert found("**") == names[:3]


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
