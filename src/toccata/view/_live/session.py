"""The base of live sessions. One thread changes a session; other threads leave orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from toccata._arrays import Floats
from toccata.view._items import Item
from toccata.view._live.threads import Orders

P = ParamSpec("P")
AnySession = TypeVar("AnySession", bound="Session")


class Session:
    """A process that a live page shows.

    One thread calls `tick` at a steady rate, and only this thread changes the session. Other
    threads request changes by `order`.
    """

    title = ""
    direction: Floats | None = None
    """Direction from the scene to the eye, (3,). None: an oblique one."""

    def __init__(self) -> None:
        self._orders = Orders()

    def order(self, what: Callable[[], object]) -> None:
        """Make the session's thread call a function before its next tick."""
        self._orders.add(what)

    def tick(self) -> bool:
        """Carry out all orders and advance. Return whether any item may have changed."""
        ordered = self._orders.follow()
        return self.advance() or ordered

    def advance(self) -> bool:
        """Advance by one tick. Return whether any item may have changed."""
        raise NotImplementedError

    def items(self) -> Sequence[Item]:
        """Return the current items."""
        raise NotImplementedError

    @property
    def notes(self) -> Sequence[str]:
        """Lines of text about the current state."""
        return ()


def ordered(
    method: Callable[Concatenate[AnySession, P], object],
) -> Callable[Concatenate[AnySession, P], None]:
    """Turn calls of a session's method into orders, so that any thread may call it."""

    @wraps(method)
    def order(self: AnySession, /, *args: P.args, **given: P.kwargs) -> None:
        self.order(lambda: method(self, *args, **given))

    return order
