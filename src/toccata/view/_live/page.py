"""A session in a browser: what it shows is drawn, and what readers do is handed on."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any, Self

from toccata._text import visible
from toccata.view._camera import Sight, overview
from toccata.view._canvas import Canvas
from toccata.view._host import HOST, PORT
from toccata.view._items import Camera
from toccata.view._live.session import Session
from toccata.view._live.threads import Ticker
from toccata.view._server import address, close_server, open_server, set_sight

if TYPE_CHECKING:
    import viser

_WORDS_EVERY = 0.1
"""Seconds after which words and plots are written anew: faster, nobody reads them."""
_NOTICES = (
    "<style>.mantine-Notifications-root { top: auto !important; bottom: 12px !important; }"
    "#webgl-software-rendering { display: none; }</style>"
)
"""Keeps notices away from the middle of the picture, and the one about software rendering out."""
_ROOM = 1.35
"""Distance of the first camera, relative to the nearest one that shows everything."""


class Panel:
    """The controls of a session, beside its picture."""

    def __init__(self, page: LivePage) -> None:
        self.page = page
        self.gui: viser.GuiApi = page.server.gui
        self.gui.add_html(_NOTICES)
        self._words = self.gui.add_html("")

    def drawn(self) -> None:
        """Follow what was drawn: the thread of the session calls this after each picture."""

    def write(self) -> None:
        """Say how the session stands; a few times a second at most."""
        words = paragraphs(self.page.session.notes)
        if self._words.content != words:
            self._words.content = words

    def button(self, label: str, do: Callable[[Any], object], hint: str | None = None) -> Any:
        """Add a button; what it does may take its time."""
        button: Any = self.gui.add_button(visible(label), hint=hint)
        button.on_click(do)
        return button


class LivePage:
    """Shows a session until it is stopped. All drawing is done by one thread, at most 60 Hz.

    Args:
        session: what is shown.
        panel: makes its controls.
        host: an address of this machine; by default only this machine is answered. The address of
            a page that others can reach contains a random token.
        port: the next free one is taken if it is in use, any free one for 0.

    """

    def __init__(
        self,
        session: Session,
        panel: Callable[[LivePage], Panel],
        *,
        host: str = HOST,
        port: int = PORT,
    ) -> None:
        self.session = session
        self.server: viser.ViserServer = open_server(session.title, host, port)
        # Beside the picture, so that controls never cover a body that is dragged.
        self.server.gui.main_panel.dock_right()
        self.canvas: Canvas = Canvas(self.server.scene)
        items = session.items()
        set_sight(self.server, _farther(overview(items, session.direction)))
        self.canvas.show(items)
        self.panel: Panel = panel(self)
        self._written, self._stale = 0.0, True
        self._ticker = Ticker(self._tick, failed=self._complain).start()

    @property
    def address(self) -> str:
        """The address for a browser."""
        return address(self.server)

    @property
    def error(self) -> BaseException | None:
        """The exception that ended the session, if any."""
        return self._ticker.error

    def wait(self) -> None:
        """Go on until the program is interrupted, or the session fails."""
        while self._ticker.running:
            time.sleep(0.1)
        if self.error is not None:
            raise self.error

    def stop(self) -> None:
        """End the session and its server."""
        self._ticker.stop()
        close_server(self.server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _tick(self) -> None:
        if self.session.tick():
            with self.server.atomic():
                self.canvas.show(self.session.items())
                self.panel.drawn()
            self.server.flush()  # without waiting for more, as viser does otherwise
            self._stale = True
        now = time.monotonic()
        if self._stale and now - self._written > _WORDS_EVERY:
            self._written, self._stale = now, False
            self.panel.write()

    def _complain(self, error: BaseException) -> None:
        """Show what went wrong where the reader looks."""
        words = "".join(traceback.format_exception_only(error)).strip()
        self.server.gui.add_html(paragraphs(["This view has stopped.", words]))


def paragraphs(lines: Iterable[str]) -> str:
    """Return lines of text as HTML in which names stay text.

    viser takes HTML or Markdown; its Markdown takes HTML, too, and has far more to escape.
    """
    style = "margin: 0.5em 0.75em; font-size: 0.875rem; line-height: 1.4; overflow-wrap: anywhere"
    return "".join(f'<p style="{style}">{escape(visible(line))}</p>' for line in lines)


def _farther(sight: Sight) -> Sight:
    """Leave room for bodies that move, and for the controls."""
    near = sight.camera
    position = near.target + _ROOM * (near.position - near.target)
    return Sight(Camera(position, near.target, near.up), sight.near, _ROOM * sight.far)
