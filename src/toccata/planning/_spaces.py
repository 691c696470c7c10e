"""Supported state spaces of OMPL, and the state space of a robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import ompl.base as ob

from toccata._arrays import Floats
from toccata._robot import Joint, Robot
from toccata._robot.robot import as_robot
from toccata._robot.tree import mimicked

Number = Literal["line", "circle", "quaternion"]
"""Kind of a coordinate: interpolated straight or along the shorter arc, or part of a rotation."""

SUPPORTED = (
    "RealVectorStateSpace, SO2StateSpace, SO3StateSpace, SE2StateSpace, SE3StateSpace "
    "or CompoundStateSpace of these"
)


@dataclass(frozen=True, slots=True)
class Part:
    """Coordinates of a simple component of a compound state, with functions to read and write."""

    numbers: tuple[Number, ...]
    read: Callable[[Any], list[float]]
    write: Callable[[Any, list[float]], None]


def parts_of(space: Any, find: Callable[[Any], Any] = lambda state: state) -> Iterator[Part]:
    """Yield the simple components of a space in order; `find` returns the state of a component."""
    # Subclasses are refused, because they may interpolate differently.
    kind = type(space)
    if kind is ob.CompoundStateSpace:
        for i in range(space.getSubspaceCount()):
            yield from parts_of(space.getSubspace(i), _within(find, i))
    elif kind in _PARTS:
        yield _PARTS[kind](space, find)
    else:
        raise ValueError(f"state space: expected {SUPPORTED}, got {kind.__name__}")


def _within(find: Callable[[Any], Any], i: int) -> Callable[[Any], Any]:
    return lambda state: find(state)[i]


def _vector(space: Any, find: Callable[[Any], Any]) -> Part:
    size = range(space.getDimension())

    def read(state: Any) -> list[float]:
        values = find(state)
        return [values[i] for i in size]

    def write(state: Any, numbers: list[float]) -> None:
        values = find(state)
        for i in size:
            values[i] = numbers[i]

    numbers: list[Number] = ["line" for _ in size]
    return Part(tuple(numbers), read, write)


def _circle(_: Any, find: Callable[[Any], Any]) -> Part:
    def write(state: Any, numbers: list[float]) -> None:
        find(state).value = _one_turn(numbers[0])

    return Part(("circle",), lambda state: [find(state).value], write)


def _quaternion(_: Any, find: Callable[[Any], Any]) -> Part:
    return Part(
        ("quaternion",) * 4,
        lambda state: _components(find(state)),
        lambda state, numbers: _set_components(find(state), numbers),
    )


def _plane(_: Any, find: Callable[[Any], Any]) -> Part:
    def read(state: Any) -> list[float]:
        pose = find(state)
        return [pose.getX(), pose.getY(), pose.getYaw()]

    def write(state: Any, numbers: list[float]) -> None:
        pose = find(state)
        pose.setX(numbers[0])
        pose.setY(numbers[1])
        pose.setYaw(_one_turn(numbers[2]))

    return Part(("line", "line", "circle"), read, write)


def _space(_: Any, find: Callable[[Any], Any]) -> Part:
    def read(state: Any) -> list[float]:
        pose = find(state)
        return [pose.getX(), pose.getY(), pose.getZ(), *_components(pose.rotation())]

    def write(state: Any, numbers: list[float]) -> None:
        pose = find(state)
        pose.setXYZ(*numbers[:3])
        _set_components(pose.rotation(), numbers[3:])

    return Part(("line",) * 3 + ("quaternion",) * 4, read, write)


_PARTS: dict[Any, Callable[[Any, Callable[[Any], Any]], Part]] = {
    ob.RealVectorStateSpace: _vector,
    ob.SO2StateSpace: _circle,
    ob.SO3StateSpace: _quaternion,
    ob.SE2StateSpace: _plane,
    ob.SE3StateSpace: _space,
}


def _components(rotation: Any) -> list[float]:
    return [rotation.x, rotation.y, rotation.z, rotation.w]


def _set_components(rotation: Any, numbers: list[float]) -> None:
    rotation.x, rotation.y, rotation.z, rotation.w = numbers


def _one_turn(angle: float) -> float:
    """Return an angle in [-pi, pi), the range of circles in OMPL."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


def drifting(robot: Robot) -> dict[str, str]:
    """Return the continuous joints that must not be circles, each with a joint that mimics it.

    A circle does not distinguish angles that differ by full turns. The mimic of such a joint has to
    turn by a whole multiple of its angle, or not at all.
    """
    joints = {joint.name: joint for joint in robot.joints}
    found: dict[str, str] = {}
    for joint in robot.joints:
        if joint.mimic is None or joint.kind == "fixed":
            continue
        leader, factor, _ = mimicked(joint, joints)
        returns = factor == 0 or (joint.kind != "prismatic" and factor.is_integer())
        if joints[leader].kind == "continuous" and not returns:
            found.setdefault(leader, joint.name)
    return found


def state_space(robot: Robot) -> Any:
    """Return the state space of a robot, with the robot's limits as bounds.

    Continuous joints become SO2StateSpace, planar joints without limits of their angle
    SE2StateSpace, floating joints SE3StateSpace, and all other joints a RealVectorStateSpace.
    Raises ValueError for coordinates without limits, because only the caller knows their bounds,
    and for continuous joints with a mimic that a full turn does not return to the same position.
    Build the state space of such a robot yourself.

    Args:
        robot: the robot.

    """
    joints = [joint for joint in as_robot(robot).joints if joint.width]
    if not joints:
        raise ValueError("robot: expected joints that move, got none")
    for leader, follower in drifting(robot).items():
        raise ValueError(
            f"joint {leader!r}: a full turn does not return its mimic {follower!r} to the same "
            "position; build the state space yourself, with a RealVectorStateSpace for the joint"
        )
    if all(_space_type(joint) is ob.RealVectorStateSpace for joint in joints):
        return _bounded(joints)
    space = ob.CompoundStateSpace()
    for joint in joints:
        space.addSubspace(_bounded([joint]), 1.0)
    return space


def _space_type(joint: Joint) -> Any:
    if joint.kind == "continuous":
        return ob.SO2StateSpace
    if joint.kind == "floating":
        return ob.SE3StateSpace
    if joint.kind == "planar" and np.isinf(_limits(joint)[:, 2]).all():
        return ob.SE2StateSpace
    return ob.RealVectorStateSpace


def _limits(joint: Joint) -> Floats:
    """Return the lower and upper limits of the coordinates of a joint, (2, n)."""
    return np.array([np.broadcast_to(end, joint.width) for end in (joint.lower, joint.upper)])


def _bounded(joints: list[Joint]) -> Any:
    """Return the space of joints of one kind, with their limits as bounds."""
    kind = _space_type(joints[0])
    if kind is ob.SO2StateSpace:
        return kind()
    limits = np.concatenate([_limits(joint) for joint in joints], axis=1)
    if kind is ob.SE3StateSpace:
        if (limits[0, 3:] > -1).any() or (limits[1, 3:] < 1).any():
            raise ValueError(
                f"joint {joints[0].name!r}: state_space() does not support limits on the rotation "
                "of a floating joint; build the state space yourself"
            )
        limits = limits[:, :3]
    elif kind is ob.SE2StateSpace:
        limits = limits[:, :2]
    names = [joint.name for joint in joints for _ in range(joint.width)]
    bounds = ob.RealVectorBounds(limits.shape[1])
    for i, (low, high) in enumerate(limits.T.tolist()):
        if not np.isfinite([low, high]).all():
            raise ValueError(
                f"joint {names[i]!r}: expected limits, got {low} and {high}; "
                "build the state space yourself"
            )
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    space = kind(len(names)) if kind is ob.RealVectorStateSpace else kind()
    space.setBounds(bounds)
    return space
