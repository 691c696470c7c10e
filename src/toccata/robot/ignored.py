"""Which pairs of links need no test, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from toccata._arrays import Floats
from toccata._native import core
from toccata.robot.parts import Joint, Link

if TYPE_CHECKING:
    from toccata.robot.robot import Robot

Pair = tuple[str, str]


def adjacent_pairs(links: Iterable[Link], joints: Iterable[Joint]) -> dict[Pair, str]:
    """Return pairs with geometry that only a joint, or links without geometry, lie between."""
    shown = {link.name for link in links if link.mesh is not None}
    above = {joint.child: joint for joint in joints}
    pairs: dict[Pair, str] = {}
    for child in sorted(shown):
        joint = above.get(child)
        steps = []
        while joint is not None:
            steps.append(joint)
            if joint.parent in shown:
                moving = [step.name for step in steps if step.kind != "fixed"]
                through = ", ".join(moving or [step.name for step in steps])
                pairs[joint.parent, child] = f"adjacent: joined by {through}"
                break
            joint = above.get(joint.parent)
    return pairs


def always_in_contact(robot: Robot, samples: int, seed: int) -> dict[Pair, str]:
    """Return pairs that are in contact in every one of several random configurations."""
    configurations = robot.random_configurations(samples, seed)
    open_pairs = [
        (a, b)
        for i, a in enumerate(robot.link_names)
        for b in robot.link_names[i + 1 :]
        if robot.tests(a, b)
    ]
    for q in configurations:
        poses = robot.forward_kinematics(q)
        open_pairs = [pair for pair in open_pairs if _in_contact(robot, poses, *pair)]
        if not open_pairs:
            break
    reason = f"in contact at all of {samples} sampled poses"
    return dict.fromkeys(open_pairs, reason)


def _in_contact(robot: Robot, poses: Mapping[str, Floats], a: str, b: str) -> bool:
    at_a, at_b = (core.Motion.fixed(np.ascontiguousarray(poses[name])) for name in (a, b))
    meshes = [robot.links[name].mesh._core for name in (a, b)]
    found = core.first_contact(meshes[0], at_a, meshes[1], at_b, core.Options())
    return bool(found.status != core.Status.FREE)
