"""Workers that are processes on this machine."""

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
    """A worker process, with its pipe and its part in progress."""

    process: Any
    pipe: Connection
    part: Part | None = None
    is_ready: bool = False

    @classmethod
    def start(cls, *, with_main: bool) -> _Process:
        """Spawn a process. A fork would inherit locks without the threads that hold them.

        The models are sent later, because the parent would wait forever if the process died while
        it reads its arguments. The process imports the caller's script only if `with_main` is true.
        """
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there,), name=NAME, daemon=True)
        with _without_interrupts(), nullcontext() if with_main else _without_main():
            process.start()
        there.close()  # otherwise the pipe would outlive the process
        return cls(process, here)

    def end(self) -> None:
        """Kill the process. An incomplete file keeps its temporary name."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """An executor on processes with one thread each. A worker that dies is replaced."""

    def __init__(self, workers: int) -> None:
        if current_process().name == NAME:  # the caller's script runs again in a worker
            raise RuntimeError(f"a worker cannot start workers: {GUARD}")
        self._count = workers

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Give a part to each idle worker."""
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
    """The workers, and the parts that wait for a worker."""

    waiting: deque[Part]
    with_main: bool
    workers: list[_Process] = field(default_factory=list)
    tries: Tries = field(default_factory=Tries)
    failed_starts: int = 0
    """Number of workers that died during startup since the last one was ready."""
    has_begun: bool = False
    """True if a worker was ever ready."""

    def done(self, packed: bytes) -> Done:
        """Receive results until no part waits or is in progress."""
        while self.waiting or any(worker.part is not None for worker in self.workers):
            ready = wait([worker.pipe for worker in self.workers])
            for worker in [worker for worker in self.workers if worker.pipe in ready]:
                yield from self._hear(worker, packed)
                self._give()

    def _hear(self, worker: _Process, packed: bytes) -> Done:
        """Receive one message of a worker, or replace the worker if it has died."""
        try:
            told = worker.pipe.recv()
        except (EOFError, ConnectionError):
            self._replace(worker)
            return
        if isinstance(told, Exception):
            raise told
        if told == UP:
            with suppress(ConnectionError):  # a dead worker is replaced when its pipe ends
                worker.pipe.send_bytes(packed)
            return
        self.has_begun, self.failed_starts = True, 0
        if isinstance(told, Counts) and worker.part is not None:
            yield worker.part, told
        worker.is_ready, worker.part = True, None

    def _give(self) -> None:
        """Give waiting parts to idle workers."""
        for worker in self.workers:
            if self.waiting and worker.is_ready and worker.part is None:
                worker.part = self.waiting.popleft()
                with suppress(ConnectionError):
                    worker.pipe.send(worker.part)

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


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that start in this context. Only the parent handles it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the caller's script from processes that start in this context.

    Then the script needs no guard. `multiprocessing` finds the script only by these two names.
    """
    main = vars(sys.modules["__main__"])
    names: tuple[str, ...] = ("__file__", "__spec__")
    kept = {name: main[name] for name in names if name in main}
    main.update(dict.fromkeys(kept))
    try:
        yield
    finally:
        main.update(kept)


def _work(pipe: Connection) -> None:
    """Answer parts until the pipe ends. This runs in the process of a worker."""
    from toccata.scale._worker import Worker

    with suppress(EOFError, ConnectionError):  # the parent is gone
        pipe.send(UP)
        worker = _tried(Worker, pipe.recv_bytes())
        pipe.send(READY if isinstance(worker, Worker) else worker)
        while True:
            pipe.send(_tried(worker.do, pipe.recv()))


def _tried(do: Callable[[Any], Any], what: Any) -> Any:
    """Return the result, or an error for the parent to raise."""
    try:
        return do(what)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error
