"""Featherstone's divide-and-conquer algorithm on a given assembly tree, dense and in world axes.

With the theorem of Redon, Galoppo and Lin (2005): the metric of a subassembly, the sum over its
joints of qdd^T W qdd, is a quadratic form F^T psi F + F^T p + eta of the forces F on its handles,
known before its joint accelerations are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .articulated import Floats, NewtonEuler


@dataclass
class _Assembly:
    frames: set[int]
    handles: list[int]
    phi: Floats
    bias: Floats
    psi: Floats
    linear: Floats
    eta: float = 0.0
    to_children: list[tuple[int, Floats, Floats]] = field(default_factory=list)
    joint: int = -1
    gain: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    rest: Floats = field(default_factory=lambda: np.zeros(0))


def _skew(a: Floats) -> Floats:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class DivideAndConquer:
    """Accelerations and metrics of a robot without mimics; frame 0 is the ground, as in the core.

    `nodes` has rows of joint, upper and lower child; node f is the leaf of frame f. `order` has the
    numbers of the core's joints in the robot.
    """

    def __init__(
        self, oracle: NewtonEuler, nodes: NDArray[np.int32], order: list[int], weights: Floats
    ) -> None:
        self.oracle, self.nodes, self.order, self.weights = oracle, nodes, order, weights
        parents = [oracle.by_child.get(joint.parent, -1) + 1 for joint in oracle.joints]
        self.parents = parents
        self.neighbors: list[set[int]] = [set() for _ in range(len(parents) + 1)]
        for joint, parent in enumerate(parents):
            self.neighbors[parent].add(joint + 1)
            self.neighbors[joint + 1].add(parent)

    def solve(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return the accelerations, and the metric of each node."""
        self._prepare(q, v)
        made: list[_Assembly] = []
        for number, (joint, upper, lower) in enumerate(self.nodes):
            if joint < 0:
                made.append(self._leaf(self.order[number - 1] + 1 if number else 0))
            else:
                children = int(upper), int(lower)
                made.append(self._join(self.order[joint], made, children, tau))
        out, metrics = np.zeros(self.oracle.freedoms), np.zeros(len(made))
        stack = [(len(made) - 1, np.zeros(6 * len(made[-1].handles)))]
        while stack:
            number, force = stack.pop()
            node = made[number]
            metrics[number] = force @ node.psi @ force + force @ node.linear + node.eta
            if node.joint >= 0:
                out[self.oracle.rates(node.joint)[0]] = node.gain @ force + node.rest
                stack += [(child, p @ force + g) for child, p, g in node.to_children]
        return out, metrics

    def _prepare(self, q: Floats, v: Floats) -> None:
        oracle = self.oracle
        self.inertia, self.coriolis, self.columns, self.drift = [], [], [], []
        accelerations = [np.concatenate([-oracle.gravity, np.zeros(3)])]
        frames = oracle.frames(q, v, 0 * v)
        for i, f in enumerate(frames):
            joint = oracle.joints[i]
            body, p = oracle.masses[joint.child], f.position
            c = _skew(p + f.turn @ body.center)
            about = f.turn @ body.inertia @ f.turn.T - body.mass * c @ c
            inertia = np.block([[body.mass * np.eye(3), -body.mass * c], [body.mass * c, about]])
            motion = np.concatenate([f.velocity + np.cross(p, f.spin), f.spin])
            h = inertia @ motion
            force = np.concatenate(
                [np.cross(f.spin, h[:3]), np.cross(f.spin, h[3:]) + np.cross(motion[:3], h[:3])]
            )
            linear = f.acceleration + np.cross(p, f.spin_rate) - np.cross(f.spin, f.velocity)
            accelerations.append(np.concatenate([linear, f.spin_rate]))
            above = self.parents[i]
            axes = np.asarray(joint.origin)[:3, :3]
            axes = axes if above == 0 else frames[above - 1].turn @ axes
            shift, turn = (axes @ part for part in oracle.basis(i))
            self.inertia.append(inertia)
            self.coriolis.append(force)
            self.columns.append(np.vstack([shift + np.cross(p, turn, axisb=0, axisc=0), turn]))
            self.drift.append(accelerations[-1] - accelerations[above])

    def _leaf(self, frame: int) -> _Assembly:
        phi, bias = np.zeros((6, 6)), np.zeros(6)
        if frame > 0:
            phi = np.linalg.inv(self.inertia[frame - 1])
            bias = -phi @ self.coriolis[frame - 1]
            bias[:3] += self.oracle.gravity
        return _Assembly({frame}, [frame], phi, bias, 0 * phi, 0 * bias)

    def _join(
        self, joint: int, made: list[_Assembly], children: tuple[int, int], tau: Floats
    ) -> _Assembly:
        a, b = (made[child] for child in children)
        frames = a.frames | b.frames
        handles = [h for h in a.handles + b.handles if self.neighbors[h] - frames]
        outer = [_select(part, handles) for part in (a, b)]
        at = _block(a, self.parents[joint]), _block(b, joint + 1)
        columns, part = self.columns[joint], self.oracle.rates(joint)[0]
        v = np.linalg.inv(a.phi[at[0], at[0]] + b.phi[at[1], at[1]])
        inverse = np.linalg.inv(columns.T @ v @ columns)
        k = v @ columns @ inverse
        w = v - k @ columns.T @ v
        lack = b.bias[at[1]] - a.bias[at[0]] - self.drift[joint]
        g = b.phi[at[1]] @ outer[1] - a.phi[at[0]] @ outer[0]
        e, gamma = -w @ g, k @ tau[part] - w @ lack
        gain, rest = k.T @ g, inverse @ tau[part] + k.T @ lack
        node = _Assembly(frames, handles, *_empty(len(handles)), joint=joint, gain=gain, rest=rest)
        weight = np.diag(self.weights[part])
        node.psi = gain.T @ weight @ gain
        node.linear = 2 * gain.T @ weight @ rest
        node.eta = float(rest @ weight @ rest)
        for number, child, select, slot, sign in zip(
            children, (a, b), outer, at, (-1, 1), strict=True
        ):
            p, push = select.copy(), np.zeros(len(select))
            p[slot] += sign * e
            push[slot] += sign * gamma
            node.phi = node.phi + select.T @ child.phi @ p
            node.bias = node.bias + select.T @ (child.bias + child.phi @ push)
            node.psi = node.psi + p.T @ child.psi @ p
            node.linear = node.linear + p.T @ (child.linear + 2 * child.psi @ push)
            node.eta += float(child.eta + push @ child.psi @ push + push @ child.linear)
            node.to_children.append((number, p, push))
        return node


def _empty(count: int) -> tuple[Floats, Floats, Floats, Floats]:
    size = 6 * count
    return np.zeros((size, size)), np.zeros(size), np.zeros((size, size)), np.zeros(size)


def _block(part: _Assembly, frame: int) -> slice:
    at = 6 * part.handles.index(frame)
    return slice(at, at + 6)


def _select(part: _Assembly, handles: list[int]) -> Floats:
    """Return the map from forces on handles of an assembly to forces on handles of a child."""
    chosen = np.zeros((6 * len(part.handles), 6 * len(handles)))
    for i, handle in enumerate(handles):
        if handle in part.handles:
            chosen[_block(part, handle), 6 * i : 6 * i + 6] = np.eye(6)
    return chosen
