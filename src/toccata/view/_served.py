"""A finished page on a local address, with the access control of live pages."""

from __future__ import annotations

import socket
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from toccata.view._guard import Guard
from toccata.view._host import HOST, PORT, check_host, url

_TRIED = 50
"""Ports after the wanted one that are tried."""


class ServedPage:
    """Serves one page until it is stopped.

    Args:
        page: its HTML.
        host: an address of this machine; by default only this machine is answered. The address of
            a page that others can reach contains a random token.
        port: the next free one is taken if it is in use, any free one for 0.

    """

    def __init__(self, page: str, *, host: str = HOST, port: int = PORT) -> None:
        check_host(host)
        self._guard = Guard.of(host)
        # Names of files may have characters that no encoding has.
        self._body = page.encode("utf-8", "xmlcharrefreplace")
        self._host = host
        self._server = self._listen(port)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _listen(self, port: int) -> ThreadingHTTPServer:
        guard, body = self._guard, self._body

        class Handler(BaseHTTPRequestHandler):
            """Answers requests for the page, and refuses those of other sites."""

            def do_GET(self) -> None:
                status, content = _answer(guard, self.path, self.headers, body)
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Security-Policy", "frame-ancestors 'self'")
                self.send_header("Referrer-Policy", "no-referrer")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """A library prints nothing."""

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            allow_reuse_address = False
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A reader that is gone is no error."""

        for offset in range(_TRIED if port else 1):
            try:
                return Server((self._host, port + offset), Handler)
            except OSError:
                if not port or offset == _TRIED - 1:
                    raise
        raise AssertionError

    @property
    def address(self) -> str:
        """The address for a browser, with the secret if there is one."""
        return url(self._host, int(self._server.server_address[1]), self._guard)

    def wait(self) -> None:
        """Go on until the program is interrupted."""
        while self._thread.is_alive():
            time.sleep(0.1)

    def stop(self) -> None:
        """End the server."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Headers:
    """Headers as the guard reads them."""

    def __init__(self, message: Any) -> None:
        self._message = message

    def get_all(self, name: str) -> list[str]:
        """Return all values of a header."""
        return [str(value) for value in self._message.get_all(name, [])]


def _answer(guard: Guard, path: str, headers: Any, page: bytes) -> tuple[HTTPStatus, bytes]:
    refusal = guard.refusal(path, _Headers(headers))
    if refusal is not None:
        return HTTPStatus.FORBIDDEN, f"Refused: {refusal}.\n".encode()
    inner = (guard.inner_path(path) or "").partition("?")[0]
    if inner not in ("", "/"):
        return HTTPStatus.NOT_FOUND, b"There is one page only.\n"
    return HTTPStatus.OK, page
