"""Wooden men, pendulums and plates: sizes, closed shapes, room at the joints, free starts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import toccata as tc
from toccata.dynamics import frame_inertias
from toccata.scenes import _crockery as crockery
from toccata.scenes import articulated, robots
from toccata.scenes._world_scene import WorldScene

MODELS = {"man": articulated.wooden_man, "pendulum": articulated.balls_on_rods}
BUILT = {
    "wooden-men": articulated.wooden_men,
    "pendulum": articulated.pendulum,
    "falling-man": articulated.falling_man,
}


def parents(robot: tc.Robot) -> dict[str, str]:
    """By link with geometry: the one that carries it, if that has geometry too."""
    return {j.child: j.parent for j in robot.joints if j.parent in robot.link_names}


def nearest(robot: tc.Robot, pairs: list[tuple[str, str]], rows: np.ndarray) -> float:
    found = np.inf
    for q in rows:
        poses = robot.forward_kinematics(q)
        for a, b in pairs:
            between = np.linalg.inv(poses[b]) @ poses[a]
            meshes = robot.links[a].mesh, robot.links[b].mesh
            found = min(found, tc.distance(*meshes, between).lower)
    return float(found)


def moved_vertices(robot: tc.Robot, q: np.ndarray) -> np.ndarray:
    poses = robot.forward_kinematics(q)
    return np.concatenate(
        [robot.links[n].mesh.vertices @ poses[n][:3, :3].T + poses[n][:3, 3] for n in poses
         if n in robot.link_names]
    )  # fmt: skip


def test_the_man_is_that_of_the_paper() -> None:
    man = articulated.wooden_man()
    assert len(man.link_names) == 29 and man.dof == 28
    assert all(joint.kind == "revolute" for joint in man.joints)
    assert sum(link.triangles for link in man.links.values()) == 16_000
    size = np.ptp(moved_vertices(man, man.zero_configuration()), axis=0)
    assert 1.9 < size[2] < 2.2 and 0.5 < size[1] < 0.8
    mass = sum(part.mass for part in frame_inertias(articulated.wooden_man(floating=True), 700.0))
    assert 20 < mass < 40
    for side in ("left", "right"):  # hinges of a limb turn about axes that are not parallel
        axes = [np.asarray(j.axis) for j in man.joints if j.name.startswith(side)]
        assert np.linalg.matrix_rank(axes[:6]) == np.linalg.matrix_rank(axes[6:]) == 3


def test_the_man_is_the_same_on_both_sides() -> None:
    man = articulated.wooden_man()
    points = moved_vertices(man, man.zero_configuration())
    mirrored = points * (1.0, -1.0, 1.0)
    assert np.allclose(np.sort(points[:, 1]), np.sort(mirrored[:, 1]))
    assert points[:, 0].max() > -points[:, 0].min()  # his feet point forward


def test_the_pendulum_is_a_tree_of_thirty() -> None:
    robot = articulated.balls_on_rods()
    assert len(robot.link_names) == robot.dof == 30
    assert sum(link.triangles for link in robot.links.values()) == 16_000
    above = [joint.parent for joint in robot.joints]
    ends = set(robot.link_names) - set(above)
    assert len(ends) == 6 and max(above.count(name) for name in above) == 3
    assert moved_vertices(robot, robot.zero_configuration())[:, 2].max() < 0.01


@pytest.mark.parametrize("name", MODELS)
def test_pieces_are_closed(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    for link in MODELS[name]().links.values():
        if link.mesh is not None:
            solid = trimesh.Trimesh(link.mesh.vertices, link.mesh.faces, process=False)
            assert solid.is_watertight and solid.is_winding_consistent and solid.volume > 0


@pytest.mark.parametrize("name", MODELS)
def test_what_a_hinge_joins_never_touches_within_the_limits(name: str) -> None:
    robot = MODELS[name]()
    rows = robot.random_configurations(20, 4)
    for i in range(robot.dof):  # limits are where pieces come nearest
        for end in (robot.lower, robot.upper):
            row = robot.zero_configuration()
            row[i] = end[i]
            rows = np.concatenate([rows, [row]])
    assert nearest(robot, list(parents(robot).items()), rows) > 3e-3


def test_the_next_but_one_piece_of_the_man_stays_clear() -> None:
    man = articulated.wooden_man()
    above = parents(man)
    pairs = [(link, above[parent]) for link, parent in above.items() if parent in above]
    pairs += [(a, b) for a, b in combinations(above, 2) if above[a] == above[b]]
    assert nearest(man, pairs, man.random_configurations(40, 5)) > 0.03


@pytest.mark.parametrize("name", MODELS)
def test_nothing_touches_at_zero(name: str) -> None:
    robot = MODELS[name]()
    rest = robot.zero_configuration()
    assert robot.first_contact(rest, rest, separation=0.01).status == tc.Status.FREE


def test_crockery_has_its_triangles_and_is_closed() -> None:
    trimesh = pytest.importorskip("trimesh")
    for mesh, count in ((crockery.plate(), 1_600), (crockery.pot(), 2_880)):
        solid = trimesh.Trimesh(*mesh, process=False)
        assert len(mesh[1]) == count and solid.is_watertight and solid.volume > 0
    made = articulated.falling_man()
    assert sum(len(body.mesh[1]) for body in made.bodies.values()) == 44_000
    assert all(body.fixed for body in made.bodies.values())


@pytest.mark.parametrize("name", BUILT)
@pytest.mark.parametrize("seed", [0, 7])
def test_scenes_start_free_and_within_limits(name: str, seed: int) -> None:
    made = BUILT[name](seed)
    assert not made.scene().first_contact(separation=5e-4)
    for given in made.robots.values():
        assert given.robot.within_limits(given.q)


@pytest.mark.parametrize("name", BUILT)
def test_scenes_follow_their_seed(name: str) -> None:
    first, again, other = (BUILT[name](seed) for seed in (3, 3, 4))
    assert _start(first) == _start(again) != _start(other)


def _start(made: WorldScene) -> bytes:
    robots = b"".join(given.q.tobytes() for given in made.robots.values())
    return robots + b"".join(body.pose.tobytes() for body in made.bodies.values())


def test_two_men_are_near_each_other_and_pulled_together() -> None:
    made = articulated.wooden_men(2)
    assert made.count == 58 and made.triangles == 32_000 and made.gravity == (0.0, 0.0, 0.0)
    both = tc.combine({name: given.robot for name, given in made.robots.items()})
    q = np.concatenate([given.q for given in made.robots.values()])
    assert both.first_contact(q, q).status == tc.Status.FREE
    poses = both.forward_kinematics(q)
    (spring,) = made.springs
    assert spring.length == 0
    gap = poses[spring.a][:3, 3] - poses[spring.b][:3, 3]
    assert 0.5 < np.linalg.norm(gap) < 3.5


def test_the_man_falls_on_the_table() -> None:
    made = articulated.falling_man(1)
    man = made.robots["man"]
    assert moved_vertices(man.robot, man.q)[:, 2].min() > 0.2
    under = made.scene()
    for name in under.names:
        if name.startswith("man/"):
            mesh, motion = under[name].mesh, under[name].motion
            drop = tc.Motion.linear(motion.pose(0), tc.pose((0, 0, -3)) @ motion.pose(0))
            things = tc.Scene()
            for other in made.bodies:
                things.add(other, under[other].mesh, under[other].motion)
            things.add(name, mesh, drop)
            assert things.first_contact()


def test_random_trees() -> None:
    tree = robots.random_tree(40, seed=1, branching=0.5)
    assert tree.dof == 39 and len(tree.link_names) == 40
    rest = tree.zero_configuration()
    assert tree.first_contact(rest, rest).status == tc.Status.FREE
    children = [joint.parent for joint in tree.joints]
    assert len(set(children)) < 39
    bare = robots.random_tree(40, seed=1, branching=0.5, geometry=False)
    assert not bare.link_names and frame_inertias(bare) == frame_inertias(tree)
    assert [joint.parent for joint in robots.random_tree(5, branching=0.0).joints] == [
        f"link{i}" for i in range(4)
    ]


def test_a_chain_without_geometry_weighs_the_same() -> None:
    assert frame_inertias(robots.chain(5, geometry=False)) == frame_inertias(robots.chain(5))
