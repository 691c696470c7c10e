"""Where parts are done: processes of this machine, a Dask cluster, or a Ray cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Any, Literal, Protocol

from toccata._arrays import as_threads, as_whole
from toccata.scale._plan import Part
from toccata.scale._summary import Counts

Kind = Literal["processes", "dask", "ray"]
MOST_TRIES = 3
"""How often a part may take its worker down before a run gives it up."""

Done = Generator[tuple[Part, Counts], None, None]


class Executor(Protocol):
    """Does parts in any order, and tells of each as it is done."""

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Do parts with the models of a packed `Job`; the first error ends it.

        A part whose workers die is left to the end, where `Tries` raises.
        """


class WorkerDied(RuntimeError):
    """A part whose workers end again and again, as if memory ran out."""


class Tries:
    """Counts how often parts have taken their workers down."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._given_up: list[str] = []

    def again(self, part: Part, why: str) -> bool:
        """Note that the worker of a part has died; whether another one is to try it."""
        self._counts[part.name] += 1
        if self._counts[part.name] < MOST_TRIES:
            return True
        self.give_up(part, why)
        return False

    def give_up(self, part: Part, why: str) -> None:
        """Leave a part: the others need not suffer for it."""
        rows = f"rows {part.start} to {part.stop - 1}"
        self._given_up.append(f"{rows}: {MOST_TRIES} workers died of {part.name} ({why})")

    def finish(self) -> None:
        """Raise for the parts that were left, when all others are done."""
        if self._given_up:
            raise WorkerDied("; ".join(self._given_up))


def executor_of(executor: Any, workers: int | None, address: str | None) -> Executor:
    """Return where to run: by name, or a `distributed.Client`."""
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
    raise ValueError(f"executor: expected {wanted}, got {executor!r}")
