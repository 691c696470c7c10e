"""Draws the picture of docs/dynamics.md: python docs/make_world_picture.py [file].

A car door before its opening, and a heap of rings after two seconds.
"""

import sys
from pathlib import Path

import numpy as np

import toccata as tc
from toccata.report._picture import Shape, render, to_image
from toccata.report._png import Image, save_png
from toccata.report._projection import fit_camera, view_direction
from toccata.scenes import mounting, worlds

SIZE = (560, 420)
STEEL, RED = np.array([0.55, 0.62, 0.72]), np.array([0.82, 0.30, 0.25])
COLORS = [STEEL, RED, np.array([0.92, 0.70, 0.30]), np.array([0.40, 0.65, 0.45])]


def picture(placed: list[tuple[Shape, np.ndarray]], azimuth: float, elevation: float) -> Image:
    """Return bodies at their poses, seen from a direction."""
    points = np.concatenate([body.at(pose) for body, pose in placed])
    camera = fit_camera(points, view_direction(azimuth, elevation), SIZE)
    return to_image(render(placed, camera, reach=0.05).colors)


def door() -> Image:
    """Draw the door during its path to the car."""
    given = mounting.door_mounting()
    middle = tc.Motion.linear(given.start, given.via[0]).pose(0.5)
    car, part = Shape.of(given.fixed["car"], STEEL), Shape.of(given.part, RED)
    return picture([(car, np.eye(4)), (part, middle)], 60, 22)


def heap() -> Image:
    """Draw the rings at rest, without the walls of their bin."""
    scene = worlds.get("heap", bodies=100)
    world = worlds.make_world(scene)
    world.step(scene.steps)
    ring = scene.bodies["ring0"].mesh
    bodies = [Shape.of(ring, color) for color in COLORS]
    poses = dict(zip(world.names, world.poses, strict=True))
    rings = [pose for name, pose in poses.items() if name.startswith("ring")]
    return picture([(bodies[k % len(bodies)], pose) for k, pose in enumerate(rings)], 35, 25)


def main(path: str = "") -> None:
    """Save both side by side."""
    target = Path(path) if path else Path(__file__).with_name("dynamics.png")
    gutter = np.full((SIZE[1], 6, 3), 255, dtype=np.uint8)
    save_png(target, np.concatenate([door(), gutter, heap()], axis=1))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
