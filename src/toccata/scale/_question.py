"""What is asked about every row of a dataset, and the rows that come back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from toccata._result import Status
from toccata.scale._columns import Mask, named, spread, vectors
from toccata.scale._files import arrow
from toccata.scale._fingerprint import fingerprint
from toccata.scale._plan import Part, Span, split
from toccata.scale._source import Source
from toccata.scale._summary import INVALID

Ask = Literal["free", "first_contact", "clearance"]
ASKS = ("free", "first_contact", "clearance")
Extra = Literal["q", "points", "distance"]
Found = dict[str, Any]
"""Columns of answers: arrays, (n, k) arrays, or codes with their names."""


@dataclass(frozen=True, slots=True)
class Named:
    """Codes, and what they stand for; -1 is nobody."""

    codes: NDArray[Any]
    names: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Question(ABC):
    """What is asked about each row; it pickles, and its hash says which answers are its own."""

    columns: Mapping[str, str]
    """Of the source, by the argument they stand for; other columns are passed through."""
    ask: Ask
    extras: tuple[Extra, ...]
    options: Mapping[str, Any]

    @property
    @abstractmethod
    def model(self) -> Any:
        """What moves, for its hash."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, Sequence[str]]:
        """Columns of answers that hold names, and the names that their codes stand for."""

    @abstractmethod
    def check(self, schema: Any) -> list[str]:
        """Raise for columns or options that do not fit; return what is said of the input."""

    @abstractmethod
    def answer(self, source: Source, part: Part) -> Any:
        """Return the table of verdicts of a part."""

    def spans(self, source: Source, most: int) -> list[Span]:
        """Return the parts that are answered one by one, of at most `most` rows."""
        return split(source, most)

    def about(self) -> dict[str, Any]:
        """Return the question in words and hashes, for whoever looks at the files."""
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


def check_choices(ask: str, extras: Sequence[str], known: Sequence[str]) -> None:
    """Raise for what cannot be asked for."""
    if ask not in ASKS:
        raise ValueError(f"ask: expected one of {', '.join(ASKS)}, got {ask!r}")
    if isinstance(extras, str) or any(extra not in known for extra in extras):
        raise ValueError(f"extras: expected some of {', '.join(known)}, got {extras!r}")
    if ask == "free" and extras:
        raise ValueError(f"extras: expected none where only free or not is asked, got {extras!r}")


def check_ids(schema: Any, columns: Sequence[str], own: Sequence[str]) -> None:
    """Raise for columns of the source that would take the place of verdicts."""
    taken = [name for name in schema.names if name in own and name not in columns]
    if taken:
        raise ValueError(f"source: expected other names of columns, got {taken[0]!r} of verdicts")


def status_of(lower: NDArray[np.float64], near: Mask) -> NDArray[np.int8]:
    """Return statuses of bounds of the least distance: free if above 0, else by `near`."""
    codes = np.where(near, Status.CONTACT, Status.UNDECIDED)
    return np.where(lower > 0, Status.FREE, codes).astype(np.int8)


def without_times(status: NDArray[Any]) -> Found:
    """Return statuses with the times that they leave open: not free is not free from 0 on."""
    free = status == Status.FREE
    toc, safe = np.where(free, np.inf, 0.0), np.where(free, 1.0, 0.0)
    return {"status": status.astype(np.int8), "toc": toc, "safe_until": safe}


def verdicts(ids: Any, valid: Mask, found: Found) -> Any:
    """Return a table: the columns that are passed through, then the answers.

    A row that is no motion has the status INVALID and is proven of nothing: its times are 0.
    """
    missing = {"status": INVALID, "toc": 0.0, "safe_until": 0.0, "lower": 0.0, "upper": np.inf}
    columns = {name: ids[name] for name in ids.column_names}
    for name, values in found.items():
        if isinstance(values, Named):
            columns[name] = named(spread(values.codes, valid, -1), values.names)
        else:
            whole = np.issubdtype(values.dtype, np.integer)
            rows = spread(values, valid, missing.get(name, -1 if whole else np.nan))
            columns[name] = vectors(rows) if rows.ndim == 2 else arrow().array(rows)
    return arrow().table(columns)
