"""Pictures of a view in NumPy alone, without a display or a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from toccata._arrays import Floats
from toccata.report._draw import NORMAL_LENGTH, draw_arrow, draw_lens, spot, stroke
from toccata.report._picture import Picture, Placed, Shape, render, to_image
from toccata.report._png import Image
from toccata.report._projection import Projection
from toccata.view._camera import camera_of
from toccata.view._items import Arrows, Body, Camera, Item, Mark, Points, View, as_view

SIZE = (480, 360)
_LENS = 0.38
"""Diameter of the lens, relative to the height of the picture."""
_ENLARGED = 0.6
"""Width of the region in the lens, relative to the close-up of the mark."""
_SHADOW = 0.007
"""Reach of shadows, relative to the distance of the eye."""
_GUTTER = 6
_MOST_STROKES = 3000
_MOST_ON_TOP = 60
"""Largest number of points that are drawn even if bodies hide them."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The time and the caption of one still."""

    caption: str
    row: int
    mark: Mark | None = None
    """The mark that a lens enlarges."""


def moments(view: View) -> list[Moment]:
    """Return the moments of a report: the start, the first mark with a close-up, and the end.

    A view with times in seconds has six evenly spaced moments. The moment closest to the mark moves
    to the time of the mark.
    """
    key = next((mark for mark in view.marks if mark.camera is not None), None)
    last = len(view.times) - 1
    if not last:
        return [Moment("Overview" if key is None else key.name, 0, key)]
    count = 6 if view.unit == "s" and last >= 5 else 3
    rows = [round(share * last) for share in np.linspace(0.0, 1.0, count)]
    names = ["Start", *["Halfway" if count == 3 else "Later"] * (count - 2), "End"]
    found = [Moment(name, row) for name, row in zip(names, rows, strict=True)]
    if key is not None:
        row = view.row(key.time)
        inner = range(1, len(rows) - 1)  # the start and the end remain, unless the mark is there
        closest = min(inner, key=lambda i: abs(rows[i] - row))
        index = 0 if row == 0 else len(rows) - 1 if row == last else closest
        found[index] = Moment(key.name, row, key)
    return sorted(found, key=lambda moment: moment.row)


def figure(view: View, size: tuple[int, int] = SIZE) -> Image:
    """Return the stills of a view side by side, (h, w, 3) uint8. Each still has the `size`."""
    gutter = np.full((size[1], _GUTTER, 3), 255, dtype=np.uint8)
    images = [part for image in stills(view, size) for part in (gutter, image)]
    return np.concatenate(images[1:], axis=1)


def stills(view: View, size: tuple[int, int] = SIZE) -> list[Image]:
    """Return a picture at each of the `moments` of a view."""
    studio = Studio(view)
    with ThreadPoolExecutor() as pool:
        return [*pool.map(lambda one: studio.still(one.row, size, one.mark), moments(view))]


def still(view: View, time: float | None = None, size: tuple[int, int] = SIZE) -> Image:
    """Return a picture of a view at a time, by default the first time, (h, w, 3) uint8."""
    return Studio(view).still(0 if time is None else view.row(time), size)


class Studio:
    """The meshes of one view, prepared once for all pictures of the view."""

    def __init__(self, view: View) -> None:
        self._view = as_view("view", view)
        self._camera = camera_of(view)
        self._shapes: dict[tuple[int, int], Shape] = {}
        for item in view.of(Body):
            key = id(item.vertices), id(item.faces)
            if len(item.faces) and "vertices" not in item.changing and key not in self._shapes:
                self._shapes[key] = Shape.of((item.vertices, item.faces), np.zeros(3))

    def still(self, row: int, size: tuple[int, int] = SIZE, mark: Mark | None = None) -> Image:
        """Draw the view at a row, with a lens if the mark has a camera."""
        items = self._view.at(row)
        projection = Projection.of(self._camera, size)
        picture = self._drawn(items, self._camera, projection)
        if mark is not None and mark.camera is not None:
            edge = round(_LENS * size[1])
            close = [item for item in items if not (isinstance(item, Body) and item.is_ghost)]
            target, position = mark.camera.target, mark.camera.position
            camera = replace(mark.camera, position=target + _ENLARGED * (position - target))
            small = Projection.of(camera, (edge, edge), 0.8 * projection.scale)
            lens = self._drawn(close, camera, small)
            draw_lens(picture, projection.project(target[None])[0, :2], lens.colors)
            _draw_marks(picture, projection, [item for item in items if item.group == "contact"])
        return to_image(picture.colors)

    def _drawn(self, items: Sequence[Item], camera: Camera, projection: Projection) -> Picture:
        bodies = [item for item in items if isinstance(item, Body) and len(item.faces)]
        solid = [self._placed(body) for body in bodies if body.opacity >= 1]
        veils: dict[tuple[bool, str, float], list[tuple[Shape, Floats]]] = {}
        for body in bodies:
            if body.opacity < 1:
                layer = body.is_ghost, body.group, body.opacity
                veils.setdefault(layer, []).append(self._placed(body))
        distance = float(np.linalg.norm(camera.position - camera.target))
        layers: list[tuple[Placed, float]] = [(veils[key], key[2]) for key in sorted(veils)]
        picture = render(solid, projection, _SHADOW * distance, layers)
        _draw_marks(picture, projection, items)
        return picture

    def _placed(self, body: Body) -> tuple[Shape, Floats]:
        known = self._shapes.get((id(body.vertices), id(body.faces)))
        color = np.asarray(body.color) / 255
        if known is None:
            return Shape.of((body.vertices, body.faces), color), body.pose
        return known.colored(color), body.pose


def _draw_marks(picture: Picture, camera: Projection, items: Sequence[Item]) -> None:
    """Draw segments, then arrows, then points."""
    arrows = [item for item in items if isinstance(item, Arrows)]
    for item in sorted(arrows, key=lambda item: item.heads):
        (_draw_arrows if item.heads else _draw_segments)(picture, camera, item)
    for points in (item for item in items if isinstance(item, Points)):
        _draw_points(picture, camera, points)


def _draw_segments(picture: Picture, camera: Projection, item: Arrows) -> None:
    """Draw segments that are not behind a surface, so that lines show their depth."""
    every = 1 + len(item.start) // _MOST_STROKES
    starts, ends = camera.project(item.start[::every]), camera.project(item.end[::every])
    color, least = np.asarray(item.color) / 255, 1.4 * camera.scale
    for start, end in zip(starts, ends, strict=True):
        middle = (start + end) / 2
        if min(start[2], end[2]) > 0 and not picture.hidden(middle, slack=2e-3):
            width = max(item.size * camera.focal * middle[2], least)
            stroke(picture.colors, start[:2], end[:2], width, color)


def _draw_arrows(picture: Picture, camera: Projection, item: Arrows) -> None:
    for start, end in zip(item.start, item.end, strict=True):
        inverse = float(camera.project(start[None])[0, 2])
        length = float(np.linalg.norm(end - start))
        if inverse > 0 and length > 0:
            least = NORMAL_LENGTH * 360 * camera.scale / (inverse * camera.focal)
            tip = start + max(1.0, least / length) * (end - start)
            draw_arrow(picture.colors, camera, np.stack([start, tip]))


def _draw_points(picture: Picture, camera: Projection, item: Points) -> None:
    scale, color = camera.scale, np.asarray(item.color) / 255
    many = len(item.positions) > _MOST_ON_TOP
    for projected in np.unique(camera.project(np.asarray(item.positions)), axis=0):
        radius = item.size * camera.focal * projected[2] / 2
        if projected[2] > 0 and not (many and picture.hidden(projected, slack=5e-3)):
            least = 2.0 * scale if many else max(4.0 * scale, 1.8)
            spot(picture.colors, projected[:2], float(np.clip(radius, least, 1.3 * least)), color)
