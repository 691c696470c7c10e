"""Robots of which some joints move: method "adaptive" against the others, and what it keeps."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

import toccata as tc
from toccata import Joint, Link, Robot, Status
from toccata.scenes import models

Floats = NDArray[np.float64]
KINDS = ("revolute", "continuous", "prismatic", "planar", "floating", "fixed")
ODDS = (0.5, 0.15, 0.15, 0.05, 0.1, 0.05)
TOLERANCE = 1e-5


def soup(rng: np.random.Generator, size: float = 0.12) -> tc.Mesh:
    count = int(rng.integers(1, 12))
    return tc.Mesh(rng.normal(size=(3 * count, 3)) * size, np.arange(3 * count).reshape(-1, 3))


def random_robot(rng: np.random.Generator, count: int) -> Robot:
    links, joints = [Link("l0", soup(rng))], []
    for i in range(1, count + 1):
        parent = i - 1 if rng.random() < 0.6 else int(rng.integers(0, i))
        place = tc.pose(rng.normal(size=3) * 0.5, rotvec=rng.normal(size=3))
        links.append(Link(f"l{i}", soup(rng) if rng.random() < 0.9 else None))
        kind = rng.choice(KINDS, p=ODDS)
        axis = rng.normal(size=3)
        joints.append(Joint(f"j{i}", kind, f"l{parent}", f"l{i}", place, axis=axis))
    return Robot(links, joints)


def random_world(rng: np.random.Generator) -> tc.Scene:
    world = tc.Scene()
    for k in range(int(rng.integers(0, 4))):
        start, end = (
            tc.pose(rng.normal(size=3) * 1.3, rotvec=rng.normal(size=3)) for _ in range(2)
        )
        world.add(f"b{k}", soup(rng, 0.2), start if k % 2 else tc.Motion.linear(start, end))
    return world


def step(rng: np.random.Generator, q: Floats) -> Floats:
    """Move some of the numbers, often few and little."""
    size = rng.choice([0.02, 0.4])
    return np.where(
        rng.random(len(q)) < rng.choice([0.1, 0.3, 1.0]), q + rng.normal(size=len(q)) * size, q
    )


def check(
    robot: Robot, world: tc.Scene, answers: dict[str, tc.RobotContact], separation: float
) -> None:
    """Two answers may differ by what the distance takes to cross the tolerance, and no more."""
    first = min(answers.values(), key=lambda answer: answer.toc)
    overlaps = {answer.status == Status.INITIAL_OVERLAP for answer in answers.values()}
    assert len(overlaps) == 1, answers
    assert Status.UNDECIDED not in {answer.status for answer in answers.values()}
    if not first or overlaps == {True}:
        return
    for name, answer in answers.items():
        if answer.toc > first.toc + 1e-9:
            bodies = tc.Scene()
            for body in world.names:
                bodies.add(body, world[body].mesh, world[body].motion.pose(first.toc))
            near = robot.distances(first.q[None], bodies, limit=1.0)
            assert near.upper.min() > separation, (name, answers)  # else certified too early
            assert near.lower.min() <= separation + 2 * TOLERANCE, (name, answers)


@pytest.mark.parametrize("seed", range(12))
def test_answers_are_those_of_other_methods(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot, world = random_robot(rng, int(rng.integers(2, 16))), random_world(rng)
    sequence, exact = (tc.RobotSequence(robot, world, method="adaptive") for _ in range(2))
    q = rng.normal(size=robot.dof) * 0.6
    touching = 0
    for k in range(25):
        end = step(rng, q)
        options = {"tolerance": TOLERANCE, "separation": float(rng.choice([0.0, 0.02]))}
        enclosures = ("chains", "tree", "intervals")[k % 3]
        answers = {
            method: robot.first_contact(q, end, world, method=method, **options)
            for method in ("auto", "interval", "adaptive")
        }
        answers["sequence"] = sequence.first_contact(q, end, enclosures=enclosures, **options)
        answers["again"] = sequence.first_contact(q, end, **options)
        answers["exact"] = exact.first_contact(q, end, exact="interval", **options)
        answers["exact, single"] = robot.first_contact(
            q, end, world, method="adaptive", exact="interval", **options
        )
        check(robot, world, answers, options["separation"])
        free = robot.motion_is_free(q, end, world, method="adaptive", **options)
        assert free == (not answers["auto"]) or abs(answers["auto"].toc - 1) < 1e-3
        touching += bool(answers["auto"])
        q = end if rng.random() < 0.7 else step(rng, q)
    assert touching < 25 or seed not in (0, 1, 2, 3)


def test_batches_are_single_queries() -> None:
    rng = np.random.default_rng(3)
    robot, world = random_robot(rng, 10), random_world(rng)
    starts = rng.normal(size=(200, robot.dof)) * 0.6
    ends = np.array([step(rng, q) for q in starts])
    one = robot.first_contact_batch(starts, ends, world, method="adaptive", threads=1)
    two = robot.first_contact_batch(starts, ends, world, method="adaptive", threads=2)
    assert np.array_equal(one.toc, two.toc) and np.array_equal(one.status, two.status)
    singles = [
        robot.first_contact(a, b, world, method="adaptive").toc
        for a, b in zip(starts, ends, strict=True)
    ]
    assert np.array_equal(one.toc, singles)


def box(x: float, y: float, z: float) -> tc.Mesh:
    return tc.Mesh(*models.box((x, y, z)))


def arm(count: int = 4) -> Robot:
    """Rods in a row along x with gaps between them, hinges about z; a pointer above rod 2."""
    rod = box(0.08, 0.02, 0.02)
    links = [Link(f"rod {i}", rod) for i in range(count + 1)]
    joints = [
        Joint(f"hinge {i}", "revolute", f"rod {i}", f"rod {i + 1}", tc.pose((0.1, 0.0, 0.0)))
        for i in range(count)
    ]
    place = tc.pose((0.0, 0.0, 0.1))
    joints.append(Joint("turn", "revolute", "rod 2", "pointer", place))
    return Robot([*links, Link("pointer", rod)], joints)


def folded(robot: Robot) -> Floats:
    """Rods 0 and 4 overlap, and no others."""
    q = np.zeros(robot.dof)
    q[:4] = np.pi / 2
    return q


def test_overlap_inside_a_group_is_an_initial_overlap() -> None:
    robot = arm()
    q = folded(robot)
    end = q.copy()
    end[-1] += 0.1  # moves the pointer alone
    sequence = tc.RobotSequence(robot, method="adaptive")
    for ask in (robot.first_contact, sequence.first_contact, sequence.first_contact):
        options = {"method": "adaptive"} if ask == robot.first_contact else {}
        found = ask(q, end, **options)
        assert found.status == Status.INITIAL_OVERLAP
        assert {found.link_a, found.link_b} == {"rod 0", "rod 4"}
    robot.ignore("rod 0", "rod 4")
    assert not robot.first_contact(q, end, method="adaptive")
    assert not sequence.first_contact(q, end)
    robot.unignore("rod 0", "rod 4")
    assert sequence.first_contact(q, end).status == Status.INITIAL_OVERLAP


def test_joints_become_active_in_the_middle_of_a_sequence() -> None:
    robot = arm()
    sequence = tc.RobotSequence(robot, method="adaptive")
    q = np.zeros(robot.dof)
    for joint in range(4):  # one after the other, until rod 4 comes to rod 0
        end = q.copy()
        end[joint] = np.pi / 2 * 0.8
        found, other = sequence.first_contact(q, end), robot.first_contact(q, end)
        assert found.status == other.status
        assert found.toc == pytest.approx(other.toc, abs=1e-4)
        q = end
    q[3] = 0.0
    end = q.copy()
    end[:4] = np.pi / 2 * 1.05
    found, other = sequence.first_contact(q, end), robot.first_contact(q, end)
    assert found.status == other.status == Status.CONTACT
    assert found.toc == pytest.approx(other.toc, abs=1e-4)
    assert {found.link_a, found.link_b} == {other.link_a, other.link_b}


def test_a_group_keeps_its_proof_for_one_separation_only() -> None:
    robot = arm()
    sequence = tc.RobotSequence(robot, method="adaptive")
    q = folded(robot)
    q[:4] = np.pi / 2 * 0.8  # rods 0 and 4 are near, not in contact
    end = q.copy()
    end[-1] += 0.1
    assert not sequence.first_contact(q, end)
    assert sequence.first_contact(q, end).stats.broad_phase_pairs == 0
    near = robot.first_contact(q, end, separation=0.08)
    assert near.status == Status.INITIAL_OVERLAP
    assert sequence.first_contact(q, end, separation=0.08).status == Status.INITIAL_OVERLAP
    moved = q.copy()
    moved[1] = np.pi / 2  # another group
    moved[0] = moved[2] = moved[3] = np.pi / 2
    end = moved.copy()
    end[-1] += 0.1
    assert sequence.first_contact(moved, end).status == Status.INITIAL_OVERLAP


def test_a_body_added_to_the_world_is_tested() -> None:
    robot, world = arm(), tc.Scene()
    world.add("far", box(0.1, 0.1, 0.1), tc.pose((0.0, 1.0, 0.0)))
    sequence = tc.RobotSequence(robot, world, method="adaptive")
    q = np.zeros(robot.dof)
    end = q.copy()
    end[-1] = 0.1
    assert not sequence.first_contact(q, end)
    assert not sequence.first_contact(end, q)
    world.add("near", box(0.05, 0.05, 0.01), tc.pose((0.2, 0.0, 0.0)))  # through a rod that stays
    assert sequence.first_contact(q, end).status == Status.INITIAL_OVERLAP
    world.move("near", tc.pose((0.2, 0.0, 1.0)))
    assert not sequence.first_contact(q, end)


def test_work_follows_the_joints_that_move() -> None:
    robot = arm(120)
    sequence = tc.RobotSequence(robot, method="adaptive")
    q = np.zeros(robot.dof)
    end = q.copy()
    end[[3, 50]] = 1e-3
    counts = []
    for k in range(4):
        found = sequence.first_contact(*((q, end) if k % 2 == 0 else (end, q)))
        assert not found
        counts.append((found.stats.nodes_updated, found.stats.products, found.stats.bodies_placed))
    assert counts[0][0] > 100  # all transforms, once
    assert all(
        nodes <= 2 * 8 and products <= 40 and bodies <= 20 for nodes, products, bodies in counts[1:]
    )
    all_joints = tc.RobotSequence(robot, method="adaptive").first_contact(q, q + 1e-4)
    assert not all_joints


def test_mimics_move_together() -> None:
    rod = box(0.08, 0.02, 0.02)
    links = [Link(f"rod {i}", rod) for i in range(5)]
    joints = [
        Joint(
            f"hinge {i}",
            "revolute",
            f"rod {i}",
            f"rod {i + 1}",
            tc.pose((0.1, 0.0, 0.0)),
            mimic=None if i == 0 else tc.Mimic("hinge 0"),
        )
        for i in range(4)
    ]
    robot = Robot(links, joints)
    assert robot.dof == 1
    found = robot.first_contact([0.0], [1.7], method="adaptive")
    other = robot.first_contact([0.0], [1.7])
    assert found.status == other.status == Status.CONTACT
    assert found.toc == pytest.approx(other.toc, abs=1e-4)


def test_splines_combined_robots_and_separations() -> None:
    both = tc.combine({"left": arm(), "right": arm().placed(tc.pose((0.3, 0.35, 0.0)))})
    q = np.zeros(both.dof)
    path = np.array([q, q, q])
    path[1, 3], path[2, 3] = 0.8, 1.6
    for kind in ("linear", "cubic"):
        found = both.first_contact_path(path, method="adaptive", spline=kind)
        other = both.first_contact_path(path, spline=kind)
        assert found.status == other.status
        assert found.toc == pytest.approx(other.toc, abs=1e-3)
    distances = {("left/rod 4", "right/rod 0"): 0.05, "default": 0.001}
    end = q.copy()
    end[3] = 1.6
    found = both.first_contact(q, end, method="adaptive", separation=distances)
    other = both.first_contact(q, end, separation=distances)
    assert found.status == other.status and found.toc == pytest.approx(other.toc, abs=1e-3)


def test_wrong_options_are_named() -> None:
    robot = arm()
    q = np.zeros(robot.dof)
    with pytest.raises(ValueError, match=r"enclosures: expected one of chains, tree, intervals"):
        robot.first_contact(q, q, method="adaptive", enclosures="boxes")
    with pytest.raises(
        ValueError, match=r"enclosures: expected None, because method 'auto' has no choice"
    ):
        robot.first_contact(q, q, enclosures="tree")
    with pytest.raises(ValueError, match=r"exact: expected one of advancement, interval"):
        robot.first_contact(q, q, method="adaptive", exact="intervals")
    with pytest.raises(ValueError, match=r"exact: expected None, because method 'auto' has no"):
        tc.RobotSequence(robot).first_contact(q, q, exact="interval")
    with pytest.raises(ValueError, match=r"^method: a RobotSequence accepts auto, hca, adaptive"):
        tc.RobotSequence(robot, method="interval")
    with pytest.raises(ValueError, match=r"method"):
        tc.first_contact(box(1, 1, 1), box(1, 1, 1), tc.Motion.fixed(np.eye(4)), method="adaptive")


def test_sequences_can_be_pickled() -> None:
    robot = arm()
    q = np.zeros(robot.dof)
    end = q.copy()
    end[-1] = 0.1
    sequence = tc.RobotSequence(robot, method="adaptive")
    sequence.first_contact(q, end)
    copy = pickle.loads(pickle.dumps(sequence))
    assert not copy.first_contact(q, end)
