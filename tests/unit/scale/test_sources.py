"""Where rows come from and where verdicts go: files, folders, patterns and addresses."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import datasets
from oracles.dataset_rows import ROWS, Q, check, files, same
from oracles.datasets import Inline, table, write

from toccata import scale
from toccata.scale._files import find
from toccata.scale._plan import split
from toccata.scale._source import Source


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all parts in this process: here it is about what they hold."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


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
    for module in ("_source", "_target", "_run"):
        monkeypatch.setattr(f"toccata.scale.{module}.locate", lambda place: (fs, str(place)))
    check("motions", "out", rows_per_part=9)
    same(scale.load("out"))
    check(["motions/a.parquet", "motions/b.parquet"], "other", rows_per_part=9)
    assert datasets.bits(tmp_path / "out") == datasets.bits(tmp_path / "other")
    assert not datasets.left_over(tmp_path / "out")


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


@pytest.mark.parametrize("inside", [".", "verdicts", "deep/verdicts"])
@pytest.mark.parametrize("how", ["folder", "pattern", "address"])
def test_a_target_in_the_source_is_refused_at_once(inside: str, how: str, tmp_path: Path) -> None:
    folder = files(tmp_path / "motions", "a.parquet")
    source = {"folder": folder, "pattern": f"{folder}/**/*.parquet", "address": folder.as_uri()}
    with pytest.raises(ValueError, match=r"target: (expected a folder|the folder contains)"):
        check(source[how], folder / inside)
    assert [path.name for path in folder.iterdir()] == ["a.parquet"]


@pytest.mark.parametrize("target", ["_verdicts", "below/_verdicts"])
def test_a_target_in_the_source_that_nobody_reads_is_taken(target: str, tmp_path: Path) -> None:
    folder = files(tmp_path / "motions", "a.parquet")
    for computed in (1, 0):
        assert check(folder, folder / target).parts_computed == computed
    check(folder / "*.parquet", folder / "verdicts")
    assert check(folder / "*.parquet", folder / "verdicts").parts_computed == 0


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
