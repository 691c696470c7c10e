"""Workers of a Ray cluster: one actor per core."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toccata._arrays import as_threads
from toccata.scale._executors import Done, Tries
from toccata.scale._files import imported
from toccata.scale._plan import Part
from toccata.scale._worker import Worker


class Ray:
    """An executor on Ray.

    It uses the running cluster if Ray is initialized, else the cluster at `address`, else a
    temporary local cluster.
    """

    def __init__(self, workers: int | None, address: str | None) -> None:
        self._ray = imported("ray", "executor='ray' needs ray", "ray")
        self._workers, self._address = workers, address

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Give a part to each idle actor."""
        with self._cluster():
            workers = self._workers or int(self._ray.cluster_resources().get("CPU", 1))
            run = _Run(self._ray, packed, parts)
            try:
                run.start(min(workers, len(parts)))
                yield from run.done()
            finally:
                run.end()
        run.tries.finish()

    @contextmanager
    def _cluster(self) -> Iterator[None]:
        if self._ray.is_initialized():
            yield
            return
        own: dict[str, Any] = {"address": self._address}
        if self._address is None:
            cores = as_threads(self._workers)
            own = {"num_cpus": cores, "include_dashboard": False, "address": "local"}
            own["_node_ip_address"] = "127.0.0.1"
        self._ray.init(**own, log_to_driver=False, logging_level=logging.ERROR)
        try:
            yield
        finally:
            self._ray.shutdown()


class _Run:
    """The actors, and the parts that wait for an actor."""

    def __init__(self, ray: Any, packed: bytes, parts: Sequence[Part]) -> None:
        self._ray, self._models = ray, ray.put(packed)
        self._actor = ray.remote(num_cpus=1)(Worker)
        self._waiting = deque(parts)
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, Part]] = {}
        self.tries = Tries()

    def start(self, count: int) -> None:
        """Add actors."""
        self._idle += [self._actor.remote(self._models) for _ in range(count)]

    def done(self) -> Done:
        """Yield completed parts. An actor that dies is replaced."""
        while self._waiting or self._busy:
            self._give()
            (done,), _ = self._ray.wait(list(self._busy))
            worker, part = self._busy.pop(done)
            try:
                counts = self._ray.get(done)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause or error from None  # an error in the worker
            except self._ray.exceptions.RayError as error:  # the actor died
                if self.tries.again(part, str(error).splitlines()[0]):
                    self._waiting.append(part)
                self.start(1)
                continue
            self._idle.append(worker)
            yield part, counts

    def _give(self) -> None:
        """Give parts to idle actors, and end actors without a part.

        With more actors than cores, some actors hold a part while they wait for a core.
        """
        while self._idle:
            worker = self._idle.pop()
            if self._waiting:
                part = self._waiting.popleft()
                self._busy[worker.do.remote(part)] = worker, part
            else:
                self._ray.kill(worker)

    def end(self) -> None:
        """End all actors."""
        for worker in (*self._idle, *(worker for worker, _ in self._busy.values())):
            self._ray.kill(worker)
