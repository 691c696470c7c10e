"""Executors of runs: processes of this machine, a Dask cluster, or a Ray cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Any, Literal, Protocol

from toccata._arrays import as_threads, as_whole
from toccata.scale._plan import Part
from toccata.scale._summary import Counts

Kind = Literal["processes", "dask", "ray"]
MOST_TRIES = 3
"""Number of workers that a part may kill before a run skips the part."""

Done = Generator[tuple[Part, Counts], None, None]


class Executor(Protocol):
    """A group of workers that answers parts in any order."""

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Answer parts with the models of a packed `Job`, and yield each completed part.

        The first error ends the run. A part that kills its workers is skipped, and `Tries.finish`
        raises an error about skipped parts at the end.
        """


class WorkerDied(RuntimeError):
    """The error that a part has killed several workers, for example because memory ran out."""


class Tries:
    """Counts of the workers that each part has killed."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._given_up: list[str] = []

    def again(self, part: Part, why: str) -> bool:
        """Count a worker that died. Return whether another worker may try the part."""
        self._counts[part.name] += 1
        if self._counts[part.name] < MOST_TRIES:
            return True
        self.give_up(part, why)
        return False

    def give_up(self, part: Part, why: str) -> None:
        """Skip a part, and continue with the others."""
        rows = f"rows {part.start} to {part.stop - 1}"
        self._given_up.append(f"{rows}: {part.name} has killed {MOST_TRIES} workers ({why})")

    def finish(self) -> None:
        """Raise WorkerDied if any part was skipped."""
        if self._given_up:
            raise WorkerDied("; ".join(self._given_up))


def executor_of(executor: Any, workers: int | None, address: str | None) -> Executor:
    """Return the executor for a name or a `distributed.Client`."""
    count = as_threads(None if workers is None else as_whole("workers", workers))
    if executor == "processes":
        from toccata.scale._executors.processes import Processes

        if address is not None:
            raise ValueError(f"address: expected None for processes, got {address!r}")
        return Processes(count)
    if executor == "ray":
        from toccata.scale._executors.ray import Ray

        return Ray(None if workers is None else count, address)
    if executor == "dask" or hasattr(executor, "register_plugin"):
        from toccata.scale._executors.dask import Dask

        return Dask(count if address is None else None, address if executor == "dask" else executor)
    wanted = "processes, dask, ray or a distributed.Client"
    kind = ValueError if isinstance(executor, str) else TypeError
    raise kind(f"executor: expected {wanted}, got {executor!r}")
