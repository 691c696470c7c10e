"""The player of saved pages: it draws, plays, jumps to contacts, and does without WebGL."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata import report
from toccata.scenes import models
from toccata.view import View, save_html, view_of

PATIENCE = 60_000
"""Milliseconds: without a graphics card a page takes its time."""


def meeting() -> View:
    cube = tc.Mesh(*models.box((1, 1, 1)))
    motion = tc.Motion.linear(tc.pose((4, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))
    contact = tc.first_contact(cube, cube, motion)
    return view_of(contact, bodies=(cube, cube), motions=motion, names=("left", "right"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    save_html(meeting(), folder / "page.html")
    report.write_report(folder / "report.html", [meeting()] * 2, title="two", size=(160, 120))
    return folder


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 900, "height": 600}, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not errors


def seen(page: Any) -> np.ndarray:
    from PIL import Image

    picture = page.locator(".stage").first.screenshot(timeout=PATIENCE)
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB")).astype(int)


def orange(image: np.ndarray) -> np.ndarray:
    return (image[..., 0] - image[..., 2] > 90) & (image[..., 0] - image[..., 1] > 60)


def yellow(image: np.ndarray) -> np.ndarray:
    return (image[..., 0] > 220) & (image[..., 1] > 180) & (image[..., 2] < 90)


def test_a_page_plays_and_jumps_to_the_contact(page: Any, files: Path) -> None:
    page.goto((files / "page.html").as_uri())
    page.wait_for_function("() => !!toccataPlayers[0].scene")
    page.wait_for_timeout(500)
    start = seen(page)
    assert orange(start).sum() > 500 and yellow(start).sum() == 0
    page.locator("input[type=range]").fill("0.6")
    page.wait_for_timeout(500)
    assert (orange(start) != orange(seen(page))).sum() > 0.3 * orange(start).sum()
    assert page.locator(".clock").inner_text() == "t = 0.6000"
    page.get_by_role("button", name="First contact").dispatch_event("click")
    page.wait_for_timeout(2000)
    assert yellow(seen(page)).sum() > 10
    assert page.evaluate("toccataPlayers[0].state.close") is True
    page.get_by_role("button", name="Whole scene").dispatch_event("click")
    page.wait_for_function("() => !toccataPlayers[0].state.close")
    page.locator(".play").dispatch_event("click")
    page.wait_for_function("() => toccataPlayers[0].state.time >= 1")


def test_a_report_has_a_player_for_each_view(page: Any, files: Path) -> None:
    page.goto((files / "report.html").as_uri())
    for i in range(2):
        page.locator(".stage").nth(i).scroll_into_view_if_needed()
        page.wait_for_function(f"() => !!toccataPlayers[{i}].scene")
    assert page.locator("section").count() == 2


def test_without_webgl_there_is_a_still_picture(page: Any, files: Path) -> None:
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto((files / "page.html").as_uri())
    page.wait_for_selector(".player.flat")
    assert page.locator(".poster").is_visible() and page.locator("canvas").count() == 0
    assert "no WebGL" in page.locator(".no-gl").inner_text()
