"""Workers: each builds the models once and then answers parts, in any process."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np

from toccata.scale._files import arrow
from toccata.scale._plan import Part
from toccata.scale._question import Question
from toccata.scale._source import Source
from toccata.scale._summary import INVALID, Counts
from toccata.scale._target import ABOUT, Target


@dataclass(frozen=True, slots=True)
class Job:
    """All data that a worker needs for a run. Each worker receives it once."""

    question: Question
    source: Source
    target: Target
    about: bytes
    """JSON that every part contains."""
    strict: bool

    def pack(self) -> bytes:
        """Return the job as bytes."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)


class Worker:
    """Answers parts one after the other."""

    def __init__(self, packed: bytes) -> None:
        """Build the models."""
        arrow().set_cpu_count(1)
        self._job: Job = pickle.loads(packed)

    def do(self, part: Part) -> Counts:
        """Answer a part and write it, unless another worker has written it."""
        target = self._job.target
        if (there := target.look(part)) is not None:
            return there
        table = self._job.question.answer(self._job.source, part)
        status = table["status"].to_numpy()
        counts = Counts.of(status)
        if counts.invalid and self._job.strict:
            file, row = self._job.source.where(part.start + int(np.argmax(status == INVALID)))
            raise ValueError(f"{file}: row {row} is not a valid motion")
        try:
            target.write(part, table.replace_schema_metadata({ABOUT: self._job.about}), counts)
        except FileNotFoundError:  # another run has deleted the temporary file
            if target.look(part) is None:
                raise
        return counts
