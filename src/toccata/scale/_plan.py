"""Plans of runs: the parts of a source, with the names of their files in the target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from toccata.scale._fingerprint import hash_of
from toccata.scale._source import Source


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows of the source from `start` to before `stop`.

    Answers may depend on earlier rows from `begin` on, because a step starts at the previous frame.
    """

    start: int
    stop: int
    begin: int


@dataclass(frozen=True, slots=True)
class Part(RowRange):
    """Rows that one worker answers at a time, with the file of their verdicts."""

    name: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All parts of a run, in the order of their rows."""

    question: str
    """Hash of the query: models, options and version."""
    about: dict[str, Any]
    """The query as text."""
    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """Number of verdicts."""
        return sum(part.stop - part.start for part in self.parts)

    @classmethod
    def of(
        cls, question: str, about: dict[str, Any], source: Source, ranges: Iterable[RowRange]
    ) -> Plan:
        """Name each part by a hash of all data that determine its verdicts.

        The schema is included, because the bytes of row groups do not contain the column names.
        """
        hashes, schema = source.hashes(), source.schema.to_string(truncate_metadata=False)
        parts = []
        known: Counter[str] = Counter()
        for rows in ranges:
            groups = source.row_groups_of(rows.begin, rows.stop)
            file, row = source.where(rows.begin)
            inside = rows.begin - source.starts[groups[0]]
            position = file, row, inside, rows.start - rows.begin, rows.stop - rows.begin
            key = hash_of(question, schema, *position, *(hashes[group] for group in groups))
            name = hash_of(key, known[key])  # different for equal files in two folders
            known[key] += 1
            parts.append(Part(rows.start, rows.stop, rows.begin, f"part-{name}.parquet"))
        return cls(question, about, tuple(parts))

    def as_json(self) -> dict[str, Any]:
        """Return the content of `_plan.json`."""
        return {**asdict(self), "rows": self.rows}

    @classmethod
    def read(cls, stored: dict[str, Any]) -> Plan:
        """Return the plan from the result of `as_json`."""
        parts = tuple(Part(**part) for part in stored["parts"])
        return cls(stored["question"], stored["about"], parts)


def split(source: Source, most: int) -> list[RowRange]:
    """Return ranges of at most `most` rows, each within one file.

    Row groups with at most `most` rows are not split, so that each is read once.
    """
    ranges: list[RowRange] = []
    start = stop = 0
    for group, (first, end) in enumerate(zip(source.starts, source.starts[1:], strict=False)):
        new_file = group > 0 and source.row_groups[group][0] != source.row_groups[group - 1][0]
        if stop > start and (new_file or end - start > most):
            ranges.append(RowRange(start, stop, start))
            start = stop
        for cut in range(first + most, end, most):  # splits a larger row group
            ranges.append(RowRange(start, cut, start))
            start = cut
        stop = end
    return [*ranges, RowRange(start, stop, start)] if stop > start else ranges
