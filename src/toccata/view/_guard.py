"""Access control of pages: the addresses and requests that their servers accept.

A browser lets every open site connect to servers on the same machine. Each request names the
requesting site (`Origin`) and the requested server (`Host`). A guard checks both names before viser
receives the request for a page or a WebSocket.

viser has no setting for this. Its server comes from the package websockets and accepts a function
that may refuse requests; `guarding` puts a guard before viser's own function. `check_guarded` then
sends two requests that the server has to refuse. If a future version of viser listens differently,
this check fails and no page is opened.
"""

from __future__ import annotations

import hmac
import http.client
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlsplit

HOST = "127.0.0.1"
PORT = 8080
PRIVATE = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
"""Headers of every page."""
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that stand for all addresses of this machine, with an address for a browser."""
_STRANGER = "toccata.invalid"
"""A host without pages: names below .invalid are reserved (RFC 2606)."""
_PATIENCE = 10.0
"""Seconds that `check_guarded` waits for an answer."""
_PATCHING = threading.Lock()


def reachable(host: str) -> str:
    """Return an address at which this machine finds a server that listens on `host`."""
    return _ANY.get(host, host)


def url(host: str, port: int, guard: Guard | None) -> str:
    """Return the address of a page, with the secret if there is one."""
    name = reachable(host)
    path = "" if guard is None else guard.path.rstrip("/")
    return f"http://{f'[{name}]' if ':' in name else name}:{port}{path}"


def check_host(host: str) -> None:
    """Raise ValueError for an address of another machine. A server would try ports forever."""
    try:
        where = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(where[0], socket.SOCK_STREAM) as probe:
            probe.bind(where[4])
    except OSError as error:
        raise ValueError(f"host: expected an address of this machine, got {host!r}") from error


@dataclass(frozen=True, slots=True)
class Guard:
    """The rules of one server.

    A server on the loopback address accepts requests with a loopback address or `localhost` as
    `Host`. Requests to the domain of another site have other names, even if the domain leads to
    this machine (DNS rebinding). Any port is accepted, because a tunnel may use another port. For a
    server on another address, no such name exists. Instead, the paths of its pages and WebSockets
    start with a secret.
    """

    token: str | None
    """The secret, if other machines can reach the address."""

    @classmethod
    def of(cls, host: str) -> Guard:
        """Return the rules for a server that listens on an address of this machine."""
        return cls(None if _listens_locally(host) else secrets.token_urlsafe(24))

    @property
    def path(self) -> str:
        """The path of the page."""
        return "/" if self.token is None else f"/{self.token}/"

    def refusal(self, path: str, headers: Any) -> str | None:
        """Return the reason for refusing a request; None to accept it."""
        hosts, origins = (headers.get_all(name) or [] for name in ("Host", "Origin"))
        if len(hosts) != 1 or len(origins) > 1:
            return "expected one Host and at most one Origin"
        (host,) = hosts
        is_host = re.fullmatch(r"[A-Za-z0-9.:_\[\]-]+", host)
        if not is_host or (self.token is None and not _names_loopback(host)):
            return "expected the Host of this page"
        if not origins and headers.get_all("Upgrade"):
            return "expected the Origin of this page"
        if any(origin not in (f"http://{host}", f"https://{host}") for origin in origins):
            return "expected the Origin of this page"
        if self.inner_path(path) is None:
            return "expected the address that was printed"
        return self._refused_query(path, host)

    def inner_path(self, path: str) -> str | None:
        """Return the path without the secret, as viser knows it; None for a wrong secret."""
        if self.token is None:
            return path
        first, _, rest = path.partition("?")[0].removeprefix("/").partition("/")
        known = hmac.compare_digest(first.encode("utf-8", "replace"), self.token.encode())
        return f"/{rest}" if known else None

    def _refused_query(self, path: str, host: str) -> str | None:
        """Refuse parameters of viser's page, because one of them selects the server of the page.

        The page itself sets this parameter to its own server, so a reload sends the parameter.
        """
        own = {f"{scheme}://{host}{self.path}".rstrip("/") for scheme in ("ws", "wss")}
        for name, value in parse_qsl(path.partition("?")[2], keep_blank_values=True):
            if name != "websocket" or value.rstrip("/") not in own:
                return "expected no parameters in the address"
        return None


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
    """Return whether only this machine can reach an address. "" stands for all addresses."""
    if not host:
        return False
    found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    return bool(found) and all(_is_loopback(str(row[4][0])) for row in found)


@contextmanager
def guarding(guard: Guard) -> Iterator[None]:
    """Put a guard before the server that viser starts in this context."""
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
    """Return a function that refuses requests, or passes them on to viser's `answer`."""

    def process_request(connection: Any, request: Any) -> Any:
        refusal = guard.refusal(request.path, request.headers)
        if refusal is not None:
            return connection.respond(http.HTTPStatus.FORBIDDEN, f"Refused: {refusal}.\n")
        request.path = guard.inner_path(request.path)
        response = None if answer is None else answer(connection, request)
        if response is not None:
            host = request.headers["Host"]
            policy = (  # the page contacts its own server only, and no other page frames it
                f"connect-src 'self' ws://{host} wss://{host} data: blob:; "
                "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
            )
            for name, value in {"Content-Security-Policy": policy, **PRIVATE}.items():
                response.headers[name] = value
        return response

    return process_request


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
    requests = (("/", page), (guard.path, socket_of_other_site))
    answers = [_status(host, port, path, headers) for path, headers in requests]
    if answers != [http.HTTPStatus.FORBIDDEN] * 2:
        raise RuntimeError(
            "viser: this version cannot be guarded from other sites, because it answers "
            f"{answers} instead of 403; version 1.1 can be guarded"
        )


def _status(host: str, port: int, path: str, headers: dict[str, str]) -> int | None:
    """Return the status of the answer to a request; None if there is no answer."""
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
