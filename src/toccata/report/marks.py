"""What is drawn over a picture: paths, contacts with their normals, cuts, a lens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata.report.camera import Camera
from toccata.report.draw import arrow, disc, stroke
from toccata.report.picture import Picture

Array = NDArray[np.float64]

INK = np.array([0.13, 0.15, 0.20])
PAPER = np.array([1.0, 1.0, 1.0])
SPARK = np.array([0.98, 0.87, 0.10])
KNIFE = np.array([0.80, 0.10, 0.16])
_DASH, _PERIOD = 5.0, 9.5  # pixels, in a picture 360 pixels high


def draw_trail(picture: Picture, camera: Camera, path: Array, now: float, color: Array) -> None:
    """Draw the (n, 3) `path`, travelled at equal time steps: firm before `now`, faint after.

    Dashes behind a surface are left out, so the path shows its place in depth.
    """
    scale = camera.height / 360
    points = camera.project(path)
    travelled = np.r_[0.0, np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))]
    times = np.linspace(0.0, 1.0, len(path))
    for begin in np.arange(0.0, travelled[-1], _PERIOD * scale):
        finish = min(begin + _DASH * scale, travelled[-1])
        ends = [[np.interp(s, travelled, c) for c in points.T] for s in (begin, finish)]
        start, end = np.array(ends)
        opacity = 0.9 if np.interp(begin, travelled, times) <= now else 0.45
        if not picture.hidden((start + end) / 2, slack=1e-3):
            stroke(picture.colors, start[:2], end[:2], 2.0 * scale, color, opacity)


def draw_contact(picture: Picture, camera: Camera, point: Array, normal: Array) -> None:
    """Draw a bright disc at `point` and an arrow along the unit `normal`."""
    scale = camera.height / 360
    # As long as this many pixels when seen from the side, so it can be read in every scene.
    depth = 1.0 / camera.project(point[None])[0, 2]
    length = 38.0 * scale * depth / camera.focal
    ends = camera.project(np.stack([point, point + length * normal]))[:, :2]
    image = picture.colors
    if normal.any():
        head = min(8.0 * scale, 0.6 * float(np.hypot(*(ends[1] - ends[0]))))
        arrow(image, ends[0], ends[1], 5.2 * scale, head, PAPER)
        arrow(image, ends[0], ends[1], 2.6 * scale, head, INK)
    disc(image, ends[0], 7.0 * scale, PAPER)
    disc(image, ends[0], 5.6 * scale, INK)
    disc(image, ends[0], 4.2 * scale, SPARK)


def draw_point(picture: Picture, camera: Camera, point: Array) -> None:
    """Draw a small disc at `point`: one contact of many."""
    scale = camera.height / 360
    place = camera.project(point[None])[0, :2]
    disc(picture.colors, place, 3.6 * scale, INK)
    disc(picture.colors, place, 2.6 * scale, SPARK)


def draw_seams(picture: Picture, camera: Camera, points: Array, edges: NDArray[np.integer]) -> None:
    """Draw edges between `points` as red lines, where nothing is before them."""
    scale = camera.height / 360
    lines = camera.project(points)[edges]
    seen = [line for line in lines if not picture.hidden(line.mean(axis=0), slack=2e-3)]
    for width, color in ((4.4, PAPER), (2.6, KNIFE)):
        for start, end in seen:
            stroke(picture.colors, start[:2], end[:2], width * scale, color)


def draw_lens(picture: Picture, camera: Camera, point: Array, close_up: Array) -> None:
    """Paste the square `close_up` of `point` as a round lens where the picture is emptiest."""
    scale = camera.height / 360
    radius = len(close_up) / 2
    target = camera.project(point[None])[0, :2]
    center = _free_corner(picture, radius, target)
    image = picture.colors
    _tie(image, target, center, 8.0 * scale, scale)
    disc(image, center, radius + 3.5 * scale, PAPER)
    disc(image, center, radius + 1.5 * scale, INK)
    x0, y0 = (np.rint(center - radius)).astype(int)
    part = image[y0 : y0 + len(close_up), x0 : x0 + len(close_up)]
    y, x = np.indices(part.shape[:2]) + 0.5 - radius
    cover = np.clip(radius - np.hypot(x, y), 0.0, 1.0)[..., None]
    part += cover * (close_up - part)


def _tie(image: Array, target: Array, center: Array, gap: float, scale: float) -> None:
    """Draw a thin line from beside the contact to its lens."""
    towards = center - target
    begin = target + towards * min(1.0, gap / float(np.hypot(*towards)))
    stroke(image, begin, center, 3.0 * scale, PAPER, 0.8)
    stroke(image, begin, center, 1.2 * scale, INK)


def _free_corner(picture: Picture, radius: float, target: Array) -> Array:
    """Return the center, near a corner, of a disc that covers little of the bodies.

    Of several free corners the one nearest to `target` is taken; the target stays uncovered.
    """
    height, width, _ = picture.colors.shape
    factor = picture.view.triangle.shape[0] // height
    seen = picture.view.triangle[::factor, ::factor] >= 0
    y, x = np.indices(seen.shape)
    inset = radius + 10.0 * height / 360

    def cost(corner: Array) -> float:
        distance = float(np.hypot(*(corner - target)))
        covered = float(seen[np.hypot(x - corner[0], y - corner[1]) < radius].mean())
        return float(4.0 * covered + 0.3 * distance / width + 10.0 * (distance < 1.4 * radius))

    places = [(x, y) for y in (inset, height - inset) for x in (width - inset, inset)]
    return min((np.array(place) for place in places), key=cost)
