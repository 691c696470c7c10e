"""A scene told in three pictures: start, contact (or closest approach), end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from toccata.report.camera import look_closely
from toccata.report.entry import Entry
from toccata.report.marks import draw_contact, draw_lens, draw_trail
from toccata.report.moments import Moment, find_moments
from toccata.report.picture import Body, Picture, render, to_image
from toccata.report.png import Image
from toccata.report.shade import Look
from toccata.report.stage import COLOUR_A, COLOUR_B, Stage, set_up
from toccata.report.viewpoint import close_direction

_LENS_SHARE = 0.36  # of the picture's height


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture of a story, with the moment it shows."""

    moment: Moment
    image: Image


def tell(entry: Entry, size: tuple[int, int] = (480, 360)) -> list[Panel]:
    """Draw the three pictures of a scene, all from the same camera; `size` is (width, height)."""
    stage = set_up(entry, size)
    return [Panel(moment, _draw(stage, moment)) for moment in find_moments(entry, stage.focus)]


def _draw(stage: Stage, moment: Moment) -> Image:
    picture = render(stage.placed(moment.time), stage.camera, Look(0.08 * stage.scale))
    for path, colour in zip(stage.paths, (COLOUR_A, COLOUR_B), strict=True):
        draw_trail(picture, stage.camera, path, moment.time, 0.55 * colour)
    if moment.marked:
        _point_out(stage, picture)
    return to_image(picture.colours)


def _point_out(stage: Stage, picture: Picture) -> None:
    """Mark the contact, and show it enlarged, with the two triangles that touch."""
    camera, point, contact = stage.camera, stage.focus.point, stage.entry.contact
    size = round(_LENS_SHARE * camera.height)
    breadth = _lens_breadth(stage)
    touched = zip(stage.bodies, (contact.triangle_a, contact.triangle_b), strict=True)
    bodies = [_highlighted(body, triangle) for body, triangle in touched]
    placed = list(zip(bodies, stage.entry.poses(stage.focus.time), strict=True))
    towards = close_direction(placed, (point, stage.focus.normal), -camera.axes[2], breadth)
    lens = look_closely(point, towards, breadth, size)
    close_up = render(placed, lens, Look(0.15 * breadth, wire=True))
    draw_lens(picture, camera, point, close_up.colours)
    draw_contact(picture, camera, point, stage.focus.normal)


def _lens_breadth(stage: Stage) -> float:
    """Return how much of the scene a lens spans: some triangles, but neither all nor nothing."""
    contact = stage.entry.contact
    touched = zip(stage.bodies, (contact.triangle_a, contact.triangle_b), strict=True)
    breadth = 10.0 * min(_triangle_size(body, triangle) for body, triangle in touched)
    return float(np.clip(breadth, 0.03 * stage.scale, 0.15 * stage.scale))


def _triangle_size(body: Body, triangle: int) -> float:
    if not 0 <= triangle < len(body.faces):
        return 0.0
    a, b, c = body.vertices[body.faces[triangle]]
    return float(np.sqrt(np.linalg.norm(np.cross(b - a, c - a))))


def _highlighted(body: Body, triangle: int) -> Body:
    """Return the body with one bright triangle; an index outside the mesh changes nothing."""
    colour = np.tile(body.colour, (len(body.faces), 1))
    if 0 <= triangle < len(colour):
        colour[triangle] = 0.8 * colour[triangle] + 0.2  # towards white: it stays a's or b's
    return replace(body, colour=colour)
