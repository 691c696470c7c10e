"""Access control of live pages: which requests the server of a page answers.

A browser lets any site that is open in it connect to servers of the same machine. Each
request names the site on whose behalf it is made (`Origin`), and the server that the browser wants
to reach (`Host`). Both are checked here, for pages and for WebSockets, before viser sees the
request.

viser has no setting for this. Its server comes from the package websockets and takes a function
that may refuse requests: `guarding` puts ours before viser's own. `check_guarded` then sends the
server two requests that it has to refuse. If a future viser listens differently, this check fails,
and no page is opened.
"""

from __future__ import annotations

import hmac
import http.client
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_STRANGER = "toccata.invalid"
"""A host that no page has: names below .invalid are never given out (RFC 2606)."""
_PATIENCE = 10.0
"""Seconds that a server has for an answer to `check_guarded`."""
_PATCHING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Guard:
    """The rules of one server.

    A server on the loopback address answers requests that name it by a loopback address or
    `localhost`, which no site can do under a name of its own (DNS rebinding). The port is free:
    it may belong to a tunnel. A server on another address has no such name, but a secret: the
    first part of the path of its pages and WebSockets.
    """

    token: str | None
    """The secret of an address that other machines can reach."""

    @classmethod
    def of(cls, host: str) -> Guard:
        """Return the rules for a server that listens on an address of this machine."""
        return cls(None if _listens_locally(host) else secrets.token_urlsafe(24))

    @property
    def path(self) -> str:
        """The path of the page."""
        return "/" if self.token is None else f"/{self.token}/"

    def refusal(self, path: str, headers: Any) -> str | None:
        """Return why a request is refused; None if it is answered."""
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) != 1 or len(origins) > 1:
            return "expected one Host and at most one Origin"
        (host,) = hosts
        if not _is_host(host) or (self.token is None and not _names_loopback(host)):
            return "expected the Host of this page"
        if not origins and headers.get_all("Upgrade"):
            return "expected the Origin of this page"
        if any(origin not in (f"http://{host}", f"https://{host}") for origin in origins):
            return "expected the Origin of this page"
        if self.inner_path(path) is None:
            return "expected the address that was printed"
        return self._refused_query(path, host)

    def inner_path(self, path: str) -> str | None:
        """Return the path that viser knows, without the secret; None if that is wrong."""
        if self.token is None:
            return path
        first, _, rest = path.partition("?")[0].removeprefix("/").partition("/")
        known = hmac.compare_digest(first.encode("utf-8", "replace"), self.token.encode())
        return f"/{rest}" if known else None

    def _refused_query(self, path: str, host: str) -> str | None:
        """Refuse parameters of viser's page: one of them names another server to obey.

        The page writes its own server there, which is what a reload sends.
        """
        own = {f"{scheme}://{host}{self.path}".rstrip("/") for scheme in ("ws", "wss")}
        for name, value in parse_qsl(path.partition("?")[2], keep_blank_values=True):
            if name != "websocket" or value.rstrip("/") not in own:
                return "expected no parameters in the address"
        return None


def _is_host(text: str) -> bool:
    """Return whether a text is a host with or without a port, and nothing else."""
    return bool(text) and all(c.isascii() and (c.isalnum() or c in ".-_:[]") for c in text)


def _names_loopback(host: str) -> bool:
    """Return whether the Host of a request is a loopback address or `localhost`."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    return name == "localhost" or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _listens_locally(host: str) -> bool:
    """Return whether only this machine reaches an address; an empty one means all."""
    if not host:
        return False
    found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    return bool(found) and all(_is_loopback(str(row[4][0])) for row in found)


@contextmanager
def guarding(guard: Guard) -> Iterator[None]:
    """Put a guard before the server that viser starts meanwhile."""
    import websockets.asyncio.server as websockets_server

    with _PATCHING:
        original = websockets_server.serve

        def serve(handler: Any, *args: Any, process_request: Any = None, **given: Any) -> Any:
            if str(getattr(handler, "__module__", "")).partition(".")[0] == "viser":
                process_request = _guarded(guard, process_request)
            return original(handler, *args, process_request=process_request, **given)

        websockets_server.serve = serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets_server.serve = original  # type: ignore[misc]


def _guarded(guard: Guard, answer: Callable[[Any, Any], Any] | None) -> Callable[[Any, Any], Any]:
    """Return what answers requests: a refusal, or what viser says."""

    def process_request(connection: Any, request: Any) -> Any:
        refusal = guard.refusal(request.path, request.headers)
        if refusal is not None:
            return connection.respond(http.HTTPStatus.FORBIDDEN, f"Refused: {refusal}.\n")
        request.path = guard.inner_path(request.path)
        response = None if answer is None else answer(connection, request)
        if response is not None:
            host = request.headers["Host"]
            for name, value in _page_headers(host).items():
                response.headers[name] = value
        return response

    return process_request


def _page_headers(host: str) -> dict[str, str]:
    """Return what a browser has to mind: the page talks to its own server, nobody frames it."""
    return {
        "Content-Security-Policy": (
            f"connect-src 'self' ws://{host} wss://{host} data: blob:; "
            "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
        ),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def check_guarded(guard: Guard, host: str, port: int) -> None:
    """Raise RuntimeError unless the server refuses a foreign host and a foreign origin."""
    own = f"127.0.0.1:{port}"
    page = {"Host": own if guard.token is not None else _STRANGER}
    socket_of_other_site = {
        "Host": own,
        "Origin": f"http://{_STRANGER}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dG9jY2F0YSB0b2NjYXRhIQ==",
    }
    answers = [
        _status(host, port, "/", page),
        _status(host, port, guard.path, socket_of_other_site),
    ]
    if answers != [http.HTTPStatus.FORBIDDEN] * 2:
        raise RuntimeError(
            "viser: expected a version whose server can be guarded from other sites, as 1.1 can, "
            f"got one that answers {answers} where 403 is due"
        )


def _status(host: str, port: int, path: str, headers: dict[str, str]) -> int | None:
    """Return the status of an answer, None without one."""
    connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
    try:
        connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return int(connection.getresponse().status)
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
