"""A page that draws the items of a session in a browser, and forwards the input of users."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any, Self

from toccata._text import visible
from toccata.view._camera import overview
from toccata.view._canvas import Canvas
from toccata.view._guard import HOST, PORT
from toccata.view._live.session import Session, Ticker
from toccata.view._server import address, close_server, open_server, set_sight

if TYPE_CHECKING:
    import viser

_WORDS_EVERY = 0.1
"""Seconds between updates of text and plots."""
_NOTICES = (
    "<style>.mantine-Notifications-root { top: auto !important; bottom: 12px !important; }"
    "#webgl-software-rendering { display: none; }</style>"
)
"""Style that moves notices to the edge, and hides the notice about software rendering."""


class Panel:
    """The controls of a session, beside its picture."""

    def __init__(self, page: LivePage) -> None:
        self.page = page
        self.gui: viser.GuiApi = page.server.gui
        self.gui.add_html(_NOTICES)
        self._words = self.gui.add_html("")

    def drawn(self) -> None:
        """Update the controls. The session's thread calls this after drawing the items."""

    def write(self) -> None:
        """Update the status text, at most ten times per second."""
        words = paragraphs(self.page.session.notes)
        if self._words.content != words:
            self._words.content = words

    def button(self, label: str, do: Callable[[Any], object], hint: str | None = None) -> Any:
        """Add a button. Its function may take a long time."""
        button: Any = self.gui.add_button(visible(label), hint=hint)
        button.on_click(do)
        return button

    def bind(self, control: Any, target: Any, attribute: str) -> None:
        """Copy the value of a control to an attribute whenever it changes."""
        control.on_update(lambda _: setattr(target, attribute, control.value))


class LivePage:
    """A page that shows a session. One thread draws, at most 60 times per second.

    `panel` creates the controls. `host` and `port` are as for `toccata.view.show`.
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
        # Beside the picture, where controls never cover a dragged body.
        self.server.gui.main_panel.dock_right()
        self.canvas: Canvas = Canvas(self.server.scene)
        items = session.items()
        set_sight(self.server, overview(items, session.direction))
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
        """Block until the program is interrupted or the session fails."""
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
            self.server.flush()  # otherwise viser waits for more messages
            self._stale = True
        now = time.monotonic()
        if self._stale and now - self._written > _WORDS_EVERY:
            self._written, self._stale = now, False
            self.panel.write()

    def _complain(self, error: BaseException) -> None:
        """Show an exception on the page."""
        words = "".join(traceback.format_exception_only(error)).strip()
        self.server.gui.add_html(paragraphs(["This view has stopped.", words]))


def paragraphs(lines: Iterable[str]) -> str:
    """Return lines of text as HTML, with special characters escaped.

    viser accepts Markdown, too, but Markdown has far more special characters.
    """
    style = "margin: 0.5em 0.75em; font-size: 0.875rem; line-height: 1.4; overflow-wrap: anywhere"
    return "".join(f'<p style="{style}">{escape(visible(line))}</p>' for line in lines)
