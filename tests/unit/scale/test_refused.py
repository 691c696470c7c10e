"""What does not fit is told before anything is written."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from oracles.dataset_rows import ARM, ROWS, Q, check, files, same
from oracles.datasets import Inline, table, write

from toccata import scale
from toccata.scale._executors import executor_of
from toccata.scenes.robots import planar_arm


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all parts in this process: here it is about what they hold."""
    monkeypatch.setattr("toccata.scale._options.executor_of", lambda *_: Inline())


REFUSED: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "option": ({"speed": 1}, TypeError, "speed"),
    "option of another question": ({"ask": "free", "initial": "report"}, TypeError, "initial"),
    "method of a clearance": ({"ask": "clearance", "method": "hca"}, TypeError, "method"),
    "limit of a contact": ({"limit": 0.1}, TypeError, "limit"),
    "value": ({"tolerance": -1.0}, ValueError, "tolerance"),
    "method": ({"method": "magic"}, ValueError, "method: expected one of"),
    "pair": ({"separation": {("link1", "moon"): 1.0}}, ValueError, "got 'moon'"),
    "ask": ({"ask": "maybe"}, ValueError, "ask: expected one of free"),
    "extras": ({"extras": ("speed",)}, ValueError, "extras: expected some of"),
    "extras in a text": ({"extras": "q"}, ValueError, "extras: expected some of"),
    "extras of free": ({"ask": "free", "extras": ("q",)}, ValueError, "extras: expected none"),
    "column": ({"columns": ("q0", "q2")}, ValueError, "the source has no 'q2'"),
    "columns": ({"columns": ("q0", "q1", "id")}, ValueError, "columns: expected a column for q0"),
    "one column": ({"columns": {"q0": "q0"}}, ValueError, "columns: expected a column for q0"),
    "text of columns": ({"columns": "ab"}, ValueError, "columns: expected a column for q0"),
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
    with pytest.raises(ValueError, match=f"column {name!r} has the name of a verdict"):
        check(write(tmp_path / "m.parquet", rows), tmp_path / "out", extras=("q",))


def test_a_column_of_motions_may_have_the_name_of_a_verdict(tmp_path: Path) -> None:
    rows = table(Q).rename_columns(["id", "q", "status"])
    source = write(tmp_path / "m.parquet", rows)
    check(source, tmp_path / "out", columns=("q", "status"), extras=("q",))
    same(scale.load(tmp_path / "out"))


PAIRS = pa.FixedSizeListArray.from_arrays(pa.array(Q[0].reshape(-1)), 2)


WRONG: dict[str, tuple[Callable[[Path], Any], type[Exception], str]] = {
    "nothing": (lambda f: f / "nowhere", FileNotFoundError, "nowhere: no such file or folder"),
    "empty folder": (lambda f: f.mkdir() or f, ValueError, "there are no .*parquet files"),
    "no match": (lambda f: files(f, "a.parquet") / "b*.parquet", ValueError, "there are no"),
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


def test_load_wants_a_target_and_all_of_it(tmp_path: Path) -> None:
    for ask in (scale.load, scale.status):
        with pytest.raises(FileNotFoundError, match=r"the folder has no _plan\.json"):
            ask(tmp_path / "nowhere")
    source = files(tmp_path / "motions", "a.parquet", "b.parquet")
    check(source, tmp_path / "out", rows_per_part=10)
    lost = sorted((tmp_path / "out").glob("*.parquet"))[1]
    lost.unlink()
    with pytest.raises(ValueError, match="target: 1 of 4 parts are missing"):
        scale.load(tmp_path / "out")
    some = scale.load(tmp_path / "out", partial=True)
    same(some, some["id"])
    assert len(some["id"]) == 30
    told = scale.status(tmp_path / "out")
    assert not told.complete and told.counts.rows == 30 and "INCOMPLETE: 30 of 40" in str(told)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (("threads", 2, None), "executor: expected processes, dask, ray or"),
        (("processes", 2, "tcp://127.0.0.1:1"), "address: expected None for processes"),
        (("processes", 0, None), "workers: expected"),
        (("processes", 1.5, None), "workers: expected a whole number"),
    ],
)
def test_executors_that_are_none_are_told(given: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        executor_of(*given)


def test_an_executor_of_a_wrong_type_is_named() -> None:
    with pytest.raises(TypeError, match=r"executor: expected processes, dask, ray or .* got None"):
        executor_of(None, 2, None)


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
    monkeypatch.setattr("toccata.scale._files.import_module", missing)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'toccata\[{extra}\]'"):
        ask(source)
