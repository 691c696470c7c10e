"""An entry told in pictures, all from the same place."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from toccata.report.camera import look_closely
from toccata.report.entry import Entry, Mark, Moment, Placed
from toccata.report.marks import draw_contact, draw_lens, draw_point, draw_seams, draw_trail
from toccata.report.palette import BLUE, ORANGE
from toccata.report.picture import Body, Picture, render, to_image
from toccata.report.png import Image
from toccata.report.shade import Look, to_linear
from toccata.report.stage import Stage, set_up
from toccata.report.viewpoint import close_direction

_LENS_SHARE = 0.36  # of the picture's height
_GUTTER = 6


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture of a story, with the moment it shows."""

    moment: Moment
    image: Image


def figure(entry: Entry, size: tuple[int, int] = (480, 360)) -> Image:
    """Return the pictures of an entry side by side, (h, w, 3) uint8; `size` is that of one."""
    gutter = np.full((size[1], _GUTTER, 3), 255, dtype=np.uint8)
    images = [part for panel in tell(set_up(entry, size)) for part in (gutter, panel.image)]
    return np.concatenate(images[1:], axis=1)


def tell(stage: Stage) -> list[Panel]:
    """Draw the moments of an entry."""
    with ThreadPoolExecutor() as pool:
        images = pool.map(lambda moment: draw(stage, moment), stage.entry.moments)
        return [Panel(*pair) for pair in zip(stage.entry.moments, images, strict=True)]


def draw(stage: Stage, moment: Moment, lens: bool = True) -> Image:
    """Draw what is there at a moment; with a `lens`, the first mark is enlarged."""
    entry, camera = stage.entry, stage.camera
    placed = stage.placed(moment.time)
    picture = render(placed, camera, Look(stage.reach))
    for body, pose in placed:
        draw_seams(picture, camera, body.at(pose), body.seams)
    for trail in stage.trails:
        draw_trail(picture, camera, trail.path, entry.share(moment.time), trail.color)
    for mark in moment.marks[1:]:
        draw_point(picture, camera, mark.point)
    if moment.marks and moment.marks[0].is_known:
        if lens:
            _enlarge(stage, picture, entry.placed(moment.time), moment.marks[0])
        draw_contact(picture, camera, moment.marks[0].point, moment.marks[0].normal)
    return to_image(picture.colors)


def _enlarge(stage: Stage, picture: Picture, placed: Sequence[Placed], mark: Mark) -> None:
    """Show a contact enlarged, with the two triangles that touch."""
    camera, point = stage.camera, mark.point
    size = round(_LENS_SHARE * camera.height)
    breadth = _lens_breadth(stage, placed, mark)
    shown = list(placed)
    for body, triangle, color in zip(mark.bodies, mark.triangles, (ORANGE, BLUE), strict=True):
        if body >= 0:
            painted = shown[body][0]
            if len(set(mark.bodies)) > 1:
                painted = replace(painted, color=to_linear(color))
            shown[body] = _highlighted(painted, triangle), shown[body][1]
    towards = close_direction(shown, (point, mark.normal), -camera.axes[2], breadth)
    lens = look_closely(point, towards, breadth, size)
    close_up = render(shown, lens, Look(0.15 * breadth, wire=True))
    draw_lens(picture, camera, point, close_up.colors)


def _lens_breadth(stage: Stage, placed: Sequence[Placed], mark: Mark) -> float:
    """Return how much of the scene a lens spans: some triangles, but neither all nor nothing."""
    sizes = [
        _triangle_size(placed[body][0], triangle)
        for body, triangle in zip(mark.bodies, mark.triangles, strict=True)
        if body >= 0
    ]
    breadth = np.clip(10.0 * min(sizes, default=0.0), 0.03 * stage.scale, 0.15 * stage.scale)
    return max(float(breadth), 5.0 * mark.gap)


def _triangle_size(body: Body, triangle: int) -> float:
    if not 0 <= triangle < len(body.faces):
        return 0.0
    a, b, c = body.vertices[body.faces[triangle]]
    return float(np.sqrt(np.linalg.norm(np.cross(b - a, c - a))))


def _highlighted(body: Body, triangle: int) -> Body:
    """Return the body with one bright triangle; an index outside the mesh changes nothing."""
    color = np.broadcast_to(body.color, (len(body.faces), 3)).copy()
    if 0 <= triangle < len(color):
        color[triangle] = 0.8 * color[triangle] + 0.2  # towards white: it stays a's or b's
    return replace(body, color=color)
