"""Redon, Kim, Lin, Manocha 2004: a Puma among pipes and in a machine room."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes.robots import puma
from toccata_bench.papers.beside import beside, spread
from toccata_bench.papers.drawing import (
    GRAY,
    GREEN,
    ORANGE,
    PALE,
    RED,
    STEEL,
    Placed,
    cut_away,
    hue,
    marked,
    picture,
    points_of,
    put,
    put_robot,
    put_scene,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.papers.judged import check_motion
from toccata_bench.papers.published import REDON_1, REDON_2, REDON_COLUMNS
from toccata_bench.record import Record
from toccata_bench.robots import studies
from toccata_bench.robots.cases import CASES, Case, Motions, random_motions
from toccata_bench.robots.studies import STAGE_FIELDS
from toccata_bench.table import Table

Floats = NDArray[np.float64]

VIEW = (35.0, 22.0)
DRAWN = 200


def case_of(setup: Setup, name: str) -> Case:
    """Return robot, world and motions."""
    case: Case = setup.once(f"case {name}", lambda: CASES[name](setup.size(50, 8)))
    return case


def wide_motions(setup: Setup) -> dict[str, Motions]:
    """Return motions by large angles for pictures, by kind."""
    case = case_of(setup, "puma-pipes")
    found: dict[str, Motions] = setup.once(
        "wide motions", lambda: random_motions(case.robot, case.world, 60, DRAWN)
    )
    return found


def missed_motion(setup: Setup) -> tuple[Floats, Floats, tc.RobotContact]:
    """Return a colliding motion whose ends are free."""

    def work() -> tuple[Floats, Floats, tc.RobotContact]:
        case = case_of(setup, "puma-pipes")
        some = wide_motions(setup)["colliding"]
        found = []
        for q0, q1 in zip(some.start, some.end, strict=True):
            end = case.robot.first_contact(q1, q1, case.world)
            answer = case.robot.first_contact(q0, q1, case.world)
            if not end and answer.status == tc.Status.CONTACT:
                found.append((q0, q1, answer))
        best = min(found, key=lambda one: abs(one[2].toc - 0.5))
        check_motion(case, best[0], best[1])
        return best

    motion: tuple[Floats, Floats, tc.RobotContact] = setup.once("missed motion", work)
    return motion


def figure_1(setup: Setup) -> Made:
    """Draw both ends of a motion, the motion, and its contact."""
    case, (q0, q1, answer) = case_of(setup, "puma-pipes"), missed_motion(setup)
    robot, world = case.robot, case.world
    assert world is not None
    ends = put_robot(robot, q0, ORANGE) + put_robot(robot, q1, GREEN, still=q0)
    near, around = ends, cut_away(put_scene(world, STEEL), ends, VIEW, margin=0.05)
    rows = robot.interpolate(q0, q1, np.linspace(0.0, 1.0, 9))
    between = [part for row in rows[1:-1] for part in put_robot(robot, row, PALE, still=q0)]
    touch = put_robot(robot, answer.q, RED)
    mark = [(answer.point_a, answer.normal)]
    images = [
        picture(around + ends, VIEW, around=near),
        picture(around + ends + between, VIEW, around=near),
        marked(around + touch, VIEW, mark, near),
    ]
    said = (
        f"{answer.link_a} first touches {answer.link_b} at {answer.toc:.4f} of the motion; the"
        f" query takes {1e3 * answer.stats.seconds:.2f} ms"
    )
    caption = (
        "start orange and end green, both free; the motion between them; first contact"
        " (pipes before the arm are cut away)"
    )
    return Made(said, [], {caption: side_by_side(*images)})


def figure_2(setup: Setup) -> Made:
    """Draw a link in the frame of its parent."""
    robot = puma()
    q0, q1 = np.zeros(6), np.zeros(6)
    q1[2] = 1.2
    rows = robot.interpolate(q0, q1, np.linspace(0.0, 1.0, 5))
    upper, fore = robot.links["upper_arm"].mesh, robot.links["forearm"].mesh
    assert upper is not None
    assert fore is not None
    placed: Placed = put(upper, STEEL)
    for k, row in enumerate(rows):
        poses = robot.forward_kinematics(row)
        inside = np.linalg.inv(poses["upper_arm"]) @ poses["forearm"]
        color = ORANGE if k == 0 else GREEN if k == len(rows) - 1 else PALE
        placed += put(fore, color, inside)
    caption = "the forearm at its start (orange), at its end (green) and between, seen from the arm"
    return Made(
        "the forearm turns by 1.2 radians about its joint", [], {caption: picture(placed, (60, 20))}
    )


def stages_of(setup: Setup, name: str) -> Record:
    """Return the times of the stages of the interval method, verified first."""
    found: Record = setup.once(
        f"stages {name}", lambda: studies.stages(case_of(setup, name), setup.size(25, 2))
    )
    return found


def figure_3(setup: Setup) -> Made:
    """Return the pairs of bodies after each stage."""
    found = stages_of(setup, "puma-pipes")
    rows: list[list[object]] = []
    for label, stages in found.items():
        for kind, one in stages["1+2+3"].items():
            left = [one["pairs_after_hierarchy"], one["pairs_after_culling"]]
            times = [1e3 * one[field] for field in STAGE_FIELDS]
            rows.append([f"{label}, {kind}", *map(three, [*left, *times])])
    header = ["", "pairs after hierarchy", "after swept volumes"]
    header += ["hierarchy, ms", "swept volumes, ms", "exact, ms"]
    kinds = [one for stages in found.values() for one in stages["1+2+3"].values()]
    after = [np.mean([one[f"pairs_after_{stage}"] for one in kinds]) for stage in _LEFT]
    said = (
        f"{after[0]:.1f} pairs of bodies are left after boxes, and {after[1]:.1f} after swept"
        " volumes"
    )
    return Made(said, [Table("Figure 3, pairs of bodies after each stage", header, rows)])


_LEFT = ("hierarchy", "culling")


def figure_7(setup: Setup) -> Made:
    """Draw the Puma in the machine room."""
    case = case_of(setup, "puma-room")
    world = case.world
    assert world is not None
    q = case.levels["30 deg"]["free"].start[0]
    view, robot = (22.0, 24.0), put_robot(case.robot, q, ORANGE)
    around = [part for name in world.names for part in _colored(world, name)]
    floor = put(world["floor0"].mesh, PALE, world["floor0"].motion.pose(0.0))
    placed = cut_away(around, robot, view, margin=1.1) + robot + floor
    near = [part for part in placed if np.abs(points_of([part])).max() < 1.9]
    inside = picture(placed, view, (720, 460), near)
    caption = "the machine room around the arm; walls and what stands before them are cut away"
    said = f"{len(world):,} bodies, {case.triangles[1]:,} triangles"
    return Made(said, [], {caption: inside})


def _colored(world: tc.Scene, name: str) -> Placed:
    """Return a body in a color for its kind, without walls and ceiling, which hide the room."""
    pose = world[name].motion.pose(0.0)
    kind = name.rstrip("0123456789")
    if kind in ("wall", "floor"):
        return []
    color = {"pipe": STEEL, "bolt": GRAY}.get(kind, 0.6 * GRAY + 0.4 * hue(len(kind)))
    return put(world[name].mesh, color, pose)


def _rows(found: Record, rows: tuple[str, ...], single: bool) -> dict[str, list[float | None]]:
    """Return milliseconds by stage, for colliding motions and then for free ones."""
    ours: dict[str, list[float | None]] = {}
    for label, stages in found.items():
        for row in rows:
            values: list[float | None] = []
            for k, field in enumerate((*STAGE_FIELDS, "seconds")):
                off = k < 3 and str(k + 1) not in row
                for kind in ("colliding", "free"):
                    seconds = stages[row].get(kind, {}).get(field)
                    values.append(None if off or seconds is None else 1e3 * seconds)
            ours[label if single else f"{label}, {row}"] = values
    return ours


def _table(title: str, ours: dict[str, list[float | None]], theirs: Record) -> Table:
    columns = [f"{name}, {kind}" for name in REDON_COLUMNS for kind in ("COL", "NO-COL")]
    return beside(title, columns, {name: ours[name] for name in theirs if name in ours}, theirs)


def table_1(setup: Setup) -> Made:
    """Return the times of the stages among pipes."""
    ours = _rows(stages_of(setup, "puma-pipes"), ("1+2+3",), single=True)
    table = _table("Table 1, Puma among pipes, milliseconds per motion", ours, REDON_1)
    return Made(_said(ours, REDON_1), [table])


def table_2(setup: Setup) -> Made:
    """Return the times of the stages in the machine room, each of them on and off."""
    ours = _rows(stages_of(setup, "puma-room"), ("1+2+3", "1+3", "2+3", "3"), single=False)
    table = _table("Table 2, Puma in the machine room, milliseconds per motion", ours, REDON_2)
    return Made(_said(ours, REDON_2), [table])


def _said(ours: dict[str, list[float | None]], theirs: Record) -> str:
    """Return a sentence with the factors by which totals are below the paper's."""
    texts = []
    for k, kind in ((6, "colliding"), (7, "free")):
        both = [(theirs[name][k], ours[name][k]) for name in theirs if name in ours]
        texts.append(f"{spread([paper / own for paper, own in both if own])} on {kind} motions")
    return f"totals are smaller than the paper's by factors of {' and '.join(texts)}"
