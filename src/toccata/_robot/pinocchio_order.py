"""Conversion of configurations from and to Pinocchio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_floats, as_shape
from toccata._robot.parts import Joint
from toccata._robot.pinocchio_joints import WIDTH, ModelJoint, check_model, joints_of
from toccata._robot.tree import mimicked

if TYPE_CHECKING:
    from toccata._robot.robot import Robot

_SLACK = 1e-6
"""Largest error of a cosine and sine off the unit circle, and of a mimic joint's coordinate."""

_ALIKE = {"continuous": "revolute"}
"""Kinds that are both an angle."""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """Numbers of one joint: from `part.at` on in Pinocchio, at `own` in the robot."""

    part: ModelJoint
    own: slice
    factor: float
    offset: float
    follows: bool

    def read(self, rows: Floats) -> Floats:
        numbers = rows[:, self.part.at : self.part.at + WIDTH[self.part.kind]]
        if self.part.kind not in ("continuous", "planar"):
            return numbers
        cosine, sine = numbers[:, -2], numbers[:, -1]
        off = np.abs(np.hypot(cosine, sine) - 1) > _SLACK
        if off.any():
            row = int(np.argmax(off))
            raise ValueError(
                f"q: expected a cosine and a sine for joint {self.part.name!r}, "
                f"got {cosine[row]} and {sine[row]}"
            )
        return np.column_stack([numbers[:, :-2], np.arctan2(sine, cosine)])

    def write(self, numbers: Floats, rows: Floats) -> None:
        values = self.factor * numbers + self.offset
        if self.part.kind in ("continuous", "planar"):
            angle = values[:, -1:]
            values = np.concatenate([values[:, :-1], np.cos(angle), np.sin(angle)], axis=1)
        rows[:, self.part.at : self.part.at + WIDTH[self.part.kind]] = values


class PinocchioOrder:
    """Converter between configurations of a robot and of a model of Pinocchio.

    Joints are matched by name, so the robot may come from `Robot.from_pinocchio` or from the same
    URDF as the model. In Pinocchio a continuous joint is a cosine and a sine, a planar joint ends
    in them, branches are ordered by the names of their joints, and mimic joints may have
    coordinates of their own.

    Args:
        robot: the robot.
        model: a `pinocchio.Model` with the same joints.

    """

    dof: int
    """Numbers in a configuration of the robot."""
    nq: int
    """Numbers in a configuration of the model."""

    def __init__(self, robot: Robot, model: Any) -> None:
        check_model(model)
        self.dof, self.nq = robot.dof, int(model.nq)
        parts = [part for i in range(1, model.njoints) for part in joints_of(model, i)]
        joints = {joint.name: joint for joint in robot.joints}
        starts = robot._tree.coordinate
        self._columns = [_column(p, joints, starts) for p in parts if p.mimic is None]
        known = {column.part.name for column in self._columns}
        for joint in robot.joints:
            if joint.width and joint.name not in known:
                got = "got a model without it"
                raise ValueError(
                    f"joint {joint.name!r} of the robot: expected it in the model, {got}"
                )
        self._angles = np.zeros(self.dof, dtype=bool)
        for column in self._columns:
            if column.part.kind in ("continuous", "planar") and not column.follows:
                self._angles[column.own.stop - 1] = True

    def from_pinocchio(self, q: ArrayLike, near: ArrayLike | None = None) -> Floats:
        """Return configurations of the robot for those of the model.

        Args:
            q: (nq,) or (n, nq) configurations of the model.
            near: (dof,) or (n, dof) configurations of the robot. Angles of continuous and planar
                joints are returned within half a turn of these, so that a motion from `near` takes
                the shorter arc. Default: zero, for angles in -pi..pi.

        """
        rows = self._rows("q", q, self.nq)
        found = np.empty((len(rows), self.dof))
        for column in self._columns:
            if not column.follows:
                found[:, column.own] = column.read(rows)
        if near is not None:
            change = found - self._rows("near", near, self.dof)
            found -= np.where(self._angles, 2 * np.pi * np.rint(change / (2 * np.pi)), 0.0)
        for column in self._columns:  # a mimic joint may be elsewhere after a full turn
            if column.follows:
                _check_mimic(column, column.read(rows), found)
        return found.reshape((*as_floats("q", q).shape[:-1], self.dof))

    def to_pinocchio(self, q: ArrayLike) -> Floats:
        """Return configurations of the model for (dof,) or (n, dof) configurations of the robot."""
        rows = self._rows("q", q, self.dof)
        found = np.empty((len(rows), self.nq))
        for column in self._columns:
            column.write(rows[:, column.own], found)
        return found.reshape((*as_floats("q", q).shape[:-1], self.nq))

    def _rows(self, name: str, values: ArrayLike, width: int) -> Floats:
        array = as_floats(name, values)
        return as_shape(name, array, *([-1] * (array.ndim == 2)), width).reshape(-1, width)


def _column(part: ModelJoint, joints: dict[str, Joint], starts: dict[str, int]) -> _Column:
    joint = joints.get(part.name)
    kinds = [_ALIKE.get(kind, kind) for kind in (part.kind, joint.kind if joint else "none")]
    if joint is None or kinds[0] != kinds[1]:
        raise ValueError(
            f"joint {part.name!r} of the model: expected the robot to have this {part.kind} joint, "
            f"got {kinds[1]}"
        )
    if joint.kind == "planar" and not np.array_equal(joint.axis, (0.0, 0.0, 1.0)):
        raise ValueError(  # Pinocchio ignores the axis in the URDF
            f"joint {part.name!r} of the robot: expected the axis z, which Pinocchio's planar "
            f"joints have, got {joint.axis.tolist()}"
        )
    if joint.mimic is None:
        start = starts[joint.name]
        return _Column(part, slice(start, start + joint.width), 1.0, 0.0, False)
    name, factor, offset = mimicked(joint, joints)
    return _Column(part, slice(starts[name], starts[name] + 1), factor, offset, True)


def _check_mimic(column: _Column, numbers: Floats, found: Floats) -> None:
    wanted = column.factor * found[:, column.own] + column.offset
    off = np.abs(numbers - wanted) > _SLACK
    if column.part.kind == "continuous":
        off = np.abs(np.remainder(numbers - wanted + np.pi, 2 * np.pi) - np.pi) > _SLACK
    if off.any():
        row = int(np.argmax(off))
        raise ValueError(
            f"q: expected {wanted[row, 0]} for the mimic joint {column.part.name!r}, "
            f"got {numbers[row, 0]}"
        )
