"""Queries about every row of a dataset, and the columns of their verdicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from toccata._result import Status
from toccata.scale._columns import Mask, named, spread, vectors
from toccata.scale._files import arrow
from toccata.scale._fingerprint import fingerprint
from toccata.scale._plan import Part, RowRange, split
from toccata.scale._source import Source
from toccata.scale._summary import INVALID

Ask = Literal["free", "first_contact", "clearance"]
ASKS = ("free", "first_contact", "clearance")
Extra = Literal["q", "points", "distance"]
_EXTRAS = {"q": ("q",), "points": ("point_a", "point_b", "normal"), "distance": ("distance",)}
"""Columns by extra."""
Found = dict[str, Any]
"""Columns of answers by name: (n,) or (n, k) arrays, or `Named` codes."""


@dataclass(frozen=True, slots=True)
class Named:
    """Codes with the names that they index; -1 stands for no name."""

    codes: NDArray[Any]
    names: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Question(ABC):
    """A query about each row. It can be pickled, and its hash identifies its verdicts."""

    columns: Mapping[str, str]
    """Columns of the source by argument; all other columns are copied to the target."""
    ask: Ask
    extras: tuple[Extra, ...]
    options: Mapping[str, Any]

    @property
    @abstractmethod
    def model(self) -> Any:
        """The bodies that move, for the hash."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, Sequence[str]]:
        """Names that codes index, by column."""

    @abstractmethod
    def check(self, schema: Any) -> list[str]:
        """Raise for unfit columns or options; return notes about the input."""

    @abstractmethod
    def answer(self, source: Source, part: Part) -> Any:
        """Return the table of verdicts of a part."""

    def ranges(self, source: Source, most: int) -> list[RowRange]:
        """Return the rows of the parts, at most `most` each."""
        return split(source, most)

    def about(self) -> dict[str, Any]:
        """Return the query in words and hashes, for readers of the files."""
        from toccata import __version__

        return {
            "version": __version__,
            "kind": type(self).__name__,
            "model": fingerprint(self.model),
            "columns": dict(self.columns),
            "ask": self.ask,
            "extras": list(self.extras),
            "options": {name: repr(value) for name, value in sorted(self.options.items())},
            "names": {column: list(names) for column, names in self.names.items()},
        }

    def extra_columns(self, columns: Found) -> Found:
        """Return those columns that the extras ask for."""
        wanted = {name for extra in self.extras for name in _EXTRAS[extra]}
        return {name: values for name, values in columns.items() if name in wanted}


def check_choices(ask: str, extras: Sequence[str], known: Sequence[str]) -> None:
    """Raise for an unknown query or unknown extras."""
    if ask not in ASKS:
        raise ValueError(f"ask: expected one of {', '.join(ASKS)}, got {ask!r}")
    if isinstance(extras, str) or any(extra not in known for extra in extras):
        raise ValueError(f"extras: expected some of {', '.join(known)}, got {extras!r}")
    if ask == "free" and extras:
        raise ValueError(f"extras: expected none with ask='free', got {extras!r}")


def check_ids(schema: Any, columns: Sequence[str], own: Sequence[str]) -> None:
    """Raise for copied columns of the source that have the names of verdicts."""
    taken = [name for name in schema.names if name in own and name not in columns]
    if taken:
        raise ValueError(f"source: column {taken[0]!r} has the name of a verdict column")


def answer_valid(
    valid: Mask, answer: Callable[[Mask], Found], is_valid: Callable[[int], bool]
) -> tuple[Found, Mask]:
    """Answer the valid rows. If the query refuses some, test them one by one and leave those out.

    Rows are rarely invalid, so they are not tested one by one before.
    """
    try:
        return answer(valid), valid
    except ValueError:
        valid = valid.copy()
        rows = np.flatnonzero(valid)
        valid[rows] = [is_valid(int(row)) for row in rows]
        return answer(valid), valid


def contact_columns(batch: Any) -> Found:
    """Return the status and the times of first contacts."""
    return {
        "status": batch.status.astype(np.int8),
        "toc": batch.toc,
        "safe_until": batch.safe_until,
    }


def free_columns(status: NDArray[Any]) -> Found:
    """Return statuses with the times that they imply: rows that are not free are safe until 0."""
    free = status == Status.FREE
    toc, safe = np.where(free, np.inf, 0.0), np.where(free, 1.0, 0.0)
    return {"status": status.astype(np.int8), "toc": toc, "safe_until": safe}


def clearance_columns(answers: Sequence[Any]) -> Found:
    """Return the statuses and bounds of clearances.

    FREE if the lower bound is above 0, CONTACT if the distance is within the tolerance.
    """
    values = {
        name: np.array([getattr(one, name) for one in answers], dtype=np.float64)
        for name in ("lower", "upper", "time", "distance", "tolerance")
    }
    touching = np.where(values["distance"] <= values["tolerance"], Status.CONTACT, Status.UNDECIDED)
    status = np.where(values["lower"] > 0, Status.FREE, touching)
    return free_columns(status) | {name: values[name] for name in ("lower", "upper", "time")}


def rows_of(answers: Sequence[Any], name: str, *shape: int) -> NDArray[Any]:
    """Return a field of all answers as an array, also of none."""
    return np.array([getattr(one, name) for one in answers], dtype=np.float64).reshape(-1, *shape)


def verdicts(ids: Any, valid: Mask, found: Found) -> Any:
    """Return a table: the copied columns, then the answers to the valid rows.

    Other rows have the status INVALID and prove nothing: their times are 0.
    """
    missing = {"status": INVALID, "toc": 0.0, "safe_until": 0.0, "lower": 0.0, "upper": np.inf}
    columns = {name: ids[name] for name in ids.column_names}
    for name, values in found.items():
        if isinstance(values, Named):
            columns[name] = named(spread(values.codes, valid, -1), values.names)
        else:
            is_integer = np.issubdtype(values.dtype, np.integer)
            rows = spread(values, valid, missing.get(name, -1 if is_integer else np.nan))
            columns[name] = vectors(rows) if rows.ndim == 2 else arrow().array(rows)
    return arrow().table(columns)
