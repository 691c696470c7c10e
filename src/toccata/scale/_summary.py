"""Counts of verdicts, progress of runs, and summaries of targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple, dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from toccata._result import Status

INVALID = -1
"""Status of a row that is not a valid motion. Other codes are those of `toccata.Status`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Number of rows by status."""

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
    def total(cls, counts: Iterable[Counts]) -> Self:
        """Add counts."""
        return cls(*map(sum, zip(*map(astuple, counts), strict=True)))

    def __str__(self) -> str:
        found = asdict(self).items()
        kinds = [(k, n) for k, n in found if k != "rows" and (n or k in ("free", "contact"))]
        return ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in kinds)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run. `str(progress)` is one line."""

    done: Counts
    """Counts of all parts that are written, including those of earlier runs."""
    rows: int
    """Number of rows of the whole dataset."""
    rate: float
    """Rows per second in this run."""

    @property
    def seconds_left(self) -> float:
        """Seconds until the end at this rate."""
        return (self.rows - self.done.rows) / self.rate if self.rate else float("inf")

    def __str__(self) -> str:
        free = f"{self.done.free / max(self.done.rows, 1):.1%} free"
        left = f"{self.seconds_left:.0f} s left" if self.rate else "no rate yet"
        return f"{self.done.rows:,} of {self.rows:,} rows, {self.rate:,.0f} rows/s, {free}, {left}"


Report = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of a target: the number of verdicts by status, and of missing verdicts.

    `counts.free`, `contact`, `initial_overlap` and `undecided` are the numbers of rows with the
    `toccata.Status` of this name. `counts.invalid` is the number of rows with the status -1
    (`scale.INVALID`), which are not valid motions.
    """

    counts: Counts
    """Counts of the rows with verdicts."""
    rows: int
    """Number of rows of the source."""
    parts: int
    """Number of parts of the plan."""
    parts_there: int
    """Number of parts that are written."""
    parts_computed: int = 0
    """Number of parts that this run computed. Earlier runs wrote the others."""
    seconds: float = 0.0
    """Duration of this run in seconds."""
    notes: tuple[str, ...] = ()
    """Conversions of the input, such as from float32."""

    @property
    def complete(self) -> bool:
        """True if all parts are written."""
        return self.parts_there == self.parts

    def __str__(self) -> str:
        state = "complete" if self.complete else "INCOMPLETE"
        parts = f"{self.parts_there} of {self.parts} parts"
        return f"{state}: {self.counts.rows:,} of {self.rows:,} rows, {parts}: {self.counts}"
