"""An independent implementation of robots: kinematics by names, distances by coal.

A link moves no faster than the sum over its joints of rate times the longest lever there can be, so
a sample at distance d clears d / speed of the time line, as in `sampling`. Joints above both links
of a pair do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

import toccata as tc

from .sampling import model

coal = pytest.importorskip("coal", reason="the sampling oracle needs the distance query of coal")

Floats = NDArray[np.float64]
SHORTEST = 1e-4  # step of time where bodies nearly touch


def joint_pose(joint: tc.Joint, numbers: Floats) -> Floats:
    """Return the pose of a joint's child in the joint's frame."""
    pose = np.eye(4)
    axis = np.asarray(joint.axis)
    if joint.kind in ("revolute", "continuous"):
        pose[:3, :3] = Rotation.from_rotvec(axis * numbers[0]).as_matrix()
    elif joint.kind == "prismatic":
        pose[:3, 3] = axis * numbers[0]
    elif joint.kind == "planar":
        lift = Rotation.align_vectors(axis[None], [[0.0, 0.0, 1.0]])[0]
        if axis[2] > 1 - 1e-12:
            lift = Rotation.identity()
        pose[:3, :3] = Rotation.from_rotvec(axis * numbers[2]).as_matrix()
        pose[:3, 3] = lift.apply([numbers[0], numbers[1], 0.0])
    elif joint.kind == "floating":
        pose[:3, :3] = Rotation.from_quat(numbers[3:]).as_matrix()
        pose[:3, 3] = numbers[:3]
    return pose


class RobotOracle:
    """A robot among bodies at rest, loaded into coal once."""

    def __init__(
        self,
        robot: tc.Robot,
        world: dict[str, tuple[Floats, NDArray[np.int32]]],
        bases: dict[str, Floats] | None = None,
    ) -> None:
        self.robot = robot
        self.bases = bases or {}  # poses of links without a parent
        self.above = {joint.child: joint for joint in robot.joints}
        self.start, count = {}, 0
        for joint in robot.joints:
            self.start[joint.name] = count
            count += joint.width
        self.models = {name: model(*_arrays(robot, name)) for name in robot.link_names}
        self.bodies = {name: model(*mesh) for name, mesh in world.items()}

    def numbers(self, joint: tc.Joint, q: Floats) -> Floats:
        if joint.mimic is not None:
            other = next(j for j in self.robot.joints if j.name == joint.mimic.joint)
            return joint.mimic.multiplier * self.numbers(other, q) + joint.mimic.offset
        at = self.start[joint.name]
        return q[at : at + joint.width]

    def pose(self, link: str, q: Floats) -> Floats:
        """Return the pose of a link, joint by joint up to the root."""
        pose = np.eye(4)
        while link in self.above:
            joint = self.above[link]
            pose = np.asarray(joint.origin) @ joint_pose(joint, self.numbers(joint, q)) @ pose
            link = joint.parent
        return self.bases.get(link, np.eye(4)) @ pose

    def carrier(self, link: str) -> str:
        """Return the root of the rigid piece that a link belongs to."""
        while link in self.above and self.above[link].kind == "fixed":
            link = self.above[link].parent
        return link

    def at(self, q0: Floats, q1: Floats, t: float) -> Floats:
        """Return the configuration at time t."""
        q = q0 + t * (q1 - q0)
        for joint in self.robot.joints:
            if joint.kind == "floating" and joint.mimic is None:
                part = slice(self.start[joint.name] + 3, self.start[joint.name] + 7)
                ends = Rotation.from_quat([q0[part], q1[part]])
                q[part] = Slerp([0.0, 1.0], ends)(t).as_quat()
        return q

    def pairs(self, self_contact: bool) -> Iterator[tuple[str, str, bool]]:
        """Yield all pairs that are tested: two names, and whether the second is a body."""
        ignored = {frozenset(pair) for pair in self.robot.ignored_pairs}
        names = self.robot.link_names
        for i, a in enumerate(names):
            for body in self.bodies:
                if (a, body) not in self.robot.ignored_pairs:
                    yield a, body, True
            for b in names[i + 1 :] if self_contact else ():
                if self.carrier(a) != self.carrier(b) and frozenset((a, b)) not in ignored:
                    yield a, b, False

    def distance(self, a: str, b: str, is_body: bool, q: Floats) -> float:
        """Return the distance of two bodies; overlapping surfaces have distance zero."""
        at_b = np.eye(4) if is_body else self.pose(b, q)
        other = self.bodies[b] if is_body else self.models[b]
        return _gap(self.models[a], _transform(self.pose(a, q)), other, _transform(at_b))

    def path(self, link: str) -> list[tc.Joint]:
        """Return the joints above a link, the nearest first."""
        joints = []
        while link in self.above:
            joints.append(self.above[link])
            link = self.above[link].parent
        return joints

    def link_speed(self, link: str, shared: set[str], q0: Floats, q1: Floats) -> float:
        """Bound the speed of a link's points by all joints above it but the shared ones."""
        lever, speed = float(np.linalg.norm(_arrays(self.robot, link)[0], axis=1).max()), 0.0
        for joint in self.path(link):
            if joint.name in shared:
                break
            n0, n1 = self.numbers(joint, q0), self.numbers(joint, q1)
            turn, slide, far = _rates(joint, n0, n1)
            speed += turn * lever + slide
            lever += float(np.linalg.norm(np.asarray(joint.origin)[:3, 3])) + far
        return speed

    def speed(self, a: str, b: str, is_body: bool, ends: tuple[Floats, Floats]) -> float:
        """Bound how fast the distance of two bodies changes."""
        if is_body:
            return self.link_speed(a, set(), *ends) + 1e-9
        shared = {j.name for j in self.path(a)} & {j.name for j in self.path(b)}
        return sum(self.link_speed(link, shared, *ends) for link in (a, b)) + 1e-9

    def closest_until(
        self, q0: Floats, q1: Floats, end: float, *, self_contact: bool = True
    ) -> tuple[float, float]:
        """Return the least sampled distance over [0, end) and its time."""
        best = (np.inf, 0.0)
        for a, b, is_body in self.pairs(self_contact):
            t, speed = 0.0, self.speed(a, b, is_body, (q0, q1))
            while t < end:
                gap = self.distance(a, b, is_body, self.at(q0, q1, t))
                best = min(best, (gap, t))
                if gap == 0:
                    break
                t += max(gap / speed, SHORTEST)
        return best

    def closest_sampled(
        self, configurations: Floats, *, self_contact: bool = True
    ) -> tuple[float, int]:
        """Return the least distance over given configurations, and its row."""
        best, pairs = (np.inf, 0), list(self.pairs(self_contact))
        for row, q in enumerate(configurations):
            at = {name: _transform(self.pose(name, q)) for name in self.models}
            for a, b, is_body in pairs:
                other = self.bodies[b] if is_body else self.models[b]
                at_b = _transform(np.eye(4)) if is_body else at[b]
                best = min(best, (_gap(self.models[a], at[a], other, at_b), row))
        return best


def _gap(a: object, at_a: object, b: object, at_b: object) -> float:
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    return max(0.0, float(coal.distance(a, at_a, b, at_b, request, result)))


def _rates(joint: tc.Joint, n0: Floats, n1: Floats) -> tuple[float, float, float]:
    """Return the rates of a joint, rotation and translation, and its largest translation."""
    change, size = np.abs(n1 - n0), np.maximum(np.abs(n0), np.abs(n1))
    if joint.kind in ("revolute", "continuous"):
        return float(change[0]), 0.0, 0.0
    if joint.kind == "prismatic":
        return 0.0, float(change[0]), float(size[0])
    if joint.kind == "planar":
        return float(change[2]), float(change[:2].sum()), float(size[:2].sum())
    if joint.kind == "floating":
        return np.pi, float(change[:3].sum()), float(size[:3].sum())
    return 0.0, 0.0, 0.0


def _arrays(robot: tc.Robot, name: str) -> tuple[Floats, NDArray[np.int32]]:
    mesh = robot.links[name].mesh
    return mesh.vertices, mesh.faces


def _transform(pose: Floats) -> object:
    return coal.Transform3s(pose[:3, :3], pose[:3, 3])
