"""Workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any
from uuid import uuid4

from toccata.scale._executors import Done, Tries
from toccata.scale._files import imported
from toccata.scale._plan import Part
from toccata.scale._summary import Counts
from toccata.scale._worker import Worker

PATIENCE = 60.0
"""Seconds without a completed part after which the cluster is checked for workers."""
AHEAD = 2
"""Number of parts per worker: one in progress, and one that waits."""


class Models:
    """A plugin for Dask's workers. Each worker builds the models once."""

    def __init__(self, name: str, packed: bytes) -> None:
        self.name, self._packed = name, packed
        self._worker: Worker | None = None

    def setup(self, worker: Any) -> None:
        """Do nothing. The first part builds the models, because an error here would be lost."""

    def do(self, part: Part) -> Counts:
        """Answer a part."""
        if self._worker is None:
            self._worker = Worker(self._packed)
        return self._worker.do(part)


def _do(name: str, part: Part) -> Counts:
    from distributed import get_worker

    models: Models = get_worker().plugins[name]
    return models.do(part)


class _LostError(Exception):
    """The temporary cluster has lost all workers."""


class Dask:
    """An executor on Dask: a cluster at an address or of a client, or a temporary local cluster."""

    def __init__(self, workers: int | None, cluster: Any) -> None:
        self._distributed = imported("distributed", "executor='dask' needs distributed", "dask")
        self._workers, self._cluster = workers, cluster

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Submit enough parts to keep all workers busy."""
        name, tries = f"toccata-{uuid4().hex}", Tries()
        with self._client(len(parts)) as client:
            client.register_plugin(self._plugin(name, packed))
            try:
                blamed: list[Part] = []
                yield from self._done(client, name, parts, blamed)
                # Dask blames all parts that a dead worker held. Therefore try each one alone.
                for part in blamed:
                    guilty: list[Part] = []
                    yield from self._done(client, name, [part], guilty)
                    for one in guilty:
                        tries.give_up(one, "KilledWorker")
            except _LostError:
                return  # the next round starts another cluster for the remaining parts
            finally:
                if self._cluster is not None:
                    client.unregister_worker_plugin(name)
        tries.finish()

    def _done(self, client: Any, name: str, parts: Sequence[Part], blamed: list[Part]) -> Done:
        """Answer parts. Add parts that Dask blames for dead workers to `blamed`."""
        left = iter(parts)
        busy: dict[Any, Part] = {}
        try:
            while True:
                # Workers may join and leave, and none may have joined yet.
                ahead = max(1, AHEAD * sum(client.nthreads().values()))
                for part in islice(left, max(0, ahead - len(busy))):
                    future = client.submit(_do, name, part, key=f"{name}-{uuid4().hex}")
                    busy[future] = part
                if not busy:
                    return
                future = self._next(client, busy)
                part = busy.pop(future)
                try:
                    counts = future.result()
                except self._distributed.KilledWorker:
                    blamed.append(part)
                else:
                    yield part, counts
        finally:
            client.cancel(list(busy))

    def _next(self, client: Any, busy: Iterable[Any]) -> Any:
        """Wait for a future. Raise if all workers of a temporary cluster are gone for good."""
        alone = 0
        while True:
            try:
                done, _ = self._distributed.wait(list(busy), PATIENCE, "FIRST_COMPLETED")
                return done.pop()
            except TimeoutError:
                alone = 0 if client.nthreads() else alone + 1
                if self._cluster is None and alone > 1:
                    raise _LostError from None

    def _plugin(self, name: str, packed: bytes) -> Any:
        base = self._distributed.WorkerPlugin
        made = type("Models", (Models, base), {"__module__": Models.__module__})
        return made(name, packed)

    @contextmanager
    def _client(self, parts: int) -> Iterator[Any]:
        if self._cluster is not None and not isinstance(self._cluster, str):
            yield self._cluster
            return
        if self._cluster is not None:
            with self._distributed.Client(self._cluster) as client:
                yield client
            return
        count = min(self._workers or 1, parts)
        with (
            self._distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
            ) as cluster,
            self._distributed.Client(cluster) as client,
        ):
            yield client
