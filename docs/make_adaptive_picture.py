"""Draws the picture of docs/adaptive.md: python docs/make_adaptive_picture.py [file].

The three experiments of Kim, Redon, Kim 2008 while bodies collide: links of one colour are one
rigid group, as in the paper's figure 3.
"""

import sys
from pathlib import Path

import numpy as np

from toccata.dynamics import World
from toccata.report.camera import fit_camera, view_direction
from toccata.report.picture import Body, render, to_image
from toccata.report.png import Image, save_png
from toccata.report.shade import Look
from toccata.scenes import worlds

SIZE = (400, 420)
GREY = np.array([0.66, 0.68, 0.72])
GOLDEN = 0.618034
SCENES = {
    "wooden-men": (15, 26, 35, 12),
    "pendulum": (8, 30, 20, 8),
    "falling-man": (15, 34, 60, 20),
}
"""Active joints, steps, and where it is seen from."""


def colour(group: int) -> np.ndarray:
    """Return a colour of its own for each group."""
    hue = 6 * ((group * GOLDEN) % 1.0)
    wave = np.clip(np.abs((hue + np.array([0.0, 4.0, 2.0])) % 6 - 3) - 1, 0, 1)
    return np.asarray(0.25 + 0.62 * wave)


def groups(world: World) -> dict[str, int]:
    """Return the rigid group of each link, by the name of its body; all bodies count on."""
    found: dict[str, int] = {}
    for name, body in world.articulated.items():
        first, carrier = len(found), body.robot._tree.carrier
        for link in body.robot.link_names:
            group = body.groups[carrier[link]] if carrier[link] >= 0 else 0
            found[f"{name}/{link}"] = first + int(group)
    return found


def picture(name: str) -> Image:
    """Return a scene after some steps."""
    active, steps, azimuth, elevation = SCENES[name]
    world = worlds.make_world(worlds.get(name), active=active)
    world.step(steps)
    known = groups(world)
    placed = []
    for body, pose in zip(world.names, world.poses, strict=True):
        mesh = world.meshes[body]
        shade = colour(known[body]) if body in known else GREY
        placed.append((Body.of((mesh.vertices, mesh.faces), shade), pose))
    moving = [part for body, part in zip(world.names, placed, strict=True) if body in known]
    points = np.concatenate([body.at(pose) for body, pose in moving])
    camera = fit_camera(points, view_direction(azimuth, elevation), SIZE)
    return to_image(render(placed, camera, Look(reach=0.05)).colours)


def main(path: str = "") -> None:
    """Save them side by side."""
    target = Path(path) if path else Path(__file__).with_name("adaptive.png")
    gutter = np.full((SIZE[1], 6, 3), 255, dtype=np.uint8)
    images = [part for name in SCENES for part in (picture(name), gutter)][:-1]
    save_png(target, np.concatenate(images, axis=1))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
