"""A run: plan, do what is not there yet, look at all parts, say that it is done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import PurePosixPath
from random import randrange
from time import perf_counter
from typing import Any

from toccata._arrays import as_whole
from toccata.scale._executors import Executor
from toccata.scale._files import Place, as_list, locate, would_find
from toccata.scale._fingerprint import fingerprint
from toccata.scale._plan import Part, Plan
from toccata.scale._question import Question
from toccata.scale._source import Source
from toccata.scale._summary import Counts, Progress, Report, Summary
from toccata.scale._target import Target
from toccata.scale._worker import Job

ROUNDS = 3
"""How often parts are done that somebody takes away."""


@dataclass(frozen=True, slots=True)
class Running:
    """How a dataset is checked; none of it changes a verdict."""

    executor: Executor
    rows_per_part: int
    strict: bool
    progress: Report | None


class TakenOver(RuntimeError):
    """Two runs at once ask something else into one folder: the later one goes on."""


def check_dataset(
    question: Question, source: Place | Sequence[Place], target: Place, how: Running
) -> Summary:
    """Answer all rows of the source that the target does not answer yet."""
    began = perf_counter()
    rows, folder = Source.open(source), Target.at(target)
    _check_apart(source, rows, folder)
    notes = question.check(rows.schema)
    plan = plan_of(question, rows, as_whole("rows_per_part", how.rows_per_part))
    folder.begin(plan)
    there = folder.look_at(plan.parts)
    _check_strict(how, rows, there)
    count = len(there)
    job = Job(question, rows, folder, json.dumps(plan.about).encode(), how.strict)
    # Nothing is said to be there without a look: what is gone again meanwhile is done again.
    for _ in range(ROUNDS):
        if not (missing := [part for part in plan.parts if part not in there]):
            break
        try:
            _do(job, missing, there, plan, how)
            there = folder.look_at(plan.parts)
            _check_own(folder, plan)
        except (TakenOver, OSError):  # an error, perhaps since the other run has cleared up
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
    """Return the parts of a run, and what their names say."""
    about = question.about()
    return Plan.of(
        fingerprint((about, question)), about, source, question.spans(source, rows_per_part)
    )


def dataset_status(target: Place) -> Summary:
    """Look at all parts of the last run's plan; nothing is computed."""
    folder = Target.at(target)
    plan = folder.plan()
    return _summary(plan, folder.look_at(plan.parts), 0, 0.0, ())


def _do(job: Job, missing: list[Part], there: dict[Part, Counts], plan: Plan, how: Running) -> None:
    """Do parts and tell how far it is; two runs at once begin at different places."""
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


def _check_apart(places: Place | Sequence[Place], source: Source, target: Target) -> None:
    """Raise if verdicts would lie among questions: the next run would ask about them."""
    if not source.fs.equals(target.fs):
        return
    for file in source.files:
        if PurePosixPath(target.path) in PurePosixPath(file.path).parents:
            raise ValueError(f"target: expected a folder without the source, got {file.path}")
    verdicts = f"{target.path}/part.parquet"
    if any(would_find(fs, path, verdicts) for fs, path in map(locate, as_list(places))):
        raise ValueError(f"target: expected a folder outside of the source, got {target.path}")


def _check_own(folder: Target, plan: Plan) -> None:
    if folder.plan() != plan:
        raise TakenOver(f"target: a run with another plan has taken over {folder.path}")


def _check_strict(how: Running, source: Source, there: dict[Part, Counts]) -> None:
    """Raise for rows that are no motions also where a run that was not strict has kept them."""
    for part, counts in there.items() if how.strict else ():
        if counts.invalid:
            file, row = source.where(part.start)
            rows = f"{counts.invalid} from row {row} to {row + counts.rows - 1}"
            raise ValueError(f"{file}: expected motions, got {rows} that are none")


def as_mapping(names: Any, known: Sequence[str]) -> dict[str, str]:
    """Return columns by the arguments they stand for; a name alone stands for itself."""
    columns = dict(names) if hasattr(names, "keys") else {name: name for name in names}
    for argument in columns:
        if argument not in known:
            raise ValueError(f"columns: expected some of {', '.join(known)}, got {argument!r}")
    return columns
