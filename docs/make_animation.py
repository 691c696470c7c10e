"""Draws the animation of the README: python docs/make_animation.py [file].

A hand pulls a car door into its opening, presses it 4 cm too deep, moves it about, and lets it go
to its seat. `dynamics.Manipulator` certifies every motion before it executes it.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import toccata as tc
from toccata import dynamics, report
from toccata.scenes import mounting
from toccata.view import Body, Points, View
from toccata.view._camera import fit, view_direction

SIZE, COLORS, MILLISECONDS = (720, 440), 128, 60
STEEL, ORANGE, YELLOW = (140, 158, 184), (237, 140, 56), (250, 222, 26)
PAUSE = 12
"""Repetitions of the last picture, in frames."""
APART = 0.18
"""Contacts nearer to each other than this, in meters, are drawn as one dot."""


def between(start: np.ndarray, end: np.ndarray, count: int) -> list[np.ndarray]:
    """Return poses on the straight motion between two poses, without the start."""
    return list(tc.Motion.linear(start, end).pose(np.linspace(0.0, 1.0, count + 1)[1:]))


def targets(given: mounting.Mounting) -> list[np.ndarray]:
    """Return the targets to which the hand pulls the door, frame by frame."""
    seat, before = given.target, given.via[0]
    askew = before @ tc.pose((0.04, 0.0, -0.03), rotvec=(0.0, 0.05, 0.06))
    deep = seat @ tc.pose((0.0, -0.04, 0.0))
    circle = [
        deep @ tc.pose((0.04 * np.sin(a), 0.0, 0.04 * (np.cos(a) - 1.0)))
        for a in np.linspace(0.0, 2.0 * np.pi, 24)
    ]
    return [
        *between(given.start, askew, 28),
        *between(askew, deep, 24),
        *circle,
        *between(deep, seat, 8),
    ]


def spread(points: np.ndarray) -> list[np.ndarray]:
    """Return points so that no two of them are close together."""
    kept: list[np.ndarray] = []
    for point in points:
        if all(np.linalg.norm(point - other) > APART for other in kept):
            kept.append(point)
    return kept


def frames() -> list[Image.Image]:
    """Move the door toward each target and draw the poses that it reaches."""
    given = mounting.door_mounting()
    scene, door = given.scene(), tc.Mesh(*given.part)
    hand = dynamics.Manipulator(door, scene, given.start)
    corners = np.concatenate([given.fixed["car"][0], given.part[0] + given.start[:3, 3]])
    camera = fit(corners, view_direction(58, 20), SIZE[0] / SIZE[1])
    drawn = []
    for target in targets(given):
        move = hand.move(target)
        items = [
            Body("car", STEEL, *given.fixed["car"]),
            Body("door", ORANGE, *given.part, pose=move.pose),
        ]
        if len(points := spread(move.contacts.point_a)):
            items.append(Points("contact", YELLOW, np.array(points), 0.05))
        view = View("door", tuple(items), camera=camera)
        drawn.append(Image.fromarray(report.still(view, size=SIZE)))
    assert hand.path.check(door, scene) is None, "a motion of the path is not free"
    return drawn


def main(path: str = "") -> None:
    """Save a GIF that loops."""
    target = Path(path) if path else Path(__file__).with_name("door.gif")
    drawn = frames()
    # The dots alone are too small for the palette.
    yellow = np.full((40, SIZE[0], 3), YELLOW, dtype=np.uint8)
    some = np.concatenate([np.asarray(one) for one in drawn[:: len(drawn) // 4]] + [yellow])
    palette = Image.fromarray(some).quantize(COLORS)
    first, *others = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in drawn]
    durations = [MILLISECONDS] * (len(drawn) - 1) + [MILLISECONDS * PAUSE]
    first.save(target, save_all=True, append_images=others, duration=durations, loop=0)
    sys.stdout.write(f"{target}: {len(drawn)} frames, {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
