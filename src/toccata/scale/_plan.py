"""What is to be done: parts of the source, each with the name of the file that answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from toccata.scale._fingerprint import hash_of
from toccata.scale._source import Source


@dataclass(frozen=True, slots=True)
class Span:
    """Rows of the source from `start` to before `stop`.

    Answers may depend on the rows before them, from `begin` on: a step starts at the frame before.
    """

    start: int
    stop: int
    begin: int


@dataclass(frozen=True, slots=True)
class Part(Span):
    """A span, and the file that has its verdicts."""

    name: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All parts of a run, in the order of their rows."""

    question: str
    """Hash of models, options and version."""
    about: dict[str, Any]
    """The same in words."""
    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """Of all verdicts."""
        return sum(part.stop - part.start for part in self.parts)

    @classmethod
    def of(
        cls, question: str, about: dict[str, Any], source: Source, spans: Iterable[Span]
    ) -> Plan:
        """Name all parts by what they depend on: input, models, options and version.

        The schema is input too: names of columns are not among the bytes of their values.
        """
        hashes, schema = source.hashes(), source.schema.to_string(truncate_metadata=False)
        parts = []
        known: Counter[str] = Counter()
        for span in spans:
            groups = source.groups(span.begin, span.stop)
            file, row = source.where(span.begin)
            inside = span.begin - source.starts[groups[0]]
            place = file, row, inside, span.start - span.begin, span.stop - span.begin
            key = hash_of(question, schema, *place, *(hashes[group] for group in groups))
            name = hash_of(key, known[key])  # files of one name and content are different parts
            known[key] += 1
            parts.append(Part(span.start, span.stop, span.begin, f"part-{name}.parquet"))
        return cls(question, about, tuple(parts))

    def as_json(self) -> dict[str, Any]:
        """Return what `_plan.json` holds."""
        return {**asdict(self), "rows": self.rows}

    @classmethod
    def read(cls, stored: dict[str, Any]) -> Plan:
        """Return what `as_json` has written."""
        parts = tuple(Part(**part) for part in stored["parts"])
        return cls(stored["question"], stored["about"], parts)


def split(source: Source, most: int) -> list[Span]:
    """Return spans of at most `most` rows, none over the border of a file.

    Row groups stay whole where they fit, so that each is read once.
    """
    spans: list[Span] = []
    start = stop = 0
    for group, (first, end) in enumerate(zip(source.starts, source.starts[1:], strict=False)):
        new_file = group > 0 and source.places[group][0] != source.places[group - 1][0]
        if stop > start and (new_file or end - start > most):
            spans.append(Span(start, stop, start))
            start = stop
        for cut in range(first + most, end, most):  # of a row group that does not fit
            spans.append(Span(start, cut, start))
            start = cut
        stop = end
    return [*spans, Span(start, stop, start)] if stop > start else spans
