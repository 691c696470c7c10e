"""Hostile names in a browser: they are read, and nothing in them runs; other sites get nothing."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import toccata as tc
from browser.person import SIZE
from toccata import report, view
from toccata.scenes import models
from toccata.view import View
from toccata.view._items import Label, Mark, Plot

RUN = "(top.ran = (top.ran || 0) + 1)"
NAME = (
    f'arm <iframe srcdoc="<script>{RUN}</script>"></iframe> <img src=x onerror="{RUN}">'
    f" </script><script>{RUN}</script> {{{RUN}}} **bold** [link](javascript:{RUN}) http://evil.example"
)
PATIENCE = 120_000
"""Milliseconds: without a graphics card, on a machine that others use, a page takes its time."""
READ = "**bold** [link](javascript:"
"""A part of the name that Markdown would not leave as it is."""
_SURPRISES = """() => [
  window.ran ?? 0,
  document.querySelectorAll("iframe[srcdoc*=ran], img[src='x'], a[href*=javascript]").length,
]"""


def box() -> tc.Mesh:
    return tc.Mesh(*models.box((1, 1, 1)))


def hostile_robot() -> tc.Robot:
    slide = {"axis": (1, 0, 0), "lower": -5, "upper": 5}
    joint = tc.Joint(NAME, "prismatic", "base", NAME, tc.pose((3, 0, 0)), **slide)  # type: ignore[arg-type]
    foot = tc.Joint("f", "fixed", "base", "foot")
    links = [tc.Link("base"), tc.Link("foot", box()), tc.Link(NAME, box())]
    return tc.Robot(links, [foot, joint])


def hostile_world() -> tc.Scene:
    world = tc.Scene()
    world.add(f"body {NAME}", box(), tc.pose((0, 3, 0)))
    return world


def hostile_view() -> View:
    """Return what an answer is drawn as, with a hostile name wherever there may be a name."""
    robot, world = hostile_robot(), hostile_world()
    path = [[0.0], [-4.0]]
    made = view.view_of(
        robot.first_contact([0.0], [-4.0], world), robot=robot, path=path, world=world
    )
    times = made.times
    plot = Plot(f"plot {NAME}", {f"series {NAME}": times, f"other {NAME}": 1 - times})
    mark = Mark(f"mark {NAME}", float(times[-1]), (9, 9, 9), made.marks[0].camera)
    label = Label(f"names/label {NAME}", (9, 9, 9), f"label {NAME}", (0.0, 0.0, 1.0))
    parts = {
        "items": (*made.items, label),
        "marks": (*made.marks, mark),
        "plots": (*made.plots, plot),
    }
    facts = ((f"fact {NAME}", f"value {NAME}"),)
    words = {"facts": facts, "unit": NAME, "kind": f"kind {NAME}", "description": NAME}
    return replace(made, title=f"title {NAME}", **parts, **words)  # type: ignore[arg-type]


@pytest.fixture
def visit(chromium: Any) -> Iterator[Any]:
    """Return what opens an address; the drawing does not matter here."""
    context = chromium.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
    page = context.new_page()

    def go(address: str) -> Any:
        page.goto(address, timeout=PATIENCE)
        return page

    yield go
    context.close()


def stays_text(page: Any) -> None:
    page.wait_for_function(
        "words => document.body.innerText.includes(words)", arg=READ, timeout=PATIENCE
    )
    page.wait_for_timeout(1000)
    assert page.evaluate(_SURPRISES) == [0, 0]


def test_names_on_a_served_page_are_text(visit: Any) -> None:
    with view.open_page(hostile_view(), port=0) as page:
        stays_text(visit(page.address))


def test_names_of_a_robot_are_text(visit: Any) -> None:
    with view.open_page(hostile_robot(), world=hostile_world(), port=0) as page:
        page.session.want([-4.0])  # type: ignore[union-attr]
        page._complain(ValueError(f"body {NAME} is not rigid"))  # type: ignore[union-attr]
        browser = visit(page.address)
        stays_text(browser)
        assert browser.get_by_text(f"ValueError: body {NAME} is not rigid").count() == 1


def test_names_in_files_are_text(visit: Any, tmp_path: Path) -> None:
    view.save_html(hostile_view(), tmp_path / "view.html")
    shown = [hostile_view(), hostile_view()]
    report.write_report(tmp_path / "report.html", shown, title=f"title {NAME}", size=(80, 60))
    for file in ("view.html", "report.html"):
        stays_text(visit((tmp_path / file).as_uri()))


class _Site(http.server.SimpleHTTPRequestHandler):
    """A foreign site; what it finds out is asked of its page."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[str]:
    """Return the address of a site whose page tries to open a WebSocket to its `?to=`."""
    (tmp_path / "index.html").write_text(
        "<canvas></canvas><script>const to = new URLSearchParams(location.search).get('to');"
        "const socket = new WebSocket(to); socket.onopen = () => { window.got = 'open'; };"
        "socket.onerror = () => { window.got = 'refused'; };</script>"
    )
    serve = partial(_Site, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://localhost:{site.server_address[1]}"
        site.shutdown()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_other_sites_in_the_same_browser_are_refused(visit: Any, foreign: str, host: str) -> None:
    """The page itself connects, with its secret if there is one, and after a reload, too."""
    with view.open_page(hostile_robot(), host=host, port=0) as page:
        browser = visit(page.address)
        for _ in range(2):
            browser.wait_for_function(
                "document.body.innerText.includes('Joints')", timeout=PATIENCE
            )
            browser.reload(timeout=PATIENCE)
        visit(f"{foreign}/?to={page.address.replace('http', 'ws')}")
        browser.wait_for_function("window.got !== undefined", timeout=PATIENCE)
        assert browser.evaluate("window.got") == "refused"
        answer = browser.goto(f"{page.address}/?websocket=ws://{foreign.partition('//')[2]}")
        assert answer.status == 403
