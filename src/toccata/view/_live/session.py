"""Base of live sessions: one thread changes them, other threads leave requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toccata._arrays import Floats
from toccata.view._items import Item
from toccata.view._live.threads import Orders


class Session:
    """A process that a live page shows.

    `tick` is called by one thread only, at a steady rate. All else that changes the session goes
    through `order`, which any thread may call: so nothing is ever changed by two at once.
    """

    title = ""
    direction: Floats | None = None
    """(3,) direction from the scene to the eye; None for an oblique one."""

    def __init__(self) -> None:
        self._orders = Orders()

    def order(self, what: Callable[[], object]) -> None:
        """Let the thread of the session call a function before its next tick."""
        self._orders.add(what)

    def tick(self) -> bool:
        """Follow all orders and go on; return whether anything may look different now."""
        ordered = self._orders.follow()
        return self.advance() or ordered

    def advance(self) -> bool:
        """Go on by one tick; return whether anything may look different now."""
        raise NotImplementedError

    def items(self) -> Sequence[Item]:
        """Return the items at this time."""
        raise NotImplementedError

    @property
    def notes(self) -> Sequence[str]:
        """Lines about the current state."""
        return ()
