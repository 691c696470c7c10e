"""Servers of live pages: who is answered. Requests are made by hand and by a WebSocket client."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from toccata import view
from toccata.scenes import robots
from toccata.view import _server
from toccata.view._guard import Guard
from toccata.view._live.page import LivePage

viser = pytest.importorskip("viser")
from websockets.asyncio.client import connect  # noqa: E402
from websockets.datastructures import Headers  # noqa: E402
from websockets.exceptions import InvalidStatus  # noqa: E402

OK, FORBIDDEN = 200, 403


@pytest.fixture(scope="module")
def local() -> Iterator[LivePage]:
    with view.open_page(robots.planar_arm(), port=0) as page:
        yield page


@pytest.fixture(scope="module")
def remote() -> Iterator[LivePage]:
    with view.open_page(robots.planar_arm(), host="0.0.0.0", port=0) as page:
        yield page


def port_of(page: LivePage) -> int:
    return int(page.server.get_port())


def path_of(page: LivePage) -> str:
    return page.address.partition(str(port_of(page)))[2]


def fetched(page: LivePage, path: str = "/", *headers: tuple[str, str]) -> Any:
    """Return the answer to a request with exactly these headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port_of(page), timeout=20)
    try:
        connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


def status_of_socket(page: LivePage, path: str = "", **how: Any) -> int:
    """Open a WebSocket, and return the status; of one that is open, it has told us something."""

    async def talk() -> int:
        address = f"ws://127.0.0.1:{port_of(page)}{path}"
        given: dict[str, Any] = {"subprotocols": [f"viser-v{viser.__version__}"], **how}
        try:
            async with connect(address, compression=None, max_size=None, **given) as socket:
                assert await asyncio.wait_for(socket.recv(), 20)
                return OK
        except InvalidStatus as refused:
            return int(refused.response.status_code)

    return asyncio.run(talk())


def test_a_page_is_given_to_those_who_name_this_machine(local: LivePage) -> None:
    port = port_of(local)
    assert local.address == f"http://127.0.0.1:{port}"
    # Another port is that of a tunnel.
    own = [f"127.0.0.1:{port}", f"localhost:{port}", "localhost", "localhost:9000", f"[::1]:{port}"]
    for host in own:
        assert fetched(local, "/", ("Host", host)).status == OK, host
    foreign = [
        f"evil.example:{port}",
        f"192.168.1.7:{port}",
        f"localhost.evil.example:{port}",
        f"127.0.0.1.evil.example:{port}",
        f"127.0.0.1:{port}@evil.example",
        "localhost:port",
        "0.0.0.0",
        "",
    ]
    for host in foreign:
        assert fetched(local, "/", ("Host", host)).status == FORBIDDEN, host
    assert fetched(local, "/").status == FORBIDDEN
    twice = [("Host", own[0]), ("Host", "evil.example")]
    for headers in (twice, twice[::-1]):
        assert fetched(local, "/", *headers).status == FORBIDDEN


def test_a_page_talks_to_its_own_server_only(local: LivePage) -> None:
    """A parameter of viser's page names a server that the page obeys, scripts included."""
    host = f"127.0.0.1:{port_of(local)}"
    answer = fetched(local, f"/?websocket=ws://{host}", ("Host", host))
    assert answer.status == OK
    policy = answer.getheader("Content-Security-Policy")
    assert f"connect-src 'self' ws://{host} " in policy and "frame-ancestors 'self'" in policy
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    for query in (
        "websocket=ws://evil.example",
        f"websocket=ws://evil.example/{host}",
        f"websocket=ws://{host}.evil.example",
        f"websocket=ws://{host}&websocket=ws://evil.example",
        "%77ebsocket=ws://evil.example",
        "playbackPath=http://evil.example/x.viser",
        "websocket",
    ):
        assert fetched(local, f"/?{query}", ("Host", host)).status == FORBIDDEN, query


def test_websockets_of_other_sites_are_refused(local: LivePage) -> None:
    port = port_of(local)
    before = local.session.state.q.copy()  # type: ignore[attr-defined]
    assert status_of_socket(local, origin=f"http://127.0.0.1:{port}") == OK
    foreign = [
        "http://evil.example",
        f"http://evil.example:{port}",
        "http://127.0.0.1",
        f"http://127.0.0.1:{port + 1}",
        f"http://localhost:{port}",  # not what the Host says
        f"http://127.0.0.1:{port}.evil.example",
        f"ftp://127.0.0.1:{port}",
        "null",
        "file://",
    ]
    for origin in foreign:
        assert status_of_socket(local, origin=origin) == FORBIDDEN, origin
    assert status_of_socket(local) == FORBIDDEN, "no Origin"
    both = [("Origin", "http://evil.example"), ("Origin", f"http://127.0.0.1:{port}")]
    assert status_of_socket(local, additional_headers=both) == FORBIDDEN
    assert (local.session.state.q == before).all()  # type: ignore[attr-defined]


def test_another_address_needs_the_secret(remote: LivePage) -> None:
    port, path = port_of(remote), path_of(remote)
    token = path.removeprefix("/")
    assert remote.address == f"http://127.0.0.1:{port}{path}" and len(token) >= 22
    for host in (f"127.0.0.1:{port}", "robot.example:80"):
        named, origin = ("Host", host), ("Origin", f"http://{host}")
        for there in (path, f"{path}/", f"{path}?websocket=ws://{host}{path}"):
            assert fetched(remote, there, named, origin).status == OK
        wrong = ["/", "/index.html", f"/{token[:-1]}", f"/{token}x", f"/x/{token}", f"/?{token}"]
        for there in [*wrong, f"{path}?websocket=ws://evil.example"]:
            assert fetched(remote, there, named).status == FORBIDDEN, there
        assert fetched(remote, path, named, ("Origin", "http://evil.example")).status == FORBIDDEN
    own = f"http://127.0.0.1:{port}"
    assert status_of_socket(remote, path, origin=own) == OK
    assert status_of_socket(remote, "", origin=own) == FORBIDDEN
    assert status_of_socket(remote, f"/{token[::-1]}", origin=own) == FORBIDDEN
    assert status_of_socket(remote, path, origin="http://evil.example") == FORBIDDEN


def test_each_address_has_a_secret_of_its_own() -> None:
    tokens = [Guard.of("0.0.0.0").token for _ in range(20)]
    assert None not in tokens and len(set(tokens)) == 20
    for host in ("127.0.0.1", "localhost", "127.8.9.1", "::1"):
        assert Guard.of(host).token is None
    assert Guard.of("").token is not None and Guard.of("::").token is not None


def test_no_page_is_opened_by_a_viser_that_is_not_guarded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened, made = [], viser.ViserServer

    def keep(*args: Any, **given: Any) -> Any:
        opened.append(made(*args, **given))
        return opened[-1]

    monkeypatch.setattr(viser, "ViserServer", keep)
    monkeypatch.setattr(_server, "guarding", lambda guard: nullcontext())
    for host in ("127.0.0.1", "0.0.0.0"):
        with pytest.raises(RuntimeError, match="this version cannot be guarded"):
            view.open_page(robots.planar_arm(), host=host, port=0)
    assert len(opened) == 2 and not set(opened) & set(_server._OPEN)
    for one in opened:
        with pytest.raises(OSError, match="refused"):
            http.client.HTTPConnection("127.0.0.1", one.get_port(), timeout=20).connect()


def test_other_servers_of_the_same_process_are_left_alone() -> None:
    import websockets.asyncio.server as websockets_server

    before = websockets_server.serve
    view.open_page(robots.planar_arm(), port=0).stop()
    assert websockets_server.serve is before


@pytest.mark.parametrize("origin", ["http://a:1", "https://a:1", None])
def test_rules_take_both_schemes_of_the_own_host(origin: str | None) -> None:
    guard, headers = Guard("secret"), Headers([("Host", "a:1")])
    if origin is not None:
        headers["Origin"] = origin
    assert guard.refusal("/secret/", headers) is None
    assert guard.refusal("/secre/", headers) == "expected the address that was printed"
    assert guard.inner_path("/secret/x/y?z") == "/x/y"
