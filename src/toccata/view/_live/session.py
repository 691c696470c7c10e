"""The base of live sessions. One thread changes a session; other threads request changes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import wraps
from queue import SimpleQueue
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar

from toccata._arrays import Floats
from toccata.view._items import Item

P = ParamSpec("P")
T = TypeVar("T")
AnySession = TypeVar("AnySession", bound="Session")
RATE = 60.0
"""Ticks per second, the usual refresh rate of screens."""


class Newest(Generic[T]):
    """A mailbox for one value. `put` replaces the value, so a slow reader sees only the newest."""

    def __init__(self) -> None:
        self._values: deque[T] = deque(maxlen=1)

    def put(self, value: T) -> None:
        """Replace the value."""
        self._values.append(value)

    def take(self) -> T | None:
        """Remove and return the value; None if the mailbox is empty."""
        return self._values.pop() if self._values else None


class Ticker:
    """A thread that calls a function at a fixed rate.

    A slow call delays the next call, and missed calls are not repeated. An exception ends the
    thread. It is stored in `error` and passed to `failed`.
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
        """Start the thread."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Wait for a call in progress, and end the thread."""
        self._end.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    @property
    def running(self) -> bool:
        """True while the thread runs."""
        return self._thread.is_alive()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._end.is_set():
            try:
                self._work()
            except Exception as error:  # whatever fails is reported on the page
                self.error = error
                if self._failed is not None:
                    self._failed(error)
                return
            due = max(due + self._pause, time.monotonic())
            self._end.wait(due - time.monotonic())


class Session:
    """A changing scene that a live page shows.

    One thread calls `tick` at a steady rate, and only this thread changes the session. Other
    threads request changes by `order`.
    """

    title = ""
    direction: Floats | None = None
    """Direction from the scene to the eye, (3,). By default, it is oblique."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[Callable[[], object]] = SimpleQueue()

    def order(self, what: Callable[[], object]) -> None:
        """Request that the session's thread calls a function before the next tick."""
        self._orders.put(what)

    def tick(self) -> bool:
        """Make the requested changes and advance. Return whether any item may have changed."""
        count = self._orders.qsize()  # without requests that these functions make
        for _ in range(count):
            self._orders.get_nowait()()
        return self.advance() or count > 0

    def advance(self) -> bool:
        """Advance by one tick. Return whether any item may have changed."""
        raise NotImplementedError

    def items(self) -> Sequence[Item]:
        """Return the current items."""
        raise NotImplementedError

    @property
    def notes(self) -> Sequence[str]:
        """Status text, line by line."""
        return ()


def ordered(
    method: Callable[Concatenate[AnySession, P], object],
) -> Callable[Concatenate[AnySession, P], None]:
    """Make the session's thread run a method, so that any thread may call the method."""

    @wraps(method)
    def order(self: AnySession, /, *args: P.args, **given: P.kwargs) -> None:
        self.order(lambda: method(self, *args, **given))

    return order
