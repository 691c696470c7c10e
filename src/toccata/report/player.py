"""A player in the page: drawn frames, a slider, and a few lines of JavaScript."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from toccata._text import json_in_html
from toccata.report.entry import Entry, Moment
from toccata.report.png import Image, encode_png
from toccata.report.stage import Stage
from toccata.report.story import draw

FRAMES = 29
_SCALE = 7 / 8  # of the pictures of an entry: there are many frames
_SECONDS = 4.0  # from start to end
_CLEAR = (255, 0, 255)  # the color that means "as in the first frame"; no body is drawn in it
_ALIKE = 3  # differences that nobody sees


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its time in words, and how far it is along, from 0 to 1."""

    image: Image
    told: str
    share: float


def player_html(stage: Stage, frames: int = FRAMES) -> str:
    """Return what plays an entry: its own page if it has one, or else frames that are drawn here.

    This is where a page made by a viewer comes in.
    """
    entry = stage.entry
    if entry.page is not None:
        title = escape(f"Player: {entry.name}", quote=True)
        page = escape(entry.page, quote=True)
        return f'<iframe class="page" loading="lazy" title="{title}" srcdoc="{page}"></iframe>'
    return _player(entry, draw_frames(stage, frames))


def draw_frames(stage: Stage, count: int) -> list[Frame]:
    """Draw evenly spaced frames, and the first contact in place of the one next to it.

    A contact is marked in the frame that is drawn at its time, or in the first one after it.
    """
    entry, small = stage.entry, replace(stage, camera=stage.camera.scaled(_SCALE))
    times = [float(t) for t in entry.times(count)]
    if count > 2 and np.isfinite(entry.toc):
        times[1 + int(np.argmin(np.abs(np.array(times[1:-1]) - entry.toc)))] = entry.toc

    def frame(before: float, time: float) -> Frame:
        marks = tuple(m for m in entry.marks if before < m.time <= time and m.is_known)
        image = draw(small, Moment(time, "", "", marks), lens=False)
        return Frame(image, entry.told(time), entry.share(time))

    with ThreadPoolExecutor() as pool:
        return list(pool.map(frame, [-np.inf, *times[:-1]], times))


def _player(entry: Entry, frames: list[Frame]) -> str:
    first = frames[0].image
    height, width, _ = first.shape
    with ThreadPoolExecutor() as pool:
        changes = [*pool.map(lambda frame: _change(frame.image, first), frames[1:])]
    told = [[frame.told, round(frame.share, 5)] for frame in frames]
    data = json_in_html({"seconds": _SECONDS, "told": told, "changes": ["", *changes]})
    alt = escape(f"{entry.name}: a player", quote=True)
    return f"""<div class="player">
<img src="{_address(first)}" width="{width}" height="{height}" alt="{alt}">
<canvas width="{width}" height="{height}" hidden></canvas>
<div class="controls" hidden><button type="button">Play</button>
<input type="range" min="0" max="{len(frames) - 1}" value="0" aria-label="time">
<output>{escape(frames[0].told)}</output></div>
<script type="application/json">{data}</script>
</div>"""


def _change(image: Image, first: Image) -> str:
    """Return a frame without the pixels that are those of the first one."""
    apart = np.abs(image.astype(np.int16) - first.astype(np.int16)).max(axis=2) > _ALIKE
    cleared = np.broadcast_to(np.array(_CLEAR, dtype=np.uint8), image.shape)
    return _address(np.where(apart[..., None], image, cleared), _CLEAR)


def _address(image: Image, clear: tuple[int, int, int] | None = None) -> str:
    return "data:image/png;base64," + base64.b64encode(encode_png(image, clear)).decode("ascii")


SCRIPT = """
for (const player of document.querySelectorAll(".player")) {
  const [picture, canvas, controls] = player.children;
  const [button, slider, words] = controls.children;
  const data = JSON.parse(player.querySelector("script").textContent);
  const changes = data.changes.map(source => Object.assign(new Image(), {src: source}));
  const needles = player.closest("section").querySelectorAll(".now");
  const pen = canvas.getContext("2d");
  let started = null;
  const show = row => {
    const [told, share] = data.told[row];
    pen.drawImage(picture, 0, 0);
    if (row > 0) pen.drawImage(changes[row], 0, 0);
    slider.value = row;
    words.textContent = told;
    for (const needle of needles) {
      const {left, breadth} = needle.dataset;
      if (breadth) needle.setAttribute("transform", `translate(${+left + share * breadth} 0)`);
      else needle.style.left = `${100 * share}%`;
    }
  };
  const step = now => {
    if (started === null) return;
    const last = data.told.length - 1;
    const row = Math.floor((now - started) / 1000 / data.seconds * last);
    show(Math.min(row, last));
    if (row < last) requestAnimationFrame(step); else stop();
  };
  const stop = () => { started = null; button.textContent = "Play"; };
  button.onclick = () => {
    if (started !== null) return stop();
    const last = data.told.length - 1, row = +slider.value < last ? +slider.value : 0;
    started = performance.now() - row / last * data.seconds * 1000;
    button.textContent = "Pause";
    requestAnimationFrame(step);
  };
  slider.oninput = () => { stop(); show(+slider.value); };
  Promise.all([picture, ...changes.slice(1)].map(image => image.decode())).then(() => {
    show(0);
    picture.hidden = true;
    canvas.hidden = controls.hidden = false;
  });
}
""".strip()
