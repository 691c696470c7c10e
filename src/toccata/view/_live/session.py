"""What is shown live: it is changed by one thread, and others leave their wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toccata._arrays import Floats
from toccata.view._items import Item
from toccata.view._live.threads import Orders


class Session:
    """Something that goes on and is looked at meanwhile.

    `tick` is called by one thread only, at a steady rate. All else that changes the session goes
    through `order`, which any thread may call: so nothing is ever changed by two at once.
    """

    title = ""
    direction: Floats | None = None
    """(3,) from what is seen to the eye; None: an oblique one."""

    def __init__(self) -> None:
        self._orders = Orders()

    def order(self, what: Callable[[], object]) -> None:
        """Have something done by the thread of the session, before its next tick."""
        self._orders.add(what)

    def tick(self) -> bool:
        """Follow all orders and go on; return whether anything may look different now."""
        ordered = self._orders.follow()
        return self.advance() or ordered

    def advance(self) -> bool:
        """Go on by one tick; return whether anything may look different now."""
        raise NotImplementedError

    def items(self) -> Sequence[Item]:
        """Return what is seen now, as a view shows it at one time."""
        raise NotImplementedError

    @property
    def notes(self) -> Sequence[str]:
        """Lines that say how it stands."""
        return ()
