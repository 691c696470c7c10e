"""The internal interface of robots, which other packages use in place of private attributes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import toccata as tc
from toccata._robot import internal
from toccata.scenes.robots import planar_arm

PRIVATE = re.compile(r"robot\._(tree|space|pairs|queries|bases|groups|made|remade)\b")
ROOT = Path(__file__).parents[3]


def test_other_packages_use_no_private_attribute_of_a_robot() -> None:
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    assert len(files) > 100, "sources not found"
    others = [file for file in files if file.parent.name != "_robot"]
    found = [
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in others
        for match in PRIVATE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert not found


def test_a_robot_with_other_parts_keeps_its_ignored_pairs() -> None:
    robot = planar_arm()
    robot.ignore("link1", "floor")
    links = [tc.Link("ground"), *robot.links.values()]
    lift = tc.Joint("lift", "prismatic", "ground", next(iter(robot.links)))
    other = internal.with_parts(robot, links, [lift, *robot.joints])
    assert other.dof == robot.dof + 1 and not other.tests("link1", "floor")
    assert internal.tree_of(other).moving[0] is lift
    np.testing.assert_array_equal(internal.home(other), np.zeros(other.dof))
