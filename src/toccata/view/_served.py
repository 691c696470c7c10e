"""A server of one finished page, with the same access control as live pages."""

from __future__ import annotations

import socket
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from toccata.view._guard import HOST, PORT, PRIVATE, Guard, check_host, url

_TRIED = 50
"""Largest number of ports to try."""


class ServedPage:
    """A server of one HTML page, which runs until `stop` is called.

    `host` and `port` are as for `toccata.view.show`.
    """

    def __init__(self, page: str, *, host: str = HOST, port: int = PORT) -> None:
        check_host(host)
        self._guard = Guard.of(host)
        # File names may contain lone surrogates, which UTF-8 cannot encode.
        self._body = page.encode("utf-8", "xmlcharrefreplace")
        self._host = host
        self._server = self._listen(port)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _listen(self, port: int) -> ThreadingHTTPServer:
        page = self

        class Handler(BaseHTTPRequestHandler):
            """Answers requests for the page, and refuses requests of other sites."""

            def do_GET(self) -> None:
                status, content = page._answer(self.path, self.headers)
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Security-Policy", "frame-ancestors 'self'")
                for name, value in PRIVATE.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Print nothing, because this is a library."""

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            allow_reuse_address = False
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Ignore browsers that have closed the connection."""

        last = port + _TRIED - 1 if port else port
        while True:
            try:
                return Server((self._host, port), Handler)
            except OSError:
                if port == last:
                    raise
                port += 1

    def _answer(self, path: str, headers: Any) -> tuple[HTTPStatus, bytes]:
        if (refusal := self._guard.refusal(path, headers)) is not None:
            return HTTPStatus.FORBIDDEN, f"Refused: {refusal}.\n".encode()
        if (self._guard.inner_path(path) or "").partition("?")[0] not in ("", "/"):
            return HTTPStatus.NOT_FOUND, b"This server has only one page.\n"
        return HTTPStatus.OK, self._body

    @property
    def address(self) -> str:
        """The address for a browser, with the secret if there is one."""
        return url(self._host, int(self._server.server_address[1]), self._guard)

    def wait(self) -> None:
        """Block until the program is interrupted."""
        while self._thread.is_alive():
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
