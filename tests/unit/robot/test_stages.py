"""The stages of interval for robots: each takes away pairs, and may be left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._robot.answers import RobotStats
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.robots import planar_arm, puma, wires
from toccata.scenes.surface import shifted


def stats(robot: tc.Robot, q0: Any, q1: Any, world: tc.Scene, *stages: Any) -> RobotStats:
    contact = robot.first_contact(q0, q1, world, method="interval", stages=stages)
    assert isinstance(contact.stats, RobotStats)
    return contact.stats


def test_each_stage_takes_pairs_away() -> None:
    robot, world = puma(), wires(30, seed=1)
    rng = np.random.default_rng(2)
    kept = {"hierarchy": 0, "swept": 0, "both": 0, "none": 0}
    for q in robot.random_configurations(20, 3):
        end = q + rng.uniform(-0.5, 0.5, 6)
        all_stages = stats(robot, q, end, world, "hierarchy", "swept", "exact")
        boxes = stats(robot, q, end, world, "hierarchy", "exact")
        swept = stats(robot, q, end, world, "swept", "exact")
        none = stats(robot, q, end, world, "exact")
        assert boxes.pairs_after_hierarchy == boxes.pairs_after_culling
        assert none.pairs_after_hierarchy == swept.pairs_after_hierarchy
        assert none.pairs_after_hierarchy == none.pairs_after_culling
        assert all_stages.pairs_after_hierarchy == boxes.pairs_after_hierarchy
        kept["both"] += all_stages.pairs_after_culling
        kept["hierarchy"] += boxes.pairs_after_culling
        kept["swept"] += swept.pairs_after_culling
        kept["none"] += none.pairs_after_culling
    # 6 links that move and 30 wires; 15 pairs of links that are not neighbours.
    assert kept["none"] == 20 * (6 * 30 + 15)
    assert kept["both"] < kept["hierarchy"] < kept["none"] / 10
    assert kept["both"] < kept["swept"] < kept["none"] / 5


def test_swept_volumes_see_past_boxes() -> None:
    # The bar turns from 6 to 22 degrees; the post stands in a corner of the box around its path.
    robot = planar_arm((2.0,), 0.1)
    world = tc.Scene()
    world.add("post", tc.Mesh(*box((0.05, 0.05, 1.0))), tc.pose((0.3, 0.6, 0.0)))
    before = stats(robot, [0.1], [0.39], world, "hierarchy", "exact")
    after = stats(robot, [0.1], [0.39], world, "hierarchy", "swept", "exact")
    assert before.pairs_after_culling == 1
    assert after.pairs_after_culling == 0 and after.bv_tests == 0


@pytest.mark.parametrize(("gap", "status"), [(0.005, "FREE"), (-0.02, "CONTACT")])
def test_few_triangles_of_a_foot_are_tested_against_a_floor(gap: float, status: str) -> None:
    # A floor is large against any path along it: windows have to follow the foot's boxes.
    vertices, faces = shifted(icosphere(0.1, 4), (0.0, -1.0, 0.0))
    hip = tc.Joint("hip", "revolute", "base", "leg", axis=(0, 0, 1), lower=-2, upper=2)
    robot = tc.Robot([tc.Link("base"), tc.Link("leg", tc.Mesh(vertices, faces))], [hip])
    world = tc.Scene()
    world.add("floor", tc.Mesh(*box((20.0, 1.0, 20.0))), tc.pose((0.0, -1.6 - gap, 0.0)))
    contact = robot.first_contact([-0.25], [0.15], world, method="interval")
    assert contact.status.name == status
    assert contact.stats.elementary_tests < len(faces) / 10


def test_times_of_the_stages_are_measured() -> None:
    robot, world = puma(), wires(30, seed=1)
    q = robot.random_configurations(1, 3)[0]
    found = stats(robot, q, q + 0.5, world, "hierarchy", "swept", "exact")
    assert found.seconds_hierarchy > 0 and found.seconds_culling > 0 and found.seconds_exact > 0


@pytest.mark.parametrize(
    ("stages", "error", "message"),
    [
        ((), ValueError, "the stage exact is required"),
        (("hierarchy", "swept"), ValueError, "the stage exact is required"),
        (("exact", "fast"), ValueError, "expected some of hierarchy, swept, exact"),
        ("exact", TypeError, "in a tuple, got 'exact'"),
        (3, TypeError, "in a tuple, got 3"),
        ((["exact"], "exact"), ValueError, "expected some of"),
    ],
)
def test_unknown_stages_are_refused(stages: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^stages: .*{message}"):
        planar_arm().first_contact([0, 0], [1, 1], method="interval", stages=stages)


def test_only_interval_has_stages() -> None:
    with pytest.raises(ValueError, match=r"^stages: expected None"):
        planar_arm().first_contact([0, 0], [1, 1], stages=("exact",))
    with pytest.raises(ValueError, match=r"^stages: expected None"):
        planar_arm().first_contact_batch([[0, 0]], [[1, 1]], stages=("exact",))


def test_stages_may_come_as_a_list_in_any_order() -> None:
    contact = planar_arm().first_contact(
        [0, 0], [1, 1], method="interval", stages=["exact", "hierarchy"]
    )
    assert contact.status == tc.Status.FREE
