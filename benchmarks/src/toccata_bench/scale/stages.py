"""Stages of a run: the stages of a part, planning, and the check of existing parts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from toccata._scene import as_world
from toccata.scale._columns import numbers
from toccata.scale._question import verdicts
from toccata.scale._robot_motions import RobotMotions
from toccata.scale._run import plan_of
from toccata.scale._source import Source
from toccata.scale._summary import Counts
from toccata.scale._target import Target
from toccata.scale._worker import Job
from toccata_bench.record import Record
from toccata_bench.scale.runs import Experiment


def question_of(experiment: Experiment) -> RobotMotions:
    """Return the query of `check_motions`."""
    robot, world = experiment.motions.robot, as_world(experiment.motions.world)
    return RobotMotions({"q0": "q0", "q1": "q1"}, "first_contact", (), {}, robot, world)


def job_of(experiment: Experiment, target: Path) -> Job:
    """Return the job that is sent to each worker."""
    question = question_of(experiment)
    about = json.dumps(question.about()).encode()
    return Job(question, Source.open(experiment.source), Target.at(target), about, False)


def measure_stages(experiment: Experiment, parts: int = 3) -> Record:
    """Return the shortest time of each stage of a part in this process, in milliseconds."""
    folder = experiment.folder / "stages"
    folder.mkdir(exist_ok=True)
    job = job_of(experiment, folder)
    job.question.check(job.source.schema)
    plan = plan_of(job.question, job.source, experiment.rows_per_part)
    every = [_stages(job, part) for part in plan.parts[:parts]]
    return {name: min(one[name] for one in every) for name in every[0]} | {
        "rows": plan.parts[0].stop - plan.parts[0].start
    }


def _stages(job: Job, part: Any) -> Record:
    took: Record = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        began = perf_counter()
        made = work()
        took[name] = 1e3 * (perf_counter() - began)
        return made

    assert isinstance(job.question, RobotMotions)
    question, robot = job.question, job.question.robot
    timed("look for the part", lambda: job.target.look(part))
    table = timed("read", lambda: job.source.read(part.start, part.stop))
    ends = timed("to arrays", lambda: [numbers(table[q], robot.dof)[0] for q in ("q0", "q1")])
    found = timed("answer", lambda: question._ask(*ends))
    valid = np.ones(len(table), dtype=bool)
    made = timed("to a table", lambda: verdicts(table.select(["id"]), valid, found))
    counts = Counts.of(found["status"])
    timed("write", lambda: job.target.write(part, made, counts))
    return took


def measure_restart(experiment: Experiment, rounds: int = 3) -> Record:
    """Return the time of a run whose parts all exist, and of its stages."""
    target = experiment.target
    every = []
    for _ in range(rounds):
        began = perf_counter()
        summary = experiment.check(target, rows_per_part=experiment.rows_per_part)
        every.append(perf_counter() - began)
        if summary.parts_computed or not summary.complete:
            raise AssertionError(f"expected a run with nothing to do, got {summary}")
    return {"seconds": every, "rows": len(experiment.motions)} | measure_planning(experiment)


def measure_planning(experiment: Experiment) -> Record:
    """Return the seconds of the stages before the first part, and sizes."""
    question, marks = question_of(experiment), [perf_counter()]
    source = Source.open(experiment.source)
    marks.append(perf_counter())
    question.about()
    marks.append(perf_counter())
    source.hashes()
    marks.append(perf_counter())
    plan = plan_of(question, source, experiment.rows_per_part)
    marks.append(perf_counter())
    Target.at(experiment.target).look_at(plan.parts)
    marks.append(perf_counter())
    names = ("open_s", "fingerprint_s", "hash_s", "plan_s", "look_s")
    took = dict(zip(names, np.diff(marks).tolist(), strict=True))
    return took | {"parts": len(plan.parts), "bytes": size_of(experiment.source)}


def size_of(folder: Path) -> int:
    """Return the bytes of all Parquet files."""
    return sum(path.stat().st_size for path in folder.glob("*.parquet"))
