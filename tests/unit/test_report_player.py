"""What moves in a report: the player made of pictures, and small plots."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest

import toccata as tc
from toccata import report
from toccata.report.patches import patches
from toccata.report.player import draw_frames, player_html
from toccata.report.plot import plot_svg
from toccata.report.stage import set_up
from toccata.report.viewpoint import close_direction
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.surface import union

SIZE = (80, 60)


@pytest.fixture(scope="module")
def entry() -> report.Entry:
    """A box that meets another at 0.55."""
    mesh = tc.Mesh(*box((1.0, 1.0, 1.0)))
    motions = tc.Motion.linear(tc.pose((-3.2, 0.0, 0.0)), tc.pose((0.8, 0.0, 0.0))), None
    contact = tc.first_contact(mesh, mesh, motions[0])
    return report.of_bodies(mesh, mesh, motions, contact, name="boxes & co")


def test_one_frame_is_the_first_contact(entry: report.Entry) -> None:
    frames = draw_frames(set_up(entry, SIZE), 6)
    assert [frame.told for frame in frames].count(entry.told(entry.toc)) == 1
    assert [frame.share for frame in frames] == sorted(frame.share for frame in frames)
    assert frames[0].share == 0.0 and frames[-1].share == 1.0


def test_frames_are_the_first_one_and_what_changed(entry: report.Entry) -> None:
    Image = pytest.importorskip("PIL.Image")
    from io import BytesIO

    page = player_html(set_up(entry, SIZE), 4)
    data = json.loads(re.search(r'json">(.*?)</script>', page).group(1))  # type: ignore[union-attr]
    sources = [re.search(r'<img src="(.*?)"', page).group(1), *data["changes"][1:]]  # type: ignore[union-attr]
    images = [Image.open(BytesIO(base64.b64decode(s.partition(",")[2]))) for s in sources]
    first = images[0].convert("RGBA")
    drawn = draw_frames(set_up(entry, SIZE), 4)
    assert len(data["told"]) == len(data["changes"]) == 4
    for image, frame in zip(images[1:], drawn[1:], strict=True):
        shown = Image.alpha_composite(first, image.convert("RGBA")).convert("RGB")
        apart = np.abs(np.asarray(shown).astype(int) - frame.image.astype(int))
        assert apart.max() <= 3
        assert np.asarray(image.convert("RGBA"))[..., 3].min() == 0, "most of a frame stays"


def test_a_page_of_a_viewer_takes_the_place_of_the_pictures(entry: report.Entry) -> None:
    own = '<!DOCTYPE html><p title="x">a & b</p>'
    page = player_html(set_up(replace(entry, page=own), SIZE), 4)
    assert page.startswith("<iframe") and "<canvas" not in page
    assert unescape(re.search(r'srcdoc="(.*?)"', page).group(1)) == own  # type: ignore[union-attr]


def test_a_plot_shows_what_is_known(entry: report.Entry) -> None:
    times, values = np.linspace(0.0, 1.0, 5), np.array([4.0, np.nan, 2.0, 1.0, 0.0])
    dots = np.array([[0.5, 2.0]])
    svg = plot_svg(entry, report.Plot("Heights < 5", times, values, dots))
    figure = ElementTree.fromstring(svg)
    line = figure.find(".//polyline")
    assert line is not None
    points = [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
    assert len(points) == 4
    assert points[0][1] < points[-1][1] and points[0][0] < points[-1][0]
    circle = figure.find(".//circle")
    assert circle is not None and float(circle.attrib["cx"]) == pytest.approx(points[1][0], abs=0.1)
    assert figure.findtext("figcaption") == "Heights < 5"
    assert plot_svg(entry, report.Plot("nothing", times, np.full(5, np.nan))) == ""


def test_logarithms_make_room_for_small_values(entry: report.Entry) -> None:
    times, values = np.linspace(0.0, 1.0, 3), np.array([1.0, 1e-2, 1e-4])
    svg = plot_svg(entry, report.Plot("x", times, values, logarithmic=True))
    line = ElementTree.fromstring(svg).find(".//polyline")
    assert line is not None
    heights = [float(p.split(",")[1]) for p in line.attrib["points"].split()]
    assert heights[1] - heights[0] == pytest.approx(heights[2] - heights[1], abs=0.2)


def test_patches_are_what_hangs_together() -> None:
    vertices, faces = union(icosphere(1.0, 2), box((1.0, 1.0, 1.0)), icosphere(2.0, 3))
    order = np.random.default_rng(3).permutation(len(faces))
    found = patches(faces[order], len(vertices))[np.argsort(order)]
    counts = [len(icosphere(1.0, 2)[1]), 12, len(icosphere(2.0, 3)[1])]
    assert np.array_equal(found, np.repeat(found[np.cumsum([0, *counts[:2]])], counts))
    assert len(set(found)) == 3


def test_the_lens_does_not_look_out_of_a_body() -> None:
    """A ball on a large block: below its top the eye would be inside, where nothing is near."""
    from toccata.report.picture import Body

    block = Body.of(box((4.0, 4.0, 4.0)), np.ones(3))
    ball = Body.of(icosphere(0.5, 3), np.ones(3))
    placed = [(ball, tc.pose((0.0, 0.0, 2.501))), (block, tc.pose())]
    for up in (1.0, -1.0):
        focus = np.array([0.0, 0.0, 2.0005]), np.array([0.0, 0.0, up])
        towards = close_direction(placed, focus, np.array([0.8, 0.0, 0.6]), 0.05)
        assert -0.05 < towards[2] < 0.5
