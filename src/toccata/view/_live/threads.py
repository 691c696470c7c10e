"""A thread that works at a steady rate, and queues for requests of other threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")
RATE = 60.0
"""Ticks a second: what a screen shows."""


class Newest(Generic[T]):
    """Holds the newest of all values that were put: a reader that is late misses the others."""

    __slots__ = ("_lock", "_value")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None

    def put(self, value: T) -> None:
        """Leave a value in place of the last one."""
        with self._lock:
            self._value = value

    def take(self) -> T | None:
        """Return the newest value once; None if it was taken before."""
        with self._lock:
            value, self._value = self._value, None
        return value


class Orders:
    """Functions that other threads want the owning thread to call, in order."""

    __slots__ = ("_queue",)

    def __init__(self) -> None:
        self._queue: SimpleQueue[Callable[[], object]] = SimpleQueue()

    def add(self, order: Callable[[], object]) -> None:
        """Leave an order; any thread may."""
        self._queue.put(order)

    def follow(self) -> bool:
        """Do all that was ordered up to now; return whether there was anything."""
        count = self._queue.qsize()
        for _ in range(count):
            try:
                order = self._queue.get_nowait()
            except Empty:
                break
            order()
        return count > 0


class Ticker:
    """Calls a function at a fixed rate from a thread of its own.

    A call that takes longer delays the next one; none is made up for. An exception ends the thread;
    `failed` gets it, and `error` keeps it.
    """

    def __init__(
        self,
        work: Callable[[], object],
        rate: float = RATE,
        failed: Callable[[BaseException], object] | None = None,
    ) -> None:
        self._work, self._pause, self._failed = work, 1 / rate, failed
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="toccata live", daemon=True)
        self.error: BaseException | None = None

    def start(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, and wait until the last call is over."""
        self._end.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    @property
    def running(self) -> bool:
        """True while the thread runs."""
        return self._thread.is_alive()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._end.is_set():
            try:
                self._work()
            except Exception as error:  # any drawing may fail; the error is reported
                self.error = error
                if self._failed is not None:
                    self._failed(error)
                return
            due = max(due + self._pause, time.monotonic())
            self._end.wait(due - time.monotonic())
