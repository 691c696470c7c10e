"""Redon, Kim, Lin, Manocha 2004, section 4.2: swept volumes in pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes.pipes import pipes
from toccata.scenes.robots import puma
from toccata.scenes.surface import MeshArrays
from toccata_bench.papers.drawing import (
    BLUE,
    GRAY,
    GREEN,
    ORANGE,
    RED,
    STEEL,
    YELLOW,
    Placed,
    cut_away,
    hue,
    picture,
    put,
    put_robot,
    put_scene,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup
from toccata_bench.papers.redon_robots import VIEW, case_of, missed_motion, wide_motions
from toccata_bench.papers.swept import Sweep, line_swept, link_volumes, sweep
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

CULLED = ("wrist_2", "hand")
"""The last two links; figure 6 culls one of them."""
_ENDS = ("start", "end")


def motion_of(setup: Setup) -> tuple[tc.Robot, Floats, Floats]:
    """Return a wide motion for the pictures of swept volumes."""
    q0, q1, _ = missed_motion(setup)
    return case_of(setup, "puma-pipes").robot, q0, q1


def hand_sweep(setup: Setup, link: str = "forearm") -> Sweep:
    """Return the swept volume of a link."""
    robot, q0, q1 = motion_of(setup)
    return sweep(link_volumes(robot, link, (q0, q1)))


def figure_4(setup: Setup) -> Made:
    """Draw the parts of a swept volume."""
    parts = hand_sweep(setup)
    whole = put(parts.whole, ORANGE)
    shown: list[tuple[MeshArrays, Floats]] = [
        (parts.ends, BLUE),
        (parts.ruled, YELLOW),
        (parts.pipes, GREEN),
    ]
    images = [picture(put(mesh, color), VIEW, (300, 280), whole) for mesh, color in shown]
    images.append(picture(whole, VIEW, (300, 280)))
    triangles = sum(len(mesh[1]) for mesh in (parts.ends, parts.sheets, parts.pipes))
    caption = "volumes at both ends, ruled surface, pipe surfaces, swept volume"
    return Made(f"{triangles:,} triangles for the forearm", [], {caption: side_by_side(*images)})


def figure_5(setup: Setup) -> Made:
    """Draw the Puma, its line-swept spheres, and the swept volume of the hand."""
    robot, q0, _ = motion_of(setup)
    poses, volumes, worst = robot.forward_kinematics(q0), [], 0.0
    for k, name in enumerate(robot.link_names):
        mesh = robot.links[name].mesh
        assert mesh is not None
        own = line_swept(mesh.vertices)
        worst = max(worst, float((own.distances(mesh.vertices) - own.radius).max()))
        volumes += put(own.placed(poses[name]).mesh(), hue(k))
    if worst > 0:
        raise WrongAnswer(f"line-swept spheres: a vertex is {worst} outside")
    hand = put(hand_sweep(setup, "hand").whole, YELLOW) + put_robot(robot, q0, STEEL)
    images = [
        picture(put_robot(robot, q0, STEEL), VIEW, (340, 320)),
        picture(volumes, VIEW, (340, 320)),
        picture(hand, VIEW, (340, 320)),
    ]
    said = f"{len(robot.link_names)} volumes; every vertex is inside the volume of its link"
    caption = "the arm; its line-swept spheres; the swept volume of the hand"
    return Made(said, [], {caption: side_by_side(*images)})


def culled_links(
    robot: tc.Robot, q0: Floats, q1: Floats, links: tuple[str, ...]
) -> dict[str, bool]:
    """Return whether the core culls each link by its swept volume, each queried alone."""
    found = {}
    for link in links:
        world = pipes()
        for other in robot.link_names:
            if other != link:
                robot.ignore(other, "pipes")
        how: Any = {"method": "interval", "stages": ("hierarchy", "swept", "exact")}
        stats: Any = robot.first_contact(q0, q1, world, self_contact=False, **how).stats
        for other in robot.link_names:
            if other != link:
                robot.unignore(other, "pipes")
        found[link] = stats.pairs_after_hierarchy > 0 and stats.pairs_after_culling == 0
    return found


def figure_6(setup: Setup) -> Made:
    """Draw a motion in which the swept volume of one of the last two links clears the pipes."""
    case = case_of(setup, "puma-pipes")
    robot, world = puma(), case.world
    assert world is not None
    some = wide_motions(setup)
    starts, ends = (np.concatenate([getattr(m, end) for m in some.values()]) for end in _ENDS)
    for q0, q1 in zip(starts, ends, strict=True):
        told = culled_links(robot, q0, q1, CULLED)
        if sorted(told.values()) == [False, True]:
            break
    else:
        raise WrongAnswer("swept volumes: no motion of 200 culls just one of the last two links")
    colors = {link: GREEN if culled else RED for link, culled in told.items()}
    volumes: Placed = []
    for link in CULLED:
        volumes += put(sweep(link_volumes(robot, link, (q0, q1))).whole, colors[link])
    seen = volumes + put_robot(robot, q0, ORANGE)
    placed = cut_away(put_scene(world, GRAY), volumes, VIEW, margin=0.25) + seen
    gone = next(link for link, culled in told.items() if culled)
    image = picture(placed, VIEW, (620, 460), seen)
    caption = (
        "swept volumes of the last two links: the green one touches nothing, its link is culled"
    )
    return Made(f"the core culls {gone} and keeps the other link", [], {caption: image})
