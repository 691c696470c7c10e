"""Someone before a browser: sees colors at places, moves sliders, drags, and reads."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

SIZE = (720, 440)
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
"""What works without a graphics card."""
_RENDERER = """() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}"""
_PATIENCE = 30.0


class Person:
    """A page, and the server behind it if there is one."""

    def __init__(self, page: Any, server: Any, shots: Path) -> None:
        self.page, self.server, self._shots = page, server, shots
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, address: str) -> None:
        """Go to a page, wait until it is there, and see whether it can draw at all."""
        self.page.goto(address)
        self.page.wait_for_selector("canvas")
        if self.server is not None:
            self.until(lambda: bool(self.server.get_clients()), "the page to connect")
        assert self.renderer(), "no WebGL: the page would silently draw nothing"
        notice = self.page.get_by_text("Software WebGL rendering detected")
        assert not (notice.count() and notice.first.is_visible()), "a notice covers the picture"

    def close(self) -> None:
        """Look away: a page that plays takes all of a processor without a graphics card."""
        if not self.page.is_closed():
            self.page.context.close()

    def renderer(self) -> str:
        """Return what draws in three dimensions."""
        return str(self.page.evaluate(_RENDERER))

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Wait for something to be so."""
        end = time.monotonic() + _PATIENCE
        while not done():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.page.wait_for_timeout(30)

    def see(self, name: str = "") -> NDArray[np.float64]:
        """Return the picture, (height, width, 3) from 0 to 1; with a name, it is kept."""
        from PIL import Image

        data = self.page.screenshot()
        if name:
            (self._shots / f"{name}.png").write_bytes(data)
        return np.asarray(Image.open(BytesIO(data)).convert("RGB"), dtype=float) / 255

    def box(self) -> tuple[float, float, float, float]:
        """Return x, y, width and height of the drawing."""
        box = self.page.locator("canvas").first.bounding_box()
        return box["x"], box["y"], box["width"], box["height"]

    def drawn(self) -> int:
        """Return how many pixels of the drawing are not white, controls aside."""
        left, top, width, height = (int(x) for x in self.box())
        part = self.see()[top : top + height, left : left + width]
        return int((part < 0.9).any(axis=2).sum())

    def where(self, place: ArrayLike) -> tuple[float, float]:
        """Return the pixel at which a place of the world is seen, by the camera of the page."""
        camera = next(iter(self.server.get_clients().values())).camera
        w, x, y, z = camera.wxyz
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        right, down, ahead = turn.T @ (np.asarray(place, dtype=float) - camera.position)
        left, top, width, height = self.box()
        focal = height / 2 / np.tan(camera.fov / 2)
        return left + width / 2 + focal * right / ahead, top + height / 2 + focal * down / ahead

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 5) -> None:
        """Press, move and hold; `drop` lets go."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for share in np.linspace(0, 1, steps + 1)[1:]:
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            self.page.mouse.move(x, y)
            self.page.wait_for_timeout(25)

    def drop(self) -> None:
        """Let go of what is dragged."""
        self.page.mouse.up()

    def click(self, place: tuple[float, float], done: Callable[[], bool], what: str) -> None:
        """Click a place, and again after a while if nothing comes of it."""

        def clicked() -> bool:
            self.page.mouse.move(*place)
            self.page.wait_for_timeout(60)
            self.page.mouse.click(*place, delay=40)
            end = time.monotonic() + 2.0
            while not done() and time.monotonic() < end:
                self.page.wait_for_timeout(30)
            return done()

        self.until(clicked, what)

    def press(self, label: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=label, exact=True).click()

    def slide(self, label: str, key: str, count: int) -> None:
        """Move a slider by arrow keys."""
        self._beside(label, "@role='slider'").focus()
        for _ in range(count):
            self.page.keyboard.press(key)

    def write(self, label: str, number: float) -> None:
        """Type a number beside a slider."""
        box = self._beside(label, "self::input[not(@type='hidden')]")
        box.fill(f"{number:g}")
        box.press("Enter")

    def _beside(self, label: str, what: str) -> Any:
        """Return a part of the row that a label begins."""
        row = f"xpath=//*[text()='{label}']/ancestor::*[.//*[@role='slider']][1]"
        return self.page.locator(row).locator(f"xpath=.//*[{what}]").last

    def reads(self, words: str) -> None:
        """Wait for words on the page."""
        self.until(lambda: words in self.page.inner_text("body"), repr(words))


def hue_mask(picture: NDArray[np.float64], color: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Return which pixels have the hue of a color, whatever the light: (height, width)."""
    own = _chroma(np.asarray(color, dtype=float) / 255)
    seen = _chroma(picture)
    strength = np.linalg.norm(seen, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        same = seen @ own / (strength * np.linalg.norm(own))
    return (strength > 0.5 * np.linalg.norm(own)) & (same > 0.97)


def _chroma(picture: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return colors without their gray part."""
    return np.asarray(picture - picture.mean(axis=-1, keepdims=True))
