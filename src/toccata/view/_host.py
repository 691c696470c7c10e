"""Addresses of pages: only this machine is answered unless another host is given."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toccata.view._guard import Guard

HOST = "127.0.0.1"
PORT = 8080
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that stand for all of this machine, and one that a browser finds."""


def reachable(host: str) -> str:
    """Return an address under which this machine finds a server on `host`."""
    return _ANY.get(host, host)


def url(host: str, port: int, guard: Guard | None) -> str:
    """Return the address of a page, with the secret if there is one."""
    name = reachable(host)
    path = "" if guard is None else guard.path.rstrip("/")
    return f"http://{f'[{name}]' if ':' in name else name}:{port}{path}"


def check_host(host: str) -> None:
    """Refuse an address that is not ours: a server would look for a free port on it for ever."""
    try:
        where = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(where[0], socket.SOCK_STREAM) as probe:
            probe.bind(where[4])
    except OSError as error:
        raise ValueError(f"host: expected an address of this machine, got {host!r}") from error
