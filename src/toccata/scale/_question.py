"""Queries about every row of a dataset, and the columns of their verdicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
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
_EXTRAS = {
    "q": "q",
    "point_a": "points",
    "point_b": "points",
    "normal": "points",
    "distance": "distance",
}
"""The name in `extras` that requests each additional column."""
Found = dict[str, Any]
"""Columns of answers by name: (n,) or (n, k) arrays, or `Named` codes."""


@dataclass(frozen=True, slots=True)
class Named:
    """Codes, which are indices of names. The code -1 stands for no name."""

    codes: NDArray[Any]
    names: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Question(ABC):
    """A query about each row. It can be pickled, and its hash identifies its verdicts."""

    columns: Mapping[str, str]
    """Columns of the source by argument. All other columns are copied to the target."""
    ask: Ask
    extras: tuple[Extra, ...]
    options: Mapping[str, Any]

    @property
    @abstractmethod
    def model(self) -> Any:
        """The bodies and other arguments, for the hash."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, Sequence[str]]:
        """Names that codes index, by column."""

    @abstractmethod
    def check(self, schema: Any) -> list[str]:
        """Raise ValueError for unsuitable columns or options. Return notes about the input."""

    @abstractmethod
    def answer(self, source: Source, part: Part) -> Any:
        """Return the table of verdicts of a part."""

    def ranges(self, source: Source, most: int) -> list[RowRange]:
        """Return the rows of the parts, at most `most` in each."""
        return split(source, most)

    def about(self) -> dict[str, Any]:
        """Return the query as text and hashes, for readers of the files."""
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

    def check_copied(self, schema: Any, own: Found) -> None:
        """Raise ValueError if a copied column has the name of a column of verdicts."""
        used = self.columns.values()
        taken = [name for name in schema.names if name in own and name not in used]
        if taken:
            raise ValueError(f"source: column {taken[0]!r} has the name of a verdict column")


class MotionQuestion(Question):
    """A query about motions, one in each row."""

    __slots__ = ()

    @abstractmethod
    def _arrays(self, table: Any) -> tuple[list[NDArray[Any]], Mask]:
        """Return the motions of a table as arrays, and a mask of rows that may be valid."""

    @abstractmethod
    def _check_motion(self, *arrays: Any) -> None:
        """Raise ValueError unless arrays with one row are a valid motion."""

    @abstractmethod
    def _ask(self, *arrays: Any) -> Found:
        """Return the answers to the motions in arrays."""

    def answer(self, source: Source, part: Part) -> Any:
        """Return the verdicts of a part. Rows that are not valid motions are INVALID."""
        table = source.read(part.start, part.stop)
        arrays, valid = self._arrays(table)
        try:
            found = self._ask(*(rows[valid] for rows in arrays))
        except ValueError:  # rare, so single rows are tested only now
            possible = np.flatnonzero(valid)
            valid[possible] = [self._is_valid(*(rows[[i]] for rows in arrays)) for i in possible]
            found = self._ask(*(rows[valid] for rows in arrays))
        ids = [name for name in table.column_names if name not in self._used]
        return verdicts(table.select(ids), valid, found)

    @property
    def _used(self) -> Collection[str]:
        """Columns of the source that are not copied to the target."""
        return self.columns.values()

    def _is_valid(self, *motion: Any) -> bool:
        try:
            self._check_motion(*motion)
        except ValueError:
            return False
        return True

    def contact_extras(self, batch: Any) -> Found:
        """Return the additional columns of contacts."""
        return {name: getattr(batch, name) for name in self._extra_columns}

    def clearance_extras(self, answers: Sequence[Any], dof: int = 0) -> Found:
        """Return the additional columns of clearances, which have no normal."""
        shapes = {"q": (dof,), "point_a": (3,), "point_b": (3,), "distance": ()}
        names = [name for name in self._extra_columns if name in shapes]
        return {name: _rows_of(answers, name, *shapes[name]) for name in names}

    @property
    def _extra_columns(self) -> list[str]:
        return [name for name, extra in _EXTRAS.items() if extra in self.extras]


def check_choices(ask: str, extras: Sequence[str], known: Sequence[str]) -> None:
    """Raise ValueError for an unknown query or unknown extras."""
    if ask not in ASKS:
        raise ValueError(f"ask: expected one of {', '.join(ASKS)}, got {ask!r}")
    if isinstance(extras, str) or any(extra not in known for extra in extras):
        raise ValueError(f"extras: expected some of {', '.join(known)}, got {extras!r}")
    if ask == "free" and extras:
        raise ValueError(f"extras: expected none with ask='free', got {extras!r}")


def contact_columns(batch: Any) -> Found:
    """Return the status and the times of first contacts."""
    status = batch.status.astype(np.int8)
    return {"status": status, "toc": batch.toc, "safe_until": batch.safe_until}


def free_columns(status: NDArray[Any]) -> Found:
    """Return statuses and the times that follow. Rows that are not free are safe until 0."""
    free = status == Status.FREE
    toc, safe = np.where(free, np.inf, 0.0), np.where(free, 1.0, 0.0)
    return {"status": status.astype(np.int8), "toc": toc, "safe_until": safe}


def clearance_columns(answers: Sequence[Any]) -> Found:
    """Return the statuses and bounds of clearances.

    The status is FREE if the lower bound is above 0, and CONTACT if the distance is within the
    tolerance.
    """
    lower, upper, time = (_rows_of(answers, name) for name in ("lower", "upper", "time"))
    touching = _rows_of(answers, "distance") <= _rows_of(answers, "tolerance")
    status = np.where(lower > 0, Status.FREE, np.where(touching, Status.CONTACT, Status.UNDECIDED))
    return free_columns(status) | {"lower": lower, "upper": upper, "time": time}


def _rows_of(answers: Sequence[Any], name: str, *shape: int) -> NDArray[Any]:
    """Return a field of all answers as an array. `answers` may be empty."""
    return np.array([getattr(one, name) for one in answers], dtype=np.float64).reshape(-1, *shape)


def verdicts(ids: Any, valid: Mask, found: Found) -> Any:
    """Return a table: the copied columns, then the answers to the valid rows.

    Other rows have the status INVALID. They prove nothing, so their times are 0.
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
