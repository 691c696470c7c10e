"""Contacts of a sequence as a table in a file: parquet, csv, npz or json, by the extension."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from toccata._cli.deforming_options import corners
from toccata._deforming import StepContacts
from toccata._sequence import Frame

Columns = dict[str, NDArray[Any]]

NEW_TOPOLOGY = "NEW_TOPOLOGY"
KINDS = {"vertex-face": "vertex_face", "edge-edge": "edge_edge", "edge-face": "initial_edge_face"}
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
"""Columns of the table: a row per contact, or one row for a step without any.

`frame` counts from 0 and is where the step ends. `status` is that of the step; NEW_TOPOLOGY marks a
frame that no step leads to. `a` and `b` are ids of features, `a0`..`b2` their vertices; -1 and NaN
stand for what is not there.
"""


def rows_of(frame: int, path: str, step: StepContacts | None, mesh: Frame) -> Columns:
    """Return the rows of one step."""
    parts = [] if step is None else [_pairs(step, mesh, feature) for feature in KINDS]
    found = [part for part in parts if len(part["a"])] or [_nothing()]
    rows = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
    count = len(rows["a"])
    status = NEW_TOPOLOGY if step is None else step.status.name
    safe = np.nan if step is None else step.safe_until
    rows |= {
        "frame": np.full(count, frame),
        "path": np.full(count, path),
        "status": np.full(count, status),
        "safe_until": np.full(count, safe),
    }
    return {name: rows[name].astype(kind) for name, kind in TYPES.items()}


def _pairs(step: StepContacts, mesh: Frame, feature: str) -> Columns:
    """Return the pairs of one kind; what pierces at the start has time 0."""
    pairs = np.asarray(getattr(step, KINDS[feature])).reshape(-1, 2)
    pierced = feature == "edge-face"
    times = np.zeros(len(pairs)) if pierced else np.asarray(getattr(step, f"{KINDS[feature]}_toc"))
    vertices = corners(step, mesh, feature, pairs)
    return {
        "feature": np.full(len(pairs), feature),
        "a": pairs[:, 0],
        "b": pairs[:, 1],
        "toc": times,
        **{name: vertices[:, i] for i, name in enumerate(VERTICES)},
    }


def _nothing() -> Columns:
    """Return the row of a step without contact."""
    none = np.full(1, -1)
    rest = {name: none for name in ("a", "b", *VERTICES)}
    return {"feature": np.full(1, ""), "toc": np.full(1, np.nan), **rest}


class Writer(Protocol):
    """Takes rows step by step; the file is whole after `close`."""

    def write(self, rows: Columns) -> None:
        """Add rows."""

    def close(self) -> None:
        """Finish the file."""


class ContactTable:
    """A file that is written while the sequence goes on; use it in a `with` statement."""

    def __init__(self, path: str) -> None:
        makers: dict[str, Callable[[str], Writer]] = {
            ".parquet": Parquet,
            ".csv": Csv,
            ".npz": Gathered,
            ".json": Gathered,
        }
        kind = Path(path).suffix.lower()
        if kind not in makers:
            raise ValueError(f"--out: expected {', '.join(makers)}, got {path}")
        self._writer: Writer = makers[kind](path)

    def __enter__(self) -> Self:
        return self

    def write(self, rows: Columns) -> None:
        """Add the rows of a step."""
        self._writer.write(rows)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.close()


class Parquet:
    """A row group per step, so that memory does not grow with the sequence."""

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


class Csv:
    """Plain text with a header."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("w", newline="", encoding="utf-8")  # noqa: SIM115, see close
        self._csv = csv.writer(self._file)
        self._csv.writerow(TYPES)

    def write(self, rows: Columns) -> None:
        """Add lines."""
        self._csv.writerows(zip(*(rows[name].tolist() for name in TYPES), strict=True))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Gathered:
    """For formats that are written in one piece: npz, and json with a list per column."""

    def __init__(self, path: str) -> None:
        self._path, self._parts = Path(path), [_empty()]

    def write(self, rows: Columns) -> None:
        """Keep rows until the end."""
        self._parts.append(rows)

    def close(self) -> None:
        """Write all rows."""
        whole = {name: np.concatenate([part[name] for part in self._parts]) for name in TYPES}
        if self._path.suffix.lower() == ".npz":
            arrays: dict[str, Any] = dict(whole)
            with self._path.open("wb") as file:  # given a name, numpy may append to it
                np.savez_compressed(file, **arrays)
            return
        lists = {name: [None if x != x else x for x in whole[name].tolist()] for name in TYPES}
        self._path.write_text(json.dumps(lists) + "\n", encoding="utf-8")


def _empty() -> Columns:
    return {name: np.empty(0, dtype=kind) for name, kind in TYPES.items()}
