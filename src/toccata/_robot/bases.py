"""Bases of robots, and several robots combined into one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats
from toccata._motion import Motion
from toccata._robot.parts import Groups, Joint, Link

if TYPE_CHECKING:
    from toccata._robot.robot import Robot


@dataclass(frozen=True, slots=True, eq=False)
class Bases:
    """Poses of the links without a parent."""

    pose: Floats = field(default_factory=lambda: np.eye(4))
    """Pose of the base, (4, 4)."""
    roots: Mapping[str, Floats] | None = None
    """For combined robots: pose of each link without a parent, (4, 4), in the frame of the base."""
    members: Mapping[str, slice] = field(default_factory=dict)
    """Range of coordinates of each combined robot in a configuration, by name."""

    def of(self, links: list[Link], joints: list[Joint]) -> dict[str, Floats] | None:
        """Return the poses of links without a parent; None for a single one at the origin."""
        if self.roots is not None:
            return {name: self.pose @ root for name, root in self.roots.items()}
        if np.array_equal(self.pose, np.eye(4)):
            return None
        children = {joint.child for joint in joints}
        return {link.name: self.pose for link in links if link.name not in children}

    def at(self, pose: ArrayLike) -> Bases:
        """Return the same bases, moved together to a (4, 4) pose."""
        return Bases(Motion.fixed(pose).pose(0.0), self.roots, self.members)


def combine(robots: Mapping[str, Robot]) -> Robot:
    """Return several robots as one robot.

    Links and joints of the robot "left" are named "left/link" and "left/joint", and configurations
    are concatenated in the order of `robots`. Each robot keeps its base (`Robot.placed`), limits,
    padding and ignored pairs. All links of different robots are tested against each other.

    Args:
        robots: {name: robot}; a robot may occur more than once.

    """
    from toccata._robot.robot import Robot

    _check(robots, Robot)
    links: list[Link] = []
    joints: list[Joint] = []
    roots: dict[str, Floats] = {}
    members: dict[str, slice] = {}
    count = 0
    for name, robot in robots.items():
        links += [replace(link, name=f"{name}/{link.name}") for link in robot.links.values()]
        joints += [_renamed(joint, f"{name}/") for joint in robot.joints]
        for root in dict.fromkeys(robot._tree.root.values()):
            roots[f"{name}/{root}"] = robot._tree.offset[root]
        members[name] = slice(count, count + robot.dof)
        count += robot.dof
    known = {k: v for robot in robots.values() for k, v in robot._pairs.placed.items()}
    both = Robot._made(links, joints, Bases(roots=roots, members=members), known)
    choices = [robot._pairs.renamed(f"{name}/") for name, robot in robots.items()]
    both._pairs.choose(*(reduce(or_, column) for column in zip(*choices, strict=True)))
    own = [robot._groups.renamed(f"{name}/") for name, robot in robots.items()]
    both._groups = Groups(
        {name: group for one in own for name, group in one.groups.items()},
        {name: states for one in own for name, states in one.states.items()},
    )
    return both


def _check(robots: Any, kind: type) -> None:
    if not isinstance(robots, Mapping):
        raise TypeError(
            f"robots: expected a mapping from names to robots, got {type(robots).__name__}"
        )
    if not robots:
        raise ValueError("robots: expected at least one robot, got none")
    for name, robot in robots.items():
        if not isinstance(name, str):
            raise TypeError(f"robots: expected strings as names, got {name!r}")
        if not name:
            raise ValueError("robots: expected names that are not empty, got ''")
        if not isinstance(robot, kind):
            got = type(robot).__name__
            raise TypeError(f"robots, {name!r}: expected a toccata.Robot, got {got}")


def _renamed(joint: Joint, prefix: str) -> Joint:
    names = {part: prefix + getattr(joint, part) for part in ("name", "parent", "child")}
    mimic = joint.mimic and replace(joint.mimic, joint=prefix + joint.mimic.joint)
    return replace(joint, **names, mimic=mimic)
