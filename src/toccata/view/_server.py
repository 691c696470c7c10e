"""The viser server of a live page, on the loopback address by default."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from toccata._text import visible
from toccata.view._camera import FIELD_OF_VIEW, Sight
from toccata.view._guard import (
    HOST,
    PORT,
    Guard,
    check_guarded,
    check_host,
    guarding,
    reachable,
    url,
)

if TYPE_CHECKING:
    import viser

MISSING = "toccata.view needs viser: pip install 'toccata[view]'"
_OPEN: dict[Any, Guard] = {}


def open_server(title: str, host: str = HOST, port: int = PORT) -> viser.ViserServer:
    """Start a server on a port, or on the next free port. Port 0 stands for any free port.

    The server refuses other sites (`toccata.view._guard`). An address that other machines can reach
    contains a secret.
    """
    try:
        import viser
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(MISSING) from error
    check_host(host)
    guard = Guard.of(host)
    with _quiet(), guarding(guard):
        server: Any = viser.ViserServer(host, port, label=visible(title), verbose=False)
    _OPEN[server] = guard
    try:
        check_guarded(guard, reachable(host), server.get_port())
    except BaseException:
        close_server(server)
        raise
    # Otherwise any page could request a public address.
    server.request_share_url = lambda verbose=True: None
    server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(64, 130, 189))
    server.scene.configure_default_lights(cast_shadow=False)
    return server  # type: ignore[no-any-return]


def close_server(server: viser.ViserServer) -> None:
    """Stop a server and its threads, unless the server is stopped already."""
    if _OPEN.pop(server, None) is not None:
        with _quiet():
            server.stop()


@atexit.register
def _close_all() -> None:
    for server in list(_OPEN):
        close_server(server)


def address(server: viser.ViserServer) -> str:
    """Return the address for a browser, with the secret if there is one."""
    return url(server.get_host(), server.get_port(), _OPEN.get(server))


def set_sight(server: viser.ViserServer, sight: Sight) -> None:
    """Set the camera of new pages, to which users can also reset the camera."""
    initial = server.initial_camera
    initial.fov = FIELD_OF_VIEW
    initial.near, initial.far = sight.near, sight.far
    initial.up = sight.camera.up
    initial.position, initial.look_at = sight.camera.position, sight.camera.target


@contextmanager
def _quiet() -> Iterator[None]:
    """Prevent viser from printing, because this is a library."""
    import rich

    console: Any = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
