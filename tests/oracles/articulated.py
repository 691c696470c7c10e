"""Random articulated bodies, and their inverse dynamics by Newton's and Euler's equations.

Plain vectors in world axes, link by link: nothing here is shared with the package's spatial vectors
and recursions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import toccata as tc
from oracles.robot import joint_pose

Floats = NDArray[np.float64]
RATES = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 6}
GRAVITY = np.array([0.3, -0.2, -9.81])


def some_mass(rng: np.random.Generator) -> tc.MassProperties:
    """Return the mass properties of a few point masses."""
    points, weights = rng.normal(scale=0.2, size=(6, 3)), rng.uniform(0.2, 1, 6)
    center = weights @ points / weights.sum()
    arms = points - center
    squares = (weights[:, None] * arms).T @ arms
    return tc.MassProperties(weights.sum(), center, np.trace(squares) * np.eye(3) - squares)


def some_pose(rng: np.random.Generator, reach: float = 0.5) -> Floats:
    pose = np.eye(4)
    pose[:3, :3] = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
    pose[:3, 3] = rng.uniform(-reach, reach, 3)
    return pose


def random_body(
    rng: np.random.Generator,
    n: int,
    kinds: tuple[str, ...] = ("revolute", "prismatic", "planar", "floating"),
    *,
    branching: float = 0.3,
    mimics: float = 0.0,
) -> tuple[tc.Robot, dict[str, tc.MassProperties]]:
    """Return a tree of n moving links, and their masses."""
    joints: list[tc.Joint] = []
    above = [-1]
    for i in range(n):
        parent = i - 1 if rng.random() > branching else int(rng.integers(-1, i))
        above.append(parent)
        kind: Any = rng.choice(kinds)
        leaders = [j.name for j in joints if j.kind in ("revolute", "prismatic") and not j.mimic]
        mimic = None
        if kind in ("revolute", "prismatic") and leaders and rng.random() < mimics:
            mimic = tc.Mimic(str(rng.choice(leaders)), rng.uniform(-2, 2), rng.uniform(-1, 1))
        origin, axis = some_pose(rng), rng.normal(size=3)
        ends = "ground" if parent < 0 else f"link{parent}", f"link{i}"
        joints.append(tc.Joint(f"joint{i}", kind, *ends, origin, axis, mimic=mimic))
    links = [tc.Link("ground"), *(tc.Link(f"link{i}") for i in range(n))]
    return tc.Robot(links, joints), {f"link{i}": some_mass(rng) for i in range(n)}


def chain(
    n: int, length: float = 0.5, axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
) -> tuple[tc.Robot, dict[str, tc.MassProperties]]:
    """Return a chain of n equal rods connected by hinges."""
    links = [tc.Link("ground"), *(tc.Link(f"link{i}") for i in range(n))]
    joints, rod = [], np.diag([1e-3, length**2 / 12 + 1e-3, length**2 / 12 + 1e-3])
    for i in range(n):
        origin = np.eye(4)
        origin[0, 3] = length if i else 0.0
        ends = f"link{i - 1}" if i else "ground", f"link{i}"
        joints.append(tc.Joint(f"joint{i}", "revolute", *ends, origin, axis))
    return tc.Robot(links, joints), {
        f"link{i}": tc.MassProperties(1.0, (length / 2, 0, 0), rod) for i in range(n)
    }


@dataclass
class _Frame:
    turn: Floats
    position: Floats
    spin: Floats
    spin_rate: Floats
    velocity: Floats
    acceleration: Floats


class NewtonEuler:
    """Inverse dynamics of a robot with an inertia for the child link of each joint."""

    def __init__(
        self,
        robot: tc.Robot,
        masses: dict[str, tc.MassProperties],
        gravity: Floats = GRAVITY,
    ) -> None:
        self.joints, self.masses, self.gravity = robot.joints, masses, gravity
        self.number = {joint.name: i for i, joint in enumerate(robot.joints)}
        self.by_child = {joint.child: i for i, joint in enumerate(robot.joints)}
        self.at, self.rate, count, rates = [], [], 0, 0
        for joint in robot.joints:
            self.at.append(count)
            self.rate.append(rates)
            if joint.mimic is None:
                count, rates = count + joint.width, rates + RATES[joint.kind]
        self.freedoms = rates

    def numbers(self, i: int, q: Floats) -> Floats:
        mimic = self.joints[i].mimic
        if mimic is not None:
            return mimic.multiplier * self.numbers(self.number[mimic.joint], q) + mimic.offset
        return q[self.at[i] : self.at[i] + self.joints[i].width]

    def rates(self, i: int) -> tuple[slice, float]:
        """Return the slice of the rates of a joint, and the factor of a mimic."""
        mimic = self.joints[i].mimic
        if mimic is not None:
            part, factor = self.rates(self.number[mimic.joint])
            return part, factor * mimic.multiplier
        return slice(self.rate[i], self.rate[i] + RATES[self.joints[i].kind]), 1.0

    def basis(self, i: int) -> tuple[Floats, Floats]:
        """Return the directions of shifts and of turns by rates, in the axes of the origin."""
        joint = self.joints[i]
        none, axis = np.zeros((3, 1)), np.asarray(joint.axis).reshape(3, 1)
        if joint.kind == "prismatic":
            return axis, none
        if joint.kind == "planar":
            across = joint.axes()[:2].T
            return np.hstack([across, none]), np.hstack([none, none, axis])
        if joint.kind == "floating":
            zeros = np.zeros((3, 3))
            return np.hstack([np.eye(3), zeros]), np.hstack([zeros, np.eye(3)])
        return none, axis

    def frames(self, q: Floats, v: Floats, a: Floats) -> list[_Frame]:
        zero = np.zeros(3)
        ground = _Frame(np.eye(3), zero, zero, zero, zero, -self.gravity)
        frames: list[_Frame] = []
        for i, joint in enumerate(self.joints):
            above = self.by_child.get(joint.parent)
            p = ground if above is None else frames[above]
            origin = np.asarray(joint.origin)
            local = origin @ joint_pose(joint, self.numbers(i, q))
            shift, turn = (p.turn @ origin[:3, :3] @ part for part in self.basis(i))
            part, factor = self.rates(i)
            r = p.turn @ local[:3, 3]
            slide, w = shift @ (factor * v[part]), turn @ (factor * v[part])
            frames.append(
                _Frame(
                    p.turn @ local[:3, :3],
                    p.position + r,
                    p.spin + w,
                    p.spin_rate + turn @ (factor * a[part]) + np.cross(p.spin, w),
                    p.velocity + np.cross(p.spin, r) + slide,
                    p.acceleration
                    + np.cross(p.spin_rate, r)
                    + np.cross(p.spin, np.cross(p.spin, r))
                    + 2 * np.cross(p.spin, slide)
                    + shift @ (factor * a[part]),
                )
            )
        return frames

    def forces(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """Return the joint forces that accelerate the rates by a."""
        frames = self.frames(q, v, a)
        force, torque = np.zeros((2, len(frames), 3))
        tau = np.zeros(self.freedoms)
        for i in reversed(range(len(frames))):
            f, joint = frames[i], self.joints[i]
            body = self.masses[joint.child]
            arm = f.turn @ body.center
            inertia = f.turn @ body.inertia @ f.turn.T
            push = body.mass * (
                f.acceleration
                + np.cross(f.spin_rate, arm)
                + np.cross(f.spin, np.cross(f.spin, arm))
            )
            force[i] += push
            torque[i] += np.cross(arm, push) + inertia @ f.spin_rate
            torque[i] += np.cross(f.spin, inertia @ f.spin)
            above = self.by_child.get(joint.parent)
            axes = np.asarray(joint.origin)[:3, :3]
            if above is not None:
                axes = frames[above].turn @ axes
                force[above] += force[i]
                torque[above] += torque[i] + np.cross(f.position - frames[above].position, force[i])
            shift, turn = self.basis(i)
            part, factor = self.rates(i)
            tau[part] += factor * (shift.T @ axes.T @ force[i] + turn.T @ axes.T @ torque[i])
        return tau

    def mass_matrix(self, q: Floats) -> Floats:
        none = np.zeros(self.freedoms)
        rest = self.forces(q, none, none)
        return np.array([self.forces(q, none, row) - rest for row in np.eye(self.freedoms)]).T

    def momentum(self, q: Floats, v: Floats) -> Floats:
        """Return the linear momentum, and the angular one about the origin of the world."""
        linear, angular = np.zeros((2, 3))
        for joint, f in zip(self.joints, self.frames(q, v, 0 * v), strict=True):
            body = self.masses[joint.child]
            arm = f.turn @ body.center
            push = body.mass * (f.velocity + np.cross(f.spin, arm))
            linear = linear + push
            angular = angular + np.cross(f.position + arm, push)
            angular = angular + f.turn @ body.inertia @ f.turn.T @ f.spin
        return np.concatenate([linear, angular])


def frame_jacobian(oracle: NewtonEuler, q: Floats, joints: list[int]) -> Floats:
    """Return the velocities of origins and spins of frames, six rows each, by unit rates."""
    columns = []
    for rates in np.eye(oracle.freedoms):
        frames = oracle.frames(q, rates, 0 * rates)
        parts = [part for j in joints for part in (frames[j].velocity, frames[j].spin)]
        columns.append(np.concatenate(parts))
    return np.array(columns).T
