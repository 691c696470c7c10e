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
GUARD = "put the call behind: if __name__ == '__main__':"
MAIN = b"__main__"
"""Where functions and classes of the caller's script are, for what is pickled."""


@dataclass(slots=True, eq=False)
class _Process:
    """A worker, the pipe to it, and the part it is at; None before it has built the models."""

    process: Any
    pipe: Connection
    part: Part | None = None
    is_ready: bool = False

    @classmethod
    def start(cls, *, with_main: bool) -> _Process:
        """Start anew: a fork would share locks of threads that are not there.

        The models follow when it is up: a process that died before it had read all that it is
        started with would be waited for without end. Only models made of functions of the caller's
        script make it run that script once more.
        """
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there,), name=NAME, daemon=True)
        with _without_interrupts(), nullcontext() if with_main else _without_main():
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
        run = _Run(deque(parts), with_main=MAIN in packed)
        try:
            for _ in range(min(self._count, len(parts))):
                run.workers.append(_Process.start(with_main=run.with_main))
            yield from run.done(packed)
        finally:
            for worker in run.workers:
                worker.process.kill()  # all of them before any is waited for
            for worker in run.workers:
                worker.end()
        run.tries.finish()


@dataclass(slots=True)
class _Run:
    """Workers, and parts that wait for one."""

    waiting: deque[Part]
    with_main: bool
    workers: list[_Process] = field(default_factory=list)
    tries: Tries = field(default_factory=Tries)
    failed_starts: int = 0
    """Since a worker was ready."""
    has_begun: bool = False
    """Whether any worker was ever ready."""

    def done(self, packed: bytes) -> Done:
        """Hear of parts until none waits and none is being done."""
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
                raise RuntimeError(f"a worker ended before it began ({code}); {GUARD}")
        self.workers[self.workers.index(dead)] = _Process.start(with_main=self.with_main)

    def _wake(self) -> None:
        """Give idle workers what a dead one has left."""
        for worker in self.workers:
            if worker.is_ready and worker.part is None and self.waiting:
                _give(worker, self.waiting)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from what is started meanwhile, for all its life: it is for who started it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep the caller's script from what is started meanwhile: it need not be a file, nor guarded.

    These two are all that `multiprocessing` knows of it.
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


def _work(pipe: Connection) -> None:
    """Do parts until the pipe ends; this runs in the process of a worker."""
    from toccata.scale._worker import Worker

    with suppress(EOFError, ConnectionError):  # who started it is gone
        pipe.send(UP)
        worker = _tried(Worker, pipe.recv_bytes())
        pipe.send(READY if isinstance(worker, Worker) else worker)
        while True:
            pipe.send(_tried(worker.do, pipe.recv()))


def _tried(do: Callable[[Any], Any], what: Any) -> Any:
    """Return what comes of it, be it an error: that is raised where the run was started."""
    try:
        return do(what)
    except Exception as error:
        return _portable(error)


def _portable(error: Exception) -> Exception:
    """Return an error that travels: some do not pickle."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
