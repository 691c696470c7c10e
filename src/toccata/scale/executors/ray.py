"""Workers of a Ray cluster: actors, one for each core."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toccata.scale.executors import Done, Tries
from toccata.scale.plan import Part
from toccata.scale.worker import Worker


class Ray:
    """A cluster at an address or one that is in use, or one of this machine, which is stopped."""

    def __init__(self, workers: int, address: str | None) -> None:
        try:
            import ray
        except ModuleNotFoundError as error:
            hint = "pip install 'toccata[ray]'"
            raise ModuleNotFoundError(f"executor='ray' needs ray: {hint}") from error
        self._ray, self._workers, self._address = ray, workers, address

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Give each actor a part as soon as it is idle; one that dies is replaced."""
        with self._cluster():
            models = self._ray.put(packed)
            actor = self._ray.remote(num_cpus=1)(Worker)
            actors = [actor.remote(models) for _ in range(min(self._workers, len(parts)))]
            waiting, tries = deque(parts), Tries()
            busy: dict[Any, tuple[Any, Part]] = {}
            try:
                while waiting or busy:
                    while actors and waiting:
                        part = waiting.popleft()
                        idle = actors.pop()
                        busy[idle.do.remote(part)] = idle, part
                    (done,), _ = self._ray.wait(list(busy))
                    worker, part = busy.pop(done)
                    try:
                        counts = self._ray.get(done)
                    except self._ray.exceptions.RayTaskError as error:
                        raise error.cause or error from None  # what the worker has raised
                    except self._ray.exceptions.RayError as error:  # it is gone
                        if tries.again(part, str(error).splitlines()[0]):
                            waiting.append(part)
                        actors.append(actor.remote(models))
                        continue
                    actors.append(worker)
                    yield part, counts
            finally:
                for worker in (*actors, *(worker for worker, _ in busy.values())):
                    self._ray.kill(worker)
            tries.finish()

    @contextmanager
    def _cluster(self) -> Iterator[None]:
        if self._ray.is_initialized():
            yield
            return
        own: dict[str, Any] = {"address": self._address}
        if self._address is None:
            own = {"num_cpus": self._workers, "include_dashboard": False, "address": "local"}
            own["_node_ip_address"] = "127.0.0.1"
        self._ray.init(**own, log_to_driver=False, logging_level=logging.ERROR)
        try:
            yield
        finally:
            self._ray.shutdown()
