"""Robots and environments made by code: sizes, freedom from contact, and files of packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from math import pi

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import _tube as tube
from toccata.scenes import pipes as pipework
from toccata.scenes import robots
from toccata.scenes._tree import posed
from toccata.scenes.pipes import pipes
from toccata.scenes.surface import MeshArrays
from toccata_bench.scenes import hand, mannequin
from toccata_bench.scenes.chess import chessboard
from toccata_bench.scenes.installed import INSTALLED, Source, installed_robot, installed_source
from toccata_bench.scenes.machine_room import machine_room


def triangles_of_scene(scene: tc.Scene) -> int:
    return sum(len(mesh.faces) for mesh, _ in scene._bodies.values())


def triangles_of(robot: tc.Robot) -> int:
    return sum(link.triangles for link in robot.links.values())


def volume(mesh: MeshArrays) -> float:
    """Positive for a closed surface that faces outward."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def is_closed(mesh: MeshArrays) -> bool:
    edges = mesh[1][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    there = {tuple(edge) for edge in edges.tolist()}
    return len(there) == len(edges) and all((b, a) in there for a, b in there)


# Parts


def test_a_bent_tube_is_closed_and_as_wide_as_asked() -> None:
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 2)]
    mesh = tube.tube(corners, 0.05, 0.2, sides=64, steps=32)
    assert is_closed(mesh)
    length = 4 - 2 * (2 * 0.2 - 0.2 * pi / 2)
    assert volume(mesh) == pytest.approx(length * pi * 0.05**2, rel=5e-3)


def test_limbs_and_pillows_have_their_sizes() -> None:
    limb = tube.limb(1.0, 0.2, 0.1, segments=24, rows=29)
    assert is_closed(limb) and len(limb[1]) == 2 * 24 * 28
    assert limb[0][:, 2].min() == pytest.approx(-0.2)
    assert limb[0][:, 2].max() == pytest.approx(1.1)
    ball = tube.pillow((1.0, 1.0, 1.0), 2.0, 64, 64)
    assert is_closed(ball) and volume(ball) == pytest.approx(4 / 3 * pi, rel=5e-3)
    block = tube.pillow((1.0, 2.0, 3.0), 50.0, 64, 64)
    assert volume(block) == pytest.approx(48.0, rel=0.1)


# Environments


def test_pipes_leave_room_for_the_arm() -> None:
    scene = pipes()
    assert triangles_of_scene(scene) == pytest.approx(38_000, rel=0.03)
    vertices = scene._bodies["pipes"][0].vertices
    assert np.linalg.norm(vertices - (0.0, 0.0, 0.67), axis=1).min() > 0.38
    rest = robots.puma().zero_configuration()
    assert robots.puma().first_contact(rest, rest, scene).status == tc.Status.FREE


def test_pipes_do_not_meet_each_other() -> None:
    """Two pipes share no vertex of the lattice, and are thinner than half of it."""
    rng, taken = np.random.default_rng(4), set[tuple[int, int, int]]()
    for _ in range(200):
        cells = pipework._route(rng, taken)
        assert taken.isdisjoint(cells) and len(set(cells)) == len(cells)
        taken.update(cells)
    assert len(taken) > 500


def test_the_machine_room_has_1180_bodies() -> None:
    scene = machine_room()
    assert len(scene) == 1180
    assert triangles_of_scene(scene) == pytest.approx(187_000, rel=0.01)
    meshes = {id(mesh) for mesh, _ in scene._bodies.values()}
    assert len(meshes) < 30, "equal parts share their mesh"
    rest = robots.puma().zero_configuration()
    assert robots.puma().first_contact(rest, rest, scene).status == tc.Status.FREE


def test_no_chessman_touches_another_or_the_board() -> None:
    scene = chessboard()
    assert len(scene) == 33
    assert triangles_of_scene(scene) == pytest.approx(101_000, rel=0.01)
    assert scene.first_contact(tolerance=1e-4).status == tc.Status.FREE


# Robots


def test_the_mannequin_stands_free_on_the_board() -> None:
    robot = mannequin.mannequin()
    assert len(robot.link_names) == 15
    assert triangles_of(robot) == pytest.approx(20_000, rel=0.01)
    standing = posed(robot, {"root/z": mannequin.HIP_HEIGHT})
    assert robot.first_contact(standing, standing, chessboard()).status == tc.Status.FREE


@pytest.mark.parametrize("kind", ["walking", "exercising"])
def test_the_mannequin_moves_free_and_into_contact(kind: str) -> None:
    robot = mannequin.mannequin()
    rows = (
        mannequin.exercising(robot, 80)
        if kind == "exercising"
        else mannequin.walking(robot, 40, (-0.06, 0.9))
    )
    world = None if kind == "exercising" else chessboard()
    assert all(robot.within_limits(q) for q in rows)
    rests = robot.first_contact_batch(rows, rows, world).status == tc.Status.FREE
    starts, ends = rows[:-1][rests[:-1]], rows[1:][rests[:-1]]
    free = robot.first_contact_batch(starts, ends, world).status == tc.Status.FREE
    assert 0.6 < free.mean() < 0.99, "a sequence has to have both"


def test_the_hand_closes_on_the_ball() -> None:
    robot, world = hand.hand(), hand.ball()
    assert len(robot.link_names) == 21
    assert triangles_of(robot) == pytest.approx(8_000, rel=0.01)
    assert triangles_of_scene(world) == pytest.approx(2_000, rel=0.01)
    touched = set()
    for make in (hand.approaches, hand.closings):
        starts, ends = make(robot, 20, seed=3)
        found = robot.first_contact_batch(starts, ends, world)
        assert (found.status == tc.Status.CONTACT).all()
        touched |= {robot.link_names[i] for i in found.link_a}
    assert "palm" in touched and any("distal" in name for name in touched)


def test_a_straight_chain_is_free() -> None:
    robot = robots.chain(30)
    assert robot.dof == 29 and len(robot.link_names) == 30
    rest = robot.zero_configuration()
    assert robot.first_contact(rest, rest).status == tc.Status.FREE
    curled = robot.first_contact(rest, np.where(np.arange(29) % 2 == 1, 0.5, 0.0))
    assert curled.status == tc.Status.CONTACT, "half a radian at every other joint closes a ring"


# Packages


@pytest.mark.filterwarnings("ignore:talos_reduced")
@pytest.mark.parametrize("name", [*INSTALLED])
def test_robots_of_packages_are_found_or_the_error_names_the_package(name: str) -> None:
    source = installed_source(name)
    try:
        distribution(source.package)
    except PackageNotFoundError:
        with pytest.raises(ModuleNotFoundError, match=f"pip install {source.package}"):
            installed_robot(name)
        return
    pytest.importorskip("trimesh")
    robot = installed_robot(name)
    assert robot.dof >= 6 and triangles_of(robot) > 1000


def test_unknown_robots_are_named() -> None:
    with pytest.raises(ValueError, match="expected one of ur5, panda"):
        installed_robot("r2d2")


def test_a_missing_package_is_told() -> None:
    with pytest.raises(ModuleNotFoundError, match="pip install no-such-robots"):
        Source("no-such-robots", "robot.urdf").folder()
