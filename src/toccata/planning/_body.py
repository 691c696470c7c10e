"""Planned paths of one rigid body among bodies that do not move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import ompl.base as ob
import ompl.geometric as og
import ompl.util as ou

from toccata._arrays import Floats
from toccata._mesh import Mesh
from toccata._motion import pose
from toccata._robot import Joint, Link, Robot
from toccata._scene import PreparedWorld
from toccata.dynamics._floating import pose_numbers
from toccata.planning._checks import Checks, setup

Progress = Callable[[int, int], None]


def plan_body(
    body: Mesh,
    world: PreparedWorld,
    ends: tuple[Floats, Floats],
    *,
    center: Floats,
    separation: float,
    seed: int = 0,
    effort: int = 2000,
    progress: Progress | None = None,
) -> list[Floats] | None:
    """Return the poses of a path between both ends, or None if none was found.

    The motions between the poses are `Motion.linear` with `center` as pivot. Each motion is proven
    to stay farther than the separation from the world. RRT-Connect samples poses in a box around
    the ends and the world, and stops after `effort` checks of motions. In a new process, the same
    seed gives the same poses.
    """
    moved = Mesh(body.vertices - center, body.faces)
    robot = Robot([Link("base"), Link("body", moved)], [Joint("pose", "floating", "base", "body")])
    space = _space(moved, world, [end[:3, :3] @ center + end[:3, 3] for end in ends])
    level = ou.getLogLevel()
    ou.setLogLevel(ou.LOG_NONE)
    try:
        ou.RNG.setSeed(seed + 1)  # OMPL takes the time of day for 0
        information = ob.SpaceInformation(space)
        around: Any = world  # `setup` accepts prepared worlds, too
        checks = setup(information, robot, around, separation=separation, self_contact=False)
        found = _search(
            information, checks, [_configuration(end, center) for end in ends], effort, progress
        )
    finally:
        ou.setLogLevel(level)
    if found is None:
        return None
    return [ends[0], *(_pose(q, center) for q in found[1:-1]), ends[1]]


def _space(body: Mesh, world: PreparedWorld, centers: list[Floats]) -> Any:
    """Return the space of all rotations and of positions in a box around the ends and the world."""
    corners = [*centers]
    for mesh, motion in world.bodies.values():
        at = motion.pose(0.0)
        points = mesh.vertices @ at[:3, :3].T + at[:3, 3]
        corners += [points.min(axis=0), points.max(axis=0)]
    radius = float(np.linalg.norm(body.vertices, axis=1).max())
    bounds = ob.RealVectorBounds(3)
    for i in range(3):
        bounds.setLow(i, float(np.min(corners, axis=0)[i]) - 2 * radius)
        bounds.setHigh(i, float(np.max(corners, axis=0)[i]) + 2 * radius)
    space = ob.SE3StateSpace()
    space.setBounds(bounds)
    return space


def _search(
    information: Any,
    checks: Checks,
    ends: list[Floats],
    effort: int,
    progress: Progress | None,
) -> Floats | None:
    information.setup()
    problem = ob.ProblemDefinition(information)
    states = []
    for q in ends:
        state = information.getStateSpace().allocState()
        checks.layout.write(q, state)
        states.append(state)
    problem.setStartAndGoalStates(*states)
    planner = og.RRTConnect(information)
    planner.setProblemDefinition(problem)
    planner.setup()

    def is_over() -> bool:
        if progress is not None:
            progress(min(checks.motions.checked, effort), effort)
        return checks.motions.checked >= effort

    planner.solve(ob.PlannerTerminationCondition(is_over))
    if not problem.hasExactSolution():
        return None
    return _shortened(checks, checks.layout.path(problem.getSolutionPath()))


def _shortened(checks: Checks, path: Floats) -> Floats:
    """Return the path with shortcuts by free motions; the longest motion is tried first."""
    kept, at = [0], 0
    while at < len(path) - 1:
        later = range(len(path) - 1, at + 1, -1)
        free = (k for k in later if checks.motions._checker.free(path[at], path[k]))
        at = next(free, at + 1)
        kept.append(at)
    return path[kept]


def _configuration(end: Floats, center: Floats) -> Floats:
    """Return the position of the center and a quaternion x, y, z, w."""
    numbers = pose_numbers(end)
    return np.concatenate([end[:3, :3] @ center + end[:3, 3], numbers[3:]])


def _pose(q: Floats, center: Floats) -> Floats:
    turned = pose(quat_xyzw=q[3:])
    return pose(q[:3] - turned[:3, :3] @ center, quat_xyzw=q[3:])
