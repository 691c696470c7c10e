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
"""Largest accepted distance of (cosine, sine) from the unit circle; also for mimic joints."""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """The numbers of one joint in configurations of Pinocchio and of the robot."""

    name: str
    kind: str
    theirs: slice
    """Range in a configuration of Pinocchio."""
    ours: slice
    """Range in a configuration of the robot. A mimic joint has the range of the followed joint."""
    factor: float = 1.0
    offset: float = 0.0
    follows: bool = False

    @property
    def is_split(self) -> bool:
        """True if the last coordinate is an angle. Pinocchio stores its cosine and its sine."""
        return self.kind in ("continuous", "planar")

    def read(self, rows: Floats) -> Floats:
        numbers = rows[:, self.theirs]
        if not self.is_split:
            return numbers
        cosine, sine = numbers[:, -2], numbers[:, -1]
        off = np.abs(np.hypot(cosine, sine) - 1) > _SLACK
        if off.any():
            row = int(np.argmax(off))
            wanted = f"a cosine and a sine for joint {self.name!r}"
            raise ValueError(f"q: expected {wanted}, got {cosine[row]} and {sine[row]}")
        return np.column_stack([numbers[:, :-2], np.arctan2(sine, cosine)])

    def write(self, coordinates: Floats, rows: Floats) -> None:
        values = self.factor * coordinates + self.offset
        if self.is_split:
            angle = values[:, -1:]
            values = np.concatenate([values[:, :-1], np.cos(angle), np.sin(angle)], axis=1)
        rows[:, self.theirs] = values

    def check_mimic(self, numbers: Floats, found: Floats) -> None:
        wanted = self.factor * found[:, self.ours] + self.offset
        apart = numbers - wanted
        if self.kind == "continuous":
            apart = np.remainder(apart + np.pi, 2 * np.pi) - np.pi
        off = np.abs(apart) > _SLACK
        if off.any():
            row = int(np.argmax(off))
            joint = f"the mimic joint {self.name!r}"
            raise ValueError(f"q: expected {wanted[row, 0]} for {joint}, got {numbers[row, 0]}")


class PinocchioOrder:
    """Converter between configurations of a robot and configurations of a Pinocchio model.

    Joints are matched by name, so the robot may come from `Robot.from_pinocchio` or from the same
    URDF as the model. Pinocchio stores the angle of a continuous or planar joint as a cosine and a
    sine. It orders branches by the names of their joints. Its mimic joints may have coordinates of
    their own.

    Args:
        robot: the robot.
        model: a `pinocchio.Model` with the same joints.

    """

    dof: int
    """Count of numbers in a configuration of the robot."""
    nq: int
    """Count of numbers in a configuration of the model."""

    def __init__(self, robot: Robot, model: Any) -> None:
        check_model(model)
        self.dof, self.nq = robot.dof, int(model.nq)
        parts = [part for i in range(1, model.njoints) for part in joints_of(model, i)]
        joints = {joint.name: joint for joint in robot.joints}
        starts = robot._tree.coordinate
        self._columns = [_column(part, joints, starts) for part in parts if part.mimic is None]
        missing = [name for name in starts if name not in (column.name for column in self._columns)]
        if missing:
            raise ValueError(f"joint {missing[0]!r} of the robot: the model has no such joint")
        self._angles = np.zeros(self.dof, dtype=bool)
        for column in self._columns:
            if column.is_split and not column.follows:
                self._angles[column.ours.stop - 1] = True

    def from_pinocchio(self, q: ArrayLike, near: ArrayLike | None = None) -> Floats:
        """Return configurations of the robot for configurations of the model.

        Args:
            q: configurations of the model, (nq,) or (n, nq).
            near: configurations of the robot, (dof,) or (n, dof). Angles of continuous and planar
                joints are returned within half a turn of these, so that a motion from `near` takes
                the shorter arc. Default: zero, which gives angles in -pi..pi.

        """
        rows = _rows("q", q, self.nq)
        found = np.empty((len(rows), self.dof))
        for column in self._columns:
            if not column.follows:
                found[:, column.ours] = column.read(rows)
        if near is not None:
            change = found - _rows("near", near, self.dof)
            found -= np.where(self._angles, 2 * np.pi * np.rint(change / (2 * np.pi)), 0.0)
        for column in self._columns:  # last, because full turns of a joint move its mimic joints
            if column.follows:
                column.check_mimic(column.read(rows), found)
        return found.reshape((*as_floats("q", q).shape[:-1], self.dof))

    def to_pinocchio(self, q: ArrayLike) -> Floats:
        """Return configurations of the model for (dof,) or (n, dof) configurations of the robot."""
        rows = _rows("q", q, self.dof)
        found = np.empty((len(rows), self.nq))
        for column in self._columns:
            column.write(rows[:, column.ours], found)
        return found.reshape((*as_floats("q", q).shape[:-1], self.nq))


def _rows(name: str, values: ArrayLike, width: int) -> Floats:
    array = as_floats(name, values)
    return as_shape(name, array, *([-1] * (array.ndim == 2)), width).reshape(-1, width)


def _column(part: ModelJoint, joints: dict[str, Joint], starts: dict[str, int]) -> _Column:
    joint = joints.get(part.name)
    kind = "none" if joint is None else joint.kind
    alike = {kind, part.kind} <= {"continuous", "revolute"}  # both coordinates are angles
    if joint is None or not (kind == part.kind or alike):
        wanted = f"a {part.kind} joint of this name in the robot"
        raise ValueError(f"joint {part.name!r} of the model: expected {wanted}, got {kind}")
    if kind == "planar" and not np.array_equal(joint.axis, (0.0, 0.0, 1.0)):
        wanted = "the axis z, because Pinocchio ignores the axes of planar joints in a URDF"
        got = joint.axis.tolist()
        raise ValueError(f"joint {part.name!r} of the robot: expected {wanted}, got {got}")
    theirs = slice(part.at, part.at + WIDTH[part.kind])
    if joint.mimic is None:
        start = starts[joint.name]
        return _Column(part.name, part.kind, theirs, slice(start, start + joint.width))
    name, factor, offset = mimicked(joint, joints)
    ours = slice(starts[name], starts[name] + 1)
    return _Column(part.name, part.kind, theirs, ours, factor, offset, follows=True)
