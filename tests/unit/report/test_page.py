"""Pages: what is in them, what they say, and that nothing from a name can run."""

from __future__ import annotations

import base64
import gzip
import json
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import toccata as tc
from toccata.report import figure as figure_of
from toccata.report import (
    headline,
    report_html,
    save_page,
    still,
    stills,
    write_report,
)
from toccata.report._page import page_html
from toccata.report._plot import plot_svg
from toccata.scenes.primitives import box
from toccata.view import Body, Label, Mark, Outcome, Plot, Points, View, view_of
from toccata.view._colors import RED

SIZE = (80, 60)
CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)))
COMING = tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))
TIMES = np.linspace(0.0, 1.0, 5)


class Outline(HTMLParser):
    """Collects tags, what they refer to, and text; fails on tags closed in the wrong order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.targets: list[str] = []
        self.text = ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("meta", "img", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> list[dict[str, Any]]:
    """Return what the players of a page read."""
    found = re.findall(r'<script type="application/json">(.*?)</script>', page)
    return [json.loads(text) for text in found]


def rows_of(data: dict[str, Any], array: list[Any]) -> np.ndarray:
    """Return an array as the player reads it."""
    block = gzip.decompress(base64.b64decode(data["data"]))
    kind, offset, width, rows = array
    dtype = {"f": "<f4", "b": "u1", "i": "<u4"}[kind]
    return np.frombuffer(block, dtype, rows * width, offset).reshape(rows, width)


@pytest.fixture(scope="module")
def meeting() -> View:
    contact = tc.first_contact(CUBE, CUBE, COMING)
    return view_of(contact, bodies=(CUBE, CUBE), motions=COMING, names=("left", "right"))


@pytest.fixture(scope="module")
def page(meeting: View) -> str:
    return page_html(meeting)


# One page


def test_a_page_loads_nothing_and_runs_one_script(page: str) -> None:
    outline = Outline(page)
    assert all(target.startswith("data:image/png;base64,") for target in outline.targets)
    assert not {"link", "iframe", "object", "base"} & set(outline.tags)
    assert not re.search(r"https?:|url\(|@import|fetch\(|import\(", page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    known = base64.b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert f"default-src 'none'; script-src 'sha256-{known}'" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


def test_the_player_reads_poses_marks_and_plots(page: str, meeting: View) -> None:
    (data,) = read(page)
    names = [item.name for item in meeting.items]
    body = data["items"][names.index("bodies/left")]
    origin = meeting.camera.target  # type: ignore[union-attr]
    places = rows_of(data, body["at"]) + origin
    assert places == pytest.approx(meeting["bodies/left"].pose[:, :3, 3], abs=1e-5)
    assert rows_of(data, body["turn"]) == pytest.approx(np.tile([1, 0, 0, 0], (len(places), 1)))
    points = data["items"][names.index("contact/points")]
    row = data["times"].index(meeting.outcome.time)  # type: ignore[union-attr]
    assert points["first"] == row and points["first"] + points["count"] == len(data["times"])
    assert data["marks"][0]["time"] == data["times"][row]
    assert data["plots"][0]["series"][0][0] == pytest.approx(4.0)
    ghosts = [name for name, item in zip(names, data["items"], strict=True) if item.get("ghost")]
    assert ghosts == ["start/left", "end/left"]
    meshes = {item["mesh"] for item in data["items"] if item.get("ghost")}
    assert meshes == {body["mesh"]}, "ghosts share the mesh of their body"


def test_all_kinds_of_changes_are_in_a_page() -> None:
    vertices, faces = box((1.0, 1.0, 1.0))
    colors = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype=np.uint8)
    items = (
        Body("mesh/a", colors, vertices + np.arange(3)[:, None, None], faces),
        Points("points", RED, np.arange(18.0).reshape(3, 2, 3), 0.1),
        Label("names/a", RED, "a", np.arange(9.0).reshape(3, 3)),
    )
    (data,) = read(page_html(View("v", items, np.arange(3.0))))
    mesh, points, label = data["items"]
    assert rows_of(data, mesh["color"]).tolist() == colors.tolist()
    drawn = rows_of(data, data["meshes"][0]["vertices"]).reshape(3, -1, 3)
    assert np.allclose(drawn[2] - drawn[0], 2) and drawn.shape[1] == 24
    places = rows_of(data, points["at"])
    assert places[1] - places[0] == pytest.approx(6.0)
    assert np.diff(rows_of(data, label["at"]), axis=0) == pytest.approx(3.0)


def test_scenes_far_from_the_origin_keep_their_precision() -> None:
    far = np.array([1e7, -2e7, 3e6])
    item = Body("bodies/a", RED, CUBE.vertices + far, CUBE.faces)
    (data,) = read(page_html(View("v", (item,))))
    drawn = rows_of(data, data["meshes"][0]["vertices"]).reshape(-1, 3)
    assert np.ptp(drawn, axis=0) == pytest.approx(1.0, abs=1e-6)
    assert np.abs(rows_of(data, data["items"][0]["at"])).max() < 10


def test_a_page_has_a_legend_for_ghosts_and_marks(page: str) -> None:
    text = Outline(page).text
    for words in (
        "left",
        "end of the motion, not reached",
        "start of the motion",
        "contact normal",
    ):
        assert words in text
    assert "left touches right at t = 0.79" in text and "certified free" in page


# Reports


@pytest.fixture(scope="module")
def views(meeting: View) -> list[View]:
    apart = tc.Motion.linear(tc.pose((5, 3, 0)), tc.pose((-2, 3, 0)))
    free = tc.first_contact(CUBE, CUBE, apart)
    tired = tc.first_contact(CUBE, CUBE, COMING, budget=1)
    pair: Any = {"bodies": (CUBE, CUBE)}
    return [
        meeting,
        view_of(free, motions=apart, names=("<script>alert('x')</script> & co", "b"), **pair),
        view_of(tired, motions=COMING, **pair),
    ]


def test_a_report_has_a_table_stills_and_players(views: list[View]) -> None:
    page = report_html(views, "Contacts of <three> pairs", SIZE)
    outline = Outline(page)
    assert outline.tags.count("section") == 3 and outline.tags.count("img") == 3 * (3 + 1)
    rows = re.findall(r"<tr>(<td>.*?)</tr>", page)
    cells = [[Outline(cell).text for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    assert cells[0][:2] == ["Two bodies", "left and right"] and cells[0][2] == "contact"
    assert cells[0][3].startswith("t = 0.79") and cells[0][4] == "left and right"
    assert cells[1][2:5] == ["free", "\N{EM DASH}", "\N{EM DASH}"]
    assert cells[2][2] == "undecided"
    assert "Contacts of <three> pairs" in outline.text and "<three>" not in page
    assert "<script>alert" not in page and "<script>alert('x')</script> & co" in outline.text


def test_reports_and_pages_show_the_same(views: list[View]) -> None:
    report = read(report_html(views, "t", SIZE))
    pages = [read(page_html(view))[0] for view in views]
    assert report == pages


def test_a_report_of_one_view_has_no_table(meeting: View, tmp_path: Path) -> None:
    write_report(tmp_path / "one.html", [meeting], title=meeting.title, size=SIZE)
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "<table" not in page and page.count("<h1>") == 1


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("FREE"), "certified free of contact at all times"),
        (Outcome("CONTACT", 0.5, ("a", "b")), "a touches b at t = 0.5000"),
        (Outcome("CONTACT", 0.5, ("edge-edge",)), "edge-edge contact at t = 0.5000"),
        (Outcome("INITIAL_OVERLAP", 0.0), "contact at the start at t = 0.0000"),
        (Outcome("UNDECIDED", safe=((0, 0.25),)), "undecided: certified free before t = 0.2500"),
        (Outcome("BLOCKED", touching=("part", "frame")), "blocked by frame"),
        (Outcome("DONE"), "no penetration"),
    ],
)
def test_headlines(outcome: Outcome, words: str) -> None:
    assert headline(View("v", (), TIMES, outcome)) == words


# Names


HOSTILE = "</script><img src=x onerror=f()> & \x1b[31m \u202e"


def test_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    vertices, faces = box((1.0, 1.0, 1.0))
    poses = tc.Motion.linear(tc.pose(), tc.pose((1, 0, 0))).pose(TIMES)
    view = View(
        f"title {HOSTILE}",
        (
            Body(f"bodies/{HOSTILE}", RED, vertices, faces, poses, legend=f"legend {HOSTILE}"),
            Label(f"names/{HOSTILE}", RED, f"label {HOSTILE}", np.zeros(3)),
        ),
        TIMES,
        Outcome("CONTACT", 0.5, (HOSTILE, HOSTILE)),
        (Mark(f"mark {HOSTILE}", 0.5, RED),),
        (Plot(f"plot {HOSTILE}", {f"one {HOSTILE}": TIMES, f"two {HOSTILE}": TIMES}),),
        ((f"fact {HOSTILE}", f"value {HOSTILE}"),),
        kind=f"kind {HOSTILE}",
        description=HOSTILE,
        unit=HOSTILE,
    )
    save_page(view, tmp_path / "v.html")
    for page in (
        (tmp_path / "v.html").read_text(encoding="utf-8"),
        report_html([view, view], HOSTILE, SIZE),
    ):
        outline = Outline(page)
        assert "\x1b" not in page and "\u202e" not in page
        assert "onerror" in outline.text and outline.tags.count("img") == page.count(
            "data:image/png"
        )
        assert read(page)[0]["items"][1]["text"] == f"label {HOSTILE}"


def test_names_that_no_encoding_has_are_written(tmp_path: Path) -> None:
    view = View("frame \udc80.ply", (Body("bodies/\udc80", RED, CUBE.vertices, CUBE.faces),))
    write_report(tmp_path / "r.html", [view], size=SIZE)
    assert "frame \\udc80.ply" in (tmp_path / "r.html").read_text(encoding="utf-8")


# Plots


def figure(plot: Plot) -> ElementTree.Element:
    return ElementTree.fromstring(plot_svg(View("v", (), TIMES), plot))


def test_a_plot_shows_what_is_known() -> None:
    values, dots = np.array([4.0, np.nan, 2.0, 1.0, 0.0]), np.array([[0.5, 2.0]])
    shown = figure(Plot("Heights < 5", {"height": values}, dots=dots))
    line, circle = shown.find(".//polyline"), shown.find(".//circle")
    assert line is not None and circle is not None
    points = [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
    assert len(points) == 4
    assert points[0][1] < points[-1][1] and points[0][0] < points[-1][0]
    assert float(circle.attrib["cx"]) == pytest.approx(points[1][0], abs=0.1)
    assert "Heights < 5" in "".join(shown.itertext())
    assert plot_svg(View("v", (), TIMES), Plot("nothing", {"x": np.full(5, np.nan)})) == ""


def test_logarithms_make_room_for_small_values() -> None:
    plot = Plot("x", {"x": np.array([1.0, 1e-2, 1e-4])}, np.linspace(0, 1, 3), logarithmic=True)
    line = figure(plot).find(".//polyline")
    assert line is not None
    heights = [float(p.split(",")[1]) for p in line.attrib["points"].split()]
    assert heights[1] - heights[0] == pytest.approx(heights[2] - heights[1], abs=0.2)


@pytest.mark.parametrize("made", ["contact", "mesh"])
def test_an_answer_is_no_view(made: str, tmp_path: Path) -> None:
    what: Any = CUBE if made == "mesh" else tc.first_contact(CUBE, CUBE, COMING)
    said = rf"expected a View, got {type(what).__name__}; use tc\.view\.view_of\(answer\)$"
    file = tmp_path / "r.html"
    for call in (figure_of, still, stills, headline, lambda view: save_page(view, file)):
        with pytest.raises(TypeError, match=f"^view: {said}"):
            call(what)
    for views in ([what], [view_of(CUBE), what]):
        with pytest.raises(TypeError, match=rf"^views\[{len(views) - 1}\]: {said}"):
            write_report(file, views)
    with pytest.raises(TypeError, match=r"^views: expected a list of views, got .*view_of"):
        write_report(file, what)
    with pytest.raises(TypeError, match=r"^views: expected a list of views, got View; use \[view"):
        write_report(file, view_of(CUBE))  # type: ignore[arg-type]
    assert not file.exists()
