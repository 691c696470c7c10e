"""What the peers of the benchmark of robots are given: order of samples, kinematics, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import toccata as tc
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm, puma
from toccata_bench.robots.sampling import halving_order
from toccata_bench.robots.urdf_files import write_robot
from toccata_bench.scenes.mannequin import mannequin


def cube() -> tc.Scene:
    world = tc.Scene()
    world.add("cube", tc.Mesh(*box()), tc.pose(translation=(0.0, 9.0, 0.0)))
    return world


@pytest.mark.parametrize("count", [1, 2, 5, 8, 100])
def test_halving_visits_every_sample_once_and_far_ones_first(count: int) -> None:
    order = halving_order(count)
    assert sorted(order) == list(range(count)) and order[0] == count - 1
    for seen in range(2, count):
        times = np.sort(np.append((order[:seen] + 1) / count, 0.0))
        assert np.diff(times).max() <= 4.0 / seen


@pytest.mark.parametrize("make", [puma, mannequin, lambda: planar_arm((1.0, 0.5, 0.3))])
def test_pinocchio_has_the_same_kinematics(make: Callable[[], tc.Robot]) -> None:
    pytest.importorskip("pinocchio")
    pytest.importorskip("coal")
    from toccata_bench.robots.pin_model import PinModel

    robot = make()
    model = PinModel(robot, None)
    for q in robot.random_configurations(5, seed=2):
        model.place(q)
        poses = robot.forward_kinematics(q)
        for i, name in enumerate(robot.link_names):
            found = model.geometry_data.oMg[i].homogeneous
            assert np.allclose(found, poses[name], atol=1e-12)


@pytest.mark.parametrize("make", [puma, mannequin])
def test_a_written_robot_reads_back(make: Callable[[], tc.Robot], tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    robot = make()
    read = tc.Robot.from_urdf(write_robot(tmp_path, robot, cube()))
    assert read.coordinate_names == robot.coordinate_names
    q = robot.random_configurations(1, seed=3)[0]
    theirs = read.forward_kinematics(q)
    for name, pose in robot.forward_kinematics(q).items():
        assert np.allclose(theirs[name], pose, atol=1e-9)
    assert sum(link.triangles for link in read.links.values()) == 12 + sum(
        link.triangles for link in robot.links.values()
    )
