"""Robots in logs of poses. Their joints move at constant rates from row to row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats, as_array, as_shape
from toccata._motion import Motion
from toccata._native import core
from toccata._robot.tree import bare_robot

_JOINTS = ("parent", "kind", "place", "axes", "coordinate", "mimic")
_ALLOWED = 1e-6
"""Largest accepted error of logged poses, relative to the size of the log."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedRobot:
    """A robot in a log: its configuration in each row, and the bodies that its joints carry."""

    joints: list[tuple[Any, ...]]
    """Arguments of the core's joints: parent, kind, pose, axes, coordinate, (factor, offset)."""
    rows: Floats
    """Configurations, (k, dof)."""
    bodies: NDArray[np.int64]
    """Indices of the bodies in the log, (m,)."""
    carriers: NDArray[np.int64]
    """Joints that carry the bodies, (m,); -1 for the ground."""
    offsets: Floats
    """Poses of the bodies in the frames of their carriers, (m, 4, 4)."""
    _core: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_core", bare_robot(self.joints))

    def poses(self) -> Floats:
        """Return the poses of the bodies, (k, m, 4, 4)."""
        frames = np.asarray(core.robot_frames(self._core, self.rows))
        ground = np.broadcast_to(np.eye(4), (len(self.rows), 1, 4, 4))
        found: Floats = np.concatenate((frames, ground), axis=1)[:, self.carriers] @ self.offsets
        return found

    def motions(self, step: int) -> dict[int, Motion]:
        """Return the motions of the bodies from row `step` to the next row, by body."""
        ends = self.rows[step : step + 1], self.rows[step + 1 : step + 2]
        return {
            int(body): Motion._wrap(core.robot_motion(self._core, int(joint), offset, *ends))
            for body, joint, offset in zip(self.bodies, self.carriers, self.offsets, strict=True)
        }

    def arrays(self, i: int) -> dict[str, Any]:
        """Return the arrays for robot i of a log, without the arrays that have a row per body."""
        columns = zip(*self.joints, strict=True) if self.joints else [()] * len(_JOINTS)
        named = {f"joint_{name}_{i}": np.array(c) for name, c in zip(_JOINTS, columns, strict=True)}
        return {**named, f"q_{i}": self.rows}


def read_robots(log: Mapping[str, Any], count: int, poses: Floats) -> tuple[LoggedRobot, ...]:
    """Return the robots of a log of `count` bodies; check that the poses agree with them."""
    if "robot_of" not in log:
        return ()
    names = "robot_of", "carrier"
    owner, carrier = (as_array(n, log[n], "numbers").astype(np.int64).ravel() for n in names)
    if len(owner) != count or len(carrier) != count:
        got = f"got {len(owner)} and {len(carrier)}"
        raise ValueError(f"robot_of, carrier: expected {count} numbers each, {got}")
    offsets = as_shape("place", log["place"], count, 4, 4)
    found = []
    for i in range(int(owner.max(initial=-1)) + 1):
        bodies = np.flatnonzero(owner == i)
        joints = _joints(log, i)
        rows = as_shape(f"q_{i}", log[f"q_{i}"], len(poses), -1)
        if not ((carrier[bodies] >= -1) & (carrier[bodies] < len(joints))).all():
            got = carrier[bodies].tolist()
            raise ValueError(f"carrier: expected -1..{len(joints) - 1} for robot {i}, got {got}")
        robot = LoggedRobot(joints, rows, bodies, carrier[bodies], offsets[bodies])
        _check(robot, poses[:, bodies], i)
        found.append(robot)
    return tuple(found)


def _joints(log: Mapping[str, Any], i: int) -> list[tuple[Any, ...]]:
    columns = []
    for name in _JOINTS:
        if f"joint_{name}_{i}" not in log:
            raise ValueError(f"joint_{name}_{i}: the log has no array of this name")
        columns.append(np.asarray(log[f"joint_{name}_{i}"]))

    def floats(values: Any) -> Floats:
        return np.array(values, dtype=np.float64)

    return [
        (int(p), str(kind), floats(pose), floats(axes), int(at), (float(mimic[0]), float(mimic[1])))
        for p, kind, pose, axes, at, mimic in zip(*columns, strict=True)
    ]


def _check(robot: LoggedRobot, poses: Floats, i: int) -> None:
    """Check that the poses agree with the configurations, since the audit uses only the latter."""
    apart = np.abs(robot.poses() - poses)
    size = 1 + np.abs(poses[..., :3, 3]).max(initial=0)
    if apart.max(initial=0) > _ALLOWED * size:
        row = int(np.argmax(apart.max(axis=(1, 2, 3))))
        raise ValueError(f"poses: row {row} does not agree with the configurations q_{i}")
