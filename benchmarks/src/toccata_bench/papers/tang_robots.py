"""Tang, Manocha, Kim 2013, section 6.2: mannequins, a hand, and an arm beside a car."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes._car import car_skeleton
from toccata.scenes.robots import puma
from toccata_bench.papers.beside import beside, gains
from toccata_bench.papers.drawing import (
    BLUE,
    GRAY,
    ORANGE,
    PALE,
    STEEL,
    YELLOW,
    Placed,
    hue,
    marked,
    picture,
    put,
    put_robot,
    put_scene,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.papers.judged import check_motion
from toccata_bench.papers.published import TANG_2, TANG_2_COLUMNS
from toccata_bench.peers import optional
from toccata_bench.record import Record
from toccata_bench.robots.cases import SEQUENCES, Case, Motions, divide
from toccata_bench.robots.measure import Peers, measure_case
from toccata_bench.robots.sampling import Sampler
from toccata_bench.robots.tables import average
from toccata_bench.scenes import hand, mannequin
from toccata_bench.scenes.chess import chessboard

Floats = NDArray[np.float64]

ROWS = {"Exercising": "exercising", "Walking": "walking", "Grasping": "grasping", "Puma": "puma"}
NEAR = 0.35
"""Radians between the ends of a local path of the arm, in each joint."""
HITS = (0.38 - 0.35) / (0.87 - 0.35)
"""Fraction of colliding paths, from the three means of the paper's row."""
DARK, LIGHT = np.array([0.30, 0.27, 0.26]), np.array([0.88, 0.84, 0.76])


def beside_car(count: int) -> Case:
    """Return the arm beside the body of a car, and local paths as of a planner.

    Their ends are near each other; paths that start in contact are left out.
    """
    robot, world = puma(), tc.Scene()
    world.add("car", tc.Mesh(*car_skeleton(4_000)), tc.pose((0.0, -1.45, 0.0)))
    start = robot.random_configurations(20 * count, 5)
    turn = np.random.default_rng(6).uniform(-NEAR, NEAR, start.shape)
    end = np.clip(start + turn, robot.lower, robot.upper)
    kinds = divide(robot, world, Motions(start, end))
    hits = max(1, round(HITS * count))
    return Case(
        "puma",
        robot,
        world,
        {"all": {"free": kinds["free"][: count - hits], "colliding": kinds["colliding"][:hits]}},
    )


def case_of(setup: Setup, name: str) -> Case:
    """Return a sequence, built once."""
    make = {**SEQUENCES, "puma": beside_car}[name]
    case: Case = setup.once(f"case {name}", lambda: make(setup.size(100, 24)))
    return case


def measured(setup: Setup, name: str) -> Record:
    """Return the times of all methods; samples of another library verify the answers first."""
    case, peers = case_of(setup, name), Peers()
    if optional("pinocchio") and optional("coal"):
        starts = [kinds.start[:20] for kinds in case.levels["all"].values()]
        peers = Peers(Sampler(case.robot, case.world, np.concatenate(starts)))
    kinds: Record = measure_case(case, peers)["levels"]["all"]
    return kinds


def table_2(setup: Setup) -> Made:
    """Return the means of colliding, free and all motions."""
    ours: dict[str, list[float | None]] = {}
    auto: dict[str, float | None] = {}
    for row, name in ROWS.items():
        kinds = measured(setup, name)
        times = [kinds.get(kind, {}).get("first_us", {}) for kind in ("colliding", "free")]
        us = [*(one.get("hca") for one in times), average(kinds, "first_us", "hca")]
        ours[row] = [None if one is None else 1e-3 * one for one in us]
        mean = average(kinds, "first_us", "auto")
        auto[row] = None if mean is None else 1e-3 * mean
    table = beside("Table 2, milliseconds per motion, hca", TANG_2_COLUMNS, ours, TANG_2)
    table.header.append("average, auto")
    for line in table.rows:
        line.append(three(auto[str(line[0])]))
    said = f"averages are smaller than the paper's by factors of {gains(ours, TANG_2, 2)}"
    return Made(said, [table])


def figure_8(setup: Setup) -> Made:
    """Draw the mannequin, walking between chessmen and exercising."""
    robot, board = mannequin.mannequin(), chessboard()
    walk = mannequin.walking(robot, 96, (-0.06,))
    placed: Placed = []
    for name in board.names:
        color = LIGHT if name.startswith("white") else DARK if name.startswith("black") else GRAY
        placed += put(board[name].mesh, color, board[name].motion.pose(0.0))
    walkers = [part for k in (12, 30, 48, 66, 84) for part in put_robot(robot, walk[k], ORANGE)]
    walking = picture(placed + walkers, (38, 20), (760, 420))
    rows = mannequin.exercising(robot)
    poses = [rows[k] for k in (8, 24, 60, 100, 128)]
    images = [picture(put_robot(robot, q, ORANGE), (30, 12), (200, 320)) for q in poses]
    links, own = len(robot.link_names), sum(link.triangles for link in robot.links.values())
    pieces = sum(len(board[name].mesh.faces) for name in board.names)
    said = f"{links} links and {own:,} triangles; board and chessmen have {pieces:,} triangles"
    return Made(
        said,
        [],
        {
            "(a) the mannequin at five moments of its walk": walking,
            "(b) the mannequin at five moments of its exercise": side_by_side(*images),
        },
    )


def figure_9(setup: Setup) -> Made:
    """Draw a hand before a ball, at its first contact, and closed as far as possible."""
    robot, world = hand.hand(), hand.ball()
    start, end = hand.closings(robot, 1, 3)
    q0, q1 = start[0], end[0]
    check_motion(Case("hand", robot, world), q0, q1)
    answer = robot.first_contact(q0, q1, world)
    ball = put_scene(world, YELLOW)
    colors = {name: hue(k) * 0.35 + 0.65 * PALE for k, name in enumerate(robot.link_names)}
    mark = [(answer.point_a, answer.normal)]
    seen = [part for q in (q0, answer.q) for part in put_robot(robot, q, PALE)]
    view = _side_view(robot, q0)
    images = [
        picture(ball + put_robot(robot, q0, colors), view, around=seen),
        marked(ball + put_robot(robot, answer.q, colors), view, mark, seen),
    ]
    own = sum(link.triangles for link in robot.links.values())
    said = (
        f"{len(robot.link_names)} links and {own:,} triangles; {answer.link_a} first touches"
        f" {answer.link_b} at {answer.toc:.3f} of this motion"
    )
    caption = "the hand around the ball, open and at its first contact"
    return Made(said, [], {caption: side_by_side(*images)})


def _side_view(robot: tc.Robot, q: Floats) -> tuple[float, float]:
    """Return a view across the hand, wherever it is."""
    axes = robot.forward_kinematics(q)["palm"][:3, :3]
    towards = axes @ np.array([0.15, 0.9, -0.4])
    azimuth = np.degrees(np.arctan2(towards[1], towards[0]))
    return float(azimuth), float(np.degrees(np.arcsin(towards[2] / np.linalg.norm(towards))))


def figure_10(setup: Setup) -> Made:
    """Draw the arm beside a car on a free path."""
    case = case_of(setup, "puma")
    world = case.world
    assert world is not None
    free = case.levels["all"]["free"]
    shown = [free.start[k] for k in np.linspace(0, len(free) - 1, 5).astype(int)]
    arms = put_robot(case.robot, shown[0], ORANGE)
    for q in shown[1:]:
        arms += put_robot(case.robot, q, PALE, still=shown[0])
    placed = put_scene(world, BLUE * 0.6 + STEEL * 0.4) + arms
    image = picture(placed, (150, 20), (640, 420))
    own, around = case.triangles
    said = (
        f"{len(case.robot.link_names)} links and {own:,} triangles; a car body of {around:,};"
        f" {len(free)} local paths are free, and {len(case.levels['all']['colliding'])} collide"
    )
    return Made(said, [], {"the arm at five of its free configurations beside the car": image})
