"""How many rows came out how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from toccata._result import Status

INVALID = -1
"""The status of a row that is no motion; others are codes of `toccata.Status`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows by status."""

    rows: int = 0
    free: int = 0
    contact: int = 0
    initial_overlap: int = 0
    undecided: int = 0
    invalid: int = 0

    @classmethod
    def of(cls, status: NDArray[np.int8]) -> Self:
        """Count statuses."""
        codes = (Status.FREE, Status.CONTACT, Status.INITIAL_OVERLAP, Status.UNDECIDED, INVALID)
        return cls(len(status), *(int(np.count_nonzero(status == code)) for code in codes))

    @classmethod
    def total(cls, parts: Iterable[Counts]) -> Self:
        """Add up."""
        every = [tuple(asdict(part).values()) for part in parts]
        return cls(*map(sum, zip(*every, strict=True))) if every else cls()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; a function that gets one may print it."""

    done: Counts
    """Of all parts that are there, also from earlier runs."""
    rows: int
    """Of the whole dataset."""
    rate: float
    """Rows per second of this run."""

    @property
    def seconds_left(self) -> float:
        """Until the end, at this rate."""
        return (self.rows - self.done.rows) / self.rate if self.rate else float("inf")

    def __str__(self) -> str:
        free = f"{self.done.free / max(self.done.rows, 1):.1%} free"
        left = f"{self.seconds_left:.0f} s left" if self.rate else "no rate yet"
        return f"{self.done.rows:,} of {self.rows:,} rows, {self.rate:,.0f} rows/s, {free}, {left}"


Report = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a target holds."""

    counts: Counts
    rows: int
    """That the source asks for."""
    parts: int
    parts_there: int
    """Of them, those that are written."""
    parts_computed: int = 0
    """By this run; others were there."""
    seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())
    """What was done to the input, as numbers that were converted."""

    @property
    def complete(self) -> bool:
        """Whether all parts are there."""
        return self.parts_there == self.parts

    def __str__(self) -> str:
        state = "complete" if self.complete else "INCOMPLETE"
        kinds: Mapping[str, Any] = asdict(self.counts)
        found = [
            f"{kinds[name]:,} {name.replace('_', ' ')}"
            for name in (part.name for part in fields(Counts))
            if name != "rows" and (kinds[name] or name in ("free", "contact"))
        ]
        parts = f"{self.parts_there} of {self.parts} parts"
        return f"{state}: {self.counts.rows:,} of {self.rows:,} rows, {parts}: {', '.join(found)}"
