"""Workers that are processes of this machine."""

from __future__ import annotations

import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from toccata.scale._executors import MOST_TRIES, Done, Tries
from toccata.scale._plan import Part
from toccata.scale._summary import Counts

NAME = "toccata-worker"
UP, READY = "up", "ready"
GUARD = "in a script, put the call below: if __name__ == '__main__':"
MAIN = b"__main__"
"""Module of the caller's script in pickles of its functions and classes."""


@dataclass(slots=True, eq=False)
class _Process:
    """A worker, the pipe to it, and the part in work, if there is one."""

    process: Any
    pipe: Connection
    part: Part | None = None
    is_ready: bool = False

    @classmethod
    def start(cls, *, with_main: bool) -> _Process:
        """Spawn a process: a fork would inherit locks whose threads do not exist in it.

        The models are sent when the process is up: if it died while it reads its arguments, the
        parent would wait forever. The process imports the caller's script only `with_main`.
        """
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there,), name=NAME, daemon=True)
        with _without_interrupts(), nullcontext() if with_main else _without_main():
            process.start()
        there.close()  # or the end of the process would not end the pipe
        return cls(process, here)

    def end(self) -> None:
        """Kill the process; a file that it was writing keeps its temporary name."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """Processes of one thread each; a worker that dies is replaced."""

    def __init__(self, workers: int) -> None:
        if current_process().name == NAME:  # the caller's script runs again in a worker
            raise RuntimeError(f"workers start no workers: {GUARD}")
        self._count = workers

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Give each worker a part as soon as it is idle."""
        run = _Run(deque(parts), with_main=MAIN in packed)
        try:
            for _ in range(min(self._count, len(parts))):
                run.workers.append(_Process.start(with_main=run.with_main))
            yield from run.done(packed)
        finally:
            for worker in run.workers:
                worker.process.kill()  # kill all before waiting for any
            for worker in run.workers:
                worker.end()
        run.tries.finish()


@dataclass(slots=True)
class _Run:
    """The workers, and the parts that wait for one."""

    waiting: deque[Part]
    with_main: bool
    workers: list[_Process] = field(default_factory=list)
    tries: Tries = field(default_factory=Tries)
    failed_starts: int = 0
    """Workers that died at their start since one was ready."""
    has_begun: bool = False
    """True if any worker was ever ready."""

    def done(self, packed: bytes) -> Done:
        """Receive results until no part waits and none is in work."""
        while self.waiting or any(worker.part is not None for worker in self.workers):
            for worker in _heard(self.workers):
                try:
                    told = worker.pipe.recv()
                except (EOFError, ConnectionError):
                    self._replace(worker)
                    continue
                if isinstance(told, Exception):
                    raise told
                if told == UP:
                    _send_models(worker, packed)
                    continue
                self.has_begun, self.failed_starts = True, 0
                if isinstance(told, Counts) and worker.part is not None:
                    yield worker.part, told
                _give(worker, self.waiting)
            self._wake()

    def _replace(self, dead: _Process) -> None:
        dead.end()
        code = f"exit code {dead.process.exitcode}"
        if dead.part is not None and self.tries.again(dead.part, code):
            self.waiting.append(dead.part)
        if not dead.is_ready:
            self.failed_starts += 1
            if not self.has_begun or self.failed_starts == MOST_TRIES:
                raise RuntimeError(f"a worker exited during startup ({code}); {GUARD}")
        self.workers[self.workers.index(dead)] = _Process.start(with_main=self.with_main)

    def _wake(self) -> None:
        """Give idle workers the parts of dead ones."""
        for worker in self.workers:
            if worker.is_ready and worker.part is None and self.waiting:
                _give(worker, self.waiting)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that start meanwhile: only the parent handles it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the caller's script from processes that start meanwhile; it need not have a guard.

    `multiprocessing` finds the script by these two names alone.
    """
    main = vars(sys.modules["__main__"])
    names: tuple[str, ...] = ("__file__", "__spec__")
    kept = {name: main[name] for name in names if name in main}
    main.update(dict.fromkeys(kept))
    try:
        yield
    finally:
        main.update(kept)


def _heard(workers: list[_Process]) -> list[_Process]:
    """Wait until workers have sent something or have died."""
    ready = wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in ready]


def _send_models(worker: _Process, packed: bytes) -> None:
    with suppress(ConnectionError):  # `done` notices that it died
        worker.pipe.send_bytes(packed)


def _give(worker: _Process, waiting: deque[Part]) -> None:
    worker.is_ready, worker.part = True, waiting.popleft() if waiting else None
    if worker.part is not None:
        with suppress(ConnectionError):  # `done` notices that it died
            worker.pipe.send(worker.part)


def _work(pipe: Connection) -> None:
    """Answer parts until the pipe ends; runs in the process of a worker."""
    from toccata.scale._worker import Worker

    with suppress(EOFError, ConnectionError):  # the parent is gone
        pipe.send(UP)
        worker = _tried(Worker, pipe.recv_bytes())
        pipe.send(READY if isinstance(worker, Worker) else worker)
        while True:
            pipe.send(_tried(worker.do, pipe.recv()))


def _tried(do: Callable[[Any], Any], what: Any) -> Any:
    """Return the result or the error, which the parent raises."""
    try:
        return do(what)
    except Exception as error:
        return _portable(error)


def _portable(error: Exception) -> Exception:
    """Return an error that can be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
