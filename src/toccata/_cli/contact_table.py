"""Contacts of a sequence as a table in a file: .parquet, .csv, .npz or .json."""

from __future__ import annotations

import csv
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._cli.answers import plain
from toccata._cli.check_step import KINDS, corners
from toccata._deforming import StepContacts
from toccata._sequence import Frame

Columns = dict[str, NDArray[Any]]

NEW_TOPOLOGY = "NEW_TOPOLOGY"
VERTICES = ("a0", "a1", "b0", "b1", "b2")
TYPES: dict[str, type[np.generic]] = {
    "frame": np.int64,
    "path": np.str_,
    "status": np.str_,
    "safe_until": np.float64,
    "feature": np.str_,
    "a": np.int64,
    "b": np.int64,
    "toc": np.float64,
    **dict.fromkeys(VERTICES, np.int64),
}
"""Columns of the table: a row for each contact, or one row for a step without contact.

`frame` counts from 0 and is the frame at which the step ends. `status` belongs to the step;
NEW_TOPOLOGY marks a frame that no step leads to. `a` and `b` are ids of features, `a0`..`b2` their
vertices; -1 and NaN stand for values that do not exist.
"""


def rows_of(frame: int, path: str, step: StepContacts | None, mesh: Frame) -> Columns:
    """Return the rows of one step."""
    parts = [] if step is None else [_pairs(step, mesh, kind) for kind in KINDS]
    found = [part for part in parts if len(part["a"])] or [_no_contact()]
    rows = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
    of_step = {
        "frame": frame,
        "path": path,
        "status": NEW_TOPOLOGY if step is None else step.status.name,
        "safe_until": np.nan if step is None else step.safe_until,
    }
    rows |= {name: np.full(len(rows["a"]), value) for name, value in of_step.items()}
    return {name: rows[name].astype(kind) for name, kind in TYPES.items()}


def _pairs(step: StepContacts, mesh: Frame, kind: str) -> Columns:
    """Return the pairs of one kind; edges that pierce faces do so at time 0."""
    pairs = np.asarray(getattr(step, KINDS[kind])).reshape(-1, 2)
    pierced = kind == "edge-face"
    times = np.zeros(len(pairs)) if pierced else np.asarray(getattr(step, f"{KINDS[kind]}_toc"))
    vertices = corners(step, mesh, kind, pairs)
    return {
        "feature": np.full(len(pairs), kind),
        "a": pairs[:, 0],
        "b": pairs[:, 1],
        "toc": times,
        **{name: vertices[:, i] for i, name in enumerate(VERTICES)},
    }


def _no_contact() -> Columns:
    ids = dict.fromkeys(("a", "b", *VERTICES), np.full(1, -1))
    return {"feature": np.full(1, ""), "toc": np.full(1, np.nan), **ids}


def open_table(path: str) -> Parquet | Gathered:
    """Return the writer of a file, by its ending.

    It takes the rows of each step with `write`; the file is complete after `close`.
    """
    return _WRITERS[Path(path).suffix.lower()](path)


class Parquet:
    """A row group for each step, so that memory does not grow with the sequence."""

    def __init__(self, path: str) -> None:
        try:
            arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ModuleNotFoundError as error:
            hint = "pip install 'toccata[parquet]', or write .csv, .npz or .json"
            raise ModuleNotFoundError(f"parquet files need pyarrow: {hint}") from error
        kinds: dict[Any, Any] = {np.int64: arrow.int64(), np.float64: arrow.float64()}
        fields = [(name, kinds.get(kind, arrow.string())) for name, kind in TYPES.items()]
        self._arrow, self._schema = arrow, arrow.schema(fields)
        self._file = parquet.ParquetWriter(path, self._schema)

    def write(self, rows: Columns) -> None:
        """Add a row group."""
        arrays = {n: v.tolist() if v.dtype.kind == "U" else v for n, v in rows.items()}
        self._file.write_table(self._arrow.table(arrays, schema=self._schema))

    def close(self) -> None:
        """Write the footer."""
        self._file.close()


class Gathered:
    """Formats that are written at the end: .npz, .csv, and .json with a list for each column."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._parts = [{name: np.empty(0, dtype=kind) for name, kind in TYPES.items()}]

    def write(self, rows: Columns) -> None:
        """Keep rows until the end."""
        self._parts.append(rows)

    def close(self) -> None:
        """Write all rows."""
        whole = {name: np.concatenate([part[name] for part in self._parts]) for name in TYPES}
        kind = self._path.suffix.lower()
        if kind == ".npz":
            arrays: dict[str, Any] = dict(whole)
            np.savez_compressed(self._path, **arrays)
            return
        lists = {name: column.tolist() for name, column in whole.items()}
        with self._path.open("w", newline="", encoding="utf-8") as file:
            if kind == ".json":
                file.write(json.dumps(plain(lists)) + "\n")
            else:
                csv.writer(file).writerows([lists, *zip(*lists.values(), strict=True)])


_WRITERS: dict[str, type[Parquet | Gathered]] = {
    ".parquet": Parquet,
    ".csv": Gathered,
    ".npz": Gathered,
    ".json": Gathered,
}
ENDINGS = tuple(_WRITERS)
