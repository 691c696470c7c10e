"""Runs: plan the parts, compute missing parts, and check that all parts are complete."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import PurePosixPath
from random import randrange
from time import perf_counter

from toccata.scale._files import Location, as_locations, locate, would_find
from toccata.scale._fingerprint import fingerprint
from toccata.scale._options import Running
from toccata.scale._plan import Part, Plan
from toccata.scale._question import Question
from toccata.scale._source import Source
from toccata.scale._summary import Counts, Progress, Summary
from toccata.scale._target import Target
from toccata.scale._worker import Job

ROUNDS = 3
"""Largest number of rounds. After each round, the part files are listed again, because another
process may have removed some of them."""


class TakenOver(RuntimeError):
    """A later run with a different query uses the same target. The later run continues."""


def check_dataset(
    question: Question, source: Location | Sequence[Location], target: Location, how: Running
) -> Summary:
    """Compute the missing verdicts of a target."""
    began = perf_counter()
    rows, folder = Source.open(source), Target.at(target)
    _check_apart(source, rows, folder)
    notes = question.check(rows.schema)
    plan = plan_of(question, rows, how.rows_per_part)
    folder.begin(plan)
    there = folder.look_at(plan.parts)
    _check_strict(how, rows, there)
    count = len(there)
    job = Job(question, rows, folder, json.dumps(plan.about).encode(), how.strict)
    for _ in range(ROUNDS):
        if not (missing := [part for part in plan.parts if part not in there]):
            break
        try:
            _do(job, missing, there, plan, how)
            there = folder.look_at(plan.parts)
            _check_own(folder, plan)
        except (TakenOver, OSError):  # the other run may have removed files
            folder.put_aside(folder.plan())
            _check_own(folder, plan)
            raise
        _check_strict(how, rows, there)
    seconds = perf_counter() - began
    summary = _summary(plan, there, len(there) - count, seconds, tuple(notes))
    if summary.complete:
        folder.finish(plan, summary)
    return summary


def plan_of(question: Question, source: Source, rows_per_part: int) -> Plan:
    """Return the parts of a run, named by hashes."""
    about = question.about()
    return Plan.of(
        fingerprint((about, question)), about, source, question.ranges(source, rows_per_part)
    )


def dataset_status(target: Location) -> Summary:
    """Return a summary of the part files of the last plan, without computing anything.

    Args:
        target: folder of the verdicts.

    """
    folder = Target.at(target)
    plan = folder.plan()
    return _summary(plan, folder.look_at(plan.parts), 0, 0.0, ())


def _do(job: Job, missing: list[Part], there: dict[Part, Counts], plan: Plan, how: Running) -> None:
    """Compute parts and report progress. A random start lets two runs share the work."""
    first = randrange(len(missing))
    ordered = missing[first:] + missing[:first]
    before = total = Counts.total(there.values())
    rows, began, stamp = plan.rows, perf_counter(), job.target.stamp()
    with closing(how.executor.run(job.pack(), ordered)) as done:
        for part, counts in done:
            there[part], total = counts, Counts.total([total, counts])
            if how.progress is not None:
                rate = (total.rows - before.rows) / max(perf_counter() - began, 1e-9)
                how.progress(Progress(total, rows, rate))
            if (now := job.target.stamp()) != stamp:
                _check_own(job.target, plan)
                stamp = now


def _summary(
    plan: Plan, there: dict[Part, Counts], computed: int, seconds: float, notes: tuple[str, ...]
) -> Summary:
    counts = Counts.total(there.values())
    return Summary(counts, plan.rows, len(plan.parts), len(there), computed, seconds, notes)


def _check_apart(locations: Location | Sequence[Location], source: Source, target: Target) -> None:
    """Raise if the source contains the target, because the next run would read its verdicts."""
    if not source.fs.equals(target.fs):
        return
    for file in source.files:
        if PurePosixPath(target.path) in PurePosixPath(file.path).parents:
            raise ValueError(f"target: the folder contains the source file {file.path}")
    verdicts = f"{target.path}/part.parquet"
    sources = map(locate, as_locations("source", locations))
    if any(would_find(fs, path, verdicts) for fs, path in sources):
        raise ValueError(f"target: expected a folder outside of the source, got {target.path}")


def _check_own(folder: Target, plan: Plan) -> None:
    if folder.plan() != plan:
        raise TakenOver(f"target: a run with another plan has taken over {folder.path}")


def _check_strict(how: Running, source: Source, there: dict[Part, Counts]) -> None:
    """Raise ValueError for invalid rows. Earlier runs without `strict` may have written them."""
    for part, counts in there.items() if how.strict else ():
        if counts.invalid:
            file, row = source.where(part.start)
            rows = f"{counts.invalid} of the rows {row} to {row + counts.rows - 1}"
            raise ValueError(f"{file}: expected valid motions, got invalid motions in {rows}")


def as_mapping(names: Sequence[str] | Mapping[str, str], known: Sequence[str]) -> dict[str, str]:
    """Return names of columns by argument. In a sequence, both names are equal."""
    if isinstance(names, str) or not isinstance(names, Sequence | Mapping):
        got = type(names).__name__
        raise TypeError(f"columns: expected a mapping or a sequence of names, got {got}")
    columns = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
    for argument in columns:
        if argument not in known:
            raise ValueError(f"columns: expected some of {', '.join(known)}, got {argument!r}")
    return columns
