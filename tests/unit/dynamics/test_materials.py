"""Friction and restitution of pairs, and the mass of meshes that overlap."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.worlds import box

import toccata as tc
from toccata.dynamics import World

G = 9.81


def on_slab(friction: float, restitution: float) -> World:
    world = World()
    pose = tc.pose((0, 0, -0.5))
    slab = box(9, 9, 1)
    world.add("slab", slab, pose, fixed=True, friction=friction, restitution=restitution)
    return world


@pytest.mark.parametrize(("slab", "cube"), [(0.16, 0.36), (0.36, 0.16), (0.0, 0.5)])
def test_friction_of_a_pair_is_the_geometric_mean(slab: float, cube: float) -> None:
    world = on_slab(slab, 0.0)
    start = tc.pose((0, 0, 0.101))
    world.add("cube", box(0.2, 0.2, 0.2), start, friction=cube, velocity=(3, 0, 0))
    world.step(60)  # comes to rest on the shell
    before, time = world.velocities[1][0], world.time
    world.step(30)
    slowed = (before - world.velocities[1][0]) / (world.time - time)
    assert slowed == pytest.approx(np.sqrt(slab * cube) * G, rel=0.02, abs=1e-6)


@pytest.mark.parametrize(("slab", "ball"), [(0.0, 0.8), (0.8, 0.0), (0.3, 0.8)])
def test_restitution_of_a_pair_is_the_larger(slab: float, ball: float) -> None:
    world = on_slab(0.0, slab)
    world.add("cube", box(0.2, 0.2, 0.2), tc.pose((0, 0, 0.6)), friction=0.0, restitution=ball)
    report = world.step(45)
    assert report.impacts == 1
    speed, time = report.events.speed[0], report.events.time[0]
    left = 0.8 * speed - G * (world.time - time)
    assert world.velocities[1][2] == pytest.approx(left, abs=0.02 * speed)


def test_volume_that_two_closed_surfaces_share_counts_twice() -> None:
    cube = box(1, 1, 1)
    vertices = np.concatenate([cube.vertices, cube.vertices + (0.5, 0.3, 0.2)])
    faces = np.concatenate([cube.faces, cube.faces + len(cube.vertices)])
    both = tc.Mesh(vertices, faces, solid=True)
    assert tc.MassProperties.of(both, 1.0).mass == pytest.approx(2.0)
