"""Workers that are processes of this machine."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from toccata.scale.executors import Done, Tries
from toccata.scale.plan import Part
from toccata.scale.summary import Counts

NAME = "toccata-worker"
UP, READY = "up", "ready"
GUARD = "put the call behind: if __name__ == '__main__':"


@dataclass(slots=True, eq=False)
class _Process:
    """A worker, the pipe to it, and the part it is at; None before it has built the models."""

    process: Any
    pipe: Connection
    part: Part | None = None
    is_ready: bool = False

    @classmethod
    def start(cls) -> _Process:
        """Start anew: a fork would share locks of threads that are not there.

        The models follow when it is up: a process that died before it had read all that it is
        started with would be waited for without end.
        """
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there,), name=NAME, daemon=True)
        with _without_interrupts():
            process.start()
        there.close()  # or the end of the process would not end the pipe
        return cls(process, here)

    def end(self) -> None:
        """End it now; a file that it was writing has not taken its name."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """As many workers as there are cores, one thread each; a worker that dies is replaced."""

    def __init__(self, workers: int) -> None:
        if current_process().name == NAME:  # it runs the caller's script once more
            raise RuntimeError(f"workers start no workers: {GUARD}")
        self._count = workers

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Give each worker a part as soon as it is idle."""
        waiting, tries = deque(parts), Tries()
        workers = [_Process.start() for _ in range(min(self._count, len(parts)))]
        try:
            left = len(parts)
            while left:
                for worker in _heard(workers):
                    try:
                        told = worker.pipe.recv()
                    except (EOFError, ConnectionError):
                        self._replace(workers, worker)
                        if worker.part is not None:
                            tries.fail(worker.part, f"exit code {worker.process.exitcode}")
                            waiting.appendleft(worker.part)
                        continue
                    if isinstance(told, Exception):
                        raise told
                    if told == UP:
                        _send_models(worker, packed)
                        continue
                    if isinstance(told, Counts) and worker.part is not None:
                        left -= 1
                        yield worker.part, told
                    _give(worker, waiting)
                _wake(workers, waiting)
        finally:
            for worker in workers:
                worker.end()

    def _replace(self, workers: list[_Process], dead: _Process) -> None:
        dead.end()
        if not dead.is_ready:
            code = dead.process.exitcode
            raise RuntimeError(f"a worker ended before it began (exit code {code}); {GUARD}")
        workers[workers.index(dead)] = _Process.start()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from what is started meanwhile, for all its life: it is for who started it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _heard(workers: list[_Process]) -> list[_Process]:
    """Wait for workers that tell something, be it that they are gone."""
    ready = wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in ready]


def _send_models(worker: _Process, packed: bytes) -> None:
    with suppress(ConnectionError):  # its end is heard of next
        worker.pipe.send_bytes(packed)


def _give(worker: _Process, waiting: deque[Part]) -> None:
    worker.is_ready, worker.part = True, waiting.popleft() if waiting else None
    if worker.part is not None:
        with suppress(ConnectionError):  # its end is heard of next
            worker.pipe.send(worker.part)


def _wake(workers: list[_Process], waiting: deque[Part]) -> None:
    """Give idle workers what a dead one has left."""
    for worker in workers:
        if worker.is_ready and worker.part is None and waiting:
            _give(worker, waiting)


def _work(pipe: Connection) -> None:
    """Do parts until the pipe ends; this runs in the process of a worker."""
    from toccata.scale.worker import Worker

    with suppress(EOFError, ConnectionError):
        try:
            pipe.send(UP)
            worker = Worker(pipe.recv_bytes())
            pipe.send(READY)
            while True:
                pipe.send(worker.do(pipe.recv()))
        except (EOFError, ConnectionError):
            raise
        except Exception as error:  # told and raised where the run was started
            pipe.send(_portable(error))


def _portable(error: Exception) -> Exception:
    """Return an error that travels: some do not pickle."""
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
