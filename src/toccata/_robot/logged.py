"""Robots in logs of poses: links that moved straight in joint space from row to row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, as_array, as_shape
from toccata._motion import Motion
from toccata._native import core

_JOINTS = ("parent", "kind", "place", "axes", "coordinate", "mimic")
_ALLOWED = 1e-6
"""How far poses of a log may be from those of its configurations, in lengths of the log."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedRobot:
    """Joints with configurations in rows, and the bodies that they carry."""

    joints: list[tuple[Any, ...]]
    """Arguments of the core: parent, kind, place, axes, coordinate, (factor, offset)."""
    rows: Floats
    """(k, dof)"""
    bodies: NDArray[np.int64]
    """(m,) of the log."""
    carriers: NDArray[np.int64]
    """(m,) joints; -1: the ground."""
    places: Floats
    """(m, 4, 4) in the frames of carriers."""
    _core: Any = field(init=False)

    def __post_init__(self) -> None:
        native = [core.make_joint(p, core.JointKind[kind], *more) for p, kind, *more in self.joints]
        object.__setattr__(self, "_core", core.make_robot(native, [], [], [], []))

    def poses(self) -> Floats:
        """Return (k, m, 4, 4) where the bodies were."""
        frames = np.asarray(core.robot_frames(self._core, self.rows))
        ground = np.broadcast_to(np.eye(4), (len(self.rows), 1, 4, 4))
        found: Floats = np.concatenate((frames, ground), axis=1)[:, self.carriers] @ self.places
        return found

    def motions(self, step: int) -> dict[int, Motion]:
        """Return what bodies did from a row to the next, by body."""
        ends = self.rows[step : step + 1], self.rows[step + 1 : step + 2]
        return {
            int(body): Motion._wrap(core.robot_motion(self._core, int(joint), place, *ends))
            for body, joint, place in zip(self.bodies, self.carriers, self.places, strict=True)
        }

    def arrays(self, i: int) -> dict[str, Any]:
        """Return what a log holds of it as its robot i, without what it holds by body."""
        columns = zip(*self.joints, strict=True) if self.joints else [()] * len(_JOINTS)
        named = {f"joint_{name}_{i}": np.array(c) for name, c in zip(_JOINTS, columns, strict=True)}
        return {**named, f"q_{i}": self.rows}


def read_robots(log: Mapping[str, Any], count: int, poses: Floats) -> tuple[LoggedRobot, ...]:
    """Return the robots of a log of `count` bodies, whose poses have to be theirs."""
    if "robot_of" not in log:
        return ()
    owner = as_array("robot_of", log["robot_of"], "numbers").astype(np.int64).ravel()
    carrier = as_array("carrier", log["carrier"], "numbers").astype(np.int64).ravel()
    if len(owner) != count or len(carrier) != count:
        raise ValueError(f"robot_of: expected a number for each of {count} bodies")
    places = as_shape("place", log["place"], count, 4, 4)
    found = []
    for i in range(int(owner.max(initial=-1)) + 1):
        bodies = np.flatnonzero(owner == i)
        joints = _joints(log, i)
        rows = as_shape(f"q_{i}", log[f"q_{i}"], len(poses), -1)
        if not ((carrier[bodies] >= -1) & (carrier[bodies] < len(joints))).all():
            raise ValueError(f"carrier: expected joints of robot {i}")
        robot = LoggedRobot(joints, rows, bodies, carrier[bodies], places[bodies])
        _check(robot, poses[:, bodies], i)
        found.append(robot)
    return tuple(found)


def _joints(log: Mapping[str, Any], i: int) -> list[tuple[Any, ...]]:
    columns = []
    for name in _JOINTS:
        if f"joint_{name}_{i}" not in log:
            raise ValueError(f"joint_{name}_{i}: expected an array of this name, got none")
        columns.append(np.asarray(log[f"joint_{name}_{i}"]))
    return [
        (
            int(parent),
            str(kind),
            np.array(place, dtype=np.float64),
            np.array(axes, dtype=np.float64),
            int(coordinate),
            (float(mimic[0]), float(mimic[1])),
        )
        for parent, kind, place, axes, coordinate, mimic in zip(*columns, strict=True)
    ]


def _check(robot: LoggedRobot, poses: Floats, i: int) -> None:
    """Rows say twice where links are: an audit of one must be one of the other."""
    apart = np.abs(robot.poses() - poses)
    size = 1 + np.abs(poses[..., :3, 3]).max(initial=0)
    if apart.max(initial=0) > _ALLOWED * size:
        row = int(np.argmax(apart.max(axis=(1, 2, 3))))
        raise ValueError(
            f"poses: expected those of the configurations q_{i}, got others in row {row}"
        )
